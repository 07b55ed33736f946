"""projects/_active.md and people/_index.md: one row for each project and person, kept by extract.  [autopoiesis §2.2]

    - **autopoiesis** — is an AI agent framework, file-based memory rewrite in progress (2026-02-16)

A row tells the newest line of a file, without the name that stands in front of it, and when that was said. What is
worked on stands first, and the list ends at a kilobyte: what was not spoken of for the longest time falls out. A row
that only another project or a group has told of says so in its comment, and is told there alone. A row in other words
than koog's is a person's and stays. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from koog.core.clip import clip
from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.knowledge import documents, layout
from koog.memory.store.line import Line
from koog.sessions.labels import NONE, Label

ROW = r"- \*\*(?P<name>[^*]+)\*\*(?: — (?P<words>.*?))?(?:\s*<!--(?:(?!-->).)*-->)?\s*"
MOST_BYTES = 1024  # of _active.md: it is in every prompt
WORDS_CHARS = 100


class Row(NamedTuple):
    """One row of a list: a project's folder or a person's name, a few words, where and when these were said."""

    name: str
    words: str
    label: Label = NONE
    day: str = ""

    @property
    def raw(self) -> str:
        rest = personal(rf"{re.escape(self.name)}(?:['’]s)?\s+", re.I).sub("", self.words, count=1)
        words = rest if self.words.casefold().startswith(self.name.casefold()) else self.words
        told = f"- **{self.name}**" + (f" — {clip(words, WORDS_CHARS)}" if words else "")
        day = f" ({self.day})" if words and self.day else ""
        return f"{told}{day} {Line('', self.label).comment}".rstrip()


def active(text: str, rows: Sequence[Row], today: str) -> str:
    """Return the list of active projects with these in front; the last ones fall out where it is over its size."""
    text = text or layout.active(today)
    kept = _without(text, rows)
    for row in reversed(rows):
        kept = _with_first(kept, row.raw)
    lines = kept.split("\n")
    while len("\n".join(lines).encode()) > MOST_BYTES:
        last = next((n for n in range(len(lines) - 1, -1, -1) if compiled(ROW).fullmatch(lines[n])), None)
        if last is None:
            break
        del lines[last]
    return documents.with_updated("\n".join(lines), today)


def index(text: str, rows: Sequence[Row], today: str) -> str:
    """Return the list of people with these among them, in the order in which they came."""
    text = text or layout.index(today)
    there = {found["name"] for row in text.split("\n") if (found := compiled(ROW).fullmatch(row))}
    new = [row for row in rows if row.name not in there]
    if not new:
        return text
    gap = "" if there else "\n"
    whole = text if text.endswith("\n") else f"{text}\n"
    return documents.with_updated(f"{whole}{gap}" + "".join(f"{row.raw}\n" for row in new), today)


def many(text: str) -> int:
    """Return how many rows a list has."""
    return sum(compiled(ROW).fullmatch(row) is not None for row in text.split("\n"))


def row(name: str, text: str, path: str, *sections: str) -> Row:
    """Return the row of a file: the newest line of the first of some sections that has one.

    What the workspace's own project has told goes before what others have: theirs is told to them alone.
    """
    found = documents.entries(text, path)
    told = (
        each
        for title in sections
        for each in reversed(found)
        if each.section.casefold() == title.casefold() and not each.line.is_past
    )
    best = next(told, None)
    if best and best.line.label != NONE:
        best = next((each for each in told if each.line.label == NONE), best)
    return Row(name, best.text, best.line.label, best.day) if best else Row(name, "")


def _without(text: str, rows: Sequence[Row]) -> str:
    names = {row.name for row in rows}
    kept = [r for r in text.split("\n") if not ((m := compiled(ROW).fullmatch(r)) and m["name"] in names)]
    return "\n".join(kept)


def _with_first(text: str, raw: str) -> str:
    """Return a list with a row in front of all others."""
    rows = text.split("\n")
    first = next((n for n, row in enumerate(rows) if compiled(ROW).fullmatch(row)), None)
    if first is not None:
        return "\n".join((*rows[:first], raw, *rows[first:]))
    return f"{text.rstrip()}\n\n{raw}\n"
