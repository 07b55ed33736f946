"""One workspace: its files, its paths, and the block in which they are written.  [design §4]

Whatever koog writes stays inside the workspace, is atomic, runs under one lock,
honours `--dry-run`, becomes an audit line and part of the command's one commit.
No command knows how: it stages its changes in a `with workspace.writing()` block,
and door.py applies them together when the block ends, or not at all.
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koog.core.errors import Busy, NotFound, UsageError, WorkspaceError
from koog.core.files import atomic, journal, lock
from koog.core.files.record import Applied, Cause, Change
from koog.core.files.roots import READ_LIMIT, Folder, Root, Spot, remove_oldest

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.files.state_root import StateRoot

PRIVATE = ".koog"
MARKS = (PRIVATE, "koog-config.json", "memory/meta")  # one of them makes a folder a workspace
SQLITE = ("", "-wal", "-shm", "-journal")  # the files of one database

__all__ = ["PRIVATE", "READ_LIMIT", "Workspace", "find", "is_workspace", "named"]


@dataclass(repr=False, eq=False)
class Workspace:
    """One folder that agent, operator and cron share.

    root, memory, modules   the folder, and the names of two folders in it
    when                    the command's moment, for audit lines
    changes                 what this command changed so far, in order
    after                   is told what was applied, under the lock
    at_head                 gives a file as the last commit has it
    state_root              where koog keeps what the agent must not write; None when this koog does not see it
    outside                 folders elsewhere to which the operator lets links in the workspace lead
    warnings                takes what a person must be told
    memo                    what this process has read and parsed, by path; whoever fills it looks at `state` first
    """

    root: Path
    memory: str = "memory"
    modules: str = "modules"
    dry_run: bool = False
    lock_wait_s: float = 10.0
    critical_files: tuple[str, ...] = ()
    cause: Cause = field(default_factory=Cause)
    when: datetime | None = None
    changes: list[Change] = field(default_factory=list)
    after: Callable[[list[Applied]], None] | None = None
    at_head: Callable[[str], bytes | None] = lambda _: None
    state_root: StateRoot | None = None
    outside: tuple[Path, ...] = ()
    warnings: list[str] = field(default_factory=list)
    memo: dict[str, Any] = field(default_factory=dict)
    _unsaved: dict[str, bytes] = field(default_factory=dict)

    @cached_property
    def files(self) -> Root:
        """Return the root of the workspace's files: everything but `.git` and `.koog`."""
        return Root(self.root, outside=self.outside)

    @cached_property
    def own(self) -> Root:
        """Return the root of `.koog/`: derived, private, never committed; no links in it."""
        return private_root(self.root)

    def in_memory(self, name: str) -> str:
        """Return the workspace path of a file in the memory folder."""
        return f"{self.memory}/{name}"

    def in_modules(self, name: str) -> str:
        return f"{self.modules}/{name}"

    # Reading

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, None when there is none. Raises WorkspaceError for what is no regular file."""
        if path in self._unsaved:
            return self._unsaved[path]
        return self.files.read(path)

    def text(self, path: str) -> str | None:
        """Return a file's text: without BOM, CRLF as LF, bytes that are not UTF-8 kept as surrogates."""
        data = self.read(path)
        return None if data is None else atomic.decode(data)

    def names(self, folder: str, suffix: str) -> list[str]:
        """Return the sorted names of the regular files in a folder that end so; [] when there is no folder.

        Links that lead outside are among them: whoever reads one is told.
        """
        entries = self.files.entries(folder)
        found = {e.name for e in entries if e.name.endswith(suffix) and (e.is_file or e.leaves)}
        prefix = f"{folder}/"
        pending = {p.removeprefix(prefix) for p in self._unsaved if p.startswith(prefix) and p.endswith(suffix)}
        return sorted(found | {p for p in pending if "/" not in p})

    def sizes(self, folder: str, suffix: str) -> dict[str, int]:
        """Return path → size in bytes of the regular files in a folder that end so; nothing for what cannot be read."""
        try:
            entries = self.files.entries(folder)
        except WorkspaceError:
            entries = []
        found = {f"{folder}/{e.name}": e.info.st_size for e in entries if e.name.endswith(suffix) and e.is_file}
        return found | {p: len(data) for p, data in self._unsaved.items() if p in found}

    def exists(self, path: str) -> bool:
        """Return whether there is something. Raises WorkspaceError for a name that leads outside."""
        return path in self._unsaved or self._info(path) is not None

    def modified(self, path: str) -> float | None:
        """Return a file's modification time in seconds since the epoch, None when koog may not know it."""
        info = self.files.info(path)
        return info.st_mtime if info else None

    def size(self, path: str) -> int | None:
        """Return a file's size in bytes, None when there is none."""
        if path in self._unsaved:
            return len(self._unsaved[path])
        info = self._info(path)
        return info.st_size if info else None

    def state(self, path: str) -> tuple[int, int, int] | None:
        """Return what differs once a file has changed; None when there is none, or when it is only pretended."""
        info = None if path in self._unsaved else self._info(path)
        return (info.st_ino, info.st_size, info.st_mtime_ns) if info else None

    def folders(self, folder: str) -> list[str]:
        """Return the sorted names of the folders in a folder; [] when there is none."""
        return [e.name for e in self.files.entries(folder) if e.is_folder]

    def _info(self, path: str) -> os.stat_result | None:
        try:
            return self.files.spot(path).info()
        except (FileNotFoundError, NotADirectoryError):
            return None

    # Writing

    @contextmanager
    def writing(self) -> Iterator[Door]:
        """Stage changes in the block; apply them, with their audit lines, when it ends without an error."""
        from koog.core.files.door import Door, apply  # most commands only read

        if self.dry_run:
            door = Door(self)
            yield door
            self._pretend(door)
            return
        with self.locked("lock", wait_s=self.lock_wait_s, what="the workspace"):
            self._finish()
            door = Door(self)
            yield door
            applied = apply(door)
            self.changes += [row.change for row in applied]
            if applied and self.after:
                self.after(applied)

    @contextmanager
    def locked(self, name: str, *, wait_s: float, what: str) -> Iterator[None]:
        """Hold a lock of `.koog/`, which every koog on this workspace sees. Raises Busy, WorkspaceError."""
        self._private_folder()
        with lock.held(self.own.itself(name), wait_s=wait_s, what=what):
            yield

    def recover(self) -> None:
        """Finish what a killed command left half done, so that a reader sees all of it; not while one is at work."""
        if self.dry_run or not any(journal.waits(place) for place in self._journals()):
            return
        try:
            with self.locked("lock", wait_s=0, what="the workspace"):
                self._finish()
        except Busy:
            pass
        except WorkspaceError as e:  # a reader goes on with what there is
            self.warnings.append(e.message)

    @property
    def journal(self) -> Root:
        """Return where a transaction's journal lies."""
        return self.state_root.root if self.state_root else self.own

    def _journals(self) -> list[Root]:
        return [self.state_root.root, self.own] if self.state_root else [self.own]

    def _finish(self) -> None:
        for place in self._journals():
            roots = {journal.WORKSPACE: self.files}
            if self.state_root and place is self.state_root.root:  # the one that no agent can have written
                roots[journal.STATE] = self.state_root.root
            if journal.waits(place):
                self.warnings += journal.finish(place, roots)

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

    def cache(self, name: str, text: str) -> None:
        """Replace a file in `.koog/`: what can be lost and made again, so no lock, audit or commit."""
        self._private_folder()
        try:
            target = self.own.itself(name)
            fresh = target.beside(f"{target.name}.{os.getpid()}.tmp")
            with suppress(FileNotFoundError):
                fresh.unlink()  # whatever somebody has put there: it is not written into
            fd = fresh.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            with os.fdopen(fd, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            fresh.rename(target)
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{name}: {e.strerror}") from None

    def cache_among(self, folder: str, name: str, text: str, *, keep: int) -> str:
        """Put a file into a folder of `.koog/`, of which the newest so many stay; return its path in the workspace."""
        self._private_folder()
        try:
            self.own.folder(folder, make=True)
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{folder}: {e.strerror}") from None
        self.cache(f"{folder}/{name}", text)
        remove_oldest(self.own, folder, keep=keep)
        return f"{PRIVATE}/{folder}/{name}"

    def cached(self, name: str) -> str:
        """Return the text of a file in `.koog/`, "" when there is none. Raises WorkspaceError."""
        return atomic.decode(self.own.read(name) or b"")

    def cached_at(self, name: str) -> float | None:
        """Return when a file in `.koog/` was written, in seconds since the epoch; None when there is none."""
        info = self.own.info(name)
        return info.st_mtime if info else None

    def clear_cache(self, name: str) -> None:
        """Remove a file in `.koog/`, where there is one. Raises WorkspaceError."""
        try:
            self.own.itself(name).unlink()
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{name}: {e.strerror}") from None

    def jot(self, name: str, line: str, *, limit: int) -> None:
        """Append a line to a log of unattended work; over `limit` bytes the older half of it goes.

        It lies in the state root, or in `.koog/` for a koog that sees none.
        """
        if self.state_root is None:
            self._private_folder()
        target = self._logs.itself(name)
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

    # Paths

    def place(self, path: str) -> Spot:
        """Return where to write a file, its folders made. Raises WorkspaceError where koog may not write."""
        return self._target(path, make=True)

    def check(self, path: str) -> None:
        """Raise WorkspaceError where `place` would, with nothing made."""
        self._target(path, make=False)

    def resolved(self, path: str) -> str:
        """Return a path with the links inside the workspace resolved; as it is while there is nothing there."""
        try:
            return self.files.spot(path).path
        except OSError:
            return path

    def _target(self, path: str, *, make: bool) -> Spot:
        """Return the spot to write at: as `Root.spot`, and no other kind of file than a regular one."""
        try:
            spot = self.files.spot(path, make=make)
            info = spot.info()
        except FileNotFoundError:
            return self._nowhere(path)
        except NotADirectoryError:
            raise WorkspaceError(f"{path}: a file is in a folder's place") from None
        except OSError as e:
            raise WorkspaceError(f"{path}: {e.strerror}") from None
        if info is not None and not stat.S_ISREG(info.st_mode):
            raise WorkspaceError(f"{path} is not a regular file", hint="koog writes files only, no links or pipes")
        return spot

    def _nowhere(self, path: str) -> Spot:
        """Return a spot for a name whose folder is missing: nothing can be there, and nothing is made."""
        return Spot(self.files.open(), path.rpartition("/")[2], path)

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


def private_root(workspace: Path) -> Root:
    """Return the root of a workspace's `.koog/`. It must be a folder of its own, and nothing in it is a link."""
    return Root(workspace / PRIVATE, name=PRIVATE, barred=frozenset({".git"}), linked=False, base=Root(workspace).open)


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


def find(start: Path) -> Path:
    """Return the nearest folder from here up that is a workspace. Raises NotFound."""
    for folder in (start, *start.parents):
        if is_workspace(folder):
            return folder
    raise NotFound("no workspace here or above", hint="koog init DIR, or --workspace DIR")


def named(folder: Path) -> Path:
    """Return the workspace that was named. Raises UsageError for no folder, NotFound for one that is none."""
    try:
        real = folder.resolve() if folder.is_dir() else None
    except OSError:
        real = None  # a name that is too long; a current folder that is gone
    if real is None:
        raise UsageError(f"--workspace: no folder {folder.name!r}", hint="koog init DIR makes one")
    if not is_workspace(real):
        raise NotFound(f"{real.name or real} is no workspace of koog's", hint=f"koog init {shlex.quote(str(real))}")
    return real
