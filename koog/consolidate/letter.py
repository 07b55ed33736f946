"""The plan as a letter: what was learned, connected, would go, is at odds, changes in MEMORY.md, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from koog.consolidate import plan_rows, summary
from koog.consolidate.plan import ARCHIVE, CORE, OPPOSE, RELATION, Operation, Plan, Question
from koog.core.view import BAD, DIM, GOOD, PLAIN, STRONG, WARN, Cell, Section
from koog.memory.store import entities

PARTS: tuple[tuple[str, str, Callable[[Operation], bool]], ...] = (
    ("What I learned", GOOD, lambda op: op.kind not in (RELATION, ARCHIVE, OPPOSE, CORE)),
    ("What I would connect", GOOD, lambda op: op.kind == RELATION),
    ("What I would put away", DIM, lambda op: op.kind == ARCHIVE),
    ("What cannot both be true", WARN, lambda op: op.kind == OPPOSE),
)


def sections(plan: Plan, operations: Sequence[Operation], questions: Sequence[Question]) -> list[Section]:
    """Return the letter. operations, questions: those that the reader may be told of"""
    opening = f"{plan.day}: I have slept on it. Nothing of this is done before you say so."
    found = [Section(f"Reflection {plan.id}", [[Cell(opening, STRONG)]])]
    for title, level, is_of in PARTS:
        rows = [[Cell(op.id, DIM), Cell(_told(op), level)] for op in operations if is_of(op)]
        found += [Section(title, rows, whole=(0,))] if rows else []
    core = [row for op in operations if op.kind == CORE for row in _diff(op)]
    found += [Section("What I would change in MEMORY.md", core, whole=(0,))] if core else []
    asked = [[Cell(each.id, DIM), Cell(_asked(each, operations))] for each in questions]
    found += [Section("What I would like to ask you", asked, whole=(0,))] if asked else []
    later = ", ".join(f"{n} {kind}" for kind, n in sorted(plan.later.items()))
    ways = [f"All of it: koog consolidate approve {plan.id} --confirm {plan.shown_digest}"]
    ways.append("A part: --only o1,o4, or --except o3. With changes: --edit FILE. Not at all: koog consolidate reject")
    if hidden := len(plan.operations) - len(operations):
        ways.append(f"{hidden} more are about what was said in other projects: memory/meta/pending-reflection.md")
    if later:
        ways.append(f"For other nights I kept {later}.")
    return [*found, Section("", [[Cell(way, DIM)] for way in ways])]


def nothing() -> list[Section]:
    """Return what is shown where no plan waits."""
    return [Section("", [[Cell("● nothing waits for your word", GOOD)]])]


def _told(op: Operation) -> str:
    return _said(op) + summary.STATES.get(op.state, "")


def _said(op: Operation) -> str:
    """Return what an operation does as one person tells another: no ids, and nothing twice."""
    if op.kind == RELATION:
        edge = next(entities.edges_of(op.target, op.after or ""))
        start, to = (id_.partition("--")[2].replace("-", " ").title() for id_ in (edge.start, edge.to))
        return f"{start} {entities.told(edge.relation).lower()} {to} — {op.reason}"
    reason, mark, quoted = op.reason.partition(": “")
    is_twice = mark and op.after and plan_rows.shown(op.after).startswith(quoted.rstrip("…”"))
    return summary.told(op._replace(reason=reason) if is_twice else op)


def _asked(question: Question, operations: Sequence[Operation]) -> str:
    """Return a question; of two lines that the letter has told already only where they stand."""
    odd = next((op for op in operations if op.kind == OPPOSE and op.sources == question.sources), None)
    return f"Which of the two holds? {odd.id} keeps both." if odd else plan_rows.shown(question.text)


def _diff(op: Operation) -> list[list[Cell]]:
    rows = [[Cell(op.id, DIM), Cell(f"{op.anchor} — {op.reason}", PLAIN)]]
    if op.before:
        rows.append([Cell("", DIM), Cell(f"- {op.before}", BAD)])
    if op.after:
        rows.append([Cell("", DIM), Cell(f"+ {plan_rows.shown(op.after)}", GOOD)])
    return rows
