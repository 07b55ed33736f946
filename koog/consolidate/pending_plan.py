"""The plan that waits for a person's word, read and written with the text beside it.  [moltbot §10.6]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.consolidate import plan as plans
from koog.consolidate import plan_file, reflection_log, summary
from koog.consolidate.decided import NAME as CURSORS
from koog.consolidate.decided import Decided
from koog.consolidate.plan import Operation, Plan, Question
from koog.core import clock, forgotten
from koog.core.errors import NotFound, Refused
from koog.sessions import audience, labels
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run


def load(run: Run) -> Plan | None:
    """Return the plan that waits, None for none; a file that holds none is told of."""
    path = run.workspace.in_memory(plan_file.NAME)
    found = plan_file.parse(text := run.workspace.text(path))
    told = f"{path} has no plan that can be read: koog consolidate run"
    if found is None and text and told not in run.warnings:
        run.warnings.append(told)
    return found if found and (found.is_open or (found.questions and not found.operations)) else None


def is_damaged(run: Run) -> bool:
    """Return whether there is a file, and no plan in it."""
    text = run.workspace.text(run.workspace.in_memory(plan_file.NAME))
    return bool(text) and plan_file.parse(text) is None


def line(run: Run) -> str:
    """Return in one line that a plan waits, "" where none does."""
    plan = load(run)
    made = clock.parse(plan.made) if plan else None
    if plan is None or not plan.is_open or made is None:
        return ""
    hours = int((run.now - made).total_seconds() // 3600)
    since = f"for {hours // 24} days" if hours >= 48 else "still, for a day" if hours >= 24 else "since last night"
    waits = f"A reflection ({plan.id}) waits for the user's word {since}"
    return f"{waits}: {len(plan.waiting)} changes, koog consolidate show"


def named(run: Run, session: str, confirm: str | None) -> Plan:
    """Return the plan that is meant. confirm: the digest that was shown. Raises NotFound, Refused."""
    found = load(run)
    if found is None or found.id != session:
        more = f"; {found.id} does" if found else ""
        raise NotFound(f"no reflection {session[:40]} waits{more}", hint="koog consolidate show")
    if confirm != found.shown_digest:
        why = "name the plan that was shown" if confirm is None else "the plan is another one than was shown"
        raise Refused(f"{found.id}: {why}", hint=f"koog consolidate show tells it: --confirm {found.shown_digest}")
    return found


def write(run: Run, door: Door, plan: Plan, *, upcoming: str, summary_: str) -> None:
    """Stage the plan, and the text that a person reads; both go when nothing of it waits any more."""
    paths = [run.workspace.in_memory(name) for name in (plan_file.NAME, summary.NAME)]
    if not plan.is_open and plan.operations:
        for path in paths:
            door.remove(path, summary=summary_)
        return
    archive_below = run.settings.get("memory.archiveBelow")
    door.write(paths[0], plan_file.render(plan), summary=summary_)
    door.write(paths[1], summary.render(plan, archive_below=archive_below, upcoming=upcoming), summary=summary_)


def next_number(run: Run) -> int:
    """Return the number of the next reflection: none is given twice, whatever became of it."""
    log = run.workspace.text(run.workspace.in_memory(reflection_log.NAME)) or ""
    waiting, last = load(run), Decided(run.workspace.text(run.workspace.in_memory(CURSORS))).last
    return 1 + max(reflection_log.highest(log), waiting.number if waiting else 0, plans.number(last.id))


def told(run: Run, plan: Plan) -> tuple[list[Operation], list[Question]]:
    """Return the operations and questions that the reader may be told of."""
    who, gone = audience.current(run), forgotten.of(run.workspace)
    seen = [
        op
        for op in plan.operations
        if who.line(labels.of_line(op.after or ""), op.file, text=op.after or op.before or "") is not Seen.HIDDEN
        and not gone.holds(f"{op.before or ''}\n{op.after or ''}")
    ]
    asked = [each for each in plan.questions if not gone.holds(each.text)] if len(seen) == len(plan.operations) else []
    return seen, asked
