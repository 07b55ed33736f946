"""koog rollback: one file, one session or everything since a moment is taken back.  [moltbot §12.8]

Reads   git's history; the files that would change
Writes  with --confirm: the tag memory/before/rollback-DAY; those files, as one commit; of a reflection, memory/meta/reflection-log.md, pending-reflection.json, pending-reflection.md; then decay-scores.json, graph/index.md and the effective playbook anew
Asks    nothing

Without --confirm it shows a plan and writes nothing. The log, the ledger and what cursors.json says of the lines that
were read stay: what was taken back must not come in again from the lines that it came from.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any

import typer

from koog.audit import history, merge3, rollback_plan, taken
from koog.audit.history import MANUAL, ROLLBACK, History
from koog.audit.rollback_plan import CREATE, KEEP, Plan, Row
from koog.consolidate import renewed
from koog.core import approval, clock
from koog.core.errors import Busy, NotFound, Refused, UsageError
from koog.core.git import tags
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.view import BAD, DIM, GOOD, STRONG, WARN, Cell, Section
from koog.memory import decay
from koog.memory.fading import accesses, decay_scores
from koog.memory.store import stores
from koog.playbook import document, stack
from koog.sessions import audience

SHOWN = 200  # files of a reply
LOGGED = "meta/reflection-log.md"
SLEPT = "reflection:"  # how the actor of a reflection begins
Confirm = Annotated[str | None, typer.Option(metavar="ID", help="Do it: the id of the plan that was shown.")]
Also = Annotated[list[str] | None, typer.Option(metavar="PATH", help="Take back all of this file, whoever changed it.")]


def file(
    ctx: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file of the workspace.")],
    to: Annotated[str, typer.Option(metavar="COMMIT|TIME", help="As it was there.")],
    confirm: Confirm = None,
) -> Reply:
    """Make one file what it was in a commit or at a time, whoever has changed it since."""
    run: Run = ctx.obj
    run.workspace.check(path)
    inside = run.workspace.resolved(path)

    def plan(past: History) -> Plan:
        commit = past.found(to) or _then(run, past, to, word="--to")
        if commit is None:
            raise NotFound(f"there was no commit before {to}")
        return rollback_plan.of_file(run, past, inside, commit)

    return _answer(run, "file", plan, confirm, named=[inside])


def session(
    ctx: typer.Context,
    session_id: Annotated[str, typer.Argument(metavar="ID", help="r-012, a tickId, or a commit (_meta.commit).")],
    confirm: Confirm = None,
    also: Also = None,
) -> Reply:
    """Take back what one session changed: a reflection, a tick, an observation run, an import, a rollback."""
    run: Run = ctx.obj
    named, slept = [run.workspace.resolved(path) for path in also or ()], list[str]()

    def plan(past: History) -> Plan:
        found = taken.commits(run, past, session_id, again=bool(named))
        tick = "" if past.found(session_id) else session_id
        actors = [made.actor or "" for made in found]
        slept[:] = dict.fromkeys(each.removeprefix(SLEPT) for each in actors if each.startswith(SLEPT))
        return rollback_plan.of_commits(run, past, found, what=f"session {session_id}", also=named, tick=tick)

    return _answer(run, "session", plan, confirm, named=named, slept=slept)


def moment(
    ctx: typer.Context,
    iso: Annotated[str, typer.Argument(metavar="ISO", help="2026-11-20, or 2026-11-20T10:00Z.")],
    confirm: Confirm = None,
    also: Also = None,
) -> Reply:
    """Bring everything that koog keeps back to a time; what a person wrote since stays."""
    run: Run = ctx.obj
    named = [run.workspace.resolved(path) for path in also or ()]

    def plan(past: History) -> Plan:
        commit = _then(run, past, iso, word="ISO")
        if commit is None:
            raise NotFound(f"there was no commit before {iso}", hint="koog audit log --since says when it began")
        return rollback_plan.of_time(run, past, commit, what=f"time {iso}", also=named)

    return _answer(run, "time", plan, confirm, named=named)


def _then(run: Run, past: History, text: str, *, word: str) -> str | None:
    """Return the last commit before the end of a day, or before a moment. Raises UsageError."""
    day = clock.parse_day(text)
    # A day is meant whole: what it was when it ended.
    at = datetime.combine(day + timedelta(days=1), time(), run.zone) if day else clock.parse(text)
    if at is None:
        raise UsageError(f"{word} {text}: no commit of the history, no day and no time", hint="koog audit blame PATH")
    return past.at(at.astimezone(UTC) - timedelta(seconds=1) if day else at)


def _answer(
    run: Run,
    word: str,
    planned: Callable[[History], Plan],
    confirm: str | None,
    *,
    named: list[str],
    slept: Sequence[str] = (),
) -> Reply:
    """Show a plan, or apply it. slept: the reflections that are taken back, known once it is made"""
    audience.own(run)
    run.commits.settle()
    with history.opened(run) as past:
        plan = planned(past)
    if confirm is not None:
        if confirm != plan.id:
            raise Refused(f"the plan is another one by now: {plan.id}", hint="look at it without --confirm first")
        _allow(run, plan, named)
        _apply(run, plan, slept)
    commit = run.meta_extra.get("commit") if confirm else None
    rows = [_told(row) for row in plan.rows]
    reply = Reply(
        f"koog.rollback.{word}/1",
        plan=plan.id,
        what=plan.what,
        applied=confirm is not None and not run.dry_run,
        files=rows[:SHOWN],
        count=len(plan.changes),
        kept=len(plan.rows) - len(plan.changes),
        confirm=None if confirm or not plan.changes else f"--confirm {plan.id}",
        undo=f"koog rollback session {commit}" if commit else None,
    )
    if run.human:
        reply.view = _view(
            plan, done=confirm is not None, undo=f"; undo: koog rollback session {commit}" if commit else ""
        )
    return reply


def _allow(run: Run, plan: Plan, named: list[str]) -> None:
    """Take a person's word for critical files; a person at a terminal is who does it then. Raises Refused."""
    touched = [row.path for row in plan.changes if run.workspace.is_critical(row.path) and row.path in named]
    if touched:
        approval.require(
            run,
            id=f"rollback-{plan.id}",
            digest=plan.id,
            what=f"taking back {', '.join(touched)}",
            command=f"koog rollback … --confirm {plan.id}",
        )
    actor = MANUAL if approval.at_terminal() else run.actor
    run.act_as(actor, trigger=f"{ROLLBACK} {plan.what}")


def _apply(run: Run, plan: Plan, slept: Sequence[str]) -> None:
    """Do it in one commit, and make anew what is derived. Raises Busy for a file that changed since the plan."""
    run.commits.settle_logs()  # what a tick has left is no part of this, nor of its undoing
    if not run.dry_run:
        event = f"rollback-{run.today}"
        tags.before(run.commits.git, event, when=run.now, what=f"before {plan.what} was taken back")
    why = {f"reflection {name}" for name in slept}  # as its lines of the log say
    archived = decay_scores.archived_by(run.workspace, run.workspace.text, why) if slept else {}
    with run.one_commit(at_once=True):
        with run.workspace.writing() as door:
            for row in plan.changes:
                if run.workspace.read(row.path) != row.present:
                    raise Busy(f"{row.path} has changed meanwhile", hint="look at the plan again")
                door.put(row.path, row.target, summary=f"taken back: {plan.what}", action="REVERT")
        _restore(run, archived, plan.what)
        _withdrawn(run, slept)
        if run.workspace.exists(run.workspace.in_memory(decay_scores.FILE)):
            decay.work(run, stores.every(run))
        merged = (run.workspace.in_memory(document.NAME), f"{run.workspace.modules}/")
        renewed.renew(run)
        effective = run.workspace.in_memory(document.EFFECTIVE)
        if run.workspace.exists(effective) and any(row.path.startswith(merged) for row in plan.changes):
            with run.workspace.writing() as door:
                stack.stage(door)


def _restore(run: Run, archived: Mapping[str, str], what: str) -> None:
    """Bring back what a reflection archived: that is a line of the log of accesses. archived: id → store"""
    at, why = clock.iso(run.now), f"{ROLLBACK} {what}"
    told = [accesses.line(at, id_, op=accesses.RESTORE, store=store, why=why) for id_, store in archived.items()]
    if told:
        path = run.workspace.in_memory(accesses.FILE)
        with run.workspace.writing() as door:
            door.append(path, "".join(told), summary=f"taken back: {len(told)} archived")


def _withdrawn(run: Run, slept: Sequence[str]) -> None:
    """Tell in the log of reflections, which stays, that what was applied of these is applied no more."""
    path = run.workspace.in_memory(LOGGED)
    if slept and run.workspace.exists(path):
        told = "".join(f"\n## {name} — {run.today} — withdrawn\n" for name in slept)
        with run.workspace.writing() as door:
            door.append(path, told, summary=f"taken back: {', '.join(slept)}")


def _told(row: Row) -> dict[str, Any]:
    added, removed = (0, 0) if row.action == KEEP else merge3.counted(row.present, row.target)
    return {"path": row.path, "action": row.action, "added": added, "removed": removed, "why": row.why or None}


def _view(plan: Plan, *, done: bool, undo: str) -> list[Section]:
    tones = {KEEP: WARN, CREATE: GOOD, "remove": BAD}
    rows = []
    for row in plan.rows[:SHOWN]:
        told = _told(row)
        sizes = "" if row.action == KEEP else f"+{told['added']} −{told['removed']}"
        counts = "; ".join(each for each in (sizes, row.why) if each)
        rows.append([Cell(row.action, tones.get(row.action, STRONG)), Cell(row.path), Cell(counts, DIM)])
    end = f"done{undo}" if done else f"--confirm {plan.id}" if plan.changes else "nothing to take back"
    return [Section(f"Back: {plan.what}", rows), Section("", [[Cell(end, STRONG)]])]
