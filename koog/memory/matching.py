"""Which memories somebody may mean by a few words; for a hook, which has no time for the index.  [moltbot §8.3]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.text import signs
from koog.core.text.says import says
from koog.memory.fading import accesses
from koog.memory.names import known, spelling
from koog.memory.store import core_memory, entities, episodes, ids, stores
from koog.memory.store.memories import SEMANTIC, Memory

if TYPE_CHECKING:
    from koog.core.run import Run

DAYS = 31  # the newest days' episodes
LEAST = 0.5  # of the words' ideas
SOME = 0.3  # of the words themselves, whose ideas are then looked at
LAST_BYTES = 4096  # of the log of accesses


def like(run: Run, words: str, *, everywhere: bool = False) -> list[Memory]:
    """Return the memories that have most of the words' ideas, the most alike first: of core memory, of the entities
    that are named, of the last days.

    everywhere   of every entity: for who has the time
    """
    wanted = says(words).ideas | says(words).names | says(words).maybe
    if not wanted:
        return []
    rated = []
    for at, each in enumerate(_near(run, words, everywhere=everywhere)):
        found = says(each.text)
        share = len(wanted & (found.ideas | found.names | found.maybe)) / len(wanted)
        if share >= LEAST:
            rated.append((-share, at, each))
    return [each for _, _, each in sorted(rated, key=lambda row: row[:2])]


def about(run: Run, words: str) -> list[Memory]:
    """Return all that is held of whom the words name, core memory, and the last days."""
    return _near(run, words, everywhere=False)


def latest(run: Run) -> list[Memory]:
    """Return what was remembered last, in one list."""
    tree = run.workspace
    folder = tree.in_memory(accesses.FOLDER)
    try:
        months = [f"{folder}/{name}" for name in tree.names(folder, ".jsonl")]
        for path in (tree.in_memory(accesses.FILE), *months[-1:]):  # a tick may have moved its lines just now
            log = accesses.read((tree.text(path) or "")[-LAST_BYTES:])
            if written := [each.id for each in log.accesses if each.op == accesses.WRITE]:
                hidden = forgotten.of(tree).hidden
                return [each for each in stores.every(run) if each.id == written[-1] and each.id not in hidden]
    except WorkspaceError:
        pass
    return []


def _near(run: Run, words: str, *, everywhere: bool) -> list[Memory]:
    hidden = forgotten.of(run.workspace).hidden
    found = [each for path, text in stores.texts(run, "") for each in core_memory.memories(text, path)]
    for entity in stores.graph(run) if everywhere else _named(run, words):
        found += [
            Memory(fact.id, SEMANTIC, fact.line.text, entity.path, fact.item.row + 1, label=fact.line.label)
            for fact in entity.facts()
            if not fact.line.is_past and (not everywhere or _shares(fact.line.text, words))
        ]
    tree = run.workspace
    folder = tree.in_memory(episodes.FOLDER)
    for name in tree.names(folder, ".md")[-DAYS:]:
        path = f"{folder}/{name}"
        if (day := stores.day_of(path)) and (text := tree.text(path)):
            found += episodes.memories(episodes.read(text, day, path), path)
    return [each for each in found if not forgotten.hides(hidden, each.id)]


def _shares(text: str, words: str) -> bool:
    """Return whether a text has some of the words, or they are written without spaces: what costs little to know."""
    said = set(spelling.key(words).split())
    return signs.may_be_wide(words) or len(said & set(spelling.key(text).split())) >= len(said) * SOME


def _named(run: Run, words: str) -> list[entities.Entity]:
    """Return the entities of which the words have a name, or a part of one."""
    said = set(spelling.key(words).split())
    found = []
    for each in known.load(run).entries.values():
        if any(said & set(spelling.key(name).split()) for name in each.names):
            path = run.workspace.in_memory(entities.path(each.id))
            if ids.is_entity(each.id) and (text := run.workspace.text(path)):
                found.append(entities.read(text, each.id, path))
    return found
