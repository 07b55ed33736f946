"""What can be forgotten: each memory, each line of observations.md and the playbook, by its id.  [moltbot §8.3]

Nobody is shown, and nobody forgets, what he may not be told. What is archived already is there by its id only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import UsageError
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import bullets, observation, sentences
from koog.core.text.tombstone import words
from koog.memory.store import core_memory, entities, episodes, ids, procedures, stores, vault
from koog.memory.store import line as lines
from koog.memory.store.memories import SEMANTIC, Memory
from koog.search import labelled
from koog.sessions import audience, labels
from koog.sessions.audience import Seen
from koog.sessions.labels import Label

if TYPE_CHECKING:
    from koog.core.run import Run

OBSERVATION, PLAYBOOK, KNOWLEDGE = "observation", "playbook", "knowledge"
LINES = {  # whose lines are forgotten one by one; in the memory folder, and all below KEPT_IN
    OBSERVATION: ("observations.md", "favorites.md"),
    PLAYBOOK: ("sinain-playbook.md",),
    KNOWLEDGE: (),
}
KEPT_IN = ("knowledge", "archive")  # what is put away there is told as what is not
ID = rf"(?:{'|'.join(LINES)}):[0-9a-f]{{8}}"
PART_WORDS = 5  # of a sentence of a longer text: a shorter one stands in others that mean something else
BEHIND = (
    r"[ \t]*(?:<!--(?:(?!-->).)*-->|\(score: *-?\d+(?:\.\d+)?\)|\[(?:since|deferred): *[^\]]*\]|\[error-prevention\])"
)
SOURCE = r"\sdc:source=(\S*)"


class Target(NamedTuple):
    """One thing that can be forgotten.

    store     of the five, else observation or playbook
    path, line  where it stands, from 1
    at        when it was written, "" where nothing says so
    sources   where it was heard: an entry of a session, or a session
    section   of a fact: under which heading it stands
    """

    id: str
    store: str
    text: str
    path: str
    line: int
    at: str = ""
    label: Label = labels.NONE
    sources: tuple[str, ...] = ()
    section: str = ""

    @property
    def kind(self) -> str:
        return self.id.partition(":")[0]

    @property
    def phrases(self) -> list[str]:
        """Return the runs of words by which it is known again: all of it, and the longer sentences in it.

        An entity has none: its name alone says nothing.
        """
        if self.kind == ids.ENTITY:
            return []
        parts = [piece for row in self.text.split("\n") for _, piece in sentences.split(row)]
        long = [part for part in parts if len(words(part)) >= PART_WORDS]
        return list(dict.fromkeys((self.text, *(long if len(parts) > 1 else ()))))


def parse(text: str) -> str:
    """Return an id as it is written. Raises UsageError for what is none."""
    if compiled(ID).fullmatch(text.strip()):
        return text.strip()
    found = ids.parse(text)
    return f"{found.kind}:{found.name}"


def is_id(text: str) -> bool:
    """Return whether a text is an id."""
    try:
        parse(text)
    except UsageError:
        return False
    return True


def every(run: Run, *, archived: bool = False) -> list[Target]:
    """Return all that the reader may be told of. archived: that too which was forgotten"""
    hidden = forgotten.of(run.workspace).hidden
    found = _all(run)
    if not archived:
        past = (entities.ARCHIVED,)
        found = (each for each in found if each.section not in past and not forgotten.hides(hidden, each.id))
    who = audience.current(run)
    told, others = list[Target](), set[str]()
    for each in found:
        if who.line(each.label, each.path, text=each.text) is not Seen.HIDDEN:
            told.append(each)
        elif each.kind == ids.FACT:
            others.add(f"{ids.ENTITY}:{ids.parse(each.id).entity}")
    return [each for each in told if each.id not in others]  # of whom others know something, he is not theirs alone


def _all(run: Run) -> Iterator[Target]:
    for path, text in stores.texts(run, ""):
        yield from (of(each, ()) for each in core_memory.memories(text, path))
    for path, text in stores.texts(run, episodes.FOLDER):
        if day := stores.day_of(path):
            read = episodes.read(text, day, path)
            said = {entry.id: heard(entry.line) for entry in read}
            yield from (of(each, said[each.id]) for each in episodes.memories(read, path))
    for entity in stores.graph(run):
        yield of(entities.memory(entity, "; ".join(entity.names)), ())
        yield from facts(entity)
    for folder, made in ((procedures.FOLDER, procedures.memory), (vault.FOLDER, vault.memory)):
        for path, text in stores.texts(run, folder):
            if name := stores.name_of(path):
                yield of(made(text, name, path), ())
    for kind in LINES:
        for path in paths(run, kind):
            yield from _lines(run, kind, path)


def paths(run: Run, kind: str) -> list[str]:
    """Return the files whose lines are forgotten one by one, of one kind of LINES."""
    if kind == KNOWLEDGE:
        return [path for folder in KEPT_IN for path in _below(run, folder)]
    return [run.workspace.in_memory(name) for name in LINES[kind]]


def _below(run: Run, top: str) -> Iterator[str]:
    """Yield the Markdown files in a folder and in those inside it, each folder once: links may lead in a circle."""
    files, waiting, been = run.workspace.files, [top], set[tuple[int, int]]()
    while waiting:
        folder = waiting.pop()
        info = files.info(folder)
        if info is None or (info.st_dev, info.st_ino) in been:
            continue
        been.add((info.st_dev, info.st_ino))
        every = files.entries(folder)
        yield from (f"{folder}/{each.name}" for each in every if not each.is_folder and each.name.endswith(".md"))
        waiting += [f"{folder}/{each.name}" for each in reversed(every) if each.is_folder]


def of(memory: Memory, sources: Sequence[str]) -> Target:
    """Return a memory as what can be forgotten."""
    said = (memory.id, memory.store, memory.text, memory.path, memory.line, memory.at, memory.label)
    return Target(*said, tuple(sources))


def facts(entity: entities.Entity) -> Iterator[Target]:
    """Yield what is known of an entity, line by line; what does not hold any more, and what is archived, too."""
    for fact in entity.facts(entities.FACTS, entities.TIMELINE, entities.QUESTIONS, entities.ARCHIVED):
        at = fact.line.values.get(lines.SINCE, "")
        yield Target(
            fact.id,
            SEMANTIC,
            fact.line.text,
            entity.path,
            fact.item.row + 1,
            at,
            fact.line.label,
            tuple(heard(fact.line)),
            fact.section,
        )


def heard(line: lines.Line) -> list[str]:
    """Return where a line was heard."""
    return [line.values[lines.HEARD]] if line.values.get(lines.HEARD) else []


def _lines(run: Run, kind: str, path: str) -> Iterator[Target]:
    """Yield the lines of a file that koog writes a line at a time."""
    whole = run.workspace.text(path) or ""
    told = labelled.rows(whole, path=path)  # what stands below another project's line is that project's too
    for at, row in enumerate(whole.split("\n")):
        text = said(row)
        if not text or (kind == OBSERVATION and observation.read(row) is None):
            continue
        sources = tuple(each.partition(";")[0] for each in compiled(SOURCE).findall(row))
        label = told.get(at, labelled.NOTHING).label
        yield Target(f"{kind}:{ids.of_words(text)}", kind, text, path, at + 1, "", label, sources)


def said(row: str) -> str:
    """Return the words of a bullet, without mark, time, tags and comments; "" for a row that is none.

    >>> said("- 🔴 09:14 Deploys go out on Tuesdays (score: 0.8) <!-- dc:type=rule -->")
    'Deploys go out on Tuesdays'
    """
    if seen := observation.read(row):
        text = seen.text
    elif bullet := bullets.parse(row):
        text = bullet.text
    else:
        return ""
    return compiled(BEHIND).sub("", text).strip()


def chosen(found: Iterable[Target], named: Sequence[str]) -> list[Target]:
    """Return those of some ids, of an id all that have it."""
    wanted = set(named)
    return [each for each in found if each.id in wanted]
