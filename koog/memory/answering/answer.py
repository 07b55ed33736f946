"""A question and what was scored → the answer: what is told, what is weak, what is hidden.  [moltbot §9.2, §11]

"I don't know" is an answer: `found` is false where no line is sure, and the nearest are told as weak.
"""

from __future__ import annotations

from collections.abc import Sequence

from koog.core.named import NamedTuple
from koog.memory.answering import ranking
from koog.memory.answering.question import BEFORE, Question
from koog.memory.answering.scoring import Scored

LEAST_NEAR, PART_NEAR = 3, 4  # of lines that do not surely answer as many are told, or one of so many
AS_WELL = 0.85  # of a dormant line's relevance: what is awake and has less does not answer as well


class Told(NamedTuple):
    """A line that is told, and what it took the place of, the latest first."""

    scored: Scored
    replaced: tuple[Scored, ...] = ()


class Answer(NamedTuple):
    """What is told.

    told      what answers, the best first
    weak      the nearest, where nothing surely answers
    rest      where something does: what has less of the question, for whoever has room for it
    dormant   how many lines that have something of the question are not shown because they have faded
    archived  or because somebody has archived them
    """

    told: list[Told]
    weak: list[Told]
    dormant: int
    archived: int
    rest: tuple[Told, ...] = ()

    @property
    def found(self) -> bool:
        return bool(self.told)


def of(
    question: Question, found: Sequence[Scored], *, least: float, limit: int, dormant: bool, lines: int = 0
) -> Answer:
    """Return the answer.

    found    the best first
    least    relevance below which a line is none
    dormant  whether faded lines are asked for
    lines    how many are remembered, 0 where nobody counts: of a memory that has just begun not every line is near
    """
    near = max(LEAST_NEAR, lines // PART_NEAR) if lines else limit
    awake = [each for each in found if not each.standing.is_archived]
    archived = sum(each.standing.is_archived and each.relevance >= least for each in found)
    shown = awake if dormant else _as_well(awake)
    shows_past = BEFORE in question.kinds
    every = _with_replaced(shown, awake, shows_past=shows_past)
    told = [each for each in every if each.scored.relevance >= least]
    if any(each.scored.confidence >= ranking.SURE for each in told):
        hidden = sum(each.relevance >= least for each in awake) - sum(each.relevance >= least for each in shown)
        rest = [each for each in every if each.scored.relevance < least]
        return Answer(told[:limit], [], hidden, archived, tuple(rest[: max(0, min(near, limit - len(told)))]))
    return Answer([], _with_replaced(awake, awake, shows_past=shows_past)[: min(near, limit)], 0, archived)


def _as_well(found: Sequence[Scored]) -> list[Scored]:
    """Return the lines without those that have faded, but where nothing that has not answers as well."""
    best = max((each.relevance for each in found if not each.standing.is_dormant), default=0.0)
    return [each for each in found if not each.standing.is_dormant or best < AS_WELL * each.relevance]


def _with_replaced(shown: Sequence[Scored], every: Sequence[Scored], *, shows_past: bool) -> list[Told]:
    """Return the lines that hold, each with those that it took the place of; these alone where they are asked for."""
    olds: dict[str, list[Scored]] = {}
    for each in every:
        if each.item.by:
            olds.setdefault(each.item.by, []).append(each)
    present = {each.item.id for each in shown}
    rows = []
    for each in shown:
        if each.item.until and not shows_past and each.item.by in present:
            continue
        before = sorted(olds.get(each.item.id, ()), key=lambda old: old.item.until, reverse=True)
        rows.append(Told(each, tuple(before)))
    return rows
