"""What every embedding is: text → a direction of small whole numbers.

Embedder       the interface; search/wordllama.py, search/encoder.py and search/endpoint.py have it
quantised      numbers → the bytes that vectors are stored and compared as
cosines        how like vectors are to another
standing_out   how far each number stands above what is usual among them
"""

from __future__ import annotations

import math
import statistics
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from operator import mul
from typing import Any, Literal, Protocol

from koog.core.named import NamedTuple

Kind = Literal["query", "passage"]
Within = AbstractContextManager[Any]
PEAK = 127  # what the largest component of a stored vector is scaled to


class Likening(NamedTuple):
    """How the cosines of a model are read, where each line by itself is compared with what somebody asks.

    weight      what they count in how well a line answers, 0 to 1
    is_narrow   they all lie near each other: what counts is how far one stands above the others of the same question
    is_slow     a text takes so long that lines are embedded before somebody asks
    """

    weight: float
    is_narrow: bool = False
    is_slow: bool = False


class Embedder(Protocol):
    """Texts → vectors.

    id         names the model and all that makes its vectors: vectors of two ids are never compared
    batch      how many texts are best given at once
    likening   how lines are compared by it; None where it is not asked for every line
    """

    @property
    def id(self) -> str: ...

    @property
    def batch(self) -> int: ...

    @property
    def likening(self) -> Likening | None: ...

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[bytes]:
        """Return a vector for each text: one signed byte a dimension, see `quantised`. Raises KoogError."""
        ...

    def tokens(self) -> Iterable[tuple[str, int]]:
        """Return the vocabulary that a query's words are looked up in, nothing where the model keeps its own."""
        ...

    def near_words(self) -> Iterable[tuple[str, str]]:
        """Return (word, words near to it joined by spaces), nothing where the model has no such table."""
        ...

    def look_up(self, find: Callable[[str], int | None], *, within: Within | None = None) -> None:
        """Take a way to a token's number that is quicker for few texts than to read the vocabulary.

        within   what those of one call are looked up within, that each costs less
        """
        ...

    def allow(self, limit_s: float) -> None:
        """Let the texts that come now take so many seconds; what is quick, or has its own limit, needs none."""
        ...


def quantised(values: Sequence[float]) -> bytes:
    """Return the direction of a vector as signed bytes, the largest component as ±127: only the direction is kept.

    The scale is each vector's own, which a cosine does not see. Zeros fill up to a multiple of eight, because signs
    are stored in whole bytes.

    >>> list(quantised([0.5, -1.0, 0.0]))
    [64, 129, 0, 0, 0, 0, 0, 0]
    """
    peak = max(map(abs, values)) or 1.0
    return array("b", list(map(round, [value / peak * PEAK for value in values]))).tobytes() + bytes(-len(values) % 8)


def cosines(of: bytes, others: Iterable[bytes]) -> list[float]:
    """Return how like vectors are to one of the same model, -1 to 1; 0 for one without direction.

    >>> [round(each, 2) for each in cosines(bytes([3, 4]), [bytes([6, 8]), bytes([4, 253]), bytes(2)])]
    [1.0, 0.0, 0.0]
    """
    one = memoryview(of).cast("b").tolist()
    length = math.hypot(*one)
    found = []
    for vector in others:
        other = memoryview(vector).cast("b").tolist()
        lengths = length * math.hypot(*other)
        found.append(sum(map(mul, one, other)) / lengths if lengths else 0.0)
    return found


def standing_out(numbers: Sequence[float]) -> list[float]:
    """Return by how many standard deviations each stands above what is usual among them.

    >>> [round(each, 2) for each in standing_out([0.8, 0.8, 0.8, 0.9])], standing_out([0.8]), standing_out([])
    ([-0.58, -0.58, -0.58, 1.73], [0.0], [])
    """
    usual, spread = statistics.fmean(numbers or [0.0]), statistics.pstdev(numbers or [0.0])
    return [(number - usual) / spread if spread else 0.0 for number in numbers]
