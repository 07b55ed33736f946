"""What `koog doctor` says of the memory's five stores: what a hand broke, by file and line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from koog.core import forgotten
from koog.core.errors import WorkspaceError
from koog.core.run import Run
from koog.memory.fading import accesses, decay_scores
from koog.memory.store import entities, episodes, health, procedures, stores, vault
from koog.memory.store.health import Trouble
from koog.operate.checks_texts import text
from koog.operate.finding import ERROR, WARN, Finding, edit, few


def memory_stores(run: Run) -> Iterator[Finding]:
    """Look at core memory, episodes, graph, procedures and vault, and at what their fading is reckoned from."""
    yield from _fading(run)
    if unknown := forgotten.of(run.workspace).unknown:
        path = run.workspace.in_memory(forgotten.FILE)
        message = f"the key of {unknown} forgotten memories is not here: their words may come back from notes and talk"
        hint = f"copy {forgotten.KEY}.json from the state root in which they were forgotten"
        yield Finding("memory", WARN, message, path, command=hint)
    for path in stores.paths(run):
        with suppress(WorkspaceError):  # what cannot be read at all is told below
            yield from text(run.workspace.read(path) or b"", path, check="memory")
    for each in _troubles(run):
        level = ERROR if each.is_error else WARN
        yield Finding("memory", level, each.message, each.path, each.line, command=edit(each.path, each.line))


def _fading(run: Run) -> Iterator[Finding]:
    tree = run.workspace
    scores, log = tree.in_memory(decay_scores.FILE), tree.in_memory(accesses.FILE)
    try:
        broken, foreign = decay_scores.load(tree, tree.text).broken, decay_scores.unfolded(tree, tree.text).foreign
    except WorkspaceError as e:
        yield Finding("memory", ERROR, f"{e.message}; {e.hint}", scores)
        return
    yield from few(Finding("memory", WARN, each, scores, command="koog decay run") for each in broken)
    yield from few(
        Finding("memory", WARN, f"no access, and kept: {each.why}", log, each.number, edit(log, each.number))
        for each in foreign
    )


def _troubles(run: Run) -> Iterator[Trouble]:
    most = int(run.settings.get("memory.coreTokens"))
    for _, told in stores.texts(run, ""):
        yield from health.of_core(told, most)
    for path, told in stores.texts(run, episodes.FOLDER):
        if day := stores.day_of(path):
            yield from health.of_day(told, path, day)
        else:
            yield Trouble(path, None, "is no day's file: that is called YYYY-MM-DD.md")
    texts = dict(stores.texts(run, entities.FOLDER))
    yield from health.of_graph(stores.graph(run), texts)
    for folder in (procedures.FOLDER, vault.FOLDER):
        for path, told in stores.texts(run, folder):
            yield from health.unclosed(told, path)
            if not stores.name_of(path):
                yield Trouble(path, None, "has a name that no id can have: letters, figures, - and _", is_error=True)
