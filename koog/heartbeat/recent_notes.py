"""The notes of the last days as the own project's reader may hear them, the end of each.  [sinain §4.7]"""

from __future__ import annotations

from datetime import timedelta
from itertools import islice

from koog.core.files import daily
from koog.core.run import Run
from koog.heartbeat import foreign, reading
from koog.playbook import heard
from koog.sessions import labels
from koog.sessions.audience import Audience, Seen
from koog.sessions.notes import group_of_note

NOTE_CHARS = 6000  # of each note, its end: the latest is what counts now
MOST_NOTES = 6


def recent(run: Run, who: Audience, *, days: int) -> tuple[tuple[str, str], ...]:
    """Return (path, text) of the notes of so many days, the newest first."""
    workspace = run.workspace
    first_day = (run.now.astimezone(run.zone).date() - timedelta(days=days)).isoformat()
    paths = [note.path for note in daily.every(workspace) if first_day <= note.day <= run.today]
    told = ((p, _heard(run, p, reading.told(workspace.text, p, run.warnings), who)) for p in paths)
    return tuple(islice(((path, text[-NOTE_CHARS:]) for path, text in told if text is not None), MOST_NOTES))


def _heard(run: Run, path: str, text: str | None, who: Audience) -> str | None:
    """Return what of a note's end its own project's reader may hear; None for nothing. A group's words are nobody's."""
    if text is None or group_of_note(text) or foreign.is_told_elsewhere(run, text):
        return None
    text = foreign.Rows(foreign.left(run, text, to_be=True)).tail(NOTE_CHARS)  # not all of it: it may have megabytes
    seen = who.file(path)
    if seen is Seen.NAMED:
        name = who.name_of(labels.NONE, path)
        return "\n".join(heard.named(line, name) for line in text.split("\n"))
    return text if seen is Seen.TOLD else None
