"""koog signal: does the current session call for an action?  [sinain §4.3, §6.3, §6.4]

Reads   the effective playbook, the logs of 30 days, the session summary; without one what `tick` makes it of; the notes
        of 3 days where a subagent is to be sent
Writes  nothing
Asks    the `signal_analyzer` route, once
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.clip import clip
from koog.core.files import jsonfiles
from koog.core.refused import MOST
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.task import Task
from koog.core.text.untrusted import clean
from koog.heartbeat import actions, background, recent_notes, signal_rules, spawns, ticks, whose
from koog.heartbeat.actions import Decision
from koog.heartbeat.signal_rules import SignalInput
from koog.playbook import document, heard, item, stack
from koog.sessions import audience

RECENT = 3  # entries an engine sees
SUMMARY_CHARS = 8000
NOTE_DAYS = 3
MOST_SPAWNS, TASK_CHARS = 10, 200  # of the reply, which is to stay below 10,000 characters

TASK = Task(
    file=Path(__file__),
    route="signal_analyzer",
    rules=signal_rules.answer,
    render=lambda given: {
        "playbook": given.playbook,
        "recent_logs": "\n".join(jsonfiles.line(brief(e)) for e in reversed(given.recent_logs)),
        "session_summary": given.session_summary,
    },
    writes=False,
)


def signal(
    ctx: typer.Context,
    session_summary: Annotated[
        str | None,
        typer.Option(help="Session state in 2-3 sentences; '-' reads stdin. Default: composed from the workspace."),
    ] = None,
    idle: Annotated[bool, typer.Option("--idle", help="The user is idle: recommend no action.")] = False,
) -> Reply:
    """Detect actionable signals in the current session."""
    run: Run = ctx.obj
    given = text_or_stdin(session_summary, what="--session-summary") if session_summary is not None else ""
    return Reply("koog.signal/1", **detect(run, given if given.strip() else composed(run), idle=idle))


def composed(run: Run) -> str:
    """Return what the next tick would sum up: what was noted, observed and said since the last one.

    Raises Refused for an agent of another project.
    """
    from koog.heartbeat import session, spoken  # whoever passes a summary reads no sessions

    audience.own(run)
    earlier = ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries
    return session.summary(run, earlier, spoken.look(run, last=clock.parse(earlier[0]["ts"]) if earlier else None))


def detect(run: Run, summary: str, *, idle: bool) -> dict[str, Any]:
    """Ask what an engine sees and let the rules decide; return the reply's keys."""
    who = audience.current(run)
    entries = ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries if whose.hears_ticks(run) else ()
    answer = run.ask(
        TASK,
        SignalInput(
            playbook=stack.effective_for(run.workspace, who),
            recent_logs=entries[:RECENT],
            session_summary=clean(summary)[:SUMMARY_CHARS],
        ),
    )
    state = spawns.track(entries)
    path = run.workspace.in_memory(document.NAME)
    base = document.parse(heard.part(run.workspace.text(path) or "", path, who, others=False))
    seen = list({s["description"]: s for s in map(ticks.signal, answer.value["signals"]) if s}.values())
    decision = actions.decide(
        {"task": None, **answer.value["recommendedAction"]},
        signals=seen,
        idle=idle,
        items=[i for i in map(item.parse, base.body) if i],
        entries=entries,
        spawns=state,
        now=run.now,
    )
    if whose.hears_ticks(run):
        decision = _informed(run, decision, summary)
    if len(answer.refused) > MOST:
        run.meta_extra["truncated"] = True
    return {
        "signals": seen,
        "recommendedAction": decision.wire(),
        "rule": decision.rule,
        "suppressed": decision.suppressed,
        "spawns": wire(state),
        "refused": list(answer.refused[:MOST]),
        "idle": idle,
    }


def _informed(run: Run, decision: Decision, summary: str) -> Decision:
    """Return a decision whose subagent is told what the notes say of its task. A stale item has its own place."""
    if decision.action != "sessions_spawn" or not decision.task or decision.rule == "stale-item":
        return decision
    notes = recent_notes.recent(run, audience.current(run), days=NOTE_DAYS)
    subject = actions.subject(decision.task)
    task = background.beside(decision.task, subject=subject, summary=summary, notes=notes)
    return replace(decision, task=task)


def wire(state: spawns.Spawns) -> dict[str, Any]:
    """Return the spawns' state as the caller sees it."""

    def rows(found: Sequence[spawns.Spawn]) -> list[dict[str, Any]]:
        return [
            {"spawnId": s.id, "tickId": s.tick_id, "task": clip(s.task, TASK_CHARS), "ticks": s.age}
            for s in found[:MOST_SPAWNS]
        ]

    return {
        "awaited": rows(state.awaited),
        "timedOut": rows(state.timed_out),
        "ignoredInARow": state.ignored,
        "threshold": state.threshold,
    }


def brief(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a log entry that tell a reader what went on."""
    keys = ("ts", "idle", "sessionHistorySummary", "signals", "actionsConsidered", "spawnOutcome", "output")
    return {k: entry[k] for k in keys if entry[k] not in (None, [], "")}
