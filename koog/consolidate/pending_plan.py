"""The plan that waits for a person's word, read and written with the text beside it.  [moltbot §10.6]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.consolidate import forms, plan_file, plan_rows, reflection_log, summary
from koog.consolidate import plan as plans
from koog.consolidate.decided import NAME as CURSORS
from koog.consolidate.decided import Decided
from koog.consolidate.plan import Operation, Plan, Question
from koog.core import clock, forgotten
from koog.core.errors import NotFound, Refused
from koog.sessions import audience
from koog.sessions.audience import Seen
from koog.sessions.labels import Label

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run


def load(run: Run) -> Plan | None:
    """Return the plan that waits, None for none; a file that holds none is told of, and what of it is no operation."""
    path = run.workspace.in_memory(plan_file.NAME)
    text = run.workspace.text(path)
    found = read(run, text)
    if text and found is None:
        _warn(run, f"{path} has no plan that can be read: koog consolidate run")
    return found if found and (found.is_open or (found.questions and not found.operations)) else None


def read(run: Run, text: str | None) -> Plan | None:
    """Return the plan of a file's text, without what is no operation; None where there is no plan in it."""
    found = plan_file.parse(text)
    if found is None:
        return None
    sound = tuple(op for op in found.operations if not forms.problem(op, run.workspace.in_memory))
    if len(sound) < len(found.operations):
        _warn(run, f"{found.id}: {len(found.operations) - len(sound)} of its operations are none")
    return found._replace(operations=sound)


def _warn(run: Run, told: str) -> None:
    if told not in run.warnings:
        run.warnings.append(told)


def is_damaged(run: Run) -> bool:
    """Return whether there is a file, and no plan in it."""
    text = run.workspace.text(run.workspace.in_memory(plan_file.NAME))
    return bool(text) and plan_file.parse(text) is None


def line(run: Run) -> str:
    """Return in one line that a plan waits, "" where none does."""
    plan = load(run)
    made = clock.parse(plan.made) if plan else None
    if plan is None or made is None:
        return ""
    if not plan.is_open:
        many = len(plan.questions)
        return f"A reflection ({plan.id}) has {many} question{'s'[: many > 1]} for the user: koog consolidate show"
    hours = int((run.now - made).total_seconds() // 3600)
    since = f"for {hours // 24} days" if hours >= 48 else "still, for a day" if hours >= 24 else "since last night"
    many = len(plan.waiting)
    waits = f"A reflection ({plan.id}) waits for the user's word {since}"
    return f"{waits}: {many} change{'s'[: many > 1]}, koog consolidate show"


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
    """Stage a plan, and the text that a person reads."""
    archive_below = run.settings.get("memory.archiveBelow")
    text = summary.render(plan, archive_below=archive_below, upcoming=upcoming)
    door.write(run.workspace.in_memory(plan_file.NAME), plan_file.render(plan), summary=summary_)
    door.write(run.workspace.in_memory(summary.NAME), text, summary=summary_)


def remove(run: Run, door: Door, *, summary_: str) -> None:
    """Stage that no plan waits any more."""
    for name in (plan_file.NAME, summary.NAME):
        door.remove(run.workspace.in_memory(name), summary=summary_)


def next_number(run: Run) -> int:
    """Return the number of the next reflection: none is given twice, whatever became of it."""
    log = run.workspace.text(run.workspace.in_memory(reflection_log.NAME)) or ""
    waiting, last = load(run), Decided(run.workspace.text(run.workspace.in_memory(CURSORS))).last
    return 1 + max(reflection_log.highest(log), waiting.number if waiting else 0, plans.number(last.id))


def told(run: Run, plan: Plan) -> tuple[list[Operation], list[Question]]:
    """Return the operations and questions that the reader may be told of."""
    who, gone = audience.current(run), forgotten.of(run.workspace)

    def is_told(label: Label, text: str, path: str) -> bool:
        return who.line(label, path, text=plan_rows.shown(text)) is not Seen.HIDDEN

    seen = [
        op
        for op in plan.operations
        if is_told(op.label, op.after or op.before or "", op.file)
        and not gone.holds(f"{op.before or ''}\n{op.after or ''}")
    ]
    path = run.workspace.in_memory(summary.NAME)
    asked = [q for q in plan.questions if is_told(q.label, q.text, path) and not gone.holds(q.text)]
    return seen, asked
