"""What the logs say of the last twelve weeks, and of the last tick.  [sinain §4.4, §6]

A day's log lies in memory/playbook-logs/, and of older days in memory/playbook-logs/YYYY-MM/.
Files are found by their names, so that years of logs cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files.workspace import Workspace
from koog.core.run import Run
from koog.heartbeat import effectiveness, ticks

WEEKS = 12
DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.jsonl")
MONTH = re.compile(r"\d{4}-\d\d")
REASON_CHARS, ID_CHARS = 300, 200


def read(run: Run) -> ticks.Log:
    """Read the logs of twelve weeks; a file that cannot be read is a warning and the others count."""
    since = monday(run.now, run.zone) - timedelta(weeks=WEEKS - 1)
    # The first file may end in the week that counts: a log's day is of UTC, a week is the user's.
    paths = files(run.workspace, first=clock.iso(since)[:10], last=clock.iso(run.now)[:10])
    return ticks.joined([_kept(run, path) for path in paths], since=since, until=run.now, files=tuple(paths))


def files(workspace: Workspace, *, first: str, last: str) -> list[str]:
    """Return the logs of some days, both ends included, oldest first, from both places."""
    folder = workspace.in_memory(ticks.FOLDER)
    months = [m for m in workspace.folders(folder) if MONTH.fullmatch(m) and first[:7] <= m <= last[:7]]
    found = []
    for place in (*(f"{folder}/{month}" for month in months), folder):
        names = [n for n in workspace.names(place, ".jsonl") if DAY_FILE.fullmatch(n) and first <= n[:10] <= last]
        found += [(name, f"{place}/{name}") for name in names]
    return [path for _, path in sorted(found)]


def last_tick(run: Run) -> dict[str, Any] | None:
    """Return what is known of the newest tick; None when there is none."""
    for path in reversed(files(run.workspace, first="0000", last=clock.iso(run.now)[:10])):
        if found := ticks.joined([_kept(run, path)], until=run.now).entries:
            return _tick(found[0], _row(run, path, found[0]["tickId"]), path=path, now=run.now)
    return None


def _row(run: Run, path: str, tick_id: str) -> dict[str, Any]:
    """Return a tick's row as it stands in its log: what a receipt is made of."""
    rows = ticks.rows(ticks.newest(run.workspace.text(path) or ""))
    return next((row for row in rows if row.get("_type") in (None, "tick") and _is_of(row, tick_id)), {})


def _is_of(row: dict[str, Any], tick_id: str) -> bool:
    named = row.get("tickId")
    if named and str(named) != tick_id:
        return False
    entry = ticks.normalize(row)
    return entry is not None and entry["tickId"] == tick_id


def weeks(log: ticks.Log, *, now: datetime, zone: tzinfo) -> list[dict[str, Any]]:
    """Return one row an ISO week, from the first one with a tick to this one, oldest first.

    The score of an output is what `feedback` makes of it; a week counts the outputs of its own ticks.
    """
    if not log.entries:
        return []
    days = {e["tickId"]: _day(e["ts"], zone) for e in log.entries}
    scored = effectiveness.score_outputs(log.entries, log.scores)
    day, last = min(days.values()), now.astimezone(zone).date()
    day -= timedelta(days=day.weekday())
    rows = []
    while day <= last:
        end = day + timedelta(weeks=1)
        inside = {tick for tick, its in days.items() if day <= its < end}
        rows.append(_week(day, len(inside), [s for s in scored if s.tick_id in inside]))
        day = end
    return rows


def monday(now: datetime, zone: tzinfo) -> datetime:
    """Return the user's midnight at which this ISO week began."""
    today = now.astimezone(zone).date()
    return datetime.combine(today - timedelta(days=today.weekday()), time.min, tzinfo=zone)


def degraded(entries: Iterable[dict[str, Any]], *, since: datetime) -> list[dict[str, str]]:
    """Return the ticks since a moment that had failed steps, as rows like those of core/failures.py."""
    return [
        {
            "ts": e["ts"],
            "command": "tick",
            "code": "degraded",
            "message": _words(e["skipReason"]) or ", ".join(e["degraded"]),
        }
        for e in entries
        if e["degraded"] and e["ts"] >= clock.iso(since)
    ]


def _tick(entry: dict[str, Any], row: dict[str, Any], *, path: str, now: datetime) -> dict[str, Any]:
    moment = clock.parse(entry["ts"]) or now
    return {
        "tickId": entry["tickId"][:ID_CHARS],
        "ts": entry["ts"],
        "ageMinutes": int((now - moment).total_seconds() // 60),
        "idle": entry["idle"],
        # A line of another program, without a tickId, was never given one.
        "receipt": ticks.receipt(row)[: 2 * ID_CHARS] if isinstance(row.get("tickId"), str) else None,
        "degraded": entry["degraded"][:10],
        "skipReason": _words(entry["skipReason"]),
        "path": path,
    }


def _week(day: date, count: int, scored: list[effectiveness.Scored]) -> dict[str, Any]:
    found = effectiveness.effectiveness(scored)
    year, number, _ = day.isocalendar()
    return {
        "week": f"{year}-W{number:02}",
        "ticks": count,
        **{key: found[key] for key in ("outputs", "positive", "negative", "rate")},
        "directive": effectiveness.directive(found["outputs"], found["positive"]),
    }


def _kept(run: Run, path: str) -> ticks.Sorted:
    try:
        kept = ticks.kept(run.workspace, path)
    except WorkspaceError as e:
        run.warnings.append(f"logs: {e.message}")
        return ticks.EMPTY
    told = f"{path}: a day of more than {ticks.MOST_LINES} lines, of which the newest are counted"
    if not kept.is_whole and told not in run.warnings:
        run.warnings.append(told)
    return kept


def _day(ts: str, zone: tzinfo) -> date:
    moment = clock.parse(ts)
    if moment is None:  # ticks.normalize lets no such entry through
        raise ValueError(ts)
    return moment.astimezone(zone).date()


def _words(value: object) -> str | None:
    return value[:REASON_CHARS] if isinstance(value, str) and value else None
