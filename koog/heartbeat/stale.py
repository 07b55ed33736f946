"""How long a fixable item may stay: since, acted on, deferred.  [sinain §4.6]

A new fixable pattern is tagged `[since: …]`. After 48 hours without change an action
on it is mandatory; after three actions without resolution it becomes `[deferred: …]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from koog.core import clock
from koog.core.text.measures import repeats
from koog.heartbeat import ticks
from koog.playbook.item import Item

STALE_AFTER = timedelta(hours=48)
MAX_ACTIONS = 3
BETWEEN_ACTIONS = timedelta(hours=24)  # three actions within ninety minutes would give nobody a chance to act
REASON = "3 actions without resolution"


@dataclass(frozen=True)
class Stale:
    """An item that is due: `actions` are the ones already taken on it since its tag."""

    item: Item
    actions: int


def due(items: Sequence[Item], entries: Sequence[dict[str, Any]], *, now: datetime) -> Stale | None:
    """Return the item that most needs an action now, the oldest first; None when none is due.

    entries   normalized ticks, newest first
    """
    found = []
    for item in items:
        started = _started(item)
        if started is None or item.deferred or now - started < STALE_AFTER:
            continue
        taken = actions_on(item, entries)
        if len(taken) < MAX_ACTIONS and (not taken or now - max(taken) >= BETWEEN_ACTIONS):
            found.append((started, Stale(item, len(taken))))
    return min(found, key=lambda f: f[0])[1] if found else None


def actions_on(item: Item, entries: Sequence[dict[str, Any]]) -> list[datetime]:
    """Return when actions on an item were taken since it was tagged."""
    started = _started(item)
    moments = []
    for entry in entries:
        moment = clock.parse(entry["ts"])
        if moment is None or (started and moment < started):
            continue
        if any(repeats(ticks.task_of(a), item.text) for a in ticks.chosen(entry)):
            moments.append(moment)
    return moments


def exhausted(item: Item, entries: Sequence[dict[str, Any]]) -> bool:
    """Return whether three actions were taken on an item that still stands."""
    return item.since is not None and len(actions_on(item, entries)) >= MAX_ACTIONS


def deferred(item: Item, *, today: date) -> Item:
    """Return the item with its lifecycle's last tag."""
    return replace(item, since=None, deferred=today.isoformat(), reason=REASON)


def released(item: Item) -> Item:
    """Return the item as it stands when it is open no more."""
    return replace(item, since=None, deferred=None, reason=None)


def _started(item: Item) -> datetime | None:
    day = clock.parse_day(item.since) if item.since else None
    return clock.parse(f"{day.isoformat()}T00:00:00Z") if day else None
