"""The lines that hold, of all stores, among which one is looked for that a new line may change.  [moltbot §8.2]

A year has thousands of lines and a hook has a second: the newest days are read, core memory, the entities that are
named, of few entities all, and the procedures; and of these lines only such are looked at closely that have one of the
new line's words. Read once for a batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from koog.core import forgotten
from koog.core.text.says import says
from koog.memory.store import changes, episodes, procedures
from koog.memory.store.stores import day_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from koog.memory.store.changes import Changes
    from koog.memory.store.drafts import Drafts
    from koog.memory.store.entity_writing import EntityWriter
    from koog.memory.store.episode_writing import EpisodeWriter
    from koog.sessions.labels import Label

MOST_DAYS = 60  # files of days that are read: with gaps they are months
MOST_LINES = 2000  # of them, the newest
MOST_ENTITIES = 60  # of more, those that are named
MOST_PROCEDURES = 60
BEGINS = 5  # letters by which a word is looked for: "audit" in "audits"


class Held(NamedTuple):
    """A line that holds: its id, its words, and these as they are looked through."""

    id: str
    text: str
    low: str


class Holding:
    """What holds of one place; asked for once a new line."""

    def __init__(self, drafts: Drafts, graph: EntityWriter, days: EpisodeWriter) -> None:
        self._drafts, self._graph, self._days = drafts, graph, days
        self._hidden = forgotten.of(drafts.run.workspace).hidden
        self._known: dict[Label, list[Held]] = {}

    def near(self, text: str, named: Iterable[str], core: Iterable[tuple[str, str]]) -> tuple[list[Held], int]:
        """Return the lines that share a word with a text, and how many lines were looked through.

        named   entities whose facts are read in any case
        core    id and words of each line of MEMORY.md
        """
        every = [*self._episodes(), *self._procedures, *self._facts(named)]
        every += [Held(id_, words, words.casefold()) for id_, words in core]
        parts = tuple({idea[:BEGINS] for idea in says(text).ideas if idea[0] != "<"})
        return [each for each in every if any(part in each.low for part in parts)], len(every)

    @cached_property
    def _changes(self) -> Changes:
        return changes.Changes(self._drafts.run.workspace, self._hidden)

    def _episodes(self) -> list[Held]:
        """Return what holds of the newest days, and what was told just now."""
        label = self._drafts.place.label
        if label not in self._known:
            found = list[Held]()
            for path in self._paths[-MOST_DAYS:][::-1]:
                day = day_of(path)
                text = self._drafts.door.text(path) or ""
                made = [self._held(each) for each in episodes.read(text, day, path) if self._is_told(each, label)]
                found = [*made, *found]
                if len(found) >= MOST_LINES:
                    break
            self._known[label] = found
        told = (self._held(each) for each in self._days.added if self._is_told(each, label))
        return [*self._known[label], *told][-MOST_LINES:]

    @cached_property
    def _paths(self) -> list[str]:
        inside = self._drafts.in_memory(episodes.FOLDER)
        today = self._drafts.place.day
        names = sorted(self._drafts.run.workspace.names(inside, ".md"))
        return [path for name in names if "" < day_of(path := f"{inside}/{name}") <= today]

    def _is_told(self, each: episodes.Episode, label: Label) -> bool:
        line = each.line
        holds = line.text and not line.is_past and each.type != episodes.DELETED and line.label == label
        is_hidden = forgotten.hides(self._hidden, each.id)
        return bool(holds) and not is_hidden and not self._changes.replaced(each.id)

    @cached_property
    def _procedures(self) -> list[Held]:
        tree, inside = self._drafts.run.workspace, self._drafts.in_memory(procedures.FOLDER)
        found = list[Held]()
        for file in tree.names(inside, ".md")[:MOST_PROCEDURES]:
            path = f"{inside}/{file}"
            name = name_of(path)
            if not name:
                continue
            made = procedures.memory(self._drafts.door.text(path) or "", name, path)
            if made.label == self._drafts.place.label and not forgotten.hides(self._hidden, made.id):
                found.append(Held(made.id, made.text, made.text.casefold()))
        return found

    def _facts(self, named: Iterable[str]) -> Iterator[Held]:
        every = self._graph.names.entries
        for id_ in every if len(every) <= MOST_ENTITIES else dict.fromkeys(id_ for id_ in named if id_ in every):
            for fact in self._graph.held(id_):
                is_told = not forgotten.hides(self._hidden, fact.id)
                if fact.line.label == self._drafts.place.label and is_told:
                    yield Held(fact.id, fact.line.text, fact.line.text.casefold())

    @staticmethod
    def _held(each: episodes.Episode) -> Held:
        return Held(each.id, each.line.text, each.line.text.casefold())
