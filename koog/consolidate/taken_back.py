"""What a newer line of one matter does to an older one: it takes its place, is at odds with it, or says it again. Pure.

Words for change and hearsay are those of compare.txt. Only what one line reports and another reports otherwise, or two
values of one thing that cannot both be, is at odds: that two lines of a talk are put otherwise is usual.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from koog.consolidate import hearsay, telling, things, two_things, values
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.text import negation
from koog.core.text.compare import SUPERSEDES, compare
from koog.core.text.pairs import seen
from koog.core.text.says import is_of_source, says
from koog.memory.store import correction, gate

TAKES_BACK = frozenset(("moved", "wrong", "onward", "over"))
LEFT = ("moved", "sold")  # what ends other things besides: the newer line has to be about the same
PART = 0.3  # of the older line's ideas: so much of it is what the newer says is otherwise
COMMON = 2  # things that are no names, which two lines share that cannot both hold
OTHERS = ("another number", "another name")  # as pairs.py calls it: of whatever, so that it may be another thing
WRONG = "wrong"
CLAUSE = r"[.!?;:,。！？；：，、—–]"
STILL = r"(?i)\b(?:still|immer noch|todavía|aún|toujours)\b|还是|まだ"  # it is where it was, all the same


def supersedes(older: Said, newer: Said) -> bool:
    """Return whether a newer line takes an older one's place."""
    if newer.day < older.day or older.label != newer.label:
        return False
    is_replaced = compare(older.text, newer.text).kind == SUPERSEDES
    if not is_replaced and tells_change(newer.text):
        is_replaced = correction.takes_back(older.text, newer.text) >= correction.LEAST
    return is_replaced and gate.opens(older.text, newer.text)


def tells_change(text: str) -> bool:
    """Return whether a line says of itself that something is otherwise now."""
    return bool(says(text).cues & (TAKES_BACK | correction.CHANGES))


def leaves(older: Said, newer: Said, shared: Set[str]) -> bool:
    """Return whether a newer line says of something that it is elsewhere now, or gone, which an older one speaks of.

    What is over is for endings.py.

    shared   what both have and few others
    """
    if older.day >= newer.day or older.label != newer.label:
        return False
    a, b = says(older.text), says(newer.text)
    if a.words == b.words:
        return False
    told = frozenset[str]().union(*(b.told.get(cue, frozenset()) for cue in LEFT)) & shared
    is_much = len(told) > 1 and (bool(told & (b.names | b.maybe)) or len(told) >= PART * len(a.ideas))
    return is_much and things.is_named(_moved(newer.text) & told) and gate.opens(older.text, newer.text)


@lru_cache(maxsize=4096)
def _moved(text: str) -> frozenset[str]:
    """Return by what the things are called of which a line says that they are elsewhere now, or gone."""
    found = frozenset[str]()
    for clause in compiled(CLAUSE).split(text):
        for cue in LEFT:
            at = things.place(clause, cue)
            if at and not negation.is_denied(clause) and not compiled(STILL).search(clause):
                thing = things.object_of(clause, at) or things.named(clause[: at.start])
                found |= thing.own
    return found


def corrects(older: Said, newer: Said) -> bool:
    """Return whether who has said the one says it otherwise now: he was wrong, or has another value of it."""
    a, b = says(older.text), says(newer.text)
    if older.label != newer.label or older.day >= newer.day or a.words == b.words or not hearsay.is_told(a):
        return False
    is_other = WRONG in b.cues or hearsay.apart(a, b)
    is_right_now = is_other and hearsay.is_same(a, b) and len(hearsay.things(a) & hearsay.things(b)) >= COMMON
    return is_right_now and gate.opens(older.text, newer.text)


def at_odds(older: Said, newer: Said) -> bool:
    """Return whether two lines cannot both hold, and nobody has taken one of them back."""
    a, b = says(older.text), says(newer.text)
    if older.label != newer.label or older.day >= newer.day or b.cues & TAKES_BACK or a.words == b.words:
        return False
    if hearsay.is_same(a, b):
        return False
    is_date = any(one.kind in values.DATES for one, _ in values.apart(older.text, newer.text))
    if two_things.are_two(older.text, newer.text, is_date=is_date):
        return False
    if hearsay.differs(a, b):
        return bool(telling.claims(older.text)) or not telling.claims(newer.text)
    named = (a.names | a.maybe) & (b.names | b.maybe)
    things = sum(
        not is_of_source(each) and hearsay.tells(each) for each in (a.ideas & b.ideas) - a.names - b.names - named
    )
    is_told = all(map(telling.is_said, (older.text, newer.text)))
    is_apart = seen(a, b).apart
    return is_told and things >= COMMON and bool(is_apart) and (is_apart not in OTHERS or hearsay.apart(a, b))
