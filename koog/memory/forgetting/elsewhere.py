"""Where else than in the workspace's files koog keeps what was said: raw transcripts, `.koog/`, state root, spool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import config, forgotten
from koog.core.files import atomic, spool
from koog.core.files.roots import BARRED, Root
from koog.memory.forgetting.redact import Words, holds, is_text, redacted
from koog.memory.names import reading

if TYPE_CHECKING:
    from koog.core.run import Run

RAW, PRIVATE, STATE_ROOT, SPOOL = "raw", ".koog", "state", "spool"  # as places are told
# With what SQLite keeps beside them: the words of all passages and the meaning of texts, made anew from the files.
INDEXES = ("index.db", "encoded.db")
# No text of anybody's: keys, digests, what a deletion needs to know, git's own folder.
KEPT = frozenset({"chain.log", "chain.key", f"{forgotten.KEY}.json", "deleting.json", "digests.json", "git", "lock"})
NAMES = f"{reading.CACHE}."  # a killed koog's half of it: words in other forms too, made anew
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
        if path.startswith(INDEXES if name == PRIVATE else NAMES if name == STATE_ROOT else ()):
            return None
        if not holds(data, words):
            return data
        return None if _goes_whole(name, path, data) else redacted(data, words)

    return changed


def _goes_whole(name: str, path: str, data: bytes) -> bool:
    """Return whether what holds the words there goes whole, since it is made again. name: the root's

    What a killed koog left of a file may be a person's, and an event may be another workspace's, and has more in it.
    """
    folder = path.partition("/")[0]
    if name == PRIVATE:
        return folder != atomic.RECOVERED
    return folder in OWN if name == STATE_ROOT else name == SPOOL and not is_text(data)
