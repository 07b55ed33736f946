"""What the user has said in the sessions that this workspace takes, since the last tick.  [sinain §6.2 Setup]

The heartbeat follows them by cursors of its own, observed or not, in memory/meta/cursors.json:

    "spoken": {"at": "2026-02-28T11:40:00Z", "sessions": {"openclaw/main/3f": {…}}}

`at` is when the user spoke last. In a group anybody speaks: nothing there is the user's.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from koog.core import clock
from koog.core.errors import KoogError
from koog.core.files import outside
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.heartbeat import cursors, whose
from koog.observe import cursors as observed
from koog.observe import observations
from koog.sessions import audience, taken
from koog.sessions.labels import Label
from koog.sessions.turn import Cursor, Reader, Session, Turn

KEY = "spoken"
LOOK_BACK = timedelta(hours=2)  # before the first tick
LATE = timedelta(minutes=5)  # so long after it was said a host may write it down
KEPT = timedelta(days=7)  # cursors of sessions in which nothing was said for longer are dropped
AHEAD = timedelta(minutes=1)  # a host's clock may be ahead by so much
LONG_BYTES = 16 << 20
MOST_S = 20.0  # a look may take so long; the next tick goes on there
USER = "user"


class Said(NamedTuple):
    """One turn of the user's.

    source   session#entry, as observations have it
    label    where it was said
    """

    turn: Turn
    source: str
    label: Label


class Spoken(NamedTuple):
    """What was said since the last tick, oldest first, when the user spoke last, and the cursors behind it."""

    said: tuple[Said, ...] = ()
    at: datetime | None = None
    sessions: dict[str, Cursor] | None = None


def look(run: Run, *, last: datetime | None) -> Spoken:
    """Return what the user has said; with a warning nothing, where sessions or cursors cannot be read.

    last   the tick before this one, None for the first
    """
    try:
        known, begun = _known(run), observed.load(run.workspace)
        pairs = taken.sessions(run)
    except KoogError as e:
        run.warnings.append(e.message)
        return Spoken()
    idle = timedelta(minutes=run.settings.get("heartbeat.idleMinutes"))
    since = last - LATE if last else run.now - LOOK_BACK
    oldest = min(since, run.now - KEPT)
    heard = {s.key: c for _, s in pairs if s.changed >= oldest and (c := known["sessions"].get(s.key))}
    moments = [at] if (at := clock.parse(known["at"])) else []
    said, until = list[Said](), time.monotonic() + MOST_S
    for reader, session in pairs:
        if session.place.is_group or session.changed < min(since, run.now - idle):
            continue
        cursor = heard.get(session.key) or (observed.session(begun, session.key) if _is_long(session) else None)
        turns, end = _turns(reader, session, cursor, until=until)
        heard |= {session.key: end} if end else {}
        turns = [turn for turn in turns if turn.at <= run.now + AHEAD]
        moments += [turn.at for turn in turns]
        said += _said(run, session, [turn for turn in turns if turn.at >= since])
    return Spoken(tuple(sorted(said, key=lambda each: each.turn.at)), max(moments, default=None), heard)


def _is_long(session: Session) -> bool:
    """Return whether a session is too long to be read from its beginning: of one that was observed the rest will do."""
    info = outside.info(session.path)
    return info is None or info.st_size > LONG_BYTES


def _said(run: Run, session: Session, turns: Sequence[Turn]) -> list[Said]:
    label = taken.label(taken.of(run), session.place)
    label = whose.of_line(audience.own(run), label, run.workspace.in_memory(observations.NAME))
    return [Said(turn, observations.source(session.key, turn.id), label) for turn in turns]


def keep(run: Run, spoken: Spoken) -> None:
    """Put the cursors on disk; what cannot be kept is read again."""
    if spoken.sessions is None:
        return

    def change(text: str) -> str:
        value = cursors.parse(text)
        new = {"at": clock.iso(spoken.at) if spoken.at else None, "sessions": spoken.sessions}
        return text if value.get(KEY, {"at": None, "sessions": {}}) == new else cursors.render({**value, KEY: new})

    try:
        with run.workspace.writing() as door:
            door.edit(run.workspace.in_memory(cursors.NAME), change, summary="heard until now")
    except KoogError as e:
        run.warnings.append(e.message)


def _turns(reader: Reader, session: Session, cursor: Cursor | None, *, until: float) -> tuple[list[Turn], Cursor]:
    """Return the user's turns since a cursor, and how far they were read."""
    found, at = list[Turn](), cursor or {}
    for batch in reader.read(session, cursor):
        found += [turn for turn in batch.turns if turn.role == USER and turn.origin == USER]
        at = batch.cursor or at
        if time.monotonic() >= until:
            break
    return found, at


def _known(run: Run) -> dict[str, Any]:
    value = cursors.parse(run.workspace.text(run.workspace.in_memory(cursors.NAME))).get(KEY)
    value = value if isinstance(value, dict) else {}
    sessions = value.get("sessions")
    kept = {key: c for key, c in sessions.items() if isinstance(c, dict)} if isinstance(sessions, dict) else {}
    return {"at": value.get("at"), "sessions": kept}
