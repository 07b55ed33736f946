"""`failures.jsonl`: which commands failed and why, so that nothing which ran unattended fails in silence.

    {"ts": "2026-02-28T12:00:00Z", "command": "tick", "code": "workspace", "message": "…"}

It lies in the state root, where the agent cannot write; a koog that sees none keeps it in
`.koog/`. Derived, so it may be deleted. A wrong call, a missing name and a busy
lock are left out: whoever made the call was told, and nothing is broken.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from koog.core import clock, operator
from koog.core.errors import Busy, Interrupted, KoogError, NotFound, UsageError
from koog.core.files import jsonfiles, state_root
from koog.core.files.state_root import StateRoot
from koog.core.files.workspace import Workspace, is_workspace

NAME = "failures.jsonl"
LIMIT = 128 * 1024  # bytes; then the older half goes
EXPECTED = (UsageError, NotFound, Busy, Interrupted)


def record(root: Path, error: KoogError, *, command: str, message: str, now: datetime) -> None:
    """Note a failed command, where there is a workspace to note it in; a disk that refuses is no second failure."""
    if isinstance(error, EXPECTED) or not command or not is_workspace(root):
        return
    words = message.encode("utf-8", "backslashreplace").decode()  # it may name a file, whose name may be any bytes
    row = {"ts": clock.iso(now), "command": command, "code": error.code, "message": words}
    with suppress(KoogError, OSError):
        Workspace(root, state_root=_state_root(root)).jot(NAME, jsonfiles.line(row) + "\n", limit=LIMIT)


def _state_root(root: Path) -> StateRoot | None:
    """Return the workspace's state root; a config that is broken elsewhere is no reason to miss it."""
    try:
        found = operator.entry(root)
    except KoogError:
        return None
    return state_root.find(found.id) if found else None


def read(workspace: Workspace) -> list[dict[str, Any]]:
    """Return what is noted, newest first; [] when nothing is, or it cannot be read."""
    try:
        lines = workspace.jotted(NAME).split("\n")
    except KoogError:
        return []
    rows = []
    for line in reversed(lines):
        try:
            row = jsonfiles.loads(line) if line.strip() else None
        except ValueError:
            continue  # cut by a kill
        if isinstance(row, dict) and isinstance(row.get("ts"), str):
            rows.append(row)
    return rows
