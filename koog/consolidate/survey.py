"""Phase 1, what there is: everything that a reflection looks at, read once.  [moltbot §10.3]

A reflection never mixes what was said in two places: lines of one label are looked at by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from koog.core import forgotten, proposals
from koog.core import proposal_form as form
from koog.memory.fading import reckoning
from koog.memory.fading.decay_scores import Entry, moment
from koog.memory.fading.reckoning import Present
from koog.memory.names import known
from koog.memory.names.known import Known
from koog.memory.store import core_memory, episodes, ids, procedures, stores
from koog.memory.store import line as lines
from koog.memory.store.core_memory import Entry as CoreEntry
from koog.memory.store.entities import FACTS, Entity
from koog.memory.store.memories import Memory
from koog.memory.store.sections import Sections
from koog.sessions import taken
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from koog.core.run import Run

UNUSED_DAYS = 30  # what was used since is never archived


class Said(NamedTuple):
    """One line that is remembered and may be compared with others.

    id      of an episode, a fact, a line of MEMORY.md
    day     on which it was said, YYYY-MM-DD; "" where nobody says so
    entity  of a fact
    source  of an episode: who asked for it
    against  of a fact: ids of those that it does not go with
    """

    id: str
    text: str
    day: str
    label: Label = NONE
    confidence: str = episodes.MEDIUM
    type: str = "fact"
    entities: tuple[str, ...] = ()
    entity: str = ""
    heard: str = ""
    source: str = ""
    against: tuple[str, ...] = ()


@dataclass(repr=False, eq=False)
class Survey:
    """What is remembered as it stands now.

    memories   id → memory, entities whole
    scores     id → what is left of it
    hidden     ids of what was forgotten
    texts      path → text of every file that was read
    """

    run: Run
    today: date
    memories: Mapping[str, Memory]
    scores: Mapping[str, Entry]
    hidden: frozenset[str]
    names: Known
    entities: Mapping[str, Entity]
    core: Sequence[CoreEntry]
    episodes: Sequence[Said]
    procedures: Mapping[str, str]
    proposals: Sequence[form.Entry]

    @cached_property
    def facts(self) -> dict[str, Said]:
        """Return the facts that hold, by their ids."""
        found = {}
        for entity in self.entities.values():
            for each in entity.facts(FACTS):
                if not each.line.is_past and not forgotten.hides(self.hidden, each.id):
                    values = each.line.values
                    found[each.id] = Said(
                        each.id,
                        each.line.text,
                        values.get(lines.SINCE, ""),
                        each.line.label,
                        entity=entity.id,
                        heard=values.get(lines.HEARD, ""),
                        against=tuple(filter(None, values.get(lines.AGAINST, "").split(";"))),
                    )
        return found

    @cached_property
    def core_lines(self) -> dict[str, Said]:
        """Return the lines of MEMORY.md, by their ids."""
        scores = self.scores
        return {
            e.id: Said(e.id, e.line.text, scores[e.id]["created"][:10] if e.id in scores else "", e.line.label)
            for e in self.core
            if not forgotten.hides(self.hidden, e.id)
        }

    @cached_property
    def every(self) -> dict[str, Said]:
        """Return episodes, facts and lines of MEMORY.md, by their ids."""
        return {**{each.id: each for each in self.episodes}, **self.facts, **self.core_lines}

    @cached_property
    def every_known(self) -> frozenset[str]:
        """Return the ids of what is known for good: facts and lines of MEMORY.md."""
        return frozenset((*self.facts, *self.core_lines))

    def unused_days(self, id_: str) -> int | None:
        """Return for how many days a memory was not used; None where nobody knows."""
        if (entry := self.scores.get(id_)) is None:
            return None
        last = moment(entry["last_accessed"])
        return None if last is None else (self.today - last.astimezone(self.run.zone).date()).days

    @property
    def counts(self) -> dict[str, int]:
        return {"episodes": len(self.episodes), "entities": len(self.entities), "procedures": len(self.procedures)}


def read(run: Run) -> Survey:
    """Read everything."""
    memories = stores.every(run)
    hidden = forgotten.of(run.workspace).hidden
    reckoned = reckoning.reckon(run.workspace, memories, Present.of(run))
    run.warnings += reckoning.warnings(run.workspace, reckoned)
    core = run.workspace.text(core_memory.FILE) or ""
    waiting = proposals.settled(
        run.workspace.text(run.workspace.in_memory(proposals.NAME)) or "", proposals.noted(run.state_root)
    )
    excluded = taken.of(run)
    said = [
        each
        for path, text in stores.texts(run, episodes.FOLDER)
        if (day := stores.day_of(path))
        for each in of_day(text, day, path)
        if not forgotten.hides(hidden, each.id) and not excluded.excludes(each.label.place)
    ]
    return Survey(
        run,
        date.fromisoformat(run.today),
        {each.id: each for each in reversed(memories)},
        reckoned.entries,
        hidden,
        known.load(run),
        {each.id: each for each in stores.graph(run) if f"{ids.ENTITY}:{each.id}" not in hidden},
        list(core_memory.entries(Sections(core, core_memory.FILE))),
        said,
        {name: text for path, text in stores.texts(run, procedures.FOLDER) if (name := stores.name_of(path))},
        [each for each in waiting.entries if each.is_waiting],
    )


def of_day(text: str, day: str, path: str) -> list[Said]:
    """Return a day's episodes; what was deleted, and what is only kept of what was replaced, is none of them."""
    return [
        Said(
            each.id,
            each.line.text,
            each.day,
            each.line.label,
            each.confidence,
            each.type,
            each.entities,
            heard=each.line.values.get(lines.HEARD, ""),
            source=each.source,
        )
        for each in episodes.read(text, day, path)
        if each.line.text
        and each.type != episodes.DELETED
        and not each.line.is_past
        and each.source != episodes.REFLECTION
    ]
