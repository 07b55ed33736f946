"""Operations made of what was said, each with its file, heading and row: for both engines. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from koog.consolidate import plan_rows
from koog.consolidate.forms import STORE_OF
from koog.consolidate.plan import ARCHIVE, CORE, EPISODE, FACT, OPPOSE, PROCEDURE, RELATION, REPLACE, Operation
from koog.consolidate.survey import Said
from koog.memory.store import core_memory, entities, episodes, ids, procedures
from koog.memory.store import line as lines
from koog.memory.store.core_memory import TITLES
from koog.memory.store.line import Line
from koog.memory.store.memories import Memory
from koog.memory.store.procedures import Procedure
from koog.sessions import labels

if TYPE_CHECKING:
    from koog.consolidate.about import Subject


class Drafts:
    """Makes operations for one workspace. memory: the memory folder's path of a name; day: the user's"""

    def __init__(self, memory: Callable[[str], str], day: str) -> None:
        self.memory, self.day = memory, day

    def fact(self, entity: str, name: str, said: Sequence[Said], text: str = "", **more: Any) -> Operation:
        """Put a line under an entity. said: what it is made of, whose last one gives the words"""
        row = self._row(said, text, min((s.day for s in said if s.day), default=self.day))
        return self._made(FACT, self._entity(entity), entities.FACTS, entity, said, after=row, name=name, **more)

    def replaced(self, old: Said, said: Sequence[Said], text: str = "", **more: Any) -> Operation:
        """Put a line in the place of a fact."""
        values = {lines.REPLACES: old.id}
        row = self._row(said, text, said[-1].day or self.day, **values)
        return self._made(
            REPLACE, self._entity(old.entity), entities.FACTS, old.id, said, after=row, before=old.text, **more
        )

    def ended(self, old: Said, newer: Said, **more: Any) -> Operation:
        """Say of a fact until when it held, where what took its place stands already."""
        file = self._entity(old.entity)
        before = Line(old.text, old.label).raw
        return self._made(REPLACE, file, entities.FACTS, old.id, [old, newer], before=before, day=newer.day, **more)

    def opposed(self, old: Said, new: Said, subject: Subject | None, text: str = "", **more: Any) -> Operation:
        """Put a line beside a fact with which it cannot hold. subject: whose the older one is to be"""
        entity = old.entity or (subject.id if subject else "")
        target = f"{ids.FACT}:{entity}:{Line(old.text).hash}"
        row = self._row([new], text, new.day or self.day, **{lines.AGAINST: target})
        name = "" if old.entity or not subject else subject.name
        file, said = self._entity(entity), [old, new]
        return self._made(
            OPPOSE, file, entities.FACTS, target, said, after=row, before=old.text, name=name, day=old.day, **more
        )

    def relation(
        self, start: str, relation: str, to: str, said: Sequence[Said], *, confidence: str, **more: Any
    ) -> Operation:
        """Link two entities."""
        first = min((s.day for s in said if s.day), default=self.day)
        values = {lines.SINCE: first, lines.CONFIDENCE: confidence}
        label = said[0].label if said else labels.NONE
        row = Line(f"{entities.told(entities.relation(relation))}: [[{to}]]", label, values).raw
        file = self._entity(start)
        return self._made(RELATION, file, entities.RELATIONS, start, said, after=row, confidence=confidence, **more)

    def procedure(self, found: Procedure, said: Sequence[Said], **more: Any) -> Operation:
        """Keep how something is done."""
        label = said[-1].label if said else labels.NONE
        learned = ", ".join(f"{s.id.removeprefix('episode:')}" for s in said[: plan_rows.MOST_OF])
        text = procedures.new(found, today=self.day, label=label, learned=f"Episodes {learned}")
        file, target = self.memory(procedures.path(found.name)), f"{ids.PROCEDURE}:{found.name}"
        return self._made(PROCEDURE, file, "", target, said, after=text, name=found.name, **more)

    def core(
        self, block: str, said: Sequence[Said], text: str = "", *, old: Said | None = None, **more: Any
    ) -> Operation:
        """Put a line into MEMORY.md, or in the place of one there."""
        row = text or said[-1].text
        target = old.id if old else f"{ids.CORE}:{Line(row).hash}"
        row = Line(row, said[-1].label, self._of(said)).raw
        before = old.text if old else None
        return self._made(CORE, core_memory.FILE, TITLES[block], target, said, after=row, before=before, **more)

    def demoted(self, old: Said, block: str, newer: Said | None = None, **more: Any) -> Operation:
        """Take a line out of MEMORY.md; it is logged among the day's episodes. newer: what takes it back"""
        said = [old, newer] if newer else [old]
        return self._made(CORE, core_memory.FILE, TITLES[block], old.id, said, before=old.text, **more)

    def episode(self, text: str, **more: Any) -> Operation:
        """Log a line under the day."""
        file = self.memory(episodes.path(self.day))
        return self._made(EPISODE, file, "", self.day, [], after=Line(text).raw, **more)

    def archived(self, found: Sequence[Memory], told: str, **more: Any) -> Operation:
        """Archive memories of one store."""
        first = found[0]
        before = Line(told, first.label).raw
        op = self._made(ARCHIVE, first.path, "", first.id, [], before=before, store=first.store, **more)
        return op._replace(sources=tuple(each.id for each in found))

    def _entity(self, id_: str) -> str:
        return self.memory(entities.path(id_))

    def _row(self, said: Sequence[Said], text: str, since: str, **values: str) -> str:
        label = said[-1].label if said else labels.NONE
        return Line(text or said[-1].text, label, {lines.SINCE: since, **values, **self._of(said)}).raw

    def _of(self, said: Sequence[Said]) -> dict[str, str]:
        heard = next((each.heard for each in reversed(said) if each.heard), "")
        made = ";".join(each.id for each in said[-plan_rows.MOST_OF :])
        return ({plan_rows.OF: made} if made else {}) | ({lines.HEARD: heard} if heard else {})

    def _made(
        self,
        kind: str,
        file: str,
        anchor: str,
        target: str,
        said: Sequence[Said],
        *,
        after: str | None = None,
        before: str | None = None,
        name: str = "",
        reason: str = "",
        confidence: str = episodes.MEDIUM,
        weight: float = 0.0,
        proposal: int | None = None,
        store: str = "",
        day: str = "",
    ) -> Operation:
        return Operation(
            "",
            kind,
            store or STORE_OF[kind],
            file,
            anchor,
            target,
            name,
            before,
            after,
            reason,
            tuple(each.id for each in said),
            confidence,
            True,
            round(weight, 3),
            proposal,
            day=day,
        )
