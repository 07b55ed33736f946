"""`.koog/encoded.db`: the vectors of texts that an encoder has taken, by the texts' digests.

It lies beside the index, which is built anew for many reasons, and none of them changes what a text means. It may be
deleted at any time; what is wrong with it (locked, cut, a folder in its place) only means that texts are encoded again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from koog.core.errors import KoogError
from koog.search import database
from koog.search.database import Unusable

NAME = "encoded.db"
TABLE = "CREATE TABLE IF NOT EXISTS encoded (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, vector BLOB NOT NULL)"
MOST = 200_000  # texts, the last that came: about 100 MB


class Kept:
    """The vectors that are there. place: None in a dry run, which keeps none"""

    def __init__(self, place: Path | None) -> None:
        self._place = place

    def get(self, keys: Sequence[bytes], *, width: int) -> dict[bytes, bytes]:
        """Return the vectors that are there, by their keys. What is no vector of so many bytes is none."""
        if self._place is None or not keys:
            return {}
        sql = "SELECT digest, vector FROM encoded WHERE digest IN (SELECT value FROM json_each(?))"
        with suppress(Unusable, KoogError), database.beside(self._place, TABLE) as db:
            rows: Any = db.execute(sql, (json.dumps([key.hex() for key in keys]),))
            return {bytes.fromhex(key): each for key, each in rows if isinstance(each, bytes) and len(each) == width}
        return {}

    def put(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors, and no more than there is room for."""
        if self._place is None or not vectors:
            return
        rows = [(key.hex(), vector) for key, vector in vectors.items()]
        with suppress(Unusable, KoogError), database.beside(self._place, TABLE) as db, db:
            db.executemany("INSERT OR REPLACE INTO encoded(digest, vector) VALUES (?, ?)", rows)
            db.execute("DELETE FROM encoded WHERE id <= (SELECT max(id) FROM encoded) - ?", (MOST,))
