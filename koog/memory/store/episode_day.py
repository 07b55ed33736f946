"""The entries of one day, looked up by what they say, so that one more is not compared with thousands. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from heapq import nsmallest

from koog.core.text.compare import MOST_OF_ONE_WORD
from koog.core.text.says import says
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.sessions.labels import Label

NEAREST = 8  # entries that share the most ideas with a line: one that says the same is among them


class EpisodeDay:
    """What is logged of a day, and what is to be."""

    def __init__(self, entries: Sequence[Episode], *, hidden: Set[str] = frozenset()) -> None:
        """Take a day's entries. hidden: ids of those that are archived, which are no longer said"""
        self._of_minute = Counter[str]()
        self._entries: list[Episode] = []
        self._numbers: list[Set[str]] = []
        self._by_number: dict[str, set[int]] = {}
        self._without_number: set[int] = set()
        self._by_hash: dict[tuple[str, Label], Episode] = {}
        self._by_idea: dict[tuple[str, Label], list[int]] = {}
        for each in entries:
            if each.id in hidden:
                self._of_minute[each.time] += 1
            else:
                self._take(each)

    def said(self, line: Line) -> Episode | None:
        """Return the first entry that has the very same words."""
        return self._by_hash.get((line.hash, line.label))

    def same(self, line: Line, is_same: Callable[[Line, Line], bool]) -> Episode | None:
        """Return the entry that says the same. is_same: whether an older line and a newer one do"""
        if found := self.said(line):
            return found
        said, shared = says(line.text), Counter[int]()
        for idea in said.ideas:
            places = self._by_idea.get((idea, line.label), ())
            if len(places) <= MOST_OF_ONE_WORD:
                shared.update(places)
        # Two lines that differ in a number are never the same, and most lines of a day are told so.
        likely: Set[int] = shared.keys()
        if numbers := said.numbers.keys():
            sharing = set[int]().union(*(self._by_number.get(number, ()) for number in numbers)) & likely
            of_one = {at for at in sharing if (of := self._numbers[at]) <= numbers or numbers <= of}
            likely = of_one | (self._without_number & likely)
        near = nsmallest(NEAREST, likely, key=lambda at: (-shared[at], at))
        return next((each for at in near if is_same((each := self._entries[at]).line, line)), None)

    def add(self, entry: Episode) -> Episode:
        """Return an entry as the last of its day: it has the number that no other of its minute has."""
        entry = entry._replace(nth=1 + self._of_minute[entry.time])
        self._take(entry)
        return entry

    def _take(self, entry: Episode) -> None:
        line, said = entry.line, says(entry.line.text)
        at = len(self._entries)
        for idea in said.ideas:
            self._by_idea.setdefault((idea, line.label), []).append(at)
        for number in said.numbers:
            self._by_number.setdefault(number, set()).add(at)
        if not said.numbers:
            self._without_number.add(at)
        self._by_hash.setdefault((line.hash, line.label), entry)
        self._of_minute[entry.time] += 1
        self._entries.append(entry)
        self._numbers.append(said.numbers.keys())
