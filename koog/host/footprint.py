"""What a person's own files were like before koog came, so that `koog uninstall` leaves them as they were.

    {FILE: {"was": "there", "had": {"hooks": null, "hooks/Stop": ""}, "folders": [], "digest": null}}

Kept beside the state roots and not in one: two workspaces may stand in one file of settings, and whichever leaves
last puts it back. Of the person's text it holds nothing but the blanks between two brackets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import host, jsonfiles
from koog.core.files.jsonedit import Had
from koog.core.named import NamedTuple

NAME = "installed.json"
LOCK = "installed.lock"
MISSING, BLANK, THERE = "missing", "blank", "there"


class Before(NamedTuple):
    """A file before koog came.

    was      missing, blank or there
    had      of its objects and lists those that koog writes into; what stood in the empty ones
    folders  that koog made for it, the innermost first
    digest   of what koog wrote, where that is a whole file
    """

    was: str
    had: Had = MappingProxyType({})
    folders: tuple[Path, ...] = ()
    digest: str | None = None


def alone(*, dry_run: bool = False) -> ExitStack:
    """Hold off whoever else installs or uninstalls, until it is closed; where no lock can be kept, nobody is."""
    stack = ExitStack()
    if not dry_run:  # which leaves no lock's file behind either
        with suppress(WorkspaceError):
            stack.enter_context(host.locked(LOCK))
    return stack


def of(file: Path) -> Before | None:
    """Return what a file was before koog came, None where nobody has noted it."""
    row = _rows(_read()).get(str(file))
    if not isinstance(row, dict) or row.get("was") not in (MISSING, BLANK, THERE):
        return None
    had, folders = row.get("had"), row.get("folders")
    return Before(
        row["was"],
        had_from(had) if isinstance(had, dict) else {},
        tuple(Path(each) for each in folders if isinstance(each, str)) if isinstance(folders, list) else (),
        row.get("digest"),
    )


def files(name: str) -> list[Path]:
    """Return the files of this name that koog came to, in whichever folder."""
    return [Path(each) for each in _rows(_read()) if each.endswith(f"/{name}")]


def note(file: Path, before: Before) -> None:
    """Keep what a file was before koog came; where nothing can be kept, nothing is. Raises Busy."""
    row = {**before._asdict(), "had": had_row(before.had), "folders": [str(each) for each in before.folders]}
    _edit(lambda rows: {**rows, str(file): row})


def forget(file: Path) -> None:
    """Keep nothing of a file any more. Raises Busy."""
    _edit(lambda rows: {name: row for name, row in rows.items() if name != str(file)})


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def had_row(had: Had) -> dict[str, str | None]:
    """Return objects and lists as a record has them: their keys joined by slashes."""
    return {"/".join(map(str, path)): inside for path, inside in had.items()}


def had_from(row: dict[str, Any]) -> Had:
    """Return the objects and lists that a record names."""
    return {
        tuple(name.split("/")) if name else (): inside if isinstance(inside, str) else None
        for name, inside in row.items()
    }


def _folder() -> Path:
    return host.state_home() / "koog"


def _read() -> str | None:
    try:
        return host.read(_folder(), NAME)
    except WorkspaceError:
        return None


def _rows(text: str | None) -> dict[str, Any]:
    try:
        value = jsonfiles.loads(text or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _edit(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    with suppress(WorkspaceError):
        host.edit(_folder(), NAME, lambda text: jsonfiles.pretty(change(_rows(text))))
