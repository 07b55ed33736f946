"""The built-in answer to `synthesize`: say something only when two things meet  [sinain §4.7].

A suggestion answers what is going on, or names a date or step just ahead; an insight joins
two observations that say something together. Both are sentences around quotations, each
with its place. Either one missing, or only repeats left: skip, and say what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypedDict

from koog.core.text.measures import repeats
from koog.heartbeat.connections import connections
from koog.heartbeat.observations import Observation, observe
from koog.heartbeat.output_gate import told
from koog.heartbeat.suggestions import against_the_clock, pressing, suggestions
from koog.playbook.texts import patterns

MESSAGE_CHARS = 499  # under 500 together (§4.7); what is longer is not offered, never cut
SUGGESTION_CHARS = 235
QUOTED = r"“([^”…]{1,30})"
NAMED_FILES = 12  # in a skip reason
MAX_CANDIDATES = 60


@dataclass(frozen=True)
class SynthesizeInput:
    playbook: str
    logs: tuple[dict[str, Any], ...]  # the last 3 days, newest first
    recent_outputs: tuple[dict[str, str], ...]  # {"ts", "suggestion", "insight"}, newest first
    changes: dict[str, Any]  # the curator's {added, pruned, promoted} of this tick
    notes: tuple[tuple[str, str], ...] = ()  # (path, text) of the last days' daily notes
    examined: tuple[str, ...] = ()  # every path that was read


class SynthesizeAnswer(TypedDict):
    skip: bool
    skipReason: str | None
    suggestion: str | None
    insight: str | None


def answer(given: SynthesizeInput) -> SynthesizeAnswer:
    """Return a suggestion and an insight of together under 500 characters, or the reason for neither."""
    if is_unchanged(given):
        return skipped(skip_reason(given, [], lacks=["nothing new since the last tick"]))
    seen = observe(logs=given.logs, notes=given.notes, playbook=given.playbook)
    said = [text for output in given.recent_outputs if isinstance(output, dict)
            for key in ("suggestion", "insight") if isinstance(text := output.get(key), str)]  # fmt: skip
    suggested = fitting(suggestions(given.playbook, seen), SUGGESTION_CHARS)
    suggestion = first_new(suggested, said)
    urgent = fitting(pressing(seen), SUGGESTION_CHARS)
    linked = connections(playbook=given.playbook, changes=given.changes, seen=seen)
    insights = fitting(linked, MESSAGE_CHARS - len(suggestion or ""))
    shown = {q for output in given.recent_outputs if isinstance(output, dict) for q in quotes(output.get("insight"))}
    fresh = [text for text in insights if not quotes(text) & shown]
    insight = first_new([text for text in fresh if not (suggestion and repeats(text, suggestion))], said)
    if suggestion and suggestion in urgent and not insight:
        room = MESSAGE_CHARS - len(suggestion)
        insight = beside(urgent, [*said, suggestion], room) or first_new(
            fitting(against_the_clock(suggestion, seen), room), [*said, suggestion]
        )
    if suggestion and insight:
        return {"skip": False, "skipReason": None, "suggestion": suggestion, "insight": insight}
    reason = skip_reason(given, seen, lacks=[
        lack("suggestion", suggestion, suggested, "nothing answers the session, no date near, no step left open"),
        lack("insight", insight, insights, "no two observations say something together"),
    ])  # fmt: skip
    return skipped(reason)


def beside(urgent: Sequence[str], said: Sequence[str], room: int) -> str | None:
    """Return what else presses now, as much as there is room for; None when nothing new does."""
    told = ""
    for text in urgent:
        longer = f"{told} {text}" if told else f"At the same time: {text}"
        if first_new([text], said) and len(longer) <= room:
            told, said = longer, [*said, text]
    return told or None


def skipped(reason: str) -> SynthesizeAnswer:
    return {"skip": True, "skipReason": reason, "suggestion": None, "insight": None}


def is_unchanged(given: SynthesizeInput) -> bool:
    """Tell whether an idle tick repeats the one before it: same day and summary, nothing mined, nothing curated."""
    if len(given.logs) < 2 or not all(isinstance(log, dict) for log in given.logs[:2]):
        return False
    latest, before = given.logs[:2]
    news = [latest.get("minedSources"), *(given.changes.values() if isinstance(given.changes, dict) else ())]
    same_day = str(latest.get("ts"))[:10] == str(before.get("ts"))[:10]
    same_summary = latest.get("sessionHistorySummary") == before.get("sessionHistorySummary")
    return latest.get("idle") is True and same_day and same_summary and not any(news)


def fitting(candidates: Iterable[str], chars: int) -> list[str]:
    return [c for c in islice(candidates, MAX_CANDIDATES) if len(c) <= chars]


def first_new(candidates: Iterable[str], said: Sequence[str]) -> str | None:
    """Return the first candidate that no recent output says already."""
    return next((c for c in candidates if not any(repeats(told(c), told(text)) for text in said)), None)


def quotes(text: object) -> set[str]:
    """Return how the quotations of a message begin: the same fact in another pair is no news."""
    return {q.casefold() for q in re.findall(QUOTED, text)} if isinstance(text, str) else set()


def lack(part: str, chosen: str | None, candidates: Sequence[str], missing: str) -> str:
    if chosen:
        return ""
    return f"{part}: {f'all {len(candidates)} found repeat recent outputs' if candidates else missing}"


def skip_reason(given: SynthesizeInput, seen: Sequence[Observation], *, lacks: Iterable[str]) -> str:
    """Return what was missing and what was read, file by file."""
    counted = f"playbook lines: {len(patterns(given.playbook))}, ticks: {len(given.logs)}, observations: {len(seen)}"
    more = len(given.examined) - NAMED_FILES
    files = ", ".join(given.examined[:NAMED_FILES]) or "no files"
    files += f" and {more} more" if more > 0 else ""
    return f"{'; '.join(filter(None, lacks))} (examined: {files}; {counted})"
