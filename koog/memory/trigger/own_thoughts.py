"""A message → what its person wrote himself, thought by thought, each with its place.  [design §4 "one reading"]

Fences, indented code, tables and quotations are out, and so is what was pasted or printed by a program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.core.named import NamedTuple
from koog.core.text import bullets, frontmatter, markdown, ownwords, pasted, wrapping
from koog.core.text.markdown import BULLET, DAY, FENCE, HEADING, QUOTE, TABLE, TEXT, Block, Piece

SPOKEN = (TEXT, BULLET, HEADING, DAY)
NAMES = {QUOTE: "quote", TABLE: "table", BULLET: "bullet"}


class Thought(NamedTuple):
    """What was written in one go: text[start:end], to a row of a block; rows and blocks are counted from 0."""

    start: int
    end: int
    behind: int  # the row behind its last one
    block: int
    piece: Piece


class Message(NamedTuple):
    """A message, its rows, where each begins, its blocks and its person's own thoughts."""

    text: str
    rows: Sequence[str]
    starts: Sequence[int]
    blocks: Sequence[Block]
    thoughts: Sequence[Thought]

    def following(self, n: int) -> tuple[int, int] | None:
        """Return the whole block behind a thought: the rest of its own, else the next one; of a list all items."""
        thought = self.thoughts[n]
        kind, _, stop = self.blocks[thought.block]
        if thought.behind < stop:
            return self._span(thought.behind, stop)
        at = thought.block + 1
        if at == len(self.blocks) or self.blocks[at][0] == HEADING:
            return None
        kind, start, stop = self.blocks[at]
        while kind == BULLET and at + 1 < len(self.blocks) and self.blocks[at + 1][0] == BULLET:
            at += 1
            stop = self.blocks[at][2]
        return self._block(kind, start, stop)

    def preceding(self, n: int) -> tuple[int, int] | None:
        """Return the block before the one of a thought, such as a fence; None where there is none."""
        at = self.thoughts[n].block - 1
        return self._block(*self.blocks[at]) if at >= 0 else None

    def _block(self, kind: int, start: int, stop: int) -> tuple[int, int] | None:
        if kind == FENCE:
            inner = len(markdown.fence(self.rows, start, stop)[1])
            start, stop = start + 1, start + 1 + inner
        return self._span(start, stop)

    def _span(self, start: int, stop: int) -> tuple[int, int] | None:
        begin, end = self.starts[start], self.starts[stop] - 1
        words = self.text[begin:end]
        begin, end = begin + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())
        return (begin, end) if begin < end else None


def read(text: str) -> Message:
    """Return a message with its person's own thoughts.

    >>> [thought.piece.text for thought in read("- ship it\\n> he said\\n\\nand then we\\n```\\nx = 1\\n```").thoughts]
    ['ship it', 'and then we']
    """
    rows = text.split("\n")
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    blocks = markdown.blocks(rows, frontmatter.read(rows).lines)
    found = list(_thoughts(text, rows, starts, blocks))
    others, written = pasted.rows(text), ownwords.written(text).split("\n")
    own = {piece.line for piece, is_own in ownwords.own([each.piece for each in found], chars=len(text)) if is_own}
    own -= others
    own -= {line for line in own if rows[line - 1].strip() and not written[line - 1].strip()}
    return Message(text, rows, starts, blocks, [each for each in found if each.piece.line in own])


def _thoughts(text: str, rows: Sequence[str], starts: Sequence[int], blocks: Sequence[Block]) -> Iterator[Thought]:
    width = wrapping.width(row for kind, start, stop in blocks if kind in (TEXT, BULLET) for row in rows[start:stop])
    for n, (kind, start, stop) in enumerate(blocks):
        if kind not in SPOKEN:
            yield Thought(starts[start], starts[start], stop, n, Piece(NAMES.get(kind, "code"), "", start + 1))
            continue
        for first, behind in wrapping.thoughts(rows[start:stop], width=width):
            at, end = starts[start + first] + (0 if first else _lead(rows[start])), starts[start + behind] - 1
            is_quote = text[at : at + 1] == ">"
            piece = Piece("quote" if is_quote else NAMES.get(kind, "prose"), text[at:end], start + first + 1)
            yield Thought(at, end, start + behind, n, piece)


def _lead(row: str) -> int:
    """Return how many characters stand before a row's words: the mark of a list or of a heading."""
    if bullet := bullets.parse(row):
        return len(bullet.lead)
    return len(row) - len(row.lstrip("# \t")) if row.startswith("#") else 0
