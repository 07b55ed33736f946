"""What a tick can see without an agent: the state of the session, and whether anybody is there.  [sinain §6.2 Setup]"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.run import Run
from koog.core.untrusted import clean
from koog.heartbeat import reading
from koog.heartbeat.note_lines import statements
from koog.heartbeat.notes import Note

T = TypeVar("T")

SENTENCES = 8  # of today's notes, the latest
CHARS = 1500
KNOWN_TICKS = 48  # a day of half-hour ticks


def summary(run: Run, earlier: Sequence[dict[str, Any]]) -> str:
    """Return a session summary made of what today's daily notes say that no tick has summed up yet.

    earlier   normalized ticks, newest first

    What an earlier tick already told is left out: told again it would look like an
    error that came back, or like a user who is stuck.
    """
    known = " ".join(e["sessionHistorySummary"] for e in earlier[:KNOWN_TICKS])
    told = []
    for path, day in reversed(reading.daily(run.workspace)[:6]):
        if day == run.today:
            note = Note(path, day, clean(_told(run, run.workspace.text, path) or ""))
            told += [_ended(s.text) for s in statements(note) if s.text not in known]
    if told:
        return " ".join(told[-SENTENCES:])[-CHARS:]
    return f"Nothing new since the last tick, {earlier[0]['ts']}." if earlier else "Nothing is written yet."


def idle(run: Run) -> bool:
    """Return whether the newest activity is older than `heartbeat.idleMinutes`.

    Activity is a daily note that was written to. Under a `--now` before the files'
    own times, a note of that day counts as activity.
    """
    files = reading.daily(run.workspace)
    limit = timedelta(minutes=run.settings.get("heartbeat.idleMinutes"))
    times = [datetime.fromtimestamp(t, UTC) for p, _ in files[:6] if (t := _told(run, run.workspace.modified, p))]
    newest = max(times, default=None)
    if newest is None:
        return True
    if newest > run.now + timedelta(minutes=1):
        return not any(day == run.today for _, day in files[:6])
    return run.now - newest > limit


def tick_id(now: datetime, taken: set[str]) -> str:
    """Return the tick's id: its time, with a number when that second has a tick already."""
    base, found, number = clock.iso(now), clock.iso(now), 1
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    return found


def _told(run: Run, read: Callable[[str], T | None], path: str) -> T | None:
    """Return what reading a note gives; None, with a warning, when it cannot be read: the tick goes on without it."""
    try:
        return read(path)
    except WorkspaceError as e:
        run.warnings.append(e.message)
        return None


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":")) else text + "."
