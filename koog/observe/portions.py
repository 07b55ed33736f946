"""What `startup` takes of the files that it loads, and how each stands in its text. Pure.

A text is cut between bullets, paragraphs and fenced code, never inside one; a block
that stands under a heading or another bullet takes those along.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from koog.core.text import bullets, markdown, shares
from koog.core.text.markdown import BULLET, FENCE, HEADING
from koog.core.text.marks import balanced
from koog.core.text.shares import Amount, Piece, Share
from koog.core.text.tokens import cost

BULLETS = 10  # levels below this one are headings
IN_PART = " (in part)"
APART = "\n\n"  # before a heading, and where the file has a blank line
NEW_LINE = cost("\n")


class Part(Share):
    """One file's blocks under its path.

    choosable   the indices of the blocks that are taken for their own sake
    """

    def __init__(self, path: str, blocks: Sequence[Piece]) -> None:
        super().__init__(path, blocks)
        self.blocks = blocks  # as they were cut: the pieces lose what is withheld
        self.choosable = {i for i, block in enumerate(blocks) if not block.heading}

    def label(self, indices: Sequence[int]) -> str:
        return f"\n## {self.path}{'' if self.choosable.issubset(indices) else IN_PART}"

    def price(self, new: set[int]) -> Amount:
        """Return what blocks cost at most, joints line by line: thousands are tried while a host waits.

        One that is told in another's line may have to stand alone, since that one is taken later, or withheld.
        """
        units = 0 if self.chosen else cost(self.label(())) + NEW_LINE
        for block in (self.blocks[i] for i in new):
            own = block.amount.units + (len(block.joint) - block.text.endswith("\n")) * NEW_LINE
            units += max(own, cost(f"-{block.beside}\n")) if block.beside else own
        return Amount(units)


def blocks(text: str, *, rank: int, newest_last: bool) -> tuple[Piece, ...]:
    """Return the blocks of a Markdown text.

    newest_last   its end is taken before its beginning
    """
    found: list[Piece] = []
    under: list[tuple[int, int]] = []  # (level, index) of what the next block may stand under
    rows = text.split("\n")
    for kind, start, stop in markdown.blocks(rows):
        own = rows[start:stop] if kind == FENCE else [row.rstrip() for row in rows[start:stop]]
        level = _level(own[0], kind)
        under = [entry for entry in under if entry[0] < level]
        above = tuple(index for _, index in under)
        if kind in (HEADING, BULLET):
            under.append((level, len(found)))
        joint = APART if kind == HEADING or (start and not rows[start - 1].strip()) else "\n"
        order = (-len(found) if newest_last else len(found),)
        found.append(Piece("\n".join(own), joint=joint, above=above, heading=kind == HEADING, rank=rank, order=order))
    return tuple(found)


def _level(row: str, kind: int) -> int:
    """Return how deep a block stands: headings first, then bullets by their indent; a paragraph ends all bullets."""
    if kind == HEADING:
        return len(row) - len(row.lstrip("#"))
    bullet = bullets.parse(row) if kind == BULLET else None
    return BULLETS + (bullet.column if bullet else 0)


def choice(parts: Sequence[Part], *, room: int, caps: Mapping[int, float]) -> list[set[int]]:
    """Choose blocks of the parts; return for each part the indices of those that are taken.

    room   units of a token for everything, the parts' titles included
    caps   rank → share of the room that it has first; what is left goes by rank
    """
    wanted = sorted(
        (part.blocks[i].rank, part.blocks[i].order, p, i) for p, part in enumerate(parts) for i in part.choosable
    )
    left = room
    for capped in (True, False):
        for rank, own in groupby(wanted, key=lambda each: each[0]):
            most = min(left, int(caps.get(rank, 0) * room)) if capped else left
            left -= shares.take(((parts[p], i) for *_, p, i in own), Amount(most)).units
    return [set(part.chosen) for part in parts]


def withheld(part: Part) -> set[int]:
    """Leave out what steers of the blocks that are taken, and fold what is told in another's line; return what is left.

    No block leaves a code fence open: it would take in the part behind it.
    """
    taken = set(part.chosen)
    part.withhold(taken)
    left, found = part.chosen, list(part.pieces)
    for i in left:
        found[i] = replace(found[i], text=balanced(found[i].text))
        if found[i].beside and found[i].behind not in left and not taken.issuperset(found[i].above):
            found[i] = replace(found[i], text=f"-{found[i].beside}", above=())  # it names its day
    over = {above for i in left if found[i].behind not in left for above in found[i].above}
    left -= {i for i in left if found[i].heading and i not in over}
    for i in sorted(left, key=lambda i: found[i].order):
        if (top := found[i].behind) in left:
            found[top] = replace(found[top], text=found[top].text + found[i].beside)
            found[i] = replace(found[i], text="", joint="")
    part.pieces = found
    return left


def joined(parts: Sequence[Part], taken: Sequence[set[int]]) -> str:
    """Return the text of the blocks that are taken, each part under the path it comes from."""
    return "".join(part.text(indices) for part, indices in zip(parts, taken, strict=True))
