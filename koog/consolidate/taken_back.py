"""What a newer line of one matter does to an older one: it takes its place, is at odds with it, or says it again. Pure.

Words for change and hearsay are those of compare.txt. Only what one line reports and another reports otherwise, or two
values of one thing that cannot both be, is at odds: that two lines of a talk are put otherwise is usual.
"""

from __future__ import annotations

from collections.abc import Set

from koog.consolidate.survey import Said
from koog.core.text.compare import CONTRADICTS, SUPERSEDES, compare
from koog.core.text.pairs import seen
from koog.core.text.says import says
from koog.memory.store import correction

TAKES_BACK = frozenset(("moved", "wrong", "onward", "over"))
ENDS = TAKES_BACK | {"sold"}
COMMON = 2  # things that are no names, which two lines share that cannot both hold
HEARSAY = "source"
MONTH = "month"


def supersedes(older: Said, newer: Said) -> bool:
    """Return whether a newer line takes an older one's place."""
    if newer.day < older.day or older.label != newer.label:
        return False
    if compare(older.text, newer.text).kind == SUPERSEDES:
        return True
    return tells_change(newer.text) and correction.takes_back(older.text, newer.text) >= correction.LEAST


def tells_change(text: str) -> bool:
    """Return whether a line says of itself that something is otherwise now."""
    return bool(says(text).cues & (TAKES_BACK | correction.CHANGES))


def ends(older: Said, newer: Said, shared: Set[str]) -> bool:
    """Return whether a newer line says of something that it is over, or otherwise now, which an older one speaks of.

    shared   what both have and few others
    """
    found = says(newer.text)
    told = frozenset[str]().union(*(found.told.get(cue, frozenset()) for cue in ENDS & found.cues))
    return older.day < newer.day and older.label == newer.label and bool(told & shared)


def at_odds(older: Said, newer: Said) -> bool:
    """Return whether two lines cannot both hold, and nobody has taken one of them back."""
    a, b = says(older.text), says(newer.text)
    if older.label != newer.label or older.day >= newer.day or b.cues & TAKES_BACK or a.words == b.words:
        return False
    values = bool(a.numbers.keys() - b.numbers.keys()) and bool(b.numbers.keys() - a.numbers.keys())
    named = (a.names | a.maybe) & (b.names | b.maybe)
    things = len((a.ideas & b.ideas) - a.names - b.names - named)
    if values and a.kinds.get(MONTH) and a.kinds.get(MONTH) == b.kinds.get(MONTH):
        return bool(named) or things >= COMMON
    told = (HEARSAY in a.cues) + (HEARSAY in b.cues)
    is_apart = bool(told) and bool(seen(a, b).apart)
    if told == 2:
        return (values or is_apart) and (bool(named) or things > COMMON)
    return is_apart and things >= COMMON and compare(older.text, newer.text).kind == CONTRADICTS
