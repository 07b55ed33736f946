"""What one operation does to the texts of the stores, by the stores' own changing.  [moltbot §10.6]

Each is a function of a file's present text: what a person has changed meanwhile stays, and where the line that an
operation is about is not there any more, it does not fit (Misfit). Rows of one plan stand in the plan's order,
whichever of them is approved first, so that a plan approved in parts gives what it gives at once. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from koog.consolidate.plan import (
    APPLIED,
    ARCHIVE,
    CORE,
    EPISODE,
    FACT,
    OPPOSE,
    PROCEDURE,
    RELATION,
    REPLACE,
    Operation,
    Plan,
)
from koog.core.text.untrusted import visible
from koog.memory.store import core_memory, entities, episodes, ids, procedures
from koog.memory.store import line as lines
from koog.memory.store.core_memory import TITLES
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections

Edit = Callable[[str], str]
OF = "of"  # in a line's comment: the memories that it was made of
MOST_OF = 5  # of them
ORDERS = {FACT: entities.ORDER, PROCEDURE: procedures.ORDER, CORE: tuple(TITLES.values())}


class Misfit(Exception):
    """Why an operation cannot be applied to what stands there now."""


class Step(NamedTuple):
    """One file that an operation taken_back."""

    path: str
    edit: Edit


class Place(NamedTuple):
    """A plan's moment, and where its files lie.

    memory  the memory folder's path of a name
    most    memory.coreTokens
    """

    plan: Plan
    memory: Callable[[str], str]
    most: int

    def later(self, op: Operation) -> frozenset[str]:
        """Return the figures of the lines of one heading that stand below an operation's in the plan."""
        at = next((n for n, each in enumerate(self.plan.operations) if each.id == op.id), len(self.plan.operations))
        same = [e for e in self.plan.operations[at + 1 :] if (e.file, e.anchor) == (op.file, op.anchor)]
        rows = [each.after for each in same] + [each.before for each in same if each.name and each.kind == OPPOSE]
        return frozenset(line(row).hash for row in rows if row)

    def episode(self) -> str:
        """Return the file of the plan's day."""
        return self.memory(episodes.path(self.plan.day))


def line(row: str) -> Line:
    """Return the line that a row is, with its mark or without."""
    return lines.read(row.removeprefix("- "))


def steps(op: Operation, at: Place) -> list[Step]:
    """Return what an operation does to files; of one that changes a status alone nothing."""
    if op.kind == ARCHIVE:
        return []
    if op.kind == CORE:
        return _core(op, at)
    if op.kind == EPISODE:
        return [Step(op.file, partial(_logged, said=line(op.after or ""), at=at, op=op))]
    if op.kind == PROCEDURE:
        return [Step(op.file, partial(_procedure, op=op))]
    made = {FACT: _fact, RELATION: _relation, OPPOSE: _opposed}.get(op.kind, _replaced)
    return [Step(op.file, partial(made, op=op, at=at))]


def _fact(text: str, *, op: Operation, at: Place) -> str:
    """Put a line under a heading of an entity, which is made where there is none."""
    text = text or entities.new(op.target, label=op.name, today=at.plan.day)
    said = line(op.after or "")
    _check_new(text, op.target, said)
    return _dated(_with_item(text, op, at), at.plan.day)


def _check_new(text: str, entity: str, said: Line) -> None:
    if any(f.line.hash == said.hash and not f.line.is_past for f in entities.read(text, entity, "").facts()):
        raise Misfit("it is known by now")


def _replaced(text: str, *, op: Operation, at: Place) -> str:
    """Put a line in the place of another, which stays and says until when it held."""
    entity, said = ids.parse(op.target).entity, line(op.after or "")
    old = _held(text, op)
    if op.after is None:
        day, by = _day_of(op.sources[-1], at), op.sources[-1]
        return _dated(Sections(text, op.file).marked(old.item, **{lines.UNTIL: day, lines.BY: by}), at.plan.day)
    _check_new(text, entity, said)
    day = said.values.get(lines.SINCE, at.plan.day)
    by = f"{ids.FACT}:{entity}:{said.hash}"
    marked = Sections(text, op.file).marked(old.item, **{lines.UNTIL: day, lines.BY: by})
    return _dated(_with_item(marked, op, at), at.plan.day)


def _opposed(text: str, *, op: Operation, at: Place) -> str:
    """Put a line beside one with which it cannot hold: each names the other, and the entity asks which holds."""
    entity, said = ids.parse(op.target).entity, line(op.after or "")
    by = f"{ids.FACT}:{entity}:{said.hash}"
    if op.name:  # the older side is none of its facts yet
        text = text or entities.new(entity, label=op.name, today=at.plan.day)
        _check_new(text, entity, Line(op.before or ""))
        first = Line(op.before or "", said.label, {lines.SINCE: _day_of(op.sources[0], at), lines.AGAINST: by})
        text = _with_row(text, op.file, op.anchor, first.raw, entities.ORDER, at.later(op))
    else:
        old = _held(text, op)
        text = Sections(text, op.file).marked(old.item, **{lines.AGAINST: by})
    if all(f.line.hash != said.hash or f.line.is_past for f in entities.read(text, entity, "").facts()):
        text = _with_item(text, op, at)
    asked = question(op.before or "", said.text)
    row = Line(asked, said.label, {lines.AGAINST: f"{op.target};{by}"}).raw
    made = _with_row(text, op.file, entities.QUESTIONS, row, entities.ORDER, _questions_below(op, at))
    return _dated(made, at.plan.day)


def _day_of(source: str, at: Place) -> str:
    """Return on which day an episode was said; of anything else the plan's."""
    kind, _, name = source.partition(":")
    return name[:10] if kind == ids.EPISODE else at.plan.day


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
        if fact.id == op.target and not fact.line.is_past and fact.line.text == op.before:
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
    return _dated(_with_item(text, op, at), at.plan.day)


def _procedure(text: str, *, op: Operation) -> str:
    if text:
        raise Misfit("there is a procedure of that name by now")
    return op.after or ""


# --- core memory


def _core(op: Operation, at: Place) -> list[Step]:
    """Change MEMORY.md; what gives way there is logged among the day's episodes."""
    found = [Step(core_memory.FILE, partial(_core_text, op=op, at=at))]
    if op.before:
        values = {lines.UNTIL: at.plan.day} | ({lines.BY: f"{ids.CORE}:{line(op.after).hash}"} if op.after else {})
        past = Line(op.before, values=values if op.after else {})
        found.append(Step(at.episode(), partial(_logged, said=past, at=at, op=op)))
    return found


def _core_text(text: str, *, op: Operation, at: Place) -> str:
    present = list(core_memory.entries(Sections(text, core_memory.FILE)))
    said = line(op.after) if op.after else None
    if said and any(each.line.hash == said.hash for each in present):
        raise Misfit("it stands in MEMORY.md by now")
    if op.before is None:
        made = _with_item(text or core_memory.new(at.most), op, at)
    else:
        old = next((e for e in present if e.id == op.target and e.line.text == op.before), None)
        if old is None:
            raise Misfit("the line has changed, or is gone")
        rows = text.split("\n")
        lead = rows[old.item.row][: len(rows[old.item.row]) - len(rows[old.item.row].lstrip())]
        put = [f"{lead}- {op.after}"] if op.after else []
        made = "\n".join((*rows[: old.item.row], *put, *rows[old.item.end :]))
    if core_memory.size(made, at.most).is_over and len(made) > len(text):
        raise Misfit("MEMORY.md has no room for it")
    return made


def _logged(text: str, *, said: Line, at: Place, op: Operation) -> str:
    """Put an entry of the night behind a day's episodes, before those of operations that come later in the plan."""
    entry = Episode(
        at.plan.day, minute(at.plan, op), said, confidence=op.confidence, source=episodes.REFLECTION, type="fact"
    )
    text = text or episodes.header(at.plan.day)
    known = episodes.read(text, at.plan.day, "")
    if any(each.line.hash == said.hash and each.source == episodes.REFLECTION for each in known):
        return text
    below = {(o.before or line(o.after or "").text, minute(at.plan, o)) for o in _behind(op, at)}
    rows = text.split("\n")
    first = min((e.row for e in known if (e.line.text, e.time) in below and e.source == entry.source), default=None)
    if first is None:
        return f"{text if text.endswith(chr(10)) else text + chr(10)}\n{entry.raw}"
    return "\n".join((*rows[:first], *entry.raw.split("\n"), *rows[first:]))


def _behind(op: Operation, at: Place) -> list[Operation]:
    every = at.plan.operations
    here = next((n for n, each in enumerate(every) if each.id == op.id), len(every))
    return [each for each in every[here + 1 :] if each.kind in (CORE, EPISODE)]


def minute(plan: Plan, op: Operation) -> str:
    """Return at which minute an operation's entry is logged: each has its own, so that its id is known before.

    At the end of a day they share the last one.
    """
    here = next((n for n, each in enumerate(plan.operations) if each.id == op.id), 0)
    total = min(int(plan.time[:2]) * 60 + int(plan.time[3:]) + here, 24 * 60 - 1)
    return f"{total // 60:02d}:{total % 60:02d}"


# --- rows


def _with_item(text: str, op: Operation, at: Place) -> str:
    order = ORDERS[CORE] if op.kind == CORE else entities.ORDER
    return _with_row(text, op.file, op.anchor, op.after or "", order, at.later(op))


def _with_row(text: str, path: str, title: str, row: str, order: tuple[str, ...], below: frozenset[str]) -> str:
    """Return a text with a bullet more, before the first of some others, else the last of its section."""
    found = Sections(text, path)
    first = next((i for i in found.items(title) if lines.read(i.text).hash in below), None)
    if first is None:
        return found.with_item(title, row, order=order)
    return "\n".join((*found.rows[: first.row], f"- {row}", *found.rows[first.row :]))


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


def shown(text: str) -> str:
    """Return a row's words as a person sees them: no comment, no mark."""
    return " ".join(visible(line(text).text).split())


def applied(plan: Plan, done: list[Operation]) -> Plan:
    """Return the plan, some of its operations applied."""
    return plan.with_states({op.id: APPLIED for op in done})
