"""What is remembered, put into its store: staged file by file, written at once.  [moltbot §4 to §7, §8.2]

Of one file all changes are one edit, a function of its text: what a person saves meanwhile is kept, and what is to be
remembered is put into that. Audit lines and commits name ids and never the words: these must be forgettable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from koog.core import clock, forgotten
from koog.core.clock import iso
from koog.core.errors import Busy, NotFound, Refused
from koog.core.text import compare as comparing
from koog.core.text.compare import ADDS, CONTRADICTS, SAME, SUPERSEDES
from koog.core.text.says import says
from koog.memory.fading import accesses, decay_scores
from koog.memory.names import known
from koog.memory.store import core_memory, correction, entities, episodes, graph_index, ids, procedures, vault
from koog.memory.store import line as lines
from koog.memory.store.change import Change
from koog.memory.store.entities import Fact
from koog.memory.store.episode_day import EpisodeDay
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT
from koog.memory.store.procedures import Procedure
from koog.memory.store.sections import Sections
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.files.record import Cause
    from koog.core.run import Run
    from koog.memory.names.known import Known

Op = Callable[[str], str]
MOST_NAMED = 3  # ids in a summary
NOTHING = Change()


class Stored(NamedTuple):
    """What became of one thing.

    id         where it is now; of one that was known already, that one's
    created    whether anything was written for it
    replaced   ids of lines that it takes the place of
    against    ids of lines that do not go with it: both stay, and the entity asks which holds
    """

    id: str
    store: str
    path: str
    created: bool
    replaced: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    def with_more(self, other: Stored | None) -> Stored:
        """Return it with what else gave way to it, or stands against it."""
        if other is None:
            return self
        replaced, against = (
            (*mine, *more) for mine, more in ((self.replaced, other.replaced), (self.against, other.against))
        )
        return self._replace(replaced=replaced, against=against)


class Place(NamedTuple):
    """Where and when something is said: its label, the user's day and minute."""

    label: Label
    day: str
    time: str


@dataclass
class _File:
    """One file under edit: as it was read, as it is to be, and what leads from the one to the other."""

    base: str
    now: str
    ops: list[Op] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def apply(self, op: Op, id_: str) -> None:
        self.now = op(self.now)
        self.ops.append(op)
        self.ids.append(id_)

    def becomes(self, made: str, id_: str) -> None:
        """Make it one whole text, because something was taken out of it that is put elsewhere.

        Of a text that somebody saves meanwhile, something else would have to be taken out: `edit` is Busy then.
        """
        self.now = made
        self.ops.append(_saved)
        self.ids.append(id_)

    def edit(self, text: str) -> str:
        """Return a file's text with all that was done, also where somebody has saved it meanwhile."""
        return self.now if text == self.base else reduce(lambda t, op: op(t), self.ops, text)


class Writer:
    """Puts things into the stores; nothing is written before `flush`."""

    def __init__(self, run: Run, door: Door, names: Known, place: Place, *, cause: Cause | None = None) -> None:
        self.run, self.door, self.names, self.place, self.cause = run, door, names, place, cause
        self.most = int(run.settings.get("memory.coreTokens"))
        self.hidden = forgotten.of(run.workspace).hidden  # what says the same as one of these is remembered anew
        self._files: dict[str, _File] = {}
        self._days: dict[str, EpisodeDay] = {}
        self._grown: dict[str, list[Episode]] = {}
        self._accesses: list[str] = []

    def flush(self) -> None:
        """Stage all of it at the door."""
        for path, file in self._files.items():
            if file.ops:
                self.door.edit(path, file.edit, summary=_named(file.ids), cause=self.cause)
        for path, added in self._grown.items():
            is_new = self.door.text(path) is None
            text = "".join(f"\n{each.raw}" for each in added)
            head = episodes.header(added[0].day) if is_new else ""
            self.door.append(path, head + text, summary=_named([each.id for each in added]), cause=self.cause)
        if self._accesses:
            path = self._in(accesses.FILE)
            self.door.append(path, "".join(self._accesses), summary=f"{len(self._accesses)} accesses", cause=self.cause)

    def access(self, id_: str, *, store: str, base: float | None, why: str) -> None:
        """Note that something was written, where `base` is its first relevance, or that it was spoken of."""
        op = accesses.WRITE if base is not None else accesses.ACCESS
        self._accesses.append(accesses.line(iso(self.run.now), id_, op=op, store=store, base=base, why=why))

    # --- the stores

    def episode(self, entry: Episode, *, against: tuple[str, ...] = ()) -> Stored:
        """Log what happened; what was logged this day already is not logged again.

        against   ids of lines that may not hold beside it
        """
        path = self._in(episodes.path(entry.day))
        if path not in self._days:
            read = episodes.read(self.door.text(path) or "", entry.day, path)
            self._days[path] = EpisodeDay(read, hidden=self.hidden)
        present = self._days[path]
        if found := present.same(entry.line, lambda older, newer: _relation(older, newer) == SAME):
            return Stored(found.id, EPISODIC, path, created=False)
        if against:
            entry = entry._replace(line=entry.line.with_values(**{lines.AGAINST: ";".join(against)}))
        entry = present.add(entry)
        self._grown.setdefault(path, []).append(entry)
        return Stored(entry.id, EPISODIC, path, created=True, against=against)

    def core_entries(self) -> list[core_memory.Entry]:
        """Return the lines of MEMORY.md as it is to be."""
        return list(core_memory.entries(Sections(self._file(core_memory.FILE).now, core_memory.FILE)))

    def core(
        self, line: Line, block: str, *, prune: bool = False, replaces: str = "", change: Change = NOTHING
    ) -> Stored:
        """Put a line into a block of MEMORY.md. Raises Refused where that would be over its cap.

        change   what else it takes the place of, and beside what it stands: in the block of that one then
        """
        file = self._file(core_memory.FILE)
        present = self.core_entries()
        id_ = f"{ids.CORE}:{line.hash}"
        replaced, against = list[str](), list[str]()
        for each in present:
            kind = _relation(each.line, line)
            if (each.id == replaces and self._may_replace(each.line)) or each.id in change.replaced:
                replaced.append(each.id)
            elif each.id in change.against:
                against.append(each.id)
                block = each.block or block
            elif kind in (SUPERSEDES, ADDS) and not replaces:
                replaced.append(each.id)
            elif kind == SAME:
                return Stored(each.id, CORE, core_memory.FILE, created=False)
        named = [*against, *(id_ for id_ in change.beside if id_ not in replaced)]
        if named:
            line = line.with_values(**{lines.AGAINST: ";".join(named)})
        gone = frozenset(one.rpartition(":")[2] for one in replaced)

        def op(text: str) -> str:
            old = [e for e in core_memory.entries(Sections(text, core_memory.FILE)) if e.line.hash in gone]
            blocks = [e.block for e in old if e.block]
            kept = core_memory.without(text, old)
            for other in against:
                if found := core_memory.find(kept, other.rpartition(":")[2]):
                    kept = Sections(kept, core_memory.FILE).marked(found.item, **{lines.AGAINST: id_})
            return core_memory.added(kept, blocks[0] if blocks else block, line, most=self.most)

        new = op(file.now)
        if core_memory.size(new, self.most).is_over:
            pruned = self._pruned(new, line, prune=prune)
            file.becomes(pruned, id_)
        else:
            file.apply(op, id_)
        for each in present:
            if each.id in replaced:
                self._keep_past(each.line, id_)
        return Stored(id_, CORE, core_memory.FILE, created=True, replaced=tuple(replaced), against=tuple(named))

    def _keep_past(self, old: Line, by: str) -> None:
        """Log what was replaced in MEMORY.md, which holds only what is so now: what held then can be asked for."""
        since = clock.parse(decay_scores.created(self.run.workspace, self.door.text, f"{ids.CORE}:{old.hash}"))
        values = {lines.SINCE: since.astimezone(self.run.zone).date().isoformat()} if since else {}
        past = old.with_values(**values, **{lines.UNTIL: self.place.day, lines.BY: by})
        self.episode(Episode(self.place.day, self.place.time, past, source=episodes.REFLECTION))

    def _pruned(self, text: str, line: Line, *, prune: bool) -> str:
        """Return MEMORY.md within its caps: what gives way goes to the day's episodes. Raises Refused."""
        size = core_memory.size(text, self.most)
        gone = core_memory.to_prune(text, self.most, keep=line.hash)
        left = core_memory.without(text, gone)
        if core_memory.size(left, self.most).is_over:
            raise Refused(
                f"MEMORY.md would have {size.told}, and what is in it is pinned or your own",
                hint="shorten MEMORY.md, or koog remember --store semantic",
            )
        if not prune:
            named = ", ".join(f"{each.id} (line {each.item.row + 1})" for each in gone)
            raise Refused(f"MEMORY.md would have {size.told}; what could go: {named}", hint="again with --prune")
        for each in gone:
            self.episode(
                Episode(
                    self.place.day, self.place.time, each.line, confidence=episodes.MEDIUM, source=episodes.REFLECTION
                )
            )
        return left

    def entity(self, id_: str, name: str) -> None:
        """Make an entity's file where it has none, and keep the name by which it was called."""
        file = self._file(self._in(entities.path(id_)))
        if not file.now:
            file.apply(_whole(entities.new(id_, label=name, today=self.place.day)), f"{ids.ENTITY}:{id_}")
            self._vocabulary()
            return
        read = self._entity(id_)
        said = set(known.key(name).split())
        if not any(said <= set(known.key(each).split()) for each in read.names):  # a part of a name is no other name
            file.apply(
                lambda text: entities.with_alias(text, entities.read(text, id_, ""), name), f"{ids.ENTITY}:{id_}"
            )

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
        path = self._in(entities.path(id_))
        file, read = self._file(path), self._entity(id_)
        if section == entities.TIMELINE:
            line = Line(f"{self.place.day}: {line.text}", line.label, line.values)
        fact_id = f"{ids.FACT}:{id_}:{line.hash}"
        replaced, against = list[str](), list[str]()
        for each in read.facts():
            if each.line.is_past:
                continue
            is_beside = line.opposes(each.line) or each.id in change.against
            kind = CONTRADICTS if is_beside else _relation(each.line, line)
            is_told = (each.id == replaces and self._may_replace(each.line)) or each.id in change.replaced
            if is_told or (kind == SUPERSEDES and not replaces):
                replaced.append(each.id)
            elif kind == SAME:
                return Stored(each.id, SEMANTIC, path, created=False)
            elif kind == CONTRADICTS and not replaces:
                against.append(each.id)
        values = {lines.SINCE: self.place.day} | ({lines.REPLACES: ";".join(replaced)} if replaced else {})
        named = list(dict.fromkeys([*against, *(id_ for id_ in change.beside if id_ not in replaced)]))
        values |= {lines.AGAINST: ";".join(named)} if named else {}
        new, today = line.with_values(**values), self.place.day

        def op(text: str) -> str:
            for old in replaced:
                text = _marked(text, id_, old, **{lines.UNTIL: today, lines.BY: fact_id})
            for other in against:
                text = _marked(text, id_, other, **{lines.AGAINST: fact_id})
            made = Sections(text, path).with_item(section, new.raw, order=entities.ORDER)
            return entities.with_field(made, entities.UPDATED, today)

        file.apply(op, fact_id)
        return Stored(fact_id, SEMANTIC, path, created=True, replaced=tuple(replaced), against=tuple(named))

    def id_of(self, told: str) -> str:
        """Return the id of the line of core memory or of an entity that is told by its id or words. Raises NotFound."""
        wanted = Line(told).hash if told.partition(":")[0] not in ids.KINDS else ""
        core = self.core_entries()
        for id_, line in chain(((e.id, e.line) for e in core), self._facts()):
            if (id_ == told or line.hash == wanted) and self._may_replace(line):
                return id_
        raise NotFound(f"nothing that is remembered is called {told!r}", hint="koog search: a line's id or its words")

    def _facts(self) -> Iterator[tuple[str, Line]]:
        """Yield every fact that holds, with its id."""
        for each in self.names.entries:
            yield from ((fact.id, fact.line) for fact in self.held(each))

    def corrected(self, line: Line, id_: str | None) -> str:
        """Return the id of the line of core memory or of an entity that a new one takes the place of; "" for none.

        id_   the entity that it is about: its facts are compared. What else is known is looked at only where the new
              line takes something back.
        """
        if id_:
            for fact in self.held(id_):
                if _relation(fact.line, line) == SUPERSEDES:
                    return fact.id
        if not correction.may_correct(line.text):
            return ""
        core = self.core_entries()
        known_ids = dict.fromkeys([*([id_] if id_ else []), *self.names.entries])
        facts = (fact for each in known_ids for fact in self.held(each))
        held = chain(((e.id, e.line) for e in core), ((f.id, f.line) for f in facts))
        return correction.best(line.text, ((name, old.text) for name, old in held if old.label == line.label)) or ""

    def _may_replace(self, old: Line) -> bool:
        """Return whether a line gives way by its id: of another place's only to the workspace's own."""
        return self.place.label in (NONE, old.label)

    def held(self, id_: str) -> Iterator[Fact]:
        """Return the facts of an entity that hold."""
        return (fact for fact in self._entity(id_).facts(entities.FACTS) if not fact.line.is_past)

    def edge(self, start: str, relation: str, to: str, *, confidence: str) -> bool:
        """Link two entities that are there; False where they are linked so already."""
        read = self._entity(start)
        name = entities.relation(relation) or "relates-to"
        if start == to or any((e.start, e.relation, e.to) == (start, name, to) for e in read.edges):
            return False
        path, today = self._in(entities.path(start)), self.place.day
        told = Line(
            f"{entities.told(name)}: [[{to}]]", self.place.label, {lines.SINCE: today, "confidence": confidence}
        )

        def op(text: str) -> str:
            made = Sections(text, path).with_item(entities.RELATIONS, told.raw, order=entities.ORDER)
            return entities.with_field(made, entities.UPDATED, today)

        self._file(path).apply(op, f"{ids.ENTITY}:{start}")
        return True

    def procedure(self, found: Procedure, *, learned: str) -> Stored:
        """Keep how something is done; of one that is known, steps that it lacks are added."""
        path = self._in(procedures.path(found.name))
        file, id_ = self._file(path), f"{ids.PROCEDURE}:{found.name}"
        if not file.now:
            made = procedures.new(found, today=self.place.day, label=self.place.label, learned=learned)
            file.apply(_whole(made), id_)
            return Stored(id_, PROCEDURAL, path, created=True)
        has = procedures.steps(file.now, path)
        missing = [step for step in found.steps if not any(_says_same(step, other) for other in has)]
        for step in missing:
            file.apply(_item(procedures.NOTES, Line(step, self.place.label).raw, path), id_)
        return Stored(id_, PROCEDURAL, path, created=bool(missing))

    def keep(self, text: str) -> Stored:
        """Keep a text word for word."""
        if not ids.slug(title := vault.title(text)):
            raise Refused("nothing to keep: the text has no words")
        made = vault.new(text, name=title, today=self.place.day, label=self.place.label)
        name = vault.name(made)
        path, id_ = self._in(vault.path(name)), f"{ids.VAULT}:{name}"
        file = self._file(path)
        is_new = not file.now
        if is_new:
            file.apply(_whole(made), id_)
        return Stored(id_, VAULT, path, created=is_new)

    # --- files

    def _in(self, name: str) -> str:
        return self.run.workspace.in_memory(name)

    def _file(self, path: str) -> _File:
        if path not in self._files:
            text = self.door.text(path) or ""
            self._files[path] = _File(text, text)
        return self._files[path]

    def _entity(self, id_: str) -> entities.Entity:
        path = self._in(entities.path(id_))
        return entities.read(self._file(path).now, id_, path)

    def _vocabulary(self) -> None:
        """Write relations.md with the first entity."""
        file = self._file(self._in(graph_index.RELATIONS))
        if not file.now:
            file.apply(_whole(graph_index.VOCABULARY), "the vocabulary of relations")


def _item(title: str, raw: str, path: str) -> Op:
    return lambda text: Sections(text, path).with_item(title, raw, order=procedures.ORDER)


def _saved(_: str) -> str:
    raise Busy("the file was saved meanwhile", hint="try again")


def _whole(made: str) -> Op:
    return lambda text: text or made


def _marked(text: str, entity: str, id_: str, **values: str) -> str:
    """Return an entity's file with more said of one of its lines; as it was where that line is gone."""
    for each in entities.read(text, entity, "").facts():
        if each.id == id_:
            return Sections(text, "").marked(each.item, **values)
    return text


def _relation(older: Line, newer: Line) -> str:
    """Return what a line is to one that stands there; lines of different places say nothing of each other."""
    if older.label != newer.label:
        return comparing.UNRELATED
    if older.hash == newer.hash:
        return SAME
    if not says(older.text).ideas & says(newer.text).ideas:
        return comparing.UNRELATED
    return comparing.compare(older.text, newer.text).kind


def _says_same(older: str, newer: str) -> bool:
    return _relation(Line(older), Line(newer)) in (SAME, ADDS)


def _named(found: Sequence[str]) -> str:
    """Return what a change is called: the ids, of many how many there are."""
    named = list(dict.fromkeys(found))
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"remembered {', '.join(named[:MOST_NAMED])}{more}"
