"""Entity files, changed: an entity made, a fact put in and what it takes the place of, two linked.  [moltbot §6]"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from koog.core.lazy_regex import compiled
from koog.core.text.compare import CONTRADICTS, SAME, SUPERSEDES
from koog.memory.fading import accesses
from koog.memory.names import spelling
from koog.memory.names.entries import Name
from koog.memory.store import entities, graph_index, ids
from koog.memory.store import line as lines
from koog.memory.store.change import NOTHING, Change
from koog.memory.store.drafts import Stored, compared, whole
from koog.memory.store.line import Line
from koog.memory.store.memories import SEMANTIC
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from koog.memory.names.known import Known
    from koog.memory.store.drafts import Drafts
    from koog.memory.store.entities import Fact
    from koog.sessions.labels import Label


class EntityWriter:
    """Changes the files of entities."""

    def __init__(self, drafts: Drafts, names: Known) -> None:
        self.drafts, self.names = drafts, names
        self._read: dict[str, tuple[str, entities.Entity]] = {}  # id → a text and what it says

    def entity(self, id_: str, name: str) -> None:
        """Make an entity's file where it has none, and keep the name by which it was called."""
        file = self.drafts.file(self.drafts.in_memory(entities.path(id_)))
        if not file.now:
            file.apply(whole(entities.new(id_, label=name, today=self.drafts.place.day)), f"{ids.ENTITY}:{id_}")
            self._vocabulary()
            self._learn(id_)
            return
        read = self._entity(id_)
        said = set(spelling.key(name).split())
        if not any(said <= set(spelling.key(each).split()) for each in read.names):  # a part of a name is no other name
            file.apply(
                lambda text: entities.with_alias(text, entities.read(text, id_, ""), name), f"{ids.ENTITY}:{id_}"
            )
            self._learn(id_)

    def fact(
        self,
        id_: str,
        line: Line,
        *,
        section: str = entities.FACTS,
        replaces: str = "",
        change: Change = NOTHING,
    ) -> Stored:
        """Put a fact into its entity's file, whose name is an entity's that is there.

        change    what else it takes the place of, and beside what it stands
        """
        path = self.drafts.in_memory(entities.path(id_))
        file, read = self.drafts.file(path), self._entity(id_)
        if section == entities.TIMELINE:
            line = Line(f"{self.drafts.place.day}: {line.text}", line.label, line.values)
        fact_id = f"{ids.FACT}:{id_}:{line.hash}"
        replaced, against = list[str](), list[str]()
        for each in read.facts():
            if each.line.is_past:
                continue
            is_beside = line.opposes(each.line) or each.id in change.against
            kind = CONTRADICTS if is_beside else compared(each.line, line)
            is_told = (each.id == replaces and self.drafts.may_replace(each.line)) or each.id in change.replaced
            if is_told or (kind == SUPERSEDES and not replaces):
                replaced.append(each.id)
            elif kind == SAME:
                return Stored(each.id, SEMANTIC, path, created=False)
            elif kind == CONTRADICTS and not replaces:
                against.append(each.id)
        today, stays = self.drafts.place.day, change.kept
        beside = tuple(id_ for id_ in change.beside if id_ not in replaced)
        made = Change((*replaced, *stays.replaced), (*against, *stays.against), beside)
        new = made.told(line.with_values(**{lines.SINCE: today}))

        def op(text: str) -> str:
            for old in replaced:
                text = _marked(text, id_, old, **{lines.UNTIL: today, lines.BY: fact_id})
            for other in against:
                text = _marked(text, id_, other, **{lines.AGAINST: fact_id})
            grown = Sections(text, path).with_item(section, new.raw, order=entities.ORDER)
            return entities.with_field(grown, entities.UPDATED, today)

        file.apply(op, fact_id)
        self.drafts.change(fact_id, made)
        return Stored(fact_id, SEMANTIC, path, created=True, replaced=made.replaced, against=made.named)

    def said(self, id_: str, line: Line) -> Stored | None:
        """Return the fact of an entity that has the very same words, was put today and holds."""
        found = self._of_today(id_).get((line.hash, line.label))
        return found if found and self.holds(found.id) else None

    def holds(self, fact_id: str) -> bool:
        """Return whether a fact holds."""
        return any(each.id == fact_id for each in self.held(ids.parse(fact_id).entity))

    def said_of_any(self, line: Line) -> Stored | None:
        """Return the fact, of whatever entity, that had the very same words put today before this writer began; it may
        be over since.
        """
        return self._of_all.get((line.hash, line.label))

    @cached_property
    def _of_all(self) -> dict[tuple[str, Label], Stored]:
        today = date.fromisoformat(self.drafts.place.day)
        days = [(today + timedelta(days=n)).isoformat() for n in (-1, 0, 1)]  # what is logged is in UTC
        months = dict.fromkeys(f"{accesses.FOLDER}/{day[:7]}.jsonl" for day in days)  # where `decay run` puts them
        logs = (self.drafts.door.text(self.drafts.in_memory(path)) or "" for path in (*months, accesses.FILE))
        recent = "".join(log[min(_at(log, day) for day in days) :] for log in logs)
        put = dict.fromkeys(compiled(rf'"{ids.ENTITY}:([^"]+)","op":"{accesses.WRITE}"').findall(recent))
        return {key: told for id_ in put for key, told in self._of_today(id_).items()}

    def _of_today(self, id_: str) -> dict[tuple[str, Label], Stored]:
        today, path = self.drafts.place.day, self.drafts.in_memory(entities.path(id_))
        return {
            (each.line.hash, each.line.label): Stored(each.id, SEMANTIC, path, created=False)
            for each in self._entity(id_).facts(entities.FACTS)
            if today in (each.line.values.get(lines.SINCE), each.line.values.get(lines.UNTIL))
        }

    def held(self, id_: str) -> Iterator[Fact]:
        """Return the facts of an entity that hold."""
        return (fact for fact in self._entity(id_).facts(entities.FACTS) if not fact.line.is_past)

    def all_held(self) -> Iterator[tuple[str, Line]]:
        """Yield every fact that holds, with its id."""
        for each in self.names.entries:
            yield from ((fact.id, fact.line) for fact in self.held(each))

    def edge(self, start: str, relation: str, to: str, *, confidence: str) -> bool:
        """Link two entities that are there; False where they are linked so already."""
        read = self._entity(start)
        name = entities.relation(relation) or "relates-to"
        if start == to or any((e.start, e.relation, e.to) == (start, name, to) for e in read.edges):
            return False
        path, today = self.drafts.in_memory(entities.path(start)), self.drafts.place.day
        told = Line(
            f"{entities.told(name)}: [[{to}]]", self.drafts.place.label, {lines.SINCE: today, "confidence": confidence}
        )

        def op(text: str) -> str:
            made = Sections(text, path).with_item(entities.RELATIONS, told.raw, order=entities.ORDER)
            return entities.with_field(made, entities.UPDATED, today)

        self.drafts.file(path).apply(op, f"{ids.ENTITY}:{start}")
        return True

    def _learn(self, id_: str) -> None:
        """Let an entity be known by the names that its file is to have: what is told next may mean it."""
        read = self._entity(id_)
        self.names.learn(Name(id_, read.label, tuple(read.names), keyed=tuple(map(spelling.key, read.names))))

    def _entity(self, id_: str) -> entities.Entity:
        path = self.drafts.in_memory(entities.path(id_))
        now = self.drafts.file(path).now
        if id_ not in self._read or self._read[id_][0] != now:
            self._read[id_] = now, entities.read(now, id_, path)
        return self._read[id_][1]

    def _vocabulary(self) -> None:
        """Write relations.md with the first entity."""
        file = self.drafts.file(self.drafts.in_memory(graph_index.RELATIONS))
        if not file.now:
            file.apply(whole(graph_index.VOCABULARY), "the vocabulary of relations")


def _marked(text: str, entity: str, id_: str, **values: str) -> str:
    """Return an entity's file with more said of one of its lines; as it was where that line is gone."""
    for each in entities.read(text, entity, "").facts():
        if each.id == id_:
            return Sections(text, "").marked(each.item, **values)
    return text


def _at(log: str, day: str) -> int:
    """Return where the lines of a day begin in a log; its end, where it has none."""
    at = log.find(f'{{"ts":"{day}')
    return at if at >= 0 else len(log)
