"""The lines that hold, of all stores, among which one is looked for that a new line may change.  [moltbot §8.2]

A year has thousands of lines and a hook has a second: the newest days are looked through, core memory, the entities
that are named, of few entities all, and the procedures; of these lines those are read that have most of the new line's
words, a word counting the more the fewer have it. Each file is opened once for a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from heapq import nlargest
from itertools import islice
from math import log
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.says import says
from koog.memory.store import episodes, procedures
from koog.memory.store.line import SINCE, Line
from koog.memory.store.stores import day_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from koog.memory.store.drafts import Drafts
    from koog.memory.store.entity_writing import EntityWriter
    from koog.memory.store.episode_writing import EpisodeWriter
    from koog.memory.store.episodes import Raw

MOST_DAYS = 90  # files of days that are looked through: with gaps they are months
MOST_FILES = 12  # of them, those that are read
ENTRY = "\n## "  # where one begins
MOST_ENTITIES = 60  # of more, those that are named
MOST_PROCEDURES = 60
MOST_READ = 40  # lines that are read
BEHIND = r"[ \t]*(?:→[ ,]*\[\[|<!--)[\s\S]*"  # what koog wrote behind an entry's words
BEGINS = 5  # letters by which a word is looked for: "audit" in "audits"


class Held(NamedTuple):
    """A line that holds: its id, its words, and the day on which it was told, "" where it says none."""

    id: str
    text: str
    day: str = ""


class Unread(NamedTuple):
    """A line as it is looked through, in lower case; `read` gives what it says, None where it does not hold."""

    low: str
    read: Callable[[], Held | None]


class Holding:
    """What holds of one place; asked for once a new line."""

    def __init__(self, drafts: Drafts, graph: EntityWriter, days: EpisodeWriter) -> None:
        self._drafts, self._graph, self._days = drafts, graph, days
        self._hidden = forgotten.of(drafts.run.workspace).hidden
        self._told: list[Unread] = []  # of what is told in this batch, what was looked at for a line before
        self._looked_at = 0
        self._new = list[Unread]()

    def near(self, text: str, named: Iterable[str], core: Iterable[tuple[str, Line]]) -> tuple[list[Held], int]:
        """Return the lines that share most words with a text, and about how many lines there are.

        named   entities whose facts are read in any case
        core    id and line of all that MEMORY.md has
        """
        parts = sorted({idea[:BEGINS] for idea in says(text).ideas if idea[0] != "<"})
        facts = [(fact.id, fact.line) for id_ in self._entities(named) for fact in self._graph.held(id_)]
        days = [self._days_entries[at] for at in _most(parts, self._texts, MOST_FILES)]
        every = [*(each for day in days for each in day()), *self._told_now(), *self._procedures, *self._new]
        every += [Unread(line.text.casefold(), self._reading(id_, line)) for id_, line in (*facts, *core)]
        best = _most(parts, [each.low for each in every], MOST_READ)
        total = len(every) + sum(low.count(ENTRY) for low in self._texts)
        return [held for at in best if (held := every[at].read())], total

    def learn(self, name: str, text: str, path: str) -> None:
        """Know a procedure whose file is not written yet."""
        self._new.append(self._procedure(name, text, path))

    def _reading(self, id_: str, line: Line, day: str = "") -> Callable[[], Held | None]:
        is_told = line.label == self._drafts.place.label and not forgotten.hides(self._hidden, id_)
        return lambda: Held(id_, line.text, day or line.values.get(SINCE, "")) if is_told else None

    def _told_now(self) -> list[Unread]:
        """Return what was told just now."""
        for each in self._days.added[self._looked_at :]:
            if not each.line.is_past:
                self._told.append(Unread(each.line.text.casefold(), self._reading(each.id, each.line, each.day)))
        self._looked_at = len(self._days.added)
        return self._told

    @cached_property
    def _paths(self) -> list[str]:
        """Return the files of the newest days, the oldest first."""
        inside = self._drafts.in_memory(episodes.FOLDER)
        newest_first = (f"{inside}/{name}" for name in reversed(self._drafts.run.workspace.names(inside, ".md")))
        return list(islice((path for path in newest_first if "" < day_of(path) <= self._drafts.place.day), MOST_DAYS))[
            ::-1
        ]

    @cached_property
    def _texts(self) -> list[str]:
        """Return what these files say, in lower case."""
        return [(self._drafts.door.text(path) or "").casefold() for path in self._paths]

    @cached_property
    def _days_entries(self) -> list[Callable[[], list[Unread]]]:
        return [cache(partial(self._of_day, path)) for path in self._paths]

    def _of_day(self, path: str) -> list[Unread]:
        raw = episodes.raw(self._drafts.door.text(path) or "", day_of(path), path)
        return [Unread(compiled(BEHIND).sub("", each.body).casefold(), self._entry(each)) for each in raw]

    def _entry(self, raw: Raw) -> Callable[[], Held | None]:
        def read() -> Held | None:
            each = raw.entry
            is_held = each.line.text and not each.line.is_past and each.type != episodes.DELETED
            is_told = each.line.label == self._drafts.place.label and not forgotten.hides(self._hidden, each.id)
            return Held(each.id, each.line.text, each.day) if is_held and is_told else None

        return read

    @cached_property
    def _procedures(self) -> list[Unread]:
        tree, inside = self._drafts.run.workspace, self._drafts.in_memory(procedures.FOLDER)
        found = list[Unread]()
        for file in tree.names(inside, ".md")[:MOST_PROCEDURES]:
            path = f"{inside}/{file}"
            if name := name_of(path):
                found.append(self._procedure(name, self._drafts.door.text(path) or "", path))
        return found

    def _procedure(self, name: str, text: str, path: str) -> Unread:
        made = procedures.memory(text, name, path)
        return Unread(made.text.casefold(), self._reading(made.id, Line(made.text, made.label)))

    def _entities(self, named: Iterable[str]) -> Iterable[str]:
        every = self._graph.names.entries
        return every if len(every) <= MOST_ENTITIES else [id_ for id_ in named if id_ in every]


def _most(parts: Sequence[str], texts: Sequence[str], most: int) -> list[int]:
    """Return the places of the texts that have most of some words, in order; of two that have as much the later."""
    having: dict[int, float] = {}
    for part in parts:
        places = [at for at, text in enumerate(texts) if part in text]
        tells = log(1 + len(texts) / max(1, len(places)))
        for at in places:
            having[at] = having.get(at, 0.0) + tells
    return sorted(nlargest(most, having, key=lambda at: (having[at], at)))
