"""Phase 1, what there is: everything that a reflection looks at, read once.  [moltbot §10.3]

A reflection never mixes what was said in two places: lines of one label are looked at by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from koog.consolidate.plan_rows import OF
from koog.core import forgotten, proposals
from koog.core import proposal_form as form
from koog.core.named import NamedTuple
from koog.memory.fading import reckoning
from koog.memory.fading.decay_scores import Entry, moment
from koog.memory.fading.reckoning import Present
from koog.memory.names import known
from koog.memory.names.known import Known
from koog.memory.store import changes, core_memory, entities, episodes, ids, procedures, stores, vault
from koog.memory.store import line as lines
from koog.memory.store.core_memory import Entry as CoreEntry
from koog.memory.store.entities import FACTS, Entity
from koog.memory.store.episodes import Episode
from koog.memory.store.memories import Memory
from koog.memory.store.sections import Sections
from koog.sessions import taken
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from koog.core.run import Run

STEPS = 3  # of what is done step by step
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
                        _told_on(values),
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
            e.id: Said(
                e.id,
                e.line.text,
                _told_on(e.line.values) or (scores[e.id]["created"][:10] if e.id in scores else ""),
                e.line.label,
            )
            for e in self.core
            if not forgotten.hides(self.hidden, e.id)
        }

    @cached_property
    def ways(self) -> list[Said]:
        """Return the procedures of so few steps that they may be something said."""
        few = (name for name, text in self.procedures.items() if len(procedures.steps(text, name)) < STEPS)
        found = (self.memories[f"{ids.PROCEDURE}:{name}"] for name in few)
        return [Said(each.id, each.text, each.at[:10], each.label) for each in found if each.id not in self.hidden]

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


def _told_on(values: Mapping[str, str]) -> str:
    """Return on which day a fact's words were said: it may hold since an earlier one."""
    last = values.get(OF, "").rpartition(";")[2]
    day = last.removeprefix(f"{ids.EPISODE}:")[:10] if last.startswith(f"{ids.EPISODE}:") else ""
    return max(values.get(lines.SINCE, ""), day)


def read(run: Run) -> Survey:
    """Read everything, each file once."""
    core, hidden, heard = run.workspace.text(core_memory.FILE) or "", forgotten.of(run.workspace).hidden, _heard(run)
    memories, said = core_memory.memories(core), list[Said]()
    for path, text in stores.texts(run, episodes.FOLDER):
        if day := stores.day_of(path):
            entries = episodes.read(text, day, path)
            memories += episodes.memories(entries, path)
            said += heard(entries)
    graph = list(stores.graph(run))
    memories += [entities.memory(each, stores.told(each)) for each in graph]
    ways = {name: (text, path) for path, text in stores.texts(run, procedures.FOLDER) if (name := stores.name_of(path))}
    memories += [procedures.memory(text, name, path) for name, (text, path) in ways.items()]
    vaults = ((stores.name_of(path), text, path) for path, text in stores.texts(run, vault.FOLDER))
    memories += [vault.memory(text, name, path) for name, text, path in vaults if name]
    reckoned = reckoning.reckon(run.workspace, memories, Present.of(run))
    run.warnings += reckoning.warnings(run.workspace, reckoned)
    waiting = run.workspace.text(run.workspace.in_memory(proposals.NAME)) or ""
    proposed = proposals.settled(waiting, proposals.noted(run.state_root)).entries
    return Survey(
        run,
        date.fromisoformat(run.today),
        {each.id: each for each in reversed(memories)},
        reckoned.entries,
        hidden,
        known.load(run),
        {each.id: each for each in graph if f"{ids.ENTITY}:{each.id}" not in hidden},
        list(core_memory.entries(Sections(core, core_memory.FILE))),
        said,
        {name: text for name, (text, _) in ways.items()},
        [each for each in proposed if each.is_waiting],
    )


def told(run: Run) -> Iterator[Said]:
    """Yield the episodes that a reflection reads, and nothing else."""
    heard = _heard(run)
    for path, text in stores.texts(run, episodes.FOLDER):
        if day := stores.day_of(path):
            yield from heard(episodes.read(text, day, path))


def _heard(run: Run) -> Callable[[Sequence[Episode]], list[Said]]:
    """Return what gives those of a day's entries that hold: not forgotten or replaced, and of no place left out."""
    hidden, excluded = forgotten.of(run.workspace).hidden, taken.of(run)
    later = changes.Changes(run.workspace, hidden)

    def heard(entries: Sequence[Episode]) -> list[Said]:
        found = of_day([each for each in entries if not later.replaced(each.id)])
        return [e for e in found if not excluded.excludes(e.label.place) and not forgotten.hides(hidden, e.id)]

    return heard


def of_day(entries: Sequence[Episode]) -> list[Said]:
    """Return entries as lines that may be compared; what was deleted or replaced is none of them."""
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
        for each in entries
        if each.line.text
        and each.type != episodes.DELETED
        and not each.line.is_past
        and each.source != episodes.REFLECTION
    ]
