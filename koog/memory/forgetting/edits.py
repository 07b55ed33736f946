"""The texts without what is forgotten: one function for each kind of place. Pure.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from koog.core.lazy_regex import compiled
from koog.memory.forgetting import targets
from koog.memory.store import core_memory, entities, episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections


def without_core(text: str, hashes: Collection[str]) -> str:
    """Return MEMORY.md without some lines, by the figures of their words."""
    gone = [each for each in core_memory.entries(Sections(text, core_memory.FILE)) if each.line.hash in hashes]
    return core_memory.without(text, gone)


def without_lines(text: str, hashes: Collection[str]) -> str:
    """Return a file of bullets without some, by the figures of their words; rows that go on with one go with it."""
    kept, is_gone = list[str](), False
    for row in text.split("\n"):
        words = targets.said(row)
        is_gone = ids.of_words(words) in hashes if words else is_gone and row[:1] in (" ", "\t") and bool(row.strip())
        if not is_gone:
            kept.append(row)
    return "\n".join(kept)


def shelved(text: str, entity: str, hashes: Collection[str], *, today: str) -> str:
    """Return an entity's file with some of its lines under `## Archived`; one that nobody finds any more is left out.

    hashes   the figures of their words
    """
    while True:
        read = entities.read(text, entity, "")
        every = read.facts(entities.FACTS, entities.TIMELINE, entities.QUESTIONS)
        fact = next((each for each in every if each.line.hash in hashes), None)
        if fact is None:
            return text
        row = fact.line.with_values(**{lines.SHELVED: today, lines.SECTION: fact.section.replace(" ", "-")})
        others = [each.line for each in every if each.line.hash not in hashes]
        text = Sections(read.sections.without(fact.item), "").with_item(
            entities.ARCHIVED, row.raw, order=entities.ORDER
        )
        text = _unlinked(text, entity, fact.line, others)


def _unlinked(text: str, entity: str, gone: Line, others: Sequence[Line]) -> str:
    """Return an entity's file without the relations that one line alone told: of its day, and of what it names."""
    day = gone.values.get(lines.SINCE, "")
    is_only = all(each.values.get(lines.SINCE, "") != day for each in others)
    for item in reversed(list(entities.read(text, entity, "").sections.items(entities.RELATIONS))):
        for edge in entities.edges_of(entity, item.text):
            name = (edge.to if edge.start == entity else edge.start).partition("--")[2]
            is_told = (_names(gone, name) and not any(_names(each, name) for each in others)) or is_only
            if day and edge.first == day and is_told:
                text = entities.read(text, entity, "").sections.without(item)
                break
    return text


def _names(line: Line, name: str) -> bool:
    """Return whether a line has all words of an entity's name, as ids spell it."""
    low = line.text.casefold()
    said = set(compiled(r"\w+").findall(low))
    return all(word in said or (not word.isascii() and word in low) for word in name.split("-"))


def without_facts(text: str, entity: str, hashes: Collection[str]) -> str:
    """Return an entity's file without some of its lines, wherever they stand."""
    while True:
        read = entities.read(text, entity, "")
        every = read.facts(entities.FACTS, entities.TIMELINE, entities.QUESTIONS, entities.ARCHIVED)
        fact = next((each for each in every if each.line.hash in hashes), None)
        if fact is None:
            return text
        text = read.sections.without(fact.item)
        if fact.section != entities.ARCHIVED:
            text = _unlinked(text, entity, fact.line, [each.line for each in every if each.line.hash not in hashes])


def without_links(text: str, entity: str, gone: Collection[str]) -> str:
    """Return an entity's file without its relations with some others. gone: their ids"""
    for item in reversed(list(entities.read(text, entity, "").sections.items(entities.RELATIONS))):
        edges = list(entities.edges_of(entity, item.text))
        if edges and all({each.start, each.to} & set(gone) for each in edges):
            text = entities.read(text, entity, "").sections.without(item)
    return text


def without_episode(text: str, id_: str) -> str:
    """Return a day's file with an empty entry in the place of one: those behind it keep their ids."""
    day = id_.partition(":")[2][:10]
    entry = next((each for each in episodes.read(text, day) if each.id == id_), None)
    if entry is None or entry.type == episodes.DELETED:
        return text
    sections = Sections(text, "")
    section = next(each for each in sections.sections if each.row == entry.row)
    rows = [f"## {entry.time} | {episodes.DELETED}", ""]
    return "\n".join((*sections.rows[: section.row], *rows, *sections.rows[section.end :]))
