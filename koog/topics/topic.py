"""koog topic list, activate, deactivate, stats: the situational playbooks in topics/.  [autopoiesis §2.2, §4, §5]

Reads   topics/, memory/meta/active-topics.json; stats: memory/meta/topic-gate.jsonl
Writes  activate, deactivate: memory/meta/active-topics.json
Asks    nothing
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.clip import clip, fitting
from koog.core.errors import WorkspaceError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.topics import active, decisions, listing, topics, tuning
from koog.topics.active import Activation
from koog.topics.decisions import Decision
from koog.topics.topics import Topic

Name = Annotated[str, typer.Argument(help="The topic's name.")]
Limit = Annotated[int, typer.Option(min=1, help="At most so many rows.")]
Offset = Annotated[int, typer.Option(min=0, help="Go on from this row.")]

ROWS = 50
SUBSCRIPTIONS_TOLD, MISSING_TOLD = 10, 10
TEXT_CHARS = 160
TEN_YEARS = 10 * 366 * 24 * 60  # minutes


def list_topics(ctx: typer.Context, limit: Limit = ROWS, offset: Offset = 0) -> Reply:
    """List the topics, what they subscribe to, which are active, and what is wrong in their files."""
    run: Run = ctx.obj
    loaded = topics.load(run.workspace)
    lasting = {a.name: a for a in active.current(run.workspace, run.now)}
    rows = [_row(run, topic, lasting.get(topic.name)) for topic in loaded.topics[offset : offset + limit]]
    told = fitting(rows)
    after = offset + len(told)
    if after < len(loaded.topics):
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.topic.list/1",
        topics=told,
        total=len(loaded.topics),
        next=after if after < len(loaded.topics) else None,
        problems=listing.problems(run, loaded.problems),
    )


def activate(
    ctx: typer.Context,
    name: Name,
    minutes: Annotated[int | None, typer.Option(min=1, max=TEN_YEARS, help="Only so long; else no end.")] = None,
) -> Reply:
    """Make a topic active until it is deactivated, or for some minutes."""
    run: Run = ctx.obj
    topics.named(topics.load(run.workspace).topics, name)
    until = run.now + timedelta(minutes=minutes) if minutes else None
    told = f"until {clock.iso(until)}" if until else "without an end"
    with run.workspace.writing() as door:
        changed = door.edit(
            run.workspace.in_memory(active.NAME),
            active.by_hand(name, now=run.now, until=until),
            summary=f"activated topic {name} {told}",
        )
    return Reply("koog.topic.activate/1", name=name, changed=changed, until=_iso(until), active=_active(run))


def deactivate(ctx: typer.Context, name: Name) -> Reply:
    """Take a topic out of those that are active beyond one message."""
    run: Run = ctx.obj
    if all(a.name != name for a in active.current(run.workspace, run.now)):
        topics.named(topics.load(run.workspace).topics, name)
    with run.workspace.writing() as door:
        changed = door.edit(
            run.workspace.in_memory(active.NAME), active.ended(name, now=run.now), summary=f"deactivated topic {name}"
        )
    return Reply("koog.topic.deactivate/1", name=name, changed=changed, active=_active(run))


def stats(ctx: typer.Context, limit: Limit = ROWS, offset: Offset = 0) -> Reply:
    """Count what was decided about each topic, and propose thresholds from it; nothing is changed."""
    run: Run = ctx.obj
    loaded = topics.load(run.workspace)
    default = run.settings.get("topics.similarityThreshold")
    made: dict[str, list[Decision]] = {}
    for decision in decisions.read(run.workspace):
        made.setdefault(decision.topic_name, []).append(decision)
    known = {topic.name: topic for topic in loaded.topics}
    order = sorted({*made, *known}, key=lambda name: (-len(made.get(name, ())), name))
    rows = (_stats(name, made.get(name, []), known.get(name), default) for name in order[offset : offset + limit])
    told = fitting(rows)
    after = offset + len(told)
    if after < len(order):
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.topic.stats/1",
        topics=told,
        total=len(order),
        next=after if after < len(order) else None,
        decisions=sum(map(len, made.values())),
    )


def _row(run: Run, topic: Topic, lasting: Activation | None) -> dict[str, Any]:
    missing = [path for path in topic.subscriptions if _is_missing(run, path)]
    return {
        "name": topic.name,
        "path": topic.path,
        "description": clip(topic.description, TEXT_CHARS),
        "priority": topic.priority,
        "activation": topic.activation,
        "triggers": len(topic.triggers),
        "subscriptions": _paths(topic.subscriptions, SUBSCRIPTIONS_TOLD),
        "missing": _paths(missing, MISSING_TOLD),
        "active": lasting is not None,
        "until": _iso(lasting.until) if lasting else None,
        "by": lasting.by if lasting else None,
    }


def _is_missing(run: Run, path: str) -> bool:
    try:
        return run.workspace.size(path) is None
    except WorkspaceError:  # it leads outside
        return True


def _paths(paths: Sequence[str], most: int) -> list[str]:
    return [clip(path, TEXT_CHARS) for path in paths[:most]]


def _stats(name: str, made: Sequence[Decision], topic: Topic | None, default: float) -> dict[str, Any]:
    """Return one topic's counts and proposals; a topic that is gone has counts only."""
    counted = tuning.counts(made)
    rule = tuning.Rule(topic.activation, topic.priority, topic.similarity_threshold, default) if topic else None
    return {
        "name": name,
        "threshold": rule.threshold if rule else None,
        "decisions": counted.decisions,
        "fired": counted.fired,
        "dropped": counted.dropped,
        "gateYes": counted.gate_yes,
        "gateNo": counted.gate_no,
        "useful": counted.useful,
        "useless": counted.useless,
        "precision": counted.precision,
        "proposals": [p._asdict() for p in tuning.proposals(made, rule)] if rule else [],
    }


def _active(run: Run) -> list[dict[str, Any]]:
    return fitting(activation_rows(active.current(run.workspace, run.now)))


def activation_rows(found: Iterable[Activation]) -> list[dict[str, Any]]:
    return [{"name": a.name, "since": clock.iso(a.since), "until": _iso(a.until), "by": a.by} for a in found]


def _iso(moment: datetime | None) -> str | None:
    return clock.iso(moment) if moment else None
