"""Texts in blocks, and the choice of those that a budget of tokens holds. Pure.

A text is cut between bullets, paragraphs and fenced code, never inside one; a block
that stands under a heading or another bullet takes those along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from koog.core.text import bullets, markdown, trust
from koog.core.text.markdown import BULLET, FENCE, HEADING
from koog.core.text.marks import balanced
from koog.core.text.statement import AGENT
from koog.core.text.tokens import cost

BULLETS = 10  # levels below this one are headings
IN_PART = " (in part)"


class Block(NamedTuple):
    """One piece of a text that is loaded whole or not at all.

    above   indices of the blocks it stands under
    rank    the class it is of; the lower one is taken first
    order   its place in that class, the lower one first
    gap     a blank line stands before it
    trust   who is behind it, as a Statement has it
    behind  index of the block in whose line it is told where both are taken, and `beside` what it is there
    """

    text: str
    above: tuple[int, ...] = ()
    rank: int = 0
    order: tuple[int, ...] = ()
    gap: bool = False
    heading: bool = False
    trust: str = AGENT
    behind: int = -1
    beside: str = ""


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
    rows = text.split("\n")
    for kind, start, stop in markdown.blocks(rows):
        own = rows[start:stop] if kind == FENCE else [row.rstrip() for row in rows[start:stop]]
        level = _level(own[0], kind)
        under = [entry for entry in under if entry[0] < level]
        number = len(found)
        above = tuple(index for _, index in under)
        order = (-number if newest_last else number,)
        gap = kind == HEADING or bool(start and not rows[start - 1].strip())
        found.append(Block("\n".join(own), above, rank, order, gap, kind == HEADING))
        if kind in (HEADING, BULLET):
            under.append((level, number))
    return tuple(found)


def _level(row: str, kind: int) -> int:
    """Return how deep a block stands: headings first, then bullets by their indent; a paragraph ends all bullets."""
    if kind == HEADING:
        return len(row) - len(row.lstrip("#"))
    bullet = bullets.parse(row) if kind == BULLET else None
    return BULLETS + (bullet.column if bullet else 0)


def choice(parts: Sequence[Part], *, room: int, caps: dict[int, float]) -> list[set[int]]:
    """Return for each part the indices of the blocks that are taken.

    room   units of a token for everything, the parts' titles included
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
            block = parts[p].blocks[i]
            new = {i, *(block.above if block.behind not in taken[p] else ())} - taken[p]
            price = sum(_price(parts[p].blocks[j]) for j in new) + (0 if taken[p] else cost(title(parts[p])))
            over = capped and used.get(rank, 0) + price > caps.get(rank, 0) * room
            if i in taken[p] or price > left or over:
                continue
            taken[p] |= new
            left -= price
            used[rank] = used.get(rank, 0) + price
    return taken


def _price(block: Block) -> int:
    """Return what a block costs at most: the one that it is told behind may be taken later, or be withheld."""
    return max(cost(rendered(block)), cost(rendered(_alone(block))) if block.beside else 0)


def _alone(block: Block) -> Block:
    """Return a block without the one that it was to be told behind: it names its day, and needs no heading."""
    return block._replace(text=f"-{block.beside}", above=())


def withheld(part: Part, indices: set[int]) -> tuple[Part, set[int], int]:
    """Return a part without what steers of the blocks that are taken, those that are left, and how many lines went.

    No block leaves a code fence open: it would take in the part behind it.
    """
    found, left, count = list(part.blocks), set(indices), 0
    for i in indices:
        text, lines = trust.shown(found[i].text, found[i].trust)
        found[i] = found[i]._replace(text=balanced(text))
        count += lines
        if not text.strip():
            left.discard(i)
    for i in left:
        if found[i].beside and found[i].behind not in left and not indices.issuperset(found[i].above):
            found[i] = _alone(found[i])
    over = {above for i in left if found[i].behind not in left for above in found[i].above}
    left -= {i for i in left if found[i].heading and i not in over}
    return part._replace(blocks=tuple(found)), left, count


def joined(parts: Sequence[Part], taken: Sequence[set[int]]) -> str:
    """Return the text of the blocks that are taken, each part under the path it comes from."""
    out = []
    for part, indices in zip(parts, taken, strict=True):
        if indices:
            out.append(title(part, whole=part.choosable <= indices))
            lines = {i: part.blocks[i] for i in sorted(indices) if part.blocks[i].behind not in indices}
            for block in sorted((part.blocks[i] for i in indices - lines.keys()), key=lambda block: block.order):
                lines[block.behind] = lines[block.behind]._replace(text=lines[block.behind].text + block.beside)
            out += map(rendered, lines.values())
    return "".join(out)


def title(part: Part, *, whole: bool = False) -> str:
    return f"\n## {part.path}{'' if whole else IN_PART}\n"


def rendered(block: Block) -> str:
    gap = "\n" if block.gap else ""
    return f"{gap}{block.text}\n"
