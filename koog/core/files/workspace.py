"""One workspace: its files, its paths, and the block in which they are written.  [design §4]

Whatever koog writes stays inside the workspace, is atomic, runs under one lock,
honours `--dry-run`, becomes an audit line and part of the command's one commit.
No command knows how: it stages its changes in a `with workspace.writing()` block,
and door.py applies them together when the block ends, or not at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koog.core.errors import Busy, NotFound, UsageError, WorkspaceError
from koog.core.files import atomic, lock
from koog.core.files.record import Cause, Change

if TYPE_CHECKING:
    from koog.core.files.door import Door

PRIVATE = ".koog"
READ_LIMIT = 64 * 1024 * 1024  # bytes; nothing koog keeps is near it


@dataclass(repr=False, eq=False)
class Workspace:
    """One folder that agent, operator and cron share.

    root, memory, modules   the folder, and the names of two folders in it
    when                    the command's moment, for audit lines
    changes                 what this command changed so far, in order
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
    after: Callable[[list[Change]], None] | None = None
    warnings: list[str] = field(default_factory=list)
    memo: dict[str, Any] = field(default_factory=dict)
    _unsaved: dict[str, bytes] = field(default_factory=dict)

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
        return _read_regular(self._inside(path), path)

    def text(self, path: str) -> str | None:
        """Return a file's text: without BOM, CRLF as LF, bytes that are not UTF-8 kept as surrogates."""
        data = self.read(path)
        return None if data is None else atomic.decode(data)

    def names(self, folder: str, suffix: str) -> list[str]:
        """Return the sorted names of the regular files in a folder that end so; [] when there is no folder."""
        try:
            with os.scandir(self._inside(folder)) as entries:
                found = {e.name for e in entries if e.name.endswith(suffix) and _is_file(e)}
        except (FileNotFoundError, NotADirectoryError):
            found = set()
        except OSError as e:
            raise WorkspaceError(f"{folder}: {e.strerror}") from None
        prefix = f"{folder}/"
        pending = {p.removeprefix(prefix) for p in self._unsaved if p.startswith(prefix) and p.endswith(suffix)}
        return sorted(found | {p for p in pending if "/" not in p})

    def sizes(self, folder: str, suffix: str) -> dict[str, int]:
        """Return path → size in bytes of the regular files in a folder that end so; nothing for what cannot be read."""
        try:
            with os.scandir(self._inside(folder)) as entries:
                found = {
                    f"{folder}/{e.name}": e.stat().st_size for e in entries if e.name.endswith(suffix) and _is_file(e)
                }
        except OSError:
            found = {}
        return found | {p: len(data) for p, data in self._unsaved.items() if p in found}

    def exists(self, path: str) -> bool:
        return path in self._unsaved or self._inside(path).exists()

    def modified(self, path: str) -> float | None:
        """Return a file's modification time in seconds since the epoch, None when koog may not know it."""
        try:
            return self._inside(path).stat().st_mtime
        except (OSError, WorkspaceError):  # also a link that leads outside
            return None

    def size(self, path: str) -> int | None:
        """Return a file's size in bytes, None when there is none."""
        if path in self._unsaved:
            return len(self._unsaved[path])
        try:
            return self._inside(path).stat().st_size
        except OSError:
            return None

    def state(self, path: str) -> tuple[int, int, int] | None:
        """Return what differs once a file has changed; None when there is none, or when it is only pretended."""
        if path in self._unsaved:
            return None
        try:
            info = self._inside(path).stat()
        except OSError:
            return None
        return info.st_ino, info.st_size, info.st_mtime_ns

    def folders(self, folder: str) -> list[str]:
        """Return the sorted names of the folders in a folder; [] when there is none."""
        full = self._inside(folder)
        return sorted(p.name for p in full.iterdir() if p.is_dir()) if full.is_dir() else []

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
        self._private_folder()
        with lock.held(self.root / PRIVATE / "lock", wait_s=self.lock_wait_s, what="the workspace"):
            self._finish()
            door = Door(self)
            yield door
            applied = apply(door)
            self.changes += applied
            if applied and self.after:
                self.after(applied)

    def recover(self) -> None:
        """Finish what a killed command left half done, so that a reader sees all of it; not while one is at work."""
        if self.dry_run or not (self.root / PRIVATE / "journal.json").exists():
            return
        try:
            with lock.held(self.root / PRIVATE / "lock", wait_s=0, what="the workspace"):
                self._finish()
        except Busy:
            pass
        except WorkspaceError as e:  # a reader goes on with what there is
            self.warnings.append(e.message)

    def _finish(self) -> None:
        if (self.root / PRIVATE / "journal.json").exists():
            from koog.core.files import journal

            self.warnings += journal.finish(self)

    def ledger(self, path: str, line: str) -> None:
        """Append one line without audit, commit or lock, under `--dry-run` too: the usage ledger's exception."""
        atomic.append(self.place(path), line.encode())

    def make_folder(self, path: str) -> None:
        """Make an empty folder inside the workspace, private to its owner."""
        _make_parents(self.root, self._inside(path) / "file")

    def private(self, name: str) -> Path:
        """Return a path in `.koog/`: derived, private, never committed."""
        if not self.dry_run:
            self._private_folder()
        return self.root / PRIVATE / name

    def cache(self, name: str, text: str) -> None:
        """Replace a file in `.koog/`: what can be lost and made again, so no lock, audit or commit."""
        target = self.private(name)
        try:
            beside = target.with_name(f"{target.name}.{os.getpid()}.tmp")
            beside.write_text(text, "utf-8")
            beside.replace(target)
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{name}: {e.strerror}") from None

    def cache_among(self, folder: str, name: str, text: str, *, keep: int) -> str:
        """Put a file into a folder of `.koog/`, of which the newest so many stay; return its path in the workspace."""
        inside = self.private(folder)
        try:
            inside.mkdir(mode=0o700, exist_ok=True)
            self.cache(f"{folder}/{name}", text)
            files = sorted(inside.iterdir(), key=lambda file: file.stat().st_mtime_ns, reverse=True)
            for old in files[keep:]:
                old.unlink(missing_ok=True)
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}/{folder}: {e.strerror}") from None
        return f"{PRIVATE}/{folder}/{name}"

    def jot(self, name: str, line: str, *, limit: int) -> None:
        """Append a line to a file in `.koog/`; over `limit` bytes the older half of it goes."""
        target = self.private(name)
        if target.is_symlink():
            raise WorkspaceError(f"{PRIVATE}/{name} is a link")
        atomic.append(target, line.encode())
        if target.stat().st_size > limit:
            rest = target.read_bytes()[-limit // 2 :].partition(b"\n")[2]
            self.cache(name, atomic.decode(rest))

    def jotted(self, name: str) -> str:
        """Return the text of a file in `.koog/`, "" when there is none."""
        data = _read_regular(self.root / PRIVATE / name, name)
        return atomic.decode(data or b"")

    def _pretend(self, door: Door) -> None:
        self.changes += door.unread
        for entry in door.staged:
            if entry.base != entry.new:
                self._target(entry.change.path)  # refuses what the real run would refuse
                self._unsaved[entry.change.path] = entry.new
                self.changes.append(entry.change)

    # Paths

    def place(self, path: str) -> Path:
        """Return the path to write a file at, its folders made. Raises WorkspaceError where koog may not write."""
        target = self._target(path)
        _make_parents(self.root, target)
        return target

    def check(self, path: str) -> None:
        """Raise WorkspaceError where `place` would, with nothing made."""
        for folder in self._target(path).parents:
            if folder.is_relative_to(self.root) and folder.exists() and not folder.is_dir():
                raise WorkspaceError(f"{folder.name} is not a folder")

    def _inside(self, path: str) -> Path:
        """Return the real path of a relative one. Raises WorkspaceError when it leads outside the root."""
        if path.startswith("/") or "\0" in path or ".." in path.split("/"):
            raise WorkspaceError(f"{path!r} is not a path inside the workspace")
        full = self.root / path
        real = Path(os.path.realpath(full))
        if not real.is_relative_to(os.path.realpath(self.root)):
            raise WorkspaceError(f"{path} leads outside the workspace", hint="replace the link by the file")
        return full

    def _target(self, path: str) -> Path:
        """Return the path to write at: as `_inside`, and no link, nothing of git's, no other kind of file."""
        full = self._inside(path)
        if path.split("/", 1)[0] in (".git", PRIVATE):
            raise WorkspaceError(f"{path} is not koog's to write through this door")
        try:
            mode = full.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return full
        except OSError as e:
            raise WorkspaceError(f"{path}: {e.strerror}") from None
        if not stat.S_ISREG(mode):
            raise WorkspaceError(f"{path} is not a regular file", hint="koog writes files only, no links or pipes")
        return full

    def _private_folder(self) -> None:
        folder = self.root / PRIVATE
        if folder.is_symlink():
            raise WorkspaceError(f"{PRIVATE} is a link", hint="a folder of its own keeps locks inside the workspace")
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            ignore = folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", "ascii")
        except OSError as e:
            raise WorkspaceError(f"{PRIVATE}: {e.strerror}", hint="is the workspace writable?") from None


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a regular file; a link in a circle is none, and must not hide its neighbours."""
    try:
        return entry.is_file()
    except OSError:
        return False


def find(start: Path) -> Path:
    """Return the nearest folder from here up that holds `.koog/`. Raises NotFound."""
    for folder in (start, *start.parents):
        if (folder / PRIVATE).is_dir():
            return folder
    raise NotFound("no workspace here or above", hint="koog init DIR, or --workspace DIR")


def named(folder: Path) -> Path:
    """Return an existing folder that was named as the workspace. Raises UsageError."""
    try:
        if folder.is_dir():
            return folder.resolve()
    except OSError:
        pass  # a name that is too long; a current folder that is gone
    raise UsageError(f"--workspace: no folder {folder.name!r}", hint="koog init DIR makes one")


def _read_regular(full: Path, path: str) -> bytes | None:
    """Read a file without hanging on a pipe. Raises WorkspaceError."""
    try:
        fd = os.open(full, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        raise WorkspaceError(f"{path}: {e.strerror}") from None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise WorkspaceError(f"{path} is not a regular file")
        if info.st_size > READ_LIMIT:
            raise WorkspaceError(f"{path}: {info.st_size} bytes are more than koog reads")
        with os.fdopen(fd, "rb", closefd=False) as file:
            return file.read()
    except OSError as e:
        raise WorkspaceError(f"{path}: {e.strerror}") from None
    finally:
        os.close(fd)


def _make_parents(root: Path, target: Path) -> None:
    try:
        missing = [p for p in target.parents if p.is_relative_to(root) and not p.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
            atomic.sync_folder(folder.parent)
        if not target.parent.is_dir():
            raise WorkspaceError(f"{target.parent.name} is not a folder")
    except OSError as e:
        raise WorkspaceError(f"{target.parent.name}: {e.strerror}") from None
