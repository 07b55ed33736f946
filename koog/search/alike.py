"""How near in meaning texts are to what somebody names: "database" and a line on Postgres that has no such word.

Half of it is the text as a whole, half its two nearest words: a long line is about a domain by a few of its words,
and a line of a domain need not have one word that stands out. Of the table of word vectors alone, whose cosines the
floors of callers are measured on: other models have other scales.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from heapq import nlargest
from operator import mul
from typing import TYPE_CHECKING

from koog.core.errors import LLMUnavailable
from koog.core.text.measures import STOPWORDS, stem
from koog.core.text.words import tokens
from koog.search import embedding
from koog.search.embedder import cosines, standing_out
from koog.search.subwords import SPACE

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.search.embedder import Embedder

BEST = 2  # words of a text that count by themselves
SHORTEST = 3  # letters of such a word
MANY = 12  # texts, among which it shows what is usual
ASKED_S = 5.0  # seconds for texts that have no vector yet: somebody waits
BY_CHANCE, OVER = 1.7, 3.0  # standard deviations: what one of many has by chance; what counts as one above it

Likeness = Callable[[str, Sequence[str]], list[float]]
Vector = tuple[float, ...]


def of(run: Run) -> Likeness | None:
    """Return how texts are compared with a name by meaning; None where the table is not installed or not wanted."""
    table = embedding.of_words(run.settings)
    return likeness(table) if table else None


def of_sentences(run: Run) -> Likeness | None:
    """Return how texts are compared with what somebody means: by how far one stands out among them where the chosen
    model knows sentences, else as `of` does.

    Of what stands out 0 is as like as one of many texts may be by chance, and 0.3 is likely to be meant. Among few
    texts nobody knows what is usual: those are compared by words, and so are more than there is time for.
    """
    by_words = of(run)
    embedder, _ = embedding.choose(run.settings, lambda: run.asker)
    if embedder is None or embedder.likening is None or not embedder.likening.is_narrow:
        return by_words
    return among_many(embedder, by_words)


def among_many(embedder: Embedder, by_words: Likeness | None) -> Likeness:
    """Return a function of a name and texts that gives how far each text stands out among them. by_words: else"""

    def measure(name: str, texts: Sequence[str]) -> list[float]:
        embedder.allow(ASKED_S)
        try:
            if len(texts) >= MANY:
                (named,) = embedder.embed([name], kind="query")
                far = standing_out(cosines(named, embedder.embed(texts, kind="passage")))
                return [(each - BY_CHANCE) / OVER for each in far]
        except LLMUnavailable:  # a package that does not load, or the time is over
            pass
        return by_words(name, texts) if by_words else [0.0] * len(texts)

    return measure


def likeness(embedder: Embedder) -> Likeness:
    """Return a function of a name and texts that gives each text's likeness to the name, -1 to 1.

    0 where the table has none of the name's words whole: of what it puts together from pieces it knows no meaning,
    and that is nearly every word that is not English.
    """

    @cache
    def known() -> frozenset[str]:
        return frozenset(token[1:].lower() for token, _ in embedder.tokens() if token.startswith(SPACE))

    def measure(name: str, texts: Sequence[str]) -> list[float]:
        words = [_words(text) for text in texts]
        named = [word for word in _words(name) if word in known() or stem(word) in known()]
        if not named or not texts:
            return [0.0] * len(texts)
        single = sorted({word for line in words for word in line}.union(named))
        vectors = [_unit(vector) for vector in embedder.embed([name, *texts, *single], kind="passage")]
        whole, of_word = vectors[0], dict(zip(single, vectors[1 + len(texts) :], strict=True))
        near = {word: max(_dot(vector, of_word[own]) for own in named) for word, vector in of_word.items()}
        return [
            (_dot(whole, vectors[1 + i]) + sum(nlargest(BEST, (near[word] for word in line))) / BEST) / 2
            for i, line in enumerate(words)
        ]

    return measure


def _words(text: str) -> list[str]:
    low = (word.lower() for word in tokens(text))
    return list(dict.fromkeys(word for word in low if len(word) >= SHORTEST and word not in STOPWORDS))


def _unit(vector: bytes) -> Vector:
    numbers = memoryview(vector).cast("b").tolist()
    length = math.sqrt(sum(map(mul, numbers, numbers))) or 1.0
    return tuple(number / length for number in numbers)


def _dot(a: Vector, b: Vector) -> float:
    return math.fsum(map(mul, a, b))
