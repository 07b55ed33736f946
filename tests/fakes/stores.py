"""A conversation as each host would have written it down, so that tests can compare what the readers make of it.

The shapes follow openclaw.md (its two stores were run), and for the others the public
sources that koog/sessions/{claude,codex}.py name.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

START = datetime(2026, 2, 28, 9, 0, tzinfo=UTC)
SESSION = "3f1c2b7a-0000-4000-8000-000000000001"

Record = dict[str, Any]


class Said(NamedTuple):
    """One thing in a conversation; a tool has a command and an exit code, and its text is its output."""

    role: str
    text: str
    command: str = ""
    code: int = 0


TALK = [
    Said("user", "We deploy to staging-2 from now on, never on Fridays. Zażółć 🦞"),
    Said("assistant", "Noted: staging-2, never on Fridays."),
    Said("user", "Run the tests."),
    Said("tool", "3 failed, 41 passed", "make test", 2),
    Said("tool", "44 passed", "make test-fast", 0),
    Said("assistant", "The fast ones pass; three of the slow ones fail."),
    Said("user", "line one\nline two\u2028with an odd separator"),
]


def stamp(number: float) -> str:
    return (START + timedelta(seconds=number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def openclaw(talk: Sequence[Said], *, first: int = 0) -> Iterator[Record]:
    """Yield the records of 2026.7; those of 2026.9 differ in their ids alone."""
    for number, said in enumerate(talk, first):
        if said.role == "tool":
            call = {"type": "toolCall", "id": f"call_{number}", "name": "exec", "arguments": {"command": said.command}}
            yield _openclaw(number, "c", {"role": "assistant", "content": [call], "stopReason": "toolUse"})
            answer = {"role": "toolResult", "toolCallId": f"call_{number}", "toolName": "exec", "isError": False}
            details = {"status": "completed", "exitCode": said.code}
            content = [{"type": "text", "text": said.text}]
            yield _openclaw(number, "", {**answer, "content": content, "details": details})
        elif said.role == "user":
            yield _openclaw(number, "", {"role": "user", "content": said.text})
        else:
            yield _openclaw(number, "", {"role": "assistant", "content": [{"type": "text", "text": said.text}]})


def _openclaw(number: int, part: str, message: Record) -> Record:
    return {"type": "message", "id": f"{number:08x}{part}", "parentId": None, "timestamp": stamp(number)} | {
        "message": {**message, "timestamp": int((START.timestamp() + number) * 1000)}
    }


def header() -> Record:
    return {"type": "session", "version": 3, "id": SESSION, "timestamp": stamp(-1), "cwd": "/w"}


def claude(talk: Sequence[Said], *, first: int = 0) -> Iterator[Record]:
    for number, said in enumerate(talk, first):
        if said.role == "tool":
            use = {"type": "tool_use", "id": f"toolu_{number}", "name": "exec", "input": {"command": said.command}}
            yield _claude(number, "assistant", [{"type": "thinking", "thinking": "hm"}, use], part="c")
            text = f"Exit code {said.code}\n{said.text}" if said.code else said.text
            answer = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}
            record = _claude(number, "user", [{**answer, "is_error": bool(said.code)}])
            detail = f"Error: {text}" if said.code else {"stdout": said.text, "stderr": "", "interrupted": False}
            yield {**record, "toolUseResult": detail}
        elif said.role == "user":
            yield _claude(number, "user", said.text)
        else:
            yield _claude(number, "assistant", [{"type": "text", "text": said.text}])


def _claude(number: int, kind: str, content: object, *, part: str = "") -> Record:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": SESSION,
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": f"{number:08x}-0000-4000-8000-00000000000{len(part)}",
        "timestamp": stamp(number),
    }


def codex(talk: Sequence[Said], *, first: int = 0) -> Iterator[Record]:
    for number, said in enumerate(talk, first):
        if said.role == "tool":
            arguments = json.dumps({"command": said.command})
            call = {"type": "function_call", "name": "exec", "arguments": arguments, "call_id": f"call_{number}"}
            yield _codex(number, call)
            text = f"Exit code: {said.code}\nWall time: 0.1 seconds\nOutput:\n{said.text}"
            yield _codex(number, {"type": "function_call_output", "call_id": f"call_{number}", "output": text})
        else:
            kind = "input_text" if said.role == "user" else "output_text"
            content = [{"type": kind, "text": said.text}]
            yield _codex(number, {"type": "message", "role": said.role, "content": content})
            event = {"type": f"{'user' if said.role == 'user' else 'agent'}_message", "message": said.text}
            yield {"timestamp": stamp(number), "type": "event_msg", "payload": event}


def _codex(number: int, payload: Record) -> Record:
    return {"timestamp": stamp(number), "type": "response_item", "payload": payload}


def line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def write(path: Path, records: Iterable[Record]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(line, records)))
    return path


# Where each host keeps the session of these records, below its own folder.
FILES = {
    "openclaw": Path("agents/main/sessions") / f"{SESSION}.jsonl",
    "claude": Path("projects/-home-p") / f"{SESSION}.jsonl",
    "codex": Path("sessions/2026/02/28") / f"rollout-2026-02-28T09-00-00-{SESSION}.jsonl",
}
RENDER = {"openclaw": openclaw, "claude": claude, "codex": codex}


class Database:
    """OpenClaw's database, with the four tables that koog reads and one session in it."""

    def __init__(self, root: Path, *, key: str = "agent:main:main") -> None:
        self.path = root / "agents/main/agent/openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(self.path, isolation_level=None)
        self.db.executescript(
            "PRAGMA journal_mode=WAL;"
            "CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT, created_via TEXT);"
            "CREATE TABLE session_windows (session_id TEXT, session_key TEXT, previous_session_id TEXT,"
            " updated_at INTEGER, transcript_updated_at INTEGER);"
            "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB,"
            " created_at INTEGER, PRIMARY KEY (session_id, seq));"
            "CREATE TABLE transcript_rewrite_watermarks (session_id TEXT, generation TEXT);"
        )
        self.db.execute("INSERT INTO session_nodes VALUES (?, ?, 'run')", (key, SESSION))
        self.db.execute("INSERT INTO session_windows VALUES (?, ?, NULL, 1, 1)", (SESSION, key))
        self.db.execute("INSERT INTO transcript_rewrite_watermarks VALUES (?, 'g0')", (SESSION,))

    def append(self, records: Iterable[Record], *, packed: bool = False) -> None:
        last = self.db.execute("SELECT COALESCE(MAX(seq), -1) FROM transcript_events").fetchone()[0]
        for seq, record in enumerate(records, last + 1):
            text = json.dumps(record, ensure_ascii=False)
            row = (None, pack(text.encode())) if packed else (text, None)
            self.db.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, 1)", (SESSION, seq, *row))

    def compact(self, keep: int, *, generation: str) -> None:
        """Keep the last rows, count them anew from 0, and change the generation: `sessions compact --max-lines`."""
        rows = self.db.execute("SELECT event_json, event_zstd FROM transcript_events ORDER BY seq").fetchall()
        self.db.execute("BEGIN")
        self.db.execute("DELETE FROM transcript_events")
        for seq, row in enumerate(rows[len(rows) - keep :]):
            self.db.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, 1)", (SESSION, seq, *row))
        self.db.execute("UPDATE transcript_rewrite_watermarks SET generation = ?", (generation,))
        self.db.execute("COMMIT")

    def delete(self, records: Iterable[Record]) -> Path:
        """Remove the session into an archive of these records, as OpenClaw does."""
        for table in ("transcript_events", "session_windows", "transcript_rewrite_watermarks"):
            self.db.execute(f"DELETE FROM {table}")
        name = f"{SESSION}.jsonl.deleted.2026-03-01T09-00-00.000Z.0a1b2c.zst"
        path = self.path.parent / "archives" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pack(b"".join(map(line, records))))
        return path

    def close(self) -> None:
        self.db.close()


def pack(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(data)
