"""Whom and what a thing is about: the names in it, and the entities that they mean.  [moltbot §8.2, §17.1]"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from koog.core.lazy_regex import compiled
from koog.core.run import Run
from koog.memory.names import entries, known, mentions, spelling
from koog.memory.names.known import Known, Meant
from koog.memory.store import entities, graph_index, ids
from koog.memory.wanted import Wanted

if TYPE_CHECKING:
    from koog.memory.store.writing import Writer

CORE_ROWS, CORE_NAMES = "rows of MEMORY.md", "names in rows of MEMORY.md"
Named = tuple[str, str, Meant]  # a name, its type, which entity is meant


def meant(writer: Writer, wanted: Wanted, answer: dict[str, Any]) -> list[Named]:
    """Return the entities that a thing names: name, type, which one is meant; the one that was told first."""
    rows = [(str(row["name"]), str(row["type"])) for row in answer["entities"]]
    about = (answer["summary"],)
    found = [
        _person(writer, name, kind, writer.names.meant(name, kind, about=about), answer["summary"])
        for name, kind in rows
    ]
    if wanted.merges:
        found = [(name, kind, _merged(each)) for name, kind, each in found]
    if not wanted.entity:
        return found
    if ids.is_entity(wanted.entity):
        kind, _, name = wanted.entity.partition("--")
        entry = writer.names.entries.get(wanted.entity)
        told = (entry.label if entry else name.replace("-", " "), kind, known.Meant(wanted.entity))
    else:
        kind = next((k for n, k in rows if spelling.key(n) == spelling.key(wanted.entity)), "concept")
        told = (wanted.entity, kind, writer.names.meant(wanted.entity, kind, about=about))
    return [told, *(each for each in found if spelling.key(each[0]) != spelling.key(told[0]))]


def _merged(meant: Meant) -> Meant:
    """Return the nearest of the entities that may be meant, unless nobody can tell which."""
    return meant if meant.id or meant.is_open or not meant.candidates else known.Meant(meant.candidates[0].id)


def _person(writer: Writer, name: str, kind: str, meant: Meant, text: str) -> Named:
    """Return who is meant where a name alone does not tell: of several the one of whom it is known what is said beside
    the name ("Stefan from accounting"); of none, the one whose whole name stands in MEMORY.md.
    """
    if kind != known.PERSON or meant.id:
        return name, kind, meant
    if meant.is_open:
        beside = set(mentions.beside(text, name))
        fits = [c.id for c in meant.candidates if beside & _words_of(writer, c.id)]
        return name, kind, known.Meant(fits[0]) if len(fits) == 1 else meant
    if len(spelling.key(name).split()) > 1:
        return name, kind, meant
    core = of_core(writer.run, name, writer.core.text)
    id_ = core.meant(name, kind).id
    return (core.entries[id_].label if id_ else name), kind, meant


def of_core(run: Run, text: str, core: str) -> Known:
    """Return whom and what MEMORY.md names in the lines that share a word with a text, as entities that may come.

    core   MEMORY.md
    """
    words = {word for word in spelling.key(text).split() if len(word) > 1 or not word.isascii()}
    is_east = not text.isascii()
    rows = [
        row
        for row, capitals in _core_rows(run, core)
        if not words.isdisjoint(capitals) or (is_east and any(word in row for word in words))
    ]
    found: dict[str, entries.Name] = {}
    for each in chain.from_iterable(_named_in(run, row) for row in rows):
        if ids.slug(each.name):
            id_ = ids.entity(each.kind, each.name)
            found[id_] = entries.Name(id_, each.name, (each.name,))
    return known.Known(found)


def _named_in(run: Run, row: str) -> list[mentions.Mention]:
    """Return the names in a row of MEMORY.md."""
    memo: dict[str, list[mentions.Mention]] = run.workspace.memo.setdefault(CORE_NAMES, {})
    if row not in memo:
        memo[row] = mentions.found(row.lstrip("-*• "))
    return memo[row]


def _core_rows(run: Run, core: str) -> list[tuple[str, set[str]]]:
    """Return the rows of MEMORY.md, each with its words that have a capital; a batch asks for them again and again."""
    memo: dict[str, set[str]] = run.workspace.memo.setdefault(CORE_ROWS, {})
    rows = core.splitlines()
    for row in rows:
        if row not in memo:
            memo[row] = {each.casefold() for each in compiled(spelling.WORD).findall(row) if each[0].isupper()}
    return [(row, memo[row]) for row in rows]


def _words_of(writer: Writer, id_: str) -> set[str]:
    """Return the words of what is known of somebody."""
    return {word for fact in writer.graph.held(id_) for word in spelling.key(fact.line.text).split()}


def has_target(meant: list[Named]) -> bool:
    """Return whether a fact has somebody or something that it is surely about."""
    return bool(meant) and not meant[0][2].is_open


def first(meant: list[Named], writer: Writer, fact: str) -> list[Named]:
    """Return the entities of a thing, in front the one whose fact it corrects."""
    if fact.startswith(ids.CORE):
        return meant
    id_ = ids.parse(fact).entity
    told = next((each for each in meant if each[2].id == id_), None)
    entry = writer.names.entries[id_]
    return [told or (entry.label, entry.type, known.Meant(id_)), *(each for each in meant if each is not told)]


def linked(writer: Writer, wanted: Wanted, answer: dict[str, Any], meant: list[Named]) -> list[dict[str, Any]]:
    """Link the entity of a fact with the others that it names, and keep what else these are called."""
    _called(writer, answer["summary"], meant)
    start = meant[0][2].id or ""
    of = {spelling.key(name): (name, kind, each) for name, kind, each in meant}
    wishes = [(rel, to) for rel, to in wanted.edges]
    _name_unknown(writer, [relation for relation, _ in wishes])
    found = [(str(r["from"]), str(r["relation"]), str(r["to"])) for r in answer["relations"]] if not wishes else []
    rows = []
    for source, relation, target in [*((meant[0][0], rel, to) for rel, to in wishes), *found]:
        ends = [_end(writer, of, name) for name in (source, target)]
        if all(ends) and start in ends and ends[0] != ends[1]:
            writer.graph.edge(str(ends[0]), relation, str(ends[1]), confidence=answer["confidence"])
            rows.append({"from": ends[0], "relation": entities.relation(relation), "to": ends[1]})
    return rows


def _name_unknown(writer: Writer, told: list[str]) -> None:
    """Warn of relations that relations.md does not name: they are kept, and `graph check` says so, too."""
    if told:
        from koog.memory.store import health  # hardly ever needed, and it can read a whole note

        path = writer.run.workspace.in_memory(graph_index.RELATIONS)
        known_ones = health.relations(writer.run.workspace.text(path) or graph_index.VOCABULARY)
        unknown = dict.fromkeys(each for each in map(entities.relation, told) if each not in known_ones)
        writer.run.warnings += [f"{each!r} is no relation of {path}: it is kept as it is" for each in unknown]


def _end(writer: Writer, of: dict[str, tuple[str, str, Meant]], name: str) -> str | None:
    """Return the entity at one end of a relation, made where there is none; None where nobody can tell which."""
    said = spelling.key(name)
    by_part = (row for whole, row in of.items() if row[1] == known.PERSON and said in whole.split())  # see _person
    told, kind, each = of.get(said) or next(by_part, None) or (name, "concept", writer.names.meant(name, "concept"))
    if ids.is_entity(name):
        told, each = name.partition("--")[2].replace("-", " "), known.Meant(name)
    if each.is_open or not ids.slug(told):
        return None
    id_ = each.id or ids.entity(kind, told)
    writer.graph.entity(id_, told)
    return id_


def _called(writer: Writer, text: str, meant: list[Named]) -> None:
    """Keep the other name that a text gives to an entity: "everybody calls the Planner just Leo"."""
    of = {spelling.key(name): each.id for name, _, each in meant if each.id}
    for each in mentions.others(text, writer.names.within(text)):
        id_ = of.get(spelling.key(each.of))
        if id_ and not writer.names.called(spelling.key(each.name)):
            writer.graph.entity(id_, each.name)
