"""What was deleted for good, known again by its marks alone: for who brings texts of the past back.  [moltbot §8.3]

A history has what was deleted, and the memory has its marks only: of ids, of words, of names. By these its files are
not made again, and the texts around it come back without it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.forgotten import DELETED
from koog.core.named import NamedTuple
from koog.core.text.tombstone import Marked
from koog.memory.forgetting.called import FILES
from koog.memory.forgetting.redact import FACT, Ids, Words, holds, redacted
from koog.memory.names import known as of_names
from koog.memory.store import ids

if TYPE_CHECKING:
    from koog.core.run import Run

GONE = "deleted for good: it does not come back"
WITHOUT = "without what was deleted for good"
UNKNOWN = "what was deleted for good elsewhere cannot be known here: it may come back"
NO_TEXT = "it holds what was deleted for good, and is no text"


class Again(NamedTuple):
    """What is deleted in a workspace."""

    marks: frozenset[str]
    key: bytes
    words: Words
    folders: dict[str, str]

    def is_a_deleted_ones(self, path: str) -> bool:
        """Return whether a file is one that went whole."""
        folder, _, name = path.rpartition("/")
        kind = self.folders.get(folder)
        return kind is not None and forgotten.mark_of(self.key, f"{kind}:{name.removesuffix('.md')}") in self.marks

    def without(self, data: bytes | None) -> bytes | None:
        """Return a file's bytes without what is deleted; None for one that holds it and is no text."""
        if data is None:
            return None
        left = redacted(data, self.words)
        return None if left == data and holds(data, self.words) else left


def known(run: Run) -> Again | None:
    """Return what is deleted, None where nothing is; what only another key knows is a warning."""
    gone = forgotten.of(run.workspace)
    rows = gone.deleted
    every = [row for row in gone.last.values() if row.op == forgotten.DELETE]
    if len(rows) < len(every) and UNKNOWN not in run.warnings:
        run.warnings.append(UNKNOWN)
    if not rows or gone.key is None:
        return None
    marks, key = frozenset(row.id for row in rows), gone.key
    phrases = Marked((each for row in rows for each in row.words), key)
    names = Marked((each for row in rows for each in row.names), key, anywhere=True)
    called = Ids(put=_placed(marks, key), living=frozenset(of_names.load(run).entries))
    folders = {run.workspace.in_memory(folder): kind for kind, folder in FILES.items()}
    return Again(marks, key, Words(phrases, names, ids=called), folders)


def _placed(marks: frozenset[str], key: bytes) -> Callable[[str], str]:
    """Return what takes the place of an id, the same where it is none that is deleted."""

    @cache
    def placed(id_: str) -> str:
        name = id_.removesuffix(".md")
        if "-" not in name and ":" not in name:
            return id_
        if (mark := forgotten.mark_of(key, name)) in marks:
            return mark
        of = name.partition(":")[2].rpartition(":")[0] if name.startswith(f"{FACT}:") else name
        for kind in FILES if name != id_ else (ids.ENTITY,):
            mark = forgotten.mark_of(key, f"{kind}:{of.lower()}")
            if of and mark in marks:
                return id_.replace(of, f"{DELETED}--{mark.partition(':')[2]}")
        return id_

    return placed
