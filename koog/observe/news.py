"""What was said in the main sessions and is not observed yet: counted by the readers, entry by entry.  [design §5]

A tally remembers how far it has counted, so that a look costs what was said since the
last one, and nothing for a session in which nothing was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from koog.core.files import outside
from koog.core.named import NamedTuple
from koog.observe import cursors
from koog.observe.material import TALK
from koog.sessions.turn import Batch, Cursor, Reader, Session, Turn

LOOK_BACK = timedelta(hours=2)  # in a session that was never observed, when nothing was yet
Find = Callable[[], Sequence[tuple[Reader, Session]]]


def began(observed: dict[str, Any], now: datetime) -> datetime:
    """Return since when sessions are observed, for those that have no cursor.

    observed   the `observe` part of cursors.json

    A moment that is still to come was written while the clock was wrong: up to then nothing would be observed.
    """
    known = cursors.since(observed)
    return known if known and known <= now else now - LOOK_BACK


class Counted(NamedTuple):
    """How far one session was counted.

    state    what differs once something was said in it
    stored   what cursors.json said of it: when that differs, somebody has observed it
    entries  how many wait
    """

    state: tuple[object, ...]
    stored: tuple[Cursor | None, str | None]
    cursor: Cursor | None
    entries: int


class Tally:
    """The entries that wait to be observed.

    find      returns the sessions that are taken, with their readers; called at each look, because they come and go
    is_ended  asked between batches: a look at a session of gigabytes must not keep anybody waiting
    """

    def __init__(self, find: Find, *, is_ended: Callable[[], bool] = lambda: False) -> None:
        self.find = find
        self.is_ended = is_ended
        self.counted: dict[str, Counted] = {}
        self.folders: frozenset[str] = frozenset()

    @property
    def entries(self) -> int:
        return sum(c.entries for c in self.counted.values())

    @property
    def sessions(self) -> int:
        """Return in how many sessions something waits."""
        return sum(c.entries > 0 for c in self.counted.values())

    def look(self, observed: dict[str, Any], *, since: datetime) -> None:
        """Count what is new.

        observed   the `observe` part of cursors.json
        since      what was said before is not counted in a session that has no cursor
        """
        present, folders = set[str](), set[str]()
        for reader, session in self.find():
            present.add(session.key)
            folders.add(os.path.dirname(session.path))  # noqa: PTH120  a look has hundreds of them
            if self.is_ended():
                return
            self._count(reader, session, observed, since=since)
        self.counted = {key: counted for key, counted in self.counted.items() if key in present}
        self.folders = frozenset(folders)

    def _count(self, reader: Reader, session: Session, observed: dict[str, Any], *, since: datetime) -> None:
        state, known = _state(session), self.counted.get(session.key)
        stored = cursors.session(observed, session.key), cursors.partly(observed, session.key)
        if known and known.stored != stored:
            known = None
        if known and known.state == state:
            return
        cursor, done = (known.cursor, None) if known else stored
        entries = known.entries if known else 0
        if cursor is not None or session.changed >= since:
            for turns, batch in waiting(reader.read(session, cursor), done=done, since=None if cursor else since):
                entries, cursor = entries + len(turns), batch.cursor
                if self.is_ended():
                    return
        self.counted[session.key] = Counted(state, stored, cursor, entries)


def waiting(
    batches: Iterable[Batch], *, done: str | None, since: datetime | None
) -> Iterator[tuple[tuple[Turn, ...], Batch]]:
    """Yield each batch with those of its turns that are to be observed: what people and their agent said.

    done    id of the last turn that was observed already, None when none of these was
    since   what was said before is too old, None when nothing is
    """
    for batch in batches:
        ids = [turn.id for turn in batch.turns]
        new = batch.turns[len(ids) - ids[::-1].index(done) :] if done in ids else batch.turns
        yield tuple(turn for turn in new if turn.origin in TALK and (since is None or turn.at >= since)), batch


def _state(session: Session) -> tuple[object, ...]:
    """Return what differs once something was said: SQLite writes into the -wal file beside the database."""
    return (session.path, session.changed, _stamp(session.path), _stamp(f"{session.path}-wal"))


def _stamp(path: str) -> tuple[int, int, int] | None:
    info = outside.info(path)
    return (info.st_ino, info.st_size, info.st_mtime_ns) if info else None
