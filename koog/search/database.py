"""`.koog/index.db`: opened, found unusable, replaced.  [autopoiesis §7.2, design §4]

    reader      for questions
    writer      for small changes to it, under the lock of koog/search/indexing.py
    rebuilt     a new file, which takes the old one's place when it is whole
    beside      another database in `.koog/`, of one table

The file is derived, so whatever is wrong with it (absent, cut, of another version, not
koog's) is `Unusable`, and answered by a rebuild. It has a rollback journal, no
write-ahead log: a reader needs no second file beside it, so that a workspace which may
only be read can be searched. A connection is for one command: kept over a rebuild, it
goes on to show the replaced file.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import shipped
from koog.core.errors import Busy, KoogError, WorkspaceError
from koog.core.files.tree import PRIVATE, private_root

if TYPE_CHECKING:
    import apsw

    from koog.core.files.roots import Spot

NAME = "index.db"
LOCK = "index.lock"
SCHEMA = Path(__file__).with_name("schema.sql")
APPLICATION_ID = 0x6B6F6F67  # "koog"
# Of the schema, of how passages are cut, of how words are split, and of what is a rule (sessions/person.py): raise it
# when one of them changes.
VERSION = 5
TABLES = ("files", "folders", "labelled", "passages", "passages_fts", "words")
BUSY_MS = 5000  # a commit by another process takes milliseconds
FTS_MEMORY = 4 * 1024 * 1024  # bytes of new words before they are written: fewer parts to merge than with FTS5's 1 MB
MAPPED = 256 * 1024 * 1024  # bytes that a question reads without copying them: a sixth of its time at 100,000 passages
BESIDE = ("-journal", "-wal", "-shm")  # what SQLite may leave beside a database


class Unusable(Exception):
    """There is no index to be asked.

    reason   absent, empty, not a file, corrupt, foreign, older or newer
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def reader(place: Path) -> apsw.Connection:
    """Open the index for questions; ask them inside `failures`.

    Raises Unusable, Busy, and WorkspaceError for a disk that refuses.
    """
    db = _opened(place)
    db.execute(f"PRAGMA query_only = 1; PRAGMA mmap_size = {MAPPED}")
    return db


@contextmanager
def writer(place: Path) -> Iterator[apsw.Connection]:
    """Open the index for changes, which are the block's to put in transactions. Raises what `reader` raises."""
    db = _opened(place)
    try:
        with failures(place):
            db.execute("PRAGMA synchronous = normal; PRAGMA cache_spill = off")  # a spill would lock readers out
            yield db
    finally:
        db.close()


@contextmanager
def copied(place: Path) -> Iterator[apsw.Connection]:
    """Open a copy of the index in memory, to try changes on. Raises what `reader` raises."""
    source = _opened(place)
    try:
        with failures(place), _in_memory() as db:
            with db.backup("main", source, "main") as backup:
                backup.step(-1)
            yield db
    finally:
        source.close()


@contextmanager
def scratch() -> Iterator[apsw.Connection]:
    """Open an index in memory, empty."""
    with _in_memory() as db:
        _create(db)
        yield db


@contextmanager
def rebuilt(place: Path) -> Iterator[apsw.Connection]:
    """Open a new, empty index, which takes the place of the old one when the block ends, or is gone when it raises.

    Until then the old one answers. Raises Busy and WorkspaceError.
    """
    new = place.with_name(f"{NAME}.new")
    with failures(place):
        _discard(new)
        os.close(_spot(new).open(os.O_WRONLY | os.O_CREAT | os.O_EXCL))  # 0600: words of private notes
        db = _connect(new)
        try:
            # Nobody reads it yet, and a crash leaves the old one: no journal, and one sync at the end.
            db.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA locking_mode = exclusive")
            _create(db)
            yield db
            db.close()
            _take_place(new, place)
        except BaseException:
            db.close(True)
            _discard(new)
            raise


@contextmanager
def beside(place: Path, table: str) -> Iterator[apsw.Connection]:
    """Open another database in `.koog/`, made where it is absent; one that is of no use goes, and the next is new.

    table   the statement that makes its table, where it is not there

    Raises Unusable, Busy and WorkspaceError.
    """
    try:
        with failures(place):
            if _spot(place).info() is None:
                os.close(_spot(place).open(os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            db = _connect(place)
            try:
                db.execute(f"PRAGMA synchronous = normal; {table}")
                yield db
            finally:
                db.close()
    except Unusable:
        discard(place)
        raise


def discard(place: Path) -> None:
    """Take away an index that was found unusable while it was asked: the next refresh builds a new one."""
    with suppress(OSError, WorkspaceError):  # where nothing may be written, the next one finds it as this one did
        _spot(place).unlink()


def stored(path: str) -> str | bytes:
    """Return a path as the index keeps it: one that is not UTF-8 as its bytes."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def from_stored(path: str | bytes) -> str:
    """Return a path that the index kept."""
    return path if isinstance(path, str) else os.fsdecode(path)


@contextmanager
def failures(place: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say in the block into Unusable, Busy or WorkspaceError."""
    import apsw

    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError, apsw.ConstraintError):
        # The last two: koog's own statements are right, so a table, a row or what FTS5 and vec0 stand on is not.
        raise Unusable("corrupt") from None
    except UnicodeDecodeError:  # a text of a page that SQLite could read
        raise Unusable("corrupt") from None
    except (apsw.BusyError, apsw.LockedError):
        raise Busy("another koog writes the index", hint="try again when it has ended") from None
    except (apsw.Error, OSError) as e:
        raise WorkspaceError(f"{PRIVATE}/{place.name}: {e}", hint="is the disk full, or read-only?") from None


def _opened(place: Path) -> apsw.Connection:
    with failures(place):
        _check_file(place)
        db = _connect(place)
        try:
            _check_content(db)
        except BaseException:
            db.close()
            raise
        return db


def _connect(place: Path) -> apsw.Connection:
    """Open a file, for reading only where it may not be written.

    SQLite takes a path: it was looked at, and where a link stands in it by now SQLite opens nothing.
    """
    import apsw

    try:
        db = apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW)
    except UnicodeEncodeError:
        raise WorkspaceError(f"{PRIVATE}/{NAME}: SQLite opens no path that is not UTF-8") from None
    db.set_busy_timeout(BUSY_MS)
    return db


def _check_file(place: Path) -> None:
    """Raise Unusable for what SQLite would follow, hang on, or take for an empty database."""
    try:
        info = _spot(place).info()
    except FileNotFoundError:
        info = None
    if info is None:
        raise Unusable("absent")
    if not stat.S_ISREG(info.st_mode):
        raise Unusable("not a file")
    if not info.st_size:
        raise Unusable("empty")


def _check_content(db: apsw.Connection) -> None:
    """Raise Unusable for a database that is not koog's, or not of this version. What a page holds is seen when read."""
    if db.pragma("application_id") != APPLICATION_ID:
        raise Unusable("foreign")
    version = db.pragma("user_version")
    if version != VERSION:
        raise Unusable("older" if version < VERSION else "newer")
    if not all(db.table_exists("main", table) for table in TABLES):
        raise Unusable("corrupt")


@contextmanager
def _in_memory() -> Iterator[apsw.Connection]:
    import apsw

    db = apsw.Connection(":memory:")
    try:
        yield db
    finally:
        db.close()


def _create(db: apsw.Connection) -> None:
    db.execute(shipped.text(SCHEMA))
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", VERSION)
    db.execute("INSERT INTO passages_fts(passages_fts, rank) VALUES ('hashsize', ?)", (FTS_MEMORY,))


def _take_place(new: Path, place: Path) -> None:
    """Put the new file in the old one's place.

    A killed writer's journal lies beside the old file, and SQLite would apply it to whatever has that name: first it
    is applied to the old one. What cannot be applied belongs to a file that is of no use any more.
    """
    fresh, old = _spot(new), _spot(place)
    if (present := old.info()) and stat.S_ISDIR(present.st_mode):
        old.rename(old.beside(f"{NAME}.{time.time_ns()}.aside"))  # whatever it holds, nobody misses it here
    fd = fresh.open()
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    if _beside(old):
        with suppress(Unusable, KoogError), failures(place):
            db = _connect(place)
            db.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # to read is to apply the journal
            db.close()
        for left in _beside(old):
            _unlink(left)
    fresh.rename(old)
    old.folder.sync()


def _spot(place: Path) -> Spot:
    """Return where a database is, in the workspace's `.koog/`. Raises OSError, WorkspaceError."""
    return private_root(place.parent.parent).itself(place.name)


def _beside(spot: Spot) -> list[Spot]:
    return [beside for end in BESIDE if (beside := spot.beside(spot.name + end)).info()]


def _discard(new: Path) -> None:
    spot = _spot(new)
    for left in (spot, *_beside(spot)):
        _unlink(left)


def _unlink(spot: Spot) -> None:
    with suppress(FileNotFoundError):
        spot.unlink()
