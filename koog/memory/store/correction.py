"""Does a line take back what another one says: "not Altona any more", "moved to May 12, won't be April 14". Pure.

Beside compare.supersedes, which is for two lines of one sentence each: who corrects something often says what no longer
holds, and what happened besides. The sign is a value, a name or a figure, that the older line has and the newer denies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from koog.core.lazy_regex import compiled
from koog.core.text.says import Says, says
from koog.memory.store import gate

T = TypeVar("T")
CHANGES = frozenset(("moved", "wrong", "now", "over", "onward"))
LEAST = 1.0
WRONG = "wrong"
PREFIX = 5  # letters that "postgres" and "PostgreSQL" share
FIGURE = "#"  # how a figure begins among a line's words
VALUE = r"#|<[a-z_]+\d+>\Z"  # a figure, a member of a kind
OF_NAME, OF_FIGURE, OF_WORD = 0.75, 0.5, 0.4  # what a denied value counts: a name, a figure or day, any other word
OF_CHANGE = 0.3  # what it counts that a change is spoken of
COMMON = 0.25  # what an idea counts that both lines have, a name twice that


def may_correct(text: str) -> bool:
    """Return whether a line denies a value and speaks of a change: only then is it worth looking for what it corrects.

    >>> may_correct("Standup is at 10:15 from Monday, no more 9:30"), may_correct("Standup is at 9:30")
    (True, False)
    """
    found = says(text)
    return bool(found.cues & CHANGES) and bool(_denied(found))


def takes_back(older: str, newer: str, held_by: Mapping[str, int] | None = None) -> float:
    """Return how surely a newer line takes back what an older one says; from LEAST on it does.

    held_by   value → how many of the older lines have it: what many have tells little about one of them

    >>> takes_back("We live in Altona, third floor", "We've moved! Not Altona any more, but Lübeck") >= LEAST
    True
    >>> takes_back("Server 1 has 16 GB", "Server 2 does not have 16 GB") >= LEAST
    False
    >>> takes_back("Martin looks in on Fridays", "Scratch the long wait. Still no rollouts on Fridays!") >= LEAST
    False
    """
    a, b = says(older), says(newer)
    denied = _denied(b) & _held(a)
    is_change = bool(b.cues & CHANGES)
    if not denied or not is_change:
        return 0.0
    said = (b.ideas | b.names | b.maybe) - denied
    shared = {one for one in (a.ideas | a.names | a.maybe) - denied if any(_alike(one, two) for two in said)}
    named = {one for one in shared if one in a.names | a.maybe}
    is_name = bool(denied & (a.names | a.maybe))
    if not shared and not is_name:
        return 0.0  # a day, a figure or a common word alone is no matter that both are about
    if not (is_name or named or len(shared) > 1 or any(value.startswith(FIGURE) for value in denied)):
        return 0.0  # "still not on Fridays" takes nothing else back that is on Fridays
    own = sum(_counts(value, a) / (held_by or {}).get(value, 1) for value in denied)
    return own + COMMON * (len(shared) + len(named)) + OF_CHANGE


def best(newer: str, older: Iterable[tuple[T, str]]) -> T | None:
    """Return which of some older lines a newer one takes back most surely, the last one of equals; None for none.

    Only those that the gate lets through.
    """
    found = list(older)
    denied = _denied(says(newer))
    held_by = Counter(value for _, text in found for value in _held(says(text)) & denied)
    rated = ((takes_back(text, newer, held_by), at) for at, (_, text) in enumerate(found))
    likely = sorted((each for each in rated if each[0] >= LEAST), reverse=True)
    return next((found[at][0] for _, at in likely if gate.opens(found[at][1], newer)), None)


def held(text: str) -> frozenset[str]:
    """Return what a line says: its words, figures and names, without what it denies."""
    return _held(says(text))


def denied(text: str) -> frozenset[str]:
    """Return the values that a line denies.

    >>> sorted(denied("No more 23 for me, I take the bike"))
    ['#23']
    """
    return _denied(says(text))


def _held(found: Says) -> frozenset[str]:
    return (frozenset(found.words) | found.names | found.maybe) - found.denied


def _denied(found: Says) -> frozenset[str]:
    """Return the values that a line denies: figures, members of a kind ("Tuesday"), and names."""
    is_wrong = WRONG in found.cues  # then it is a value, whatever it is: "NOT peanuts"
    values = (w for w in found.denied if is_wrong or compiled(VALUE).match(w) or w in found.names | found.maybe)
    return frozenset(word for word in values if len(word) > 1 and "'" not in word)


def _counts(value: str, held: Says) -> float:
    """Return what it counts that an older line has a value that the newer denies."""
    if value.startswith(FIGURE):
        return OF_FIGURE
    return OF_NAME if value in held.names | held.maybe or compiled(VALUE).match(value) else OF_WORD


def _alike(one: str, two: str) -> bool:
    if one == two:
        return True
    return not one.startswith((FIGURE, "<")) and min(len(one), len(two)) >= PREFIX and one[:PREFIX] == two[:PREFIX]
