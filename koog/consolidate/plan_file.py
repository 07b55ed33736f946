"""memory/meta/pending-reflection.json: the plan that waits, as it is read and written.  [moltbot §10.6]

    {"version": 1, "id": "r-012", "made": "2026-02-02T03:00:00Z", "day": "2026-02-02", "time": "03:00", …,
     "operations": [{"id": "o1", "kind": "fact", "store": "semantic", "file": "memory/graph/entities/person--alex.md",
       "anchor": "Facts", "target": "person--alex", "name": "Alex", "before": null,
       "after": "Prefers tea <!-- dc:from=2026-01-20 -->", "reason": "said on 3 days", "sources": ["episode:…"],
       "confidence": "high", "reversible": true, "proposal": null, "day": "", "state": "waiting"}]}

Anybody can write the file: what is no operation is left out, and makes it another plan by its digest. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from koog.consolidate.plan import KINDS, OPPOSE, STATES, Operation, Plan, Question, number
from koog.core import clock
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.memory.store import ids
from koog.memory.store import line as lines

NAME = "meta/pending-reflection.json"  # in the memory folder
VERSION = 1


def render(plan: Plan) -> str:
    """Return the file's text."""
    value = {
        "version": VERSION,
        **plan._asdict(),
        "operations": [each.row for each in plan.operations],
        "questions": [{**each._asdict(), "sources": list(each.sources)} for each in plan.questions],
    }
    return jsonfiles.pretty(value)


def parse(text: str | None) -> Plan | None:
    """Return the plan of a file, None where there is none or nobody can read it."""
    try:
        value = jsonfiles.loads(text) if text else None
    except ValueError:
        return None
    if not isinstance(value, dict) or value.get("version") != VERSION or not number(_text(value, "id")):
        return None
    if clock.parse(value.get("made")) is None or not _is_day(_text(value, "day")):
        return None
    rows, asked = _list(value, "operations"), _list(value, "questions")
    operations = [each for row in rows if (each := _operation(row)) is not None]
    is_sound = compiled(r"([01]\d|2[0-3]):[0-5]\d").fullmatch(_text(value, "time"))
    return Plan(
        id=_text(value, "id"),
        made=_text(value, "made"),
        day=_text(value, "day"),
        time=_text(value, "time") if is_sound else "00:00",
        engine=_text(value, "engine"),
        trigger=_text(value, "trigger"),
        operations=_distinct(operations),
        questions=tuple(
            Question(_text(q, "id"), _text(q, "text"), _texts(q, "sources"), _text(q, "about")) for q in asked
        ),
        insights={k: v for k, v in _dict(value, "insights").items() if isinstance(v, str)},
        later=_numbers(value, "later"),
        counts=_numbers(value, "counts"),
    )


def _operation(row: dict[str, Any]) -> Operation | None:
    kind, state, proposal = row.get("kind"), row.get("state"), row.get("proposal")
    names = ("id", "store", "file", "anchor", "target", "name", "reason", "confidence")
    if kind not in KINDS or state not in STATES or not all(isinstance(row.get(name), str) for name in names):
        return None
    if not all(row.get(name) is None or isinstance(row[name], str) for name in ("before", "after")):
        return None
    return Operation(
        **{name: row[name] for name in names},
        kind=kind,
        before=row.get("before"),
        after=row.get("after"),
        sources=_texts(row, "sources"),
        reversible=row.get("reversible") is True,
        weight=float(row["weight"]) if isinstance(row.get("weight"), int | float) else 0.0,
        proposal=proposal if isinstance(proposal, int) and not isinstance(proposal, bool) else None,
        state=state,
        day=day if _is_day(day := _text(row, "day") if "day" in row else _said_on(row)) else "",
    )


def _said_on(row: dict[str, Any]) -> str:
    """Return the day of an operation of an older koog, which told none: on it the episode was said that it is of."""
    sources = _texts(row, "sources")
    kind, _, name = (sources[0 if row["kind"] == OPPOSE else -1] if sources else "").partition(":")
    return name[:10] if kind == ids.EPISODE else ""


def _distinct(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return operations, of two with one id the first: who approves an id means one."""
    return tuple({each.id: each for each in reversed(list(operations))}.values())[::-1]


def _is_day(text: str) -> bool:
    return bool(compiled(r"\d{4}-\d\d-\d\d").fullmatch(text)) and lines.day(text) is not None


def _text(value: dict[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _texts(value: dict[str, Any], name: str) -> tuple[str, ...]:
    found = value.get(name)
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else ()


def _list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = value.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _dict(value: dict[str, Any], name: str) -> dict[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _numbers(value: dict[str, Any], name: str) -> dict[str, int]:
    return {k: v for k, v in _dict(value, name).items() if isinstance(v, int) and not isinstance(v, bool)}
