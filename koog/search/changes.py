"""The files as they are beside the index: what has to be read, and what is gone.  [autopoiesis §7.3]

A file is looked into when its size, time or inode are not the indexed ones, and has
changed when its bytes have. Like git, koog trusts no time that is about as young as the
look itself, because a second change may hide behind it: such a file is looked into once
more. Of ten thousand files in folders where nothing has changed, none is looked at one
by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core.named import NamedTuple
from koog.search import sources
from koog.search.database import from_stored
from koog.search.sources import Folder, Scan, Skipped, Source

if TYPE_CHECKING:
    import apsw

YOUNG_NS = 2_000_000_000  # file systems keep times to two seconds at worst
Only = Sequence[str]
OF_FOLDER = "SELECT id, path, size, mtime_ns, inode, hash, indexed FROM files WHERE folder = ?"


class Known(NamedTuple):
    """A file as it is indexed."""

    id: int
    size: int
    mtime_ns: int
    inode: int
    hash: bytes
    indexed: int

    def is_like(self, source: Source) -> bool:
        """Return whether nothing speaks for a change since."""
        same = (self.size, self.mtime_ns, self.inode) == source[2:]
        return same and self.mtime_ns + YOUNG_NS < self.indexed


class Plan(NamedTuple):
    """What makes the index fit the files.

    at_ns    when the files were looked at
    add      files that are not indexed
    change   (id, file): its bytes are others
    touch    (id, file): the same bytes under another time
    remove   ids of files
    folders  (path, listing) to be noted; None where not all is settled
    gone     ids of folders that are no more
    skipped  files that cannot be read
    """

    at_ns: int
    add: list[Source]
    change: list[tuple[int, Source]]
    touch: list[tuple[int, Source]]
    remove: list[int]
    folders: list[tuple[str, bytes | None]]
    gone: list[int]
    skipped: list[Skipped]

    @property
    def is_stale(self) -> bool:
        """Return whether a search would see other than what the files say."""
        return bool(self.add or self.change or self.remove)

    @property
    def has_work(self) -> bool:
        """Return whether anything is to be written."""
        return self.is_stale or bool(self.touch or self.folders or self.gone)


def everything(scan: Scan) -> Plan:
    """Return the plan for an empty index."""
    plan = _empty(scan)
    for folder in scan.folders:
        found = list(folder.sources(scan.roots))
        plan.add.extend(found)
        plan.folders.append((folder.path, _settled(folder, found, scan)))
    return plan


def compare(db: apsw.Connection, scan: Scan, only: Only = ()) -> Plan:
    """Return what is to be done.

    only   cited paths of files and folders; no others are looked at. () for all of them
    """
    plan = _empty(scan)
    known = {
        from_stored(path): (id, listing) for id, path, listing in db.execute("SELECT id, path, listing FROM folders")
    }
    for folder in scan.folders:
        id, listing = known.pop(folder.path, (None, None))
        if listing is None or listing != folder.listing:
            _compare_folder(db, plan, scan, folder=folder, noted=(id, listing), only=only)
    for id, _ in known.values():
        files = _known(db, id)
        plan.remove.extend(file.id for path, file in files.items() if _is_asked(path, only))
        if all(_is_asked(path, only) for path in files):
            plan.gone.append(id)
    return plan


def _empty(scan: Scan) -> Plan:
    return Plan(scan.at_ns, [], [], [], [], [], [], [])


def _compare_folder(
    db: apsw.Connection, plan: Plan, scan: Scan, *, folder: Folder, noted: tuple[int | None, bytes | None], only: Only
) -> None:
    id, listing = noted
    files = {} if id is None else _known(db, id)
    found = list(folder.sources(scan.roots))
    asked = [source for source in found if _is_asked(source.path, only)]
    if only and not asked and not any(_is_asked(path, only) for path in files):
        return
    before = len(plan.skipped)
    for source in asked:
        file = files.pop(source.path, None)
        if file is None:
            plan.add.append(source)
        elif not file.is_like(source):
            _look_into(plan, scan, file, source)
    here = {source.path for source in found}
    plan.remove.extend(file.id for path, file in files.items() if path not in here and _is_asked(path, only))
    whole = len(asked) == len(found) and len(plan.skipped) == before
    settled = _settled(folder, found, scan) if whole else None
    if id is None or settled != listing:
        plan.folders.append((folder.path, settled))


def _look_into(plan: Plan, scan: Scan, file: Known, source: Source) -> None:
    try:
        digest = sources.digest(sources.Reader(scan.roots).read(source.path, source.size).data)
    except OSError as e:
        plan.remove.append(file.id)
        if e.errno not in sources.GONE:
            plan.skipped.append(Skipped(source.path, sources.told(e)))
        return
    (plan.touch if digest == file.hash else plan.change).append((file.id, source))


def _settled(folder: Folder, found: Sequence[Source], scan: Scan) -> bytes | None:
    """Return the folder's listing, None while one of its files is too young to be trusted."""
    return None if any(source.mtime_ns + YOUNG_NS >= scan.at_ns for source in found) else folder.listing


def _known(db: apsw.Connection, folder: int) -> dict[str, Known]:
    return {from_stored(path): Known(id, *rest) for id, path, *rest in db.execute(OF_FOLDER, (folder,))}


def _is_asked(path: str, only: Only) -> bool:
    return not only or any(path == asked or path.startswith(f"{asked}/") or not asked for asked in only)
