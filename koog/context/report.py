"""What the reply of `compile` tells of a context beside its text: rows, as many as the line has room for. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.context import assembly
from koog.context.contents import Row
from koog.core.named import NamedTuple
from koog.core.reply import line
from koog.core.text import tokens
from koog.search import origins

if TYPE_CHECKING:
    from koog.context.compiled import Compiled

INFINITE = float("inf")  # files have no score: they stand before the passages
SUBSCRIPTIONS = 8  # of a topic that are told
Rows = list[dict[str, Any]]


class Bounded(NamedTuple):
    """The first rows of some, how many there are besides, and what room they leave."""

    rows: Rows
    more: int
    left: int


def bounded(rows: Rows, *, share: float, room: int) -> Bounded:
    """Return the first rows that take so large a share of the room, in characters of the line."""
    least = room - int(room * share)
    kept: Rows = []
    for row in rows:
        price = len(line(row)) + 1
        if room - price < least:
            break
        room -= price
        kept.append(row)
    return Bounded(kept, len(rows) - len(kept), room)


def parts(made: Compiled) -> Rows:
    """Return the parts of the text, in its order."""
    return [
        {
            "slot": f"P{assembly.KINDS[part.kind]}",
            "kind": part.kind,
            "source": part.path,
            "lines": assembly.ranges(part.lines()),
            "tokens": -(-part.amount().units // tokens.UNITS),
            "trust": origins.least(part.pieces[i].trust for i in part.chosen),
            "withheld": part.withheld,
        }
        for part in assembly.in_order(made.contents.parts)
    ]


def topics(made: Compiled) -> Rows:
    """Return the active topics, most important first, and what became of their subscriptions."""
    rows = []
    for verdict in made.checked.verdicts if made.checked else []:
        if verdict.active:
            told = made.subscriptions.get(verdict.topic.name, [])
            rows.append(
                {
                    "name": verdict.topic.name,
                    "reason": verdict.reason,
                    "priority": verdict.topic.priority,
                    "subscriptions": [subscribed._asdict() for subscribed in told[:SUBSCRIPTIONS]],
                    "moreSubscriptions": max(0, len(told) - SUBSCRIPTIONS),
                }
            )
    return rows


def considered(made: Compiled) -> Rows:
    """Return what was considered: files in the order of the text, what was left out, then passages by their score."""
    files = [
        Row(part.kind, part.path, assembly.ranges(part.lines()), bool(part.chosen), part.why)
        for part in made.contents.parts
        if part.kind != "knowledge"
    ]
    passages = sorted(made.contents.rows, key=lambda row: -(INFINITE if row.score is None else row.score))
    return [
        {
            "slot": f"P{assembly.KINDS[row.kind]}",
            "kind": row.kind,
            "source": row.path,
            "lines": row.lines,
            "score": None if row.score is None else round(row.score, 4),
            "taken": row.taken,
            "why": row.why,
        }
        for row in [*files, *passages]
    ]
