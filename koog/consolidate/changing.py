"""What one operation does to the texts of the stores, by the stores' own changing.  [moltbot §10.6]

Each is a function of a file's present text: what a person has changed meanwhile stays, and where the line that an
operation is about is not there any more, it does not fit (Misfit). Pure.
"""

from __future__ import annotations

from functools import partial

from koog.consolidate import core_changing
from koog.consolidate.plan import ARCHIVE, CORE, EPISODE, FACT, OPPOSE, PROCEDURE, RELATION, REPLACE, Operation
from koog.consolidate.plan_rows import Misfit, Place, Step, line, with_item, with_row
from koog.memory.store import entities, ids
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections


def steps(op: Operation, at: Place) -> list[Step]:
    """Return what an operation does to files; of one that changes a status alone nothing."""
    if op.kind == ARCHIVE:
        return []
    if op.kind == CORE:
        return core_changing.steps(op, at)
    if op.kind == EPISODE:
        return [Step(op.file, partial(core_changing.logged, said=line(op.after or ""), at=at, op=op))]
    if op.kind == PROCEDURE:
        return [Step(op.file, partial(_procedure, op=op))]
    made = {FACT: _fact, RELATION: _relation, OPPOSE: _opposed}.get(op.kind, _replaced)
    return [Step(op.file, partial(made, op=op, at=at))]


def _fact(text: str, *, op: Operation, at: Place) -> str:
    """Put a line under a heading of an entity, which is made where there is none."""
    text = text or entities.new(op.target, label=op.name, today=at.plan.day)
    said = line(op.after or "")
    _check_new(text, op.target, said)
    return _dated(with_item(text, op, at), at.plan.day)


def _check_new(text: str, entity: str, said: Line) -> None:
    if any(f.line.hash == said.hash and not f.line.is_past for f in entities.read(text, entity, "").facts()):
        raise Misfit("it is known by now")


def _replaced(text: str, *, op: Operation, at: Place) -> str:
    """Put a line in the place of another, which stays and says until when it held."""
    entity, said = ids.parse(op.target).entity, line(op.after or "")
    old = _held(text, op)
    if op.after is None:
        day, by = op.day or at.plan.day, op.sources[-1]
        return _dated(Sections(text, op.file).marked(old.item, **{lines.UNTIL: day, lines.BY: by}), at.plan.day)
    _check_new(text, entity, said)
    day = said.values.get(lines.SINCE, at.plan.day)
    by = f"{ids.FACT}:{entity}:{said.hash}"
    marked = Sections(text, op.file).marked(old.item, **{lines.UNTIL: day, lines.BY: by})
    return _dated(with_item(marked, op, at), at.plan.day)


def _opposed(text: str, *, op: Operation, at: Place) -> str:
    """Put a line beside one with which it cannot hold: each names the other, and the entity asks which holds."""
    entity, said = ids.parse(op.target).entity, line(op.after or "")
    by = f"{ids.FACT}:{entity}:{said.hash}"
    if op.name:  # the older side is none of its facts yet
        text = text or entities.new(entity, label=op.name, today=at.plan.day)
        _check_new(text, entity, Line(op.before or ""))
        first = Line(op.before or "", said.label, {lines.SINCE: op.day or at.plan.day, lines.AGAINST: by})
        text = with_row(text, op.file, op.anchor, first.raw, entities.ORDER, at.later(op))
    else:
        old = _held(text, op)
        text = Sections(text, op.file).marked(old.item, **{lines.AGAINST: by})
    if all(f.line.hash != said.hash or f.line.is_past for f in entities.read(text, entity, "").facts()):
        text = with_item(text, op, at)
    asked = question(op.before or "", said.text)
    row = Line(asked, said.label, {lines.AGAINST: f"{op.target};{by}"}).raw
    made = with_row(text, op.file, entities.QUESTIONS, row, entities.ORDER, _questions_below(op, at))
    return _dated(made, at.plan.day)


def question(old: str, new: str) -> str:
    """Return what an entity asks of two lines that cannot both hold."""
    return f"Which holds: “{old}” or “{new}”?"


def _questions_below(op: Operation, at: Place) -> frozenset[str]:
    at_op = next((n for n, each in enumerate(at.plan.operations) if each.id == op.id), len(at.plan.operations))
    later = [e for e in at.plan.operations[at_op + 1 :] if e.kind == OPPOSE and e.file == op.file]
    return frozenset(ids.of_words(question(e.before or "", line(e.after or "").text)) for e in later)


def _held(text: str, op: Operation) -> entities.Fact:
    """Return the line that an operation is about, as it stood when it was proposed. Raises Misfit."""
    entity = ids.parse(op.target).entity
    for fact in entities.read(text, entity, op.file).facts():
        if fact.id == op.target and not fact.line.is_past and fact.line.text == line(op.before or "").text:
            return fact
    raise Misfit("the line has changed, or is gone")


def _relation(text: str, *, op: Operation, at: Place) -> str:
    """Link an entity with another."""
    if not text:
        raise Misfit(f"{op.target} is gone")
    new = next(entities.edges_of(op.target, op.after or ""), None)
    held = {(e.start, e.relation, e.to) for e in entities.read(text, op.target, op.file).edges}
    if new is None or (new.start, new.relation, new.to) in held:
        raise Misfit("they are linked by now")
    return _dated(with_item(text, op, at), at.plan.day)


def _procedure(text: str, *, op: Operation) -> str:
    if text:
        raise Misfit("there is a procedure of that name by now")
    return op.after or ""


def _dated(text: str, day: str) -> str:
    """Return an entity's file that says when it was changed last, never earlier than it said."""
    known = entities.read(text, "", "").fields.get(entities.UPDATED, "")
    return entities.with_field(text, entities.UPDATED, max(known, day))


def made_id(op: Operation) -> str:
    """Return the id of what an operation puts into a store, "" for none."""
    said = line(op.after).hash if op.after else ""
    if op.kind == FACT:
        return f"{ids.FACT}:{op.target}:{said}"
    if op.kind in (OPPOSE, REPLACE) and op.after:
        return f"{ids.FACT}:{ids.parse(op.target).entity}:{said}"
    if op.kind == RELATION:
        return f"{ids.ENTITY}:{op.target}"
    if op.kind == PROCEDURE:
        return op.target
    return f"{ids.CORE}:{said}" if op.kind == CORE and op.after else ""
