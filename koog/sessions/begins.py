"""When something was first said in a session: its listing knows only the last word."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from koog.core import clock
from koog.sessions.ends import head
from koog.sessions.turn import Session


def first_said(session: Session) -> datetime:
    """Return a moment before which nothing was said in a session, as far as its first records tell one."""
    rows = [row for row in _records(session) if isinstance(row, dict)]
    return min([session.changed, *(at for row in rows if (at := clock.parse(row.get("timestamp"))))])


def _records(session: Session) -> list[object]:
    """Return a session's first records."""
    if session.host != "openclaw":
        return list(head(Path(session.path)))
    if ".jsonl" in Path(session.path).name and not session.path.endswith(".zst"):
        from koog.sessions import openclaw_files

        return [row for path in openclaw_files.parts(session)[:1] for row in head(path)]
    from koog.sessions import openclaw_sqlite

    return openclaw_sqlite.first_records(session)
