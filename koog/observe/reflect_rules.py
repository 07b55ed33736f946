"""The built-in reflector: what a newer line supersedes, what is said twice, what is long and old.

It asks for the same operations as a model would, and is held to the same laws.
`settled` is what needs no judgement and is done whichever engine is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple, TypedDict

from koog.core.lazy_regex import compiled
from koog.core.text.measures import stems
from koog.observe import likeness, reflection_laws
from koog.observe.observations import MEDIUM, Observation

LEAST_LEFT = 0.25  # share of the words that one reflection leaves; above the fifth that the laws ask for
MAIN_WORDS = 4  # content words that make a clause worth keeping without what follows it
SHORTER = 3  # words that a compression must save: less is not worth a changed line
# Where a sentence's main clause ends.
CLAUSE_END = (
    r"[;.!?](?= )| [—–-] | \((?=[^)]*\)?$)"
    r"|,? (?:because|since|although|though|which|whereas|while|after which|so that|as we|as it|in case)\b"
    r"|, (?:and|but|so|as|who|with|then)\b"
)


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
    """Return the operations: supersessions, then repeats, then compressions; each line in one of them at most."""
    taken: set[int] = set()
    near = likeness.pairs(given.lines)
    wanted = [
        *_superseded(given.lines, near, taken),
        *_repeats(given, near, taken),
        *_compressions(given, taken),
    ]
    return {"operations": _within(wanted, given.lines)}


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


def main_clause(text: str) -> str:
    """Return a text without what follows its main clause; numbers are kept, and so is what is short.

    >>> main_clause("Moved the nightly backup to the new disk, because the old one made a noise")
    'Moved the nightly backup to the new disk'
    """
    for end in compiled(CLAUSE_END).finditer(text):
        head, tail = text[: end.start()].rstrip(" ,;"), text[end.start() :]
        whole = head.count('"') % 2 == 0 and head.count("(") == head.count(")") and head.count("`") % 2 == 0
        if whole and len(stems(head)) >= MAIN_WORDS and not any(c.isdigit() for c in tail):
            return main_clause(head)  # so that another day finds nothing more to take away
    return text


def _superseded(lines: Sequence[Observation], near: Iterable[tuple[int, int]], taken: set[int]) -> list[RawOperation]:
    """Drop a line for the first newer one that changes the same subject."""
    found: list[RawOperation] = []
    for i, j in near:
        old, new = (i, j) if likeness.older(lines[i], lines[j]) else (j, i)
        if old not in taken and likeness.supersedes(lines[new], lines[old]):
            taken.add(old)
            reason = f"superseded on {lines[new].day}: {lines[new].text}"
            found.append({"op": "remove", "lines": [old + 1], "newer": new + 1, "reason": reason[:300]})
    return found


def _repeats(given: ReflectInput, near: Iterable[tuple[int, int]], taken: set[int]) -> list[RawOperation]:
    """Join lines that say the same as the first of them; of old 🟡 lines of one day nearly the same is enough."""
    groups: dict[int, RawOperation] = {}
    for i, j in near:
        if j in taken or (i in taken and i not in groups):
            continue
        if reason := _repeated(given.lines[i], given.lines[j], given.today):
            group = groups.setdefault(i, {"op": "merge", "lines": [i + 1], "reason": reason})
            group["lines"].append(j + 1)
            taken |= {i, j}
    return list(groups.values())


def _repeated(a: Observation, b: Observation, today: date) -> str:
    """Return why two lines are one, "" when they are two."""
    if likeness.duplicate(a, b):
        return "says the same"
    one_day = a.day == b.day and _old(a, today) and _old(b, today)
    if one_day and likeness.alike(a.text, b.text, least=likeness.LOOSELY):
        return f"one day, one subject, over {reflection_laws.MEDIUM_DAYS} days old"
    return ""


def _compressions(given: ReflectInput, taken: set[int]) -> list[RawOperation]:
    found: list[RawOperation] = []
    for n, o in enumerate(given.lines, 1):
        if n - 1 in taken or not _old(o, given.today):
            continue
        short = main_clause(o.text)
        if len(o.text.split()) - len(short.split()) >= SHORTER:
            reason = f"🟡 and over {reflection_laws.MEDIUM_DAYS} days old: its main clause"
            found.append({"op": "rewrite", "lines": [n], "text": short, "reason": reason})
    return found


def _old(o: Observation, today: date) -> bool:
    return o.mark == MEDIUM and (reflection_laws.age_days(o, today) or 0) > reflection_laws.MEDIUM_DAYS


def _within(wanted: list[RawOperation], lines: Sequence[Observation]) -> list[RawOperation]:
    """Return as many removals as leave a good part; what is too much waits for the next reflection."""
    left = total = sum(len(o.text.split()) for o in lines)
    found = []
    for operation in wanted:
        if operation["op"] == "remove":
            left -= len(lines[operation["lines"][0] - 1].text.split())
            if left < LEAST_LEFT * total:
                continue
        found.append(operation)
    return found
