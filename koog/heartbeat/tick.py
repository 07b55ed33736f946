"""koog tick: the whole heartbeat in one call.  [sinain §6.1, §6.2]

Reads   what its steps read
Writes  what its steps write, as one commit
Asks    what its steps ask

A step that fails does not stop the tick: it is logged as failed and named in
`degraded`, and the gate still closes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from koog.audit.notice import notice
from koog.core import clock, progress, spans
from koog.core.errors import KoogError, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin, utf8
from koog.core.text.measures import repeats
from koog.core.text.untrusted import clean
from koog.heartbeat import (
    backup,
    curate,
    cursors,
    feedback,
    history,
    log,
    mine,
    session,
    signal,
    spoken,
    synthesize,
    ticks,
)
from koog.heartbeat.spawns import REPORTED
from koog.heartbeat.spoken import Spoken
from koog.heartbeat.steps import NOTHING_NEW, Steps, is_degraded
from koog.memory import decay
from koog.playbook import registry, texts
from koog.sessions import audience

DEADLINE_S = 540.0  # OpenClaw's scheduler stops a command at 600
PUSH_GRACE_S = 30.0  # what the last push may take beyond the deadline: OpenClaw leaves sixty seconds
TOLD_CHARS = 500  # of the summary in the reply: the log has it whole, and a letter outside ASCII is six or twelve there
TOLD_ROWS = 10  # of what mine and curate did not take; each of them tells more when it is called by itself
STEPS = ("backup", "signal", "mine", "feedback", "curate", "log", "synthesize")


def tick(
    ctx: typer.Context,
    session_summary: Annotated[
        str | None, typer.Option(help="Session state; '-' reads stdin. Default: composed from the workspace.")
    ] = None,
    idle: Annotated[
        bool | None, typer.Option("--idle/--active", help="Default: by the age of the newest activity.")
    ] = None,
    spawn_outcome: Annotated[
        str | None, typer.Option(metavar="useful|ignored|error[:ID]", help="What became of the oldest open spawn.")
    ] = None,
    deadline: Annotated[float, typer.Option(help="Seconds after which no further step begins.")] = DEADLINE_S,
    no_push: Annotated[bool, typer.Option("--no-push", help="Commit only.")] = False,
) -> Reply:
    """Run one heartbeat tick: backup, signal, mine, feedback, curate, log, synthesize."""
    run: Run = ctx.obj
    spans.check_deadline(deadline, usual=DEADLINE_S)
    outcome = _outcome(spawn_outcome)
    run.commits.outgoing.at_end = True
    if no_push:
        run.commits.outgoing.leave_out()
    told = text_or_stdin(session_summary, what="--session-summary") if session_summary is not None else ""
    summary = told if told.strip() else None
    with _alone(run), progress.bar(len(STEPS)) as begin:
        done = work(run, summary=summary, idle=idle, outcome=outcome, deadline_s=deadline, begin=begin)
    return Reply("koog.tick/1", **done)


def work(
    run: Run,
    *,
    summary: str | None,
    idle: bool | None,
    outcome: dict[str, Any] | None = None,
    deadline_s: float = DEADLINE_S,
    begin: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Do Setup to Step 5 in order; return the reply's keys. Raises what keeps the gate (Step 4) from closing."""
    audience.own(run)
    earlier = ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries
    heard = _heard(run, earlier, is_needed=summary is None or idle is None)
    summary = clean(session.summary(run, earlier, heard) if summary is None else summary)
    idle = session.idle(run, heard) if idle is None else idle
    tick_id = session.tick_id(run.now, {e["tickId"] for e in earlier})
    steps = Steps(run, time.monotonic() + deadline_s, begin)
    steps.quiet = idle and outcome is None and _nothing_new(run, summary, earlier)
    if run.settings.get("git.commit") == "off":
        notice(run)
        steps.skip("backup", "off")
    else:
        steps.take("backup", lambda: backup.save(run, resting=True))
    run.commits.hold(resting=True, at_once=True)
    found = steps.take("signal", lambda: signal.detect(run, summary, idle=idle), if_new=True)
    if idle:
        steps.take("mine", lambda: mine.work(run))
    else:
        steps.skip("mine", "active")
    scores = steps.take("feedback", lambda: _feedback(steps))
    directive = scores["curateDirective"] if scores else None
    steps.take("curate", lambda: curate.work(run, directive=directive, ask=not steps.quiet))
    entry = _entry(steps, tick_id=tick_id, idle=idle, summary=summary, outcome=outcome)
    try:
        steps.take("log", lambda: log.close(run, entry), must=True)
        spoken.keep(run, heard)
        changes = steps.results.get("curate", {}).get("changes")
        said = steps.take("synthesize", lambda: synthesize.work(run, changes=changes), if_new=True)
        if not said:
            row = steps.rows[-1]
            synthesize.record_none(run, tick_id, why=_why_not(row), failed=row["code"] if is_degraded(row) else None)
        faded = decay.at_tick(run) if time.monotonic() < steps.until else None  # the next tick has the time
        if time.monotonic() < steps.until:
            _encode(run)
        if time.monotonic() < steps.until:
            _sleep(run, steps.until)
        moved = history.rotate(run)
    finally:
        run.commits.release()  # also when the gate stays open: what the steps wrote stands
        run.commits.outgoing.limit(max(steps.until - time.monotonic(), 0.0) + PUSH_GRACE_S)
    return _keys(run, steps, tick_id=tick_id, idle=idle, summary=summary, found=found, faded=faded, moved=moved)


def _heard(run: Run, earlier: Sequence[dict[str, Any]], *, is_needed: bool) -> Spoken:
    """Return what the user said since the last tick; nothing where the caller has told all that hangs on it."""
    return spoken.look(run, last=clock.parse(earlier[0]["ts"]) if earlier else None) if is_needed else Spoken()


def _nothing_new(run: Run, summary: str, earlier: Sequence[dict[str, Any]]) -> bool:
    """Return whether a model would be asked about what it was asked before: no note, finding, score or word is new.

    The built-in engine is free, and looks at a tick in any case.
    """
    try:
        if not (run.asker.uses_model and earlier):
            return False
        known = cursors.parse(run.workspace.text(run.workspace.in_memory(cursors.NAME)))
        waiting = mine.waiting(run, known["mine"]["files"], warnings=[])
        measured = feedback.measure(run)
    except KoogError:
        return False  # the step that it belongs to says what is wrong
    if earlier[0]["degraded"]:
        return False  # what it failed to judge is as good as new
    counted = set(known["curate"]["counted"])
    last = earlier[0]["sessionHistorySummary"]
    told = not summary or summary.startswith(texts.NOTHING_NEW) or repeats(summary, last)
    return (
        told
        and not known["mine"]["pending"]
        and waiting.is_empty
        and all(s.mark in counted for s in measured.scored if s.final)
    )


def _sleep(run: Run, until: float) -> None:
    """Let the memory be slept on where that is due; a person approves what comes of it. until: as steps have it"""
    from koog.consolidate import consolidate

    before, run.asker.until = run.asker.until, until
    consolidate.at_tick(run)
    run.asker.until = before


def _encode(run: Run) -> None:
    """Let what the stores hold be encoded, where an encoder is chosen: so that no question waits for it."""
    if run.settings.get("search.embedding") == "encoder":
        from koog.memory.answering import likeness

        likeness.ready(run)


def _why_not(row: dict[str, Any]) -> str:
    return "nothing new" if row["code"] == NOTHING_NEW else f"{row['step']}: {row['code']}"


def _feedback(steps: Steps) -> dict[str, Any]:
    """Do the arithmetic, keep it, then ask what it means: a model that fails does not take the numbers with it."""
    measured = feedback.measure(steps.run)
    steps.results["feedback"] = feedback.keys(measured)
    return {
        **feedback.keys(measured),
        "interpretation": None if steps.quiet else feedback.interpret(steps.run, measured),
    }


def _entry(steps: Steps, *, tick_id: str, idle: bool, summary: str, outcome: dict[str, Any] | None) -> dict[str, Any]:
    """Return the log entry of the steps so far; a failed step leaves its keys empty."""
    found, mined = steps.results.get("signal", {}), steps.results.get("mine", {})
    scores, curated = steps.results.get("feedback", {}), steps.results.get("curate", {})
    failed = [f"{r['step']}: {r['code']}" for r in steps.rows if is_degraded(r)]
    return {
        "ts": clock.iso(steps.run.now),
        "tickId": tick_id,
        "idle": idle,
        "sessionHistorySummary": summary[: signal.SUMMARY_CHARS],
        "signals": found.get("signals", []),
        "actionsConsidered": _considered(found, tick_id, quiet=steps.quiet),
        "spawnOutcome": outcome,
        "feedbackScores": scores.get("feedbackScores"),
        "effectivenessRate": scores.get("effectiveness", {}).get("rate"),
        "effectivenessAlert": scores.get("effectivenessAlert", False),
        "curateDirective": curated.get("curateDirective") or scores.get("curateDirective"),
        "minedSources": mined.get("minedSources", []),
        "miningFindings": mined.get("findings") or None,
        "playbookChanges": curated.get("changes"),
        "staleItemActions": curated.get("staleItemActions", []),
        "output": None,
        "skipped": False,
        "skipReason": "; ".join(failed) or None,
        "steps": list(steps.rows),
        "degraded": steps.degraded,
    }


def _considered(found: dict[str, Any], tick_id: str, *, quiet: bool) -> list[dict[str, Any]]:
    """Return the actions as the log tells them: the chosen one, and the one that a rule set aside."""
    if not found:
        why = "nothing new" if quiet else "signal analysis failed"
        return [{"action": "skip", "chosen": True, "spawnId": None, "task": None, "reason": why}]
    taken, rule = found["recommendedAction"], found["rule"]
    row = {
        "action": taken["action"],
        "chosen": True,
        "spawnId": _spawn_id(found, tick_id),
        "task": taken["task"],
        "reason": rule,
    }
    rows = [row]
    if aside := found["suppressed"]:
        rows.append({**row, "action": aside["action"], "chosen": False, "spawnId": None, "task": aside["task"]})
    return rows


def _spawn_id(found: dict[str, Any] | None, tick_id: str) -> str | None:
    spawning = found is not None and found != {} and found["recommendedAction"]["action"] == "sessions_spawn"
    return f"spawn-{tick_id}" if spawning else None


def _short(summary: str) -> str:
    """Return the beginning of a summary, which ends with a whole word where there are blanks."""
    if len(summary) <= TOLD_CHARS:
        return summary
    cut = summary[: TOLD_CHARS - 1]
    return (cut[: cut.rfind(" ", TOLD_CHARS // 2)] if " " in cut[TOLD_CHARS // 2 :] else cut) + "…"


def _keys(
    run: Run,
    steps: Steps,
    *,
    tick_id: str,
    idle: bool,
    summary: str,
    found: dict[str, Any] | None,
    faded: dict[str, Any] | None,
    moved: dict[str, Any],
) -> dict[str, Any]:
    done = steps.results
    gate, said = done.get("log", {}), done.get("synthesize", {})
    speaks = bool(said) and not said["skip"]
    return {
        "tickId": tick_id,
        "idle": idle,
        "sessionSummary": _short(summary),
        "moduleStack": _stack(run),
        "steps": steps.rows,
        "degraded": steps.degraded,
        "signals": found["signals"] if found else [],
        "recommendedAction": found["recommendedAction"]
        if found
        else {"action": "skip", "task": None, "confidence": 0.0},
        "rule": found["rule"] if found else None,
        "suppressed": found["suppressed"] if found else None,
        "spawnId": _spawn_id(found, tick_id),
        "spawns": found["spawns"] if found else None,
        "minedSources": done.get("mine", {}).get("minedSources", []),
        "miningFindings": done.get("mine", {}).get("findings") or None,
        "refused": [row for step in ("mine", "curate") for row in done.get(step, {}).get("refused", [])][:TOLD_ROWS],
        "feedbackScores": done.get("feedback", {}).get("feedbackScores"),
        "effectiveness": done.get("feedback", {}).get("effectiveness"),
        "effectivenessAlert": done.get("feedback", {}).get("effectivenessAlert", False),
        "curateDirective": done.get("curate", {}).get("curateDirective"),
        "changes": done.get("curate", {}).get("changes"),
        "elsewhere": done.get("curate", {}).get("elsewhere"),
        "staleItemActions": done.get("curate", {}).get("staleItemActions", []),
        "output": {"suggestion": said["suggestion"], "insight": said["insight"]} if speaks else None,
        "skipReason": said["skipReason"] if said else _why_not(steps.rows[-1]),
        "triggered": gate.get("triggered", []),
        "decay": faded,
        "rotated": moved,
        "receipt": gate.get("receipt"),
        "heartbeat": gate.get("heartbeat"),
    }


def _stack(run: Run) -> list[dict[str, Any]]:
    try:
        return registry.rows(run.workspace)
    except KoogError as e:
        run.warnings.append(f"module stack: {e.message}")
        return []


def _alone(run: Run) -> Any:
    """Hold the tick's own lock: overlapping ticks are one run and one `busy`."""
    if run.dry_run:
        return nullcontext()
    return run.workspace.locked("tick.lock", wait_s=0, what="the tick")


def _outcome(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    word, _, spawn_id = utf8(text, what="--spawn-outcome").partition(":")
    if word not in REPORTED:
        raise UsageError(f"--spawn-outcome {text!r}", hint=f"one of {', '.join(REPORTED)}, or {REPORTED[0]}:SPAWN_ID")
    return {"spawnId": spawn_id or None, "outcome": word}
