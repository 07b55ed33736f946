"""Sessions of no host: a reader over lists of turns, and a Claude Code store for calls from outside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from koog.sessions.place import NOWHERE
from koog.sessions.turn import Batch, Cursor, Session, Turn

START = datetime(2026, 2, 28, 11, tzinfo=UTC)


def turn(n: int, text: str, *, role: str = "user", origin: str | None = None) -> Turn:
    """Return the n-th turn of a session: t0, t1, … one second after another."""
    made = origin or ("agent" if role != "user" else "user")
    return Turn(f"t{n}", START + timedelta(seconds=n), role, text, made)


def turns(*texts: str, start: int = 0) -> list[Turn]:
    """Return what a user said, one text after the other."""
    return [turn(n, text) for n, text in enumerate(texts, start)]


class FakeReader:
    """Sessions in memory; a cursor counts the turns that were read.

    size     turns of a batch
    reads    how often a session was read, and from which cursor
    """

    def __init__(self, *, size: int = 100, **sessions: Sequence[Turn]) -> None:
        self.size = size
        self.place = NOWHERE
        self.kinds: dict[str, str] = {}
        self.unknown: dict[str, int] = {}
        self.said: dict[str, list[Turn]] = {name: list(said) for name, said in sessions.items()}
        self.reads: list[tuple[str, Cursor | None]] = []

    def sessions(self) -> list[Session]:
        found = [self._session(name, said) for name, said in self.said.items() if said]
        return sorted(found, key=lambda s: s.changed, reverse=True)

    def _session(self, name: str, said: Sequence[Turn]) -> Session:
        kind = self.kinds.get(name, "main")
        return Session("claude", name, f"claude/p/{name}", kind, f"/nowhere/{name}", said[-1].at, self.place)

    def read(self, session: Session, cursor: Cursor | None) -> Iterator[Batch]:
        self.reads.append((session.id, cursor))
        said, start = self.said[session.id], int((cursor or {"read": 0})["read"])
        for begin in range(start, len(said), self.size):
            part = said[begin : begin + self.size]
            yield Batch(tuple(part), {"read": begin + len(part)}, dict(self.unknown))


def claude_session(
    home: Path,
    *said: tuple[str, str],
    name: str = "11111111-2222-4333-8444-555555555555",
    cwd: Path | str = "/work",
    at: datetime = START,
) -> Path:
    """Append (role, text) pairs to a session file of Claude Code; return it. at: n seconds before the n-th"""
    path = home / ".claude/projects/-work" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    n = path.read_text("utf-8").count("\n") if path.exists() else 0
    with path.open("a", encoding="utf-8") as file:
        for role, text in said:
            n += 1
            content = text if role == "user" else [{"type": "text", "text": text}]
            row = {
                "type": role,
                "uuid": f"e{n}",
                "parentUuid": f"e{n - 1}" if n > 1 else None,
                "isSidechain": False,
                "sessionId": name,
                "cwd": str(cwd),
                "timestamp": (at + timedelta(seconds=n)).isoformat().replace("+00:00", "Z"),
                "message": {"role": role, "content": content},
            }
            file.write(json.dumps(row) + "\n")
    return path
