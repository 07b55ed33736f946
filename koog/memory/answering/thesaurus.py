"""The things that words stand for, by thesaurus.txt: "cabinet" and "Schrank" are one, and a question may have either.

    things   a word → the numbers of what it may stand for
    within   a text without blanks → the same for all that is found in it

Beside compare.txt, whose words are one idea where lines are compared: here two words are only alike.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from koog.core import shipped
from koog.core.text.measures import stem

WIDE = "\u3040"  # from here on, words are written without blanks
LONGEST_ENDING = 5  # letters that "*" stands for; behind a short beginning fewer


class Table(NamedTuple):
    """The words of thesaurus.txt: whole ones, how others begin, those of a wide script; each with its rows' numbers."""

    whole: dict[str, frozenset[int]]
    begun: dict[str, frozenset[int]]
    wide: dict[str, frozenset[int]]


@lru_cache(maxsize=16384)
def things(word: str) -> frozenset[int]:
    """Return what a lower-case word may stand for.

    >>> bool(things("cabinet") & things("schrank")), bool(things("cabinet") & things("invoice"))
    (True, False)
    """
    table = _table()
    if word[:1] >= WIDE:
        return within(word)
    found = table.whole.get(word, frozenset()) | table.whole.get(stem(word), frozenset())
    for end in range(len(word), 2, -1):
        if len(word) - end <= min(LONGEST_ENDING, end - 1):
            found |= table.begun.get(word[:end], frozenset())
    return found


def within(text: str) -> frozenset[int]:
    """Return what the words of a wide script in a text may stand for."""
    return frozenset(row for word, rows in _table().wide.items() if word in text for row in rows)


@cache
def _table() -> Table:
    found = (defaultdict[str, set[int]](set), defaultdict[str, set[int]](set), defaultdict[str, set[int]](set))
    for number, row in enumerate(shipped.text(shipped.PACKAGE / "memory/answering/thesaurus.txt").splitlines()):
        for word in row.split() if not row.startswith("#") else ():
            if word[0] >= WIDE:
                found[2][word].add(number)
            elif word.endswith("*"):
                found[1][word[:-1]].add(number)
            else:
                found[0][word].add(number)
    return Table(*({word: frozenset(rows) for word, rows in each.items()} for each in found))
