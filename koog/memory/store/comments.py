"""Comments of several lines in a Markdown file: what stands in one is no heading and no bullet. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from koog.memory.store import line


def hidden(rows: Sequence[str]) -> set[int]:
    """Return the rows of a comment of several lines, behind its first one; of one that nothing closes none."""
    return {at for start, end in _comments(rows) if end < len(rows) for at in range(start + 1, end + 1)}


def open_comment(rows: Sequence[str]) -> int | None:
    """Return the row in which a comment begins that nothing closes, None without one.

    >>> open_comment(["# ana", "<!-- Type: person", "## Facts"]), open_comment(["<!-- a", "b -->"])
    (1, None)
    """
    return next((start for start, end in _comments(rows) if end == len(rows)), None)


def half_open(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the rows with which each comment begins and ends that was to end in its own row: one of koog's, which is
    never of several, or one in which another begins. What stands between is read as part of it.

    >>> list(half_open(["- a <!-- dc:since=2026-01-01", "- b", "- c <!-- dc:since=2026-01-02 -->"]))
    [(0, 2)]
    >>> list(half_open(["<!-- a", "b", "-->"]))
    []
    """
    for start, end in _comments(rows):
        begun = rows[start][rows[start].rindex("<!--") :]
        if end < len(rows) and ("dc:" in begun or any("<!--" in row for row in rows[start + 1 : end + 1])):
            yield start, end


def _comments(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the rows with which each comment of several lines begins and ends; all of them for one that is open."""
    start: int | None = None
    for at, row in enumerate(rows):
        if start is not None:
            if "-->" in row:
                yield start, at
                start = None
        elif opens(row):
            start = at
    if start is not None:
        yield start, len(rows)


@lru_cache(maxsize=line.KEPT)
def opens(row: str) -> bool:
    """Return whether a comment begins in a row that it does not close."""
    return "<!--" in row and "-->" not in row[row.rindex("<!--") :]
