"""koog status: how the heartbeat is, what waits and since when.  [design §1, §5]

Reads   the logs of twelve weeks, the transcripts' names, knowledge/, the five stores, cursors.json, the notes
        that were not mined, the playbook, the proposals, the module registry, the ledger, git, failures.jsonl
        and cron.err of the state root
Writes  nothing
Asks    nothing

Each part stands alone: one that cannot be read is empty, with a warning, and the line still comes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import typer

from koog.audit import alerts
from koog.consolidate import triggers
from koog.core import clock, config, failures, proposals
from koog.core.errors import ConfigError, KoogError
from koog.core.files import atomic, seal
from koog.core.git import tags
from koog.core.reply import Reply
from koog.core.run import Run
from koog.heartbeat import cursors, feedback, foreign, reading, spawns, ticks
from koog.knowledge.pruning.pruner import Pruner
from koog.operate import (
    crontab,
    due,
    extracted,
    health,
    ledger,
    logs,
    mixed,
    remembered,
    repository,
    transcribed,
    way,
)
from koog.playbook import document, registry

T = TypeVar("T")
E = TypeVar("E")

FAILURES = 10
DEGRADED_DAYS = 7
CRON_LINES, LINE_CHARS = 5, 300
MOST_SPAWNS = 10
NO_LOGS = ticks.Log((), {})


def status(ctx: typer.Context) -> Reply:
    """Tell how the heartbeat is: the last tick, effectiveness, budget, git, what is due."""
    run: Run = ctx.obj
    keys = gather(run)
    reply = Reply("koog.status/1", **keys)
    if run.human:
        from koog.operate import status_view

        reply.view = status_view.sections(keys, now=run.now)
    return reply


def gather(run: Run) -> dict[str, Any]:
    """Return the reply's keys, each part read by itself."""
    sound = _settle(run)
    before = len(run.warnings)
    past = _part(run, "logs", lambda: logs.read(run), NO_LOGS)
    last = _part(run, "last tick", lambda: logs.last_tick(run), None)
    measured = _part(run, "effectiveness", lambda: feedback.measure(run), None)
    git = _part(run, "git", lambda: repository.look(run), None)
    budget = _part(run, "budget", lambda: ledger.budget(run), None)
    transcripts = _part(run, "transcripts", lambda: transcribed.look(run), None)
    knowledge = _part(run, "knowledge", lambda: extracted.look(run), None)
    stages = _part(run, "way", lambda: way.look(run, transcripts, knowledge), [])
    sleep = _part(run, "reflections", lambda: triggers.look(run), None)
    keys: dict[str, Any] = {
        "workspace": str(run.root),
        "lastTick": last,
        "directive": measured.directive if measured else None,
        "effectiveness": measured.effectiveness if measured else None,
        "effectivenessAlert": measured.directive == "aggressive_prune" if measured else None,
        "history": logs.weeks(past, now=run.now, zone=run.zone),
        "spawnsAwaited": _spawns(run, past),
        "modules": _part(run, "modules", lambda: registry.rows(run.workspace), None),
        "budget": budget,
        "git": git.row if git else None,
        "transcripts": transcripts,
        "knowledge": knowledge,
        "way": stages,
        "memory": _part(run, "memory", lambda: remembered.look(run, sleep), None),
        "observes": _part(run, "observes", lambda: _observes(run), None),
        "due": [
            *_tick(run, last, past),
            *_notes(run),
            *_texts(run),
            *due.transcripts(transcripts),
            *due.extraction(knowledge),
            *due.condensing(stages),
            *due.pruning(*_part(run, "pruning", lambda: Pruner(run).due(), (0, 0))),
            *due.tags(_part(run, "tags", lambda: _tags(run), 0)),
            *due.reflection(sleep, triggers.due(run, sleep) if sleep else None),
            *due.repository(git),
            *due.budget(budget),
        ],
        "failures": _failures(run, past),
        "alerts": _part(run, "critical files", lambda: alerts.standing(run, deep=False), []),
        "cronErrors": _part(run, "cron errors", lambda: crontab.last_errors(run.workspace, most=CRON_LINES), []),
    }
    written = _part(run, "cron errors", lambda: run.workspace.jotted_at(crontab.ERRORS_NAME), None)
    cron_at = datetime.fromtimestamp(written, UTC) if written and keys["cronErrors"] else None
    made = run.workspace.cached_at(".gitignore")  # written once, with the folder
    wrong = health.problems(
        keys,
        now=run.now,
        begun=datetime.fromtimestamp(made, UTC) if made else None,
        cron_at=cron_at,
        unread=len(set(run.warnings[before:])) + (not sound),
        alerts=_part(run, "alerts", lambda: seal.alerts(run.workspace), []),
    )
    return {**keys, "healthy": not wrong, "problems": wrong}


def _settle(run: Run) -> bool:
    """Go on without the workspace's own koog-config.json when that is broken; return whether it was sound."""
    try:
        _ = run.zone
        return True
    except ConfigError as e:
        operator = Path(run.config_file) if run.config_file else None
        flags = {"engine": run.engine} if run.engine else {}
        run.settings = config.load(workspace=None, operator_file=operator, flags=flags)
        run.warnings.append(f"config: {e.message}")
        return False


def _part(run: Run, name: str, read: Callable[[], T], empty: E) -> T | E:
    try:
        return read()
    except (KoogError, OSError) as e:
        run.warnings.append(f"{name}: {e.message if isinstance(e, KoogError) else e.strerror}")
        return empty


def _observes(run: Run) -> dict[str, Any]:
    """Return whose sessions are read here, and how many lines are of projects that are not."""
    observe = run.settings.get("observe")
    lists = {"sources": observe["sources"], **observe["projects"], "groups": observe["groups"]}
    return {**lists, "linesOfOthers": mixed.strangers(run)}


def _tags(run: Run) -> int:
    git = run.commits.git
    return len(tags.due(git, now=run.now, zone=run.zone)) if git and not git.hindrance() else 0


def _tick(run: Run, last: dict[str, Any] | None, past: ticks.Log) -> due.Rows:
    moments = [m for e in past.entries if (m := clock.parse(e["ts"]))]
    return due.tick(clock.parse(last["ts"]) if last else None, due.interval(moments), now=run.now)


def _notes(run: Run) -> due.Rows:
    """Return what is to be mined and what to be curated; both are known by the cursors."""

    def read() -> due.Rows:
        workspace = run.workspace
        known = cursors.parse(workspace.text(workspace.in_memory(cursors.NAME)))["mine"]
        today = run.now.astimezone(run.zone).date()
        waiting = reading.unread(workspace, known["files"], today=today, warnings=run.warnings)
        full = [u for u in waiting if u.data[u.start :].strip()]
        full = [u for u in full if not foreign.is_told_elsewhere(run, atomic.decode(u.data), u.begin)]
        return [*due.notes(full, zone=run.zone), *due.findings(known["pending"], zone=run.zone)]

    return _part(run, "notes", read, [])


def _texts(run: Run) -> due.Rows:
    """Return the playbook's open problems and the proposals that wait."""

    def text(name: str) -> str:
        return run.workspace.text(run.workspace.in_memory(name)) or ""

    playbook = _part(run, "playbook", lambda: text(document.NAME), "")
    proposed = _part(run, "proposals", lambda: text(proposals.NAME), "")
    return [*due.items(playbook, now=run.now), *due.proposals(proposed)]


def _spawns(run: Run, past: ticks.Log) -> list[dict[str, Any]]:
    """Return the spawns that no tick has reported on, those that the next tick gives up among them."""
    oldest = clock.iso(run.now - timedelta(days=ticks.HISTORY_DAYS))
    entries = [e for e in past.entries if e["ts"] >= oldest]
    since = {e["tickId"]: e["ts"] for e in entries}
    found = spawns.track(entries)
    return [
        {"spawnId": s.id[:200], "since": since.get(s.tick_id), "task": s.task[:LINE_CHARS], "ticks": s.age}
        for s in (*found.timed_out, *found.awaited)
    ][-MOST_SPAWNS:]


def _failures(run: Run, past: ticks.Log) -> list[dict[str, str]]:
    """Return the newest failures of any command, degraded ticks among them, newest first."""
    noted = [
        {key: str(row.get(key) or "")[:LINE_CHARS] for key in ("ts", "command", "code", "message")}
        for row in _part(run, "failures", lambda: failures.read(run.workspace), [])
    ]
    week_ago = run.now - timedelta(days=DEGRADED_DAYS)
    rows = [*noted, *logs.degraded(past.entries, since=week_ago)]
    return sorted(rows, key=lambda r: r["ts"], reverse=True)[:FAILURES]
