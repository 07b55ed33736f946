"""What the tests of transcripts have in common: where they lie, and what one says."""

from __future__ import annotations

import stat
from pathlib import Path

from koog.knowledge.transcripts import format
from koog.knowledge.transcripts.format import MEMORY, Transcript, Turn


def raw(workspace: Path) -> Path:
    return workspace.with_name(f"{workspace.name}-raw")


def files(workspace: Path) -> list[Path]:
    """Return the transcripts, sorted by their paths."""
    return sorted((raw(workspace) / "conversations").rglob("*.md"))


def read(path: Path) -> Transcript:
    found = format.read(path.read_text("utf-8"))
    assert found.problems == ()
    return found


def said(workspace: Path) -> list[Turn]:
    """Return the turns of all transcripts, but for what the memory did."""
    turns = [turn for path in files(workspace) for turn in read(path).turns]
    return [turn._replace(line=0) for turn in turns if turn.kind != MEMORY]


def is_closed(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o444
