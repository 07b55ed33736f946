"""One run of the pruner: MEMORY.md to its caps, old days and forgotten files into archive/, and back.  [§8.5, §8.6]

Each kind is one step. What a person saves meanwhile is not overwritten: the step waits for the next run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from koog.core import clock, forgotten
from koog.core.cursor_parts import NAME
from koog.core.errors import NotFound, Refused
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.knowledge import by_hand, core_sections, filing, layout, lists, reading
from koog.knowledge.core_sections import Caps
from koog.knowledge.layout import ACTIVE, INDEX, MEMORY
from koog.knowledge.pruning import core_prune, eviction, referring, restored, shelf, staging
from koog.knowledge.pruning.core_prune import Going
from koog.knowledge.pruning.shelf import Leaving
from koog.memory.store import line as lines
from koog.memory.store.sections import Section, Sections
from koog.sessions import labels
from koog.sessions.labels import Label

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

DAYS = r"(\d{4}-\d\d-\d\d)\.md"
LISTED = "its file was put away"


class Went(NamedTuple):
    """One line that left a file."""

    text: str
    label: Label
    path: str
    to: str
    why: str


@dataclass
class Done:
    """What came of a run."""

    went: list[Went] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)


class Pruner:
    """What one run has to work with, and what came of it."""

    def __init__(self, run: Run) -> None:
        self.run, self.done = run, Done()
        self.layout = layout.of(NO_NOTES if run.notes_root else run.workspace.own_notes)
        self.caps = Caps.of(run)
        self.today: date = run.now.astimezone(run.zone).date()

    def due(self) -> tuple[int, int]:
        """Return how many lines and how many files there are to put away."""
        return len(self._over()), len(self._old()) + len(list(self.stale()))

    # --- MEMORY.md

    def _over(self) -> list[Going]:
        text = self.run.workspace.text(MEMORY) or ""
        if not text or not core_sections.is_over(text, self.caps):
            return []
        kept = by_hand.rows(self.run, MEMORY)[MEMORY]
        return core_prune.going(text, self.caps, elsewhere=self._elsewhere(), kept=kept)

    def memory(self) -> None:
        """Take out of MEMORY.md what is over its caps."""
        found = self._over()
        if not found:
            return
        with self.run.workspace.writing() as door:
            leaving = [Leaving(e.entry.section, e.entry.item.row, e.entry.item.end) for e in found]
            to = staging.shelve(door, MEMORY, leaving, today=self.run.today)
        for each in found:
            entry = each.entry
            self.done.went.append(Went(entry.text, entry.line.label, MEMORY, to, each.why))

    def _elsewhere(self) -> list[str]:
        """Return what the files of projects and people say."""
        tree, found = self.run.workspace, list[str]()
        for folder in (self.layout.projects, self.layout.people):
            for path in reading.below(tree.files, folder):
                found += filing.texts(tree.text(path) or "", path)
        return found

    # --- journals

    def journals(self) -> None:
        """Put away the days that are older than knowledge.journalDays, as they are."""
        self._put_away(self._old(), why=f"older than {self._days} days")

    @property
    def _days(self) -> int:
        return int(self.run.settings.get("knowledge.journalDays"))

    def _old(self) -> list[str]:
        days, folder = self._days, self.layout.journal
        old = list[str]()
        for name in self.run.workspace.names(folder, ".md"):
            found = compiled(DAYS).fullmatch(name)
            day = clock.parse_day(found[1]) if found else None
            is_old = day is not None and (self.today - day).days > days
            if is_old and not restored.is_back(self._back, f"{folder}/{name}", self.today, days=days):
                old.append(f"{folder}/{name}")
        return old

    @cached_property
    def _back(self) -> dict[str, str]:
        """Return file → the day on which somebody put it back."""
        return restored.load(self.run.workspace)

    def _put_away(self, paths: Sequence[str], *, why: str) -> None:
        if not paths:
            return
        with self.run.workspace.writing() as door:
            for path in paths:
                self._move(door, path, staging.free(door, shelf.place(path)), why)

    def _move(self, door: Door, path: str, to: str, why: str) -> bool:
        is_moved = door.move(path, to, summary=why)
        if is_moved:
            self.done.moved.append((path, to))
        return is_moved

    # --- files that nobody has spoken of

    def evict(self) -> None:
        """Put away the files of projects, people, procedures and reference that score too little."""
        found = list(self.stale())
        if not found:
            return
        with self.run.workspace.writing() as door:
            for path in found:
                self._move(door, path, staging.free(door, shelf.place(path)), "not spoken of for long")
            self._unlist(door, set(found))

    def stale(self) -> Iterator[str]:
        """Yield the paths of the files that may be put away."""
        tree, settings = self.run.workspace, self.run.settings
        folders = (self.layout.projects, self.layout.people, self.layout.procedures, self.layout.reference)
        texts = {path: tree.text(path) or "" for f in folders for path in reading.below(tree.files, f)}
        # Whatever the head of a topic names it subscribes to, in any notation, and though it cannot be read as YAML.
        heads = [_head(tree.text(f"topics/{name}") or "") for name in tree.names("topics", ".md")]
        found = list[str]()
        for path, text in texts.items():
            kind = self.layout.kind(path)
            if (
                kind in ("", "project_index", "person_index")
                or any(path in head for head in heads)
                or not referring.is_koogs(text, path)
                or restored.is_back(self._back, path, self.today, days=int(settings.get("knowledge.evictDays")))
            ):
                continue
            age = referring.age_days(text, path, self.today)
            others = (other for p, other in texts.items() if p != path and p.rpartition("/")[2] not in (ACTIVE, INDEX))
            if age is not None and eviction.is_stale(
                age,
                referring.references(text, path, others),
                decay=float(settings.get("knowledge.evictDecay")),
                below=float(settings.get("knowledge.evictBelow")),
                days=int(settings.get("knowledge.evictDays")),
            ):
                found.append(path)
        if found:
            theirs = by_hand.rows(self.run, *found)
            yield from (path for path in found if not theirs[path])

    def _unlist(self, door: Door, gone: set[str]) -> None:
        """Take projects and people out of their lists of whom no file is left."""
        tree = self.run.workspace
        left = {p.split("/")[-2] for p in reading.below(tree.files, self.layout.projects) if p not in gone}
        for path, names in self._listed({path: tree.text(path) or "" for path in gone}):
            self._without_rows(door, path, names - left if path.endswith(ACTIVE) else names)

    def _listed(self, texts: Mapping[str, str]) -> Iterator[tuple[str, set[str]]]:
        """Yield each of the two lists with whom some files are of. texts: path → what a file says"""
        projects, people = self.layout.projects, self.layout.people
        yield f"{projects}/{ACTIVE}", {path.split("/")[-2] for path in texts if path.startswith(f"{projects}/")}
        yield f"{people}/{INDEX}", {referring.title(t) for p, t in texts.items() if p.startswith(f"{people}/")}

    def _without_rows(self, door: Door, path: str, names: set[str]) -> None:
        text = door.text(path) or ""
        found = Sections(text, path)
        rows = [
            (item.row, match)
            for item in found.items_of(Section("", -1, len(found.rows)))
            if (match := compiled(lists.ROW).fullmatch(found.rows[item.row])) and match["name"] in names
        ]
        if not rows:
            return
        leaving = [Leaving(found.title, row, row + 1) for row, _ in rows]
        to = staging.shelve(door, path, leaving, today=self.run.today)
        for row, match in rows:
            told = Went(match["name"], labels.of_line(found.rows[row]), path, to, LISTED)
            self.done.went.append(told)

    # --- back

    def restore(self, named: str) -> None:
        """Put back a file of the archive, or all of a folder of it. Raises NotFound, Refused."""
        tree = self.run.workspace
        wanted = named.rstrip("/")
        paths = [p for p in reading.below(tree.files, shelf.ARCHIVE) if p == wanted or p.startswith(f"{wanted}/")]
        if not paths:
            raise NotFound(f"the archive has no {named!r}", hint=f"a file or folder of {shelf.ARCHIVE}/")
        texts = {path: tree.text(path) or "" for path in paths}
        homes = {path: shelf.home(path, own=self.layout) for path in paths}
        files = [path for path in paths if not shelf.shelved(texts[path])]
        parts = [path for path in paths if path not in files]
        back = {homes[path] for path in files}
        if taken := [homes[path] for path in files if tree.exists(homes[path])]:
            raise Refused(f"{taken[0]} stands there", hint="move it, then restore")
        if gone := [homes[path] for path in parts if homes[path] not in back and not tree.exists(homes[path])]:
            raise Refused(f"{gone[0]} is not there to take its lines back", hint=f"restore {gone[0]} first")
        self._forget(paths)
        texts = {path: tree.text(path) or "" for path in paths}
        with tree.writing() as door:
            for path in files:
                if not self._move(door, path, homes[path], "back from the archive"):
                    self.run.warnings.append(f"{path} stays: {homes[path]} comes back from another file")
            if files:
                cursors, today = tree.in_memory(NAME), self.run.today
                door.edit(cursors, lambda now: restored.noted(now, back, today), summary="what has come back stays")
        self._relist({homes[path]: texts[path] for path in files}, but=parts)
        for path in parts:
            with tree.writing() as door:
                staging.unshelve(door, path, homes[path])
            for each in shelf.shelved(texts[path]):
                self.done.went.append(_back(each.rows[0], path, homes[path]))

    def _relist(self, back: Mapping[str, str], *, but: Collection[str]) -> None:
        """Put the rows of the two lists back that name a project or a person who has come back.

        back   path → what a file says that has come back
        but    files of the archive that come back themselves
        """
        for path, names in self._listed(back):
            kept = shelf.place(path)
            text = self.run.workspace.text(kept) or ""
            rows = {each.rows[0] for each in shelf.shelved(text) if _name(each.rows[0]) in names}
            if not rows or kept in but or not self.run.workspace.exists(path):
                continue
            with self.run.workspace.writing() as door:
                staging.unshelve(door, kept, path, only=rows)
            for row in sorted(rows):
                self.done.went.append(_back(row, kept, path))

    def _forget(self, paths: Sequence[str]) -> None:
        """Take out of the archive what was forgotten since it lies there: it does not come back."""
        gone = forgotten.of(self.run.workspace)
        with self.run.workspace.writing() as door:
            for path in paths if gone else ():
                door.edit(
                    path, lambda text: shelf.without(text, gone.holds), summary="what was forgotten", action="DELETE"
                )


def _back(row: str, path: str, to: str) -> Went:
    """Return that a line has come back: of a list the name in it."""
    words = lines.read(row.strip().removeprefix("- ")).text
    return Went(_name(row) or words, labels.of_line(row), path, to, "back from the archive")


def _name(row: str) -> str:
    """Return whom a row of a list names, "" for any other row."""
    found = compiled(lists.ROW).fullmatch(row.rstrip("\r"))
    return found["name"] if found else ""


def _head(text: str) -> str:
    rows = text.split("\n")
    return "\n".join(rows[: frontmatter.lines(rows)])
