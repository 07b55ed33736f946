"""What months leave behind moves into dated folders, so that no tick has more to do than the first.  [design §3]

    memory/playbook-logs/2026-02/2026-02-17.jsonl
    memory/playbook-archive/2026-02/sinain-playbook-2026-02-17-1200.md
    memory/meta/usage/2026-02.jsonl

Logs and archives move as they are when they are `history.keepDays` old. Of the ledger
the lines of past days move once it is large; the audit log's move with the month, by
whatever writes first (core/files/door.py). Nothing is deleted, and daily notes stay where
the host put them.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from koog.core import clock, failures
from koog.core.errors import KoogError
from koog.core.files import jsonfiles
from koog.core.files.door import Door
from koog.core.model import usage
from koog.core.run import Run
from koog.heartbeat import ticks
from koog.heartbeat.curate import ARCHIVE

DATED = re.compile(r"(?:sinain-playbook-)?(\d{4}-\d\d)-\d\d(?:-\d{4}(?:-\d+)?)?\.(?:jsonl|md)")
MOST_FILES = 100  # a tick; the first one after an upgrade may find years
LARGE = 256 * 1024  # bytes: until then a file of lines is left alone
KEEP_LINES_DAYS = 3  # the budget counts a day in any zone


def rotate(run: Run) -> dict[str, Any]:
    """Move what is old; return {files, lines, into}. A failure is a warning: the next tick tries again."""
    done: dict[str, Any] = {"files": 0, "lines": 0, "into": []}
    try:
        old = _old_files(run)
        ledger = run.workspace.in_memory(usage.FILE)
        is_large = (run.workspace.size(ledger) or 0) > LARGE
        if old or is_large:
            with run.workspace.writing() as door:
                _move_files(door, old, done)
                if is_large:
                    _move_lines(door, ledger, before=_day(run, KEEP_LINES_DAYS), done=done)
    except KoogError as e:
        run.warnings.append(f"history not rotated: {e.message}")
        # Cron throws the line away, and this one would come at every tick: status shows it.
        failures.record(run.root, e, command="tick", message=run.warnings[-1], now=run.now)
        return {"files": 0, "lines": 0, "into": []}
    return {**done, "into": sorted(set(done["into"]))}


def _old_files(run: Run) -> list[tuple[str, str]]:
    """Return (path, new path) of the oldest logs and archives that are due."""
    oldest = _day(run, run.settings.get("history.keepDays"))
    found = []
    for folder, suffix in ((ticks.FOLDER, ".jsonl"), (ARCHIVE, ".md")):
        here = run.workspace.in_memory(folder)
        for name in run.workspace.names(here, suffix):
            match = DATED.fullmatch(name)
            to = f"{here}/{match[1]}/{name}" if match else ""
            if match and name.removeprefix("sinain-playbook-")[:10] < oldest and not run.workspace.exists(to):
                found.append((f"{here}/{name}", to))
    return found[:MOST_FILES]


def _move_files(door: Door, old: list[tuple[str, str]], done: dict[str, Any]) -> None:
    for path, to in old:
        if door.move(path, to, summary=f"to {to.rsplit('/', 1)[0]}, by age"):
            done["files"] += 1
            done["into"].append(to.rsplit("/", 1)[0])


def _move_lines(door: Door, path: str, *, before: str, done: dict[str, Any]) -> None:
    """Move the lines at a file's beginning that are older than a day; one that tells no day goes with the next."""
    lines = (door.text(path) or "").splitlines(keepends=True)
    stem, suffix = path.rsplit(".", 1)
    months: dict[str, list[str]] = {}
    waiting: list[str] = []
    moved = 0
    ahead = (date.fromisoformat(before) + timedelta(days=KEEP_LINES_DAYS + 1)).isoformat()
    for number, line in enumerate(lines, 1):
        day = _usage_day(line)
        waiting.append(line)
        if day is None or day > ahead:  # a wrong clock wrote it: it must not hold up what stands behind
            continue
        if day >= before:
            break
        months.setdefault(day[:7], []).extend(waiting)
        waiting, moved = [], number
    if not moved:
        return
    head = "".join(lines[:moved])
    for month, rows in months.items():
        to = f"{stem}/{month}.{suffix}"
        door.append(to, "".join(rows), summary=f"lines of {month} from {path}")
        done["into"].append(to)
    door.edit(path, lambda text: text.removeprefix(head), summary=f"{moved} lines before {before} moved by month")
    done["lines"] += moved


def _usage_day(line: str) -> str | None:
    try:
        return clock.iso(moment)[:10] if (moment := clock.parse(jsonfiles.loads(line).get("ts"))) else None
    except (ValueError, AttributeError):
        return None


def _day(run: Run, days: int) -> str:
    return clock.iso(run.now - timedelta(days=days))[:10]
