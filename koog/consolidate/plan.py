"""One night's plan: operations, exactly as they would be applied, and questions.  [moltbot §10.6]

What is approved is the plan by its digest: of all that is written with it, and of nothing that became of it.
plan_file.py reads and writes it. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from koog.core import approval
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import ids
from koog.sessions import labels
from koog.sessions.labels import Label

SESSION = r"r-(\d{3,12})"
MOST = 10**12 - 2  # number that may be followed by another
FACT, REPLACE, OPPOSE, RELATION, PROCEDURE, ARCHIVE, CORE, EPISODE = KINDS = (
    "fact",
    "replace",
    "oppose",
    "relation",
    "procedure",
    "archive",
    "core",
    "episode",
)
WAITING, APPLIED, REJECTED, UNFIT, WITHDRAWN = STATES = (
    "waiting",
    "applied",
    "rejected",
    "unfit",
    "withdrawn",  # it was applied, and a rollback took it back
)
DIGEST_CHARS = 12


class Operation(NamedTuple):
    """One change, and why.

    kind        one of KINDS
    file        of the workspace
    anchor      the heading under which it stands
    target      what it is about: an entity's or procedure's id; of replace, oppose, archive and core the memory's
    name        how an entity is called that may have to be made
    before      the words of the line that gives way, as it stands there, with its comment where nothing takes its
                place; None where nothing gives way
    after       the row as it is to stand there, comment and all; None where nothing is put there
    sources     ids of the memories that it rests on
    reversible  whether `rollback session` takes all of it back
    weight      how much it is worth, for the order of a night
    proposal    the number of the proposal that it is, None for none
    day         of replace, on which was said that the line holds no more, where nothing takes its place; of oppose, on
                which the older line was said; "" where nobody knows
    state       what became of it
    """

    id: str
    kind: str
    store: str
    file: str
    anchor: str
    target: str
    name: str
    before: str | None
    after: str | None
    reason: str
    sources: tuple[str, ...]
    confidence: str = "medium"
    reversible: bool = True
    weight: float = 0.0
    proposal: int | None = None
    state: str = WAITING
    day: str = ""

    @property
    def is_waiting(self) -> bool:
        return self.state == WAITING

    @property
    def label(self) -> Label:
        """Return where was said what it tells."""
        return labels.of_line(self.after or self.before or "")

    @property
    def row(self) -> dict[str, Any]:
        """Return it as the file and `consolidate show` have it."""
        return {**self._asdict(), "sources": list(self.sources)}


class Question(NamedTuple):
    """Something that only a person knows.

    text     with a comment where it tells what was said in some project
    sources  ids of the memories that it is about
    about    by what it is known again, in whatever words it is asked
    """

    id: str
    text: str
    sources: tuple[str, ...] = ()
    about: str = ""

    @property
    def label(self) -> Label:
        """Return where was said what it tells."""
        return labels.of_line(self.text)

    @property
    def mark(self) -> str:
        """Return the figures by which it is known again."""
        return ids.of_words(self.about or self.text)


class Plan(NamedTuple):
    """What one reflection proposes.

    made        RFC 3339 in UTC; day, time: the user's
    trigger     scheduled, session-end, manual or threshold
    questions   for the person
    insights    heading of pending-reflection.md → what is told under it
    later       kind → how many operations wait for another night
    counts      what was looked at: episodes, entities, procedures, reflections, tokens, cap
    """

    id: str
    made: str
    day: str
    time: str
    engine: str
    trigger: str
    operations: tuple[Operation, ...]
    questions: tuple[Question, ...] = ()
    insights: dict[str, str] = {}  # noqa: RUF012  never changed
    later: dict[str, int] = {}  # noqa: RUF012  as above
    counts: dict[str, int] = {}  # noqa: RUF012  as above

    @property
    def number(self) -> int:
        return number(self.id)

    @property
    def waiting(self) -> list[Operation]:
        return [each for each in self.operations if each.is_waiting]

    @property
    def is_open(self) -> bool:
        """Return whether something of it still waits for a person's word."""
        return bool(self.waiting)

    @property
    def digest(self) -> str:
        """Return the digest of all that it would do, and of what is told and noted with it."""
        parts = [jsonfiles.line({**each.row, "state": "", "weight": 0}) for each in self.operations]
        told = [each.text for each in self.questions]
        return approval.digest(self.id, self.day, self.time, self.engine, jsonfiles.line([self.insights, told]), *parts)

    @property
    def shown_digest(self) -> str:
        """Return as much of the digest as a person is asked to repeat."""
        return self.digest[:DIGEST_CHARS]

    def with_states(self, states: dict[str, str]) -> Plan:
        """Return it with what became of some operations."""
        return self._replace(operations=tuple(o._replace(state=states.get(o.id, o.state)) for o in self.operations))

    def named(self, ids: Iterable[str]) -> list[Operation]:
        """Return operations by their ids, in the plan's order; of ids that it does not have none."""
        wanted = set(ids)
        return [each for each in self.operations if each.id in wanted]


def number(session: str) -> int:
    """Return which reflection an id is of, 0 for what is none.

    >>> number("r-012"), number("coffee")
    (12, 0)
    """
    found = compiled(SESSION).fullmatch(session)
    return int(found[1]) if found else 0


def session(number: int) -> str:
    """Return the id of a reflection.

    >>> session(12)
    'r-012'
    """
    return f"r-{number:03d}"


def chosen(plan: Plan, only: Collection[str], left: Collection[str]) -> list[Operation]:
    """Return the operations that wait and are meant. only: these alone, where any are named; left: not these"""
    return [each for each in plan.waiting if (not only or each.id in only) and each.id not in left]
