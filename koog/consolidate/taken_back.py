"""What a newer line of one matter does to an older one: it takes its place, is at odds with it, or says it again. Pure.

Words for change and hearsay are those of compare.txt. Only what one line reports and another reports otherwise, or two
values of one thing that cannot both be, is at odds: that two lines of a talk are put otherwise is usual.
"""

from __future__ import annotations

from koog.consolidate.survey import Said
from koog.core.text.compare import CONTRADICTS, SUPERSEDES, compare
from koog.core.text.says import says
from koog.memory.store import correction

TAKES_BACK = frozenset(("moved", "wrong", "onward", "over"))
HEARSAY = "source"
ONLY_REPORTS = frozenset(("reports",))
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


def at_odds(older: Said, newer: Said) -> bool:
    """Return whether two lines cannot both hold, and nobody has taken one of them back."""
    a, b = says(older.text), says(newer.text)
    if older.label != newer.label or b.cues & TAKES_BACK or a.text == b.text:
        return False
    values = bool(a.numbers.keys() - b.numbers.keys()) and bool(b.numbers.keys() - a.numbers.keys())
    if values and a.kinds.get(MONTH) and a.kinds.get(MONTH) == b.kinds.get(MONTH):
        return True
    told = (HEARSAY in a.cues) + (HEARSAY in b.cues)
    if told == 2:
        return values or bool(b.cues & {"self"}) or compare(older.text, newer.text).kind == CONTRADICTS
    return told == 1 and compare(older.text, newer.text).kind == CONTRADICTS
