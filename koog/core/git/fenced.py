"""A folder whose names are walked by descriptor, so that no link in it leads a read or a write elsewhere.

git follows links: of a `logs/HEAD` that leads to a person's `.bashrc` it makes a line there.
koog therefore lets git write into a folder of koog's own alone (own.py), and brings
what came of it into the repository itself, through this door.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from koog.core.errors import WorkspaceError
from koog.core.files import durable, roots
from koog.core.files.roots import Root

LIMIT = 64 * 1024 * 1024  # bytes; git's own files are far below it, an index of half a million names included
CLOSE = os.O_CLOEXEC | os.O_NOFOLLOW
LINKLESS = frozenset((errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV))  # no second name here


class Locked(Exception):
    """A lock file of git's stands in the way. folder, name: where it is."""

    def __init__(self, folder: Fenced, name: str) -> None:
        super().__init__(f"{folder.path / name}: another git holds it")
        self.folder, self.name = folder, name


class Fenced:
    """One folder. A name is relative to it, with "/" between its parts; no part of it may be a link.

    Raises WorkspaceError for links, and for what the system refuses.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, name: str, *, limit: int = LIMIT) -> bytes | None:
        """Return a regular file's bytes, None when there is no such file."""
        try:
            with self._parent(name) as (parent, leaf):
                fd = os.open(leaf, os.O_RDONLY | os.O_NONBLOCK | CLOSE, dir_fd=parent)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as e:
            raise self._error(name, e) from None
        with os.fdopen(fd, "rb") as file:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise WorkspaceError(f"{self.path / name} is no regular file")
            data = file.read(limit + 1)
        if len(data) > limit:
            raise WorkspaceError(f"{self.path / name}: larger than koog reads")
        return data

    def info(self, name: str) -> os.stat_result | None:
        """Return what a name is, a link itself and not what it leads to; None when there is nothing."""
        try:
            with self._parent(name) as (parent, leaf):
                return os.stat(leaf, dir_fd=parent, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError, WorkspaceError):
            return None
        except OSError as e:
            raise self._error(name, e) from None

    def refuse_pipe(self, name: str) -> None:
        """Raise WorkspaceError for a pipe, socket or device, at which git would wait."""
        info = self.info(name)
        if info and not any(kind(info.st_mode) for kind in (stat.S_ISREG, stat.S_ISDIR, stat.S_ISLNK)):
            raise WorkspaceError(f"{self.path / name} is no file, and git would wait at it", hint="remove it")

    def target(self, name: str) -> bytes | None:
        """Return the text of a link, None when the name is none."""
        try:
            with self._parent(name) as (parent, leaf):
                return os.fsencode(os.readlink(leaf, dir_fd=parent))
        except (OSError, WorkspaceError):
            return None

    def names(self, name: str = ".") -> list[str]:
        """Return the names in a folder, [] when there is none."""
        try:
            with self._parent(f"{name}/x") as (parent, _), os.scandir(parent) as entries:
                return [entry.name for entry in entries]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as e:
            raise self._error(name, e) from None

    def make(self, name: str) -> None:
        """Make a folder with those above it, each with the mode of the one it lies in."""
        parts = name.split("/")
        for depth in range(1, len(parts) + 1):
            try:
                with self._parent("/".join(parts[:depth])) as (parent, leaf):
                    os.mkdir(leaf, 0o777, dir_fd=parent)
                    mode = stat.S_IMODE(os.fstat(parent).st_mode)
                    if mode & 0o2020:  # a repository that a group shares
                        os.chmod(leaf, mode, dir_fd=parent)
            except FileExistsError:
                continue
            except OSError as e:
                raise self._error(name, e) from None

    def put(self, name: str, data: bytes, *, mode: int = 0o666, sync: bool = True, mtime_ns: int | None = None) -> None:
        """Put a whole file in the place of another; never through a link, and never in part."""
        try:
            with self._parent(name) as (parent, leaf):
                beside = f"tmp_obj_koog{os.getpid()}"  # git's own tidying removes what is called so
                with suppress(FileNotFoundError):
                    os.unlink(beside, dir_fd=parent)  # of a koog that was killed and had this process id
                fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | CLOSE, mode, dir_fd=parent)
                _write(fd, data, sync=sync)
                if mtime_ns is not None:
                    os.utime(beside, ns=(mtime_ns, mtime_ns), dir_fd=parent, follow_symlinks=False)
                os.replace(beside, leaf, src_dir_fd=parent, dst_dir_fd=parent)
        except OSError as e:
            raise self._error(name, e) from None

    def remove(self, name: str) -> None:
        """Remove a file or a link, if it is there."""
        try:
            with self._parent(name) as (parent, leaf):
                os.unlink(leaf, dir_fd=parent)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as e:
            raise self._error(name, e) from None

    def append(self, name: str, line: bytes, *, create: bool) -> bool:
        """Add to a regular file of one name; return whether it was there, or could be made.

        A file with a second name may be a person's own file elsewhere: it is not touched.
        """
        if create and "/" in name:
            self.make(name.rpartition("/")[0])
        try:
            with self._parent(name) as (parent, leaf):
                made = os.O_CREAT if create else 0
                fd = os.open(leaf, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | made | CLOSE, 0o666, dir_fd=parent)
        except (OSError, WorkspaceError):
            return False
        with os.fdopen(fd, "ab") as file:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode) or info.st_nlink != 1:
                return False
            file.write(line)
        return True

    @contextmanager
    def locked(self, name: str, *, twins: Fenced, sync: bool = True) -> Iterator[Callable[[bytes], None]]:
        """Hold `NAME.lock` as git does; yield what puts new bytes in the file's place. Raises Locked.

        While it is held, the lock has a second name in `twins`, the git folder in which this koog holds
        `koog/lock`: so the next one knows a lock that a killed koog has left, and takes it away.
        """
        lock = f"{name}.lock"
        try:
            with self._parent(name) as (parent, leaf), twins._parent(_twin(name)) as (own, twin):
                held = _Lock(os.dup(parent), leaf, os.dup(own), twin, sync)
        except OSError as e:
            raise self._error(lock, e) from None
        try:
            try:
                held.take()
            except FileExistsError:
                raise Locked(self, lock) from None
            except OSError as e:
                raise self._error(lock, e) from None
            yield held.put
        finally:
            held.leave()

    def handle(self, name: str) -> int:
        """Open a file for a lock on it, made when it is missing; return the descriptor."""
        try:
            with self._parent(name) as (parent, leaf):
                return os.open(leaf, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | CLOSE, 0o666, dir_fd=parent)
        except OSError as e:
            raise self._error(name, e) from None

    @contextmanager
    def _parent(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield an open descriptor of the folder that a name lies in, and the name's last part."""
        spot = self._root.itself(name)
        yield spot.folder.fd, spot.name

    @cached_property
    def _root(self) -> Root:
        return Root(self.path, name=str(self.path), barred=frozenset(), linked=False, base=self._above)

    def _above(self) -> roots.Folder:
        return roots.Folder(os.open(self.path.parent, roots.FOLDER & ~os.O_NOFOLLOW))

    def _error(self, name: str, e: OSError) -> WorkspaceError:
        if e.errno in (errno.ELOOP, errno.EMLINK):
            return WorkspaceError(
                f"{self.path / name} is or lies behind a link", hint="koog follows none in git's folder"
            )
        return WorkspaceError(f"{self.path / name}: {e.strerror}")


class _Lock:
    """A lock file in an open folder, which becomes the file that it locks, or goes away.

    parent, leaf  the folder of the file that is locked, and its name
    own, twin     where the lock has its second name: a lock that was left is the file which that name still means
    """

    def __init__(self, parent: int, leaf: str, own: int, twin: str, sync: bool) -> None:
        self.parent, self.leaf, self.own, self.twin, self.sync = parent, leaf, own, twin, sync
        self.lock, self.mine = f"{leaf}.lock", False

    def take(self) -> None:
        self._remove_left()
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | CLOSE
        fd = os.open(self.twin, how, 0o666, dir_fd=self.own)
        try:
            os.link(self.twin, self.lock, src_dir_fd=self.own, dst_dir_fd=self.parent, follow_symlinks=False)
        except OSError as e:
            os.close(fd)
            self._forget()
            if e.errno not in LINKLESS:
                raise
            fd = os.open(self.lock, how, 0o666, dir_fd=self.parent)
        self.fd, self.mine = fd, True

    def put(self, data: bytes) -> None:
        _write(os.dup(self.fd), data, sync=self.sync)
        with suppress(OSError):
            os.rmdir(self.leaf, dir_fd=self.parent)  # git leaves empty folders where refs have been
        os.replace(self.lock, self.leaf, src_dir_fd=self.parent, dst_dir_fd=self.parent)
        self.mine = False  # from here on a lock of that name is another git's
        self._forget()
        if self.sync:
            durable.sync(self.parent)

    def leave(self) -> None:
        if self.mine:
            with suppress(FileNotFoundError):
                os.unlink(self.lock, dir_fd=self.parent)
            self._forget()
        if hasattr(self, "fd"):
            os.close(self.fd)
        os.close(self.own)
        os.close(self.parent)

    def _remove_left(self) -> None:
        """Remove what a killed koog has left: nobody else is at it while this one holds off all others."""
        with suppress(FileNotFoundError):
            left = os.stat(self.twin, dir_fd=self.own, follow_symlinks=False)
            with suppress(FileNotFoundError):
                lock = os.stat(self.lock, dir_fd=self.parent, follow_symlinks=False)
                if os.path.samestat(left, lock):
                    os.unlink(self.lock, dir_fd=self.parent)
            self._forget()

    def _forget(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.twin, dir_fd=self.own)


def _twin(name: str) -> str:
    """Return the second name of a file's lock; short, however long a branch's name is."""
    return f"koog/held-{sha256(os.fsencode(name)).hexdigest()[:16]}"


def _write(fd: int, data: bytes, *, sync: bool) -> None:
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        if sync:
            durable.sync(fd)
