"""The things that words stand for, by thesaurus.txt: "cabinet" and "Schrank" are one, and a question may have either.

    things   a word → the numbers of what it may stand for
    within   a text without blanks → the same for all that is found in it
    kinds    which of these are kinds of things, with what is of them
    words    the numbers → the words of alphabets that stand for them

Beside compare.txt, whose words are one idea where lines are compared: here two words are only alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from koog.core import shipped
from koog.core.named import NamedTuple
from koog.core.text.measures import stem

WIDE = "\u3040"  # from here on, words are written without blanks
KINDS = "# a kind"  # how the headings of such rows begin
LONGEST_ENDING = 5  # letters that "*" stands for; behind a short beginning fewer


class Table(NamedTuple):
    """The words of thesaurus.txt: whole ones, how others begin, those of a wide script; each with its rows' numbers.

    kinds   the rows of kinds, each with its words of alphabets
    """

    whole: Mapping[str, Sequence[int]]
    begun: Mapping[str, Sequence[int]]
    wide: Mapping[str, Sequence[int]]
    kinds: Mapping[int, Sequence[str]]


@lru_cache(maxsize=16384)
def things(word: str) -> frozenset[int]:
    """Return what a lower-case word may stand for.

    >>> bool(things("cabinet") & things("schrank")), bool(things("cabinet") & things("invoice"))
    (True, False)
    """
    table = _table()
    if word[:1] >= WIDE:
        return within(word)
    found = {*table.whole.get(word, ()), *table.whole.get(stem(word), ())}
    for end in range(len(word), 2, -1):
        if len(word) - end <= min(LONGEST_ENDING, end - 1):
            found.update(table.begun.get(word[:end], ()))
    return frozenset(found)


def within(text: str) -> frozenset[int]:
    """Return what the words of a wide script in a text may stand for."""
    return frozenset(row for word, rows in _table().wide.items() if word in text for row in rows)


def kinds() -> Collection[int]:
    """Return the numbers of kinds of things."""
    return _table().kinds.keys()


def words(rows: Iterable[int]) -> list[str]:
    """Return the words of alphabets that stand for some kinds, each once; of others how they begin.

    >>> {"saxophone", "guitar"} <= set(words(things("guitar") & kinds()))
    True
    """
    return list(dict.fromkeys(word for row in sorted(rows) for word in _table().kinds[row]))


@cache
def _table() -> Table:
    whole, begun, wide = (defaultdict[str, list[int]](list) for _ in range(3))
    kinds, is_kind = dict[int, list[str]](), False
    for number, row in enumerate(shipped.text(shipped.PACKAGE / "memory/answering/thesaurus.txt").splitlines()):
        if row.startswith("#"):
            is_kind = row.startswith(KINDS)
        elif is_kind and row:
            kinds[number] = [word.removesuffix("*") for word in row.split() if word[0] < WIDE]
        for word in row.split() if not row.startswith("#") else ():
            if word[0] >= WIDE:
                wide[word].append(number)
            elif word.endswith("*"):
                begun[word[:-1]].append(number)
            else:
                whole[word].append(number)
    return Table(whole, begun, wide, kinds)
