"""The index's vectors: stored in its database, searched by sqlite-vec.  [autopoiesis §7; issue 5]

    load            sqlite-vec's functions into a connection
    prepare         the tables, emptied when the model has changed; attach: the same for a reader, who changes nothing
    postpone, pending, add, remove      passages that wait for a vector, get one, are gone
    scan, similarities                  which passages are like a vector, and how like

A passage has its signs in `passages_vec`, which finds candidates, and its signed bytes in `passages_int8`, which gives
the cosine. All changes stand in the caller's transaction, or are each one of their own.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from koog.core.errors import ConfigError, KoogError
from koog.search.embedder import Embedder
from koog.search.embedding import folder

if TYPE_CHECKING:
    import apsw

TABLES = """
    CREATE TABLE vectors_model (id TEXT NOT NULL, dimensions INTEGER, furnished INTEGER NOT NULL);
    CREATE TABLE vectors_pending (id INTEGER PRIMARY KEY);
    CREATE TABLE passages_int8 (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
    CREATE TABLE near (word TEXT PRIMARY KEY, others TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE tokens (token TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO vectors_model VALUES ('', NULL, 0);
"""
EMPTY = """
    DELETE FROM passages_int8;
    DELETE FROM near;
    DELETE FROM tokens;
    DROP TABLE IF EXISTS passages_vec;
    INSERT OR IGNORE INTO vectors_pending SELECT id FROM passages;
"""
# vec0 looks for the best k of a table in time rows × k. Eight parts, over which neighbours are spread by their
# number, give the same candidates for an eighth of the k each: at 100,000 rows 6 ms in place of 33 (one table, k = 300)
# or 10 (no vec0, a plain table and vec_distance_hamming). Whole vectors as int8[] in vec0: 65 ms.
STRIPES = 8
CANDIDATES = 200  # by their signs, whose cosines are computed: of the twenty likest of 30,000 they hold 0.93 (20: 0.59)
MOST_CANDIDATES = STRIPES * 4096  # vec0's own limit of k, for each part
SIGNS = " UNION ALL ".join(
    f"SELECT rowid, distance FROM passages_vec WHERE stripe = {stripe}"  # noqa: S608  a number of our own
    " AND bits MATCH vec_quantize_binary(vec_int8(?1)) AND k = ?2"
    for stripe in range(STRIPES)
)
COSINE = "coalesce(1 - vec_distance_cosine(vec_int8(vector), vec_int8(?1)), 0)"  # a vector of zeros has none
EXACT_TO = 4000  # vectors whose cosines are all computed: 2.5 ms
FURNISHED_FROM = 400  # vectors: the model's tables take a second to make, and few notes need no wider search


def load(db: apsw.Connection) -> bool:
    """Load sqlite-vec into a connection, by its path: its package would import numpy.

    False where it cannot be: then no embedder may be given to `prepare` or `add`.
    """
    import apsw

    package = folder("sqlite_vec")
    if package is None:
        return False
    try:
        db.enable_load_extension(True)
        try:
            db.load_extension(str(package / "vec0"))
        finally:
            db.enable_load_extension(False)
    except (apsw.Error, AttributeError):  # a library for another machine; an apsw without extensions
        return False
    return True


def prepare(db: apsw.Connection, embedder: Embedder) -> bool:
    """Make the tables ready to take this embedder's vectors. Return whether its model is new here.

    If so, every passage is pending.
    """
    if attach(db, embedder):
        return False
    with db:
        if not _has(db, "vectors_model"):
            db.execute(TABLES)
        db.execute(EMPTY)
        db.execute("UPDATE vectors_model SET id = ?, dimensions = NULL, furnished = 0", (embedder.id,))
    return True


def attach(db: apsw.Connection, embedder: Embedder) -> bool:
    """Let an embedder use what the index holds of its model. Return whether the stored vectors are of that model.

    If not, they may not be compared with its own. Changes nothing in the database.
    """
    if not _has(db, "vectors_model"):
        return False
    (model, furnished), *_ = db.execute("SELECT id, furnished FROM vectors_model")
    if model != embedder.id:
        return False
    if furnished:
        embedder.look_up(lambda token: _number(db, token), within=db)  # one transaction: a lock for each costs more
    return True


def postpone(db: apsw.Connection, ids: Iterable[int]) -> None:
    """Note passages as waiting for a vector, also without sqlite-vec; nothing where vectors were never kept."""
    if _has(db, "vectors_pending"):
        db.executemany("INSERT OR IGNORE INTO vectors_pending VALUES (?)", ((id,) for id in ids))


def pending(db: apsw.Connection) -> list[int]:
    """Return the passages that wait for a vector."""
    return [id for (id,) in db.execute("SELECT id FROM vectors_pending ORDER BY id")]


def add(db: apsw.Connection, embedder: Embedder, rows: Iterable[tuple[int, str]]) -> str | None:
    """Give passages their vectors: rows of (id, text), read a batch at a time.

    Return None, or in words why the embedder failed: what had no vector by then is pending.
    """
    waiting = iter(rows)
    while part := list(islice(waiting, embedder.batch)):
        try:
            vectors = embedder.embed([text for _, text in part], kind="passage")
            _store(db, [id for id, _ in part], vectors)
        except KoogError as e:
            postpone(db, (id for rest in (part, waiting) for id, _ in rest))
            return e.message
    _furnish(db, embedder)
    return None


def remove(db: apsw.Connection, ids: Iterable[int]) -> None:
    """Forget passages, also without sqlite-vec: `scan` may then still find their signs, but they have no cosine."""
    if not _has(db, "vectors_model"):
        return
    gone = [(id,) for id in ids]
    with db:
        db.executemany("DELETE FROM passages_int8 WHERE id = ?", gone)
        db.executemany("DELETE FROM vectors_pending WHERE id = ?", gone)
        if _can_scan(db):
            db.executemany("DELETE FROM passages_vec WHERE rowid = ?", gone)


def scan(db: apsw.Connection, vector: bytes, limit: int = CANDIDATES) -> list[int]:
    """Return the `limit` passages that are likest to a vector, the likest first: about, where there are many.

    Raises ConfigError for a vector of another length than the stored ones.
    """
    if not _can_scan(db):
        return []
    _check_length(db, len(vector))
    if _holds(db, EXACT_TO + 1):
        each = -(-min(max(limit, CANDIDATES), MOST_CANDIDATES) // STRIPES)
        by_signs = [id for (id,) in db.execute(f"SELECT rowid FROM ({SIGNS})", (vector, each))]  # noqa: S608
        cosines = similarities(db, vector, by_signs)
        return heapq.nlargest(limit, cosines, key=lambda id: (cosines[id], -id))
    found = db.execute(f"SELECT id FROM passages_int8 ORDER BY {COSINE} DESC LIMIT ?2", (vector, limit))  # noqa: S608
    return [id for (id,) in found]


def similarities(db: apsw.Connection, vector: bytes, ids: Iterable[int]) -> dict[int, float]:
    """Return the cosines, -1 to 1, of those of the passages that have a vector.

    Raises ConfigError for a vector of another length than the stored ones.
    """
    if not _has(db, "passages_int8"):
        return {}
    _check_length(db, len(vector))
    wanted = "SELECT value FROM json_each(?2)"
    sql = f"SELECT id, {COSINE} FROM passages_int8 WHERE id IN ({wanted})"  # noqa: S608  texts of our own
    found: Any = db.execute(sql, (vector, orjson.dumps(list(ids)).decode()))
    return dict(found)


def ids(db: apsw.Connection) -> list[int]:
    """Return the passages that have a vector."""
    return [id for (id,) in db.execute("SELECT id FROM passages_int8")] if _has(db, "passages_int8") else []


def _store(db: apsw.Connection, ids: Sequence[int], vectors: Sequence[bytes]) -> None:
    """Store vectors, in place of those that a passage of the same number had. Raises ConfigError for other lengths."""
    for length in {len(vector) for vector in vectors}:
        _check_length(db, length)  # before the transaction: a new index has no journal, and so nothing to roll back by
    with db:
        if not _has(db, "passages_vec"):
            length = len(vectors[0])
            db.execute(
                f"CREATE VIRTUAL TABLE passages_vec USING vec0(stripe integer partition key, bits bit[{length}])"
            )
            db.execute("UPDATE vectors_model SET dimensions = ?", (length,))
        remove(db, ids)
        db.executemany("INSERT INTO passages_int8 VALUES (?, ?)", zip(ids, vectors, strict=True))
        signs = f"SELECT ?1, ?1 % {STRIPES}, vec_quantize_binary(vec_int8(?2))"
        db.executemany(f"INSERT INTO passages_vec(rowid, stripe, bits) {signs}", zip(ids, vectors, strict=True))


def _furnish(db: apsw.Connection, embedder: Embedder) -> None:
    """Keep the model's tables in the index when it has become large enough for them."""
    if db.execute("SELECT furnished FROM vectors_model").get or not _holds(db, FURNISHED_FROM):
        return
    near, tokens = list(embedder.near_words()), list(embedder.tokens())
    with db:
        db.executemany("INSERT INTO near VALUES (?, ?)", near)
        db.executemany("INSERT INTO tokens VALUES (?, ?)", tokens)
        db.execute("UPDATE vectors_model SET furnished = 1")


def _holds(db: apsw.Connection, many: int) -> bool:
    """Return whether at least so many vectors are stored, without counting further."""
    return bool(db.execute("SELECT count(*) = ?1 FROM (SELECT 1 FROM passages_int8 LIMIT ?1)", (many,)).get)


def _number(db: apsw.Connection, token: str) -> int | None:
    found: int | None = db.execute("SELECT number FROM tokens WHERE token = ?", (token,)).get
    return found


def _check_length(db: apsw.Connection, length: int) -> None:
    stored = db.execute("SELECT dimensions FROM vectors_model").get
    if stored is not None and stored != length:
        raise ConfigError(
            f"the embedding model gives {length} numbers a text, and the index holds vectors of {stored}",
            hint="koog index --full",
        )


def _has(db: apsw.Connection, table: str) -> bool:
    return db.table_exists(None, table)


def _can_scan(db: apsw.Connection) -> bool:
    loaded = db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'vec0'").get
    return bool(loaded) and _has(db, "passages_vec")
