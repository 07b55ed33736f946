"""What the heartbeat's tests put into a workspace: log entries, notes, a playbook."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from koog.heartbeat import ticks

NOW = "2026-02-28T12:00:00Z"
LOGS = "memory/playbook-logs"
PLAYBOOK = "memory/sinain-playbook.md"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ODD_ENTRY = st.fixed_dictionaries(
    {"ts": st.just(NOW) | JSON}, optional=dict.fromkeys([*list(ticks.KEYS)[1:], "_type"], JSON)
)  # an entry as no program of ours would write it


def before(**span: float) -> str:
    """Return the moment that lies so long before NOW: before(hours=47, minutes=59)."""
    return (datetime.fromisoformat(NOW) - timedelta(**span)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entry(ts: str, **more: Any) -> dict[str, Any]:
    """Return a log entry with the two keys that the gate asks for, its time as its id."""
    return {"ts": ts, "tickId": ts, "feedbackScores": None, "actionsConsidered": [], **more}


def tick(ts: str, **more: Any) -> dict[str, Any]:
    """Return an entry as the rules see it."""
    found = ticks.normalize(entry(ts, **more))
    assert found is not None
    return found


def said(suggestion: str, insight: str = "") -> dict[str, str]:
    return {"suggestion": suggestion, "insight": insight}


def did(action: str, task: str, spawn_id: str | None = None) -> list[dict[str, Any]]:
    """Return the `actionsConsidered` of a tick that took one action."""
    return [{"action": action, "chosen": True, "spawnId": spawn_id, "task": task, "reason": "recommended"}]


def logged(workspace: Path, *rows: dict[str, Any] | str) -> None:
    """Write rows into the log of their days; a text is put as it stands into the log of NOW's day."""
    for row in rows:
        day, line = (NOW[:10], row) if isinstance(row, str) else (row["ts"][:10], json.dumps(row))
        path = workspace / LOGS / f"{day}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def lines(workspace: Path, day: str = NOW[:10]) -> list[dict[str, Any]]:
    """Return the rows of a day's log."""
    path = workspace / LOGS / f"{day}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def note(workspace: Path, name: str, text: str) -> Path:
    path = workspace / "memory" / name
    path.write_text(text, "utf-8", newline="")
    return path


def playbook(workspace: Path, *body: str, header: str = "<!-- mining-index:  -->\n", footer: str = "") -> Path:
    """Write a playbook whose body is these lines."""
    path = workspace / PLAYBOOK
    path.write_text(header + "".join(f"{line}\n" for line in body) + footer, "utf-8", newline="")
    return path


def bullets(workspace: Path) -> list[str]:
    """Return the playbook's lines that are bullets."""
    return [line for line in (workspace / PLAYBOOK).read_text("utf-8").splitlines() if line.startswith("- ")]


def snapshot(folder: Path, *, without: Sequence[str] = ()) -> dict[str, bytes]:
    """Return path → bytes of every file, git's and koog's private folders and the named files left out."""
    files = (p for p in folder.rglob("*") if p.is_file())
    names = ((p.relative_to(folder).as_posix(), p) for p in files)
    return {n: p.read_bytes() for n, p in names if not n.startswith((".git/", ".koog/")) and n not in without}
