"""What every reader returns: sessions, turns, and how far a session was read.

A reader knows one host's format. Whoever observes knows only this file: it asks for
sessions, reads what is new in one of them in batches, and keeps a batch's cursor
when what the batch said is on disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Protocol

from koog.core.named import NamedTuple
from koog.sessions.place import NOWHERE, Place

Cursor = dict[str, Any]  # JSON; the reader's own: offsets and hashes, or (session id, generation, seq)
UNLISTED = "?"  # the id of the session that stands for those of a store that cannot be read


class Turn(NamedTuple):
    """One thing that was said or done.

    id      the entry's id, unique in its session; stable from one read to the next
    at      UTC
    role    user, assistant, or tool
    text    what was said; of a tool what matters: its name, its exit code, the head and tail of its output
    origin  user, agent, heartbeat, cron, subagent, or koog (what koog itself put into the conversation)
    attached  what came along and is no text: a file's name where the host keeps one, else its kind, image/png
    """

    id: str
    at: datetime
    role: str
    text: str
    origin: str
    attached: tuple[str, ...] = ()


class Session(NamedTuple):
    """One conversation that a host keeps.

    host     openclaw, claude or codex
    id       the host's id of it
    key      what it is called in cursors.json: host, agent and session id; stable over resets and renames
    kind     main, cron, subagent or heartbeat
    path     the file or database that holds it
    changed  when something was last said in it, UTC
    place    its project, and whether strangers hear it
    channel  over which people write in it, "" where the host does not say so
    """

    host: str
    id: str
    key: str
    kind: str
    path: str
    changed: datetime
    place: Place = NOWHERE
    channel: str = ""


class Spent(NamedTuple):
    """What the agent's words cost, as far as the host says so.

    model                  that spoke last, "" where nothing says so
    tokens_in, tokens_out  sent, whether they were cached or not, and answered
    """

    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: object) -> Spent:
        if not isinstance(other, Spent):
            return NotImplemented
        return Spent(other.model or self.model, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)


class Batch(NamedTuple):
    """The next turns of a session.

    cursor   where to go on, once these turns are on disk
    unknown  kind of record → how many were passed over
    spent    on these turns
    """

    turns: tuple[Turn, ...]
    cursor: Cursor
    unknown: dict[str, int]
    spent: Spent = Spent()


class Reader(Protocol):
    """One host's format. Nothing here raises for a malformed record: it is counted as unknown."""

    host: str

    def sessions(self) -> list[Session]:
        """Return the sessions there are, newest first; those of subagents and cron runs too, told by their kind."""
        ...

    def read(self, session: Session, cursor: Cursor | None) -> Iterator[Batch]:
        """Yield what is new since the cursor (None: from the beginning), a few hundred turns at a time.

        A half-written last record waits for the next read. A session that was
        reset, compacted, renumbered or renamed is followed: nothing is lost and
        nothing comes twice under another id.
        """
        ...
