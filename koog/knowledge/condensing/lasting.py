"""The lines of a week that an engine wants elsewhere, on their way there: MEMORY.md, the notes of projects.  [§8.4]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from koog.knowledge import there
from koog.knowledge.condensing import promotion
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.laws import Outcome, Went
from koog.knowledge.core_sections import Caps
from koog.knowledge.layout import ACCUMULATED, MEMORY, NOTES, Layout
from koog.knowledge.pruning import shelf, staging
from koog.memory.names import known
from koog.memory.store import ids

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run


class Lasting:
    """Puts lines where they last, as far as there is a place for them there."""

    def __init__(self, run: Run, layout: Layout) -> None:
        self.run, self.layout = run, layout

    @property
    def projects(self) -> dict[str, str]:
        """Return slug → name of the projects that have files."""
        return there.project_names(self.run, self.layout, known.load(self.run))

    def put(self, door: Door, outcome: Outcome, day: str) -> list[Said]:
        """Put lines where they last; return those for which there is no place there."""
        left = list[Said]()
        projects = self.projects
        for to in dict.fromkeys((to, ids.slug(said.topic) if to == "project" else "") for to, said in outcome.promoted):
            found = [s for t, s in outcome.promoted if (t, ids.slug(s.topic) if t == "project" else "") == to]
            if to[0] == "project":
                left += self._into_project(door, found, to[1], projects.get(to[1], ""), outcome)
            else:
                left += self._into_core(door, found, promotion.SECTION[to[0]], day, outcome)
        return left

    def _into_project(self, door: Door, found: Sequence[Said], slug: str, name: str, outcome: Outcome) -> list[Said]:
        if not name:
            return list(found)
        path = self.layout.project(slug, NOTES)
        made = [promotion.new(each, ACCUMULATED) for each in found]
        _, held = promotion.notes(door.text(path) or "", path, made, slug=slug, name=name)
        door.edit(path, lambda now: promotion.notes(now, path, made, slug=slug, name=name)[0], summary=_many(held))
        outcome.went += [Went(s, path, "it lasts") for s, n in zip(found, made, strict=True) if n in held]
        return [s for s, n in zip(found, made, strict=True) if n not in held]

    def _into_core(self, door: Door, found: Sequence[Said], section: str, day: str, outcome: Outcome) -> list[Said]:
        may = list(filter(promotion.may_stand_in_core, found))
        made = [promotion.new(each, section) for each in may]
        before, kept = door.text(MEMORY) or "", door.text(shelf.CORE) or ""
        done = promotion.core(before, kept, made, Caps.of(self.run), today=day)
        held = [s for s, n in zip(may, made, strict=True) if n in done.added]
        if made and done.text != before:
            staging.exactly(door, MEMORY, done.text, summary=_many(held))
            staging.exactly(door, shelf.CORE, done.archive, summary=f"{len(done.left)} of MEMORY.md")
        outcome.went += [Went(each, MEMORY, "it is to last") for each in held]
        for entry in done.left:
            said = Said(entry.section, entry.text, entry.day, entry.line.label, path=MEMORY)
            outcome.went.append(Went(said, shelf.CORE, "what weighs more has taken its room"))
        return [each for each in found if each not in held]


def _many(found: Sequence[Any]) -> str:
    return f"{len(found)} {'line' if len(found) == 1 else 'lines'} condensed"
