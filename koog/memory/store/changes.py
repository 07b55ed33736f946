"""What changes lines of the stores: core/changes.py, the files of its ids, and a day as it holds.  [moltbot §5, §8.2]

An episode is never edited, so whoever shows a day strikes through what was replaced in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.core import changes, forgotten
from koog.core.changes import AGAINST, BESIDE, FILE, HOWS, REPLACED, Later, row
from koog.memory.store import core_memory, entities, episodes, ids, procedures
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC
from koog.sessions import audience

if TYPE_CHECKING:
    from collections.abc import Iterable

    from koog.core.run import Run

__all__ = ["AGAINST", "BESIDE", "FILE", "HOWS", "REPLACED", "Changes", "Later", "of", "place", "row", "told"]


class Changes(changes.Changes):
    """What changes the lines of a workspace."""

    def struck(self, text: str, day: str) -> str:
        """Return a day's episodes with those struck through that were replaced; no row more or less."""
        if not any(old.startswith(f"{ids.EPISODE}:{day}:") for old in self.rows):
            return text
        rows, entries = text.split("\n"), episodes.read(text, day)
        ends = [*(each.row for each in entries[1:]), len(rows)]
        for each, end in zip(entries, ends, strict=True):
            if later := self.replaced(each.id):
                for n in range(each.row + 1, end):
                    said, sign, comment = rows[n].partition(" <!--")
                    rows[n] = f"~~{said}~~ (until {later.day}){sign}{comment}" if said.strip() else rows[n]
        return "\n".join(rows)


def of(run: Run) -> Changes:
    """Return what changes what in a workspace, as far as that is not forgotten."""
    return Changes(run.workspace, forgotten.of(run.workspace).hidden)


def told(run: Run, named: Iterable[str], path: str) -> list[str]:
    """Return those ids that whoever reads a file may have: a fact's has the name of somebody in it."""
    from koog.search import replaced

    who = audience.current(run)
    return [each for each in named if replaced.is_told(run.workspace, who, each, path)]


def place(id_: str) -> tuple[str, str]:
    """Return the store of a line that changes another, and its file: in the memory folder, but that of core memory."""
    told = ids.parse(id_)
    if told.kind == ids.CORE:
        return CORE, core_memory.FILE
    if told.kind == ids.FACT:
        return SEMANTIC, entities.path(told.entity)
    if told.kind == ids.EPISODE:
        return EPISODIC, episodes.path(told.name[: changes.DAY_CHARS])
    return PROCEDURAL, procedures.path(told.name)
