"""Which embedding the config chooses, and what every embedding is: text → a direction of small whole numbers.

Embedder    the interface; search/wordllama.py and search/endpoint.py have it
choose      `search.embedding` → an embedder, or None and why
quantised   numbers → the bytes that vectors are stored and compared as
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from koog.core.errors import ConfigError

if TYPE_CHECKING:
    from koog.core.ask import Asker
    from koog.core.config import Settings

Kind = Literal["query", "passage"]
EXTRA = "pip install sqlite-vec wordllama"  # what the extra `vectors` holds
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


def choose(settings: Settings, asker: Callable[[], Asker], *, rests: bool = False) -> tuple[Embedder | None, str]:
    """Return the embedder that `search.embedding` names, or None and the reason in words.

    asker   makes what a call to an endpoint needs; not called for any other embedding
    rests   an endpoint that could not be reached is let alone for a minute: for who has an answer without it

    Raises ConfigError for an endpoint without provider.embeddingModel.
    """
    wanted = settings.get("search.embedding")
    if wanted == "none":
        return None, "search.embedding is none"
    if wanted == "endpoint" and not settings.get("provider.embeddingModel"):
        raise ConfigError("search.embedding is endpoint, but provider.embeddingModel is not set", hint="set it")
    if folder("sqlite_vec") is None:
        return None, f"sqlite-vec is not installed: {EXTRA}"
    if wanted == "endpoint":
        from koog.search.endpoint import Endpoint

        return Endpoint(asker(), rests=rests), ""
    package = folder("wordllama")
    if package is None:
        return None, f"wordllama is not installed: {EXTRA}"
    from koog.search.wordllama import WordLlama

    try:
        return WordLlama(package), ""
    except (OSError, ValueError) as e:
        return None, f"wordllama's files cannot be used: {e}"


def folder(package: str) -> Path | None:
    """Return where an installed package lies, without importing it; None when it is not installed."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


def quantised(values: Sequence[float]) -> bytes:
    """Return the direction of a vector as signed bytes, the largest component as ±127: only the direction is kept.

    The scale is each vector's own, which a cosine does not see. Zeros fill up to a multiple of eight, because signs
    are stored in whole bytes.

    >>> list(quantised([0.5, -1.0, 0.0]))
    [64, 129, 0, 0, 0, 0, 0, 0]
    """
    peak = max(map(abs, values)) or 1.0
    return array("b", [round(value / peak * PEAK) for value in values]).tobytes() + bytes(-len(values) % 8)
