"""The names that the entities' files say, read again where a file differs from what is kept of it.  [moltbot §6]

Ten years of memories have thousands of entities, and remembering one thing must not read them all: names are kept in
`entities.json` beside what each file looked like (kept.py), and only files that differ are read again; where none does,
of the names only those that are asked for. It can be deleted. It lies in the state root, since whoever could write it
could have a person's words kept of somebody else; in `.koog/` where koog sees none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.files import listing
from koog.memory.names import kept
from koog.memory.names.entries import Entries, Name, of_row
from koog.memory.names.kept import Row
from koog.memory.names.spelling import key
from koog.memory.store import entities, ids

if TYPE_CHECKING:
    from koog.core.files.listing import Listing
    from koog.core.files.tree import Tree
    from koog.core.run import Run

CACHE = "entities.json"
SUFFIX = ".md"
TICK_NS, SECONDS_NS = 20_000_000, 2_000_000_000  # as coarsely as file systems keep times: by the clock's ticks, or so
UNTRUSTED = 0  # in a time's place: no file has it


def every(run: Run, looked: Listing | None = None) -> Mapping[str, Name]:
    """Return the entities that there are. looked: the look at their folder, where somebody has just taken one"""
    tree = run.workspace
    folder = tree.in_memory(entities.FOLDER)
    looked = looked or _look(tree, folder)
    has_links = any(name.endswith(SUFFIX) for name in looked.links)  # which somebody has to follow
    mark = "" if has_links else looked.mark
    text = _cached(run)
    names = kept.opened(text)
    if names is not None and names.mark == mark != "" and run.state_root:
        return Entries(names)
    was, at_ns = kept.rows(text, is_own=run.state_root is not None), time.time_ns()
    states = _followed(tree, folder) if has_links else looked.states
    now: dict[str, Row] = {}
    for name, state in sorted(states.items()):
        id_ = name.removesuffix(SUFFIX)
        row = was.get(id_)
        if row is None or row[:3] != [*state]:
            if not ids.is_entity(id_):
                continue
            row = _read(run, f"{folder}/{name}", id_, state)
            if row is None:
                mark = ""  # it is tried again, and told of again
                continue
            if is_young(state[1], at_ns):
                row[1], mark = UNTRUSTED, ""
        now[id_] = row
    is_marked = names is not None and names.mark == mark
    is_same = is_marked and len(now) == len(was) and all(row is was[id_] for id_, row in now.items())
    if not is_same and not run.dry_run:
        with suppress(WorkspaceError):  # a folder that koog may only read, a full disk: the next one reads them again
            tree.cache(CACHE, kept.render(mark, now), kept=True)
    return {id_: of_row(id_, row) for id_, row in now.items()}


def _look(tree: Tree, folder: str) -> Listing:
    """Return what the entities' folder holds."""
    try:
        return listing.look(tree.files.folder(folder), SUFFIX)
    except (FileNotFoundError, NotADirectoryError):
        return listing.Listing([], [], [], [], [])
    except OSError as e:
        raise WorkspaceError(f"{folder}: {e.strerror}") from None


def _followed(tree: Tree, folder: str) -> dict[str, tuple[int, int, int]]:
    """Return the entities' files with size, ctime_ns and inode of each; of a link, those of what it leads to."""
    every = [e for e in tree.files.entries(folder) if e.name.endswith(SUFFIX) and e.is_file]
    return {e.name: (e.info.st_size, e.info.st_ctime_ns, e.info.st_ino) for e in every}


def is_young(changed_ns: int, at_ns: int) -> bool:
    """Return whether what is read now may be changed once more without another time, as git has it too.

    A time that is to come, of a clock that was put back, is young until then.
    """
    return changed_ns + (TICK_NS if changed_ns % 1_000_000_000 else SECONDS_NS) >= at_ns


def _read(run: Run, path: str, id_: str, state: Sequence[int]) -> Row | None:
    """Return the row of one entity's file, None, with a warning, for one that cannot be read."""
    try:
        text = run.workspace.text(path)
    except WorkspaceError as e:
        run.warnings.append(e.message)
        return None
    read = entities.read(text or "", id_, path)
    return [*state, read.label, list(read.names), list(_links(read)), list(map(key, read.names))]


def _links(entity: entities.Entity) -> Iterator[list[object]]:
    """Yield an entity's relations as the cache keeps them."""
    for item in entity.sections.items(entities.RELATIONS):
        for edge in entities.edges_of(entity.id, item.text):
            told = edge.label.stored
            yield [item.row + 1, *edge[:5], *(told if any(told[::2]) else ())]


def _cached(run: Run) -> str:
    """Return the text of the cache, "" where there is none."""
    try:
        return run.workspace.cached(CACHE, kept=True)
    except WorkspaceError:
        return ""
