"""Which operations of one night can be applied beside one another, in whatever order a person approves them.

Two about one line cannot, nor what has no room in MEMORY.md when all others are there. What two lines are at odds about
is no fact that same night: both are kept, and a person is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from koog.consolidate import changing, plan_rows
from koog.consolidate.laws import Refused
from koog.consolidate.plan import ARCHIVE, CORE, FACT, OPPOSE, PROCEDURE, REPLACE, Operation, Plan
from koog.consolidate.plan_rows import Misfit, Place
from koog.core.errors import UsageError, WorkspaceError
from koog.core.text import tokens
from koog.memory.store import core_memory
from koog.memory.store.core_memory import TITLES


def fitting(
    operations: Iterable[Operation], made: Plan, place: Callable[[Plan], Place], text: Callable[[str], str | None]
) -> tuple[list[Operation], list[Refused]]:
    """Return the operations of which each could be applied, alone and with all others, and those that could not.

    made    the plan that they will be of
    text    a file's present text
    """
    ranked = list(operations)
    odd = [op for op in ranked if op.kind == OPPOSE and not _misfit(op, place(made._replace(operations=(op,))), text)]
    kept, refused = list[Operation](), list[Refused]()
    lines_taken, rows_taken = set[tuple[str, str]](), set[tuple[str, str]]()
    core = text(core_memory.FILE) or ""
    room, rows = _room(core, place(made).most), core_memory.MOST_LINES - core.count("\n") - 2 * len(TITLES)
    for op in ranked:
        line, rows_made = (op.kind, op.target), _rows(op)
        about = ("", op.target) if op.kind in (REPLACE, OPPOSE, CORE) and op.before else line
        cost = tokens.estimate(f"- {op.after}\n") if op.kind == CORE and op.after else 0
        why = ""
        is_about_one = op.kind == PROCEDURE or (op.kind in (REPLACE, OPPOSE, ARCHIVE, CORE) and op.before is not None)
        if (is_about_one and about in lines_taken) or not rows_taken.isdisjoint(rows_made):
            why = "another operation of this night is about the same line"
        elif op.kind == FACT and any(_is_at_odds(op, each) for each in odd):
            why = "it is at odds with another line, and both are kept"
        elif cost > room or (cost and rows < 1):
            why = "MEMORY.md has no room for it"
        else:
            why = _misfit(op, place(made._replace(operations=(op,))), text)
        if why:
            refused.append(Refused(op, why))
            continue
        kept.append(op)
        lines_taken.add(about)
        rows_taken |= rows_made
        room -= cost
        rows -= bool(cost)
    return kept, refused


def _rows(op: Operation) -> set[tuple[str, str]]:
    """Return the rows that an operation puts into a file: both sides of what is at odds where neither stands there."""
    told = [op.after, op.before if op.kind == OPPOSE and op.name else None]
    return {(op.file, plan_rows.line(row).hash) for row in told if row}


def _is_at_odds(fact: Operation, odd: Operation) -> bool:
    """Return whether a fact is one side of what cannot both hold, or rests on both."""
    sides = {plan_rows.line(row).hash for row in (odd.before, odd.after) if row}
    return plan_rows.line(fact.after or "").hash in sides or set(odd.sources) <= set(fact.sources)


def _room(text: str, most: int) -> int:
    """Return how many tokens may be added to MEMORY.md, with a few for its headings."""
    return most - core_memory.size(text or core_memory.new(most), most).tokens - len(TITLES)


def _misfit(op: Operation, at: Place, text: Callable[[str], str | None]) -> str:
    try:
        for step in changing.steps(op, at):
            step.edit(text(step.path) or "")
    except (Misfit, WorkspaceError, UsageError) as e:
        return e.message if isinstance(e, WorkspaceError | UsageError) else str(e)
    return ""
