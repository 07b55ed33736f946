"""`seen.json` in the state root: the workspace's files as the audit log has told of them.  [moltbot §12.1, §12.3]

    {"memory/graph/entities/person--jun.md": [2117, 1790…, 1790…, 88, "9f…", "77…"]}

    size, mtime, ctime and inode, then the SHA-256 of the content, and of what koog had last left there; null for none

What differs from both was changed by a person or another program. Daily notes are the host's own log and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from koog.core.errors import WorkspaceError
from koog.core.files import digests
from koog.core.files.record import Change
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.roots import Entry
    from koog.core.files.state_root import StateRoot
    from koog.core.files.tree import Tree

NAME, LOCK = "seen", "seen.lock"
OUTSIDE = "changed outside koog"
STORES, OTHERS = ("episodes", "graph", "procedures", "vault"), ("knowledge", "topics")
ENDS = (".md", ".json", ".yaml", ".yml")
DEPTH = 6
Row = list[Any]


class Scan(NamedTuple):
    """What a look at all of them has found. changes: as audit lines; rows: what is to be kept."""

    changes: list[Change]
    rows: dict[str, Row]


def is_told(state_root: StateRoot, path: str, data: bytes) -> bool:
    """Return whether the audit log has told of this content already."""
    row = (state_root.get(NAME) or {}).get(path)
    return row is not None and row[4] == digests.mark(data)[1]


def scan(workspace: Tree) -> Scan:
    """Look at every file that koog keeps; what it has not written is learnt first. Raises WorkspaceError."""
    from koog.core.files.critical import MANUAL

    if workspace.state_root is None:
        return Scan([], {})
    known = workspace.state_root.get(NAME)
    rows: dict[str, Row] = dict(known or {})
    marks = {**digests.load(workspace.state_root), **digests.load(workspace.state_root, digests.LEDGERS)}
    changes, there = [], set[str]()
    for path, entry in _files(workspace):
        if not _is_text(path):  # no name that koog or JSON can write down
            continue
        there.add(path)
        stat = [entry.info.st_size, entry.info.st_mtime_ns, entry.info.st_ctime_ns, entry.info.st_ino]
        row = rows.get(path)
        own = marks.get(path, [0, None])[1]
        if row and row[:4] == stat and row[5] == own:
            continue
        try:
            data = workspace.read(path)
        except WorkspaceError:
            continue
        if data is None:
            continue
        now = digests.mark(data)[1]
        told = own if row is None or row[5] != own else row[4]
        if now not in (told, own) and (known is not None or own):
            changes.append(Change("EDIT" if row or own else "CREATE", path, OUTSIDE, cause=MANUAL))
        elif now == own and row and row[5] == own and row[4] != own:
            changes.append(Change("EDIT", path, f"{OUTSIDE}, back to what koog had left", cause=MANUAL))
        rows[path] = [*stat, now, own]
    for path in [path for path in rows if path not in there]:
        if path in marks or rows[path][5] is None:  # else koog itself has removed or moved it
            changes.append(Change("DELETE", path, "removed outside koog", cause=MANUAL))
        del rows[path]
    return Scan(changes, rows)


def _files(workspace: Tree) -> Iterator[tuple[str, Entry]]:
    """Yield the files that are looked at: MEMORY.md and its like, and what lies in the folders that koog keeps."""
    for entry in workspace.files.listed(""):
        if entry.is_file and entry.name.endswith(".md") and not workspace.is_critical(entry.name):
            yield entry.name, entry
    for entry in workspace.files.listed(workspace.memory):
        if entry.is_file and not entry.name[:4].isdigit() and entry.name.endswith(ENDS):
            yield f"{workspace.memory}/{entry.name}", entry
    for entry in workspace.files.listed(workspace.in_memory("meta")):
        if entry.is_file and entry.name.endswith(".md"):
            yield workspace.in_memory(f"meta/{entry.name}"), entry
    for folder in (*map(workspace.in_memory, STORES), workspace.modules, *OTHERS):
        yield from _below(workspace, folder, DEPTH)


def _below(workspace: Tree, folder: str, depth: int) -> Iterator[tuple[str, Entry]]:
    for entry in workspace.files.listed(folder):
        path = f"{folder}/{entry.name}"
        if entry.is_folder and depth and not entry.name.startswith("."):
            yield from _below(workspace, path, depth - 1)
        elif entry.is_file and entry.name.endswith(ENDS) and not workspace.is_critical(path):
            yield path, entry


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
