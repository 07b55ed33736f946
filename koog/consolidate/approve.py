"""koog consolidate approve, reject: what is applied by a person's word alone, and what is turned down.  [moltbot §10.6]

Reads   the plan that waits, the files that it changes
Writes  approve: MEMORY.md, memory/graph/, memory/procedures/, memory/episodes/, memory/meta/access.jsonl, decay-scores.json, pending-memories.md, evolution.md, whichever the plan is for; approve, reject: memory/meta/pending-reflection.json, pending-reflection.md, reflection-log.md, cursors.json
Asks    nothing

One commit, whose actor is reflection:r-NNN; `koog rollback session r-NNN` takes it back. What does not fit any more,
because memory was changed meanwhile, is left out and said. To reject needs nobody's word, since nothing is applied: what
an agent rejects is told as the agent's.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.consolidate import (
    applying,
    decided,
    edited,
    evolution,
    night,
    pending_plan,
    plan_file,
    reflection_log,
    survey,
    triggers,
)
from koog.consolidate import plan as plans
from koog.consolidate.applying import Outcome
from koog.consolidate.plan import APPLIED, REJECTED, UNFIT, Operation, Plan
from koog.consolidate.reflection_log import APPROVED, PARTIAL
from koog.core import approval
from koog.core.approval import Approval
from koog.core.errors import Busy, Refused, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.memory import decay
from koog.memory.store import line as lines
from koog.memory.store import stores
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.consolidate.survey import Survey
    from koog.core.files.door import Door

Session = Annotated[str, typer.Argument(metavar="ID", help="r-012, as `consolidate show` tells it.")]
Confirm = Annotated[str | None, typer.Option(metavar="DIGEST", help="Of the plan that was shown.")]
IDS = "IDS"
Only = Annotated[str | None, typer.Option(metavar=IDS, help="These alone: o1,o4; the others still wait.")]
NOTHING = Outcome([], {})


def approve(
    ctx: typer.Context,
    session: Session,
    confirm: Confirm = None,
    only: Only = None,
    left: Annotated[
        str | None, typer.Option("--except", metavar=IDS, help="All but these, which are rejected.")
    ] = None,
    edit: Annotated[
        Path | None, typer.Option(metavar="FILE", help='With changes: [{"id": "o3", "text": "…"}].')
    ] = None,
) -> Reply:
    """Apply a reflection's plan, all of it or a part, as one commit; only a person's word does it."""
    run: Run = ctx.obj
    audience.own(run)
    plan = pending_plan.named(run, session, confirm)
    wanted, refused = _ids(plan, only, "--only"), _ids(plan, left, "--except")
    changes = edited.read(edit, plan) if edit else {}
    asked = edited.changed(plan, changes, run.today)
    reworded = edited.reworded(plan, asked)
    chosen = plans.chosen(asked, wanted, refused)
    refused += [op.id for op in asked.operations if op.id in changes and not op.is_waiting]
    rejected = {op.id: "left out by a person" for op in plan.named(refused) if op.is_waiting}
    if unmeant := changes.keys() - {op.id for op in chosen} - rejected.keys():
        raise UsageError(f"--edit: {min(unmeant)} is not among what is approved", hint="koog consolidate show")
    if plan.operations and not chosen and not rejected:
        return _reply(run, "approve", asked, NOTHING, rejected)
    is_whole = len(chosen) == len(plan.operations)
    is_reworded = any(text is not None for text in changes.values())
    word = _word(run, plan, is_reworded=is_reworded)
    run.approval = word.column if word.how == approval.RELAYED else APPROVED if is_whole else PARTIAL
    _act(run, plan)
    found = survey.read(run)

    def staged(door: Door) -> Outcome:
        return applying.stage(run, door, night.place(run, asked), chosen, found, reworded=reworded)

    with run.one_commit(at_once=True):
        with run.workspace.writing() as door:
            outcome = _settle(run, door, plan, staged, rejected, found, is_whole=is_whole, reworded=reworded)
        if outcome.applied:
            decay.work(run, stores.every(run))
    if word.how == approval.GRANT and len(chosen) + len(rejected) == len(plan.waiting):
        approval.use_up(run, id=plan.id, digest=plan.digest)  # what still waits is meant by it, too
    return _reply(run, "approve", asked, outcome, rejected)


def _word(run: Run, plan: Plan, *, is_reworded: bool) -> Approval:
    """Return the person's word. What is said in a chat is for the plan as it was shown: for other words it is none."""
    command = f"koog consolidate approve {plan.id} --confirm {plan.shown_digest}"
    if is_reworded and not approval.at_terminal() and not approval.by_agent(run):
        hint = f"a person runs in a terminal: {command} --edit FILE; or approve without --edit what was shown"
        raise Refused(f"reflection {plan.id} with changes needs a person's own call", hint=hint)
    what = f"reflection {plan.id}"
    return approval.require(run, id=plan.id, digest=plan.digest, what=what, command=command, keep=True)


def reject(
    ctx: typer.Context,
    session: Session,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Why: the next reflections go by it.")],
    only: Only = None,
) -> Reply:
    """Reject a reflection's plan, or a part of it: nothing is applied, and it is not proposed again as it is."""
    run: Run = ctx.obj
    audience.own(run)
    if not why.strip():
        raise UsageError("--why is empty", hint='--why "I might need it"')
    waiting = pending_plan.load(run)
    plan = pending_plan.named(run, session, waiting.shown_digest if waiting else None)
    told = lines.words(why)
    gone = plan.named(_ids(plan, only, "--only")) or list(plan.operations)
    rejected = {op.id: told for op in gone if op.is_waiting}
    if plan.operations and not rejected:
        return _reply(run, "reject", plan, NOTHING, rejected)
    is_persons = approval.at_terminal() or approval.by_agent(run) is not None
    if is_persons:
        run.approval = APPROVED if approval.at_terminal() else approval.RELAYED
        _act(run, plan)
    found = survey.read(run)
    with run.workspace.writing() as door:
        outcome = _settle(run, door, plan, lambda _: NOTHING, rejected, found, is_whole=False, by_agent=not is_persons)
    return _reply(run, "reject", plan, outcome, rejected)


def _act(run: Run, plan: Plan) -> None:
    """Act as the reflection, by the leave that was given."""
    run.act_as(f"reflection:{plan.id}", trigger=f"koog {run.command} {plan.id}")
    run.workspace.cause = run.workspace.cause._replace(approval=run.approval)


def _ids(plan: Plan, told: str | None, option: str) -> list[str]:
    """Return the ids that are named, ranges among them: o1,o4-o7; none where the option was not given.

    Raises UsageError for one that the plan has not, and where an option names none: an empty one is never all.
    """
    if told is None:
        return []
    known = [op.id for op in plan.operations]
    found = list[str]()
    for part in filter(None, (each.strip() for each in told.replace(" ", ",").split(","))):
        first, sign, last = part.partition("-")
        if first not in known or (sign and last not in known):
            raise UsageError(f"{option}: {plan.id} has no operation {part[:40]!r}", hint="koog consolidate show")
        found += known[known.index(first) : known.index(last or first) + 1]
    if not found:
        raise UsageError(f"{option} names nothing", hint=f"{option} o1,o4")
    return list(dict.fromkeys(found))


def _settle(
    run: Run,
    door: Door,
    plan: Plan,
    staged: Callable[[Door], Outcome],
    rejected: Mapping[str, str],
    found: Survey,
    *,
    is_whole: bool,
    reworded: Collection[str] = (),
    by_agent: bool = False,
) -> Outcome:
    """Stage what was decided, and all that is said of it. Raises Busy for a plan that is another one by now.

    reworded   ids of operations that say a person's own words
    by_agent   nobody else has decided it
    """
    memory = run.workspace.in_memory
    present = pending_plan.read(run, door.text(memory(plan_file.NAME)))
    if present is None or (present.id, present.waiting) != (plan.id, plan.waiting):
        raise Busy(f"{plan.id} was decided meanwhile", hint="koog consolidate show")
    outcome = staged(door)
    states = {op.id: APPLIED for op in outcome.applied}
    states |= dict.fromkeys(outcome.left, UNFIT) | dict.fromkeys(rejected, REJECTED)
    decisions = plan.with_states(states)
    is_refused = not outcome.applied and not outcome.left
    kind = APPROVED if is_whole else reflection_log.REJECTED if is_refused else PARTIAL
    told = f"{plan.id} {kind}: {len(outcome.applied)} applied, {len(rejected)} rejected"
    became: dict[str, Any] = {"applied": outcome.applied, "rejected": rejected, "left": outcome.left}
    row = reflection_log.entry(plan, kind, run.today, **became, reworded=reworded, by_agent=by_agent)
    log = memory(reflection_log.NAME)
    before = door.text(log) or ""
    door.append(log, ("" if before else reflection_log.HEADER) + row, summary=told)
    if outcome.applied:
        _evolve(run, door, plan, outcome.applied, before + row)
    if decisions.is_open:
        pending_plan.write(run, door, decisions, upcoming=triggers.upcoming(run), summary_=told)
    else:
        pending_plan.remove(run, door, summary_=told)
    proposed = {op.id: op.after for op in plan.operations}
    closed = plan.named([*rejected, *(op.id for op in outcome.applied if op.after != proposed[op.id])])
    asked = () if decisions.is_open else plan.questions
    door.edit(
        memory(decided.NAME),
        lambda text: decided.with_decisions(text, closed, outcome.applied, asked, found),
        summary=told,
    )
    return outcome


def _evolve(run: Run, door: Door, plan: Plan, applied: Sequence[Operation], log: str) -> None:
    door.edit(
        run.workspace.in_memory(evolution.NAME),
        lambda text: evolution.updated(text, plan, applied, log, run.today),
        summary=f"{plan.id}: what was understood anew",
    )


def _reply(run: Run, verb: str, plan: Plan, outcome: Outcome, rejected: Mapping[str, str]) -> Reply:
    left = pending_plan.load(run)
    return Reply(
        f"koog.consolidate.{verb}/1",
        id=plan.id,
        applied=[op.id for op in outcome.applied],
        rejected=list(rejected),
        leftOut=applying.reasons(outcome.left),
        waiting=[op.id for op in left.waiting] if left and left.id == plan.id else [],
        approval=run.approval,
        commit=run.meta_extra.get("commit"),
        undo=f"koog rollback session {plan.id}" if outcome.applied else None,
    )
