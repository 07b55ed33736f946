"""The built-in reflector: what a newer line replaces, what is said twice, what cannot be true together.

It asks for the same operations as a model would, and is held to the same laws.
`doubled`, `expired` and `followed` need no judgement and are done whichever engine is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TypedDict

from koog.core.named import NamedTuple
from koog.core.text import compare
from koog.core.text.measures import normal
from koog.observe import observations, reflection_laws
from koog.observe.observations import Observation

MOST_ALIKE = 5  # other lines that one which is paired may be like: of many like sentences most would be pairs
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
    """Return the operations: what is replaced, what is said twice, what is opposed.

    What goes makes words rare that were common, and so other lines worth comparing: until nothing more is found.
    """
    lines = given.lines
    by: dict[int, int] = {}  # a line that is replaced → the newest that replaces it
    same: dict[int, set[int]] = defaultdict(set)
    opposed: dict[tuple[int, int], str] = {}
    gone = -1
    while gone < len(by) + sum(map(len, same.values())):
        gone = len(by) + sum(map(len, same.values()))
        _compare(given, [n for n in range(len(lines)) if n not in by], by, same, opposed)
    links: list[RawOperation] = [
        {"op": "link", "lines": [old + 1, new + 1], "reason": reason} for (old, new), reason in opposed.items()
    ]
    replaced = [_replaced(old, new, lines) for old, new in sorted(by.items())]
    return {"operations": [*_within([*replaced, *_repeats(lines, same, by)], lines), *links]}


def _compare(
    given: ReflectInput,
    left: Sequence[int],
    by: dict[int, int],
    same: dict[int, set[int]],
    opposed: dict[tuple[int, int], str],
) -> None:
    """Compare the lines that are left; add what is found."""
    lines = given.lines
    shorter = {n for n in same for other in same[n] if len(lines[other].text) > len(lines[n].text)}
    left = [n for n in left if n not in shorter]
    for i, j in ((left[a], left[b]) for a, b in compare.candidates([lines[n].text for n in left])):
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
            opposed[old, new] = found.reason


def doubled(lines: Sequence[Observation]) -> list[RawOperation]:
    """Return which lines are to be one because they stand there twice."""
    same: dict[str, list[int]] = defaultdict(list)
    for n, o in enumerate(lines, 1):
        same[normal(o.text)].append(n)
    return [{"op": "merge", "lines": ns, "reason": "stands there twice"} for ns in same.values() if len(ns) > 1]


def expired(lines: Sequence[Observation], today: date) -> list[RawOperation]:
    """Return which lines are to go by their age: 🟢 ones over a week old."""
    why = f"🟢 and over {reflection_laws.LOW_DAYS} days old"
    return [
        {"op": "remove", "lines": [n], "reason": f"{why} ({o.day})"}
        for n, o in enumerate(lines, 1)
        if reflection_laws.expired(o, today)
    ]


def followed(lines: Sequence[Observation]) -> list[RawOperation]:
    """Return which lines are to name each other, since the newer may tell what has become of the older.

    Both stay: it is for who reads them beside each other. One that is like many others is no part of a pair.
    """
    crowd = _crowd([o.text for o in lines])

    def is_older(a: int, b: int) -> bool:
        if a in crowd or b in crowd:
            return False
        return lines[a].session != lines[b].session and reflection_laws.older(lines[a], lines[b])

    pairs = compare.followed([o.text for o in lines], is_older)
    return [
        {"op": "link", "lines": [old + 1, new + 1], "reason": "may be one matter at two times"} for old, new in pairs
    ]


def _crowd(texts: Sequence[str]) -> set[int]:
    """Return the places of the texts that are one sentence with more than MOST_ALIKE others, but for what differs."""
    like: Counter[int] = Counter()
    for pair in compare.candidates(texts):
        # Where both are in the crowd already there is nothing to learn: a file has many thousand candidates.
        if min(like[n] for n in pair) <= MOST_ALIKE and reflection_laws.are_alike(*(texts[n] for n in pair)):
            like.update(pair)
    return {n for n, others in like.items() if others > MOST_ALIKE}


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
    sizes = [observations.words(observations.written(o)) for o in lines]
    left, found = sum(sizes), []
    for operation in wanted:
        gone = [sizes[n - 1] for n in operation["lines"]]
        left -= sum(gone) - (max(gone) if operation["op"] == "merge" else 0)
        if left < LEAST_LEFT * sum(sizes):
            break
        found.append(operation)
    return found
