"""What of the files of projects and people is stale: a monthly look at each line of koog's own.  [autopoiesis §8.4]

    replaced       a line that a newer one has taken the place of, so many days ago
    of its time    how a project stood, what was done, next or in the way, so many days ago; the newest of each stays
    over           what was planned with somebody for days that are so long past

A line of a person's own hand stays. Whatever is found goes to the archive. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from koog.core.text import dates
from koog.knowledge import documents, filing
from koog.knowledge.layout import BLOCKERS, DONE, HISTORY, NEXT, STATE
from koog.knowledge.pruning.shelf import Leaving
from koog.memory.store import line as lines
from koog.memory.store.entry import Entry

OF_ITS_TIME = (STATE, DONE, NEXT, BLOCKERS)
REPLACED, OLD, OVER = "a newer line took its place", "of its time", "the days that it names are over"
KINDS = ("project_context", "project_progress", "project_notes", "person")


def stale(text: str, path: str, today: date, *, days: int) -> Iterator[tuple[Leaving, Entry, str]]:
    """Yield the lines of a file that have been stale for so many days, each with the reason."""
    before = (today - timedelta(days=days)).isoformat()
    found = [each for each in documents.entries(text, path) if filing.is_koogs(each)]
    newest = {each.section: each.item.row for each in sorted(found, key=lambda one: one.day) if not each.line.is_past}
    for each in found:
        if why := _why(each, before, is_newest=newest.get(each.section) == each.item.row):
            yield Leaving(each.section, each.item.row, each.item.end), each, why


def _why(entry: Entry, before: str, *, is_newest: bool) -> str:
    if entry.line.is_past:
        return REPLACED if entry.line.values[lines.UNTIL] < before else ""
    if not entry.day or entry.day >= before or is_newest:
        return ""
    if entry.section in OF_ITS_TIME:
        return OLD
    if entry.section == HISTORY and (said := lines.day(entry.day)):
        named = [each.day for each in dates.found(entry.text, said)]
        return OVER if named and max(named).isoformat() < before else ""
    return ""
