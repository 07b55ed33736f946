"""koog usage: what the model calls used and cost, by command, model and day.  [design §4, §7]

Reads   memory/meta/usage.jsonl, and of memory/meta/usage/YYYY-MM.jsonl the months that count
Writes  nothing
Asks    nothing
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.operate import ledger
from koog.operate.ledger import Call

DAYS_TOLD = 35  # rows of byDay: the reply stays one short line
ROWS_TOLD = 15  # rows of byCommand and byModel
SPAN = re.compile(r"([0-9]{1,4})d")
HINT = "--since 7d, --since 2026-02-01, --since 2026-02-01T06:00:00Z"


def usage(
    ctx: typer.Context,
    since: Annotated[
        str, typer.Option(metavar="DATE|ISO|Nd", help="From when; 7d is today and the six days before it.")
    ] = "30d",
) -> Reply:
    """Sum up the model calls: tokens, dollars and time, by command, model and day."""
    run: Run = ctx.obj
    start = beginning(since, now=run.now, zone=run.zone)
    found = ledger.read(run.workspace, since=start, until=run.now)
    keys = {
        "since": clock.iso(start),
        "until": clock.iso(run.now),
        "total": figures(found.calls),
        "byCommand": _told(run, "byCommand", by(found.calls, "command", lambda c: c.command)),
        "byModel": _told(run, "byModel", by(found.calls, "model", lambda c: c.model)),
        "byDay": _days(run, found.calls),
        "budget": ledger.budget(run),
        "unreadable": found.unreadable,
    }
    reply = Reply("koog.usage/1", **keys)
    if run.human:
        from koog.operate import usage_view

        reply.view = usage_view.sections(keys)
    return reply


def beginning(text: str, *, now: datetime, zone: tzinfo) -> datetime:
    """Return the first moment of a span: N days back at midnight, a day's midnight, or a moment itself.

    Days are the user's; `1d` is today. Raises UsageError for another text and for a time to come.
    """
    today = now.astimezone(zone).date()
    if span := SPAN.fullmatch(text):
        day = today - timedelta(days=max(0, int(span[1]) - 1))
        return _midnight(max(day, date(clock.FIRST_YEAR, 1, 1)), zone)
    named = clock.parse_day(text)
    moment = _midnight(named, zone) if named and named.year >= clock.FIRST_YEAR else clock.parse(text)
    if moment is None or moment.year < clock.FIRST_YEAR:
        raise UsageError(f"--since {text!r} is no day, moment or number of days", hint=HINT)
    if moment > now:
        raise UsageError(f"--since {text!r} lies ahead", hint=HINT)
    return moment


def figures(calls: Sequence[Call]) -> dict[str, Any]:
    """Return the sums of some calls.

    >>> figures([])
    {'calls': 0, 'failed': 0, 'promptTokens': 0, 'completionTokens': 0, 'estimatedCalls': 0, 'usd': 0.0, 'ms': 0}
    """
    return {
        "calls": len(calls),
        "failed": sum(c.failed for c in calls),
        "promptTokens": sum(c.prompt for c in calls),
        "completionTokens": sum(c.completion for c in calls),
        "estimatedCalls": sum(c.estimated for c in calls),
        "usd": round(sum((c.usd for c in calls), 0.0), 6),
        "ms": sum(c.ms for c in calls),
    }


def by(calls: Iterable[Call], name: str, key: Callable[[Call], str | None]) -> list[dict[str, Any]]:
    """Return one row of figures a key, the most tokens first."""
    groups: dict[str | None, list[Call]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call)
    rows = [{name: k, **figures(group)} for k, group in groups.items()]
    return sorted(rows, key=lambda r: (-(r["promptTokens"] + r["completionTokens"]), -r["calls"], r[name] or ""))


def _days(run: Run, calls: Iterable[Call]) -> list[dict[str, Any]]:
    """Return one row a day that had calls, oldest first; of a long span its last days."""
    rows = by(calls, "day", lambda c: c.moment.astimezone(run.zone).date().isoformat())
    newest = _told(run, "byDay", sorted(rows, key=lambda r: str(r["day"]), reverse=True), most=DAYS_TOLD)
    return newest[::-1]


def _told(run: Run, name: str, rows: list[dict[str, Any]], *, most: int = ROWS_TOLD) -> list[dict[str, Any]]:
    if len(rows) > most:
        run.meta_extra["truncated"] = True
        run.warnings.append(f"{name} shows {most} of {len(rows)} rows; total has them all")
    return rows[:most]


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, tzinfo=zone)
