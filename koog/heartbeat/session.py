"""What a tick can see without an agent: the state of the session, and whether anybody is there.  [sinain §6.2 Setup]"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from koog.core import clock
from koog.core.run import Run
from koog.core.text.untrusted import clean
from koog.heartbeat import reading, whose
from koog.heartbeat.note_lines import statements
from koog.heartbeat.notes import Note
from koog.sessions import audience

SENTENCES = 8  # of today's notes, the latest
CHARS = 1500
NEWEST = 6  # notes: those of today and of the last days, slug files included
NOTHING_NEW = "Nothing new since the last tick"
KNOWN_TICKS = 48  # a day of half-hour ticks


def summary(run: Run, earlier: Sequence[dict[str, Any]]) -> str:
    """Return a session summary made of what today's daily notes say that no tick has summed up yet.

    earlier   normalized ticks, newest first

    What an earlier tick already told is left out: told again it would look like an
    error that came back, or like a user who is stuck. What was said in another project,
    or by strangers in a group, is none of this session's.
    """
    known = " ".join(e["sessionHistorySummary"] for e in earlier[:KNOWN_TICKS])
    own = audience.own(run)
    told = []
    for path, day in reversed(_notes(run)):
        text = reading.told(run.workspace.text, path, run.warnings) if day == run.today else None
        if text and whose.label_of(own, path, text) == whose.OWN:
            note = Note(path, day, clean(text))
            told += [_ended(s.text) for s in statements(note) if s.text not in known]
    if told:
        return " ".join(told[-SENTENCES:])[-CHARS:]
    return f"{NOTHING_NEW}, {earlier[0]['ts']}." if earlier else "Nothing is written yet."


def idle(run: Run) -> bool:
    """Return whether the newest activity is older than `heartbeat.idleMinutes`.

    Activity is a daily note that was written to. Under a `--now` before the files'
    own times, a note of that day counts as activity.
    """
    files = _notes(run)
    limit = timedelta(minutes=run.settings.get("heartbeat.idleMinutes"))
    told = (reading.told(run.workspace.modified, path, run.warnings) for path, _ in files)
    times = [datetime.fromtimestamp(t, UTC) for t in told if t]
    newest = max(times, default=None)
    if newest is None:
        return True
    if newest > run.now + timedelta(minutes=1):
        return not any(day == run.today for _, day in files)
    return run.now - newest > limit


def tick_id(now: datetime, taken: set[str]) -> str:
    """Return the tick's id: its time, with a number when that second has a tick already."""
    base, found, number = clock.iso(now), clock.iso(now), 1
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    return found


def _notes(run: Run) -> list[tuple[str, str]]:
    """Return (path, date) of the newest notes up to today, newest first."""
    return [f for f in reading.daily(run.workspace) if f[1] <= run.today][:NEWEST]


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":")) else text + "."
