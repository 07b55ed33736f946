"""The laws of a reflection, whichever engine asks for it.  [design §5]

1. A 🔴 line stands, or a line that says it, or what corrects it: a newer line on the same subject, whatever it weighs.
2. A 🟡 line goes only into another or for a newer one; a 🟢 line besides when it is a week old.
3. Joined lines lose no number, name, day or "not": the line that says most stays as it is, where an engine's words do.
4. A line is rewritten shorter and from its own words.
5. An answer that would leave more, or under a fifth, is refused whole.
6. Over the limit, 🟡 and 🟢 lines yield when they are a week old: whole ones, what weighs least first.

What harms is stopped, by what the lines say (core/text/compare.py): words of one's own, another language and a shorter
line are no harm. Ages are computed from each line's own date, so that no step ever compounds.  Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from koog.core import clock
from koog.core.text import compare
from koog.core.text.compare import Relation
from koog.core.text.measures import content_words
from koog.core.text.pairs import ALIKE, seen
from koog.core.text.says import Says, says
from koog.core.text.statement import TRUSTS
from koog.observe.observations import AGAINST, ALSO, HIGH, LOW, Observation

LOW_DAYS = 7  # a 🟢 line older than this may go
GROUNDED = 0.7  # share of a new text's content words that its lines must hold
APART = "the two speak of different things"
# How sure it must be that two lines speak of two things before an engine's word for it is not taken: to join them,
# where no number, name or "not" is lost, and to take one for the other.
SURE_TO_JOIN, SURE_TO_REPLACE = 0.8, 0.6


def age_days(o: Observation, today: date) -> int | None:
    """Return how old an observation is by its own date, None without one: never by what an earlier run made of it."""
    day = clock.parse_day(o.day)
    return None if day is None else max(0, (today - day) // timedelta(days=1))


def expired(o: Observation, today: date) -> bool:
    """Return whether an observation is 🟢 and over a week old."""
    return o.mark == LOW and yields(o, today)


def yields(o: Observation, today: date) -> bool:
    """Return whether a line may go when there is no room: it is not 🔴, and not of this week."""
    return o.mark != HIGH and (age_days(o, today) or 0) > LOW_DAYS


def older(a: Observation, b: Observation) -> bool:
    """Return whether the first was observed before the second: no where a day, or of one day a time, is not known."""
    if a.day != b.day:
        return "" < a.day < b.day
    return "" < a.time < b.time


def relation(old: Observation, new: Observation) -> Relation:
    """Return what a newer observation is to an older one."""
    return compare.compare(old.text, new.text, same_voice=old.trust == new.trust)


def why_not_remove(old: Observation, by: Observation | None, *, today: date) -> str:
    """Return why a line stays, "" when it may go.

    by   the newer line that is to stand in its place, None without one
    """
    if expired(old, today):
        return ""
    if by is None:
        if old.mark == LOW:
            return f"a 🟢 line stays for {LOW_DAYS} days"
        return f"a {old.mark} line goes only for a newer one or into another"
    if not older(old, by):
        return "what is named as newer is not"
    if home((old, by)) != 1:
        return "what is named as newer is trusted less"
    between = seen(says(old.text), says(by.text))
    if between.subject_differs:
        return f"{APART}: another subject"
    is_new_value = between.shared and (between.numbers or between.names or between.kinds)
    return "" if is_new_value else _apart(old, by, sure=SURE_TO_REPLACE)


def _apart(old: Observation, new: Observation, *, sure: float) -> str:
    """Return why two lines surely speak of two things, "" when they may be about one."""
    found = relation(old, new)
    is_apart = found.kind in (compare.DISTINCT, compare.UNRELATED) and found.sure >= sure
    return f"{APART}: {found.reason}" if is_apart else ""


def joined(asked: str, old: Sequence[Observation]) -> tuple[Observation | None, list[str]]:
    """Return one observation for several, or None; and of each of them why it is not in it, "" where it is.

    asked   the engine's text; without one, or where it would lose something, the line that says most stays whole

    It is the newest's of the most trusted, in their own words, and as important as any of them.
    """
    trust = old[home(old)].trust
    own = [o for o in old if o.trust == trust]
    tried = [([_unlike(best, o) for o in old], best) for best in own]
    refused, best = min(tried, key=lambda each: (sum(map(bool, each[0])), -len(each[1].text)))
    parts = [o for o, why in zip(old, refused, strict=True) if not why]
    if len(parts) == 1:
        return None, [why or "no line says the same" for why in refused]
    newest, text = parts[home(parts)], best.text
    if asked and len({o.trust for o in parts}) == 1 and _is_grounded(asked, parts):
        is_whole = not any(lost(asked, o.text) for o in parts)
        text = asked if is_whole and len(asked.split()) <= sum(len(o.text.split()) for o in parts) else text
    importance, confidence = max(o.importance for o in parts), max(o.confidence for o in parts)
    more = _heard_in(newest, parts)
    return newest._replace(text=text, importance=importance, confidence=confidence, more=more), refused


def home(old: Sequence[Observation]) -> int:
    """Return which of several lines stays when they are joined: of the most trusted the newest."""
    return max(range(len(old)), key=lambda i: (-TRUSTS.index(old[i].trust), old[i].day, old[i].time, i))


def linked(o: Observation, other: Observation) -> Observation:
    """Return an observation that names another as one that cannot be true beside it."""
    told = dict(o.more).get(AGAINST, "").split(";")
    where = other.source or f"{other.day}T{other.time}"
    return _with(o, AGAINST, [*told, where])


def _heard_in(newest: Observation, old: Sequence[Observation]) -> tuple[tuple[str, str], ...]:
    """Return the other values of a joined line's comment: where its lines were heard is among them."""
    told = [source for o in old for source in (o.source, *dict(o.more).get(ALSO, "").split(";"))]
    return _with(newest, ALSO, [source for source in told if source != newest.source]).more


def _with(o: Observation, name: str, places: Sequence[str]) -> Observation:
    told = ";".join(filter(None, dict.fromkeys(places)))
    rest = tuple(pair for pair in o.more if pair[0] != name)
    return o._replace(more=(*rest, (name, told))) if told else o


def _unlike(best: Observation, o: Observation) -> str:
    """Return why a line cannot stand for another that says no more, "" where it can."""
    if best.text == o.text:
        return ""
    if why := lost(best.text, o.text):
        return why
    old, new = (o, best) if older(o, best) else (best, o)
    a, b = says(old.text), says(new.text)
    between = seen(a, b)
    if between.denied and between.frame >= ALIKE:
        return f"{APART}: one denies it"
    if between.subject_differs or not between.shared:
        return f"{APART}: another subject"
    return "" if holds(best.text, o.text) else _apart(old, new, sure=SURE_TO_JOIN)


def rewritten(text: str, old: Observation) -> tuple[Observation | None, str]:
    """Return an observation in fewer of its words, or why there is none."""
    if not text or len(text.split()) >= len(old.text.split()):
        return None, "not shorter"
    if old.mark == HIGH:
        return None, "a 🔴 line keeps its words"
    if not _is_grounded(text, [old]) or not content_words(text):
        return None, "says what the line does not say"
    if why := lost(text, old.text):
        return None, why
    return old._replace(text=text), ""


def holds(text: str, line: str) -> bool:
    """Return whether a text says all of a line: each of its words in their order, and as much of a "not".

    >>> holds("Deploys go out on Tuesdays at noon", "Deploys go out on Tuesdays"), holds("Tabs not spaces", "Tabs")
    (True, False)
    """
    new, old = says(text), says(line)
    words = iter(new.words)
    is_whole = bool(old.words) and all(word in words for word in old.words)
    return is_whole and new.denials == old.denials and not lost(text, line)


def lost(text: str, line: str) -> str:
    """Return what of a line a text does not say that may not be lost: a number, a name, a day, a "not"; "" for nothing.

    >>> lost("Staging is up", "Staging is not up"), lost("Ewa is away in May", "Ewa is away")
    ('a not would be lost', '')
    """
    new, old, low = says(text), says(line), text.casefold()
    gone = sorted(_figures(old) - _figures(new)) + [n for n in old.names if n.partition("'")[0] not in low]
    if gone:
        return f"{gone[0]} would be lost"
    return "a not would be lost" if old.denials and not new.denials else ""


def _figures(said: Says) -> frozenset[str]:
    """Return the numbers of a line and its days, however they are written: "2 May 2026" as 2026-05-02."""
    parts = [part for number in said.numbers for part in number.removesuffix(":00").split("-")]
    months = [str(int(month.removeprefix("month")) + 1) for month in said.kinds.get("month", ())]
    return frozenset([part.lstrip("0") for part in parts] + months) | said.kinds.get("weekday", frozenset())


def _is_grounded(text: str, old: Sequence[Observation]) -> bool:
    """Return whether a text is made of its lines: no number or name of its own, no "not", hardly another word.

    What it begins with has a capital in any case and may be a name: that word must be one of theirs.
    """
    new, theirs = says(text), [says(o.text) for o in old]
    low = " ".join(o.text for o in old).casefold()
    words, heard = content_words(text), frozenset[str]().union(*(content_words(o.text) for o in old))
    known = frozenset[str]().union(*(each.numbers.keys() for each in theirs))
    has_not = not new.denials or any(each.denials for each in theirs)
    is_known = new.numbers.keys() <= known and all(n.partition("'")[0] in low for n in new.names | new.maybe)
    return is_known and has_not and len(words & heard) >= GROUNDED * len(words)
