"""Three versions of a text by lines: one change taken back, what was changed since kept.  Data in, data out."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple


class Hunk(NamedTuple):
    """Lines of the base that another version has others for."""

    start: int
    end: int
    lines: list[bytes]


def merged(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return `ours` with what leads from `base` to `theirs` done in it too; None where both changed the same lines.

    Lines that stand side by side count as the same place, so that no order is guessed, unless one of the two only goes
    and leaves something; the same change is no conflict.
    """
    if ours == base:
        return theirs
    if theirs in (base, ours):
        return ours
    rows = base.splitlines(keepends=True)
    own, other = _hunks(rows, ours), _hunks(rows, theirs)
    found: list[bytes] = []
    at = 0
    while own or other:
        first = min((h for h in (*own[:1], *other[:1])), key=lambda h: (h.start, h.end))
        if own and other and own[0] == other[0]:
            own, other = own[1:], other[1:]
        elif own and other and _is_one_place(own[0], other[0], len(rows)):
            return None
        elif own and first is own[0]:
            own = own[1:]
        else:
            other = other[1:]
        found += rows[at : first.start] + first.lines
        at = first.end
    return b"".join([*found, *rows[at:]])


def _is_one_place(one: Hunk, other: Hunk, length: int) -> bool:
    goes = next((each for each in (one, other) if not each.lines), None)
    if goes is None or goes.end - goes.start == length:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def _hunks(rows: list[bytes], text: bytes) -> list[Hunk]:
    lines = text.splitlines(keepends=True)
    codes = SequenceMatcher(None, rows, lines, autojunk=False).get_opcodes()
    return [Hunk(a, b, lines[c:d]) for tag, a, b, c, d in codes if tag != "equal"]


def counted(before: bytes | None, after: bytes | None) -> tuple[int, int]:
    """Return how many lines come and how many go."""
    hunks = _hunks((before or b"").splitlines(keepends=True), after or b"")
    return sum(len(h.lines) for h in hunks), sum(h.end - h.start for h in hunks)
