"""The `prune` part of memory/meta/cursors.json: when what was put away came back, so that it stays for a while.  [§8.6]

    {"prune": {"restored": {"knowledge/projects/atlas/context.md": "2026-06-11"}}, …}

Pure but for `load`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from koog.core import clock, cursor_parts
from koog.core.cursor_parts import NAME
from koog.core.files.tree import Tree

PART, RESTORED = "prune", "restored"


def load(tree: Tree) -> dict[str, str]:
    """Return file → the day on which it came back. Raises WorkspaceError for a file that cannot be read."""
    return _read(tree.text(tree.in_memory(NAME)) or "")


def noted(text: str, paths: Iterable[str], day: str) -> str:
    """Return cursors.json with some files that have come back on a day."""
    value = cursor_parts.parse(text)
    found = {**_read(text), **dict.fromkeys(paths, day)}
    return cursor_parts.rendered(value, PART, {**cursor_parts.part(value, PART), RESTORED: dict(sorted(found.items()))})


def is_back(known: Mapping[str, str], path: str, today: date, *, days: int) -> bool:
    """Return whether a file has come back within some days.

    >>> is_back({"a.md": "2026-06-11"}, "a.md", date(2026, 6, 20), days=30)
    True
    """
    day = clock.parse_day(known.get(path, ""))
    return day is not None and (today - day).days <= days


def _read(text: str) -> dict[str, str]:
    found = cursor_parts.part(cursor_parts.part(cursor_parts.parse(text), PART), RESTORED)
    return {path: day for path, day in found.items() if isinstance(day, str)}
