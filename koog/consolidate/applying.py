"""What a person has approved is put into the stores, in one step with what is said of it.  [moltbot §10.6]

Every operation is checked again by what stands there now: what somebody changed meanwhile stays, and an operation that
does not fit any more is left out, with the reason. Of one file all of them are one edit, which is made anew upon what a
person saves at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from koog.consolidate import changing, laws
from koog.consolidate.plan import ARCHIVE, CORE, EPISODE, OPPOSE, PROCEDURE, RELATION, Operation, Plan
from koog.consolidate.plan_rows import CHANGED, Edit, Misfit, Place
from koog.consolidate.survey import Survey
from koog.core import proposal_form as form
from koog.core import proposals
from koog.core.clock import iso
from koog.core.errors import Busy, UsageError, WorkspaceError
from koog.core.named import NamedTuple
from koog.memory.fading import accesses
from koog.memory.store import ids
from koog.memory.store.memories import CORE as CORE_STORE
from koog.memory.store.memories import PROCEDURAL, SEMANTIC
from koog.memory.wanted import EXPLICIT

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

BASE = 0.7  # first relevance of what a reflection has found  [moltbot §9.1]
MOST_NAMED = 3  # ids in a summary


class Outcome(NamedTuple):
    """What was applied, and of the others why not, by their ids."""

    applied: list[Operation]
    left: dict[str, str]


def why_of(session: str) -> str:
    """Return by what the lines of the access log of a reflection are known: a rollback looks for it."""
    return f"reflection {session}"


def stage(
    run: Run,
    door: Door,
    at: Place,
    chosen: Sequence[Operation],
    survey: Survey,
    *,
    reworded: Collection[str] = (),
) -> Outcome:
    """Stage operations at the door, in the plan's order; say which do not fit any more.

    reworded   ids of those that say a person's own words
    """
    now: dict[str, str] = {}
    edits: dict[str, list[tuple[str, Edit]]] = {}
    applied, left = list[Operation](), dict[str, str]()

    def text(path: str) -> str:
        if path not in now:
            now[path] = door.text(path) or ""
        return now[path]

    for op in chosen:
        why = laws.check(op, survey, run.workspace.in_memory, is_grounded=True)
        made: dict[str, str] = {}
        steps = [] if why else changing.steps(op, at)
        try:
            for step in steps:
                made[step.path] = step.edit(made.get(step.path) or text(step.path))
        except (Misfit, WorkspaceError, UsageError) as e:
            why = e.message if isinstance(e, WorkspaceError | UsageError) else str(e)
        if why:
            left[op.id] = why
            continue
        now |= made
        for step in steps:
            edits.setdefault(step.path, []).append((op.id, step.edit))
        applied.append(op)
    for path, found in edits.items():
        summary = _named(at.plan, [id_ for id_, _ in found])
        door.edit(path, _again([edit for _, edit in found]), summary=summary)
    _accessed(run, door, at.plan, applied, reworded)
    _without_proposals(run, door, [op.proposal for op in applied if op.proposal])
    return Outcome(applied, left)


def _again(edits: Sequence[Edit]) -> Callable[[str], str]:
    """Return one edit of several; where one does not fit what was saved meanwhile, all of it waits."""

    def edit(text: str) -> str:
        try:
            return reduce(lambda made, each: each(made), edits, text)
        except Misfit as e:
            raise Busy(f"a file was saved meanwhile: {e}", hint="try again") from None

    return edit


def _named(plan: Plan, found: Sequence[str]) -> str:
    """Return what a change is called: the ids of its operations, whose words must be forgettable."""
    named = list(dict.fromkeys(found))
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"{plan.id} {', '.join(named[:MOST_NAMED])}{more}"


def _accessed(run: Run, door: Door, plan: Plan, applied: Sequence[Operation], reworded: Collection[str]) -> None:
    """Note what was written, what was archived, and that what it rests on is still relevant.  [moltbot §9.4]"""
    at, why, rows = iso(run.now), why_of(plan.id), dict[str, None]()
    for op in applied:
        if op.kind == ARCHIVE:
            for id_ in op.sources:
                rows[accesses.line(at, id_, op=accesses.ARCHIVE, store=op.store, why=why)] = None
            continue
        if (id_ := changing.made_id(op)) and op.kind != RELATION:
            store = {CORE: CORE_STORE, PROCEDURE: PROCEDURAL}.get(op.kind, SEMANTIC)
            base, told = (EXPLICIT, why + CHANGED) if op.id in reworded else (BASE, why)
            rows[accesses.line(at, id_, op=accesses.WRITE, store=store, base=base, why=told)] = None
        elif op.kind not in (CORE, EPISODE):
            entity = op.target if op.kind == RELATION else ids.parse(op.target).entity
            rows[accesses.line(at, f"{ids.ENTITY}:{entity}", op=accesses.ACCESS, store=SEMANTIC, why=why)] = None
        if op.kind == OPPOSE:
            rows[accesses.line(at, op.target, op=accesses.ACCESS, store=SEMANTIC, why=why)] = None
    if rows:
        path = run.workspace.in_memory(accesses.FILE)
        door.append(path, "".join(rows), summary=f"{plan.id}: {len(rows)} accesses")


def _without_proposals(run: Run, door: Door, numbers: Sequence[int]) -> None:
    """Take the proposals that went to the stores out of their file."""
    if not numbers:
        return
    known = proposals.noted(run.state_root)

    def edit(text: str) -> str:
        settled = proposals.settled(text, known)
        found = [each for each in settled.entries if each.number in numbers]
        return proposals.settled(form.without(settled.text, found), known).text

    told = ", ".join(f"#{n}" for n in numbers)
    door.edit(run.workspace.in_memory(proposals.NAME), edit, summary=f"committed {told}", action="COMMIT")


def reasons(left: Mapping[str, str]) -> list[dict[str, str]]:
    """Return what was left out as a reply tells it."""
    return [{"id": id_, "why": why} for id_, why in left.items()]
