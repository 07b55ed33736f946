"""What may answer: one line of a store, with the days from and until which it holds.  [moltbot §5 to §7, §11]

    of_file   a store's file → its items, in order

An entity is many items, one for each of its facts; a procedure and something kept are one. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import untrusted
from koog.memory.store import changes, core_memory, entities, episodes, ids, procedures, stores, vault
from koog.memory.store import line as lines
from koog.memory.store.changes import Later
from koog.memory.store.line import Line
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT
from koog.memory.store.sections import Sections
from koog.sessions.labels import Label

CATEGORY = {CORE: "memory", EPISODIC: "episode", SEMANTIC: "entity", PROCEDURAL: "procedure", VAULT: "vault"}

OF_LINES = (CORE, EPISODIC, SEMANTIC)  # stores of which an item is a line of a file


class Item(NamedTuple):
    """One line that may answer.

    text      its words, without marks and comments
    line      of its file, from 1
    at        when it was told: a day or `day T time` of the user's; "" where only the log of accesses knows
    until     the day from which it does not hold any more, "" while it does; `by`: the id of what took its place
    replaces  ids of what it took the place of
    about     ids of the entities that it is about, by its file or its links; of a line of the knowledge files the turns
              in which it was said
    steps     of a procedure
    kind      of an episode: decision, fact …; of a fact its heading
    opposed   the figures of the words beside which somebody let it stand
    newer     the id of a line that seems to tell a change of it
    """

    id: str
    store: str
    text: str
    path: str
    line: int
    label: Label
    at: str = ""
    until: str = ""
    by: str = ""
    replaces: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    kind: str = ""
    opposed: str = ""
    newer: str = ""

    def changed(self, later: Sequence[Later]) -> Item:
        """Return it as what was told later leaves it: replaced, or with a newer line beside it."""
        gone = [each for each in later if each.how == changes.REPLACED]
        if gone:
            return self._replace(until=gone[-1].day, by=gone[-1].by)
        return self._replace(newer=later[-1].by) if later else self

    def stands_beside(self, other: Item) -> bool:
        """Return whether somebody decided that it and another both stay, though they do not go together."""
        return (self.opposed, other.opposed) != ("", "") and (
            self.opposed == ids.of_words(other.text) or other.opposed == ids.of_words(self.text)
        )

    @property
    def day(self) -> str:
        return self.at[:10]

    @property
    def said(self) -> str:
        """Return all that it says: of a procedure its steps, too."""
        return " ".join(self.steps if procedures.is_title_told(self.text, self.steps) else (self.text, *self.steps))

    @property
    def fades_as(self) -> str:
        """Return the id of what fades: of a fact its entity."""
        return f"{ids.ENTITY}:{ids.parse(self.id).entity}" if self.id.startswith(f"{ids.FACT}:") else self.id


def of_file(path: str, text: str, category: str, *, archived: bool = False, at: int | None = None) -> list[Item]:
    """Return what a store's file says, in its order; nothing for a file that is broken.

    archived   what was set aside in it, too
    at         a line of a day's file: of the entry in which it lies alone
    """
    if "private" in text.casefold():
        text = compiled(r"(?<=\S)  +").sub(" ", untrusted.strip_private(text))
    stem = path.rpartition("/")[2].removesuffix(".md")
    if category == CATEGORY[CORE]:
        return list(_core(text, path))
    if category == CATEGORY[EPISODIC]:
        return list(_day(text, path, at)) if stores.day_of(path) else []
    if category == CATEGORY[SEMANTIC]:
        return list(_entity(text, stem, path, archived=archived)) if ids.is_entity(stem) else []
    if not ids.is_name(stem):
        return []
    return [_procedure(text, stem, path) if category == CATEGORY[PROCEDURAL] else _kept(text, stem, path)]


def _core(text: str, path: str) -> Iterator[Item]:
    for each in core_memory.entries(Sections(text, path)):
        at = lines.dated(each.line.text)[0]  # of a decision or lesson: the day in front of it
        yield _made(each.id, CORE, each.line, path, each.item.row + 1, at=at, kind=each.block)


def _day(text: str, path: str, at: int | None) -> Iterator[Item]:
    for each in episodes.read(text, stores.day_of(path), path, at=None if at is None else at - 1):
        made = _made(each.id, EPISODIC, each.line, path, each.row + 1, at=f"{each.day}T{each.time}", kind=each.type)
        yield made._replace(about=each.entities)


def _entity(text: str, id_: str, path: str, *, archived: bool) -> Iterator[Item]:
    entity = entities.read(text, id_, path)
    summary = entity.sections.get(entities.SUMMARY)
    if summary and (words := lines.read(" ".join(entity.sections.body(entities.SUMMARY).split())).text):
        at = entity.fields.get(entities.UPDATED, "")
        yield Item(f"{ids.ENTITY}:{id_}", SEMANTIC, words, path, summary.row + 1, Label(), at, about=(id_,))
    sections = (entities.FACTS, entities.TIMELINE, entities.QUESTIONS, *((entities.ARCHIVED,) if archived else ()))
    for section in sections:
        for fact in entity.facts(section):
            at = fact.line.values.get(lines.SINCE, "")
            if section == entities.TIMELINE and (day := lines.day(fact.line.text)):
                at = day.isoformat()
            made = _made(fact.id, SEMANTIC, fact.line, path, fact.item.row + 1, at=at, kind=section)
            yield made._replace(about=(id_,))


def _procedure(text: str, name: str, path: str) -> Item:
    found = Sections(text, path)
    trigger = lines.read(found.body(procedures.TRIGGER).replace("\n", " "))
    notes = [lines.read(item.text).text for item in found.items(procedures.NOTES)]
    steps = tuple(each for each in (*procedures.steps(text, path), *notes) if each)
    at = entities.read(text, name, path).fields.get(procedures.LEARNED, "")
    return Item(
        f"{ids.PROCEDURE}:{name}",
        PROCEDURAL,
        trigger.text or name.replace("-", " "),
        path,
        1,
        trigger.label,
        at,
        steps=steps,
    )


def _kept(text: str, name: str, path: str) -> Item:
    found = vault.memory(text, name, path)
    return Item(found.id, VAULT, found.text, path, 1, found.label, found.at)


def _made(id_: str, store: str, line: Line, path: str, row: int, *, at: str = "", kind: str = "") -> Item:
    values = line.values
    replaces = tuple(filter(None, values.get(lines.REPLACES, "").split(";")))
    at = values.get(lines.SINCE, at) if not at or values.get(lines.UNTIL) else at
    return Item(
        id_,
        store,
        line.text,
        path,
        row,
        line.label,
        at,
        values.get(lines.UNTIL, ""),
        values.get(lines.BY, ""),
        replaces,
        kind=kind,
        opposed=values.get(lines.OPPOSED, ""),
    )


def beside(items: Sequence[Item], line: int) -> Item | None:
    """Return the item in which a line of its file lies: the last that begins there or before."""
    return next((each for each in reversed(items) if each.line <= line), None)
