"""What a model asks for, made operations of the stores: its numbers are lines, its names entities.  [moltbot §10.3]

What names no line, a line that there is not, or something that is no operation, is refused by itself, with the reason;
the laws look at the others (laws.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from koog.consolidate import laws
from koog.consolidate.about import Subject
from koog.consolidate.drafts import Drafts
from koog.consolidate.plan import Operation
from koog.consolidate.survey import Said, Survey
from koog.core.refused import Refusal, refusal
from koog.memory.names import mentions
from koog.memory.store import episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.core_memory import TITLES
from koog.memory.store.procedures import Procedure

MOST = 200  # operations of one answer
WEIGHTS = {"fact": 1.8, "replace": 2.8, "oppose": 2.5, "relation": 1.0, "procedure": 2.0, "archive": 0.3}
CORE_WEIGHT = 2.2
REASON_CHARS = 160


class Anchored:
    """Operations, and the rows that are none."""

    def __init__(self, operations: list[Operation], unread: list[Refusal]) -> None:
        self.operations, self.unread = operations, unread

    def add(self, other: Anchored) -> None:
        self.operations += other.operations
        self.unread += other.unread


class NoOperation(Exception):
    """Why a row is no operation."""


def extraction(rows: Sequence[dict[str, Any]], told: Sequence[Said], survey: Survey, drafts: Drafts) -> Anchored:
    """Return the operations of phase 3."""
    return _each(rows, lambda row: _extracted(row, _named(row.get("lines"), told), told, survey, drafts))


def rewriting(rows: Sequence[dict[str, Any]], told: Sequence[Said], survey: Survey, drafts: Drafts) -> Anchored:
    """Return the operations of phase 4."""
    return _each(rows, lambda row: _rewritten(row, told, survey, drafts))


def _each(rows: Sequence[dict[str, Any]], made: Callable[[dict[str, Any]], Operation]) -> Anchored:
    found = Anchored([], [])
    for row in rows[:MOST]:
        shown = " ".join(str(row.get(key) or "") for key in ("op", "entity", "text")).strip()
        try:
            found.operations.append(made(row))
        except NoOperation as e:
            found.unread.append(refusal(shown, str(e)))
    found.unread += [Refusal(text="", reason=f"more than {MOST} operations in one answer")] * len(rows[MOST:])
    return found


def _named(numbers: Any, told: Sequence[Said]) -> list[Said]:
    """Return the lines of some numbers. Raises NoOperation."""
    wanted = list(dict.fromkeys(numbers or ()))
    if not wanted:
        raise NoOperation("it names no line")
    if unknown := [n for n in wanted if not 0 < n <= len(told)]:
        raise NoOperation(f"there is no line {unknown[0]}")
    return [told[n - 1] for n in wanted]


def _extracted(
    row: dict[str, Any], said: Sequence[Said], told: Sequence[Said], survey: Survey, drafts: Drafts
) -> Operation:
    op, text = row["op"], lines.words(row.get("text") or "")
    more: dict[str, Any] = {"reason": _reason(row, survey), "weight": WEIGHTS[op]}
    if op == "archive":
        return _archived(said, survey, drafts, more)
    if op == "procedure":
        steps = tuple(filter(None, (lines.words(step) for step in row.get("steps") or ())))
        name = ids.slug(text)[:60].strip("-")
        if not steps or not name:
            raise NoOperation("a procedure has steps, and says when it is called for")
        return drafts.procedure(Procedure(name, text, steps), said, **more)
    if op in ("replace", "oppose"):
        (old,) = _named([row.get("old") or 0], told)
        if not old.entity:
            raise NoOperation(f"line {row['old']} is no fact")
        if op == "replace":
            return drafts.replaced(old, said, text, **more)
        return drafts.opposed(old, said[-1], None, text, **more)
    subject = _subject(survey, row.get("entity"), row.get("type"))
    if op == "fact":
        confidence = episodes.HIGH if len({each.day for each in said}) > 1 else episodes.MEDIUM
        return drafts.fact(subject.id, subject.name, said, text, confidence=confidence, **more)
    to = _subject(survey, row.get("to"), None)
    relation = lines.words(row.get("relation") or "relates-to")
    if subject.is_new or to.is_new or subject.id == to.id:
        raise NoOperation("a relation links two entities that are there")
    return drafts.relation(subject.id, relation, to.id, said, confidence=episodes.MEDIUM, **more)


def _archived(said: Sequence[Said], survey: Survey, drafts: Drafts, more: dict[str, Any]) -> Operation:
    found = [survey.memories[each.id] for each in said if each.id in survey.memories]
    if len(found) != len(said) or len({each.store for each in found}) > 1:
        raise NoOperation("only episodes are archived line by line")
    told = said[0].text if len(said) == 1 else f"{len(said)} episodes"
    return drafts.archived(found, told, **more)


def _subject(survey: Survey, name: Any, kind: Any) -> Subject:
    """Return the entity that is meant. Raises NoOperation."""
    told = lines.words(str(name or ""))
    if told in survey.entities:
        return Subject(told, survey.entities[told].label)
    if not ids.slug(told):
        raise NoOperation("it names no entity")
    kind = kind if kind in ids.ENTITY_TYPES else mentions.CONCEPT
    meant = survey.names.meant(told, kind)
    if meant.is_open:
        raise NoOperation(f"{told[:60]!r} may be several")
    if meant.id:
        return Subject(meant.id, told)
    return Subject(ids.entity(kind, told), told, is_new=True)


def _rewritten(row: dict[str, Any], told: Sequence[Said], survey: Survey, drafts: Drafts) -> Operation:
    op, text = row["op"], lines.words(row.get("text") or "")
    more: dict[str, Any] = {"reason": _reason(row, survey), "weight": CORE_WEIGHT}
    if op == "add":
        block = str(row.get("block") or "").casefold()
        if block not in TITLES:
            raise NoOperation(f"{block[:20]!r} is no block of MEMORY.md")
        return drafts.core(block, _named(row.get("lines"), told), text, **more)
    at = row.get("line") or 0
    if not 0 < at <= len(survey.core):
        raise NoOperation(f"there is no line {at} in MEMORY.md")
    entry = survey.core[at - 1]
    if not entry.block or entry.id not in survey.core_lines:
        raise NoOperation(f"line {at} of MEMORY.md is a person's own")
    old = survey.core_lines[entry.id]
    if op == "remove":
        return drafts.demoted(old, entry.block, **more)
    return drafts.core(entry.block, _named(row.get("lines"), told), text, old=old, **more)


def _reason(row: dict[str, Any], survey: Survey) -> str:
    told = laws.sentence(survey.run, str(row.get("reason") or ""))
    return told[:REASON_CHARS] or "the model gave no reason that can be told"
