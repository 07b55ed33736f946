"""Which workspace a folder belongs to: itself, the nearest above, or the one that lies in a person's folder of notes.

    notes/_koog      a workspace: it has one of the marks
    notes            what `koog init --into _koog` wrote into the operator's file: its notes are that workspace's
    notes/Projects   as the nearest folder above

Only the operator's file says that a folder of notes has a workspace in it: what lies in the folder says nothing.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from koog.core import operator
from koog.core.errors import NotFound, UsageError
from koog.core.files import outside
from koog.core.files.workspace import is_workspace


def find(start: Path) -> Path:
    """Return the workspace of the nearest folder from here up. Raises NotFound, ConfigError."""
    entries: list[operator.Entry] | None = None
    for folder in (start, *start.parents):
        if is_workspace(folder):
            return folder
        entries = operator.all_entries() if entries is None else entries
        if found := _within(folder, entries):
            return found
    raise NotFound("no workspace here or above", hint="koog init DIR, or --workspace DIR")


def named(folder: Path) -> Path:
    """Return the workspace that was named. Raises UsageError for no folder, NotFound for one that is none."""
    try:
        real = Path(outside.real(folder)) if outside.is_folder(folder) else None
    except OSError:
        real = None  # a name that is too long; a current folder that is gone
    if real is None:
        raise UsageError(f"--workspace: no folder {folder.name!r}", hint="koog init DIR makes one")
    if is_workspace(real):
        return real
    if found := within(real):
        return found
    raise NotFound(f"{real.name or real} is no workspace of koog's", hint=f"koog init {shlex.quote(str(real))}")


def within(folder: Path) -> Path | None:
    """Return the workspace in a folder of notes, None where the operator's file names none. Raises ConfigError."""
    return _within(folder, operator.all_entries())


def _within(folder: Path, entries: list[operator.Entry]) -> Path | None:
    inside = (entry.path for entry in entries if entry.notes_root == folder)
    return next((path for path in inside if is_workspace(path)), None)
