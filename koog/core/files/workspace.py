"""One workspace: its files, its paths, and the block in which they are written.  [design §4]

Whatever koog writes stays inside the workspace, is atomic, runs under one lock,
honours `--dry-run`, becomes an audit line and part of the command's one commit.
No command knows how: it stages its changes in a `with workspace.writing()` block,
and door.py applies them together when the block ends, or not at all.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic, journal, lock, own_notes, raw_root
from koog.core.files.record import Applied, Change
from koog.core.files.roots import READ_LIMIT, Folder, Root, clear_halves, put_among, put_unsynced
from koog.core.files.tree import PRIVATE, Tree

if TYPE_CHECKING:
    from koog.core.files.door import Door

MARKS = (PRIVATE, "koog-config.json", "memory/meta")  # one of them makes a folder a workspace
SQLITE = ("", "-wal", "-shm", "-journal")  # the files of one database

__all__ = ["PRIVATE", "READ_LIMIT", "Workspace", "is_workspace"]


@dataclass(repr=False, eq=False)
class Workspace(Tree):
    """One folder that agent, operator and cron share, and how koog writes into it.

    changes   what this command changed so far, in order
    after     is told what was applied, under the lock
    """

    lock_wait_s: float = 10.0
    changes: list[Change] = field(default_factory=list)
    after: Callable[[list[Applied]], None] | None = None
    _is_locked: bool = False

    # Writing

    @contextmanager
    def writing(self) -> Iterator[Door]:
        """Stage changes in the block; apply them, with their audit lines, when it ends without an error."""
        from koog.core.files.door import Door, apply  # most commands only read

        if self.dry_run:
            door = Door(self)
            yield door
            self._pretend(door)
            door.done()
            return
        with self.alone():
            door = Door(self)
            yield door
            applied = apply(door)
            door.done()
            self.changes += [row.change for row in applied]
            if applied and self.after:
                self.after(applied)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the write lock, what a killed koog left half done finished first. Raises Busy, WorkspaceError."""
        with self.locked("lock", wait_s=self.lock_wait_s, what="the workspace"):
            self._finish()
            self._is_locked = True
            try:
                yield
            finally:
                self._is_locked = False

    @property
    def is_locked(self) -> bool:
        """Return whether this very run holds the write lock."""
        return self._is_locked

    def learn(self, contents: Mapping[str, bytes]) -> None:
        """Take for known what a commit has just taken from others, where it still stands. Raises Busy, WorkspaceError.

        Under the write lock: a killed command's journal counts on what the state root knew when it was written.
        """
        from koog.core.files import digests

        if self.state_root is None or not contents:
            return
        with nullcontext() if self._is_locked else self.alone():
            digests.learn(self.state_root, {path: data for path, data in contents.items() if self.read(path) == data})

    @contextmanager
    def locked(self, name: str, *, wait_s: float, what: str) -> Iterator[None]:
        """Hold a lock of `.koog/`, which every koog on this workspace sees. Raises Busy, WorkspaceError.

        And one of that name in the state root: an agent that makes the file anew lets in a second koog, but only
        one that has no state to write.
        """
        self._private_folder()
        with ExitStack() as held:
            held.enter_context(lock.held(self.own.itself(name), wait_s=wait_s, what=what))
            if self.state_root:
                held.enter_context(self.state_root.locked(name, wait_s=wait_s))
            yield

    def recover(self) -> None:
        """Finish what a killed command left half done, so that a reader sees all of it; not while one is at work."""
        if self.dry_run or not self.is_half_done:
            return
        try:
            with self.locked("lock", wait_s=0, what="the workspace"):
                self._finish()
        except Busy:
            pass
        except WorkspaceError as e:  # a reader goes on with what there is
            self.warnings.append(e.message)

    @property
    def is_half_done(self) -> bool:
        """Return whether a killed command waits to be finished."""
        return any(journal.waits(place) for place in self._journals())

    def _journals(self) -> list[Root]:
        return [self.state_root.root, self.own] if self.state_root else [self.own]

    def _finish(self) -> None:
        for place in self._journals():
            # The agent may have written the one in `.koog/`: it goes no way out that the operator gave to links.
            roots = {journal.WORKSPACE: Root(self.root)}
            if self.state_root and place is self.state_root.root:
                roots = {journal.WORKSPACE: self.files, journal.STATE: self.state_root.root}
                roots |= {raw_root.NAME: self.transcripts} if self.raw else {}
            if journal.waits(place):
                self.warnings += journal.finish(place, roots, own=self.own)

    def ledger(self, path: str, line: str) -> None:
        """Append one line without audit, commit or lock, under `--dry-run` too: the usage ledger's exception."""
        if self.state_root is None:
            atomic.append(self.place(path), line.encode())
            return
        from koog.core.files import digests

        digests.append(self.state_root, self.place(path), path, line.encode())

    def make_folder(self, path: str) -> None:
        """Make an empty folder inside the workspace, private to its owner."""
        try:
            self.files.folder(path, make=True)
        except OSError as e:
            raise WorkspaceError(f"{path}: {e.strerror}") from None

    def make_raw(self) -> None:
        """Make the folder of the transcripts where there is none. Raises WorkspaceError, also without a state root.

        A transaction over two roots is finished from the state root alone: the agent can write every other journal.
        """
        if self.raw is None or self.state_root is None:
            raise WorkspaceError("koog sees no state root of this workspace here", hint="koog init")
        within = raw_root.inside(self.raw, self.root)
        kept = own_notes.taken(self.memory, self.modules) - {raw_root.NAME}
        if self.root.is_relative_to(self.raw) or (within and within.partition("/")[0] in kept):
            raise WorkspaceError("paths.raw names a folder that is the workspace's own", hint="name one of its own")
        if not self.dry_run:
            raw_root.make(self.raw, self.files)

    def chmod(self, path: str, mode: int) -> None:
        """Give one of koog's own files another mode. Raises WorkspaceError."""
        target = self.place(path)
        try:
            fd = target.open()
            try:
                os.fchmod(fd, mode)
            finally:
                os.close(fd)
        except OSError as e:
            raise target.error(e) from None

    def close_to_others(self) -> None:
        """Give `.koog/` the mode that it has when koog makes it. Raises OSError where it is none."""
        folder = self.own.open()  # held: it is closed with its last holder
        os.fchmod(folder.fd, 0o700)

    def database(self, name: str) -> Path:
        """Return the path of a database in `.koog/`, looked at: SQLite opens files by their path.

        Raises WorkspaceError where it, or a file that SQLite keeps beside it, is a link or no file.
        """
        if not self.dry_run:
            self._private_folder()
        for end in SQLITE:
            try:
                info = self.own.itself(name + end).info()
            except FileNotFoundError:
                break
            if info is not None and not stat.S_ISREG(info.st_mode):
                raise WorkspaceError(f"{PRIVATE}/{name}{end} is not a regular file", hint="remove it")
        return self.root / PRIVATE / name

    def cache(self, name: str, text: str, *, kept: bool = False) -> None:
        """Replace a file in `.koog/`: what can be lost and made again, so no lock, audit or commit.

        kept   in the state root, for a koog that sees one: an agent can write in `.koog/`, and this decides something
        """
        if not kept or self.state_root is None:
            self._private_folder()
        try:
            clear_halves(self._logs if kept else self.own, name)
            put_unsynced(self._logs if kept else self.own, name, text)
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{name}: {e.strerror}") from None

    def cache_among(self, folder: str, name: str, text: str, *, keep: int) -> str:
        """Put a file into a folder of `.koog/`, of which the newest so many stay; return its path in the workspace."""
        self._private_folder()
        try:
            put_among(self.own, folder, name, text, keep=keep)
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{folder}: {e.strerror}") from None
        return f"{PRIVATE}/{folder}/{name}"

    def cached(self, name: str, *, kept: bool = False) -> str:
        """Return the text of a file that `cache` has put, "" when there is none. Raises WorkspaceError."""
        return atomic.decode((self._logs if kept else self.own).read(name) or b"")

    def cached_at(self, name: str) -> float | None:
        """Return when a file in `.koog/` was written, in seconds since the epoch; None when there is none."""
        info = self.own.info(name)
        return info.st_mtime if info else None

    def jot(self, name: str, line: str, *, limit: int) -> None:
        """Append a line to a log of unattended work; over `limit` bytes the older half of it goes.

        It lies in the state root, or in `.koog/` for a koog that sees none.
        """
        if self.state_root is None:
            self._private_folder()
        target = self._logs.itself(name)
        with self.state_root.still() if self.state_root else nullcontext():
            atomic.append(target, line.encode())
            data = target.read() or b""
            if len(data) > limit:
                atomic.prepare(target, data[-limit // 2 :].partition(b"\n")[2])
                atomic.beside(target).rename(target)

    def jotted(self, name: str) -> str:
        """Return the text of a log of unattended work, "" when there is none. Raises WorkspaceError."""
        return atomic.decode(self._logs.read(name) or b"")

    def jotted_at(self, name: str) -> float | None:
        """Return when such a log was last written, in seconds since the epoch; None when there is none."""
        info = self._logs.info(name)
        return info.st_mtime if info else None

    @property
    def _logs(self) -> Root:
        return self.state_root.root if self.state_root else self.own

    def _pretend(self, door: Door) -> None:
        self.changes += door.unread
        for entry in door.staged:
            if entry.base != entry.new:
                self.check(entry.change.path)  # refuses what the real run would refuse
                self._unsaved[entry.change.path] = entry.new
                self.changes.append(entry.change)

    def _private_folder(self) -> None:
        try:
            here = self.files.open()
            with suppress(FileExistsError):
                os.mkdir(PRIVATE, 0o700, dir_fd=here.fd)
            ignore = self.own.itself(".gitignore")
            if ignore.info() is None:
                with os.fdopen(ignore.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                    file.write(b"*\n")
        except FileExistsError:
            pass  # made by another koog at this moment
        except OSError as e:
            if e.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
                hint = "a folder of its own keeps locks inside the workspace"
                raise WorkspaceError(f"{PRIVATE} is a link or no folder", hint=hint) from None
            raise WorkspaceError(f"{PRIVATE}: {e.strerror}", hint="is the workspace writable?") from None


def is_workspace(folder: Path) -> bool:
    """Return whether a folder has one of the things by which koog knows a workspace."""
    root = Root(folder)
    try:
        here = root.open()
    except OSError:
        return False
    return any(_stands(root, here, mark) for mark in MARKS)


def _stands(root: Root, here: Folder, mark: str) -> bool:
    if "/" in mark:
        return root.info(mark) is not None
    try:
        info = os.stat(mark, dir_fd=here.fd, follow_symlinks=False)
    except OSError:
        return False
    # A link in place of .koog/ is refused later, with words that say what it is.
    kinds = (stat.S_ISDIR, stat.S_ISLNK) if mark == PRIVATE else (stat.S_ISREG,)
    return any(is_kind(info.st_mode) for is_kind in kinds)
