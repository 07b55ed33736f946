"""The graph as relations lead through it: what is how many steps away, and by which way.  [moltbot §11.2]

    Graph.around   some entities and a depth → whom and what is reached, each with its distance
    Graph.path     two entities → the shortest way between them

Relations are followed in both directions: that Ana works at Siemens answers who works there, too. Pure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from koog.memory.names import entries
from koog.memory.names.entries import Link, Name

MOST_AROUND = 500  # entities that one look reaches: beyond a hub everything is near
MOST_OF_ONE = 200  # relations of one entity that are followed


class Graph:
    """The relations between the entities of a workspace.

    entries   as known.Known has them
    is_told   whether the reader may be told a relation in the file of an entity
    """

    def __init__(self, entries: Mapping[str, Name], is_told: Callable[[Name, Link], bool] | None = None) -> None:
        self.entries = entries
        self._is_told = is_told

    @cached_property
    def links(self) -> dict[str, list[tuple[str, Name, Sequence[Any]]]]:
        """Return entity → (the other end, the entity whose file says so, the relation) of each of its relations."""
        found: dict[str, list[tuple[str, Name, Sequence[Any]]]] = {}
        for entry in entries.linked(self.entries):
            for row in entry.links:
                start, to = row[1], row[3]
                found.setdefault(start, []).append((to, entry, row))
                found.setdefault(to, []).append((start, entry, row))
        return found

    def of(self, id_: str) -> list[tuple[str, Name, Link]]:
        """Return an entity's relations that may be told: the other end, whose file says so, the relation."""
        rows = self.links.get(id_, ())
        made = ((other, entry, entries.link(row)) for other, entry, row in rows)
        return [each for each in made if self._is_told is None or self._is_told(each[1], each[2])]

    def around(self, starts: Iterable[str], depth: int) -> dict[str, int]:
        """Return what is reached within so many steps, nearest first, each with its distance; the starts have 0."""
        found = dict.fromkeys(starts, 0)
        waiting = deque(found)
        while waiting and len(found) < MOST_AROUND:
            at = waiting.popleft()
            if found[at] == depth:
                break
            for other, _, _ in self.of(at)[:MOST_OF_ONE]:
                if other not in found:
                    found[other] = found[at] + 1
                    waiting.append(other)
        return dict(list(found.items())[:MOST_AROUND])

    def path(self, start: str, end: str, most: int) -> list[tuple[str, Name, Link]] | None:
        """Return the relations of the shortest way, each with the entity that it leads to; None beyond `most` steps."""
        came: dict[str, tuple[str, Name, Link] | None] = {start: None}
        layer = [start]
        for _ in range(most):
            following = []
            for at in layer:
                for other, entry, link in self.of(at):
                    if other not in came:
                        came[other] = (at, entry, link)
                        following.append(other)
            if end in came or not following:
                break
            layer = following
        if end not in came:
            return None
        way, at = list[tuple[str, Name, Link]](), end
        while step := came[at]:
            way.append((at, step[1], step[2]))
            at = step[0]
        return way[::-1]
