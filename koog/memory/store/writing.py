"""What is remembered, put into its store: one writer over the five.  [moltbot §3 to §7, §8.2]"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from koog.core.errors import NotFound, Refused
from koog.core.text.compare import ADDS, SAME, SUPERSEDES
from koog.memory.store import correction, ids, procedures, vault
from koog.memory.store.change import NOTHING, Change
from koog.memory.store.core_writing import CoreWriter
from koog.memory.store.drafts import Drafts, Op, Stored, compared, whole
from koog.memory.store.entity_writing import EntityWriter
from koog.memory.store.episode_writing import EpisodeWriter
from koog.memory.store.holding import Holding
from koog.memory.store.line import Line
from koog.memory.store.memories import PROCEDURAL, VAULT
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.files.record import Cause
    from koog.core.run import Run
    from koog.memory.names.known import Known
    from koog.memory.store.drafts import Place
    from koog.memory.store.procedures import Procedure


class Writer:
    """Puts things into the stores; nothing is written before `flush`.

    episodes, core, graph   the stores of many lines; procedures and the vault have one function each
    """

    def __init__(self, run: Run, door: Door, names: Known, place: Place, *, cause: Cause | None = None) -> None:
        self.run, self.names = run, names
        drafts = self._drafts = Drafts(run, door, place, cause=cause)
        self.access, self.flush = drafts.access, drafts.flush
        self.episodes = EpisodeWriter(drafts)
        self.core = CoreWriter(drafts, self.episodes)
        self.graph = EntityWriter(drafts, names)
        self.holding = Holding(drafts, self.graph, self.episodes)

    @property
    def place(self) -> Place:
        return self._drafts.place

    def at(self, place: Place) -> Writer:
        """Let what follows be said elsewhere, or at another time."""
        self._drafts.place = place
        return self

    def id_of(self, told: str) -> str:
        """Return the id of the line of core memory or of an entity that is told by its id or words. Raises NotFound."""
        wanted = Line(told).hash if told.partition(":")[0] not in ids.KINDS else ""
        core = self.core.entries()
        for id_, line in chain(((e.id, e.line) for e in core), self.graph.all_held()):
            if (id_ == told or line.hash == wanted) and self._drafts.may_replace(line):
                return id_
        raise NotFound(f"nothing that is remembered is called {told!r}", hint="koog search: a line's id or its words")

    def has(self, told: str) -> bool:
        """Return whether there is such a line, as id_of finds it."""
        try:
            return bool(self.id_of(told))
        except NotFound:
            return False

    def corrected(self, line: Line, id_: str | None) -> str:
        """Return the id of the line of core memory or of an entity that a new one takes the place of; "" for none.

        id_   the entity that it is about: its facts are compared. What else is known is looked at only where the new
              line takes something back.
        """
        if id_:
            for fact in self.graph.held(id_):
                if compared(fact.line, line) == SUPERSEDES:
                    return fact.id
        if not correction.may_correct(line.text):
            return ""
        core = self.core.entries()
        known_ids = dict.fromkeys([*([id_] if id_ else []), *self.names.entries])
        facts = (fact for each in known_ids for fact in self.graph.held(each))
        held = chain(((e.id, e.line) for e in core), ((f.id, f.line) for f in facts))
        return correction.best(line.text, ((name, old.text) for name, old in held if old.label == line.label)) or ""

    def procedure(self, found: Procedure, *, learned: str, change: Change = NOTHING) -> Stored:
        """Keep how something is done; of one that is known, steps that it lacks are added.

        change   beside what a new one stands
        """
        path = self._drafts.in_memory(procedures.path(found.name))
        file, id_ = self._drafts.file(path), f"{ids.PROCEDURE}:{found.name}"
        if not file.now:
            place = self._drafts.place
            made = procedures.new(found, today=place.day, label=place.label, learned=learned, change=change)
            file.apply(whole(made), id_)
            self._drafts.change(id_, change)
            self.holding.learn(found.name, made, path)
            return Stored(id_, PROCEDURAL, path, created=True, against=change.named)
        has = procedures.steps(file.now, path)
        missing = [step for step in found.steps if not any(_says_same(step, other) for other in has)]
        for step in missing:
            file.apply(_item(procedures.NOTES, Line(step, self._drafts.place.label).raw, path), id_)
        return Stored(id_, PROCEDURAL, path, created=bool(missing))

    def keep(self, text: str) -> Stored:
        """Keep a text word for word. Raises Refused where it has no words."""
        made = self._kept_whole(text)
        name = vault.name(made)
        path, id_ = self._drafts.in_memory(vault.path(name)), f"{ids.VAULT}:{name}"
        file = self._drafts.file(path)
        is_new = not file.now
        if is_new:
            file.apply(whole(made), id_)
        return Stored(id_, VAULT, path, created=is_new)

    def id_in_vault(self, text: str) -> str:
        """Return the id that a text gets in the vault. Raises Refused where it has no words."""
        return f"{ids.VAULT}:{vault.name(self._kept_whole(text))}"

    def _kept_whole(self, text: str) -> str:
        if not ids.slug(title := vault.title(text)):
            raise Refused("nothing to keep: the text has no words")
        return vault.new(text, name=title, today=self._drafts.place.day, label=self._drafts.place.label)


def _item(title: str, raw: str, path: str) -> Op:
    return lambda text: Sections(text, path).with_item(title, raw, order=procedures.ORDER)


def _says_same(older: str, newer: str) -> bool:
    return compared(Line(older), Line(newer)) in (SAME, ADDS)
