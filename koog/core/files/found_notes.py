"""Which Markdown of a folder is a person's, what of it a config leaves out, and which config would take it in.

Looked for is in every folder but koog's own, a host's, hidden ones, tools', and other repositories.  [design §3]
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from koog.core.files.own_notes import HOUSE_FILES, TOOLS, OwnNotes, day_of, is_text, taken, whose
from koog.core.files.tree import Tree
from koog.core.named import NamedTuple

SUFFIX = ".md"
NO_NOTES = {*HOUSE_FILES, *(f"{name}.md" for name in "BOOTSTRAP CLAUDE GEMINI README".split())}  # of a folder's top
# How a day is written in a name; the first that fits counts. Behind a plain number a name goes on with another one.
DAYS = ("YYYY-MM-DD", "YYYY_MM_DD", "YYYY.MM.DD", "DD-MM-YYYY", "DD.MM.YYYY", "YYYYMMDD", "DD")
LONGER = DAYS[:5]
YEAR, MONTH = r"(?:19|20)\d\d", r"(?:0[1-9]|1[0-2])"
ENOUGH = 5  # dated notes in a folder make a journal whatever else lies there; else half of what lies there
KINDS = {
    "person": "people person persons contacts personen kontakte leute gente personas contactos personnes 人物 联系人",
    "project": "projects project projekte projekt proyectos proyecto projets projet 项目 プロジェクト",
}
REFERENCE = "reference"
KOOGS = "a name of koog's own"


class Left(NamedTuple):
    """A folder that is no part of a person's notes."""

    path: str
    why: str


class Found(NamedTuple):
    """The Markdown that there is.

    folders   folder ("" for the workspace itself) → its files' names
    left      what was not looked into
    at_top    the files of "" are notes, too: koog's own lie in a folder of theirs
    """

    folders: dict[str, list[str]]
    left: list[Left]
    at_top: bool = False

    @property
    def many(self) -> int:
        """Return how many there are, those at the top included, where koog and hosts have files of their own."""
        at_top = () if self.at_top else self.folders.get("", ())
        return sum(name not in NO_NOTES for name in at_top) + sum(1 for _ in self.paths)

    @property
    def paths(self) -> Iterator[str]:
        """Yield the paths of the notes."""
        for folder, names in self.folders.items():
            if folder or self.at_top:
                yield from (f"{folder}/{name}".lstrip("/") for name in names)


def found(workspace: Tree) -> Found:
    """Look for Markdown in every folder that may be a person's. Raises WorkspaceError."""
    tree, is_around = workspace.notes, workspace.notes_root is not None
    all_of_them = Found({}, [], at_top=is_around)
    koogs, waiting = taken(workspace.memory, workspace.modules, around=is_around), [""]
    while waiting:
        folder = waiting.pop()
        entries = tree.files.listed(folder)
        if is_around and not folder:
            own = {entry.name for entry in entries if entry.name in (*koogs, *HOUSE_FILES)}
            all_of_them.left.extend(Left(name, KOOGS) for name in own)
            entries = [entry for entry in entries if entry.name not in own]
        names = {entry.name for entry in entries}
        if folder and (why := whose(names)):
            all_of_them.left.append(Left(folder, why))
            continue
        if notes := [entry.name for entry in entries if entry.is_file and entry.name.endswith(SUFFIX)]:
            all_of_them.folders[folder] = notes
        for entry in entries:
            path = f"{folder}/{entry.name}".lstrip("/")
            if not entry.is_folder or path in koogs or entry.name in (".git", ".koog"):
                continue
            if entry.name.startswith(".") or entry.name in TOOLS:
                all_of_them.left.append(Left(path, "hidden" if entry.name.startswith(".") else "a tool's"))
            elif not is_text(entry.name):
                all_of_them.left.append(Left(path, "its name is no text"))
            else:
                waiting.append(path)
    all_of_them.left.sort()
    return all_of_them


def uncovered(workspace: Tree) -> dict[str, int]:
    """Return the folders at the top with Markdown that is no memory, and how many files. Raises WorkspaceError."""
    missed = (path for path in found(workspace).paths if workspace.own_notes.category(path) is None)
    return dict(Counter(path.partition("/")[0] for path in missed))


def proposed(notes: Found) -> OwnNotes:
    """Return the config that takes all of it in: a pattern for each journal, and globs by what the folders are called.

    >>> proposed(Found({"Daily": ["2026-02-27.md", "2026-02-28.md"], "Work/People": ["Ana.md"]}, []))
    OwnNotes(journal=('Daily/YYYY-MM-DD.md',), globs=(('person', ('Work/People/**',)),))
    """
    journal = _journal(notes)
    globs: dict[str, set[str]] = defaultdict(set)
    for path in notes.paths:
        if not any(day_of(pattern, path) for pattern in journal):
            kind, folder = _kind(path.rpartition("/")[0])
            globs[kind].add(
                f"{folder.replace('*', '?')}/**" if folder else f"*{SUFFIX}"
            )  # a star in a name: no pattern
    order = (*KINDS, REFERENCE)
    return OwnNotes(tuple(journal), tuple((kind, tuple(sorted(globs[kind]))) for kind in order if globs[kind]))


def _kind(folder: str) -> tuple[str, str]:
    """Return what lies in a folder by its name or that of one above it, and which of them says so."""
    parts = folder.split("/")
    for depth in range(len(parts), 0, -1):
        for kind, called in KINDS.items():
            if parts[depth - 1].strip("0123456789 -_.").casefold() in called.split():
                return kind, "/".join(parts[:depth])
    return REFERENCE, parts[0]


def _journal(notes: Found) -> list[str]:
    """Return the patterns of the journals, those of most notes first."""
    times: Counter[str] = Counter()
    for folder, names in notes.folders.items():
        above = _by_date(folder)
        own = Counter(pattern for name in names if (pattern := _pattern(above, folder, name)))
        dated = sum(own.values())
        if dated and (dated >= ENOUGH or 2 * dated >= len(names)):
            times += own
    exact = {pattern for pattern in times if f"{pattern.removesuffix(SUFFIX)}*{SUFFIX}" in times}
    return [pattern for pattern, _ in times.most_common() if pattern not in exact]


def _by_date(folder: str) -> str:
    """Return a folder's path with the years and months in it as a pattern has them."""
    parts = []
    for part in folder.split("/"):
        is_month = "YYYY" in parts and re.fullmatch(MONTH, part)
        named = re.sub(rf"^{YEAR}([-_.]){MONTH}$", r"YYYY\1MM", part)
        parts.append("MM" if is_month else re.sub(f"^{YEAR}$", "YYYY", named))
    return "/".join(parts)


def _pattern(above: str, folder: str, name: str) -> str | None:
    """Return the pattern of a note of a day, None for another note."""
    prefix = f"{above}/" if above else ""
    for day in DAYS:
        if day == "DD" and not ("YYYY" in above and "MM" in above):
            continue
        for end in (SUFFIX, f"*{SUFFIX}") if day in LONGER else (SUFFIX,):
            if day_of(f"{prefix}{day}{end}", f"{folder}/{name}".lstrip("/")):
                return f"{prefix}{day}{end}"
    return None
