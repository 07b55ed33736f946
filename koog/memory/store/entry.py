"""A bullet of a file as a remembered line: under which heading it stands, and when it was said. Pure."""

from __future__ import annotations

from functools import lru_cache

from koog.core.named import NamedTuple
from koog.memory.store import line as lines
from koog.memory.store.line import Line


class Item(NamedTuple):
    """A bullet with the rows that go on with it: its words, comments too; its row, the row behind it; from 0."""

    text: str
    row: int
    end: int


class Entry(NamedTuple):
    """One bullet of a knowledge file: under which heading, its words, when they were said, where it stands."""

    section: str
    line: Line
    text: str
    day: str
    item: Item


def entry(section: str, item: Item) -> Entry | None:
    """Return a bullet as a remembered line, None for one that has no words."""
    read, words, day = _told(item.text)
    return Entry(section, read, words, day, item) if read.text else None


@lru_cache(maxsize=lines.KEPT)  # a file that gets one line more is read again
def _told(raw: str) -> tuple[Line, str, str]:
    """Return the line that a bullet's words are, its words without a date, and its day."""
    read = lines.read(raw)
    return read, lines.bare(read.text), lines.said_on(read)
