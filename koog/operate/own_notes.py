"""The person's notes that `koog init` finds, and the config that makes them memory.  [design §3]"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from koog.core.config import NAME
from koog.core.files import found_notes, own_notes
from koog.core.files.found_notes import Found
from koog.core.run import Run

MOST_LEFT = 20  # folders that were left alone and are told


class Noted(NamedTuple):
    """What was found.

    notes    the Markdown that is a person's
    new      the config that takes in what none takes in yet
    written  whether it goes into the config that this `init` writes
    """

    notes: Found
    new: own_notes.OwnNotes
    written: bool

    @property
    def stands(self) -> bool:
        """Return whether a person keeps notes here: then a backup takes what is koog's, and nothing else."""
        return any(True for _ in self.notes.paths)

    @property
    def config(self) -> dict[str, Any]:
        """Return what the workspace's config begins with."""
        return {"paths": self._paths()} if self.written and self.new != own_notes.NONE else {}

    @property
    def next(self) -> list[str]:
        """Return what a person has to do: a config that stands is nobody's to change."""
        if self.written or self.new == own_notes.NONE:
            return []
        told = json.dumps({"paths": self._paths()}, ensure_ascii=False)
        return [f"{NAME} stood already and is unchanged: your notes are memory with {told} in it"]

    def row(self) -> dict[str, Any]:
        """Return the reply's part."""
        left = [{"path": each.path, "why": each.why} for each in self.notes.left[:MOST_LEFT]]
        return {**self._paths(), "files": sum(1 for _ in self.notes.paths), "left": left}

    def _paths(self) -> dict[str, Any]:
        return {"journal": list(self.new.journal), "notes": {kind: list(globs) for kind, globs in self.new.globs}}


def noted(run: Run) -> Noted:
    """Look for the person's notes, and for what none of the workspace's patterns takes in."""
    workspace = run.workspace
    notes = found_notes.found(workspace)
    known = workspace.own_notes
    missed: dict[str, list[str]] = {}
    for folder, names in notes.folders.items():
        if rest := [name for name in names if known.category(f"{folder}/{name}".lstrip("/")) is None]:
            missed[folder] = rest
    return Noted(notes, found_notes.proposed(notes._replace(folders=missed)), not workspace.exists(NAME))
