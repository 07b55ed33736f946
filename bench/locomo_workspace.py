"""LoCoMo conversations as koog workspaces: raw transcripts of autopoiesis §2.1, and where each turn stands in them.

Used by bench/compile.py. A session is one file in `raw/conversations/YYYY/MM/DD/`, a turn a
heading `## HH:MM — Speaker` and the text below it. File names and texts follow from the input alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

SESSION_TIME = "%I:%M %p on %d %B, %Y"  # "1:56 pm on 8 May, 2023"
SECONDS_A_TURN = 30
ADVERSARIAL = "adversarial"  # category 5: asks for what was never said; usually counted apart


class Place(NamedTuple):
    """Where a turn's text stands: the file as koog cites it, and its one line."""

    path: str
    line: int


class Question(NamedTuple):
    text: str
    category: str  # "single-hop", "multi-hop", "temporal", "open-domain" or ADVERSARIAL
    evidence: tuple[str, ...]  # ids of turns, those that exist


def conversations(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the conversations of the corpus by their file's stem, sorted."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("conversation-*.json"))}


def build(conversation: Mapping[str, Any], root: Path) -> dict[str, Place]:
    """Write the transcripts into `root/ws-raw` beside an empty workspace `root/ws`; return turn id → its place."""
    (root / "ws/memory").mkdir(parents=True, exist_ok=True)
    (root / "ws/.koog").mkdir(exist_ok=True)
    places: dict[str, Place] = {}
    for session in conversation["sessions"]:
        begin = datetime.strptime(session["date"], SESSION_TIME)
        number = session["session"]
        path = f"raw/conversations/{begin:%Y/%m/%d/%H%M}-ses_{number:04d}-talk.md"
        lines = _head(session, begin)
        for n, turn in enumerate(session["turns"]):
            lines += ["", f"## {begin + timedelta(seconds=n * SECONDS_A_TURN):%H:%M} — {turn['speaker']}", words(turn)]
            places[turn["id"]] = Place(path, len(lines))
        file = root / f"ws-{path}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", "utf-8")
    return places


def questions(conversation: Mapping[str, Any], places: Mapping[str, Place]) -> list[Question]:
    """Return the questions whose evidence exists, of all categories."""
    found = []
    for asked in conversation["questions"]:
        evidence = tuple(dict.fromkeys(turn for turn in asked["evidence"] if turn in places))
        if evidence:
            found.append(Question(asked["question"], asked["category"], evidence))
    return found


def _head(session: Mapping[str, Any], begin: datetime) -> list[str]:
    speakers = list(dict.fromkeys(turn["speaker"] for turn in session["turns"]))
    return [
        "---",
        f"session_id: ses_{session['session']:04d}",
        f"started: {begin:%Y-%m-%dT%H:%M:00Z}",
        "channel: chat",
        "---",
        "",
        f"# {' and '.join(speakers)}, session {session['session']}",
    ]


def words(turn: Mapping[str, Any]) -> str:
    """Return a turn as its transcript has it: one line, a photo in words behind it."""
    photo = f" (photo: {' '.join(turn['photo'].split())})" if turn.get("photo") else ""
    return " ".join(turn["text"].split()) + photo
