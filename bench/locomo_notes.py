"""Turn one LoCoMo conversation into a workspace of daily notes, and print one JSON line.

    python bench/locomo_notes.py CONVERSATION.json OUT_WORKSPACE

Each session becomes `memory/YYYY-MM-DD.md` in the form hosts write: a `# Session:` heading, then one
bullet per turn. Two sessions on one day share a file, so a note grows as a real one does. The file
names and the texts follow from the input alone; a second run writes the same bytes.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

SESSION_TIME = "%I:%M %p on %d %B, %Y"  # "1:56 pm on 8 May, 2023"


def session_note(session: dict[str, Any]) -> tuple[str, str]:
    """Return the date (YYYY-MM-DD) and the Markdown of one session."""
    when = datetime.strptime(session["date"], SESSION_TIME)
    lines = [f"# Session: {when:%Y-%m-%d %H:%M}", ""]
    for turn in session["turns"]:
        words = " ".join(turn["text"].split())
        photo = f" (photo: {' '.join(turn['photo'].split())})" if turn.get("photo") else ""
        lines.append(f"- **{turn['speaker']}**: {words}{photo}")
    return f"{when:%Y-%m-%d}", "\n".join(lines) + "\n"


def notes(conversation: dict[str, Any]) -> dict[str, str]:
    """Return the text of every daily note by its date, sessions of one day joined in order."""
    days: dict[str, str] = {}
    for session in conversation["sessions"]:
        date, text = session_note(session)
        days[date] = f"{days[date]}\n{text}" if date in days else text
    return days


def main() -> int:
    """Write the notes and say what was written."""
    source, workspace = (Path(argument) for argument in sys.argv[1:3])
    conversation = json.loads(source.read_text(encoding="utf-8"))
    days = notes(conversation)
    folder = workspace / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    for date, text in days.items():
        (folder / f"{date}.md").write_text(text, encoding="utf-8")
    turns = sum(len(session["turns"]) for session in conversation["sessions"])
    counts = {"sessions": len(conversation["sessions"]), "turns": turns, "bytes": sum(map(len, days.values()))}
    print(json.dumps({"ok": True, "dates": sorted(days), **counts}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
