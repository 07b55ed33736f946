"""What of the index a reader may see: hidden passages take no places and say nothing.  [design §7]

Within      the passages that count for a question
within      those that a reader may see, as koog.sessions.audience decides: labelled ones by their label, others by
            their file
of_file, of_passage, name, tells_headings    the same for one file or passage, also without an index
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from koog.search.database import from_stored, stored
from koog.search.labelled import NOTHING, Said
from koog.sessions.labels import Label

if TYPE_CHECKING:
    import apsw

    from koog.search.sources import Roots
    from koog.sessions.audience import Audience, Seen

FILES = "SELECT path, own, first, passages FROM files WHERE passages > 0"
LABELLED = 'SELECT project, scope, "group", kind, said, json_group_array(id) FROM labelled GROUP BY 1, 2, 3, 4, 5'
OF_FILE = "SELECT id, line FROM passages WHERE file IN (SELECT id FROM files WHERE path = ?1 OR own = ?1)"
EVERY_FILE = "**"


@dataclass(frozen=True)
class Within:
    """Passages that count: some, or all but some.

    only   those; None: all of them
    but    those that do not
    all    how many there are in the index, about
    """

    only: frozenset[int] | None
    but: frozenset[int]
    all: int

    def __contains__(self, id: int) -> bool:
        return id in self.only if self.only is not None else id not in self.but

    def __len__(self) -> int:
        return len(self.only) if self.only is not None else max(0, self.all - len(self.but))

    def without(self, ids: frozenset[int]) -> Within:
        """Return those that count but for some."""
        if self.only is not None:
            return Within(self.only - ids, frozenset(), self.all)
        return Within(None, self.but | ids, self.all)

    def among(self, ids: Collection[int] | None) -> Within:
        """Return those of some that count; None: of all."""
        return self if ids is None else Within(frozenset(id for id in ids if id in self), frozenset(), self.all)


def within(db: apsw.Connection, who: Audience | None, *, total: int) -> Within | None:
    """Return the passages that a reader may see; None for all of them.

    who     None: nobody is asked for
    total   how many there are, about
    """
    if who is None:
        return None
    lines, hidden = _labelled(db, who)
    is_told = _tells_files(who)
    if is_told is not None:
        only = None if is_told else frozenset(lines - hidden)
        return None if is_told and not hidden else Within(only, frozenset(hidden) if is_told else frozenset(), total)
    shown, others = _by_files(db, who)
    shown, others = (shown - lines) | (lines - hidden), (others - lines) | hidden
    if not others:
        return None
    is_most = len(others) < len(shown)
    return Within(None, frozenset(others), total) if is_most else Within(frozenset(shown), frozenset(), total)


def without_archived(db: apsw.Connection, sight: Within | None, roots: Roots | None, *, total: int) -> Within | None:
    """Return the passages that count but for those of what was forgotten: its file is kept, and indexed with others."""
    if roots is None or not roots.hidden:
        return sight
    gone = frozenset(_archived(db, roots))
    if not gone:
        return sight
    return sight.without(gone) if sight is not None else Within(None, gone, total)


def _archived(db: apsw.Connection, roots: Roots) -> Iterator[int]:
    """Yield the passages of what was forgotten by its id."""
    from koog.search.passages import decoded
    from koog.search.sources import Reader

    reader = Reader(roots)
    for path in sorted(roots.shelved.paths):
        rows: Any = db.execute(OF_FILE, (stored(path),)).fetchall()
        if not rows:
            continue
        try:
            text = decoded(reader.read(path).data)
        except OSError:
            continue  # gone meanwhile: what is shown of it is read again
        spans = roots.shelved.rows(path, text)
        yield from (id for id, line in rows if any(start < line <= end for start, end in spans))


def _labelled(db: apsw.Connection, who: Audience) -> tuple[set[int], set[int]]:
    """Return the labelled passages, and those of them that are hidden."""
    from koog.sessions.audience import Seen

    lines, hidden = set[int](), set[int]()
    for project, scope, group, kind, text, ids in db.execute(LABELLED):
        found = orjson.loads(ids)
        lines.update(found)
        if who.line(Label(project, scope, group), "", text=text, kind=kind) is Seen.HIDDEN:
            hidden.update(found)
    return lines, hidden


def _tells_files(who: Audience) -> bool | None:
    """Return whether all files are told, or none is; None where that depends on which one it is."""
    from koog.sessions.audience import Seen

    one_verdict = all(glob == EVERY_FILE for _, globs in who.files for glob in globs)
    return who.file("a file") is not Seen.HIDDEN if one_verdict else None


def _by_files(db: apsw.Connection, who: Audience) -> tuple[set[int], set[int]]:
    """Return the passages of files that are told, and of those that are not."""
    from koog.sessions.audience import Seen

    shown, hidden = set[int](), set[int]()
    rows: Any = db.execute(FILES)
    for stored_path, own, first, many in rows:
        path = from_stored(stored_path)
        seen = who.file(path) if own is None else of_file(who, path, from_stored(own))
        (hidden if seen is Seen.HIDDEN else shown).update(range(first, first + many))
    return shown, hidden


def of_file(who: Audience, path: str, own: str | None = None) -> Seen:
    """Return what becomes of a file, and of what in it has no label; own: its own name where a link leads to it."""
    from koog.sessions.audience import Seen

    order = list(Seen)
    return max((who.file(name) for name in {path, own or path}), key=order.index)


def of_passage(who: Audience, said: Said, path: str, own: str | None = None) -> Seen:
    """Return what becomes of a passage."""
    if said is NOTHING or said == NOTHING:
        return of_file(who, path, own)
    return who.line(said.label, path, text=said.text, kind=said.kind)


def name(who: Audience | None, said: Said, path: str, own: str | None = None) -> str:
    """Return the project that is told behind a passage, "" where none is."""
    from koog.sessions.audience import Seen

    if who is None or of_passage(who, said, path, own) is not Seen.NAMED:
        return ""
    return who.name_of(said.label, path)


def tells_headings(who: Audience | None, said: Said, path: str, own: str | None = None) -> bool:
    """Return whether what stands above a passage may be told: it is its file's, whosever the passage is."""
    from koog.sessions.audience import Seen

    return who is None or said == NOTHING or of_file(who, path, own) is not Seen.HIDDEN
