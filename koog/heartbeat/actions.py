"""Which recommended action may be taken: what the rules make of the engine's word.  [sinain §4.3, §6.3, §6.4]

In this order: idle suppresses; then a stale item at 48 hours demands; then the daily
minimum takes the best there is; then confidence and repetition filter. The middle two
override the filters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from koog.core import clock
from koog.core.text import measures
from koog.heartbeat import background, stale, ticks
from koog.heartbeat.spawns import THRESHOLD, Spawns
from koog.playbook.item import Item

DAY = timedelta(hours=24)
TEMPLATE = (  # how the built-in engine and the daily minimum begin a task
    r"(?i)^(?:find (?:the )?root cause (?:for|of)|debug|research|error seen (?:once|\d+ times)|new topic|next step"
    r"|stuck)"
    r"\s*:?\s+"
)
ORDER = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True)
class Decision:
    """What to do, by which rule, and what was set aside for it (null when nothing was)."""

    action: str
    task: str | None
    confidence: float
    rule: str
    suppressed: dict[str, Any] | None = None

    def wire(self) -> dict[str, Any]:
        return {"action": self.action, "task": self.task, "confidence": self.confidence}


def decide(
    recommended: dict[str, Any],
    *,
    signals: Sequence[dict[str, str]],
    idle: bool,
    items: Sequence[Item],
    entries: Sequence[dict[str, Any]],
    spawns: Spawns,
    now: datetime,
) -> Decision:
    """Return the decision.

    recommended   {action, task, confidence} from an engine
    items         the base playbook's bullets
    entries       normalized ticks of the last days, newest first
    """
    if idle:
        return _skip(recommended, "idle")
    if item := stale.due(items, entries, now=now):
        task = f"Resolve, open since {item.item.since}: {item.item.text}"
        return Decision("sessions_spawn", task, 1.0, "stale-item", _aside(recommended))
    held_back = _held_back(recommended, entries, spawns, now=now)
    if held_back is None:
        return Decision(**_parts(recommended), rule="recommended")
    if is_day_old(entries, now=now) and not acted_within(entries, now=now, span=DAY):
        if _wants(recommended):
            return Decision(**_parts(recommended), rule="daily-minimum")
        if signals:
            best = min(signals, key=lambda s: ORDER[s["priority"]])
            return Decision("telegram_tip", best["description"], 0.3, "daily-minimum")
    return _skip(recommended, held_back)


def _held_back(
    recommended: dict[str, Any], entries: Sequence[dict[str, Any]], spawns: Spawns, *, now: datetime
) -> str | None:
    """Return the rule that keeps an action from being taken on its own merit; None when none does."""
    if not _wants(recommended):
        return "no-signal"
    needed = spawns.threshold if recommended["action"] == "sessions_spawn" else THRESHOLD
    if recommended["confidence"] < needed:
        return "ignored-spawns" if needed > THRESHOLD else "low-confidence"
    return "repeat" if repeats(str(recommended["task"]), entries, now=now) else None


def acted_within(entries: Sequence[dict[str, Any]], *, now: datetime, span: timedelta) -> bool:
    """Return whether a Phase 2 action was taken in the span."""
    return any(ticks.chosen(e) for e in entries if (m := clock.parse(e["ts"])) and now - m < span)


def is_day_old(entries: Sequence[dict[str, Any]], *, now: datetime) -> bool:
    """Return whether a tick was a day ago or longer: before, no day has gone by without an action.  [sinain §6.4]"""
    return any(now - m >= DAY for e in entries if (m := clock.parse(e["ts"])))


def repeats(task: str, entries: Sequence[dict[str, Any]], *, now: datetime) -> bool:
    """Return whether a task repeats an action of the last day: what it is about, not the words that every task has."""
    recent = [e for e in entries if (m := clock.parse(e["ts"])) and now - m < DAY]
    taken = [ticks.task_of(a) for e in recent for a in ticks.chosen(e)]
    return any(measures.repeats(subject(task), subject(earlier)) for earlier in taken)


def subject(task: str) -> str:
    """Return what a task is about, without the words by which an engine begins every one, and without what was noted.

    >>> subject("Find root cause for: ECONNRESET"), subject("Debug: the axis"), subject("Push the branch")
    ('ECONNRESET', 'the axis', 'Push the branch')
    """
    return re.sub(TEMPLATE, "", background.without(task))


def _wants(recommended: dict[str, Any]) -> bool:
    return recommended["action"] in ticks.ACTIONS and bool(str(recommended.get("task") or "").strip())


def _parts(recommended: dict[str, Any]) -> dict[str, Any]:
    return {k: recommended[k] for k in ("action", "task", "confidence")}


def _skip(recommended: dict[str, Any], rule: str) -> Decision:
    return Decision("skip", None, float(recommended["confidence"]), rule, _aside(recommended))


def _aside(recommended: dict[str, Any]) -> dict[str, Any] | None:
    return _parts(recommended) if _wants(recommended) else None
