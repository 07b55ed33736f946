"""The built-in reflector: what a newer line replaces, what is said twice, what cannot be true together.

It asks for the same operations as a model would, and is held to the same laws.
`settled` is what needs no judgement and is done whichever engine is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypedDict

from koog.core.text import compare
from koog.observe import reflection_laws
from koog.observe.observations import Observation

LEAST_LEFT = 0.25  # share of the words that one reflection leaves; above the fifth that the laws ask for


class RawOperation(TypedDict, total=False):
    op: str
    lines: list[int]
    newer: int | None
    text: str | None
    reason: str


class ReflectAnswer(TypedDict):
    operations: list[RawOperation]


class ReflectInput(NamedTuple):
    """lines: the observations, numbered from 1 by position, in the file's order; today: the user's day."""

    lines: tuple[Observation, ...]
    today: date


def answer(given: ReflectInput) -> ReflectAnswer:
    """Return the operations: what is replaced, what is said twice, what is opposed."""
    lines = given.lines
    by: dict[int, int] = {}  # a line that is replaced → the newest that replaces it
    same: dict[int, set[int]] = defaultdict(set)
    opposed: list[RawOperation] = []
    for i, j in compare.candidates([o.text for o in lines]):
        old, new = (j, i) if reflection_laws.older(lines[j], lines[i]) else (i, j)
        found = reflection_laws.relation(lines[old], lines[new])
        a, b = lines[old].text, lines[new].text
        if found.kind in compare.JOINS or reflection_laws.holds(a, b) or reflection_laws.holds(b, a):
            same[i].add(j)
            same[j].add(i)
        elif found.kind == compare.SUPERSEDES:
            if not reflection_laws.why_not_remove(lines[old], lines[new], today=given.today):
                by[old] = max(by.get(old, new), new, key=lambda n: (lines[n].day, lines[n].time))
        elif found.kind == compare.CONTRADICTS:
            opposed.append({"op": "link", "lines": [old + 1, new + 1], "reason": found.reason})
    replaced = [_replaced(old, new, lines) for old, new in sorted(by.items())]
    return {"operations": [*_within([*replaced, *_repeats(lines, same, by)], lines), *opposed]}


def settled(lines: Sequence[Observation], today: date) -> list[RawOperation]:
    """Return what no engine need be asked about: 🟢 lines over a week old, and lines that stand there twice."""
    same: dict[str, list[int]] = defaultdict(list)
    found: list[RawOperation] = []
    for n, o in enumerate(lines, 1):
        if reflection_laws.expired(o, today):
            reason = f"🟢 and over {reflection_laws.LOW_DAYS} days old ({o.day})"
            found.append({"op": "remove", "lines": [n], "reason": reason})
        else:
            same[" ".join(o.text.casefold().split()).rstrip(".!")].append(n)
    found += [{"op": "merge", "lines": ns, "reason": "stands there twice"} for ns in same.values() if len(ns) > 1]
    return found


def _replaced(old: int, new: int, lines: Sequence[Observation]) -> RawOperation:
    reason = f"superseded on {lines[new].day}: {lines[new].text}"[:300]
    return {"op": "remove", "lines": [old + 1], "newer": new + 1, "reason": reason}


def _repeats(
    lines: Sequence[Observation], same: Mapping[int, set[int]], replaced: Mapping[int, int]
) -> list[RawOperation]:
    """Join each line with those that say the same, the longest first: it is the one that stays."""
    found: list[RawOperation] = []
    free = {n for n in same if n not in replaced}
    for n in sorted(free, key=lambda n: (-len(lines[n].text), n)):
        group = sorted({n, *same[n]} & free)
        if n in free and len(group) > 1:
            free.difference_update(group)
            found.append({"op": "merge", "lines": [each + 1 for each in group], "reason": "says the same"})
    return found


def _within(wanted: list[RawOperation], lines: Sequence[Observation]) -> list[RawOperation]:
    """Return as many operations as leave a good part; what is too much waits for the next reflection."""
    sizes = [len(o.text.split()) for o in lines]
    left, found = sum(sizes), []
    for operation in wanted:
        gone = [sizes[n - 1] for n in operation["lines"]]
        left -= sum(gone) - (max(gone) if operation["op"] == "merge" else 0)
        if left < LEAST_LEFT * sum(sizes):
            break
        found.append(operation)
    return found
