"""An entity as it is called, and all of them as they are kept: each is read when somebody asks for it.  [moltbot §6]"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from typing import Any

from koog.core.named import NamedTuple
from koog.memory.names.kept import Kept, Row
from koog.memory.names.spelling import key
from koog.sessions.labels import NONE, Label

Fits = Callable[[str, str], bool]  # a name as names are looked up, and the type of its entity


class Link(NamedTuple):
    """A relation as a line of an entity's file tells it. line: from 1; confidence, first: as entities.Edge has them"""

    line: int
    start: str
    relation: str
    to: str
    confidence: str = "medium"
    first: str = ""
    label: Label = NONE


class Name(NamedTuple):
    """An entity as it is called: its id, the name that a file shows first, all its names; the relations in its file.

    links   of each the line, its ends, what else it says: as the cache has them
    keyed   its names as names are looked up, where the cache has them
    """

    id: str
    label: str
    names: tuple[str, ...]
    links: Sequence[Sequence[Any]] = ()
    keyed: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return self.keyed or tuple(map(key, self.names))

    @property
    def type(self) -> str:
        return self.id.partition("--")[0]


class Entries(Mapping[str, Name]):
    """The entities as they are kept, each read when somebody asks for it."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._read: dict[str, Name] = {}
        self._added: dict[str, Name] = {}

    @cached_property
    def _all(self) -> dict[str, Name]:
        return {id_: of_row(id_, row) for id_, row in self._kept.every()} | self._added

    def add(self, name: Name) -> None:
        """Have one more, or another in the place of one, which is not kept yet."""
        (self._all if self.are_read else self._added)[name.id] = name

    @property
    def are_read(self) -> bool:
        return "_all" in vars(self)

    def __getitem__(self, id_: str) -> Name:
        if self.are_read:
            return self._all[id_]
        if id_ in self._added:
            return self._added[id_]
        if id_ not in self._read:
            row = self._kept.row(id_)
            if row is None:
                raise KeyError(id_)
            return self._name(id_, row)
        return self._read[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all) if self._added or self.are_read else len(self._kept)

    def values(self) -> ValuesView[Name]:
        return self._all.values()

    def fitting(self, words: Collection[str], fits: Fits, *, wide: bool) -> list[Name]:
        """Return those that have a name with one of some words that fits. wide: or one with other than ASCII"""
        found = {n for n, said in self._kept.having(words, wide=wide) if fits(said, self._kept.kind(n))}
        there = [self._name(*self._kept.at(n)) for n in sorted(found)]
        if not self._added:
            return there
        new = [each for each in self._added.values() if any(fits(said, each.type) for said in each.keys)]
        return sorted([*(each for each in there if each.id not in self._added), *new], key=in_order)

    @property
    def words(self) -> set[str]:
        """Return the words of all names, and signs."""
        return set(self._kept.keys.split()).union(*(said.split() for e in self._added.values() for said in e.keys))

    def linked(self) -> list[Name]:
        """Return those whose files have relations."""
        return [self._name(id_, row) for id_, row in self._kept.linked()]

    def _name(self, id_: str, row: Row) -> Name:
        return self._read.setdefault(id_, of_row(id_, row))


def in_order(name: Name) -> str:
    """Return by what entities are in order: what their files are called."""
    return f"{name.id}.md"


def linked(entries: Mapping[str, Name]) -> Iterable[Name]:
    """Return the entities whose files may have relations, in their order."""
    return entries.linked() if isinstance(entries, Entries) and not entries.are_read else entries.values()


def of_row(id_: str, row: Row) -> Name:
    """Return an entity of which somebody has the row."""
    return Name(id_, row[3], tuple(row[4]), row[5], tuple(row[6]))


def link(row: Sequence[Any]) -> Link:
    """Return one relation that the cache has."""
    line, start, relation, to, confidence, first, *told = row
    return Link(line, start, relation, to, confidence, first, Label(*told) if told else NONE)
