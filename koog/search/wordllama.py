"""Vectors from the table of word vectors in the `wordllama` package, read without importing it.  [issue 5, "Embedding"]

    WordLlama   the package's two files: a vocabulary and a matrix of one row a token
    pooled      the rows of a text's tokens → its vector

The package itself imports numpy and a tokenizer, 30 times bare Python's start. A query needs a few rows of the matrix
and a few hundred tokens: those are read here. numpy is imported only for many texts at once.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from koog.core import shipped
from koog.search.embedder import PEAK, Kind, Likening, Within, quantised
from koog.search.subwords import Subwords

if TYPE_CHECKING:
    from mmap import mmap

    import numpy as np

MATRIX = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR = "embedding.weight"
ROWS, DIMENSIONS = 32_000, 256
ROW = struct.Struct(f"<{DIMENSIONS}e")  # half precision
POOLING = 1  # part of the id: another way of pooling makes other vectors
FEW = 100  # texts, whose tokens are looked up one by one: lines of a question; the whole vocabulary takes 10 ms more
BULK = 400  # texts; below that, importing numpy costs more than it saves
BLOCK = 256  # texts made into vectors at once by numpy


class WordLlama:
    """The embedder of search by meaning without a network."""

    id = f"wordllama-l2_supercat_256/{POOLING}"
    batch = 4096
    likening = Likening(weight=0.33)

    def __init__(self, package: Path) -> None:
        """Open the package's files. Raises OSError, and ValueError for files of another shape."""
        self._vocabulary_file = package / TOKENIZER
        shipped.check(self._vocabulary_file)
        self._matrix = shipped.mapped(package / MATRIX)
        self._start = _start(self._matrix)
        self._rows: dict[int, tuple[float, ...]] = {}
        self._few: Subwords | None = None
        self._within: Within = nullcontext()

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[bytes]:  # noqa: ARG002  queries are embedded as passages
        """Return a vector for each text."""
        if len(texts) >= BULK:
            return self._many(texts)
        if self._few and len(texts) <= FEW:
            with self._within:
                numbers = list(map(self._few.numbers, texts))
        else:
            numbers = list(map(self._subwords.numbers, texts))
        return [quantised(pooled(map(self._row, each))) for each in numbers]

    def look_up(self, find: Callable[[str], int | None], *, within: Within | None = None) -> None:
        """Use `find` for the tokens of few texts. A number is asked for once."""
        self._few, self._within = Subwords(cache(find)), within or nullcontext()

    def allow(self, limit_s: float) -> None:
        """Do without: a text takes less than a thousandth of a second."""

    def tokens(self) -> Iterable[tuple[str, int]]:
        """Return (token, number), in the order of the tokens."""
        return sorted(self._vocabulary.items())

    def near_words(self) -> Iterator[tuple[str, str]]:
        """Yield (word, words near to it joined by spaces). Imports numpy; a second for ten thousand words."""
        from koog.search.near import near_words, words_of

        words = words_of(self._vocabulary)
        return near_words(list(words), self._table[list(words.values())])

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        return _vocabulary(self._vocabulary_file)

    @cached_property
    def _subwords(self) -> Subwords:
        return Subwords(self._vocabulary.get)

    def _row(self, number: int) -> tuple[float, ...]:
        row = self._rows.get(number)
        if row is None:
            row = self._rows[number] = ROW.unpack_from(self._matrix, self._start + number * ROW.size)
        return row

    @cached_property
    def _table(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        import numpy as np

        halves = np.frombuffer(self._matrix, dtype="<f2", count=ROWS * DIMENSIONS, offset=self._start)
        return halves.reshape(ROWS, DIMENSIONS).astype(np.float32)

    def _many(self, texts: Sequence[str]) -> list[bytes]:
        """Return what `embed` does, by numpy."""
        import numpy as np

        found: list[bytes] = []
        for start in range(0, len(texts), BLOCK):
            numbers = [self._subwords.numbers(text) for text in texts[start : start + BLOCK]]
            # Text by text: np.add.reduceat over all of them takes seven times as long.
            sums = np.array([self._table.take(each, axis=0).sum(axis=0) for each in numbers])
            peaks = np.abs(sums).max(axis=1, keepdims=True)
            found += map(bytes, np.rint(sums / np.where(peaks, peaks, 1) * PEAK).astype(np.int8))
        return found


def pooled(rows: Iterable[Sequence[float]]) -> list[float]:
    """Return the sum of the rows: the direction of their mean, which is all that is kept.

    >>> pooled([(1.0, 2.0), (3.0, 4.0)])
    [4.0, 6.0]
    """
    return list(map(sum, zip(*rows, strict=True)))


def _start(matrix: mmap) -> int:
    """Return where the first row begins in a safetensors file: a length, a JSON header, the numbers.

    Raises ValueError for a file that does not hold the matrix this module knows.
    """
    try:
        (length,) = struct.unpack_from("<Q", matrix)
        header = orjson.loads(matrix[8 : 8 + length])[TENSOR]
        known = header["dtype"] == "F16" and header["shape"] == [ROWS, DIMENSIONS]
        start = int(8 + length + header["data_offsets"][0])
    except (struct.error, ValueError, LookupError, TypeError):
        known, start = False, 0
    if not known or len(matrix) < start + ROWS * ROW.size:
        raise ValueError(f"{MATRIX} holds another model")
    return start


@cache
def _vocabulary(file: Path) -> dict[str, int]:
    """Return token → number. Only that part of the file is parsed: the ranked pairs behind it take twice as long."""
    text = shipped.data(file)
    begin = text.index(b"{", text.index(b'"vocab"'))
    return dict(orjson.loads(text[begin : text.rindex(b"}", begin, text.index(b'"merges"', begin)) + 1]))
