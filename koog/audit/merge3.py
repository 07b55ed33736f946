"""Three versions of a text by lines: one change taken back, what was changed since kept.  Data in, data out."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from koog.core.named import NamedTuple


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
    found: list[Hunk] = []
    for a, b, c, d in _gaps(rows, lines):
        codes = SequenceMatcher(None, rows[a:b], lines[c:d], autojunk=False).get_opcodes()
        found += [Hunk(a + i, a + j, lines[c + k : c + m]) for tag, i, j, k, m in codes if tag != "equal"]
    return found


def _gaps(rows: list[bytes], lines: list[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """Yield what lies between the lines that both have once, in one order: from where to where, in either.

    A file of a thousand entries has the same few lines in each of them: to compare them all takes minutes.
    """
    mine, theirs = Counter(rows), Counter(lines)
    place = {line: at for at, line in enumerate(lines) if theirs[line] == 1}
    both = [(at, place[line]) for at, line in enumerate(rows) if mine[line] == 1 and line in place]
    a = c = 0
    for b, d in (*_rising(both), (len(rows), len(lines))):
        if (a, c) != (b, d):
            yield a, b, c, d
        a, c = b + 1, d + 1


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs in which both places rise; the first of each is in order."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for n, (_, place) in enumerate(pairs):
        at = bisect_left(ends, place)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1], last[at : at + 1] = [place], [n]
    found: list[tuple[int, int]] = []
    n = last[-1] if last else -1
    while n >= 0:
        found.append(pairs[n])
        n = before[n]
    return found[::-1]


def counted(before: bytes | None, after: bytes | None) -> tuple[int, int]:
    """Return how many lines come and how many go."""
    hunks = _hunks((before or b"").splitlines(keepends=True), after or b"")
    return sum(len(h.lines) for h in hunks), sum(h.end - h.start for h in hunks)
