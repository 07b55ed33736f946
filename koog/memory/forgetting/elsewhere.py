"""Where else than in the workspace's files koog keeps what was said: raw transcripts, `.koog/`, state root, spool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import config, forgotten
from koog.core.files import spool
from koog.core.files.roots import BARRED, Root
from koog.memory.forgetting.redact import Words, holds, redacted

if TYPE_CHECKING:
    from koog.core.run import Run

RAW, PRIVATE, STATE_ROOT, SPOOL = "raw", ".koog", "state", "spool"  # as places are told
DERIVED = (PRIVATE, SPOOL)  # what holds the words there goes whole: it is made again, or was an event to be digested
# With what SQLite keeps beside them: the words of all passages and the meaning of texts, made anew from the files.
INDEXES = ("index.db", "encoded.db")
# No text of anybody's: keys, digests, what a deletion needs to know, git's own folder.
KEPT = frozenset({"chain.log", "chain.key", f"{forgotten.KEY}.json", "deleting.json", "digests.json", "git", "lock"})
OWN = frozenset({"told"})  # texts that sessions were given


def roots(run: Run) -> Iterator[tuple[str, Root]]:
    """Yield the other roots in which koog keeps something, by the names under which their files are told."""
    state = run.state_root
    for name, path in ((RAW, run.raw), (SPOOL, Path(spool.path()))):
        if path != run.root:
            yield name, Root(path, name=name)
    yield PRIVATE, run.workspace.own
    if state:
        yield STATE_ROOT, state.root


def is_own(run: Run, path: str) -> bool:
    """Return whether a file of the workspace is koog's own."""
    tree = run.workspace
    return path.startswith((tree.in_memory(""), f"{tree.resolved(tree.memory)}/")) or path == config.NAME


def but(name: str) -> frozenset[str]:
    return KEPT if name == STATE_ROOT else BARRED


def change(name: str, words: Words) -> Callable[[str, bytes], bytes | None]:
    """Return what becomes of a file in one of those roots. name: the root's"""

    def changed(path: str, data: bytes) -> bytes | None:
        if name == PRIVATE and path.startswith(INDEXES):
            return None
        if not holds(data, words):
            return data
        is_given = name == STATE_ROOT and path.partition("/")[0] in OWN
        return None if name in DERIVED or is_given else redacted(data, words)

    return changed
