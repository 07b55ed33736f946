"""The facts of people, projects and things, in the memory's own files: what a talk has said of them, once.  [§8.3]

What an entity's file says, a knowledge file about it does not say again, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from koog.knowledge import documents, filing, layout
from koog.knowledge.found import Found
from koog.knowledge.layout import CONTEXT, Layout
from koog.memory.store import entities, ids
from koog.memory.store.drafts import Place, Stored
from koog.memory.store.line import SINCE, Line
from koog.memory.store.writing import Writer
from koog.sessions.labels import NONE

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run
    from koog.knowledge.there import There
    from koog.memory.names.known import Known


class EntityFacts:
    """Puts facts into the files of entities; nothing is on disk before the door's block ends."""

    def __init__(self, run: Run, door: Door, names: Known, there: There) -> None:
        self.run, self.door, self.names, self.there = run, door, names, there
        self._memory = Writer(run, door, names, Place(NONE, run.today, "00:00"))

    def meant(self, found: Found) -> str:
        """Return the id of whom a fact is, "" where nobody can tell."""
        change = found.change
        meant = self.names.meant(change.entity, change.of, about=(found.text,))
        if meant.is_open or not ids.slug(change.entity):
            return ""
        return meant.id or ids.entity(change.of, change.entity)

    def put(self, id_: str, found: Found) -> Stored | None:
        """Put a fact into its entity's file; None where a knowledge file says it already."""
        writer = self._at(found)
        writer.graph.entity(id_, found.change.entity)
        if filing.is_known(found.text, list(self._beside(id_))):
            return None
        return writer.graph.fact(id_, Line(found.text, found.label, {**dict(found.values), documents.DAY: found.day}))

    def named(self, id_: str, name: str, found: Found) -> None:
        """Let the memory know somebody or something by name."""
        self._at(found).graph.entity(id_, name)

    def said(self, path: str) -> list[tuple[str, str]]:
        """Return what the memory holds of whom or what a knowledge file is about: since which day, and the words."""
        id_ = of(self.there.layout, path)
        text = self.door.text(self.run.workspace.in_memory(entities.path(id_))) if id_ else None
        found = (fact.line for fact in entities.read(text or "", id_, "").facts() if not fact.line.is_past)
        return [(line.values.get(documents.DAY, line.values.get(SINCE, "")), line.text) for line in found]

    def flush(self) -> None:
        """Stage what the writer still holds."""
        self._memory.flush()

    def _at(self, found: Found) -> Writer:
        """Return the memory's writer, as of where and when something was said."""
        return self._memory.at(Place(found.label, found.day, found.time))

    def _beside(self, id_: str) -> Iterable[str]:
        """Yield what the knowledge files say of an entity."""
        kind, _, name = id_.partition("--")
        where = self.there.layout
        paths = {
            "person": [f"{where.people}/{name}.md"],
            "project": [where.project(name, f) for f in (CONTEXT, layout.PROGRESS, layout.NOTES)],
        }.get(kind, [f"{where.reference}/{name}.md"])
        for path in map(self.there.path, paths):
            yield from filing.texts(self.door.text(path) or "", path)


def of(where: Layout, path: str) -> str:
    """Return the id of the entity that a knowledge file is about, "" for none."""
    kind, stem = where.kind(path), path.rpartition("/")[2].removesuffix(".md")
    if kind == "person":
        return f"person--{ids.slug(stem)}"
    is_project = kind.startswith("project_") and kind != "project_index"
    return f"project--{ids.slug(path.split('/')[-2])}" if is_project else ""
