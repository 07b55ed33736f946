"""The ledger of model calls as reports read it: the file that grows, and the months put away beside it.  [design §4]

memory/meta/usage.jsonl
memory/meta/usage/YYYY-MM.jsonl
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from koog.core import clock
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.model import usage
from koog.core.named import NamedTuple
from koog.core.run import Run

FOLDER = "meta/usage"
MONTH = re.compile(r"\d{4}-\d\d\.jsonl")
BEGIN = b'{"ts":"'  # how koog begins a line: its day can be seen without parsing it
SLACK = timedelta(days=1)  # a month or a day of UTC is not one of the writer's zone


class Call(NamedTuple):
    """One model call: tokens, US dollars, milliseconds; `model` is None for a call that got no answer."""

    moment: datetime
    command: str | None
    model: str | None
    prompt: int
    completion: int
    estimated: bool
    usd: float
    ms: int
    failed: bool


class Ledger(NamedTuple):
    """The calls of a span, in the order of their lines; `unreadable` counts torn and foreign lines."""

    calls: list[Call]
    unreadable: int


def read(workspace: Workspace, *, since: datetime, until: datetime) -> Ledger:
    """Return the calls of a span, both ends included. Raises WorkspaceError for a file that cannot be read."""
    calls, unreadable = [], 0
    for raw in _lines(workspace, since):
        call = parse(raw)
        if call is None:
            unreadable += 1
        elif since <= call.moment <= until:
            calls.append(call)
    return Ledger(calls, unreadable)


def parse(raw: bytes) -> Call | None:
    """Return the call of one line, None for a torn line or another program's."""
    try:
        entry = jsonfiles.loads(raw)
        moment = clock.parse(entry["ts"])
        if moment is None:
            return None
        return Call(
            moment=moment,
            command=_name(entry.get("command")),
            model=_name(entry.get("model")),
            prompt=int(usage.figure(entry.get("promptTokens"))),
            completion=int(usage.figure(entry.get("completionTokens"))),
            estimated=entry.get("estimated") is True,
            usd=float(usage.figure(entry.get("costUsd"))),
            ms=int(usage.figure(entry.get("ms"))),
            failed=entry.get("ok") is False,
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def budget(run: Run) -> dict[str, Any]:
    """Return what today's calls have used, and the operator's limits (None: no limit)."""
    tokens, usd = usage.spent(run.workspace, now=run.now, zone=run.zone)
    limits = run.settings.get("budget")
    return {
        "tokensUsed": tokens,
        "tokensPerDay": limits["tokensPerDay"],
        "usdUsed": round(usd, 6),
        "usdPerDay": limits["usdPerDay"],
    }


def used_up(found: dict[str, Any]) -> bool:
    """Return whether a budget has nothing left for another call."""
    pairs = (("tokensUsed", "tokensPerDay"), ("usdUsed", "usdPerDay"))
    return any(found[limit] is not None and found[used] >= found[limit] for used, limit in pairs)


def _lines(workspace: Workspace, since: datetime) -> Iterator[bytes]:
    """Yield the lines that may belong to the span: koog's own of an earlier day are skipped unparsed."""
    oldest = clock.iso(since - SLACK)[:10]
    folder = workspace.in_memory(FOLDER)
    months = [n for n in workspace.names(folder, ".jsonl") if MONTH.fullmatch(n) and n[:7] >= oldest[:7]]
    first, at = oldest.encode(), len(BEGIN)
    for path in [*(f"{folder}/{name}" for name in months), workspace.in_memory(usage.FILE)]:
        for raw in (workspace.read(path) or b"").split(b"\n"):
            if raw.startswith(BEGIN) and raw[at : at + 10] < first:
                continue
            if line := raw.strip(b"\0 \r\t"):
                yield line


def _name(value: object) -> str | None:
    return value[:80] if isinstance(value, str) and value else None
