"""What a tick can see without an agent: the state of the session, and whether anybody is there.  [sinain §6.2 Setup]"""

from __future__ import annotations

from collections.abc import Callable
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


def summary(run: Run, last: dict[str, Any] | None) -> str:
    """Return a session summary made of today's daily notes, else of the last log entry.

    last   the newest normalized tick, None when nothing was ever logged
    """
    told = []
    for path, day in reversed(reading.daily(run.workspace)[:6]):
        if day == run.today:
            note = Note(path, day, clean(_told(run, run.workspace.text, path) or ""))
            told += [s.text for s in statements(note)]
    if told:
        return " ".join(_ended(t) for t in told[-SENTENCES:])[-CHARS:]
    if last and last["sessionHistorySummary"]:
        return f"No notes today. Last tick, {last['ts']}: {last['sessionHistorySummary']}"[:CHARS]
    return "No notes today, and no tick before."


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
