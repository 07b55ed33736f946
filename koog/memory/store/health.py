"""What is broken in the stores: file, line and what mends it, for `koog doctor`.  [moltbot §3 to §7]"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import markdown, tokens
from koog.core.text.notes import open_fence
from koog.memory.names import spelling
from koog.memory.store import core_memory, entities, episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.comments import half_open, open_comment
from koog.memory.store.core_memory import BUDGETS, MANY_LINES, TITLES
from koog.memory.store.entities import Edge, Entity
from koog.memory.store.sections import Sections

UPWARDS = ("part-of", "depends-on", "supersedes", "preceded-by")  # relations in which a circle means nothing
LOWER = r"#{3,6}\s+\S"  # a heading within a section
WORD = r"`([^`\s]+)`"  # how relations.md names a relation


class Trouble(NamedTuple):
    """One thing that is not as it should be. is_error: koog cannot write there, or leaves it out"""

    path: str
    line: int | None
    message: str
    is_error: bool = False


def of_core(text: str, most: int) -> Iterator[Trouble]:
    """Yield what is wrong with MEMORY.md. most: its cap in tokens"""
    yield from unclosed(text, core_memory.FILE)
    yield from _headed(text, core_memory.FILE)
    size = core_memory.size(text, most)
    if size.is_over:
        gone = ", ".join(f"line {e.item.row + 1}" for e in core_memory.to_prune(text, most)[:3])
        hint = f"; {gone} could go" if gone else ""
        yield Trouble(core_memory.FILE, None, f"has {size.told}: nothing more is remembered in it{hint}", is_error=True)
    elif size.lines >= MANY_LINES:
        yield Trouble(core_memory.FILE, None, f"has {size.lines} of {core_memory.MOST_LINES} lines")
    found = Sections(text, core_memory.FILE)
    titles = [section.title.casefold() for section in found.sections]
    for block, title in TITLES.items():
        if titles.count(title.casefold()) > 1:
            rows = [s.row + 1 for s in found.sections if s.title.casefold() == title.casefold()]
            yield Trouble(core_memory.FILE, rows[1], f"a second {title!r}: new lines go to the one in line {rows[0]}")
        used = tokens.estimate(found.body(title))
        if used > BUDGETS[block]:
            message = f"{title!r} has about {used:,} tokens, {BUDGETS[block]:,} are meant for it"
            yield Trouble(core_memory.FILE, found.get(title).row + 1, message)  # type: ignore[union-attr]


def of_day(text: str, path: str, day: str) -> Iterator[Trouble]:
    """Yield what is wrong with a day's episodes."""
    yield from unclosed(text, path)
    for section in Sections(text, path).sections:
        known_rows = {each.row for each in episodes.read(text, day, path)}
        if section.row not in known_rows and section.title[:1].isdigit():
            yield Trouble(path, section.row + 1, f"{section.title!r} is no entry: it begins with a time, 14:30")


def of_graph(found: Iterable[Entity], texts: Mapping[str, str]) -> Iterator[Trouble]:
    """Yield what is wrong with the entities. texts: path → text of every file in their folder"""
    every = {entity.id: entity for entity in found}
    for path, text in texts.items():
        yield from unclosed(text, path)
        yield from _headed(text, path)
        stem = path.rpartition("/")[2].removesuffix(".md")
        if stem not in every:
            message = (
                f"is no entity's file: it is called TYPE--NAME.md, as {ids.entity('concept', stem) or 'person--ana'}.md"
            )
            yield Trouble(path, None, message, is_error=True)
    named = defaultdict(list)
    for entity in every.values():
        if entity.sections.title not in ("", entity.id):
            yield Trouble(
                entity.path, 1, f"the first heading says {entity.sections.title!r}, and the file is {entity.id}"
            )
        for name in {spelling.key(name) for name in entity.names}:
            named[name].append(entity)
        for row, edge in _edges(entity):
            if other := next((end for end in (edge.start, edge.to) if end not in every), None):
                yield Trouble(entity.path, row, f"links to {other}, which has no file")
    for name, those in named.items():
        if name and len(those) > 1:
            others = ", ".join(sorted(each.id for each in those[1:]))
            message = f"{name!r} is a name of {those[0].id} and of {others}: nobody can tell which"
            yield Trouble(those[0].path, _named_in(those[0]), message)
    yield from _circles(every)
    yield from _replaced_in_circles(every)


def of_relations(found: Iterable[Entity], vocabulary: str) -> Iterator[Trouble]:
    """Yield the relations that relations.md does not name. vocabulary: its text"""
    words = relations(vocabulary)
    for entity in found:
        for item in entity.sections.items(entities.RELATIONS):
            for edge in entities.edges_of(entity.id, item.text):
                if edge.relation not in words:
                    yield Trouble(entity.path, item.row + 1, f"{edge.relation!r} is no relation of relations.md")
                    break


def relations(vocabulary: str) -> set[str]:
    """Return the relations that relations.md names, and those that every graph has. vocabulary: its text"""
    return set(compiled(WORD).findall(vocabulary)) | {*entities.INVERSE, *entities.INVERSE.values(), *entities.BACK}


def _edges(entity: Entity) -> Iterator[tuple[int, Edge]]:
    """Yield an entity's relations, each with its line."""
    for item in entity.sections.items(entities.RELATIONS):
        yield from ((item.row + 1, edge) for edge in entities.edges_of(entity.id, item.text))


def _named_in(entity: Entity) -> int:
    """Return the line that says how an entity is called, else the first."""
    rows = entity.sections.rows
    return next((n for n, row in enumerate(rows, 1) if row.startswith("<!--") and f"{entities.LABEL}:" in row), 1)


def _circles(every: Mapping[str, Entity]) -> Iterator[Trouble]:
    """Yield the relations that lead back to where they began."""
    for relation in UPWARDS:
        to: dict[str, set[str]] = defaultdict(set)
        line: dict[str, int] = {}
        for entity in every.values():
            for row, edge in _edges(entity):
                if edge.relation == relation and edge.start in every:
                    to[edge.start].add(edge.to)
                    line.setdefault(edge.start, row if edge.start == entity.id else 1)
        for start in _begins(to):
            yield Trouble(every[start].path, line[start], f"{relation} leads from {start} back to it")


def _replaced_in_circles(every: Mapping[str, Entity]) -> Iterator[Trouble]:
    """Yield the facts that took the place of what, in the end, took theirs."""
    to: dict[str, set[str]] = {}
    place: dict[str, tuple[str, int]] = {}
    for entity in every.values():
        for fact in entity.facts():
            to[fact.id] = set(filter(None, fact.line.values.get(lines.REPLACES, "").split(";")))
            place[fact.id] = (entity.path, fact.item.row + 1)
    for start in _begins({id_: others for id_, others in to.items() if others}):
        yield Trouble(*place[start], f"{start} replaces what replaces it")


def _begins(to: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield of each circle its first one."""
    yield from sorted(min(circle) for circle in _circles_in(to))


def _circles_in(to: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Yield what leads back to itself, all that one gets to and back from together: each is looked at once.

    Tarjan's strongly connected components, without recursion: a graph may be as deep as it is large.
    """
    number, least = dict[str, int](), dict[str, int]()
    path, place = list[str](), dict[str, int]()  # what is looked at, and where it stands there
    for start in to:
        waiting = [(start, iter(sorted(to[start])))] if start not in number else []
        while waiting:
            at, others = waiting[-1]
            if at not in number:
                number[at] = least[at] = len(number)
                place[at] = len(path)
                path.append(at)
            other = next((each for each in others if each in to and (each not in number or each in place)), None)
            if other is not None and other not in number:
                waiting.append((other, iter(sorted(to[other]))))
                continue
            if other is not None:
                least[at] = min(least[at], number[other])
                continue
            waiting.pop()
            if waiting:
                least[waiting[-1][0]] = min(least[waiting[-1][0]], least[at])
            if least[at] == number[at]:
                circle = path[place[at] :]
                del path[place[at] :]
                for each in circle:
                    del place[each]
                if len(circle) > 1 or at in to[at]:
                    yield circle


def unclosed(text: str, path: str) -> Iterator[Trouble]:
    """Yield a code fence or comment that nothing closes: what is written below it cannot be read."""
    rows = text.split("\n")
    if opened := open_fence(rows):
        fences = [start for kind, start, _ in markdown.blocks(rows) if kind == markdown.FENCE]
        line = max((at for at in fences if rows[at] == opened), default=0) + 1
        yield Trouble(path, line, "a code fence that nothing closes: koog writes nothing below it", is_error=True)
    elif (begun := open_comment(rows)) is not None:
        yield Trouble(path, begun + 1, "a comment that nothing closes: koog writes nothing below it", is_error=True)
    for start, end in half_open(rows):
        message = f"a comment that its line does not close: the lines up to {end + 1} are read as part of it"
        yield Trouble(path, start + 1, message, is_error=True)


def _headed(text: str, path: str) -> Iterator[Trouble]:
    """Yield the headings of a lower level in the sections that koog writes to: its lines go to the last one."""
    rows = text.split("\n")
    fenced = {at for kind, start, end in markdown.blocks(rows) if kind == markdown.FENCE for at in range(start, end)}
    for at, row in enumerate(rows):
        if at not in fenced and compiled(LOWER).match(row):
            yield Trouble(
                path, at + 1, f"{row.strip()!r} is no section of its own: new lines of its section go below it"
            )
