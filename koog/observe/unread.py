"""What was said and is not observed by itself: older sessions, and turns that wait for an engine.  [design §5]

A session in which nothing was said since observing began is not read until a person asks for it. How many there are
is counted by their listing; of a short one the words are looked at, since hosts keep many in which nobody spoke.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from koog.core.files import outside
from koog.core.run import Run
from koog.observe import cursors, news, observations
from koog.observe.material import TALK
from koog.observe.observations import RawBlock
from koog.sessions import taken
from koog.sessions.begins import first_said
from koog.sessions.ends import HEAD_BYTES
from koog.sessions.turn import UNLISTED, Reader, Session


def older(run: Run, pairs: Sequence[tuple[Reader, Session]], *, source: str = taken.AUTO) -> dict[str, Any] | None:
    """Return how many sessions are never read by themselves, and the command that reads them; None without any.

    pairs    the main sessions that the workspace takes, with their readers
    source   where they were looked for
    """
    observed = cursors.load(run.workspace)
    began = news.began(observed, run.now)
    found = [
        session
        for reader, session in pairs
        if session.changed < began
        and session.id != UNLISTED
        and cursors.session(observed, session.key) is None
        and cursors.partly(observed, session.key) is None
        and _is_spoken(reader, session)
    ]
    if not found:
        return None
    named = "" if source == taken.AUTO else f" --source {shlex.quote(source)}"
    return {"sessions": len(found), "command": f"koog observe --since {min(map(first_said, found)):%Y-%m-%d}{named}"}


def _is_spoken(reader: Reader, session: Session) -> bool:
    """Return whether somebody speaks in a session; a long one, or one in a database, is taken to be spoken in."""
    info = outside.info(session.path)
    if info is None or info.st_size > HEAD_BYTES or not session.path.endswith(".jsonl"):
        return True
    return any(turn.origin in TALK for batch in reader.read(session, None) for turn in batch.turns)


def waiting(run: Run) -> list[RawBlock]:
    """Return the blocks of turns that wait for an engine; those of what is no longer taken wait on, unread."""
    text = run.workspace.text(run.workspace.in_memory(observations.NAME)) or ""
    blocks = observations.raw_blocks(text)
    taking = taken.of(run) if blocks else None
    return [b for b in blocks if taking is None or not b.label.project or taking.may_read(b.label.place)]
