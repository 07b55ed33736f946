"""What is made of the journal when all transcripts are read anew: weeks, months, and what had been put away.  [§8.7, §10.4]

Only as far as the memory in use had it when the reconstruction began: one that was never condensed is not condensed.
What lay in archive/ lies there again. Done twice it comes to the same.
"""  # noqa: E501  the first line is the module's own

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from koog.knowledge import condense, reading
from koog.knowledge.condensing import cursor
from koog.knowledge.condensing.condensation import Condensation
from koog.knowledge.cursors import NAME
from koog.knowledge.pruning import shelf, staging
from koog.knowledge.replay import clearing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from koog.audit.history import History
    from koog.core.run import Run
    from koog.knowledge.layout import Layout
    from koog.knowledge.replay.plan import Plan


def condensed(inner: Run, past: History, made: Plan, *, until: float) -> bool:
    """Make the weeks and months that the memory in use has; return whether none is left to be made."""
    blob = past.files(made.base).get(inner.workspace.in_memory(NAME))
    known = cursor.read((past.content(blob) or b"").decode("utf-8", "replace"))
    if not known.weeks:
        return True
    work = Condensation(inner, lambda given: inner.ask(condense.TASK, given), until=until)
    work.weeks()
    if known.months:
        work.months()
    if work.failure:
        raise work.failure
    return not work.done.remaining


def put_away(inner: Run, past: History, made: Plan, where: Layout) -> None:
    """Let what was made anew lie in archive/, where the memory in use had put it away."""
    tree, before = inner.workspace, past.files(made.base)
    with tree.writing() as door:
        for path, home in _archived(past, before, where):
            if home not in before:
                door.move(home, staging.free(door, path), summary="it was put away")
    there = set(reading.below(tree.files, where.projects)) | set(reading.below(tree.files, where.people))
    with tree.writing() as door:
        for path in clearing.lists_of(where):
            door.edit(
                path, partial(clearing.without_gone, path=path, layout=where, there=there), summary="what is there"
            )


def _archived(past: History, before: Mapping[str, str], where: Layout) -> list[tuple[str, str]]:
    """Return the whole files of the archive that extractors write, each with the place that it came from."""
    found = [(path, shelf.home(path, own=where)) for path in before if path.startswith(f"{shelf.ARCHIVE}/")]
    theirs = [(path, home) for path, home in found if clearing.touches(home, where)]
    texts = {path: (past.content(before[path]) or b"").decode("utf-8", "replace") for path, _ in theirs}
    return [(path, home) for path, home in theirs if not shelf.shelved(texts[path])]
