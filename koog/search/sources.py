"""The covered files, folder by folder, and what changes when one of them does.  [autopoiesis §7, design §3]

Transcripts lie outside the workspace. They are cited as `raw/conversations/…`, whatever
their folder is called; nothing of the workspace is cited so, because no folder `raw` of
it is covered. A link is followed only to what lies inside the workspace (or the
transcripts) and is not found there under its own name: nothing is indexed twice, a circle
of links ends, and nothing from elsewhere gets in.
"""

from __future__ import annotations

import errno
import marshal
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from koog.core.files.workspace import READ_LIMIT
from koog.search import categories
from koog.search.categories import NOT_OF_MEMORY, SUFFIX, category

if TYPE_CHECKING:
    from koog.core.run import Run

CONVERSATIONS = categories.CONVERSATIONS
RAW = CONVERSATIONS.partition("/")[0]  # what cited paths of transcripts begin with
NUL_WITHIN = 1024  # bytes
CHUNK = 256 * 1024  # bytes
GONE = (errno.ENOENT, errno.ENOTDIR)


class Roots(NamedTuple):
    """Where the files lie.

    raw               the folder that holds conversations/, None when there is none
    memory, modules   the workspace's folders of those names
    """

    workspace: Path
    raw: Path | None = None
    memory: str = "memory"
    modules: str = "modules"

    def file(self, path: str) -> str:
        """Return where the file of a cited path lies."""
        if self.raw and path.startswith(f"{CONVERSATIONS}/"):
            return f"{self.raw}{path.removeprefix(RAW)}"
        return f"{self.workspace}/{path}"

    def category(self, path: str) -> str | None:
        return category(path, memory=self.memory, modules=self.modules)


class Source(NamedTuple):
    """A file that is covered; size in bytes, and with time and inode what differs once it has changed."""

    path: str
    category: str
    size: int
    mtime_ns: int
    inode: int


class Folder(NamedTuple):
    """A folder's Markdown files as they were seen: size, mtime_ns and inode of each name, one after the other."""

    path: str
    names: list[str]
    stats: list[int]

    @property
    def listing(self) -> bytes:
        """Return what is equal for two looks at a folder of which no file has changed."""
        return marshal.dumps((self.names, self.stats), 2)  # version 2 has no back references: equal is equal

    def sources(self, roots: Roots) -> Iterator[Source]:
        """Yield the files that are covered."""
        stats = iter(self.stats)
        for name, size, mtime_ns, inode in zip(self.names, stats, stats, stats, strict=True):
            path = f"{self.path}/{name}" if self.path else name
            kind = category(path, memory=roots.memory, modules=roots.modules)
            if kind is not None:
                yield Source(path, kind, size, mtime_ns, inode)


class Skipped(NamedTuple):
    """What is there and is not indexed."""

    path: str
    why: str


class Scan(NamedTuple):
    """One look at all folders. at_ns is the time just before it."""

    roots: Roots
    at_ns: int
    folders: list[Folder]
    skipped: list[Skipped]


def of(run: Run) -> Roots:
    """Return where this run's files lie."""
    return Roots(run.root, run.raw, run.workspace.memory, run.workspace.modules)


# --- the files that there are


def scan(roots: Roots) -> Scan:
    """Look at every folder that may hold covered files."""
    return _Walk(roots).done()


def told(error: OSError) -> str:
    """Return why a file cannot be read."""
    return error.strerror or str(error)


def is_binary(data: bytes) -> bool:
    """Return whether a file's bytes are no text: text has no NUL near its beginning."""
    return b"\0" in data[:NUL_WITHIN]


def digest(data: bytes) -> bytes:
    """Return what tells a file's content from another's."""
    from hashlib import blake2b  # 3 ms that a look without changes does not pay

    return blake2b(data, digest_size=16).digest()


def read(file: str, size: int = CHUNK) -> bytes:
    """Return a file's bytes, without hanging on a pipe; `size` is about how many. Raises OSError."""
    fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        size = min(size, READ_LIMIT)
        data = os.read(fd, size + 1)
        while size < len(data) <= READ_LIMIT and (more := os.read(fd, CHUNK)):
            data += more
    finally:
        os.close(fd)
    if len(data) > READ_LIMIT:
        raise OSError(errno.EFBIG, f"more than {READ_LIMIT} bytes")
    return data


def _tops(roots: Roots) -> list[str]:
    """Return the folders that are walked: none inside another, and none that is cited as transcripts are."""
    tops = {roots.memory, roots.modules, "knowledge", "topics", "archive"}
    apart = {top for top in tops if not any(top.startswith(f"{other}/") for other in tops)}
    return sorted(top for top in apart if top != "." and top.partition("/")[0] != RAW)


class _Walk:
    """One look at all folders, links last: by then it is known what lies under its own name.

    Paths are strings here: a Path for each file costs more than looking at it.
    """

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.tops = _tops(roots)
        self.scan = Scan(roots, time.time_ns(), [], [])
        self.links: list[tuple[str, str]] = []  # (where it lies, as it is cited)
        self.followed: set[str] = set()

    def done(self) -> Scan:
        """Return what there is."""
        workspace = str(self.roots.workspace)
        self._look(workspace, "")
        for top in self.tops:
            self._enter(f"{workspace}/{top}", top)
        if self.roots.raw:
            self._enter(f"{self.roots.raw}/conversations", CONVERSATIONS)
        while self.links:
            self._follow(*self.links.pop())
        return self.scan

    def _enter(self, full: str, cited: str) -> None:
        """Look at the folders from here down, where this is one."""
        if os.path.islink(full):  # noqa: PTH114  strings, see above
            self.links.append((full, cited))
            return
        waiting = [(full, cited)]
        while waiting:
            full, cited = waiting.pop()
            inner = self._look(full, cited)
            waiting += [(f"{full}/{name}", f"{cited}/{name}") for name in inner if self._covers(f"{cited}/{name}")]

    def _look(self, full: str, cited: str) -> list[str]:
        """Note a folder's files and links, return its folders' names: what every refresh does for every file."""
        names: list[str] = []
        stats: list[int] = []
        inner: list[str] = []
        with self._opened(full, cited) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                    try:
                        info = entry.stat(follow_symlinks=False)
                    except OSError:  # gone since
                        continue
                    names.append(name)
                    stats += (info.st_size, info.st_mtime_ns, info.st_ino)
                elif entry.is_dir(follow_symlinks=False):
                    inner.append(name)
                elif entry.is_symlink() and (cited or name.endswith(SUFFIX)):  # links at the top are looked at as such
                    self.links.append((f"{full}/{name}", f"{cited}/{name}" if cited else name))
        if names:
            self.scan.folders.append(Folder(cited, names, stats))
        return inner

    @contextmanager
    def _opened(self, full: str, cited: str) -> Iterator[Iterable[os.DirEntry[str]]]:
        """Open a folder: by a descriptor, so that no file's path has to be resolved from the root on."""
        try:
            fd = os.open(full, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as e:
            if e.errno not in GONE:
                self._skip(cited, told(e))
            yield ()
            return
        try:
            with os.scandir(fd) as entries:
                yield entries
        finally:
            os.close(fd)

    def _covers(self, cited: str) -> bool:
        """Return whether covered files may lie in a folder."""
        if "/." in f"/{cited}" or f"{self.roots.workspace}/{cited}" == f"{self.roots.raw}/conversations":
            return False  # transcripts inside the workspace are cited as transcripts only
        inside = cited.removeprefix(f"{self.roots.memory}/")
        return inside == cited or inside.partition("/")[0] not in NOT_OF_MEMORY

    def _follow(self, full: str, cited: str) -> None:
        real = os.path.realpath(full)
        try:
            info = os.stat(real)  # noqa: PTH116  strings, see above
        except OSError:
            self._skip(cited, "a link that leads nowhere")
            return
        is_folder = stat.S_ISDIR(info.st_mode)
        if not is_folder and not (cited.endswith(SUFFIX) and stat.S_ISREG(info.st_mode)):
            return
        own = self._own_name(real)
        if own is None:
            self._skip(cited, "a link that leads outside")
        elif "/." in f"/{own}":
            self._skip(cited, "a link to what is hidden")
        elif real not in self.followed and not self._is_found_anyway(own, is_folder=is_folder):
            self.followed.add(real)
            if is_folder:
                self._enter(real, cited)
            else:
                self._add(cited, info)

    def _own_name(self, real: str) -> str | None:
        """Return as what a real path is cited, None when it is neither in the workspace nor among the transcripts."""
        if self.roots.raw:
            inside = os.path.relpath(real, os.path.realpath(self.roots.raw / "conversations"))
            if not inside.startswith(".."):
                return os.path.normpath(f"{CONVERSATIONS}/{inside}")
        inside = os.path.relpath(real, os.path.realpath(self.roots.workspace))
        return None if inside.startswith("..") else "" if inside == "." else inside

    def _is_found_anyway(self, own: str, *, is_folder: bool) -> bool:
        """Return whether what a link leads to is looked at under its own name, or holds folders that are."""
        if not is_folder:
            return self.roots.category(own) is not None
        tops = [*self.tops, CONVERSATIONS]
        holds = any(top == own or top.startswith(f"{own}/") or not own for top in tops)
        return holds or (any(own.startswith(f"{top}/") for top in tops) and self._covers(own))

    def _add(self, cited: str, info: os.stat_result) -> None:
        folder, _, name = cited.rpartition("/")
        found = next((seen for seen in self.scan.folders if seen.path == folder), None)
        if found is None:
            found = Folder(folder, [], [])
            self.scan.folders.append(found)
        found.names.append(name)
        found.stats.extend((info.st_size, info.st_mtime_ns, info.st_ino))

    def _skip(self, cited: str, why: str) -> None:
        self.scan.skipped.append(Skipped(cited, why))
