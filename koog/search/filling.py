"""Files put into the index: read, cut, and written as rows.  [autopoiesis §7.3]

Ten thousand notes go through here when the index is built. What is no text is noted with
the reason, so that it is not read again before it changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from koog.core.files import jsonfiles
from koog.core.named import NamedTuple
from koog.core.text import tokens
from koog.core.text.words import indexed
from koog.search import akin, passages, sources, vectors
from koog.search.database import from_stored, stored
from koog.search.labelled import NOTHING
from koog.search.passages import Document, Passage
from koog.search.sources import Reader, Scan, Skipped, Source
from koog.sessions.person import is_rule

if TYPE_CHECKING:
    import apsw

AT_ONCE = 2000  # passages that are held in memory

ADD_FILE = f"INSERT INTO files VALUES ({', '.join('?' * 18)})"  # noqa: S608  question marks only
ADD_PASSAGE = f"INSERT INTO passages VALUES ({', '.join('?' * 10)})"  # noqa: S608  question marks only
ADD_LABEL = "INSERT INTO labelled VALUES (?, ?, ?, ?, ?, ?)"
ADD_WORDS = "INSERT INTO passages_fts(rowid, text, head) VALUES (?, ?, ?)"
ADD_KNOWN = "INSERT OR IGNORE INTO words VALUES (?)"


class Content(NamedTuple):
    """What a file holds: its passages, and the reason why it, or the rest of it, is skipped."""

    digest: bytes
    tokens: int
    document: Document
    skipped: str | None = None


class Filler:
    """Adds files to an open index, in the caller's transaction. Their folders are in it.

    scan         the look at the files, by which they are known
    missing      the paths of those that could not be read or were gone
    skipped      those of them that are there
    """

    def __init__(self, db: apsw.Connection, scan: Scan) -> None:
        self.db, self.reader, self.scan = db, Reader(scan.roots), scan
        self.missing: set[str] = set()
        self.skipped: list[Skipped] = []
        self._next_file = 1 + (db.execute("SELECT max(id) FROM files").get or 0)
        self._next_passage = 1 + (db.execute("SELECT max(id) FROM passages").get or 0)
        self._folders = {from_stored(path): id for id, path in db.execute("SELECT id, path FROM folders")}
        self._files: list[tuple[object, ...]] = []
        self._passages: list[tuple[int | str | None, ...]] = []
        self._words: list[tuple[int, str, str]] = []
        self._labels: list[tuple[int | str, ...]] = []
        self._known: set[str] = set()  # words, so that each is written once

    def add(self, source: Source) -> None:
        """Read a file and take its rows; `flush` writes the last ones."""
        try:
            content = read(self.reader, source)
        except OSError as e:
            self.missing.add(source.path)
            if e.errno not in sources.GONE:
                self.skipped.append(Skipped(source.path, sources.told(e)))
            return
        file, first = self._next_file, self._next_passage
        found = content.document.passages
        self._next_file += 1
        self._next_passage += len(found)
        self._files.append(self._row(file, source, content, first))
        self._take(found, file=file, first=first)
        if len(self._passages) >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write the rows."""
        vectors.postpone(self.db, (id for id, _, _ in self._words))
        self.db.executemany(ADD_FILE, self._files)
        self.db.executemany(ADD_PASSAGE, self._passages)
        self.db.executemany(ADD_WORDS, self._words)
        self.db.executemany(ADD_LABEL, self._labels)
        new = set("\n".join(text for _, text, _ in self._words).lower().split()) - self._known
        self.db.executemany(ADD_KNOWN, ((word,) for word in akin.words(new)))
        self._known |= new
        self._files, self._passages, self._words, self._labels = [], [], [], []

    def _take(self, found: Iterable[Passage], *, file: int, first: int) -> None:
        add_passage, add_words = self._passages.append, self._words.append
        over, who, when, whose, head = "", "", None, NOTHING, ""
        for id, passage in enumerate(found, first):
            line, end, section, heading, speaker, day, text, said = passage
            if heading is not over or speaker is not who or day is not when or said is not whose:
                # many stand under the same
                over, who, when, whose, head = heading, speaker, day, said, indexed(passages.head(passage))
            if said is not NOTHING:
                may_be_rule = said.text and is_rule(said.text, kind=said.kind)  # of no project, whoever asks
                self._labels.append((id, *said.label.stored, *((said.kind, said.text) if may_be_rule else ("", ""))))
            add_passage((id, file, line, end, section, heading, speaker, day, text.count(" ") + 1, text[-1] == "?"))
            add_words((id, text if text.isascii() and "<" not in text else indexed(text), head))

    def _row(self, id: int, source: Source, content: Content, first: int) -> tuple[object, ...]:
        title, date, tags, lines, found = content.document
        told = (title, date, jsonfiles.line(list(tags)) if tags else "[]")
        seen = (source.size, source.mtime_ns, source.inode, content.digest)
        counts = (content.tokens, lines, self.scan.at_ns, first, len(found))
        folder = self._folders[source.path.rpartition("/")[0]]
        own = self.scan.own_name(source.path)
        rest = (content.skipped, None if own == source.path else stored(own))
        return (id, folder, stored(source.path), source.category, *told, *seen, *counts, *rest)


def read(reader: Reader, source: Source) -> Content:
    """Return what a file holds. Raises OSError."""
    data = reader.read(source.path, source.size).data
    digest = sources.digest(data)
    if sources.is_binary(data):
        return Content(digest, 0, Document("", None, (), 0, []), "no text")
    text = passages.decoded(data)
    return Content(digest, tokens.estimate(text), passages.cut(text, path=source.path), sources.cut_short(len(data)))
