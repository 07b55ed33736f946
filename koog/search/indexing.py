"""The index brought up to date with the files: what has changed is read, and nothing else.  [autopoiesis §7.3]

    update    the workspace's index, built anew where it must be; what `koog index` and `koog search` call
    apply     what changes.compare has found, on an open index

One indexer works at a time; readers go on meanwhile, with what there was before.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import progress
from koog.core.files import lock
from koog.core.files.tree import private_root
from koog.core.named import NamedTuple
from koog.search import changes, database, pending, sources, vectors
from koog.search.changes import Plan
from koog.search.database import Unusable, from_stored, stored
from koog.search.filling import Filler
from koog.search.pending import Vectors
from koog.search.sources import Roots, Scan, Skipped

if TYPE_CHECKING:
    import apsw

    from koog.search.embedder import Embedder

MANY = 200  # files whose reading takes a moment
NOTED = "SELECT path, skipped FROM files WHERE skipped IS NOT NULL"


class Refreshed(NamedTuple):
    """What was done.

    files, passages  how many the index holds now
    rebuilt          why it was built anew, None when it was refreshed
    vectors          how they stand, None where no embedder was given
    scan             the look at the files
    """

    files: int
    passages: int
    added: int
    changed: int
    removed: int
    unchanged: int
    skipped: list[Skipped]
    rebuilt: str | None = None
    vectors: Vectors | None = None
    scan: Scan | None = None


def update(
    place: Path,
    roots: Roots,
    *,
    full: bool = False,
    only: Sequence[str] = (),
    wait_s: float,
    dry_run: bool = False,
    embedder: Embedder | None = None,
) -> Refreshed:
    """Make the index fit the files.

    place     .koog/index.db
    full      build it anew whatever its state
    only      cited paths of files and folders to which a refresh (not a rebuild) is restricted
    wait_s    for another indexer
    dry_run   try it in memory, without vectors

    Raises Busy and WorkspaceError.
    """
    if dry_run:
        return _tried(place, roots, full=full, only=only)
    with database.failures(place):
        file = private_root(place.parent.parent).itself(database.LOCK)
    with lock.held(file, wait_s=wait_s, what="the index"):
        scan = sources.scan(roots)
        reason = "asked"
        if not full:
            try:
                done = _refreshed(place, scan, only)
                if done is not None:
                    return _with_vectors(done, place, roots, embedder)
                reason = "mostly new"
            except Unusable as e:  # also pages that only the vectors' writer has read
                reason = e.reason
        with database.rebuilt(place) as db:
            done = apply(db, changes.everything(scan), scan)._replace(rebuilt=reason)
        return _with_vectors(done, place, roots, embedder)


def _refreshed(place: Path, scan: Scan, only: Sequence[str]) -> Refreshed | None:
    """Mend the index; None where a new one takes less time. Raises Unusable, Busy and WorkspaceError."""
    with database.writer(place) as db:
        plan = changes.compare(db, scan, only)
        return None if _is_mostly_new(db, plan) else apply(db, plan, scan)


def _with_vectors(done: Refreshed, place: Path, roots: Roots, embedder: Embedder | None) -> Refreshed:
    return done._replace(vectors=pending.settle(place, roots, embedder)) if embedder else done


def _tried(place: Path, roots: Roots, *, full: bool, only: Sequence[str]) -> Refreshed:
    """Return what `update` would do, done to a copy in memory."""
    scan = sources.scan(roots)
    reason = "asked"
    if not full:
        try:
            with database.copied(place) as db:
                plan = changes.compare(db, scan, only)
                if not _is_mostly_new(db, plan):
                    return apply(db, plan, scan)
            reason = "mostly new"
        except Unusable as e:
            reason = e.reason
    with database.scratch() as db:
        return apply(db, changes.everything(scan), scan)._replace(rebuilt=reason)


def apply(db: apsw.Connection, plan: Plan, scan: Scan) -> Refreshed:
    """Do what a plan says, in one transaction."""
    before = db.execute("SELECT count(*) FROM files").get
    # Of equals the search finds the first: it is the same on every disk.
    todo = sorted((*plan.add, *(source for _, source in plan.change)), key=lambda source: source.path.rpartition("/"))
    missing, skipped = set[str](), list[Skipped]()
    if plan.has_work:
        with db, _work(len(todo)) as begin:
            _remove(db, [*plan.remove, *(id for id, _ in plan.change)])
            _note_folders(db, plan)
            filler = Filler(db, scan)
            for source in todo:
                begin(source.path)
                filler.add(source)
            filler.flush()
            _note_files(db, plan, unsettled={path.rpartition("/")[0] for path in filler.missing})
            missing, skipped = filler.missing, filler.skipped
    changed = sum(source.path not in missing for _, source in plan.change)
    return Refreshed(
        files=db.execute("SELECT count(*) FROM files").get,
        passages=db.execute("SELECT coalesce(sum(passages), 0) FROM files").get,
        added=sum(source.path not in missing for source in plan.add),
        changed=changed,
        removed=len(plan.remove) + len(plan.change) - changed,
        unchanged=before - len(plan.remove) - len(plan.change),
        skipped=[*scan.skipped, *plan.skipped, *skipped, *_noted(db)],
        scan=scan,
    )


def _is_mostly_new(db: apsw.Connection, plan: Plan) -> bool:
    """Return whether a new index takes less time than mending this one."""
    new = len(plan.add) + len(plan.change)
    return new > MANY and 2 * new > db.execute("SELECT count(*) FROM files").get + len(plan.add)


@contextmanager
def _work(files: int) -> Iterator[Callable[[str], None]]:
    """Show how far many files are, and let the garbage collector rest: it would walk all rows, and finds nothing."""
    if files <= MANY:
        yield lambda _: None
        return
    collects = gc.isenabled()
    gc.disable()
    try:
        with progress.bar(files) as begin:
            yield begin
    finally:
        if collects:
            gc.enable()


def _remove(db: apsw.Connection, files: Sequence[int]) -> None:
    """Take files out. All rows of a table at once: a savepoint between them makes FTS5 write what it has collected."""
    ranges = [next(db.execute("SELECT first, passages FROM files WHERE id = ?", (id,))) for id in files]
    gone = [id for first, count in ranges for id in range(first, first + count)]
    vectors.remove(db, gone)
    db.executemany("DELETE FROM passages_fts WHERE rowid = ?", ((id,) for id in gone))
    db.executemany("DELETE FROM passages WHERE id = ?", ((id,) for id in gone))
    db.executemany("DELETE FROM labelled WHERE id = ?", ((id,) for id in gone))
    db.executemany("DELETE FROM files WHERE id = ?", ((id,) for id in files))


def _note_folders(db: apsw.Connection, plan: Plan) -> None:
    db.executemany("DELETE FROM folders WHERE id = ?", ((id,) for id in plan.gone))
    db.executemany(
        "INSERT INTO folders(path, listing) VALUES (?, ?) ON CONFLICT(path) DO UPDATE SET listing = excluded.listing",
        ((stored(path), listing) for path, listing in plan.folders),
    )


def _note_files(db: apsw.Connection, plan: Plan, *, unsettled: set[str]) -> None:
    """Note how files looked. A folder with one that could not be read is looked into next time."""
    seen = ((source.size, source.mtime_ns, source.inode, plan.at_ns, id) for id, source in plan.touch)
    db.executemany("UPDATE files SET size = ?, mtime_ns = ?, inode = ?, indexed = ? WHERE id = ?", seen)
    db.executemany("UPDATE folders SET listing = NULL WHERE path = ?", ((stored(path),) for path in unsettled))


def _noted(db: apsw.Connection) -> list[Skipped]:
    return [Skipped(from_stored(path), why) for path, why in db.execute(NOTED)]
