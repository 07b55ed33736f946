"""The five stores as one: what is remembered, wherever it lies.  [moltbot §3]

Every file is read where it is; none is needed for another. What a person broke is named with file and line by `doctor`
and is no memory meanwhile: nothing here raises for one file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.lazy_regex import compiled
from koog.memory.store import core_memory, entities, episodes, ids, procedures, vault
from koog.memory.store.entities import Entity
from koog.memory.store.memories import Memory

if TYPE_CHECKING:
    from koog.core.files.tree import Tree
    from koog.core.run import Run

DAY = r"/(\d{4}-\d\d-\d\d)\.md\Z"


def every(run: Run) -> list[Memory]:
    """Return all that is remembered and may fade, entities whole; a file that cannot be read is a warning."""
    found = [each for path, text in texts(run, "") for each in core_memory.memories(text, path)]
    for path, text in texts(run, episodes.FOLDER):
        if day := day_of(path):
            found += episodes.memories(episodes.read(text, day, path), path)
    found += [entities.memory(each, told(each)) for each in graph(run)]
    for folder, of in ((procedures.FOLDER, procedures.memory), (vault.FOLDER, vault.memory)):
        found += [of(text, name, path) for path, text in texts(run, folder) if (name := name_of(path))]
    return found


def graph(run: Run) -> Iterator[Entity]:
    """Yield every entity that has a file."""
    for path, text in texts(run, entities.FOLDER):
        if ids.is_entity(id_ := _stem(path)):
            yield entities.read(text, id_, path)


def told(entity: Entity) -> str:
    """Return an entity in words: its names, what holds of it where it is of (entities.place)."""
    held = (fact.line.text for fact in entity.facts() if not fact.line.is_past and fact.line.label == entity.place)
    summary = " ".join(entity.sections.body(entities.SUMMARY).split())
    return " ".join(filter(None, ("; ".join(entity.names[:-1] or entity.names), summary, *held)))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def day_of(path: str) -> str:
    """Return the day of a file of episodes, "" for a file that is none."""
    found = compiled(DAY).search(path)
    return found[1] if found else ""


def name_of(path: str) -> str:
    """Return the name of a procedure or of something kept, "" for a file that can be neither."""
    name = _stem(path)
    return name if ids.is_name(name) else ""


def texts(run: Run, folder: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of a store's files. folder: in the memory folder; "" for MEMORY.md"""
    tree = run.workspace
    for path in _paths(tree, folder):
        try:
            text = tree.text(path)
        except WorkspaceError as e:
            run.warnings.append(e.message)
            continue
        if text is not None:
            yield path, text


def paths(run: Run) -> list[str]:
    """Return the files of all stores."""
    folders = ("", episodes.FOLDER, entities.FOLDER, procedures.FOLDER, vault.FOLDER)
    return [path for folder in folders for path in _paths(run.workspace, folder)]


def _paths(tree: Tree, folder: str) -> list[str]:
    if not folder:
        return [core_memory.FILE]
    inside = tree.in_memory(folder)
    return [f"{inside}/{name}" for name in tree.names(inside, ".md")]
