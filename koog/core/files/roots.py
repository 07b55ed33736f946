"""Named roots: each name is walked inside its folder by descriptors, and nothing leads out of it.  [design §4]

An agent may write anything into its workspace while koog runs beside it, so a path
that was looked at is not the path that is opened a moment later. What is opened here is
each component by itself, in the folder opened before, and a link is read and walked
like everything else. Whoever holds a `Spot` holds the folder's descriptor: swapping
folders for links afterwards moves nothing.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from koog.core.errors import WorkspaceError
from koog.core.files import durable
from koog.core.named import NamedTuple

READ_LIMIT = 64 * 1024 * 1024  # bytes; nothing koog keeps is near it
HALF, HALF_IS_OLD_NS = ".tmp", 60_000_000_000  # what `put_unsynced` writes: nobody is at it for a minute
LINKS = 40  # on the way to one file, as the kernel counts
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC  # a pipe would keep its reader waiting
BARRED = frozenset({".git", ".koog"})  # in any component: they have roots of their own


class Leads(WorkspaceError):
    """The name is no name inside its root: it leads outside, or to what another root keeps."""


class Barred(Leads):
    """It leads to what another root keeps."""


class Folder:
    """An open folder, closed when nobody holds it any more: `f().fd` is closed before anybody can use it."""

    __slots__ = ("fd",)

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __del__(self) -> None:
        os.close(self.fd)

    def sync(self) -> None:
        """Bring the folder's names to disk: without it a power cut can forget a new file."""
        durable.sync(self.fd)


class Spot(NamedTuple):
    """A name in an open folder; "." for the folder itself, which a link may lead to.

    path   where that is, from the root, with the links on the way resolved; as it was asked for in a folder elsewhere
    far    whether it is in a folder elsewhere, to which the operator lets links lead
    """

    folder: Folder
    name: str
    path: str
    far: bool = False

    def beside(self, name: str) -> Spot:
        """Return another name in the same folder."""
        return self._replace(name=name, path=f"{self.path.rpartition('/')[0]}/{name}".lstrip("/"))

    def info(self) -> os.stat_result | None:
        """Return what lstat says, None when there is nothing."""
        try:
            return os.stat(self.name, dir_fd=self.folder.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, flags: int = FILE, mode: int = 0o600) -> int:
        """Open it and return the descriptor; never through a link. Raises OSError."""
        return os.open(self.name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=self.folder.fd)

    def read(self, limit: int = READ_LIMIT) -> bytes | None:
        """Return a regular file's bytes, None when there is none. Raises WorkspaceError for anything else."""
        try:
            fd = self.open()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as e:
            raise self.error(e) from None
        try:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise WorkspaceError(f"{self.path} is not a regular file")
            if info.st_size > limit:
                raise WorkspaceError(f"{self.path}: {info.st_size} bytes are more than koog reads")
            with os.fdopen(fd, "rb", closefd=False) as file:
                return file.read()
        except OSError as e:
            raise self.error(e) from None
        finally:
            os.close(fd)

    def may(self, mode: int) -> bool:
        """Return whether this process may do that with it, as os.access says: os.R_OK and its like."""
        return os.access(self.name, mode, dir_fd=self.folder.fd)

    def rename(self, to: Spot) -> None:
        """Move it onto another name. Raises OSError."""
        os.rename(self.name, to.name, src_dir_fd=self.folder.fd, dst_dir_fd=to.folder.fd)

    def unlink(self) -> None:
        """Remove the name. Raises OSError."""
        os.unlink(self.name, dir_fd=self.folder.fd)

    def error(self, e: OSError) -> WorkspaceError:
        """Return the failure of a call, with this name in it."""
        if e.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):  # a link; a socket or a pipe without reader; a folder
            return WorkspaceError(f"{self.path} is not a regular file")
        return WorkspaceError(f"{self.path}: {e.strerror}")


class Entry(NamedTuple):
    """One name of a listing, and what stat says of it."""

    name: str
    info: os.stat_result

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.info.st_mode)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.info.st_mode)

    @property
    def is_link(self) -> bool:
        """Return whether it is a link itself: one that leads outside, and in `Root.listed` any."""
        return stat.S_ISLNK(self.info.st_mode)


@dataclass(frozen=True, repr=False)
class Root:
    """A folder under which koog reads or writes by relative names.

    path      its real path
    name      as a person is told of it
    barred    components that no name may have, whichever way it gets there
    linked    False where a link is refused even when it stays inside: nobody but koog writes there
    outside   folders elsewhere, to which the operator lets links lead
    apart     a folder in it that is another root's, whichever way one gets there; "" for none
    base      the root that this one's folder is looked up in: `.koog` of a workspace must not be a link itself
    """

    path: Path
    name: str = "the workspace"
    barred: frozenset[str] = BARRED
    linked: bool = True
    outside: tuple[Path, ...] = ()
    apart: str = ""
    base: Callable[[], Folder] | None = field(default=None, compare=False)

    def is_apart(self, path: str) -> bool:
        """Return whether a path is the folder that is another root's."""
        return bool(self.apart) and path.lower() == self.apart.lower()

    def open(self) -> Folder:
        """Open the root's own folder. Raises OSError."""
        if self.base is None:
            return Folder(os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        around = self.base()  # held until its folder is open
        return Folder(os.open(self.path.name, FOLDER, dir_fd=around.fd))

    def spot(self, path: str, *, make: bool = False) -> Spot:
        """Return where a relative name leads, links resolved inside the root.

        make   make the folders that are missing on the way, 0700 and synced

        Raises Leads for a name that leads outside or into what is barred, FileNotFoundError for a folder that
        is not there, NotADirectoryError for a file in a folder's place, WorkspaceError where the system refuses.
        """
        return self._walk(path, make=make, follow=True)

    def itself(self, path: str) -> Spot:
        """Return the name itself: as `spot`, but a link at its end is not followed."""
        return self._walk(path, make=False, follow=False)

    def read(self, path: str, *, limit: int = READ_LIMIT) -> bytes | None:
        """Return a file's bytes, None when there is none. Raises WorkspaceError for what is no regular file."""
        try:
            return self.spot(path).read(limit)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def info(self, path: str) -> os.stat_result | None:
        """Return what stat says of where a name leads; None when there is nothing, or it leads outside."""
        try:
            return self.spot(path).info()
        except (OSError, WorkspaceError):
            return None

    def may(self, path: str, mode: int) -> bool:
        """Return whether this process may do that with what a name leads to; True where there is nothing to do it with.

        "" is the root itself. Raises WorkspaceError for a name that leads outside.
        """
        try:
            spot = self.spot(path) if path else Spot(self.open(), ".", "")
            return spot.info() is None or spot.may(mode)
        except PermissionError:
            return False
        except OSError:
            return True

    def folder(self, path: str = "", *, make: bool = False) -> Folder:
        """Open a folder inside. Raises as `spot`."""
        inner = "/".join(part for part in path.split("/") if part not in ("", "."))
        if not inner:
            return self.open()
        spot = self.spot(inner, make=make)
        try:
            return Folder(spot.open(FOLDER))
        except FileNotFoundError:
            if not make:
                raise
        return self._made(spot.folder, spot.name)

    def entries(self, path: str = "") -> list[Entry]:
        """Return what a folder holds, by name, each link as what it leads to, and as a link where that is outside.

        A link that leads nowhere is left out. [] when there is no such folder. Raises WorkspaceError.
        """
        each = [(e.name, self._led(path, e) if e.is_link else e.info) for e in self.listed(path)]
        return [Entry(name, info) for name, info in each if info is not None]

    def listed(self, path: str = "") -> list[Entry]:
        """Return what a folder holds, by name, links as links; [] when there is none. Raises WorkspaceError."""
        try:
            folder = self.folder(path)
            with os.scandir(folder.fd) as found:
                each = [Entry(e.name, info) for e in found if (info := _there(e))]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as e:
            raise WorkspaceError(f"{path or self.name}: {e.strerror}") from None
        return sorted(e for e in each if not self.is_apart(f"{path}/{e.name}".lstrip("/")))

    def names(self, path: str, suffix: str) -> list[str]:
        """Return the names of a folder's regular files that end so, in no order, with links as `entries` has them.

        Of thousands of files none is looked at: the folder itself says what each is. Raises WorkspaceError.
        """
        try:
            folder = self.folder(path)
            with os.scandir(folder.fd) as found:
                each = [e for e in found if e.name.endswith(suffix)]
                files = [e.name for e in each if e.is_file(follow_symlinks=False)]
                files += [e.name for e in each if e.is_symlink() and self._is_file(f"{path}/{e.name}".lstrip("/"))]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as e:
            raise WorkspaceError(f"{path or self.name}: {e.strerror}") from None
        return [name for name in files if not self.is_apart(f"{path}/{name}".lstrip("/"))] if self.apart else files

    def _is_file(self, link: str) -> bool:
        """Return whether a link leads to a file, or outside: who reads it is told."""
        try:
            info = self.spot(link).info()
        except Leads:
            return True
        except (OSError, WorkspaceError):
            return False
        return info is not None and stat.S_ISREG(info.st_mode)

    def _led(self, path: str, link: Entry) -> os.stat_result | None:
        try:
            return self.spot(f"{path}/{link.name}".lstrip("/")).info()
        except Leads:
            return link.info
        except (OSError, WorkspaceError):
            return None

    # The walk

    def _walk(self, path: str, *, make: bool, follow: bool) -> Spot:
        if path.startswith("/") or "\0" in path or ".." in path.split("/"):
            raise Leads(f"{path!r} is not a path inside {self.name}")
        waiting = [part for part in reversed(path.split("/")) if part not in ("", ".")]
        if not waiting:
            raise Leads(f"{path!r} is not a file inside {self.name}")
        try:
            way = _Way(self.open(), path)
            while waiting:
                name = waiting.pop()
                if name == "..":
                    way.up()
                elif spot := self._step(way, name, waiting, make=make, follow=follow):
                    return spot
            return way.spot(".")  # a link to the folder that it lies in, or to one above
        except OSError as e:
            if isinstance(e, FileNotFoundError | NotADirectoryError):
                raise
            raise WorkspaceError(f"{path}: {e.strerror}") from None

    def _step(self, way: _Way, name: str, waiting: list[str], *, make: bool, follow: bool) -> Spot | None:
        """Go into a folder, or take up where a link leads; return the spot when this was the last name."""
        # A file system may take .GIT for .git.
        is_apart = not way.is_outside and self.is_apart("/".join((*way.names, name)))
        if name.lower() in self.barred or is_apart:
            raise Barred(f"{way.asked} is not koog's to reach through {self.name}")
        is_last = not waiting
        if is_last and not follow:
            return way.spot(name)
        if is_last:
            target = _link(way.folder, name)
            if target is None:
                return way.spot(name)
        else:
            try:
                way.down(Folder(os.open(name, FOLDER, dir_fd=way.folder.fd)), name)
                return None
            except FileNotFoundError:
                if not make:
                    raise
                way.down(self._made(way.folder, name), name)
                return None
            except OSError as e:
                target = _link(way.folder, name) if e.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK) else None
                if target is None:
                    raise
        self._follow(way, target, waiting)
        return None

    def _follow(self, way: _Way, target: str, waiting: list[str]) -> None:
        way.links += 1
        if way.links > LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not self.linked:
            raise Leads(f"{way.asked}: a link on the way", hint="replace the link by the file")
        if target.startswith("/"):
            target = self._restarted(way, target)
        elif self._climbs(way, target):
            target = self._restarted(way, os.path.normpath(self.path.joinpath(*way.names, target)))
        waiting += reversed([part for part in target.split("/") if part not in ("", ".")])

    def _climbs(self, way: _Way, target: str) -> bool:
        """Return whether a relative link goes above the root; one that only passes through folders does not."""
        depth = len(way.names)
        for part in target.split("/"):
            depth += -1 if part == ".." else part not in ("", ".")
            if depth < 0:
                return True
        return False

    def _restarted(self, way: _Way, target: str) -> str:
        """Go back to the start for an absolute link; return the rest of its way, inside the root or a named folder."""
        for start in (self.path, *self.outside):
            if os.path.normpath(target) == str(start) or os.path.normpath(target).startswith(f"{start}/"):
                is_outside = start != self.path
                way.restart(Folder(os.open(start, FOLDER)) if is_outside else self.open(), is_outside=is_outside)
                return os.path.normpath(target)[len(str(start)) :]
        raise Leads(f"{way.asked} leads outside {self.name}", hint="replace the link by the file")

    def _made(self, folder: Folder, name: str) -> Folder:
        try:
            os.mkdir(name, 0o700, dir_fd=folder.fd)
            folder.sync()
        except FileExistsError:
            pass  # made by somebody else at this moment
        return Folder(os.open(name, FOLDER, dir_fd=folder.fd))


class _Way:
    """The folders from the root to where a walk is."""

    def __init__(self, start: Folder, asked: str) -> None:
        self.asked, self.links, self.is_outside = asked, 0, False
        self.folders, self.names = [start], list[str]()

    @property
    def folder(self) -> Folder:
        return self.folders[-1]

    def spot(self, name: str) -> Spot:
        inside = "/".join(self.names if name == "." else (*self.names, name))
        return Spot(self.folder, name, self.asked if self.is_outside else inside, self.is_outside)

    def down(self, folder: Folder, name: str) -> None:
        self.folders.append(folder)
        self.names.append(name)

    def up(self) -> None:
        if not self.names:
            raise Leads(f"{self.asked} leads outside", hint="replace the link by the file")
        self.folders.pop()
        self.names.pop()

    def restart(self, folder: Folder, *, is_outside: bool) -> None:
        self.folders, self.names, self.is_outside = [folder], [], is_outside


def _there(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return what lstat says of a name in a listing, None where it has gone since."""
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None


def _link(folder: Folder, name: str) -> str | None:
    """Return what a link says, None for what is no link or not there."""
    try:
        return os.readlink(name, dir_fd=folder.fd)
    except OSError as e:
        if e.errno in (errno.EINVAL, errno.ENOENT, errno.ENOTDIR):
            return None
        raise


def remove_oldest(root: Root, folder: str, *, keep: int) -> Sequence[str]:
    """Remove a folder's regular files but the newest so many; return the names that went. Raises WorkspaceError."""
    files = sorted((e for e in root.entries(folder) if e.is_file), key=lambda e: e.info.st_mtime_ns, reverse=True)
    gone = []
    for entry in files[keep:]:
        try:
            root.itself(f"{folder}/{entry.name}").unlink()
        except FileNotFoundError:
            continue
        except OSError as e:
            raise WorkspaceError(f"{folder}/{entry.name}: {e.strerror}") from None
        gone.append(entry.name)
    return gone


def put_unsynced(root: Root, path: str, text: str) -> None:
    """Replace a file of a root: what can be lost and made again. Raises OSError, WorkspaceError."""
    target = root.itself(path)
    fresh = target.beside(f"{target.name}.{os.getpid()}{HALF}")
    with suppress(FileNotFoundError):
        fresh.unlink()  # whatever somebody has put there: it is not written into
    fd = fresh.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(fd, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        fresh.rename(target)
    except OSError:
        with suppress(OSError):
            fresh.unlink()
        raise


def clear_halves(root: Root, path: str) -> None:
    """Remove what a killed `put_unsynced` has left beside a file, and nothing at which one may still be.

    It goes through the folder: not for each of thousands of files. Raises OSError, WorkspaceError.
    """
    target, old_ns = root.itself(path), time.time_ns() - HALF_IS_OLD_NS
    with os.scandir(target.folder.fd) as found:
        halves = [e.name for e in found if e.name.startswith(f"{target.name}.") and e.name.endswith(HALF)]
    for half in map(target.beside, halves):
        with suppress(OSError):
            if (info := half.info()) and info.st_mtime_ns < old_ns:
                half.unlink()


def put_among(root: Root, folder: str, name: str, text: str, *, keep: int) -> None:
    """Put such a file into a folder, of which the newest so many stay. Raises OSError, WorkspaceError."""
    root.folder(folder, make=True)
    put_unsynced(root, f"{folder}/{name}", text)
    remove_oldest(root, folder, keep=keep)
