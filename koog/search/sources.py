"""The covered files, folder by folder, and what changes when one of them does.  [autopoiesis §7, design §3]

Transcripts lie outside the workspace. They are cited as `raw/conversations/…`, whatever
their folder is called; nothing of the workspace is cited so, because no folder `raw` of
it is covered. Either is a root of its own (core/files/roots.py): a link is followed only
to what lies in the same one, or where the operator lets links lead, and is not found there
under its own name. Nothing is indexed twice, a circle of links ends, and nothing from
elsewhere gets in.
"""

from __future__ import annotations

import errno
import heapq
import itertools
import marshal
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.files import listing, own_notes, raw_root, workspace
from koog.core.files.listing import CHUNK, Content
from koog.core.files.own_notes import OwnNotes
from koog.core.files.roots import READ_LIMIT, Barred, Leads, Root
from koog.core.named import NamedTuple
from koog.search import categories
from koog.search.categories import NOT_OF_MEMORY, REFERENCE, SUFFIX, category
from koog.search.cutting import MOST_BYTES
from koog.search.shelved import Shelved

if TYPE_CHECKING:
    import os

    from koog.core.files import roots as opened
    from koog.core.run import Run

CONVERSATIONS = categories.CONVERSATIONS
RAW = CONVERSATIONS.partition("/")[0]  # what cited paths of transcripts begin with
NUL_WITHIN = 1024  # bytes
EVERYTHING = OwnNotes.of([], {REFERENCE: ["**"]})
GONE = (errno.ENOENT, errno.ENOTDIR)


@dataclass(frozen=True)
class Roots:
    """Where the files lie.

    raw               the folder that holds conversations/, None when there is none
    memory, modules   the workspace's folders of those names
    outside           folders elsewhere to which the operator lets links in the workspace lead
    notes             which other files of the workspace are a person's notes
    notes_root        where these lie when the workspace is a folder in theirs; None for in it
    plain             it is no workspace: no folder in it is koog's
    hidden            ids of memories that are archived
    """

    workspace: Path
    raw: Path | None = None
    memory: str = "memory"
    modules: str = "modules"
    outside: tuple[Path, ...] = ()
    notes: OwnNotes = own_notes.NONE
    notes_root: Path | None = None
    plain: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def shelved(self) -> Shelved:
        """Return what is told to nobody, though its file is kept."""
        return Shelved(self.memory, self.hidden)

    @cached_property
    def files(self) -> Root:
        """Return the root of the workspace's files."""
        return Root(self.workspace, outside=self.outside)

    @cached_property
    def around(self) -> Root | None:
        """Return the root of the notes around the workspace, None where they lie in it."""
        if self.notes_root is None:
            return None
        apart = self.workspace.relative_to(self.notes_root).as_posix()
        return Root(self.notes_root, name="the folder of the notes", outside=self.outside, apart=apart)

    @property
    def of_notes(self) -> Root:
        """Return the root in which a person's own notes lie."""
        return self.around or self.files

    @cached_property
    def transcripts(self) -> Root | None:
        """Return the root of the transcripts, None where there are none."""
        return None if self.raw is None else raw_root.of(self.raw, self.files)

    @cached_property
    def raw_inside(self) -> str | None:
        """Return where in the workspace the transcripts lie, None where they do not."""
        inside = self.raw is not None and self.raw.is_relative_to(self.workspace)
        return self.raw.relative_to(self.workspace).as_posix() if self.raw and inside else None

    def file(self, path: str) -> str:
        """Return where the file of a cited path lies: to name it; it is read by a Reader."""
        if self.raw and path.startswith(f"{CONVERSATIONS}/"):
            return f"{self.raw}{path.removeprefix(RAW)}"
        return f"{self.notes_root if self.is_around(path) else self.workspace}/{path}"

    def place(self, path: str) -> tuple[Root, str]:
        """Return in which root a cited path is, and under which name."""
        if self.transcripts and path.startswith(f"{CONVERSATIONS}/"):
            return self.transcripts, path.removeprefix(f"{RAW}/")
        if self.around and self.is_around(path):
            return self.around, path
        return self.files, path

    def is_around(self, path: str) -> bool:
        """Return whether a cited path is one of the notes around the workspace; see Tree.is_note."""
        return self.notes_root is not None and self.notes.holds(path, self.taken)

    def info(self, path: str) -> os.stat_result | None:
        """Return what stat says of a cited path; None when there is nothing, or it leads elsewhere."""
        root, inside = self.place(path)
        return root.info(inside)

    def is_file(self, path: str) -> bool:
        """Return whether a cited path is a regular file."""
        info = self.info(path)
        return info is not None and stat.S_ISREG(info.st_mode)

    @property
    def raw_is_link(self) -> bool:
        """Return whether a link stands in the transcripts' place."""
        if self.raw is None or self.raw == self.workspace:
            return False
        try:
            above, name = (
                (Root(self.raw.parent), self.raw.name) if self.raw_inside is None else (self.files, self.raw_inside)
            )
            info = above.itself(name).info()
        except (OSError, WorkspaceError):
            return False
        return info is not None and stat.S_ISLNK(info.st_mode)

    def category(self, path: str) -> str | None:
        """Return what a file is: in koog's own folders by these, elsewhere by what is said of the person's notes."""
        own = None if self.plain else category(path, memory=self.memory, modules=self.modules)
        if own not in (None, REFERENCE) or not path.endswith(SUFFIX) or not self.is_free(path):
            return own
        return self.notes.category(path) or own

    def is_free(self, path: str) -> bool:
        """Return whether a file or folder lies where a person's own notes may: in no folder of koog's or a host's."""
        if self.plain and "/" not in path:
            return path[0] != "."
        return own_notes.is_free(path, self.taken)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Return the folders at the top that are koog's or a host's."""
        return (
            frozenset()
            if self.plain
            else own_notes.taken(self.memory, self.modules, around=self.notes_root is not None)
        )


class Source(NamedTuple):
    """A file that is covered; size in bytes, and with time and inode what differs once it has changed."""

    path: str
    category: str
    size: int
    mtime_ns: int
    inode: int


class Folder(NamedTuple):
    """A folder's Markdown files as they were seen: size, mtime_ns and inode of each name, one after the other.

    whole   the look at the folder, where all files of that are among these
    """

    path: str
    names: list[str]
    stats: list[int]
    whole: listing.Listing | None = None

    @property
    def listing(self) -> bytes:
        """Return what is equal for two looks at a folder of which no file has changed."""
        return marshal.dumps((self.names, self.stats), 2)  # version 2 has no back references: equal is equal

    def sources(self, roots: Roots) -> Iterator[Source]:
        """Yield the files that are covered."""
        stats = iter(self.stats)
        for name, size, mtime_ns, inode in zip(self.names, stats, stats, stats, strict=True):
            path = f"{self.path}/{name}" if self.path else name
            kind = roots.category(path)
            if kind is not None:
                yield Source(path, kind, size, mtime_ns, inode)


class Skipped(NamedTuple):
    """What is there and is not indexed."""

    path: str
    why: str


class Scan(NamedTuple):
    """One look at all folders.

    at_ns   the time just before it
    links   links that are followed → as what what they lead to would be cited
    """

    roots: Roots
    at_ns: int
    folders: list[Folder]
    skipped: list[Skipped]
    links: dict[str, str]

    def look_at(self, path: str) -> listing.Listing | None:
        """Return the look at a folder, None where it was none at the whole of it."""
        return next((folder.whole for folder in self.folders if folder.path == path), None)

    def own_name(self, path: str) -> str:
        """Return as what a file would be cited without a link that leads to it."""
        over = [link for link in self.links if path == link or path.startswith(f"{link}/")]
        link = max(over, key=len, default=None)
        return path if link is None else self.links[link] + path[len(link) :]


def of(run: Run) -> Roots:
    """Return where this run's files lie."""
    if run.searched is not None:
        return Roots(run.searched, notes=EVERYTHING, plain=True)
    tree = run.workspace
    found = (run.root, run.raw, tree.memory, tree.modules, tree.outside, tree.own_notes, tree.notes_root)
    return Roots(*found, hidden=forgotten.of(tree).hidden)


# --- the files that there are


def scan(roots: Roots) -> Scan:
    """Look at every folder that may hold covered files."""
    return _Walk(roots).done()


def told(error: OSError | WorkspaceError) -> str:
    """Return why a file cannot be read."""
    return error.message if isinstance(error, WorkspaceError) else error.strerror or str(error)


def is_binary(data: bytes) -> bool:
    """Return whether a file's bytes are no text: text has no NUL near its beginning."""
    return b"\0" in data[:NUL_WITHIN]


def cut_short(size: int) -> str | None:
    """Return what of a file of this size is not searched, None where all of it is."""
    if size <= MOST_BYTES:
        return None
    read = MOST_BYTES if size <= READ_LIMIT else 0
    return f"of its {size >> 20} MB the first {read >> 20} are searched, and no more"


def digest(data: bytes) -> bytes:
    """Return what tells a file's content from another's."""
    from hashlib import blake2b  # 3 ms that a look without changes does not pay

    return blake2b(data, digest_size=16).digest()


class Reader:
    """Reads cited files for one piece of work: the folders of the last ones stay open."""

    def __init__(self, roots: Roots) -> None:
        self._files = listing.Reader(roots.files)
        self._transcripts = listing.Reader(roots.transcripts) if roots.transcripts else None
        self._around = listing.Reader(roots.around) if roots.around else None
        self._is_around = roots.is_around

    def read(self, path: str, size: int = CHUNK) -> Content:
        """Return a cited file's content; `size` is about how many bytes it has. Raises OSError, for a pipe too."""
        if self._transcripts and path.startswith(f"{CONVERSATIONS}/"):
            return self._transcripts.read(path.removeprefix(f"{RAW}/"), size)
        if self._around and self._is_around(path):
            return self._around.read(path, size)
        return self._files.read(path, size)


def _tops(roots: Roots) -> list[str]:
    """Return the folders that are walked: none inside another, and none that is cited as transcripts are."""
    if roots.plain:
        return []
    tops = {roots.memory, roots.modules, "knowledge", "topics", "archive"} & {roots.memory, roots.modules, *roots.taken}
    apart = {top for top in tops if not any(top.startswith(f"{other}/") for other in tops)}
    return sorted(top for top in apart if top != "." and top.partition("/")[0] != RAW)


class Place(NamedTuple):
    """Where a walk is: the path in a root, and as what that is cited. far: behind a link to a folder elsewhere."""

    root: Root
    path: str
    cited: str
    far: bool = False

    def inner(self, name: str) -> Place:
        """Return the place of a name in this folder."""
        path = f"{self.path}/{name}" if self.path else name
        return Place(self.root, path, f"{self.cited}/{name}" if self.cited else name, self.far)


class _Walk:
    """One look at all folders, links last: by then it is known what lies under its own name."""

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.tops = _tops(roots)
        self.scan = Scan(roots, time.time_ns(), [], [], {})
        self.links: list[tuple[int, str, int, Place]] = []
        self.count = itertools.count()
        self.followed: set[tuple[int, int]] = set()

    def done(self) -> Scan:
        """Return what there is."""
        transcripts = self.roots.transcripts
        top = Place(self.roots.files, "", "")
        inner = self._look_at_top(top)
        for name in self.tops:
            self._enter(top.inner(name))
        if self.roots.around:
            top = Place(self.roots.around, "", "")
            inner = self._look_at_top(top)
        for name in sorted(inner):
            if name not in self.roots.taken and self.roots.notes.covers(name):
                self._enter(top.inner(name))
        if self.roots.raw_is_link:
            why = "a link: only the operator's paths.raw may name a folder elsewhere"
            self._skip(Place(self.roots.files, "", RAW), why)
        elif transcripts:
            self._enter(Place(transcripts, "conversations", CONVERSATIONS))
        while self.links:
            self._follow(heapq.heappop(self.links)[-1])
        return self.scan

    def _later(self, place: Place) -> None:
        """Note a link. Of several that lead to one file the shortest gives it its name, not the disk's order."""
        heapq.heappush(self.links, (place.cited.count("/"), place.cited, next(self.count), place))

    def _look_at_top(self, top: Place) -> list[str]:
        try:
            return self._look(top.root.folder(), top)
        except OSError as e:
            self._skip_unless_gone(top, e)
            return []

    def _enter(self, place: Place) -> None:
        """Look at the folders from here down, where this is one."""
        try:
            spot = place.root.itself(place.path)
            info = spot.info()
        except WorkspaceError as e:
            self._skip(place, e.message)
        except OSError as e:
            self._skip_unless_gone(place, e)
        else:
            if info is not None and stat.S_ISLNK(info.st_mode):
                self._later(place)
            elif info is not None:
                self._descend(spot.folder, spot.name, place)

    def _descend(self, above: opened.Folder, name: str, place: Place) -> None:
        """Look at a folder and those in it, each opened in the one above."""
        waiting = [(above, name, place)]
        while waiting:
            above, name, place = waiting.pop()
            try:
                folder = listing.below(above, name)
                inner = self._look(folder, place)
            except OSError as e:
                self._skip_unless_gone(place, e)
                continue
            below = [(folder, n, place.inner(n)) for n in inner]
            waiting += [each for each in below if self._covers(each[2].cited) and not place.root.is_apart(each[2].path)]

    def _look(self, folder: opened.Folder, place: Place) -> list[str]:
        """Note a folder's files and links, return its folders' names: what every refresh does for every file."""
        if place.path and (whose := self._is_others(folder, place)):
            self._skip(place, whose)
            return []
        whole = found = listing.look(folder, SUFFIX)
        if self.roots.around and not place.cited:
            found = self._of_top(found, place.root)
        names, stats, inner, links, _ = found
        if place.cited != place.path and place.root is self.roots.of_notes and not place.far:
            names, stats = self._found_only_here(names, stats, place.path)
        for name in links:
            if place.far:
                self._skip(place.inner(name), "a link in a folder that a link leads to")
            elif place.cited or name.endswith(SUFFIX):  # the folders at the top are looked at as such
                self._later(place.inner(name))
        if names:
            self.scan.folders.append(Folder(place.cited, names, stats, whole if names is whole.names else None))
        return inner

    def _of_top(self, found: listing.Listing, root: Root) -> listing.Listing:
        """Return of what lies at the top of one of two roots what is read there, as one folder for both."""
        size = [found.stats[i : i + 3] for i in range(0, len(found.stats), 3)]
        here = [(name, each) for name, each in zip(found.names, size, strict=True) if self.roots.place(name)[0] is root]
        before = next((folder for folder in self.scan.folders if not folder.path), None)
        names, stats = [name for name, _ in here], [number for _, each in here for number in each]
        if before:
            before.names.extend(names)
            before.stats.extend(stats)
            names, stats = [], []
        links = [name for name in found.links if self.roots.place(name)[0] is root]
        return listing.Listing(names, stats, [name for name in found.folders if not root.is_apart(name)], links, [])

    def _is_others(self, folder: opened.Folder, place: Place) -> str | None:
        """Return whose a folder is among a person's notes, None where it is the person's.

        A workspace says itself who hears what of it. Of another repository is read what a glob names.
        """
        if place.root is not self.roots.of_notes or place.path.partition("/")[0] in self.roots.taken:
            return None
        if any(listing.has(folder, mark) for mark in workspace.MARKS):
            return "another workspace"
        is_named = self.roots.plain or self.roots.notes.names(place.path)
        return None if is_named or not listing.has(folder, ".git") else "another repository"

    def _found_only_here(self, names: list[str], stats: list[int], own: str) -> tuple[list[str], list[int]]:
        """Return of the files behind a link to a folder those that are no notes under their own names."""
        kept = [at for at, name in enumerate(names) if self.roots.category(f"{own}/{name}") is None]
        return [names[at] for at in kept], [each for at in kept for each in stats[3 * at : 3 * at + 3]]

    def _covers(self, cited: str) -> bool:
        """Return whether covered files may lie in a folder."""
        if "/." in f"/{cited}" or cited == f"{self.roots.raw_inside}/conversations":
            return False  # transcripts inside the workspace are cited as transcripts only
        if cited.partition("/")[0] not in self.roots.taken:
            return self.roots.notes.covers(cited)
        inside = cited.removeprefix(f"{self.roots.memory}/")
        return inside == cited or inside.partition("/")[0] not in NOT_OF_MEMORY

    def _follow(self, place: Place) -> None:
        """Look at what a link leads to, where that is nothing that is found under its own name."""
        try:
            link = place.root.itself(place.path)
        except (OSError, WorkspaceError):
            return  # gone since
        leads_to = listing.led_to(link)
        if leads_to is None:
            self._skip(place, "a link that leads nowhere")
            return
        is_folder = stat.S_ISDIR(leads_to.st_mode)
        if not is_folder and not (place.cited.endswith(SUFFIX) and stat.S_ISREG(leads_to.st_mode)):
            return
        try:
            spot = place.root.spot(place.path)
            info = spot.info()
        except Barred:
            self._skip(place, "a link to what is hidden")
            return
        except (OSError, WorkspaceError) as e:
            self._skip(place, "a link that leads outside" if isinstance(e, Leads) else told(e))
            return
        own = place.cited if spot.far else self._own_name(place.root, spot.path)
        if own is None:
            self._skip(place, "a link that leads outside")
        elif "/." in f"/{own}":
            self._skip(place, "a link to what is hidden")
        elif info and self._is_new(info) and (spot.far or not self._is_found_anyway(own, is_folder=is_folder)):
            self.followed.add((info.st_dev, info.st_ino))
            self.scan.links[place.cited] = own
            if is_folder:
                self._descend(spot.folder, spot.name, Place(place.root, spot.path, place.cited, spot.far))
            else:
                self._add(place.cited, info)

    def _is_new(self, info: os.stat_result) -> bool:
        return (info.st_dev, info.st_ino) not in self.followed

    def _own_name(self, root: Root, path: str) -> str | None:
        """Return as what a path of a root is cited, None for what beside the transcripts lies with them."""
        if root is self.roots.transcripts:
            return f"{RAW}/{path}" if f"{path}/".startswith("conversations/") else None
        beside = f"{self.roots.raw_inside}/conversations"
        return CONVERSATIONS + path.removeprefix(beside) if f"{path}/".startswith(f"{beside}/") else path

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

    def _skip_unless_gone(self, place: Place, error: OSError) -> None:
        if error.errno not in GONE:
            self._skip(place, told(error))

    def _skip(self, place: Place, why: str) -> None:
        self.scan.skipped.append(Skipped(place.cited, why))
