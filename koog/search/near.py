"""Words that mean nearly the same, from a table of word vectors.  [issue 5; measured in bench/retrieval]

A constant of the model: made once for an index, to widen the keyword part of a hybrid search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from koog.core.text.measures import STOPWORDS
from koog.search.subwords import SPACE

if TYPE_CHECKING:
    import numpy as np

    Table = np.ndarray[Any, np.dtype[np.float32]]

LEAST_COSINE = 0.40
MOST = 12  # of one word; a search leaves out those with the word's own stem
SHORTEST = 3  # letters
BLOCK = 1000  # words compared with all others at once: 40 MB


def words_of(vocabulary: Mapping[str, int]) -> dict[str, int]:
    """Return word → token number of the tokens that are whole words of ASCII letters, in lower case, without stopwords.

    A token in lower case wins over a capitalised one of the same word.

    >>> words_of({"▁Cat": 5, "▁cat": 9, "cat": 7, "▁the": 4, "▁é": 8})
    {'cat': 9}
    """
    found: dict[str, int] = {}
    for token, number in vocabulary.items():
        word = token.removeprefix(SPACE)
        low = word.lower()
        if word == token or len(word) < SHORTEST or not (word.isascii() and word.isalpha()) or low in STOPWORDS:
            continue
        if low not in found or word == low:
            found[low] = number
    return found


def near_words(words: Sequence[str], rows: Table) -> Iterator[tuple[str, str]]:
    """Yield (word, its nearest others joined by spaces, nearest first) for each word that has any.

    rows    one vector a word, any length but 0
    """
    import numpy as np

    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for start in range(0, len(words), BLOCK):
        cosines = unit[start : start + BLOCK] @ unit.T
        cosines[np.arange(len(cosines)), np.arange(start, start + len(cosines))] = 0.0  # a word is not near itself
        for place, line in enumerate(cosines):
            near = np.flatnonzero(line >= LEAST_COSINE)
            best = near[np.argsort(-line[near], kind="stable")][:MOST]
            if len(best):
                yield words[start + place], " ".join(words[other] for other in best)
