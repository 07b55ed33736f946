"""OpenClaw's records, the same in its file store (2026.7) and its database (2026.9), and the reader of both.

Records as openclaw.md describes them, from both stores run and read. A conversation
keeps its key when an upgrade moves it from one store to the other, and its entries
keep their ids; so a cursor of one store is followed in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from koog.sessions import openclaw_files, openclaw_sqlite
from koog.sessions.openclaw_records import parse
from koog.sessions.turn import Batch, Cursor, Session

__all__ = ["OpenClaw", "parse"]


class OpenClaw:
    """All agents below a folder: OpenClaw's state folder, or any part of it."""

    host = "openclaw"

    def __init__(self, root: Path) -> None:
        self.root = root

    def sessions(self) -> list[Session]:
        found: dict[str, Session] = {}
        for session in (*openclaw_files.sessions(self.root), *openclaw_sqlite.sessions(self.root)):
            found[session.key] = session  # the database after the files: it has taken them in
        return sorted(found.values(), key=lambda session: session.changed, reverse=True)

    def read(self, session: Session, cursor: Cursor | None) -> Iterator[Batch]:
        if ".jsonl" in Path(session.path).name and not session.path.endswith(openclaw_sqlite.ARCHIVED):
            return openclaw_files.read(session, cursor)
        return openclaw_sqlite.read(session, cursor)
