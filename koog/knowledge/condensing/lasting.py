"""The lines of a week that an engine wants elsewhere, on their way there: decisions, lessons, notes of projects.  [§8.4]

MEMORY.md has what weighs most of the decisions and lessons.
"""  # noqa: E501  the first line is the module's own

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from koog.core.text import bullets
from koog.core.text.voices import PERSON
from koog.knowledge import by_hand, documents, filing, reading, there, withdrawn
from koog.knowledge.condensing import promotion, settling
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.laws import Outcome, Went
from koog.knowledge.core_sections import SECTIONS, Caps
from koog.knowledge.layout import ACCUMULATED, MEMORY, NOTES, Layout
from koog.knowledge.pruning import staging
from koog.memory import changed
from koog.memory.names import known
from koog.memory.store import entities, ids
from koog.sessions.labels import NONE

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run


class Lasting:
    """Puts lines where they last, as far as there is a place for them there.

    is_settled   whether MEMORY.md has what weighs most since then
    """

    def __init__(self, run: Run, layout: Layout) -> None:
        self.run, self.layout, self.is_settled = run, layout, False

    @cached_property
    def _withdrawn(self) -> set[str]:
        """Return the words of the decisions and lessons that a person has taken out: they do not come back."""
        return withdrawn.from_files(self.run, MEMORY, *map(self.layout.beside, SECTIONS))

    @cached_property
    def _theirs(self) -> set[str]:
        """Return the decisions and lessons that a person has put otherwise, as they are written."""
        found = by_hand.rows(self.run, MEMORY, *map(self.layout.beside, SECTIONS))
        return {bullet.text for rows in found.values() for row in rows if (bullet := bullets.parse(row.rstrip("\r")))}

    @property
    def projects(self) -> dict[str, str]:
        """Return slug → name of the projects that have files."""
        return there.project_names(self.run, self.layout, known.load(self.run))

    def changing(self, lines: Sequence[Said], before: str) -> frozenset[Said]:
        """Return which lines seem to change a decision or lesson of before a day, though none says so in its words."""
        paths = (MEMORY, *map(self.layout.beside, SECTIONS))
        texts = [(path, self.run.workspace.text(path) or "") for path in paths]
        every = [each for path, text in texts for each in documents.entries(text, path, *SECTIONS)]
        older = [each.text for each in every if "" < each.day < before and each.line.label == NONE]
        told = [each for each in lines if each.label == NONE and each.trust == PERSON and each.text not in older]
        near = {each: changed.likely(each.text, older)[:1] for each in told} if older else {}
        return frozenset(each for each, found in near.items() if found and found[0].sure >= changed.LEAST)

    def told(self) -> frozenset[str]:
        """Return the sources of what the lasting files tell: MEMORY.md, what is known of people, projects and the rest.

        What does not hold any more is told there, too: a month does not change because a decision does.
        """
        tree, where = self.run.workspace, self.layout
        folders = (where.people, where.projects, where.procedures, where.reference, tree.in_memory(entities.FOLDER))
        paths = (MEMORY, *(path for each in folders for path in reading.below(tree.files, each)))
        found = (each for path in paths for each in documents.entries(tree.text(path) or "", path))
        rows = (each.line.values.get(documents.SOURCE, "") for each in found)
        return frozenset(source for row in rows for source in row.split(";") if source)

    def put(self, door: Door, outcome: Outcome) -> list[Said]:
        """Put lines where they last; return those for which there is no place there, or which may not stand there."""
        left = list[Said]()
        projects = self.projects
        for to in dict.fromkeys((to, ids.slug(said.topic) if to == "project" else "") for to, said in outcome.promoted):
            found = [s for t, s in outcome.promoted if (t, ids.slug(s.topic) if t == "project" else "") == to]
            if to[0] == "project":
                left += self._into_project(door, found, to[1], projects.get(to[1], ""), outcome)
            else:
                left += self._into_core(door, found, promotion.SECTION[to[0]], outcome)
        self.settle(door, outcome)
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

    def _into_core(self, door: Door, found: Sequence[Said], section: str, outcome: Outcome) -> list[Said]:
        """Put decisions or lessons where they are kept; `settle` says which of them MEMORY.md has."""
        path = self.layout.beside(section)
        may = [each for each in found if promotion.may_stand_in_core(each) and each.text not in self._withdrawn]
        core = [each.text for each in documents.entries(door.text(MEMORY) or "", MEMORY, section)]
        known = [each for each in may if filing.is_known(each.text, core)]
        made = [promotion.new(each, section) for each in may if each not in known]
        _, added = promotion.beside(door.text(path) or "", path, made, title=section)
        if made:
            door.edit(path, lambda now: promotion.beside(now, path, made, title=section)[0], summary=_many(added))
        texts = {each.text for each in added}
        held = [each for each in may if each in known or each.text in texts]
        outcome.went += [Went(each, MEMORY if each in known else path, "it is to last") for each in held]
        return [each for each in found if each not in held]

    # --- MEMORY.md

    def settle(self, door: Door, outcome: Outcome) -> None:
        """Let MEMORY.md have what weighs most of all decisions and lessons, and the files beside it the rest."""
        paths = (MEMORY, *map(self.layout.beside, SECTIONS))
        texts = {path: door.text(path) or "" for path in paths}
        done = settling.settled(texts, self.layout, Caps.of(self.run), theirs=self._theirs)
        for path, text in done.texts.items():
            if text != texts[path]:
                staging.exactly(door, path, text, summary="what weighs most stands in MEMORY.md")
        outcome.went = [
            each._replace(to=settling.stands(done.texts, each.said.text, each.said.day) or each.to)
            if each.to in paths
            else each
            for each in outcome.went
        ]
        for entry, path in done.left:
            said = Said(entry.section, entry.text, entry.day, entry.line.label, path=MEMORY)
            outcome.went.append(Went(said, path, "what weighs more has taken its room"))
        self.is_settled = True


def _many(found: Sequence[Any]) -> str:
    return f"{len(found)} {'line' if len(found) == 1 else 'lines'} condensed"
