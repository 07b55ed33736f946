"""What an edit took out of a text and put into it, kept so that it can be taken back to the byte. Pure.

While the text is what the edit left, taking it back gives the text before it. Where somebody has written in it since,
what was taken out goes back to where it stood, by the row above it, and what was put in goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from hashlib import blake2b
from typing import Any

from koog.core.named import NamedTuple


class Hunk(NamedTuple):
    """One place: its row before the edit and after it, from 0; the rows that went, those that came, the one above."""

    before: int
    after: int
    gone: tuple[str, ...]
    come: tuple[str, ...]
    above: str = ""


def digest(text: str) -> str:
    """Return by what a text is known again; rows that are comments may say something else: an entity's score."""
    rows = ("<!-- -->" if row.startswith("<!--") and row.endswith("-->") else row for row in text.split("\n"))
    return blake2b("\n".join(rows).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def between(before: str, after: str) -> list[Hunk]:
    """Return what leads from one text to another."""
    old, new = before.split("\n"), after.split("\n")
    found = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found.append(Hunk(a, c, tuple(old[a:b]), tuple(new[c:d]), old[a - 1] if a else ""))
    return found


def taken_back(text: str, found: Sequence[Hunk], *, is_same: bool) -> str:
    """Return a text with an edit taken back. is_same: whether it is what the edit has left"""
    rows = text.split("\n")
    for each in sorted(found, key=lambda hunk: -hunk.after):
        if is_same:
            rows[each.after : each.after + len(each.come)] = each.gone
        else:
            rows = _nearby(rows, each)
    return "\n".join(rows)


def _nearby(rows: list[str], hunk: Hunk) -> list[str]:
    for row in hunk.come:
        # A heading stays: something else may stand under it by now.
        at = _place(rows, (row,), hunk.after) if row.strip() and not row.startswith("#") else None
        if at is not None:
            rows = [*rows[:at], *rows[at + 1 :]]
    if not any(row.strip() for row in hunk.gone) or _place(rows, hunk.gone, hunk.before) is not None:
        return rows
    below = _place(rows, (hunk.above,), hunk.before - 1) if hunk.above.strip() else None
    at = min(hunk.before, len(rows)) if below is None else below + 1
    return [*rows[:at], *hunk.gone, *rows[at:]]


def _place(rows: Sequence[str], wanted: Sequence[str], near: int) -> int | None:
    """Return where some rows stand one after the other, the nearest place; None for nowhere."""
    size = len(wanted)
    found = [at for at in range(len(rows) - size + 1) if tuple(rows[at : at + size]) == tuple(wanted)]
    return min(found, key=lambda at: abs(at - near), default=None)


def told(found: Sequence[Hunk]) -> list[list[Any]]:
    """Return hunks as JSON has them."""
    return [[each.before, each.after, list(each.gone), list(each.come), each.above] for each in found]


def read(value: Any) -> list[Hunk]:
    """Return what `told` has made. Raises ValueError, TypeError."""
    return [Hunk(int(a), int(b), tuple(map(str, g)), tuple(map(str, c)), str(above)) for a, b, g, c, above in value]
