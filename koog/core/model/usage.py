"""The ledger of model calls, and the budget it enforces.  [design §4, §7]

`memory/meta/usage.jsonl` has one line a call. A budget is a circuit breaker: when
the day's calls have used it up, the next one is refused before it is made.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import Any

from koog.core import clock
from koog.core.errors import Refused
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace

FILE = "meta/usage.jsonl"
MOST = 1e12  # tokens, dollars or milliseconds of one call: a line beyond it would close the breaker for good


def record(workspace: Workspace, *, when: datetime, entry: dict[str, Any]) -> None:
    """Append one call: command, task, model, promptTokens, completionTokens (estimated?), costUsd, ms, ok, code."""
    workspace.ledger(workspace.in_memory(FILE), jsonfiles.line({"ts": clock.iso(when), **entry}) + "\n")


def spent(workspace: Workspace, *, now: datetime, zone: tzinfo) -> tuple[int, float]:
    """Return (tokens, US dollars) of the calls of today, by the user's calendar.

    Every line counts, wherever it stands: `--now` puts moments out of order. Only
    lines that name a UTC day near today are parsed, so that a year of calls costs
    little more than a day of them.
    """
    tokens, usd = 0, 0.0
    today = now.astimezone(zone).date()
    near = [clock.iso(now + timedelta(days=n))[:10].encode() for n in (-1, 0, 1)]
    for raw in (workspace.read(workspace.in_memory(FILE)) or b"").splitlines():
        if any(day in raw for day in near):
            called, cost = _cost(raw, today, zone)
            tokens, usd = tokens + called, usd + cost
    return tokens, usd


def _cost(raw: bytes, today: date, zone: tzinfo) -> tuple[int, float]:
    """Return (tokens, US dollars) of one line when its call was made today, else nothing."""
    try:
        entry = jsonfiles.loads(raw)
        moment = clock.parse(entry["ts"])
        if moment is None or moment.astimezone(zone).date() != today:
            return 0, 0.0
        tokens = figure(entry.get("promptTokens")) + figure(entry.get("completionTokens"))
        return int(tokens), figure(entry.get("costUsd"))
    except (ValueError, TypeError, KeyError, AttributeError):
        return 0, 0.0  # a torn line, or another program's


def figure(value: object) -> float:
    """Return a number of a ledger line, 0 for null. Raises ValueError for what no call can have used or cost."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST:
        raise ValueError(f"{value!r} is no figure")
    return value


def check(*, tokens: int, usd: float, coming: int, tokens_limit: int | None, usd_limit: float | None) -> None:
    """Raise Refused when the day's budget does not hold another call of about `coming` tokens."""
    if tokens_limit is not None and tokens + coming > tokens_limit:
        raise Refused(
            f"budget: {tokens} of {tokens_limit} tokens used today, and this call needs about {coming}",
            hint="it is free again tomorrow; budget.tokensPerDay is the operator's",
        )
    if usd_limit is not None and usd >= usd_limit:
        raise Refused(f"budget: ${usd:.4f} of ${usd_limit} used today", hint="budget.usdPerDay is the operator's")
