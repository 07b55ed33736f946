"""A file read on from where it has changed: what stands before and behind that is as it was. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter

from koog.core.named import NamedTuple
from koog.core.text import markdown

ROW = itemgetter(1)  # of a block
MANY = 64  # rows that are compared at once


class Stretch(NamedTuple):
    """The rows of a file that were read anew, from `start` to the one before `stop`; rows count from 0.

    was      the row behind them as the file stood before
    blocks   those of the whole file
    """

    start: int
    stop: int
    was: int
    blocks: list[markdown.Block]

    @property
    def moved(self) -> int:
        """Return by how many rows what stands behind it has moved."""
        return self.stop - self.was


def stretch(old: Sequence[str], blocks: Sequence[markdown.Block], rows: Sequence[str]) -> Stretch | None:
    """Return what of a file has to be read anew, None where nothing of how it was read before can be used.

    A bullet at the very left, or a heading, begins anew whatever stands above it: what is above the last one before
    the change is as it was, and what is below the first one behind it.

    old, blocks   its rows as they were, and their blocks
    """
    same = _alike(old, rows)
    end = min(_alike(old[::-1], rows[::-1]), len(old) - same, len(rows) - same)
    first = bisect_left(blocks, same, key=ROW) - 1
    while first >= 0 and not _begins(blocks[first], old):
        first -= 1
    last = bisect_left(blocks, len(old) - end, key=ROW)
    while last < len(blocks) and not _begins(blocks[last], old):
        last += 1
    moved = len(rows) - len(old)
    start = blocks[first][1] if first >= 0 else 0
    was = blocks[last][1] if last < len(blocks) else len(old)
    between = markdown.blocks(rows[: was + moved], start)
    if last < len(blocks) and between and between[-1][0] == markdown.FENCE and between[-1][2] == was + moved:
        return None  # it may be open, and go on below
    rest = blocks[last:] if not moved else [(kind, start + moved, stop + moved) for kind, start, stop in blocks[last:]]
    return Stretch(start, was + moved, was, [*blocks[: max(first, 0)], *between, *rest])


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return with how many equal rows two files begin."""
    n = 0
    while n < len(one) and one[n : n + MANY] == other[n : n + MANY]:
        n += MANY
    rest = zip(one[n : n + MANY], other[n : n + MANY], strict=False)
    return next((at for at, (a, b) in enumerate(rest, n) if a != b), min(n + MANY, len(one), len(other)))


def _begins(block: markdown.Block, rows: Sequence[str]) -> bool:
    """Return whether a block begins anew, whatever stands above it."""
    kind, start, _ = block
    return kind == markdown.HEADING or (kind == markdown.BULLET and rows[start][0] not in markdown.INDENT)
