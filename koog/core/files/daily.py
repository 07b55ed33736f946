"""The notes of a day: those in memory/, and those of the person's journal (own_notes.py).  [sinain §4.5, design §3]"""

from __future__ import annotations

import re
from datetime import date

from koog.core import clock
from koog.core.files.own_notes import (
    REPOSITORY,
    SUFFIX,
    TOKEN,
    day_of,
    is_of_tool,
    is_text,
    plain,
    taken,
    translated,
    whose,
)
from koog.core.files.tree import Tree
from koog.core.named import NamedTuple

EXTRACTED = "knowledge/journal"  # what `extract` keeps of each day  [autopoiesis §2.2]
IN_MEMORY = r"(\d{4}-\d\d-\d\d)(?:-[\w.-]+)?\.md"  # how the notes of a day are called in memory/


class Day(NamedTuple):
    """A note of a day: ISO day; size in bytes, None for a link."""

    path: str
    day: str
    size: int | None


def every(workspace: Tree) -> list[Day]:
    """Return the notes of all days, newest first: those in memory/, and those of the journal's patterns."""
    found = {each.path: each for pattern in workspace.own_notes.journal for each in _dated(workspace.notes, pattern)}
    for path, size in _files(workspace, workspace.memory):
        match = re.fullmatch(IN_MEMORY, path.rpartition("/")[2])
        if match and clock.parse_day(match[1]):
            found[path] = Day(path, match[1], size)
    return sorted(found.values(), key=lambda note: (note.day, note.path), reverse=True)


def with_extracted(workspace: Tree) -> list[Day]:
    """Return the notes of all days and the journals that were extracted from talk, newest first."""
    made = [Day(path, day, size) for path, size in _files(workspace, EXTRACTED) if (day := _day(path))]
    return sorted([*every(workspace), *made], key=lambda note: (note.day, note.path), reverse=True)


def _day(path: str) -> str | None:
    day = path.rpartition("/")[2].removesuffix(SUFFIX)
    return day if clock.parse_day(day) else None


def of_day(workspace: Tree, day: date) -> list[str]:
    """Return the paths of a day's notes: the note itself, then those with a slug; then the journal's."""
    names = [n for n in workspace.names(workspace.memory, SUFFIX) if n == f"{day}.md" or n.startswith(f"{day}-")]
    found = [workspace.in_memory(name) for name in sorted(names, key=lambda name: (name != f"{day}.md", name))]
    told = dict(zip(("YYYY", "MM", "DD"), f"{day:%Y-%m-%d}".split("-"), strict=True))
    for pattern in workspace.own_notes.journal:
        exact = TOKEN.sub(lambda token: told.get(token[0], token[0]), pattern)
        found += sorted(path for path, _ in _expanded(workspace.notes, exact, plain(exact)))
    return list(dict.fromkeys(found))


def _dated(workspace: Tree, pattern: str) -> list[Day]:
    files = _expanded(workspace, pattern, plain(pattern))
    return [Day(path, day, size) for path, size in files if (day := day_of(pattern, path))]


def _files(workspace: Tree, folder: str) -> list[tuple[str, int | None]]:
    """Return the Markdown files in a folder and their sizes; a link is among them: whoever reads it is told.

    Not those of a name that is no text: no line of JSON could cite them.
    """
    sizes = workspace.sizes(folder, SUFFIX)
    paths = (f"{folder}/{name}" for name in workspace.names(folder, SUFFIX) if is_text(name))
    return [(path.lstrip("/"), sizes.get(path)) for path in paths]


def _expanded(workspace: Tree, pattern: str, folder: str) -> list[tuple[str, int | None]]:
    """Return the files below a folder that a pattern may fit, and their sizes: as deep as it goes, and no deeper.

    Whatever an agent writes for a pattern: nothing of a hidden folder or a tool's, nothing that is koog's own, and
    nothing of another workspace, or of another repository that it does not name.
    """
    above = (folder[:at] for at, char in enumerate(folder) if char == "/")
    if any(_is_others(workspace, each, {e.name for e in workspace.files.entries(each)}) for each in above):
        return []
    return _below(workspace, pattern, folder)


def _is_others(workspace: Tree, folder: str, names: set[str]) -> bool:
    owner = whose(names)
    return owner is not None and not (owner == REPOSITORY and workspace.own_notes.names(folder))


def _below(workspace: Tree, pattern: str, folder: str) -> list[tuple[str, int | None]]:
    is_koogs = folder.partition("/")[0] in taken(workspace.memory, workspace.modules, around=bool(workspace.apart))
    if is_koogs or is_of_tool(folder):
        return []
    entries = workspace.files.entries(folder)
    if folder and _is_others(workspace, folder, {entry.name for entry in entries}):
        return []
    depth = folder.count("/") + 1 if folder else 0
    parts = pattern.split("/")
    if depth == len(parts) - 1:
        whole = translated(pattern)
        return [(path, size) for path, size in _files(workspace, folder) if whole.fullmatch(path)]
    part, found = translated(parts[depth]), []
    for name in [entry.name for entry in entries if entry.is_folder]:
        if part.fullmatch(name):
            found += _below(workspace, pattern, f"{folder}/{name}".lstrip("/"))
    return found
