"""The working tree of a reconstruction: laid out of git's objects by koog itself: no hook or filter runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from koog.audit import history
from koog.audit.history import History
from koog.core import forgotten
from koog.core.files import jsonfiles
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.files.roots import put_unsynced
from koog.core.text import taught
from koog.knowledge import by_hand, cursors, layout, reading, withdrawn
from koog.knowledge.core_sections import SECTIONS
from koog.knowledge.layout import MEMORY, Layout
from koog.knowledge.pruning import shelf
from koog.knowledge.replay import clearing, outcome, plan
from koog.memory.forgetting import archive
from koog.memory.store import entities
from koog.search import sources
from koog.sessions import audience, taken

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.knowledge.replay.plan import Plan

TREE = "tree"
BESIDE = (forgotten.FILE, archive.FILE, taught.FILE)  # what an extraction asks for, and no reader of files
NOTHING = jsonfiles.pretty({"version": 1})  # of cursors.json: nothing is extracted yet


def opened(run: Run, made: Plan, *, raw: bool = True) -> Run:
    """Return a run in the working tree, in which is known whatever is known here of whom and where.

    raw   with the transcripts; without them only what was made of them is found there
    """
    root = plan.state(run)
    place = Path(root.folder(f"{plan.FOLDER}/{made.name}/{TREE}"))
    inner = run.apart(place, raw=run.raw if raw else place.with_name("no-transcripts"))
    inner.workspace.memo |= {
        taken.MEMO: taken.of(run),
        audience.MEMO: audience.current(run),
    }
    return inner


def layout_of(run: Run) -> Layout:
    return layout.of(NO_NOTES if run.notes_root else run.workspace.own_notes)


def lay(run: Run, made: Plan) -> int:
    """Write the memory of the commit that the plan begins with into the working tree, without what was taught.

    Return how many lines stay although a transcript taught them: a person has changed them since.
    """
    inner = opened(run, made)
    with history.looked_at(run.commits.git) as past:
        found, many = _cleared(run, past, made)
    for path, text in found.items():
        put(inner, path, text)
    put(inner, run.workspace.in_memory(cursors.NAME), NOTHING)
    if key := forgotten.known_key(run.workspace):
        inner.workspace.cache(f"{forgotten.KEY}.json", jsonfiles.pretty({forgotten.FIELD: key.hex()}))
    return many


def put(inner: Run, path: str, text: str) -> None:
    """Write a file of the working tree, unsynced: it is made anew where it is lost."""
    root, folder = inner.workspace.files, path.rpartition("/")[0]
    if folder:
        root.folder(folder, make=True)
    put_unsynced(root, path, text)


def _cleared(run: Run, past: History, made: Plan) -> tuple[dict[str, str], int]:
    """Return the files of the memory as the working tree begins with them, and how many lines a person kept."""
    where, roots, many = layout_of(run), sources.of(run), 0
    beside = {run.workspace.in_memory(name) for name in BESIDE}
    sessions = {read.session for path in made.paths if (read := reading.read(run, path))}
    theirs = {touch.path for each in past.commits(made.base) if not each.is_koogs for touch in each.touched}
    files = {p: b for p, b in past.files(made.base).items() if roots.category(p) is not None or p in beside}
    graph, texts = run.workspace.in_memory(entities.FOLDER), dict[str, str]()
    for path, blob in files.items():
        text = (past.content(blob) or b"").decode("utf-8", "surrogateescape")
        left: str | None = text
        home = shelf.home(path, own=where) if path.startswith(f"{shelf.ARCHIVE}/") else path
        is_others = not theirs.isdisjoint((path, home))
        # Who has changed a line before it left its file is not to be told from its file in the archive.
        is_open = not (is_others and home != path and shelf.shelved(text))
        if is_open and (clearing.touches(home, where) or path.startswith(f"{graph}/")):
            kept = by_hand.committed(past, path, text, made.base) if is_others else frozenset[int]()
            many += len(kept)
            left = clearing.cleared(text, home, layout=where, sessions=sessions, chosen=made.extractors, kept=kept)
        is_whole = home != path and home not in files and home not in texts and clearing.touches(home, where)
        # Whatever a person has left of a file that was put away, the transcripts are read into that, and no second one.
        if left is not None:
            texts[home if is_whole and not shelf.shelved(text) else path] = left
    for path in clearing.lists_of(where):
        if path in texts:
            texts[path] = clearing.without_gone(texts[path], path=path, layout=where, there=texts)
    return texts, many


def corrected(run: Run, made: Plan) -> None:
    """Take out of the working tree what was read anew though a person had taken it out, or put it otherwise.

    Done twice it comes to the same.
    """
    inner, where = opened(run, made), layout_of(run)
    with history.looked_at(run.commits.git) as past:
        before = past.files(made.base)
        gone = withdrawn.of(past, made.base, partial(_home, run, where))
        for path in before if gone else ():
            if wanted := gone.get(_home(run, where, path) or ""):
                wanted -= withdrawn.keys((past.content(before[path]) or b"").decode("utf-8", "surrogateescape"))
    folders = [each.rstrip("/") for each in outcome.folders(inner, where)]
    paths = [MEMORY, *(path for each in folders for path in reading.below(inner.workspace.files, each))] if gone else []
    for path in paths:
        text, wanted = inner.workspace.text(path), gone.get(_home(run, where, path) or "")
        if text and wanted and (left := withdrawn.without(text, wanted)) != text:
            if path not in before and clearing.says_nothing(left.split("\n")):
                with inner.workspace.writing() as door:
                    door.remove(path, summary="a person had taken it out")
            else:
                put(inner, path, left)


def _home(run: Run, where: Layout, path: str) -> str | None:
    """Return where a file belongs, whose lines may wander: MEMORY.md's two sections go on in two files beside it."""
    home = shelf.home(path, own=where) if path.startswith(f"{shelf.ARCHIVE}/") else path
    if home in map(where.beside, SECTIONS):
        return MEMORY
    is_graphs = home.startswith(f"{run.workspace.in_memory(entities.FOLDER)}/")
    return home if is_graphs or clearing.touches(home, where) else None
