"""What of the index a reader may see: hidden passages take no places and say nothing.  [design §7]

Within      the passages that count for a question
within      those that a reader may see, as `koog.sessions.audience` decides: labelled ones by their label, others
            by their file
of_file, of_passage, name    the same for one file or passage, also without an index
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from koog.search.database import from_stored
from koog.search.labelled import NOTHING, Said
from koog.sessions.labels import Label

if TYPE_CHECKING:
    import apsw

    from koog.sessions.audience import Audience, Seen

FILES = "SELECT path, own, first, passages FROM files WHERE passages > 0"
LABELLED = (
    'SELECT l.id, f.path, l.project, l.scope, l."group", l.kind, l.said'
    " FROM labelled AS l JOIN passages AS p ON p.id = l.id JOIN files AS f ON f.id = p.file"
)


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
    sight = _Sight(who)
    labelled = list(sight.labelled(db))
    hidden = {id for id, is_hidden in labelled if is_hidden}
    lines = {id for id, _ in labelled}
    files: Any = () if sight.tells_all_files else db.execute(FILES)
    ranges = [(sight.hides(path, own), range(first, first + many)) for path, own, first, many in files]
    if not any(is_hidden for is_hidden, _ in ranges):
        return Within(None, frozenset(hidden), total) if hidden else None
    shown = {id for is_hidden, ids in ranges if not is_hidden for id in ids} - lines
    return Within(frozenset(shown | (lines - hidden)), frozenset(), total)


class _Sight:
    """What one reader sees; a label or path that comes again is decided once."""

    def __init__(self, who: Audience) -> None:
        from koog.sessions.audience import Seen

        self.who, self.hidden = who, Seen.HIDDEN
        self.known: dict[Said, bool] = {}

    @cached_property
    def tells_all_files(self) -> bool:
        """Return whether no file is hidden, whatever it is called."""
        return not self.who.files and self.who.file("") is not self.hidden

    def hides(self, path: str | bytes, own: str | bytes | None) -> bool:
        return of_file(self.who, from_stored(path), from_stored(own) if own is not None else None) is self.hidden

    def labelled(self, db: apsw.Connection) -> Iterator[tuple[int, bool]]:
        """Yield each labelled passage and whether it is hidden."""
        for id, path, project, scope, group, kind, text in db.execute(LABELLED):
            said = Said(Label(project, scope, group), kind, text)
            if (is_hidden := self.known.get(said)) is None:
                is_hidden = of_passage(self.who, said, from_stored(path)) is self.hidden
                self.known[said] = is_hidden
            yield id, is_hidden


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
