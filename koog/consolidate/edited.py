"""A plan approved with changes: a person's file says what some of its lines are to be.  [moltbot §10.6]

    [{"id": "o3", "text": "Prefers green tea"}, {"id": "o7", "text": null}]

text null leaves an operation out. What is no id of the plan, and what has no words to change, is refused. Other words
are the person's own: they hold from the day on which he gives them, and rest on nothing that was said before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from koog.consolidate import plan_rows
from koog.consolidate.plan import CORE, EPISODE, FACT, OPPOSE, REJECTED, REPLACE, Operation, Plan
from koog.core.errors import UsageError
from koog.core.files import jsonfiles, outside
from koog.core.stdin import LIMIT
from koog.memory.store import line as lines
from koog.memory.store.line import Line

HEARD = (plan_rows.OF, lines.HEARD)  # in a line's comment: from which words of others it was made
OF_WORDS = (FACT, REPLACE, OPPOSE, CORE, EPISODE)


def read(path: Path, plan: Plan) -> dict[str, str | None]:
    """Return id → what its line is to say. Raises UsageError."""
    try:
        value = jsonfiles.loads(outside.read(str(path), limit=LIMIT).decode("utf-8-sig"))
    except (OSError, ValueError) as e:
        raise UsageError(f"--edit {path}: {getattr(e, 'strerror', None) or 'no JSON'}") from None
    rows = value.get("operations") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError("--edit: no list of operations", hint='[{"id": "o3", "text": "…"}]')
    found: dict[str, str | None] = {}
    for row in rows:
        if "text" not in row:
            raise UsageError(f"--edit: {str(row.get('id'))[:40]!r} says no text", hint="leave out what stays as it is")
        text, named = row["text"], plan.named([str(row.get("id"))])
        if not named or not (text is None or isinstance(text, str)):
            raise UsageError(f"--edit: {str(row.get('id'))[:40]!r} is no operation of {plan.id}")
        if text is not None and (named[0].kind not in OF_WORDS or not named[0].after or not lines.words(text)):
            raise UsageError(f"--edit: {named[0].id} has no words to change")
        found[named[0].id] = None if text is None else lines.words(text)
    return found


def changed(plan: Plan, changes: Mapping[str, str | None], day: str) -> Plan:
    """Return the plan as a person has changed it; what he takes out is rejected. day: the user's, on which he did"""
    return plan._replace(operations=tuple(_changed(op, changes, day) for op in plan.operations))


def reworded(plan: Plan, asked: Plan) -> frozenset[str]:
    """Return the ids of what says something else than was proposed. asked: the plan as a person has changed it"""
    pairs = zip(plan.operations, asked.operations, strict=True)
    return frozenset(op.id for op, new in pairs if _says(op) != _says(new))


def _says(op: Operation) -> str:
    """Return what a row says, whatever its capitals and its last mark; with another sign it says another thing."""
    return " ".join(plan_rows.shown(op.after or "").split()).rstrip(".!。！").casefold()


def _changed(op: Operation, changes: Mapping[str, str | None], day: str) -> Operation:
    if op.id not in changes:
        return op
    text = changes[op.id]
    if text is None:
        return op._replace(state=REJECTED)
    said = plan_rows.line(op.after or "")
    made = op._replace(after=said._replace(text=text).raw)
    if _says(made) == _says(op):
        return made
    values = {name: value for name, value in said.values.items() if name not in HEARD}
    values |= {lines.SINCE: day} if lines.SINCE in values else {}
    return op._replace(after=Line(text, said.label, values).raw)
