"""Texts in blocks, and the choice of those that a budget of tokens holds. Pure.

A text is cut between bullets, paragraphs and fenced code, never inside one; a block
that stands under a heading or another bullet takes those along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.core.text.tokens import cost

BULLET = r"([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+\S"
HEADING = r"(#{1,6})[ \t]+\S"
FENCE = r"[ \t]*(```+|~~~+)"
BULLETS = 10  # levels below this one are headings
IN_PART = " (in part)"


class Block(NamedTuple):
    """One piece of a text that is loaded whole or not at all.

    above   indices of the blocks it stands under
    rank    the class it is of; the lower one is taken first
    order   its place in that class, the lower one first
    gap     a blank line stands before it
    """

    text: str
    above: tuple[int, ...] = ()
    rank: int = 0
    order: tuple[int, ...] = ()
    gap: bool = False
    heading: bool = False


class Part(NamedTuple):
    """One file's blocks, in the order of the file."""

    path: str
    blocks: tuple[Block, ...]

    @property
    def choosable(self) -> set[int]:
        """Return the indices of the blocks that are taken for their own sake."""
        return {i for i, block in enumerate(self.blocks) if not block.heading}


def blocks(text: str, *, rank: int, newest_last: bool) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text.

    newest_last   its end is taken before its beginning
    """
    found: list[Block] = []
    under: list[tuple[int, int]] = []  # (level, index) of what the next block may stand under
    for gap, rows in _pieces(text):
        level = _level(rows[0])
        under = [entry for entry in under if entry[0] < level]
        number = len(found)
        above = tuple(index for _, index in under)
        order = (-number if newest_last else number,)
        heading = level < BULLETS
        found.append(Block("\n".join(rows), above, rank, order, gap or heading, heading))
        if heading or compiled(BULLET).match(rows[0]):
            under.append((level, number))
    return tuple(found)


def _pieces(text: str) -> Iterable[tuple[bool, list[str]]]:
    """Yield each heading, bullet, paragraph and fenced code, and whether a blank line stands before it."""
    rows: list[str] = []
    gap, fence = False, ""
    for row in text.split("\n"):
        mark = compiled(FENCE).match(row)
        starts = bool(compiled(BULLET).match(row) or compiled(HEADING).match(row) or mark)
        after_heading = bool(rows and not fence and compiled(HEADING).match(rows[0]))
        if not fence and (not row.strip() or starts or after_heading):
            if rows:
                yield gap, rows
                gap = False
            rows = []
        if fence:
            rows.append(row)
            fence = "" if row.strip() == fence else fence
        elif row.strip():
            rows.append(row.rstrip())
            fence = mark[1] if mark else ""
        else:
            gap = True
    if rows:
        yield gap, rows


def _level(row: str) -> int:
    """Return how deep a block stands: headings first, then bullets by their indent; a paragraph ends all bullets."""
    if heading := compiled(HEADING).match(row):
        return len(heading[1])
    bullet = compiled(BULLET).match(row)
    return BULLETS + (len(bullet[1].expandtabs(4)) if bullet else 0)


def choice(parts: Sequence[Part], *, room: int, caps: dict[int, float]) -> list[set[int]]:
    """Return for each part the indices of the blocks that are taken.

    room   quarter tokens for everything, the parts' titles included
    caps   rank → share of the room that it has first; what is left goes by rank
    """
    order = sorted(
        (block.rank, block.order, p, i)
        for p, (part, choosable) in enumerate((part, part.choosable) for part in parts)
        for i, block in enumerate(part.blocks)
        if i in choosable
    )
    taken: list[set[int]] = [set() for _ in parts]
    left, used = room, dict[int, int]()
    for capped in (True, False):
        for rank, _, p, i in order:
            new = {i, *parts[p].blocks[i].above} - taken[p]
            price = sum(cost(rendered(parts[p].blocks[j])) for j in new) + (0 if taken[p] else cost(title(parts[p])))
            over = capped and used.get(rank, 0) + price > caps.get(rank, 0) * room
            if i in taken[p] or price > left or over:
                continue
            taken[p] |= new
            left -= price
            used[rank] = used.get(rank, 0) + price
    return taken


def joined(parts: Sequence[Part], taken: Sequence[set[int]]) -> str:
    """Return the text of the blocks that are taken, each part under the path it comes from."""
    out = []
    for part, indices in zip(parts, taken, strict=True):
        if indices:
            out.append(title(part, whole=part.choosable <= indices))
            out += [rendered(part.blocks[i]) for i in sorted(indices)]
    return "".join(out)


def title(part: Part, *, whole: bool = False) -> str:
    return f"\n## {part.path}{'' if whole else IN_PART}\n"


def rendered(block: Block) -> str:
    gap = "\n" if block.gap else ""
    return f"{gap}{block.text}\n"
