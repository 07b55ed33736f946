"""Which rows of the observations stand in a code fence that is closed.  Pure.

What stands there is an example, or something pasted, and a person's: it is no line to be consolidated. A fence that
is never closed is none here, or one forgotten row of three marks would take in all that is observed from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.bullets import MARKS
from koog.core.text.markdown import OPENS

MARKED = ("```", "~~~")
DEEPER = 4  # columns: a row so much further in than the fence is code within it


class _Mark(NamedTuple):
    """A row that may open a fence. closes: and that may close one"""

    at: int
    column: int
    run: str
    closes: bool


def fenced(rows: Sequence[str], hidden: Collection[int] = ()) -> set[int]:
    """Return the places of the rows in closed fences, those of the marks among them.

    hidden   rows that a person has taken out of the text: no fence begins or ends there

    One that is indented throughout belongs to the line above it, as all that is written under a line.

    >>> fenced(["```", "- a", "```", "~~~", "- b"]), fenced(["  ```", "  x", "  ```"])
    ({0, 1, 2}, set())
    """
    marks = [mark for at, row in enumerate(rows) if at not in hidden and (mark := _mark(at, row))]
    found, behind = set[int](), 0
    for n, mark in enumerate(marks):
        end = _end(mark, marks[n + 1 :]) if mark.at >= behind else None
        if end is None:
            continue
        behind = end + 1
        own = range(mark.at, behind)
        if any(rows[at].strip() and rows[at][0] not in " \t" for at in own):
            found.update(own)
    return found


def _mark(at: int, row: str) -> _Mark | None:
    if not any(mark in row for mark in MARKED):
        return None
    opened = compiled(rf"([ \t]*(?:(?:{MARKS})[ \t]+)?)({OPENS})").match(row)
    if opened is None:
        return None
    is_alone = not opened[1].strip() and not row.strip().strip(opened[2][0])
    return _Mark(at, len(opened[1].expandtabs(4)), opened[2], is_alone)


def _end(opened: _Mark, below: Sequence[_Mark]) -> int | None:
    """Return the row that closes a fence, None without one: of its own mark, and at least as long."""
    for mark in below:
        if mark.closes and mark.run.startswith(opened.run) and mark.column < opened.column + DEEPER:
            return mark.at
    return None
