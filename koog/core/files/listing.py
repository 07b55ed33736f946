"""Thousands of a root's files: their folders listed and they themselves read by descriptor.  [design §4]

A path for each file costs more than looking at it, so a walk goes from folder to folder,
each opened in the one before, and what is read in one folder is read by its name.
"""

from __future__ import annotations

import errno
import marshal
import os
import stat

from koog.core.errors import WorkspaceError
from koog.core.files.roots import FILE, FOLDER, READ_LIMIT, Folder, Root, Spot
from koog.core.named import NamedTuple

CHUNK = 256 * 1024  # bytes


class Listing(NamedTuple):
    """What a folder holds.

    names     its regular files that end as asked, and in `stats` size, mtime_ns and inode of each, one after the other
    folders   its folders, links not among them
    links     its links
    changed   ctime_ns of each of the files: mtime can be set by whoever writes a file, ctime cannot
    """

    names: list[str]
    stats: list[int]
    folders: list[str]
    links: list[str]
    changed: list[int]

    @property
    def mark(self) -> str:
        """Return what differs once one of the files is another one, or may have been written to."""
        from hashlib import blake2b

        # Version 2 has no back references: equal is equal.
        return blake2b(marshal.dumps((self.names, self.stats, self.changed), 2), digest_size=16).hexdigest()

    @property
    def states(self) -> dict[str, tuple[int, int, int]]:
        """Return the files with size, ctime_ns and inode of each."""
        return dict(zip(self.names, zip(self.stats[::3], self.changed, self.stats[2::3], strict=True), strict=True))


class Content(NamedTuple):
    """A file's bytes, and what it was when they had been read."""

    data: bytes
    info: os.stat_result


def look(folder: Folder, suffix: str) -> Listing:
    """Return what an open folder holds, of files those that end so. Raises OSError."""
    found = Listing([], [], [], [], [])
    names, stats, folders, links, changed = found
    with os.scandir(folder.fd) as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:  # gone since
                    continue
                names.append(name)
                stats += (info.st_size, info.st_mtime_ns, info.st_ino)
                changed.append(info.st_ctime_ns)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(name)
            elif entry.is_symlink():
                links.append(name)
    return found


def below(folder: Folder, name: str) -> Folder:
    """Open a folder in an open one, not through a link. Raises OSError."""
    return Folder(os.open(name, FOLDER, dir_fd=folder.fd))


def has(folder: Folder, name: str) -> bool:
    """Return whether there is something of a name in an open folder, a link that leads nowhere included."""
    try:
        os.stat(name, dir_fd=folder.fd, follow_symlinks=False)
    except OSError:
        return False
    return True


def led_to(spot: Spot) -> os.stat_result | None:
    """Return what a link leads to, wherever that is: to tell of it, and for nothing else. None for nothing."""
    try:
        return os.stat(spot.name, dir_fd=spot.folder.fd)
    except OSError:
        return None


class Reader:
    """Reads a root's files. The folder of the last one stays open, so a Reader is for one piece of work."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self._at: str | None = None
        self._folder: Folder | None = None

    def read(self, path: str, size: int = CHUNK) -> Content:
        """Return a regular file's content; `size` is about how many bytes it has. Raises OSError."""
        try:
            fd = self._opened(path)
        except WorkspaceError as e:
            raise OSError(errno.EPERM, e.message) from None
        try:
            size = min(size, READ_LIMIT)
            data = os.read(fd, size + 1)
            while size < len(data) <= READ_LIMIT and (more := os.read(fd, CHUNK)):
                data += more
            info = os.fstat(fd)
        finally:
            os.close(fd)
        if not stat.S_ISREG(info.st_mode):  # what a pipe said is not waited for, and forgotten
            raise OSError(errno.EINVAL, "not a regular file")
        if len(data) > READ_LIMIT:
            raise OSError(errno.EFBIG, f"more than {READ_LIMIT} bytes")
        return Content(data, info)

    def _opened(self, path: str) -> int:
        folder, _, name = path.rpartition("/")
        if name[:1] in ("", "."):  # what is barred begins so, too
            return self.root.spot(path).open()
        if folder != self._at or self._folder is None:
            self._folder, self._at = self.root.folder(folder), folder
        try:
            return os.open(name, FILE, dir_fd=self._folder.fd)
        except OSError as e:
            if e.errno != errno.ELOOP:
                raise
            return self.root.spot(path).open()  # a link
