"""Which transcripts there are: by their names alone, thousands of them in a moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.files import raw_root
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.sessions import transcript_head

if TYPE_CHECKING:
    from koog.core.files.roots import Root
    from koog.core.files.tree import Tree

FOLDER = "conversations"
BEGAN = r"/(\d{4})/(\d\d)/(\d\d)/(\d\d)(\d\d)-[^/]*\.md\Z"
DEPTH = 6  # conversations/groups/GROUP/YYYY/MM/DD


class Listed(NamedTuple):
    """One transcript. path: as it is cited; began: by its name, None for one that is called otherwise"""

    path: str
    info: os.stat_result
    began: datetime | None

    @property
    def is_closed(self) -> bool:
        """Return whether nobody can write it any more; a clone of git's may leave one writable that has ended."""
        return raw_root.has_ended(self.info)


def has_ended(tree: Tree, found: Listed) -> bool:
    """Return whether a transcript's session has ended: it is closed, or says so. One that is closed is not read."""
    if found.is_closed:
        return True
    try:
        rows = (tree.text(found.path) or "").split("\n")
    except WorkspaceError:
        return False
    return transcript_head.parse(rows)[0].ended is not None


def every(tree: Tree) -> list[Listed]:
    """Return all transcripts, the newest first; [] where there is no raw root. Raises WorkspaceError."""
    if tree.raw is None:
        return []
    found = [Listed(raw_root.cited(path), info, _began(path)) for path, info in _below(tree.transcripts, FOLDER, DEPTH)]
    return sorted(found, key=lambda each: (each.began or datetime.min.replace(tzinfo=UTC), each.path), reverse=True)


def _below(root: Root, folder: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    for entry in root.listed(folder):
        path = f"{folder}/{entry.name}"
        if entry.is_folder and depth and not entry.name.startswith("."):
            yield from _below(root, path, depth - 1)
        elif entry.is_file and entry.name.endswith(".md"):
            yield path, entry.info


def _began(path: str) -> datetime | None:
    found = compiled(BEGAN).search(path)
    try:
        return datetime(*map(int, found.groups()), tzinfo=UTC) if found else None  # type: ignore[misc,arg-type]
    except ValueError:
        return None
