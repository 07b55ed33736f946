"""Long blocks in pieces: what a passage holds at most, and a file.  Pure and linear."""

from __future__ import annotations

import re
from collections.abc import Iterator

from koog.core.text.markdown import CODE, FENCE, TABLE

MOST_BYTES = 4 * 1024 * 1024  # of one file that are searched, some four seconds' work: a year's journal has a tenth
LONGEST = 600  # characters of one passage: about a hundred words

# What of a long text is one piece: its rest, else up to a sentence's (or code's line's) end that is not too near, else
# up to a blank, else as much as a piece may hold.
REST, TO_BLANK, FULL = rf"\S.{{0,{LONGEST - 1}}}\Z", rf"\S.{{0,{LONGEST - 1}}}(?=\s)", rf"\S.{{0,{LONGEST - 1}}}"
SENTENCE = rf"\S.{{{LONGEST // 3},{LONGEST - 4}}}(?:[.!?…][\"'”’)\]]{{0,2}}(?=\s)|[。！？])"
LINE = rf"\S.{{{LONGEST // 3},{LONGEST - 1}}}(?=\n)"
OF_PROSE = re.compile("|".join((REST, SENTENCE, TO_BLANK, FULL)), re.DOTALL)
OF_LINES = re.compile("|".join((REST, LINE, TO_BLANK, FULL)), re.DOTALL)


def beginning(data: bytes) -> bytes:
    """Return what of a file's bytes is searched and compiled: whole lines, but where one is longer than that."""
    return data if len(data) <= MOST_BYTES else data[: data.rfind(b"\n", 0, MOST_BYTES) + 1 or MOST_BYTES]


def pieces(text: str, *, kind: int) -> Iterator[tuple[int, int, str]]:
    """Yield (first row, last row, text) of the pieces of a long block's text, none longer than LONGEST."""
    row, at = 0, 0
    for piece in (OF_LINES if kind in (CODE, FENCE, TABLE) else OF_PROSE).finditer(text):
        row += text.count("\n", at, piece.start())
        last = row + piece[0].count("\n")
        yield row, last, piece[0]
        row, at = last, piece.end()
