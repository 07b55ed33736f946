"""What became of a thing is told before what was said of it first.  [design §5, a correction outranks what it corrects]

    newest_first   the lines that answer → the same, before the first of them the newest on the same matter

A line that brings a thing up has most words of a question; what is told of the thing later takes it for known and has
few: "our translator is Aino, 0.14 euro a word", "Aino wrote, her rate is 0.16". Nobody knows that the later one
corrects anything, so the older is not called outdated; but where both give the kind of answer that is asked for, the
later one stands first. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

from koog.core.text.says import MAYBE, NAME, WORD, says
from koog.memory.answering import bearing, ranking
from koog.memory.answering.question import BEFORE, MANY, WHEN, WHERE, WHO
from koog.memory.answering.scoring import LEAST_LINES, Scored

FIRST = 3  # lines before which a newer one may stand
ONE_MATTER = 6.0  # of what two lines share: two words that one or two lines of a hundred have


def newest_first(found: Sequence[Scored], kinds: Collection[str] = ()) -> list[Scored]:
    """Return the lines, each newer one directly before the older on the same matter that answers better.

    found   the best first
    kinds   what the question asks for
    """
    if BEFORE in kinds:
        return list(found)
    ordered = list(found)
    matters = _Matters(found)
    for old in found[:FIRST]:
        if old.item.until or old.newer or not old.at:
            continue
        later = (each for each in found if not each.item.until and is_older(old, each))
        after = sorted((each for each in later if _gives_the_same(old, each, kinds)), key=_moment, reverse=True)
        new = next((each for each in after if matters.shared(old, each) >= ONE_MATTER), None)
        if new is None:
            continue
        ids = [each.item.id for each in ordered]
        at, was = ids.index(old.item.id), ids.index(new.item.id)
        if was > at:
            lifted = ordered.pop(was)
            ordered.insert(at, lifted._replace(relevance=max(lifted.relevance, old.relevance)))
    return ordered


def _moment(each: Scored) -> tuple[str, str]:
    return each.at, each.item.id


def is_older(old: Scored, new: Scored) -> bool:
    """Return whether a line may have been replaced by another: told before it there, and not kept beside it."""
    return old.at < new.at and old.item.label == new.item.label and not new.item.stands_beside(old.item)


def _gives_the_same(old: Scored, new: Scored, kinds: Collection[str]) -> bool:
    """Return whether two lines give what is asked for, where that shows: a day, a number, a name."""
    one, other = bearing.line(old.item.text), bearing.line(new.item.text)
    if WHEN in kinds:
        return one.has_day and other.has_day
    if MANY in kinds:
        return one.has_number and other.has_number
    if WHO in kinds or WHERE in kinds:
        return bool(one.names) and bool(other.names)
    return (one.has_day and other.has_day) or (one.has_number and other.has_number)


class _Matters:
    """What lines speak of: read when two of them are compared."""

    def __init__(self, found: Sequence[Scored]) -> None:
        self._found = found

    @cached_property
    def _having(self) -> Counter[str]:
        return Counter(word for each in self._found for word in _matter(each.item.text))

    def shared(self, old: Scored, new: Scored) -> float:
        """Return how much of their matter two lines have in common: the fewer lines have a word, the more it tells."""
        both, total = _matter(old.item.text) & _matter(new.item.text), max(len(self._found), LEAST_LINES)
        return sum(ranking.weight(total, self._having[word]) for word in both)


@lru_cache(maxsize=4096)
def _matter(text: str) -> frozenset[str]:
    """Return what a line speaks of: not its numbers, days and months, which are what may have changed."""
    found = says(text)
    return frozenset(w for w, mark in zip(found.words, found.marks, strict=True) if mark in (NAME, MAYBE, WORD))
