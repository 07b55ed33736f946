"""Which projects and people a talk has spoken of: their rows in projects/_active.md and people/_index.md.  [§2.2]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.knowledge import lists
from koog.knowledge.layout import ACTIVE, CONTEXT, DECISIONS, HISTORY, INDEX, STATE

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.knowledge.layout import Layout


class Listed:
    """Keeps what is to be listed, until all files are written that its rows are made of."""

    def __init__(self, door: Door, where: Layout) -> None:
        self.door, self.layout = door, where
        self._projects: dict[str, str] = {}
        self._people: dict[str, str] = {}
        self._newest = ""  # day on which something was said of any of them

    def note(self, path: str, id_: str, name: str, day: str) -> None:
        """Keep that a file got a line. id_: of the person or project that it is about; day: when it was said"""
        self._newest = max(self._newest, day)
        if id_.startswith("person--"):
            self._people[name] = path
        else:
            self._projects[id_.partition("--")[2]] = self.layout.project(path.split("/")[-2], CONTEXT)

    def put(self) -> None:
        """Stage both lists."""
        if self._projects:
            rows = [lists.row(slug, self._text(path), path, STATE, DECISIONS) for slug, path in self._projects.items()]
            path = f"{self.layout.projects}/{ACTIVE}"
            self.door.edit(path, lambda text: lists.active(text, rows, self._newest), summary=f"{len(rows)} active")
        if self._people:
            people = [lists.row(name, self._text(path), path, HISTORY) for name, path in self._people.items()]
            path = f"{self.layout.people}/{INDEX}"
            self.door.edit(path, lambda text: lists.index(text, people, self._newest), summary=f"{len(people)} named")

    def _text(self, path: str) -> str:
        return self.door.text(path) or ""
