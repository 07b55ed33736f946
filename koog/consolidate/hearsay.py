"""What one source says and another says otherwise: two years of one boat, two days of one wedding. Pure.

The values have to be of one shape: a moment of a day, a year, a count of one thing. What the same source says at two
times is no contradiction: it has seen something new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.text.says import Says, is_of_source, says

SOURCE = "source"
BOTH = 2
YEAR = r"(?:1[89]|20)\d\d"
WORD = r"[^\W_]+"
MOST = 2000  # lines of hearsay, the newest, that are compared with each other


def pairs(lines: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield every two lines that tell what somebody says; one label each."""
    told = [each for each in sorted(lines, key=lambda s: (s.day, s.id)) if SOURCE in says(each.text).cues]
    yield from ((a, b) for a, b in combinations(told[-MOST:], 2) if a.label == b.label)


def differs(older: Says, newer: Says) -> bool:
    """Return whether two sources give another value each of one thing."""
    shared = (older.ideas | older.names | older.maybe) & (newer.ideas | newer.names | newer.maybe)
    things = {idea for idea in shared if not is_of_source(idea)}
    return bool(things) and apart(older, newer) and not sources(older.text) & sources(newer.text)


def apart(older: Says, newer: Says) -> bool:
    """Return whether each has a value of a shape that the other has another one of."""
    left, right = (older.numbers.keys() - newer.numbers.keys(), newer.numbers.keys() - older.numbers.keys())
    return any(_comparable(older, one, newer, two) for one in left for two in right)


def _comparable(older: Says, one: str, newer: Says, two: str) -> bool:
    if _shape(one) != _shape(two):
        return False
    a, b = older.numbers[one], newer.numbers[two]
    return _shape(one) != "count" or not a or not b or bool(a & b)


def _shape(number: str) -> str:
    return "time" if ":" in number else "year" if compiled(YEAR).fullmatch(number) else "count"


def sources(text: str) -> frozenset[str]:
    """Return the words before the words for saying: "noor says" has noor.

    >>> sorted(sources("Noor says the shoulder is fine"))
    ['noor']
    """
    words = compiled(WORD).findall(text.casefold())
    return frozenset(before for before, word in pairwise(words) if is_of_source(word))
