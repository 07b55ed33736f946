"""memory/meta/changes.jsonl: which line changes which, where the older one stays as it was written.  [moltbot §5, §8.2]

    {"ts":"2026-03-06T10:00:00Z","old":"episode:2026-02-09:08:10","by":"fact:organization--mattilsynet:0a1b2c3d","how":"replaced"}

An episode is never edited, and of a procedure one line alone may have changed: the newer line names the older one in
its comment (`dc:replaces`, `dc:against`). That is the truth; this log only leads to it, so that whoever reads the older
line finds the newer one without reading all others. A row whose newer line is forgotten, was taken back or names the
older one no longer is nothing: the older one holds again. It has ids and no words.

    replaced  the newer takes its place
    against   one of the two may not hold
    beside    it seems to tell a change of it: often both hold
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from koog.core import forgotten
from koog.core.errors import UsageError, WorkspaceError
from koog.memory.store import core_memory, entities, episodes, ids, procedures
from koog.memory.store import line as lines
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from collections.abc import Mapping

    from koog.core.files.tree import Tree
    from koog.core.run import Run

FILE = "meta/changes.jsonl"  # in the memory folder
REPLACED, AGAINST, BESIDE = HOWS = ("replaced", "against", "beside")
DAY_CHARS = len("2026-03-06")
NAMED_BY = {REPLACED: lines.REPLACES, AGAINST: lines.AGAINST, BESIDE: lines.AGAINST}


class Later(NamedTuple):
    """What changes a line. by: the id of the newer one; day: of its telling; how: one of HOWS"""

    by: str
    day: str
    how: str


def row(at: str, old: str, by: str, how: str) -> str:
    """Return one change as it is written, with its line end."""
    return json.dumps({"ts": at, "old": old, "by": by, "how": how}, separators=(",", ":"), ensure_ascii=False) + "\n"


@lru_cache(maxsize=4)
def read(text: str) -> dict[str, tuple[Later, ...]]:
    """Return the older line's id → what changes it, in the order of the log; rows that are none are left out."""
    found: dict[str, tuple[Later, ...]] = {}
    for each in text.splitlines():
        try:
            said = json.loads(each)
            old, later = said["old"], Later(said["by"], said["ts"][:10], said["how"])
            place(later.by)
        except (ValueError, LookupError, TypeError, AttributeError, UsageError):
            continue
        if later.how in HOWS and isinstance(old, str):
            found[old] = (*found.get(old, ()), later)
    return found


class Changes:
    """What changes the lines of a workspace; one reader reads each file once."""

    def __init__(self, tree: Tree, hidden: frozenset[str]) -> None:
        self._tree, self._hidden = tree, hidden
        self._rows = read(_text(tree, tree.in_memory(FILE)))
        self._values: dict[str, Mapping[str, str] | None] = {}

    def __bool__(self) -> bool:
        return bool(self._rows)

    def of(self, old: str) -> list[Later]:
        """Return what changes a line now, the last one told last."""
        return [each for each in self._rows.get(old, ()) if self._holds(old, each)]

    def replaced(self, old: str) -> Later | None:
        """Return what took a line's place, None where it holds."""
        return next((each for each in reversed(self.of(old)) if each.how == REPLACED), None)

    def _holds(self, old: str, later: Later) -> bool:
        if forgotten.hides(self._hidden, later.by):
            return False
        if later.by not in self._values:
            self._values[later.by] = _values(self._tree, later.by)
        values = self._values[later.by]
        return values is not None and old in values.get(NAMED_BY[later.how], "").split(";")


def of(run: Run) -> Changes:
    """Return what changes what in a workspace, as far as that is not forgotten."""
    return Changes(run.workspace, forgotten.of(run.workspace).hidden)


def place(id_: str) -> tuple[str, str]:
    """Return the store of a line that changes another, and its file: in the memory folder, but that of core memory."""
    told = ids.parse(id_)
    if told.kind == ids.CORE:
        return CORE, core_memory.FILE
    if told.kind == ids.FACT:
        return SEMANTIC, entities.path(told.entity)
    if told.kind == ids.EPISODE:
        return EPISODIC, episodes.path(told.name[:DAY_CHARS])
    return PROCEDURAL, procedures.path(told.name)


def _values(tree: Tree, id_: str) -> Mapping[str, str] | None:
    """Return what a line's comment says, None for one that is not there."""
    store, path = place(id_)
    path = path if store == CORE else tree.in_memory(path)
    text, told = _text(tree, path), ids.parse(id_)
    if store == EPISODIC:
        read = episodes.read(text, told.name[:DAY_CHARS], path)
        return next((each.line.values for each in read if each.id == id_), None)
    if store == SEMANTIC:
        facts = entities.read(text, told.entity, path).facts()
        return next((each.line.values for each in facts if each.id == id_), None)
    if store == CORE:
        found = core_memory.find(text, told.hash)
        return found.line.values if found else None
    return lines.read(Sections(text, path).body(procedures.TRIGGER).replace("\n", " ")).values


def _text(tree: Tree, path: str) -> str:
    try:
        return tree.text(path) or ""
    except WorkspaceError:
        return ""
