"""What the audit's tests share: a log's lines, a life of some commands, a person at a terminal."""

from __future__ import annotations

from pathlib import Path

from koog.core.files import chain, digests, seal, state_root
from koog.core.files.chain import Line, Writer
from tests.conftest import Koog, registered

LOG = "memory/meta/audit.log"
NOW = "2026-11-20T10:00:00Z"


def lines(workspace: Path, path: str = LOG) -> list[bytes]:
    return (workspace / path).read_bytes().splitlines(keepends=True)


def put(workspace: Path, rows: list[bytes], path: str = LOG) -> None:
    (workspace / path).write_bytes(b"".join(rows))


def lived(koog: Koog, facts: int = 4, now: str = NOW) -> None:
    """Remember some facts: several lines of the log each, and a commit."""
    for words in remembered(facts, now):
        code, said = koog(*words)
        assert code == 0, said


def remembered(facts: int, now: str = NOW) -> list[list[str]]:
    """Return the commands."""
    return [["remember", f"Person{n} works at Company{n}", "--explicit", "--now", now] for n in range(facts)]


def verified(koog: Koog) -> dict:  # type: ignore[type-arg]
    code, said = koog("audit", "verify")
    assert code == 0, said
    return said


def lined(workspace: Path, count: int) -> list[bytes]:
    """Give a workspace a log of so many lines that koog has sealed; return them."""
    state = state_root.find(registered(workspace).name)
    assert state
    rows = [
        f"2026-11-20T10:00Z | EDIT    | memory/{n}.md | skill:koog | auto     | number {n}\n".encode()
        for n in range(count)
    ]
    writer = Writer(chain.key(state), None)
    seal.begin(writer, [], why="first")
    for row in rows:
        writer.line(Line(row.rstrip(b"\n")))
    (state.path / chain.NAME).write_bytes(writer.data)
    (state.path / f"{chain.HEAD}.json").unlink(missing_ok=True)
    put(workspace, rows)
    state.put(digests.NAME, {**digests.load(state), LOG: digests.mark(b"".join(rows))})
    return rows
