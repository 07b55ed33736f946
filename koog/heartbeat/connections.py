"""Which two observations say something together that neither says alone.  [sinain §4.7]

Each kind of link is one function; `connections` orders them by how telling they are, and
what touches the present tick first. Words in common are no link.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import combinations
from typing import Any

from koog.core.clip import clip
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.measures import WORD, document_frequency, jaccard, repeats, stems
from koog.heartbeat import synthesize_cues as cues
from koog.heartbeat.observations import (
    SUBJECT_SHARED,
    Observation,
    about,
    concerns,
    is_after,
    is_claim,
    is_settled,
    quote,
    reported,
    subject,
)
from koog.heartbeat.signal_cues import AFTER, DENIES
from koog.heartbeat.suggestions import RESTATED, neighbours
from koog.heartbeat.troubles import Trouble, is_advice, is_culprit, remedy, same
from koog.heartbeat.upcoming import deadlines, today_of
from koog.playbook.texts import Pattern, patterns

SAME_HOUR = 1  # ticks are half an hour apart: the same time of day, give or take a tick
LEAST_COMMON = 3  # stems that a line and its return must share
RARE_IN, RARE_AMONG = 3, 10  # a term is rare when at most three of at least ten observations have it


class Link(NamedTuple):
    text: str
    now: bool  # one side is of the present tick


def connections(*, playbook: str, changes: dict[str, Any], seen: Sequence[Observation]) -> list[str]:
    """Return the links as sentences, the present first, then by how telling their kind is."""
    failed = [(o, t) for o in seen for t in reported(o)]
    links = [
        *returned(failed, seen),
        *advised(failed, patterns(playbook)),
        *runs_beside(failed, seen),
        *twice_alike(failed),
        *overruled(patterns(playbook), seen),
        *collisions(patterns(playbook), seen),
        *wishes_met(seen),
        *foreseen(changes, failed, seen),
        *put_off(patterns(playbook), seen),
        *explained(seen),
    ]
    return [link.text for link in sorted(links, key=lambda link: not link.now)]


Failed = Sequence[tuple[Observation, Trouble]]


def returned(failed: Failed, seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield failures that are back after somebody called them gone: the claim with the most in common first."""
    claims = [c for c in seen if is_claim(c)]
    for o, trouble in failed:
        known = [c for c in claims if is_after(o, c) and concerns(c, trouble, o)]
        if known and not is_settled(trouble, o, seen):
            claim = max(known, key=lambda c: (len(set(stems(c.text)) & set(stems(o.text))), c.day))
            yield Link(f"Called settled, yet back: {claim.cited()}, and then {o.cited()}.", o.now)


def advised(failed: Failed, lines: Sequence[Pattern]) -> Iterator[Link]:
    """Yield playbook lines that advise what a failure came after."""
    for o, trouble in failed:
        for p in lines:
            if is_culprit(trouble.clause, p.text):
                yield Link(f"The playbook advises what came before the failure: {quote(p.text)}; {o.cited()}.", o.now)


def runs_beside(failed: Failed, seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield failures at a clock time at which something else runs by itself."""
    for o, trouble in failed:
        for clock, other in neighbours(o, seen):
            if not is_settled(trouble, o, seen):
                yield Link(f"Both at {clock}: {other.cited()}, and {o.cited()}.", o.now)


def twice_alike(failed: Failed) -> Iterator[Link]:
    """Yield errors of two days that also share their hour or what they came after; recurring alone is no news."""
    for (new, t), (old, u) in combinations(failed, 2):
        if new.day == old.day or new.source == old.source or not same(t, u):
            continue
        if cause := shared_cause(new.text, old.text):
            yield Link(f"Twice the same after {cause}: {old.cited()} and {new.cited()}.", new.now)
        elif new.hour is not None and old.hour is not None and abs(new.hour - old.hour) <= SAME_HOUR:
            hours = f"{old.hour:02}h and {new.hour:02}h UTC"
            yield Link(f"Same error, same time of day ({hours}): {old.cited()} and {new.cited()}.", new.now)


def shared_cause(a: str, b: str) -> str | None:
    """Return what both texts say came before, in the words of the first."""
    for x in re.finditer(AFTER, a):
        for y in re.finditer(AFTER, b):
            if repeats(x["cause"], y["cause"]):
                return clip(x["cause"].strip(), 40)
    return None


def overruled(lines: Sequence[Pattern], seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield playbook lines that a later observation says no to, or that said no to what is done by now."""
    told = [(p, _is_advised(p.text), set(stems(p.text)), list(denied(p.text))) for p in lines if not p.deferred]
    for o in seen:
        refused, roots = list(denied(o.text)), set(stems(o.text))
        is_adopted = not refused and re.search(cues.ADOPTED, o.text)
        for p, is_advised, own, ruled_out in told if refused or is_adopted else ():
            if p.text == o.text or (p.day or "") >= o.day:
                continue
            since = p.day or "playbook"
            if refused and is_advised and any(what <= own for what in refused):
                yield Link(f"The playbook still says {quote(p.text)} ({since}), against {o.cited()}.", o.now)
            elif is_adopted and any(what <= roots for what in ruled_out):
                yield Link(f"Once {quote(p.text)} ({since}), by now {o.cited()}: the line is out of date.", o.now)


def _is_advised(text: str) -> bool:
    """Return whether a line says what is to be done, and not what is to be left."""
    return is_advice(text) and not re.search(DENIES, text)


def denied(text: str) -> Iterator[set[str]]:
    """Yield the stems of what a text says no to: two words, or one that is a name."""
    for match in re.finditer(cues.DENIAL, text):
        what = set(stems(match["what"]))
        if len(what) > 1 or (what and re.search(r"[A-Z\d`]", match["what"])):
            yield what


def collisions(lines: Sequence[Pattern], seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield dates just ahead that fall on a weekday for which the playbook forbids something."""
    today = today_of(seen)
    for due in deadlines(seen, today):
        weekday = dates.NAMES[due.day.weekday()]
        for p in lines:
            match = re.search(cues.FORBIDS, p.text)
            if (
                match
                and (is_advice(p.text) or not match.start())
                and falls_on(due.day, match["day"].lower())
                and jaccard(p.text, due.what.text) < RESTATED
            ):
                said = due.what._replace(now=False).cited()
                yield Link(f"{due.day} is a {weekday}: {said} meets {quote(p.text)} (playbook).", False)


def falls_on(day: date, name: str) -> bool:
    """Tell whether a day is the named weekday, or part of the weekend."""
    return day.weekday() >= 5 if name == "weekend" else day.weekday() == dates.WEEKDAYS[name]


def wishes_met(seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield what somebody wished for on an earlier day and now has a date ahead, the most alike of his wishes."""
    for due in deadlines(seen, today_of(seen)):
        wishes = [o for o in seen if o.day < due.what.day and is_wish_for(o, due.what)]
        if wishes:
            best = max(wishes, key=lambda o: jaccard(o.text, due.what.text))
            # Short, because the suggestion may be about the same date.
            yield Link(f"A wish and its date: {best.cited()}, and ahead {quote(due.what.text, 40)}.", due.what.now)


def is_wish_for(o: Observation, what: Observation) -> bool:
    """Tell whether an observation is a wish of the same person about the same thing, in other words."""
    akin = o.source != what.source and len(about(o.text) & about(what.text)) >= SUBJECT_SHARED
    return bool(
        akin and re.search(cues.WISH, o.text) and speaks_alike(o, what) and jaccard(o.text, what.text) < RESTATED
    )


def speaks_alike(a: Observation, b: Observation) -> bool:
    """Tell whether two observations can be one person's: in talk the playbook writes the name into the text."""
    if not b.speaker:
        return not a.speaker
    return a.speaker == b.speaker or a.text.startswith(f"{b.speaker}:")


def foreseen(changes: dict[str, Any], failed: Failed, seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield patterns added now that would have answered a failure of an earlier day.

    A pattern that restates the failure was mined from it and shows nothing new.
    """
    added = changes.get("added") if isinstance(changes, dict) else None
    today = max((o.day for o in seen), default="")
    for text in [t for t in added if isinstance(t, str)] if isinstance(added, list) else []:
        for o, trouble in failed:
            answers = (
                o.day < today and is_advice(text) and remedy(trouble, f"- {text}") and jaccard(text, o.text) < RESTATED
            )
            if answers and not is_settled(trouble, o, seen):
                yield Link(f"Learned now: {quote(text)}. It answers an earlier failure: {o.cited()}.", False)


def put_off(lines: Sequence[Pattern], seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield playbook items that were put off while their topic came up again."""
    for p in lines:
        for o in seen if p.deferred else ():
            common = set(stems(p.text)) & set(stems(o.text)) - cues.COMMON
            if o.day > (p.deferred or "") and len(common) >= LEAST_COMMON:
                yield Link(f"Put off on {p.deferred}: {quote(p.text)}, yet it is back: {o.cited()}.", o.now)


def explained(seen: Sequence[Observation]) -> Iterator[Link]:
    """Yield a rare term of two days where one observation gives a reason and the other a failure or a refusal."""
    if len(seen) < RARE_AMONG:
        return
    frequency = document_frequency(o.text for o in seen)
    reasons = [o for o in seen if re.search(cues.BECAUSE, o.text)]
    open_questions = [o for o in seen if reported(o) or any(denied(o.text))]
    for a in reasons:
        for b in open_questions:
            apart = a.day != b.day and a.source != b.source and jaccard(a.text, b.text) < RESTATED
            if apart and (term := shared_term(a, b, frequency)):
                yield Link(f"{term} links two things: {b.cited()}, and {a.cited()}.", a.now or b.now)


def shared_term(a: Observation, b: Observation, frequency: Counter[str]) -> str | None:
    """Return a rare name or code that both have, as the first writes it; units and everyday words are none."""
    common = subject(a) & subject(b)
    for match in WORD.finditer(a.text):
        word = match[0]
        roots = stems(word)
        is_term = (
            roots
            and re.search(r"[A-Z]" if match.start() else r".[A-Z]|\d", word)
            and word.lower() not in cues.UNITS
            and roots[0] not in cues.CALENDAR
        )
        if is_term and roots[0] in common and frequency[roots[0]] <= RARE_IN:
            return word
    return None
