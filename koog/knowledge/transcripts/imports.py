"""What hosts keep of a workspace's sessions becomes transcripts: what is new in each, once.  [autopoiesis §8.2]

Sessions are read as `observe` reads them: the same readers, the same that are taken or left out (sessions/taken.py),
the same kind of cursor. A session in which a person has said nothing for six hours has ended; what is said in it
afterwards is another transcript of the same session.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from koog.knowledge.transcripts import changes, format, host_turns, ledger, naming
from koog.knowledge.transcripts.format import MEMORY, Head, Turn
from koog.knowledge.transcripts.pages import Page, Pages
from koog.sessions import taken
from koog.sessions.labels import Label
from koog.sessions.turn import Batch, Reader, Session

if TYPE_CHECKING:
    from koog.core.run import Run

LOCK = "transcripts.lock"
WAIT_S = 10.0
STALE = timedelta(hours=6)  # without a word: the session has ended, whether anybody has said so or not


@dataclass
class Done:
    """What was taken.

    sessions   in which something was new
    created    the transcripts that were begun
    remaining  sessions that wait for the next run, past the deadline
    """

    sessions: int = 0
    turns: int = 0
    created: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    remaining: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    commits: list[str] = field(default_factory=list)


def alone(run: Run) -> AbstractContextManager[None]:
    """Hold the lock under which transcripts are written. Raises Busy, WorkspaceError."""
    return nullcontext() if run.dry_run else run.workspace.locked(LOCK, wait_s=WAIT_S, what="the transcripts")


def take(
    run: Run,
    pairs: Sequence[tuple[Reader, Session]],
    *,
    since: datetime | None = None,
    ends: str | None = None,
    until: float = float("inf"),
) -> Done:
    """Bring the transcripts of some sessions up to date; commit those that have ended.

    since   sessions of which nothing was taken yet are left out when nothing was said in them since
    ends    the id of the session that has just ended
    until   the moment of time.monotonic() past which no further session is begun

    Raises Busy when another koog is at it, WorkspaceError; what was written before stays.
    """
    done = Done()
    with alone(run):
        pages = Pages(run)
        try:
            for n, (reader, session) in enumerate(sorted(pairs, key=lambda pair: pair[1].changed)):
                if time.monotonic() >= until:
                    done.remaining = len(pairs) - n
                    break
                if since and session.changed < since and session.key not in pages.ledger.cursors:
                    continue
                label = taken.label(taken.of(run), session.place)
                _Taking(run, pages, session, label, done).read(reader, has_ended=ends in (session.id, session.key))
            pages.flush()
        finally:
            done.ended = pages.ended
            done.commits = pages.keep()
    return done


def catch_up(run: Run, *, until: float) -> None:
    """Bring all transcripts up to date, and end those of sessions that were told by command and have fallen silent.

    Raises Busy when another koog is at it, WorkspaceError; what was written before stays.
    """
    if pairs := taken.sessions(run):
        take(run, pairs, until=until)
    if any(run.now - each.at >= STALE for each in ledger.load(run.workspace).open.values()):
        with alone(run):
            pages = Pages(run)
            for page in silent(pages, run.now, STALE):
                pages.end(page)
            pages.flush()
            pages.keep()


def silent(pages: Pages, now: datetime, span: timedelta) -> list[Page]:
    """Return the open transcripts in which nothing was said for so long."""
    keys = [key for key, each in pages.ledger.open.items() if now - each.at >= span]
    return [page for key in keys if (page := pages.of(key))]


class _Taking:
    """One session, read to its end."""

    def __init__(self, run: Run, pages: Pages, session: Session, label: Label, done: Done) -> None:
        self.run, self.pages, self.session, self.label, self.done = run, pages, session, label, done
        self.page = pages.of(session.key)
        self.cursor = pages.ledger.cursors.get(session.key)
        self.known: list[Turn] = []  # of a transcript that is there already, though the ledger does not say so

    def read(self, reader: Reader, *, has_ended: bool) -> None:
        before = self.done.turns
        for batch in reader.read(self.session, self.cursor):
            self.done.unknown.update(batch.unknown)
            if not batch.turns and batch.cursor in ({}, self.cursor):
                continue  # it could not be read: what is known of the session stays
            self._take(batch)
            self.cursor = self.pages.cursors[self.session.key] = batch.cursor
            if self.pages.is_heavy:
                self.pages.flush()
        self.done.sessions += self.done.turns > before
        if self.page and (has_ended or self.run.now - self.page.open.at >= STALE):
            self._end(self.page)
        if self.pages.is_heavy:
            self.pages.flush()

    def _take(self, batch: Batch) -> None:
        """Put what a batch says on the session's page."""
        turns = self._unknown(host_turns.turns(batch.turns))
        if not turns:
            return
        self.done.turns += len(turns)
        if self.page and self.page.is_full:
            self._end(self.page)
        if self.page is None:
            self.page = self._begun(turns)
        self.page.put(self._with_changes(self.page, turns), batch.spent)

    def _begun(self, turns: Sequence[Turn]) -> Page:
        page = self.pages.begin(self.session.key, self._head(turns))
        self.done.created.append(page.open.path)
        return page

    def _head(self, turns: Sequence[Turn]) -> Head:
        session = self.session
        return Head(
            session=session.id,
            started=turns[0].at,
            channel=format.one_line(session.channel or session.host),
            topic=naming.topic(turns),
            label=self.label,
            source=session.key,
        )

    def _end(self, page: Page) -> None:
        self.pages.end(page)
        self.page = None

    def _with_changes(self, page: Page, turns: list[Turn]) -> list[Turn]:
        """Return turns with what was written into the memory between them. A group is told nothing of that."""
        if self.label.is_group or turns[-1].at <= page.open.at:
            return turns
        rows = self.pages.changes.between(page.open.at + timedelta(minutes=1), turns[-1].at)
        found: list[Turn] = []
        waiting = changes.turns(rows)
        for turn in turns:
            while waiting and waiting[0].at < turn.at:
                found.append(waiting.pop(0))
            found.append(turn)
        return found + waiting

    def _unknown(self, turns: list[Turn]) -> list[Turn]:
        """Return the turns that stand in no transcript: the ledger may have been lost, or put back."""
        while turns and self.page is None:
            if not self.known:
                self.known = self._standing(turns)
            if not self.known:
                return turns
            while turns and self.known and self.known[0] == turns[0]:
                turns, self.known = turns[1:], self.known[1:]
            if turns and self.known:
                self.known = []
                return turns
        return turns

    def _standing(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return what stands in a transcript of this session that begins as these turns do, [] without one."""
        head = self._head(turns)
        text = self.pages.workspace.text(naming.path(self.label, head.started, head.session, head.topic))
        found = format.read(text) if text else None
        if found is None or found.head.source != head.source:
            return []
        return [turn._replace(line=0) for turn in found.turns if turn.kind != MEMORY]
