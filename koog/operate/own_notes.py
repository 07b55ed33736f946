"""The person's notes that `koog init` finds, and the config that makes them memory.  [design §3]"""

from __future__ import annotations

import json
from typing import Any

from koog.core import config, operator, schema
from koog.core.config import NAME
from koog.core.files import found_notes, own_notes
from koog.core.files.found_notes import Found, Left
from koog.core.files.own_notes import OwnNotes
from koog.core.named import NamedTuple
from koog.core.run import Run

MOST_LEFT = 20  # folders that were left alone and are told


class Noted(NamedTuple):
    """What was found.

    notes    the Markdown that is a person's
    new      the config that takes in what none takes in yet
    known    what the config takes in already
    written  whether it goes into the config that this `init` writes
    around   whether they lie around the workspace: then it is the operator's config
    """

    notes: Found
    new: OwnNotes
    known: OwnNotes
    written: bool
    around: bool = False

    @property
    def stands(self) -> bool:
        """Return whether a person keeps notes here: then a backup takes what is koog's, and nothing else."""
        return not self.around and self.notes.many > 0

    @property
    def config(self) -> dict[str, Any]:
        """Return what the workspace's config begins with."""
        is_here = self.written and not self.around and self.new != own_notes.NONE
        return {"paths": self.paths} if is_here else {}

    @property
    def next(self) -> list[str]:
        """Return what a person has to do: a config that stands is nobody's to change."""
        if self.written or self.new == own_notes.NONE:
            return []
        told = json.dumps({"paths": self.whole}, ensure_ascii=False)
        name = f"the workspace's entry in {operator.path()}" if self.around else NAME
        return [f"{name} stood already and is unchanged: your notes are memory with {told} in it"]

    def row(self) -> dict[str, Any]:
        """Return the reply's part."""
        left = [{"path": each.path, "why": each.why} for each in self.notes.left[:MOST_LEFT]]
        return {**self.paths, "files": self.notes.many, "left": left}

    @property
    def paths(self) -> dict[str, Any]:
        """Return the new patterns as a config has them."""
        return _paths(self.new)

    @property
    def whole(self) -> dict[str, Any]:
        """Return what the config has to say for all of it: a list in a config stands for the whole of it."""
        known, new = dict(self.known.globs), dict(self.new.globs)
        globs = {kind: [*known.get(kind, ()), *new.get(kind, ())] for kind in {**known, **new}}
        return _paths(OwnNotes.of([*self.known.journal, *self.new.journal], globs))


def _paths(notes: OwnNotes) -> dict[str, Any]:
    return {"journal": list(notes.journal), "notes": {kind: list(globs) for kind, globs in notes.globs}}


def noted(run: Run) -> Noted:
    """Look for the person's notes, and for what none of the workspace's patterns takes in."""
    workspace = run.workspace
    notes = found_notes.found(workspace)
    is_around = workspace.notes_root is not None
    entry = operator.entry(run.root) if is_around else None
    written = not (entry and entry.notes_root) if is_around else not workspace.exists(NAME)
    known = _of_operator(entry) if is_around and written else workspace.own_notes
    missed: dict[str, list[str]] = {}
    for folder, names in notes.folders.items():
        if rest := [name for name in names if known.category(f"{folder}/{name}".lstrip("/")) is None]:
            missed[folder] = rest
    new, too_much = _allowed(found_notes.proposed(notes._replace(folders=missed)))
    return Noted(notes._replace(left=sorted(notes.left + too_much)), new, known, written, is_around)


def _of_operator(entry: operator.Entry | None) -> OwnNotes:
    """Return what the operator's file says of notes: the workspace's config has no say in what lies around it."""
    said: dict[str, Any] = {"journal": [], "notes": {}}
    for values in (operator.general(), entry.values if entry else {}):
        said |= values.get("paths", {})
    return OwnNotes.of(said["journal"], said["notes"])


def _allowed(new: OwnNotes) -> tuple[OwnNotes, list[Left]]:
    """Return what of a config koog would take, and what it would refuse: a folder's name may be very long."""
    left: list[Left] = []

    def fits(pattern: str, paths: dict[str, Any]) -> bool:
        is_taken = schema.problem({"paths": paths}, schema.definition(config.SCHEMA, "config")) is None
        if not is_taken:
            left.append(Left(pattern.removesuffix("/**"), f"{NAME} takes no such pattern"))
        return is_taken

    journal = [pattern for pattern in new.journal if fits(pattern, {"journal": [pattern]})]
    globs = {kind: [glob for glob in own if fits(glob, {"notes": {kind: [glob]}})] for kind, own in new.globs}
    return OwnNotes.of(journal, {kind: own for kind, own in globs.items() if own}), left
