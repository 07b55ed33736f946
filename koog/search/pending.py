"""Passages that wait for a vector get one; the index keeps no text, so their files are read again.  [autopoiesis §7.3]

Whatever the reason why they wait (new, changed, another model, an endpoint that did not
answer), this is the one place where vectors are made. Each batch is a transaction of its
own: what was paid for stays, and what is left waits for the next occasion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import progress
from koog.core.named import NamedTuple
from koog.search import database, passages, sources, vectors
from koog.search.database import from_stored
from koog.search.sources import Reader, Roots

if TYPE_CHECKING:
    import apsw

    from koog.search.embedder import Embedder

MANY = 2000  # passages whose vectors take a moment
FILE = "SELECT path, hash, first, passages FROM files WHERE id = (SELECT file FROM passages WHERE id = ?)"


class Vectors(NamedTuple):
    """How the vectors stand.

    model, dimensions  None without vectors
    pending            passages that have none yet
    reason             why there are none, or why some are missing; None when all is well
    """

    model: str | None
    dimensions: int | None
    pending: int
    reason: str | None


def settle(place: Path, roots: Roots, embedder: Embedder) -> Vectors:
    """Give the index's waiting passages their vectors. Raises Unusable, Busy and WorkspaceError."""
    with database.writer(place) as db:
        if not vectors.load(db):
            return Vectors(None, None, 0, "sqlite-vec cannot be loaded here")
        vectors.prepare(db, embedder)
        reason = _add(db, roots, embedder, vectors.pending(db))
        dimensions = db.execute("SELECT dimensions FROM vectors_model").get
        return Vectors(embedder.id, dimensions, len(vectors.pending(db)), reason)


def _add(db: apsw.Connection, roots: Roots, embedder: Embedder, waiting: Sequence[int]) -> str | None:
    if not waiting:
        return None
    if len(waiting) < MANY:
        return vectors.add(db, embedder, _texts(db, roots, waiting, begin=lambda _: None))
    with progress.bar(len(waiting)) as begin:
        return vectors.add(db, embedder, _texts(db, roots, waiting, begin=begin))


def _texts(
    db: apsw.Connection, roots: Roots, waiting: Sequence[int], *, begin: Callable[[str], None]
) -> Iterator[tuple[int, str]]:
    """Yield (id, text); nothing for a file that is no more what was indexed: the next refresh takes that in."""
    path, first, found = "", 0, list[passages.Passage]()
    reader = Reader(roots)
    for id in waiting:
        if not 0 <= id - first < len(found):
            stored_path, digest, first, _ = next(db.execute(FILE, (id,)))
            path = from_stored(stored_path)
            found = _cut(reader, path, digest)
        begin(path)
        if 0 <= id - first < len(found):
            yield id, passages.embedded(found[id - first])


def _cut(reader: Reader, path: str, digest: bytes) -> list[passages.Passage]:
    try:
        data = reader.read(path).data
    except OSError:
        return []
    return passages.cut(passages.decoded(data), path=path).passages if sources.digest(data) == digest else []
