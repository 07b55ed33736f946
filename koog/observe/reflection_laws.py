"""The laws of a reflection, whichever engine asks for it.  [design §5]

1. A 🔴 line stands, or a 🔴 line that says all of it, or a newer 🔴 line on the same subject.
2. A 🟡 line goes only into another or for a newer one; a 🟢 line besides when it is a week old.
3. A line is rewritten shorter and from its own words; joined lines are never longer than they were apart.
4. An answer that would leave more, or under a fifth, is refused whole.

Ages are computed from each line's own date, so that no step ever compounds.  Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from koog.core import clock
from koog.core.text import negation
from koog.core.text.measures import content_words
from koog.core.text.statement import TRUSTS
from koog.observe import likeness
from koog.observe.observations import ALSO, HIGH, LOW, MEDIUM, Observation

LOW_DAYS = 7  # a 🟢 line older than this may go
MEDIUM_DAYS = 30  # a 🟡 line older than this may be compressed without being asked for
GROUNDED = 0.7  # share of a new text's content words that its lines must hold


def age_days(o: Observation, today: date) -> int | None:
    """Return how old an observation is by its own date, None without one: never by what an earlier run made of it."""
    day = clock.parse_day(o.day)
    return None if day is None else max(0, (today - day) // timedelta(days=1))


def expired(o: Observation, today: date) -> bool:
    """Return whether an observation is 🟢 and over a week old."""
    return o.mark == LOW and (age_days(o, today) or 0) > LOW_DAYS


def why_not_remove(old: Observation, by: Observation | None, *, today: date) -> str:
    """Return why a line stays, "" when it may go.

    by   the newer line that is to stand in its place, None without one
    """
    if expired(old, today) or (by and likeness.may_supersede(by, old) and home((old, by)) == 1):
        return ""
    if by:
        return "what is named as newer is not, weighs less, is trusted less, or speaks of something else"
    if old.mark == LOW:
        return f"a 🟢 line stays for {LOW_DAYS} days"
    return f"a {old.mark} line goes only for a newer one or into another"


def joined(asked: str, old: Sequence[Observation], *, today: date) -> tuple[Observation | None, str]:
    """Return one observation for several, or why there is none: the newest's, as important as any of them.

    asked   the engine's text; without one, or where the laws refuse it, the text that says most

    Of lines with different people behind them it is the most trusted's, in their own words.
    """
    newest = old[home(old)]
    own = [o for o in old if o.trust == newest.trust]
    newest = newest._replace(more=_heard_in(newest, old))
    fullest = max(own, key=lambda o: len(likeness.said(o.text))).text
    for text in [asked, fullest] if asked and len(own) == len(old) else [fullest]:
        merged = newest._replace(
            text=text,
            importance=max(o.importance for o in old),
            confidence=max(o.confidence for o in old),
        )
        why = _unlike(text, old, today)
        if not why:
            return merged, ""
    return None, why


def home(old: Sequence[Observation]) -> int:
    """Return which of several lines stays when they are joined: of the most trusted the newest."""
    return max(range(len(old)), key=lambda i: (-TRUSTS.index(old[i].trust), old[i].day, old[i].time, i))


def _heard_in(newest: Observation, old: Sequence[Observation]) -> tuple[tuple[str, str], ...]:
    """Return the other values of a joined line's comment: where its lines were heard is among them."""
    told = [source for o in old for source in (o.source, *dict(o.more).get(ALSO, "").split(";"))]
    others = [source for source in dict.fromkeys(told) if source and source != newest.source]
    rest = tuple(pair for pair in newest.more if pair[0] != ALSO)
    return (*rest, (ALSO, ";".join(others))) if others else rest


def _unlike(text: str, old: Sequence[Observation], today: date) -> str:
    """Return what keeps a text from standing for several lines, "" when nothing does."""
    if any(o.mark == HIGH and not likeness.holds(text, o.text) for o in old):
        return "the joined line would not say all of a 🔴 line"
    if not _grounded(text, old):
        return "the joined line says what none of its lines says"
    if any(_loses_facts(text, o, today) for o in old):
        return "a number, a name or a not would be lost"
    if len(text.split()) > sum(len(o.text.split()) for o in old):
        return "the joined line would be longer than its lines"
    if not all(content_words(o.text) & content_words(text) or o.text == text for o in old):
        return "a line would be lost without a word"
    return ""


def rewritten(text: str, old: Observation, *, today: date) -> tuple[Observation | None, str]:
    """Return an observation in fewer of its words, or why there is none."""
    if not text or len(text.split()) >= len(old.text.split()):
        return None, "not shorter"
    if old.mark == HIGH and not likeness.holds(text, old.text):
        return None, "a 🔴 line keeps its words"
    if not _grounded(text, [old]) or not content_words(text):
        return None, "says what the line does not say"
    if _loses_facts(text, old, today):
        return None, "a number, a name or a not would be lost"
    return old._replace(text=text), ""


def _grounded(text: str, old: Sequence[Observation]) -> bool:
    """Return whether a text is made of its lines: no number or name of its own, no turn, hardly another word.

    What it begins with has a capital in any case and may be a name: that word must be one of theirs.
    """
    known = frozenset().union(*(likeness.said(o.text) for o in old))
    words = content_words(text)
    heard = frozenset().union(*(content_words(o.text) for o in old))
    own = likeness.facts(text) | set(likeness.said(text)[:1])
    return own <= known and len(words & heard) >= GROUNDED * len(words)


def _loses_facts(text: str, old: Observation, today: date) -> bool:
    """Return whether a line would lose a "not", or a 🟡 line that is not old yet a number, a name or a day.

    Its own beginning alone is no loss: a "not" behind it speaks of what was left out.
    """
    facts, left = likeness.facts(old.text), frozenset(likeness.said(text))
    if facts & negation.WORDS - left and not old.text.startswith(text):
        return True
    young = old.mark == MEDIUM and (age_days(old, today) or 0) <= MEDIUM_DAYS
    return young and not facts - likeness.TURNS <= left
