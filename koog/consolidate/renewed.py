"""The plan that waits, after a rollback: what of it was applied, and is there no more, is told as taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.consolidate import changing, pending_plan, plan_rows, survey, triggers
from koog.consolidate.plan import APPLIED, ARCHIVE, EPISODE, RELATION, WITHDRAWN, Operation
from koog.consolidate.survey import Survey
from koog.memory.fading import relevance
from koog.memory.store import entities

if TYPE_CHECKING:
    from koog.core.run import Run


def renew(run: Run) -> None:
    """Write the plan anew where a part of it was applied and taken back, or brought back."""
    plan = pending_plan.load(run)
    done = [op for op in plan.operations if op.state in (APPLIED, WITHDRAWN)] if plan else []
    if plan is None or not done:
        return
    found = survey.read(run)
    states = {op.id: APPLIED if stands(op, found) else WITHDRAWN for op in done}
    present = plan.with_states(states)
    if present != plan:
        with run.workspace.writing() as door:
            pending_plan.write(
                run, door, present, upcoming=triggers.upcoming(run), summary_=f"{plan.id}: what stands of it"
            )


def stands(op: Operation, found: Survey) -> bool:
    """Return whether what an operation does is so."""
    if op.kind == ARCHIVE:
        return all(
            found.scores[id_]["current_score"] == relevance.FORGOTTEN for id_ in op.sources if id_ in found.scores
        )
    if op.after is None:
        return op.target not in found.every
    if op.kind == RELATION:
        new = next(entities.edges_of(op.target, op.after), None)
        known = found.entities[op.target].edges if op.target in found.entities else ()
        return new is not None and any((e.relation, e.to) == (new.relation, new.to) for e in known)
    if op.kind == EPISODE:
        return any(each.text == plan_rows.line(op.after).text for each in found.memories.values())
    made = changing.made_id(op)
    return made in found.every or made in found.memories
