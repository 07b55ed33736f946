"""Vectors from an OpenAI-compatible `/embeddings` endpoint.  [design.md §4; issue 5]"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from koog.core.errors import KoogError, LLMUnavailable
from koog.core.text.untrusted import clean
from koog.search.embedder import Kind, Within, quantised

if TYPE_CHECKING:
    from koog.core.ask import Asker

QUERY_S = 10.0  # seconds: a search answers by keywords rather than wait longer
FAILED = (
    "embedding-failed"  # in .koog/: why the endpoint could not be reached; its time says when; empty once it answers
)
REST_S = 60.0  # in which searches do not ask again: each would wait for the same silence


class Endpoint:
    """provider.embeddingModel at provider.embeddingBaseUrl, asked in batches that an answer's size limit holds.

    rests   it is not asked for a minute after it could not be reached
    """

    likening = None  # it would be asked for every line of every question
    batch = 64  # 64 vectors of 4,096 numbers are 6 MB of JSON; core/model/wire.py takes 8

    def __init__(self, asker: Asker, *, rests: bool = False) -> None:
        self._asker = asker
        self._rests = rests
        self._timeout_s = float(asker.settings.get("defaults.timeout"))
        self.id = f"endpoint/{asker.settings.get('provider.embeddingModel')}"

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[bytes]:
        """Return a vector for each text. Raises ConfigError, Refused (budget), LLMUnavailable, LLMUnusable."""
        from koog.core.model import embeddings

        timeout_s = min(QUERY_S, self._timeout_s) if kind == "query" else self._timeout_s
        found: list[bytes] = []
        for start in range(0, len(texts), self.batch):
            part = texts[start : start + self.batch]
            self._check_rest()
            try:
                found += map(quantised, embeddings.embed(self._asker, part, timeout_s=timeout_s))
            except LLMUnavailable as e:
                self._note(e.message)
                raise
        self._forget()
        return found

    def _check_rest(self) -> None:
        """Raise LLMUnavailable where it could not be reached just now."""
        workspace = self._asker.workspace
        at = workspace.cached_at(FAILED) if self._rests else None
        if at is not None and 0 <= (ago := time.time() - at) < REST_S and (why := workspace.cached(FAILED)):
            raise LLMUnavailable(f"the embedding endpoint failed {ago:.0f} s ago: {why}", hint="koog index asks again")

    def _note(self, why: str) -> None:
        if not self._asker.workspace.dry_run:
            with suppress(KoogError):  # where nothing may be written, each search finds out for itself
                self._asker.workspace.cache(FAILED, clean(why))

    def _forget(self) -> None:
        if self._asker.workspace.cached_at(FAILED) is not None and self._asker.workspace.cached(FAILED):
            self._note("")

    def tokens(self) -> tuple[()]:
        """Return nothing: the endpoint has its own vocabulary."""
        return ()

    def near_words(self) -> tuple[()]:
        """Return nothing: an endpoint embeds texts, it has no table of words."""
        return ()

    def look_up(self, find: Callable[[str], int | None], *, within: Within | None = None) -> None:
        """Do without: no text is taken apart here."""

    def allow(self, limit_s: float) -> None:
        """Do without: a call has a limit of its own."""
