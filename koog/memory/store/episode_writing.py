"""What happened, put into the day's log, once.  [moltbot §4]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.text.compare import SAME
from koog.memory.store import episodes
from koog.memory.store.change import NOTHING
from koog.memory.store.drafts import Stored, compared
from koog.memory.store.episode_day import EpisodeDay
from koog.memory.store.memories import EPISODIC

if TYPE_CHECKING:
    from koog.memory.store.change import Change
    from koog.memory.store.drafts import Drafts
    from koog.memory.store.episodes import Episode
    from koog.memory.store.line import Line


class EpisodeWriter:
    """Adds to the episodes of a day; each day is read once."""

    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self._days: dict[str, EpisodeDay] = {}
        self.added: list[Episode] = []  # what was logged just now
        # What says the same as something that was forgotten is remembered anew.
        self._hidden = forgotten.of(drafts.run.workspace).hidden

    def log(self, entry: Episode, *, change: Change = NOTHING) -> Stored:
        """Log what happened; what was logged this day already is not logged again.

        change   which lines it takes the place of, and beside which it stands
        """
        path, present = self._day(entry.day)
        if found := present.same(entry.line, lambda older, newer: compared(older, newer) == SAME):
            return Stored(found.id, EPISODIC, path, created=False)
        entry = present.add(entry._replace(line=change.told(entry.line)))
        self.drafts.append(path, entry)
        self.drafts.change(entry.id, change)
        self.added.append(entry)
        return Stored(entry.id, EPISODIC, path, created=True, replaced=change.replaced, against=change.named)

    def said(self, line: Line, day: str, *, past: bool = False) -> Stored | None:
        """Return the entry of a day that has the very same words. past: also one that is over"""
        path, present = self._day(day)
        found = present.said(line)
        return Stored(found.id, EPISODIC, path, created=False) if found and (past or not found.line.is_past) else None

    def _day(self, day: str) -> tuple[str, EpisodeDay]:
        path = self.drafts.in_memory(episodes.path(day))
        if path not in self._days:
            read = episodes.read(self.drafts.door.text(path) or "", day, path)
            self._days[path] = EpisodeDay(read, hidden=self._hidden)
        return path, self._days[path]
