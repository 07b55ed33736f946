"""memory/meta/reflection-log.md: every reflection, and what became of it; a file that only grows.  [moltbot §10.6]

    # Reflection Log

    ## r-012 — 2026-02-03 — partial
    - **Trigger**: scheduled, 2026-02-03T03:00:00Z, engine builtin
    - **Proposed**: 4 fact, 1 relation, 2 archive
    - **Applied**: o1 o2
    - **With changes**: o2
    - **Rejected**: o3 — I might need it
    - **Rejected by an agent**: o5 — it is out of date
    - **Left out**: o4 — the line has changed, or is gone
    - **About**: person--alex, project--atlas

Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from koog.consolidate.plan import FACT, MOST, PROCEDURE, RELATION, REPLACE, Operation, Plan, number
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import ids

NAME = "meta/reflection-log.md"  # in the memory folder
HEADER = "# Reflection Log\n"
APPROVED, PARTIAL, REJECTED, UNANSWERED = "approved", "partial", "rejected", "unanswered"
WITHDRAWN = "withdrawn"  # a rollback took back what was applied of it until then: rollback.py writes it
HEADING = r"(?m)^## (r-\d{3,12}) — (\d{4}-\d\d-\d\d) — ([a-z]+)"
ABOUT = r"(?m)^- \*\*About\*\*: (.*)$"
REFUSED = r"(?m)^- \*\*Rejected\*\*: [^—\n]+ — (.+)$"
MOST_WHY = 200


class Logged(NamedTuple):
    """One entry: of which reflection, the day, what became of it; what it learned about; why something was refused."""

    id: str
    day: str
    outcome: str
    about: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def read(text: str) -> list[Logged]:
    """Return the entries of a log, in their order."""
    found = list(compiled(HEADING).finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    rows = []
    for each, end in zip(found, ends, strict=False):
        told = compiled(ABOUT).search(text, each.end(), end)
        about = tuple(filter(None, (part.strip() for part in told[1].split(",")))) if told else ()
        refused = tuple(why[1] for why in compiled(REFUSED).finditer(text, each.end(), end))
        rows.append(Logged(each[1], each[2], each[3], about, refused))
    return rows


def highest(text: str) -> int:
    """Return the number of the newest reflection; one that nobody could follow is none of koog's."""
    return max((n for each in read(text) if (n := number(each.id)) <= MOST), default=0)


def count(text: str) -> int:
    """Return how many reflections there were."""
    return len({each.id for each in read(text)})


def entry(
    plan: Plan,
    outcome: str,
    day: str,
    *,
    applied: Sequence[Operation] = (),
    rejected: Mapping[str, str] | None = None,
    left: Mapping[str, str] | None = None,
    reworded: Collection[str] = (),
    by_agent: bool = False,
) -> str:
    """Return one entry, with the blank line before it.

    day             on which it was decided
    rejected, left  id of an operation → why
    reworded        ids of what says a person's own words, and not what was proposed
    by_agent        no person has rejected it: it is told otherwise, and is nothing that the user has refused
    """
    kinds = Counter(op.kind for op in plan.operations)
    rows = [
        f"\n## {plan.id} — {day} — {outcome}",
        f"- **Trigger**: {plan.trigger}, {plan.made}, engine {plan.engine}",
        f"- **Proposed**: {', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items())) or 'nothing'}",
    ]
    if applied:
        rows.append(f"- **Applied**: {' '.join(op.id for op in applied)}")
    if own := [op.id for op in applied if op.id in reworded]:
        rows.append(f"- **With changes**: {' '.join(own)}")
    title = "Rejected by an agent" if by_agent else "Rejected"
    rows += [f"- **{title}**: {told}" for told in _grouped(rejected or {})]
    rows += [f"- **Left out**: {told}" for told in _grouped(left or {})]
    if about := subjects(applied):
        rows.append(f"- **About**: {', '.join(about)}")
    return "\n".join(rows) + "\n"


def subjects(applied: Sequence[Operation]) -> list[str]:
    """Return what operations are about, each once."""
    found = []
    for op in applied:
        if op.kind in (FACT, RELATION):
            found.append(op.target)
        elif op.kind in (REPLACE, "oppose"):
            found.append(ids.parse(op.target).entity)
        elif op.kind == PROCEDURE:
            found.append(op.target)
    return list(dict.fromkeys(found))


def _grouped(told: Mapping[str, str]) -> list[str]:
    """Return ids with their reason, those of one reason together."""
    by_why: dict[str, list[str]] = {}
    for id_, why in told.items():
        by_why.setdefault(" ".join(why.split())[:MOST_WHY], []).append(id_)
    return [f"{' '.join(found)} — {why}" for why, found in by_why.items()]
