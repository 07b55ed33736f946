"""projects/_active.md and people/_index.md: one row for each project and person, kept by extract.  [autopoiesis §2.2]

    - **autopoiesis** — AI agent framework, file-based memory rewrite in progress

What is worked on stands first, and the list ends at a kilobyte: what was not spoken of for the longest time falls out.
A row in other words than koog's is a person's and stays. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.knowledge import documents, layout
from koog.memory.store.sections import Sections

ROW = r"- \*\*(?P<name>[^*]+)\*\*(?: — (?P<words>.*))?\s*"
MOST_BYTES = 1024  # of _active.md: it is in every prompt
WORDS_CHARS = 100


class Row(NamedTuple):
    """One row of a list: a project's folder or a person's name, and a few words."""

    name: str
    words: str

    @property
    def raw(self) -> str:
        return f"- **{self.name}**" + (f" — {clip(self.words, WORDS_CHARS)}" if self.words else "")


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
    return documents.with_head("\n".join(lines), updated=today)


def index(text: str, rows: Sequence[Row], today: str) -> str:
    """Return the list of people with these among them, in the order in which they came."""
    text = text or layout.index(today)
    there = {found["name"] for row in text.split("\n") if (found := compiled(ROW).fullmatch(row))}
    new = [row for row in rows if row.name not in there]
    if not new:
        return text
    gap = "" if there else "\n"
    whole = text if text.endswith("\n") else f"{text}\n"
    return documents.with_head(f"{whole}{gap}" + "".join(f"{row.raw}\n" for row in new), updated=today)


def many(text: str) -> int:
    """Return how many rows a list has."""
    return sum(compiled(ROW).fullmatch(row) is not None for row in text.split("\n"))


def words(text: str, path: str, *sections: str) -> str:
    """Return a few words of what a file says: the first line of the first of some sections that has one."""
    found = Sections(text, path)
    for title in sections:
        told = [each.text for each in documents.entries(found.text, path, title) if not each.line.is_past]
        if told:
            return told[-1]
    return ""


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
