"""Does a line take back what another one says: "not Altona any more", "moved to May 12, won't be April 14". Pure.

Beside compare.supersedes, which is for two lines of one sentence each: who corrects something often says what no longer
holds, and what happened besides. The sign is a value, a name or a figure, that the older line has and the newer denies.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from koog.core.text.says import Says, says

T = TypeVar("T")
CHANGES = frozenset(("moved", "wrong", "now", "over", "onward"))
LEAST = 1.0
PREFIX = 5  # letters that "postgres" and "PostgreSQL" share
FIGURE = "#"  # how a figure begins among a line's words
OF_NAME, OF_FIGURE, OF_CHANGE = 0.75, 0.5, 0.3  # what a denied value counts, and that a change is spoken of
COMMON = 0.25  # what an idea counts that both lines have, a name twice that


def may_correct(text: str) -> bool:
    """Return whether a line denies a value and speaks of a change: only then is it worth looking for what it corrects.

    >>> may_correct("Standup is at 10:15 from Monday, no more 9:30"), may_correct("Standup is at 9:30")
    (True, False)
    """
    found = says(text)
    return bool(found.cues & CHANGES) and bool(_denied(found))


def takes_back(older: str, newer: str) -> float:
    """Return how surely a newer line takes back what an older one says; from LEAST on it does.

    >>> takes_back("We live in Altona, third floor", "We've moved! Not Altona any more, but Lübeck") >= LEAST
    True
    >>> takes_back("Server 1 has 16 GB", "Server 2 does not have 16 GB") >= LEAST
    False
    """
    a, b = says(older), says(newer)
    held = (frozenset(a.words) | a.names | a.maybe) - a.denied
    denied = _denied(b) & held
    if not denied:
        return 0.0
    others = (a.ideas | a.names | a.maybe) - denied
    said = (b.ideas | b.names | b.maybe) - denied
    shared = {one for one in others if any(_alike(one, two) for two in said)}
    named = (a.names | a.maybe) & (b.names | b.maybe) - denied
    figures = {word for word in denied if word.startswith(FIGURE)}
    own = OF_NAME * len(denied - figures) + OF_FIGURE * len(figures)
    return own + COMMON * (len(shared) + len(named)) + OF_CHANGE * bool(b.cues & CHANGES)


def best(newer: str, older: Iterable[tuple[T, str]]) -> T | None:
    """Return which of some older lines a newer one takes back most surely; None for none."""
    rated = [(score, -n, each) for n, (each, text) in enumerate(older) if (score := takes_back(text, newer)) >= LEAST]
    return max(rated, key=lambda row: row[:2])[2] if rated else None


def _denied(found: Says) -> frozenset[str]:
    """Return the values that a line denies: figures, members of a kind, and names."""
    values = (word for word in found.denied if word.startswith((FIGURE, "<")) or word in found.names | found.maybe)
    return frozenset(word for word in values if len(word) > 1 and "'" not in word)


def _alike(one: str, two: str) -> bool:
    if one == two:
        return True
    return not one.startswith((FIGURE, "<")) and min(len(one), len(two)) >= PREFIX and one[:PREFIX] == two[:PREFIX]
