"""What one command changes: staged while it decides, applied all at once or not at all.  [design §4]

The lock is never held while a model thinks. A command reads, asks, and then stages
*functions* from the present text to the new one: when a person saved the file
meanwhile, the function is applied to what the person wrote.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic, auditlog, chain, digests, journal, raw_root, seal, seen, swap
from koog.core.files.chain import Record
from koog.core.files.critical import MANUAL, Watch
from koog.core.files.journal import Step
from koog.core.files.record import Applied, Cause, Change, audit_line
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.roots import Spot
    from koog.core.files.tree import Tree

Edit = Callable[[str], str]
AUDIT = auditlog.NAME
TRIES = 5  # a person who saves the same file five times within milliseconds is a program


@dataclass(repr=False, eq=False)
class Staged:
    """One file's change: what it was when it was read, and what it becomes. mode: the new one, where it is told."""

    change: Change
    edit: Edit | None  # None: an append
    base: bytes | None
    new: bytes
    mode: int | None = None


class Removal(NamedTuple):
    """One file that goes, and what it was when that was decided."""

    change: Change
    base: bytes


class Door:
    """What one `writing` block stages. Reads through it see what is staged."""

    def __init__(self, workspace: Tree) -> None:
        self.workspace = workspace
        self.staged: list[Staged] = []
        self.renames: list[Change] = []
        self.removals: list[Removal] = []
        self.notes: list[Change] = []
        self.records: list[Record] = []
        self.rolls = False
        self.heeds = False

    def note(self, changes: Sequence[Change], *records: Record) -> None:
        """Stage audit lines that no file's change stands behind, and records of the chain that follow all lines.

        What others did to critical files is looked for, also when there are none.
        """
        self.notes += changes
        self.records += records
        self.heeds = True

    def roll(self) -> None:
        """Move the audit log's past months into their files, though nothing else is written: any write does it too."""
        self.rolls = True

    def text(self, path: str) -> str | None:
        """Return a file's text as it is staged, else as it is; None when there is none."""
        data = self._present(self.workspace.resolved(path))
        return None if data is None else atomic.decode(data)

    def edit(
        self,
        path: str,
        edit: Edit,
        *,
        summary: str,
        action: str | None = None,
        cause: Cause | None = None,
        mode: int | None = None,
    ) -> bool:
        """Stage a change from a file's present text ("" when there is none) to a new one; False when they are equal.

        BOM and line ends stay as the file has them. The function may be called
        again, with what a person saved meanwhile; it may raise Busy then.

        action   a word of moltbot §12.4 that says more than EDIT
        cause    who does it, where that is not the command's own
        mode     of the new version, where that is not the file's
        """
        path = self.workspace.resolved(path)
        base = self._present(path)
        new = atomic.encode(edit(atomic.decode(base or b"")), like=base)
        if new == base or (base is None and not new):
            return False
        done = "CREATE" if base is None else action or "EDIT"
        self._stage(Staged(self._change(done, path, summary, cause), edit, base, new, mode))
        return True

    def write(
        self, path: str, text: str, *, summary: str, action: str | None = None, cause: Cause | None = None
    ) -> bool:
        """Stage a whole text, for files that koog derives or makes: a person's version would be overwritten.

        Raises WorkspaceError for a link: whatever it leads to is no file that koog makes.
        """
        if self.workspace.is_link(path):
            raise WorkspaceError(f"{path} is a link, and koog writes this file whole", hint="remove the link")
        return self.edit(path, lambda _: text, summary=summary, action=action, cause=cause)

    def append(self, path: str, text: str, *, summary: str, cause: Cause | None = None) -> None:
        """Stage whole lines for the end of a file; a torn last line before them is ended first. cause: as in edit."""
        path = self.workspace.resolved(path)
        base = self._present(path)
        healed = "\n" if base and not base.endswith(b"\n") else ""
        new = (base or b"") + atomic.encode(healed + text, like=base).removeprefix(atomic.BOM)
        action = "CREATE" if base is None else "APPEND"
        self._stage(Staged(self._change(action, path, summary, cause), None, base, new))

    def move(self, path: str, to: str, *, summary: str) -> bool:
        """Stage a file's move to a name that is free; False when it is not, or there is no such file.

        The file moves as it is, unread; it cannot be changed in the same block.
        """
        if not self.workspace.exists(path) or self.workspace.exists(to) or any(c.to == to for c in self.renames):
            return False
        self.renames.append(Change("RENAME", path, summary, to))
        return True

    def put(self, path: str, data: bytes | None, *, summary: str, action: str) -> None:
        """Stage a file's bytes as they are, None for its removal. Busy when somebody changes it meanwhile."""
        if data is None:
            self.remove(path, summary=summary, action=action)
            return
        base = self._present(path)

        def never(_: str) -> str:
            raise Busy(f"{path} has changed meanwhile", hint="try again")

        if base != data:
            self._stage(Staged(Change(action, path, summary), never, base, data))

    def remove(self, path: str, *, summary: str, action: str = "DELETE") -> bool:
        """Stage a file's removal; False when there is none. It cannot be changed in the same block.

        For copies of koog's own that are too many. One that somebody changes meanwhile stays: Busy.
        """
        base = self.workspace.read(path)
        if base is None or any(r.change.path == path for r in self.removals):
            return False
        self.removals.append(Removal(Change(action, path, summary), base))
        return True

    def done(self) -> None:
        """Let go of what is in place now.

        Whoever staged an edit often holds the door, and the edit holds him: the texts of all files that were changed
        would stay until Python looks for such rings, which is the later the more there is in memory.
        """
        self.staged.clear()
        self.removals.clear()

    @property
    def unread(self) -> list[Change]:
        """Return the changes that are no text: moves and removals."""
        return [*self.renames, *(r.change for r in self.removals)]

    def _change(self, action: str, path: str, summary: str, cause: Cause | None) -> Change:
        return Change(action, path, summary, cause=cause, root=self.workspace.root_name(path))

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
    change = first.change._replace(summary=second.change.summary, cause=second.change.cause or first.change.cause)
    if first.edit is None and second.edit is None:
        return Staged(change, None, first.base, second.new)
    one, two = first.edit or _appending(first), second.edit or _appending(second)
    mode = first.mode if second.mode is None else second.mode
    return Staged(change, lambda text: two(one(text)), first.base, second.new, mode)


def _appending(entry: Staged) -> Edit:
    added = atomic.decode(entry.new[len(entry.base or b"") :])
    return lambda text: text + added


def apply(door: Door) -> list[Applied]:
    """Put in place what a door has staged, with its audit lines: all of it or nothing. Return what was done.

    Raises Busy when a person keeps saving one of the files, WorkspaceError.
    """
    workspace = door.workspace
    if door.rolls:
        _roll(door)
    if not any(s.base != s.new for s in door.staged) and not door.unread and not _heeded(door):
        return []
    if not door.rolls:
        _roll(door)
    real = [s for s in door.staged if s.base != s.new]
    changes = [*(s.change for s in real), *door.unread]
    undo: list[Callable[[], object]] = []
    places: dict[str, Spot] = {}
    log = Log(workspace, real, [*changes, *door.notes])
    try:
        places = {path: workspace.place(path) for c in changes for path in c.paths} | {log.path: log.place}
        _prepare(workspace, real, places)
        moves = [Step("rename", c.path, to=c.to or "") for c in door.renames]
        gone = [Step("remove", r.change.path, before=journal.digest(r.base)) for r in door.removals]
        done = _applied(door, real)
        known = Known(workspace, [*done, log.applied])
        sealed = log.seal(done, door.records)
        steps = [*map(_step, real), *moves, *gone, log.step, *sealed.steps, *known.prepared()]
        journal.write(workspace.journal, steps)
        for entry in real:
            undo.append(_put(entry, places[entry.change.path]))
        for move in moves:
            undo.append(_move(places[move.path], places[move.to]))
        for removal in door.removals:
            undo.append(_set_aside(places[removal.change.path], removal.base))
        undo.append(atomic.append(log.place, log.lines))
        undo.append(sealed.put())
        known.put()
    except BaseException:  # ^C too leaves the files as they were
        journal.clear(workspace.journal)
        for step in reversed(undo):
            with suppress(OSError, WorkspaceError):  # one that cannot be undone must not keep the others
                step()
        for entry in real:
            if entry.change.path in places:
                atomic.discard(places[entry.change.path])
        raise
    journal.clear(workspace.journal)
    for removal in door.removals:  # until here it could have been undone
        atomic.discard(places[removal.change.path])
    seal.note(workspace, log.verdict)
    now = _applied(door, real)
    with suppress(OSError, WorkspaceError):  # it is done; what is not written down is told once more
        log.watch.put(now)
    if now != done:  # a person saved meanwhile, and the edit was made upon theirs
        known.correct([*now, log.applied])
    return known.told(now)


class Log:
    """What one transaction adds to the audit log."""

    def __init__(self, workspace: Tree, real: list[Staged], changes: list[Change]) -> None:
        self.path = workspace.resolved(workspace.in_memory(AUDIT))
        self.place = workspace.place(self.path)
        present = self.place.read()
        self.verdict = seal.look(workspace, self.path, present)
        self.workspace = workspace
        self.watch = Watch(workspace)
        others = [line for line in self.verdict.found if not auditlog.claims(line)]  # of a koog in a sandbox, perhaps
        sandboxed = {e.file for line in others if (e := auditlog.parse(line.decode("utf-8", "replace")))}
        found = [*self.watch.found, *(c for c in hand_edits(workspace, real) if c.path not in sandboxed)]
        told = [*([self.verdict.change] if self.verdict.change else []), *found]
        self.told = [*told, *changes, *self.watch.alarms(changes)]
        self.lines = "".join(_audit_line(workspace, c) for c in self.told).encode()
        before = next((s.new for s in real if s.change.path == self.path), present or b"")
        healed = b"\n" if before and not before.endswith(b"\n") else b""
        self.step = Step("insert", self.path, at=len(before), data=self.lines)
        self.applied = Applied(Change("APPEND", self.path, ""), present, before + healed + self.lines)

    def seal(self, done: list[Applied], records: Sequence[Record]) -> seal.Seal:
        """Return what the chain gets of it: each line, and the digest of the file that it names."""
        after = {row.change.path: row.after for row in done}
        marks = [chain.file_mark(after.get(change.path)) for change in self.told]
        lines = [chain.Line(*pair) for pair in zip(auditlog.rows(self.lines), marks, strict=True)]
        return seal.Seal(self.workspace, self.verdict, lines, records)


def _heeded(door: Door) -> bool:
    """Return whether there is something to tell of, though no file changes."""
    if not door.heeds:
        return False
    watch = Watch(door.workspace)
    if not door.notes and not watch.found and not door.records:
        watch.put([])
        return False
    return True


def hand_edits(workspace: Tree, staged: Sequence[Staged]) -> list[Change]:
    """Return what somebody else made of the files that are about to change, so that the log tells it first."""
    if workspace.state_root is None:
        return []
    marks = digests.load(workspace.state_root)
    found = [s for s in staged if s.base is not None and s.change.path in marks]
    ledgers = digests.load(workspace.state_root, digests.LEDGERS) if found else {}
    log = workspace.resolved(workspace.in_memory(AUDIT))
    return [
        Change("EDIT", s.change.path, seen.OUTSIDE, cause=MANUAL)
        for s in found
        if s.change.path != log
        and not workspace.is_critical(s.change.path)
        and digests.mark(s.base or b"") not in (marks[s.change.path], ledgers.get(s.change.path))
        and not seen.is_told(workspace.state_root, s.change.path, s.base or b"")
    ]


def _roll(door: Door) -> None:
    """Move the lines of past months out of the log, each into its month's file; only where a chain follows them."""
    workspace = door.workspace
    if workspace.state_root is None or workspace.when is None:
        return
    path = workspace.in_memory(AUDIT)
    month = workspace.when.astimezone(UTC).strftime("%Y-%m")
    lines = auditlog.rows(workspace.read(path) or b"")
    if not lines or lines[0].startswith(month.encode()):
        return
    past = auditlog.older(lines, month)
    for name, run in past:
        text = b"".join(line + b"\n" for line in run).decode("utf-8", "surrogateescape")
        summary = f"{len(run)} {'line' if len(run) == 1 else 'lines'} of {name}"
        door.append(auditlog.month_file(workspace, name), text, summary=summary, cause=seal.CAUSE)
    if past:
        size = sum(len(line) + 1 for _, run in past for line in run)
        keep = atomic.decode((workspace.read(path) or b"")[size:])
        door.edit(path, lambda _: keep, summary="the lines of past months have their own files", cause=seal.CAUSE)


class Known:
    """What the state root knows of the files after the transaction: nothing, where this koog sees none."""

    def __init__(self, workspace: Tree, applied: list[Applied]) -> None:
        self.state_root = workspace.state_root
        if self.state_root:
            self.spot = self.state_root.root.itself(f"{digests.NAME}.json")
            self.before = atomic.content(self.spot)
            self.marks = digests.load(self.state_root)
            self.after = digests.text(digests.following(self.marks, applied))

    def prepared(self) -> list[Step]:
        """Write the new version beside the old one; return the journal's step for it."""
        if not self.state_root:
            return []
        atomic.prepare(self.spot, self.after)
        old, new = journal.digest(self.before), journal.digest(self.after)
        return [Step("replace", self.spot.name, before=old, after=new, at=len(self.after), root=journal.STATE)]

    def put(self) -> None:
        """Put the new version in place. Raises Busy, WorkspaceError."""
        if self.state_root and atomic.replace(self.spot, expected=self.before) is not atomic.AS_EXPECTED:
            raise Busy("the workspace's state has changed meanwhile", hint="try again")

    def told(self, applied: list[Applied]) -> list[Applied]:
        """Return what was done, with whether koog itself had left each file as it was, also that there was none."""
        if not self.state_root:
            return applied
        ledgers = digests.load(self.state_root, digests.LEDGERS)

        def is_own(row: Applied) -> bool:
            if row.change.root == raw_root.NAME:
                return True
            known = [each for each in (self.marks.get(row.change.path), ledgers.get(row.change.path)) if each]
            return digests.mark(row.before) in known if row.before is not None else not known

        return [row._replace(own=is_own(row)) for row in applied]

    def correct(self, applied: list[Applied]) -> None:
        """Put what was really done."""
        if self.state_root:
            self.state_root.put(digests.NAME, digests.following(self.marks, applied))


def _applied(door: Door, real: list[Staged]) -> list[Applied]:
    cause = door.workspace.cause
    rows = [Applied(s.change._replace(cause=s.change.cause or cause), s.base, s.new) for s in real]
    rows += [Applied(c._replace(cause=c.cause or cause), None, None) for c in door.renames]
    return rows + [Applied(r.change._replace(cause=r.change.cause or cause), r.base, None) for r in door.removals]


def _prepare(workspace: Tree, staged: list[Staged], places: dict[str, Spot]) -> None:
    """Write the new versions beside their files; move out of the way what killed runs have left there."""
    for name, spot in {path.rpartition("/")[0]: spot for path, spot in places.items()}.items():
        if raw_root.is_cited(f"{name}/"):  # it stays with them: no workspace keeps it, and theirs may be another disk
            atomic.rescue(spot.folder, workspace.transcripts, has_all=partial(_has_all, spot))
        else:
            atomic.rescue(spot.folder, workspace.own)
    for entry in staged:
        if entry.edit:
            atomic.prepare(places[entry.change.path], entry.new, mode=entry.mode)


def _has_all(spot: Spot, left: str, name: str) -> bool:
    """Return whether a transcript says all that a version does which was left in its folder. spot: a name there"""
    try:
        versions = [atomic.content(spot.beside(each)) for each in (left, name)]
    except OSError:
        return False
    return None not in versions and raw_root.has_all(*(each or b"" for each in versions))


def _step(entry: Staged) -> Step:
    path, base, root = entry.change.path, entry.base, entry.change.root
    if root == raw_root.NAME:
        path = raw_root.inner(path)
    if entry.edit:
        before, after = journal.digest(base), journal.digest(entry.new)
        return Step("replace", path, before=before, after=after, at=len(entry.new), root=root)
    size = len(base or b"")
    return Step("append", path, at=size, data=entry.new[size:], root=root)


def _move(source: Spot, target: Spot) -> Callable[[], object]:
    try:
        if not swap.place(source, target):
            raise Busy(f"{target.name} has appeared meanwhile", hint="try again")
        journal.sync(source, target)
    except OSError as e:
        raise source.error(e) from None
    return lambda: swap.place(target, source)


def _set_aside(target: Spot, base: bytes) -> Callable[[], object]:
    """Take a file away and look at it: what somebody saved meanwhile is put back, and the removal is off."""
    aside = atomic.beside(target)
    try:
        target.rename(aside)
        if atomic.content(aside) != base:
            swap.place(aside, target)
            raise Busy(f"{target.name} has changed meanwhile", hint="try again")
        journal.sync(target)
    except OSError as e:
        with suppress(OSError):
            swap.place(aside, target)
        raise target.error(e) from None
    return lambda: swap.place(aside, target)


def _put(entry: Staged, target: Spot) -> Callable[[], None]:
    if entry.edit is None:
        return atomic.append(target, entry.new[len(entry.base or b"") :])
    info = target.info() if entry.mode is not None else None
    before = stat.S_IMODE(info.st_mode) if info else None
    for _ in range(TRIES):
        displaced = atomic.replace(target, expected=entry.base)
        if displaced is atomic.AS_EXPECTED:
            base, new = entry.base, entry.new
            return lambda: atomic.restore(target, ours=new, before=base, mode=before)
        # A person saved in between: their text is in place again; do the same work on it. The journal knows
        # nothing of it: killed right now, the file is theirs, or ours upon theirs, and nothing is lost.
        entry.base = displaced
        entry.new = atomic.encode(entry.edit(atomic.decode(displaced or b"")), like=displaced)
        atomic.prepare(target, entry.new, mode=entry.mode)
    atomic.discard(target)
    raise Busy(f"{entry.change.path} keeps changing", hint="try again when it is saved")


def _audit_line(workspace: Tree, change: Change) -> str:
    if workspace.when is None:
        raise ValueError("a workspace without a clock cannot write")
    critical = workspace.is_critical(change.path) and change.action not in ("ALERT", "ACK")
    return audit_line(change, cause=change.cause or workspace.cause, when=workspace.when, critical=critical)
