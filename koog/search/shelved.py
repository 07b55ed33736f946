"""What of a memory's file is archived, and so told to nobody: the rows to leave out. Pure.  [moltbot §8.3, §9.2]

`## Archived` of an entity is left out of the index with the file's other rows. A file that only grows, or that is kept
as it is, stays in the index; whoever searches leaves out what was forgotten by its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import entries
from koog.core.text.entries import Span

ENTITIES, EPISODES = "graph/entities", "episodes"
WHOLE = {f"{ENTITIES}/": "entity", "procedures/": "procedure", "vault/": "vault"}
ARCHIVED = "archived"
DAY = r"\d{4}-\d\d-\d\d"


class Shelved(NamedTuple):
    """What is archived in a workspace. memory: the name of its memory folder; hidden: ids of memories"""

    memory: str
    hidden: Set[str]

    @property
    def paths(self) -> set[str]:
        """Return the files in which something is archived by its id."""
        return {path for id_ in self.hidden if (path := self._path(id_))}

    def _path(self, id_: str) -> str:
        kind, _, name = id_.partition(":")
        if kind == "episode":
            return f"{self.memory}/{EPISODES}/{name[:10]}.md"
        folder = next((folder for folder, of in WHOLE.items() if of == kind), "")
        return f"{self.memory}/{folder}{name}.md" if folder else ""

    def rows(self, path: str, text: str) -> list[Span]:
        """Return the rows of a file that are archived by their id."""
        inside = path.removeprefix(f"{self.memory}/")
        if inside == path or not self.hidden:
            return []
        folder, _, name = inside.removesuffix(".md").rpartition("/")
        kind = WHOLE.get(f"{folder}/")
        if kind:
            return [(0, text.count("\n") + 1)] if f"{kind}:{name}" in self.hidden else []
        if folder != EPISODES or not compiled(DAY).fullmatch(name):
            return []
        return [span for id_, span in entries.of_day(text, name) if id_ in self.hidden]

    def shown(self, path: str, text: str) -> str:
        """Return a file's text without what is archived in it, no row lost."""
        return blanked(text, [*archived(path, text), *self.rows(path, text)])


def archived(path: str, text: str) -> list[Span]:
    """Return the rows of an entity's `## Archived`; [] for any other file."""
    if f"/{ENTITIES}/" not in f"/{path}" or ARCHIVED not in text.casefold():
        return []
    return [span for title, span in entries.sections(text) if title.casefold() == ARCHIVED]


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return a text with some of its rows empty."""
    found = list(spans)
    if not found:
        return text
    rows = text.split("\n")
    for start, end in found:
        rows[start:end] = [""] * (min(end, len(rows)) - start)
    return "\n".join(rows)
