"""koog consolidate run, show: sleep. What was remembered is looked through, and a plan waits for a person.  [moltbot §10]

Reads   the five stores, decay scores and the log of accesses, memory/meta/pending-memories.md, reflection-log.md,
        evolution.md; show: the plan that waits
Writes  run: memory/meta/pending-reflection.json, pending-reflection.md, cursors.json, .koog/; show: nothing
Asks    run: the `consolidator` route, for as long as consolidate.outputTokens last

Nothing of the plan is applied before `koog consolidate approve`. Memory that is the same as last time is not looked
through again.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.consolidate import (
    decided,
    evolution,
    laws,
    letter,
    night,
    pending_plan,
    plan_rows,
    reflection_log,
    summary,
    survey,
    triggers,
)
from koog.consolidate import plan as plans
from koog.consolidate.decided import Decided, Last
from koog.consolidate.drafts import Drafts
from koog.consolidate.night import Night
from koog.consolidate.plan import Operation, Plan, Question
from koog.consolidate.triggers import Trigger
from koog.core import failures
from koog.core.clip import fitting
from koog.core.clock import iso
from koog.core.errors import KoogError, NotFound
from koog.core.files import auditlog
from koog.core.files.record import Cause
from koog.core.refused import MOST as MOST_REFUSED
from koog.core.refused import Refusal, refusal
from koog.core.reply import Reply
from koog.core.run import Run
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.core.files.door import Door

ACTOR = "system:reflection"  # what it proposes; what a person approves is reflection:r-NNN's  [moltbot §12.3]
LOCK = "consolidate.lock"
MARK = "reflection-hour"  # in .koog: the hour in which a tick has looked whether one is due
NOTHING = "nothing is worth proposing"


def run_consolidation(
    ctx: typer.Context,
    trigger: Annotated[Trigger, typer.Option(help="What sets it off; by hand it is done whenever asked.")] = (
        Trigger.MANUAL
    ),
) -> Reply:
    """Look through what is remembered and write down what to change; nothing is changed before somebody approves."""
    run: Run = ctx.obj
    run.actor = ACTOR
    audience.own(run)
    if why := triggers.not_now(run, trigger):
        return _reply(run, None, why, skipped=True)
    with run.workspace.locked(LOCK, wait_s=0, what="a reflection"):
        return _run(run, trigger)


def show(
    ctx: typer.Context,
    session: Annotated[str | None, typer.Argument(metavar="[ID]", help="r-012; default: the one that waits.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many operations.")] = night.MOST,
    offset: Annotated[int, typer.Option(min=0, help="Go on from this operation.")] = 0,
) -> Reply:
    """Show the plan that waits for a word: each change with its id, why, and what it rests on."""
    run: Run = ctx.obj
    plan = pending_plan.load(run)
    if plan is None or session not in (None, plan.id):
        if session is not None:
            raise NotFound(f"no reflection {session[:40]} waits", hint="koog consolidate show")
        reply = Reply("koog.consolidate.show/1", **_shown(run, None, [], [], offset=0, limit=limit))
        reply.view = letter.nothing() if run.human else None
        return reply
    operations, questions = pending_plan.told(run, plan)
    keys = _shown(run, plan, operations, questions, offset=offset, limit=limit)
    reply = Reply("koog.consolidate.show/1", **keys)
    if run.human:
        reply.view = letter.sections(plan, operations, questions)
    return reply


def _shown(
    run: Run,
    plan: Plan | None,
    operations: Sequence[Operation],
    questions: Sequence[Question],
    *,
    offset: int,
    limit: int,
) -> dict[str, Any]:
    rows = fitting(map(_row, operations[offset : offset + limit]))
    after = offset + len(rows)
    if after < len(operations):
        run.meta_extra["truncated"] = True
    return {
        "id": plan.id if plan else None,
        "digest": plan.shown_digest if plan else None,
        "made": plan.made if plan else None,
        "engine": plan.engine if plan else None,
        "trigger": plan.trigger if plan else None,
        "operations": rows,
        "total": len(operations),
        "hidden": len(plan.operations) - len(operations) if plan else 0,
        "next": after if after < len(operations) else None,
        "questions": [
            {"id": each.id, "text": plan_rows.shown(each.text), "sources": list(each.sources)} for each in questions
        ],
        "later": plan.later if plan else {},
        "path": run.workspace.in_memory("meta/pending-reflection.md") if plan else None,
        "approve": f"koog consolidate approve {plan.id} --confirm {plan.shown_digest}" if plan else None,
    }


def _row(op: Operation) -> dict[str, Any]:
    row = op.row
    row.pop("name")
    return row | {"sources": row["sources"][:10]}


def at_tick(run: Run) -> None:
    """Reflect once a day, when its hour has come or much has come since; that is looked at once an hour.

    A failure is a warning: a tick goes on.
    """
    mark, before = f"{run.now.astimezone(run.zone):%Y-%m-%d %H}", run.workspace.cause
    try:
        if run.workspace.cached(MARK) == mark:
            return
        if trigger := triggers.due(run, triggers.look(run)):
            with run.workspace.locked(LOCK, wait_s=0, what="a reflection"):
                _run(run, trigger)
        if not run.dry_run:
            run.workspace.cache(MARK, mark)
    except KoogError as e:
        run.warnings.append(f"consolidate: {e.message}")
        failures.record(run.root, e, command="tick", message=run.warnings[-1], now=run.now)
    finally:
        run.workspace.cause = before


# --- one reflection


def _run(run: Run, trigger: Trigger) -> Reply:
    found, log = survey.read(run), _log(run)
    known = Decided(run.workspace.text(run.workspace.in_memory(decided.NAME)))
    looked_at = night.digest(found)
    if looked_at == known.last.input and not pending_plan.is_damaged(run):
        waiting = pending_plan.load(run)
        if waiting or not known.last.more:
            _note_again(run, known, found)
            return _reply(run, waiting, f"nothing has changed since {known.last.ts}", skipped=True)
    made = _proposed(run, found, known, trigger)
    with run.workspace.writing() as door:
        if _log(run) != log:
            known = Decided(door.text(run.workspace.in_memory(decided.NAME)))
            made = night.still(run, made, survey.read(run), known)
        plan = made.plan
        is_something = bool(plan.operations or plan.questions)
        run.workspace.cause = Cause(ACTOR, "pending" if is_something else "auto", run.trigger)
        replaced = pending_plan.load(run)
        if is_something:
            told = f"{plan.id}: {len(plan.operations)} operations, {len(plan.questions)} questions"
            if replaced:
                path = run.workspace.in_memory(reflection_log.NAME)
                row = reflection_log.entry(replaced, reflection_log.UNANSWERED, run.today)
                head = "" if door.text(path) else reflection_log.HEADER
                door.append(path, head + row, summary=f"{replaced.id} gives way to {plan.id}")
            pending_plan.write(run, door, plan, upcoming=triggers.upcoming(run), summary_=told)
        seen = "" if made.left else looked_at  # what was left is looked at by the next one
        named = plan.id if is_something else known.last.id
        last = Last(named, iso(run.now), run.today, seen, "1" if plan.later else "")
        _note(run, door, last, night.read(found.episodes, made.left))
    reason = "" if plan.operations else NOTHING
    refused = [*made.unread, *(refusal(summary.called(each.op), each.why) for each in made.refused)]
    return _reply(run, plan if is_something else None, reason, refused=refused, changed=is_something)


def _log(run: Run) -> str | None:
    """Return what every command of koog's that changes something adds a line to."""
    return run.workspace.text(run.workspace.in_memory(auditlog.NAME))


def _note(run: Run, door: Door, last: Last, days: list[str]) -> None:
    path = run.workspace.in_memory(decided.NAME)
    door.edit(path, lambda text: decided.with_last(text, last, days), summary="what was read")


def _note_again(run: Run, known: Decided, found: survey.Survey) -> None:
    """Note once a day that there was nothing new, so that what is due is not looked for again and again."""
    if known.last.day == run.today:
        return
    run.workspace.cause = Cause(ACTOR, "auto", run.trigger)
    with run.workspace.writing() as door:
        _note(run, door, known.last._replace(ts=iso(run.now), day=run.today), night.read(found.episodes, ()))


def _proposed(run: Run, found: survey.Survey, known: Decided, trigger: Trigger) -> Night:
    """Return the night's plan: what the built-in engine finds in any case, and what a model adds."""
    log = run.workspace.text(run.workspace.in_memory(reflection_log.NAME)) or ""
    counts = {
        **found.counts,
        "reflections": reflection_log.count(log),
        "tokens": 0,
        "cap": run.settings.get("consolidate.outputTokens"),
    }
    session = plans.session(pending_plan.next_number(run))
    empty = night.begun(run, session, engine="builtin", trigger=trigger.value, counts=counts)
    common = night.in_common(found)
    own = night.builtin(run, found, known, common)
    if not run.asker.uses_model:
        made = night.planned(run, found, known, own.operations, empty, grounded=own.operations, open_=own.open)
        return made._replace(plan=made.plan._replace(insights=_noticed(run, log, made.plan)))
    from koog.consolidate.phases import Phases

    phases = Phases(run, found, Drafts(run.workspace.in_memory, run.today))
    grown = evolution.own(run.workspace.text(run.workspace.in_memory(evolution.NAME)) or "")
    asked = phases.asked(common, log, grown, night.unread(found, known))
    empty = empty._replace(engine="llm", counts={**counts, "tokens": asked.tokens})
    every = [*asked.anchored.operations, *own.operations]
    made = night.planned(run, found, known, every, empty, grounded=own.operations, more=asked.questions, open_=own.open)
    insights = asked.insights or _noticed(run, log, made.plan)
    phases.over()
    return made._replace(plan=made.plan._replace(insights=insights), unread=asked.anchored.unread, left=asked.left)


def _noticed(run: Run, log: str, plan: Plan) -> dict[str, str]:
    """Return what the log shows by itself, as far as it may be told: anybody can write there."""
    found = evolution.noticed(log, plan.operations)
    return {name: said for name, text in found.items() if (said := laws.sentence(run, text))}


def _reply(
    run: Run,
    plan: Plan | None,
    reason: str,
    *,
    refused: Sequence[Refusal] = (),
    skipped: bool = False,
    changed: bool = False,
) -> Reply:
    if len(refused) > MOST_REFUSED:
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.consolidate.run/1",
        id=plan.id if plan else None,
        digest=plan.shown_digest if plan else None,
        operations=len(plan.operations) if plan else 0,
        kinds=dict(sorted(Counter(op.kind for op in plan.operations).items())) if plan else {},
        questions=len(plan.questions) if plan else 0,
        later=plan.later if plan else {},
        refused=list(refused[:MOST_REFUSED]),
        refusedCount=len(refused),
        tokens=plan.counts.get("tokens", 0) if plan else 0,
        skipped=skipped,
        changed=changed,
        reason=reason,
        path=run.workspace.in_memory("meta/pending-reflection.md") if plan else None,
        next=f"koog consolidate show {plan.id}" if plan else None,
    )
