"""What every embedding is: text → a direction of small whole numbers.

Embedder    the interface; search/wordllama.py and search/endpoint.py have it
quantised   numbers → the bytes that vectors are stored and compared as
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

Kind = Literal["query", "passage"]
PEAK = 127  # what the largest component of a stored vector is scaled to


class Embedder(Protocol):
    """Texts → vectors.

    id      names the model and all that makes its vectors: vectors of two ids are never compared
    batch   how many texts are best given at once
    """

    @property
    def id(self) -> str: ...

    @property
    def batch(self) -> int: ...

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[bytes]:
        """Return a vector for each text: one signed byte a dimension, see `quantised`. Raises KoogError."""
        ...

    def tokens(self) -> Iterable[tuple[str, int]]:
        """Return the vocabulary that a query's words are looked up in, nothing where the model keeps its own."""
        ...

    def near_words(self) -> Iterable[tuple[str, str]]:
        """Return (word, words near to it joined by spaces), nothing where the model has no such table."""
        ...

    def look_up(self, find: Callable[[str], int | None]) -> None:
        """Take a way to a token's number that is quicker for few texts than to read the vocabulary."""
        ...


def quantised(values: Sequence[float]) -> bytes:
    """Return the direction of a vector as signed bytes, the largest component as ±127: only the direction is kept.

    The scale is each vector's own, which a cosine does not see. Zeros fill up to a multiple of eight, because signs
    are stored in whole bytes.

    >>> list(quantised([0.5, -1.0, 0.0]))
    [64, 129, 0, 0, 0, 0, 0, 0]
    """
    peak = max(map(abs, values)) or 1.0
    return array("b", [round(value / peak * PEAK) for value in values]).tobytes() + bytes(-len(values) % 8)
