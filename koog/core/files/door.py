"""What one command changes: staged while it decides, applied all at once or not at all.  [design §4]

The lock is never held while a model thinks. A command reads, asks, and then stages
*functions* from the present text to the new one: when a person saved the file
meanwhile, the function is applied to what the person wrote.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic, journal, swap
from koog.core.files.journal import Step
from koog.core.files.record import Change, audit_line
from koog.core.files.workspace import PRIVATE, Workspace

Edit = Callable[[str], str]
TRIES = 5  # a person who saves the same file five times within milliseconds is a program


@dataclass(repr=False, eq=False)
class Staged:
    """One file's change: what it was when it was read, and what it becomes."""

    change: Change
    edit: Edit | None  # None: an append
    base: bytes | None
    new: bytes


class Removal(NamedTuple):
    """One file that goes, and what it was when that was decided."""

    change: Change
    base: bytes


class Door:
    """What one `writing` block stages. Reads through it see what is staged."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.staged: list[Staged] = []
        self.renames: list[Change] = []
        self.removals: list[Removal] = []

    def text(self, path: str) -> str | None:
        data = self._present(path)
        return None if data is None else atomic.decode(data)

    def edit(self, path: str, edit: Edit, *, summary: str) -> bool:
        """Stage a change from a file's present text ("" when there is none) to a new one; False when they are equal.

        BOM and line ends stay as the file has them. The function may be called
        again, with what a person saved meanwhile; it may raise Busy then.
        """
        base = self._present(path)
        new = atomic.encode(edit(atomic.decode(base or b"")), like=base)
        if new == base or (base is None and not new):
            return False
        action = "CREATE" if base is None else "EDIT"
        self._stage(Staged(Change(action, path, summary), edit, base, new))
        return True

    def write(self, path: str, text: str, *, summary: str) -> bool:
        """Stage a whole text, for files that koog derives or makes: a person's version would be overwritten."""
        return self.edit(path, lambda _: text, summary=summary)

    def append(self, path: str, text: str, *, summary: str) -> None:
        """Stage whole lines for the end of a file; a torn last line before them is ended first."""
        base = self._present(path)
        healed = "\n" if base and not base.endswith(b"\n") else ""
        new = (base or b"") + atomic.encode(healed + text, like=base).removeprefix(atomic.BOM)
        action = "CREATE" if base is None else "APPEND"
        self._stage(Staged(Change(action, path, summary), None, base, new))

    def move(self, path: str, to: str, *, summary: str) -> bool:
        """Stage a file's move to a name that is free; False when it is not, or there is no such file.

        The file moves as it is, unread; it cannot be changed in the same block.
        """
        if not self.workspace.exists(path) or self.workspace.exists(to) or any(c.to == to for c in self.renames):
            return False
        self.renames.append(Change("RENAME", path, summary, to))
        return True

    def remove(self, path: str, *, summary: str) -> bool:
        """Stage a file's removal; False when there is none. It cannot be changed in the same block.

        For copies of koog's own that are too many. One that somebody changes meanwhile stays: Busy.
        """
        base = self.workspace.read(path)
        if base is None or any(r.change.path == path for r in self.removals):
            return False
        self.removals.append(Removal(Change("DELETE", path, summary), base))
        return True

    @property
    def unread(self) -> list[Change]:
        """Return the changes that are no text: moves and removals."""
        return [*self.renames, *(r.change for r in self.removals)]

    def _present(self, path: str) -> bytes | None:
        for entry in reversed(self.staged):
            if entry.change.path == path:
                return entry.new
        return self.workspace.read(path)

    def _stage(self, entry: Staged) -> None:
        """Keep one entry a file: a second change of the same file goes on from the first."""
        for i, earlier in enumerate(self.staged):
            if earlier.change.path == entry.change.path:
                self.staged[i] = _joined(earlier, entry)
                return
        self.staged.append(entry)


def _joined(first: Staged, second: Staged) -> Staged:
    change = Change(first.change.action, first.change.path, second.change.summary)
    if first.edit is None and second.edit is None:
        return Staged(change, None, first.base, second.new)
    one, two = first.edit or _appending(first), second.edit or _appending(second)
    return Staged(change, lambda text: two(one(text)), first.base, second.new)


def _appending(entry: Staged) -> Edit:
    added = atomic.decode(entry.new[len(entry.base or b"") :])
    return lambda text: text + added


def apply(door: Door) -> list[Change]:
    """Put in place what a door has staged, with its audit lines: all of it or nothing. Return the changes made.

    Raises Busy when a person keeps saving one of the files, WorkspaceError.
    """
    workspace = door.workspace
    real = [s for s in door.staged if s.base != s.new]
    changes = [*(s.change for s in real), *door.unread]
    if not changes:
        return []
    audit = workspace.in_memory("meta/audit.log")
    lines = "".join(_audit_line(workspace, c) for c in changes).encode()
    undo: list[Callable[[], object]] = []
    try:
        places = {path: workspace.place(path) for c in changes for path in c.paths} | {audit: workspace.place(audit)}
        _prepare(workspace, real, places)
        moves = [Step("rename", c.path, to=c.to or "") for c in door.renames]
        gone = [Step("remove", r.change.path, before=journal.digest(r.base)) for r in door.removals]
        size = next((len(s.new) for s in real if s.change.path == audit), workspace.size(audit) or 0)
        told = Step("append", audit, at=size, data=lines)
        journal.write(workspace, [*map(_step, real), *moves, *gone, told])
        for entry in real:
            undo.append(_put(entry, places[entry.change.path]))
        for move in moves:
            undo.append(_move(places[move.path], places[move.to]))
        for removal in door.removals:
            undo.append(_set_aside(places[removal.change.path], removal.base))
        atomic.append(places[audit], lines)
    except BaseException:  # ^C too leaves the files as they were
        journal.clear(workspace)
        for step in reversed(undo):
            with suppress(OSError, WorkspaceError):  # one that cannot be undone must not keep the others
                step()
        for entry in real:
            atomic.discard(workspace.root / entry.change.path)
        raise
    journal.clear(workspace)
    for removal in door.removals:  # until here it could have been undone
        atomic.discard(places[removal.change.path])
    return changes


def _prepare(workspace: Workspace, staged: list[Staged], places: dict[str, Path]) -> None:
    """Write the new versions beside their files; move out of the way what killed runs have left there."""
    for folder in dict.fromkeys(p.parent for p in places.values()):
        atomic.rescue(folder, workspace.root / PRIVATE / "recovered")
    for entry in staged:
        if entry.edit:
            atomic.prepare(places[entry.change.path], entry.new)


def _step(entry: Staged) -> Step:
    path, base = entry.change.path, entry.base
    if entry.edit:
        return Step("replace", path, before=journal.digest(base), after=journal.digest(entry.new), at=len(entry.new))
    size = len(base or b"")
    return Step("append", path, at=size, data=entry.new[size:])


def _move(source: Path, target: Path) -> Callable[[], object]:
    try:
        if not swap.place(source, target):
            raise Busy(f"{target.name} has appeared meanwhile", hint="try again")
        journal.sync(source, target)
    except OSError as e:
        raise WorkspaceError(f"{source.name}: {e.strerror}") from None
    return lambda: swap.place(target, source)


def _set_aside(target: Path, base: bytes) -> Callable[[], object]:
    """Take a file away and look at it: what somebody saved meanwhile is put back, and the removal is off."""
    aside = atomic.beside(target)
    try:
        target.replace(aside)
        if aside.read_bytes() != base:
            swap.place(aside, target)
            raise Busy(f"{target.name} has changed meanwhile", hint="try again")
        journal.sync(target)
    except OSError as e:
        with suppress(OSError):
            swap.place(aside, target)
        raise WorkspaceError(f"{target.name}: {e.strerror}") from None
    return lambda: swap.place(aside, target)


def _put(entry: Staged, target: Path) -> Callable[[], None]:
    if entry.edit is None:
        return atomic.append(target, entry.new[len(entry.base or b"") :])
    for _ in range(TRIES):
        displaced = atomic.replace(target, expected=entry.base)
        if displaced is atomic.AS_EXPECTED:
            base, new = entry.base, entry.new
            return lambda: atomic.restore(target, ours=new, before=base)
        # A person saved in between: their text is in place again; do the same work on it. The journal knows
        # nothing of it: killed right now, the file is theirs, or ours upon theirs, and nothing is lost.
        entry.base = displaced
        entry.new = atomic.encode(entry.edit(atomic.decode(displaced or b"")), like=displaced)
        atomic.prepare(target, entry.new)
    atomic.discard(target)
    raise Busy(f"{entry.change.path} keeps changing", hint="try again when it is saved")


def _audit_line(workspace: Workspace, change: Change) -> str:
    if workspace.when is None:
        raise ValueError("a workspace without a clock cannot write")
    critical = change.path in workspace.critical_files
    return audit_line(change, cause=workspace.cause, when=workspace.when, critical=critical)
