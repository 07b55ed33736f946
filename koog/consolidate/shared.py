"""What two lines share, and how much it tells: a word that few lines have tells more than one that many have. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import fsum, log

from koog.consolidate import hearsay, matters, value_words
from koog.consolidate.survey import Said
from koog.core.named import NamedTuple
from koog.core.text.compare import common
from koog.core.text.says import is_of_paper, says
from koog.sessions.labels import Label

TWO = 2  # lines that have the word: these, and no other
MANY = 200  # lines of a memory in which a word of two lines tells as much as one can
TIMES = (
    "<month",
    "<day>",
    "<week>",
    "<year>",
    "<minute>",
    "<hour>",
    "<rhythm",
    "<letter>",
    "<call>",
    "<email>",
    "<message>",
)


class Counts(NamedTuple):
    """In how many texts of a label each word stands, and how many texts a label has."""

    words: Counter[tuple[Label, str]]
    texts: Counter[Label]

    def weight(self, label: Label, word: str) -> float:
        """Return how much it tells that two lines share a word: 1 where it stands in these two and in no other.

        In a memory of few lines less: there each word is of few.
        """
        size = max(self.texts[label], matters.USUAL)
        most = log(max(size, MANY) / TWO)
        return log(size / max(self.words[label, word], TWO)) / most * common().get(word, 1.0)


def counted(lines: Iterable[Said]) -> Counts:
    """Return in how many texts of a label each word stands."""
    once = {(each.label, each.text): each for each in lines}
    words = Counter(word for each in once.values() for word in words_of(each))
    return Counts(words, Counter(label for label, _ in once))


def words_of(each: Said) -> set[tuple[Label, str]]:
    said = says(each.text)
    return {(each.label, word) for word in said.ideas | said.names}


@lru_cache(maxsize=4096)
def things(text: str) -> frozenset[str]:
    """Return what a text speaks of, without the words for telling it, and without months and spans of time."""
    found = hearsay.things(says(text))
    return frozenset(
        w
        for w in found
        if not (w.startswith(TIMES) or w in value_words.UNIT_OF or hearsay.is_for_telling(w) or is_of_paper(w))
        and not matters.is_speaker(w)
    )


def weight(older: Said, newer: Said, count: Counts) -> float:
    """Return how much it tells that two lines speak of what they both speak of."""
    return fsum(count.weight(newer.label, each) for each in things(older.text) & things(newer.text))
