"""`critical.json` in the state root: the critical files as a person last knew them.  [moltbot §12.5]

    {"SOUL.md": {"stat": [2117, 1790…, 1790…, 88], "told": "9f…", "known": "9f…"}}

    stat    size, mtime, ctime and inode: what is the same there was not touched
    told    the digest of the content that the audit log has told of, null for no file
    known   that of the content that a person knows: at first sight, by `audit ack`, or by the leave that koog had

What a person knows lies beside it as text, so that an alert can show what was changed. A critical file that differs
from that is an alert until somebody acknowledges it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import atomic, digests
from koog.core.files.record import Cause, Change
from koog.core.files.roots import put_unsynced
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.record import Applied
    from koog.core.files.state_root import StateRoot
    from koog.core.files.tree import Tree

NAME = "critical"
MANUAL = Cause("manual", "—", "direct human edit")
SYSTEM = Cause("system:audit", "—", "koog")
LEAVES = ("approved", "partial", "relayed")
PENDING = "Critical file change detected. Pending user acknowledgment."  # moltbot §12.5's own words
COPY_LIMIT = 1 << 20  # bytes of a file that is kept for its diff
DEPTH, MOST = 4, 500  # folders below, and files, of a folder that is critical

Row = dict[str, Any]


NOTHING: Row = {"stat": None, "told": None, "known": None}


class Edit(NamedTuple):
    """One critical file that is not as a person knows it. known, present: its texts, None for no file."""

    path: str
    known: str | None
    present: str | None


class Watch:
    """What one transaction finds in the critical files, and what is known of them after it."""

    def __init__(self, workspace: Tree) -> None:
        self.workspace, self.state_root = workspace, workspace.state_root
        self.rows: dict[str, Row] = dict(self.state_root.get(NAME) or {}) if self.state_root else {}
        self.copies: dict[str, bytes | None] = {}
        self.found: list[Change] = []
        self.before = {path: dict(row) for path, row in self.rows.items()}
        if self.state_root:
            marks = digests.load(self.state_root)
            for path in paths(workspace, self.rows):
                self._look(path, marks)
            for folder in workspace.critical_folders:
                self.rows.setdefault(folder, dict(NOTHING))

    def _look(self, path: str, marks: digests.Marks) -> None:
        row, stat = self.rows.get(path), _stat(self.workspace, path)
        if row is not None and row.get("stat") == stat:
            return
        data = content(self.workspace, path)
        now = mark(data)
        if row is None and _is_new(self.workspace, self.before, path):
            row = NOTHING
        if row is None:
            self.rows[path] = {"stat": stat, "told": now, "known": now}
            self.copies[path] = data
            return
        row = self.rows[path] = {**row, "stat": stat}
        if now == row["told"] or (data is not None and marks.get(path) == digests.mark(data)):
            return
        action = "DELETE" if data is None else "CREATE" if row["told"] is None else "EDIT"
        self.found.append(Change(action, path, f"changed outside koog{_at(self.workspace, path)}", cause=MANUAL))
        if now != row["known"]:
            self.found.append(Change("ALERT", path, PENDING, cause=SYSTEM))
        row["told"] = now

    def alarms(self, changes: Sequence[Change]) -> list[Change]:
        """Return the alerts of what koog itself changes without anybody's leave."""
        return [
            Change("ALERT", c.path, PENDING, cause=SYSTEM)
            for c in changes
            if c.path in self.rows and self.state_root and not self._by_leave(c)
        ]

    def _by_leave(self, change: Change) -> bool:
        cause = change.cause or self.workspace.cause
        is_made = cause.actor == "system:init" and change.action == "CREATE"
        return cause.approval in LEAVES or cause.actor == "manual" or is_made

    def put(self, applied: Sequence[Applied]) -> None:
        """Write down what is known now. Raises WorkspaceError."""
        if self.state_root is None:
            return
        for change, _, after, _ in applied:
            if change.path not in self.rows:
                continue
            row = self.rows[change.path] = {**self.rows[change.path], "stat": _stat(self.workspace, change.path)}
            is_open = row["told"] != row["known"]  # leave for koog's own lines is none for what stands there already
            row["told"] = mark(after)
            if self._by_leave(change) and not is_open:
                row["known"] = row["told"]
                self.copies[change.path] = after
        if self.rows != self.before:
            save(self.state_root, self.rows, self.copies)


def save(state_root: StateRoot, rows: dict[str, Row], copies: dict[str, bytes | None]) -> None:
    """Write the rows, and the texts that a person knows by now. Raises WorkspaceError."""
    for path, data in copies.items():
        if data is not None and len(data) <= COPY_LIMIT:
            state_root.folder(NAME)
            put_unsynced(state_root.root, _copy(path), data.decode("utf-8", "surrogateescape"))
    state_root.put(NAME, rows)


def edits(workspace: Tree) -> list[Edit]:
    """Return the critical files that are not as a person knows them. Raises WorkspaceError."""
    state_root = workspace.state_root
    rows = (state_root.get(NAME) if state_root else None) or {}
    found = []
    for path in paths(workspace, rows):
        if state_root is None or (path not in rows and not _is_new(workspace, rows, path)):
            continue
        row = rows.get(path, NOTHING)
        if row.get("stat") == _stat(workspace, path) and row["told"] == row["known"]:
            continue
        data = content(workspace, path)
        if mark(data) != row["known"]:
            known = state_root.root.read(_copy(path)) if row["known"] else None
            texts = [None if each is None else atomic.decode(each) for each in (known, data)]
            found.append(Edit(path, *texts))
    return found


def know(workspace: Tree, paths: Sequence[str]) -> None:
    """Take files as they are for known to a person. Raises WorkspaceError."""
    state_root = workspace.state_root
    if state_root is None:
        return
    rows = dict(state_root.get(NAME) or {})
    copies = {path: content(workspace, path) for path in paths}
    for path, data in copies.items():
        rows[path] = {"stat": _stat(workspace, path), "told": mark(data), "known": mark(data)}
    save(state_root, rows, copies)


def paths(workspace: Tree, rows: Mapping[str, Row]) -> list[str]:
    """Return the critical files, of the folders among them what lies there now and what was seen there before."""
    found = [name for name in workspace.critical_files if not name.endswith("/")]
    for folder in workspace.critical_folders:
        there = {row for row in rows if row.startswith(folder) and row != folder}
        found += sorted(there | set(islice(_below(workspace, folder.rstrip("/"), DEPTH), MOST)))
    return found


def _is_new(workspace: Tree, rows: Mapping[str, Row], path: str) -> bool:
    """Return whether a file that has no row came into a folder which was looked at before."""
    return path not in rows and any(path.startswith(each) for each in workspace.critical_folders if each in rows)


def _below(workspace: Tree, folder: str, depth: int) -> Iterator[str]:
    with suppress(WorkspaceError):
        for entry in workspace.files.listed(folder):
            path = f"{folder}/{entry.name}"
            if entry.is_folder and depth:
                yield from _below(workspace, path, depth - 1)
            elif not entry.is_folder:
                yield path


def content(workspace: Tree, path: str) -> bytes | None:
    """Return a critical file's bytes, None for no file; of a link to elsewhere, a folder, a pipe, what koog says of it.

    What is none of koog's business to read is yet another thing than what stood there.
    """
    try:
        return workspace.read(path)
    except WorkspaceError as e:
        return f"({e.message})\n".encode("utf-8", "surrogateescape")


def mark(data: bytes | None) -> str | None:
    """Return a content's SHA-256, None for no file."""
    return None if data is None else sha256(data).hexdigest()


def _stat(workspace: Tree, path: str) -> list[int] | None:
    root = workspace.root_of(path)
    info = root.info(path)
    with suppress(OSError, WorkspaceError):
        info = info or root.itself(path).info()  # a link that leads elsewhere
    return [info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino] if info else None


def _at(workspace: Tree, path: str) -> str:
    from datetime import UTC, datetime

    at = workspace.modified(path)
    return f" at {clock.iso(datetime.fromtimestamp(at, UTC))}" if at else ""


def _copy(path: str) -> str:
    return f"{NAME}/{sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"
