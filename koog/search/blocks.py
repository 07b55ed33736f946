"""Markdown rows in blocks: headings, paragraphs, bullets, fenced code, tables; and long ones in pieces.

Lines are counted from 0 here and end with "\\n". Pure and linear. Ten thousand notes go
through here whenever the index is built, so a line costs one match of one expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

LONGEST = 600  # characters of one passage: about a hundred words
LONGEST_HEADING = 300  # characters; a longer line behind a # is a paragraph

TEXT, HEADING, BULLET, FENCE, TABLE, BLANK, DAY = range(7)  # the group of KIND that matched; TEXT when none did
KIND = re.compile(
    r"(#{1,6})[ \t]+\S|[ \t]*(?:([-*+•]|\d{1,3}[.)])[ \t]+\S|(```+|~~~+)|(\|)|(\s*)$)"
    r"|((?:\*\*)?Date: *\d{4}-\d\d-\d\d[*\s]*$)"  # observations.md has one above each day
)
KNOWN = {"- ": BULLET, "": BLANK}  # by the first two characters, which saves the match
GOES_ON = {TEXT: TEXT, BULLET: TEXT, TABLE: TABLE}  # the kind of line that belongs to the block before it

# What of a long text is one piece: its rest, else up to a sentence's (or code's line's) end that is not too near, else
# up to a blank, else as much as a piece may hold.
REST, TO_BLANK, FULL = rf"\S.{{0,{LONGEST - 1}}}\Z", rf"\S.{{0,{LONGEST - 1}}}(?=\s)", rf"\S.{{0,{LONGEST - 1}}}"
SENTENCE = rf"\S.{{{LONGEST // 3},{LONGEST - 4}}}(?:[.!?…][\"'”’)\]]{{0,2}}(?=\s)|[。！？])"
LINE = rf"\S.{{{LONGEST // 3},{LONGEST - 1}}}(?=\n)"
OF_PROSE = re.compile("|".join((REST, SENTENCE, TO_BLANK, FULL)), re.DOTALL)
OF_LINES = re.compile("|".join((REST, LINE, TO_BLANK, FULL)), re.DOTALL)


Block = tuple[int, int, int]  # kind, first row, row behind the last; a named tuple takes five times as long to make


def blocks(rows: Sequence[str], first: int = 0) -> list[Block]:
    """Return the blocks of a text from its row `first` on, without the blank rows between them.

    A fence that is never closed goes on to the end.
    """
    match, known, goes_on = KIND.match, KNOWN.get, GOES_ON.get
    found: list[Block] = []
    open_kind, start = BLANK, 0  # of the block that the next row may go on with; BLANK when there is none
    behind = first  # the rows before it are taken
    for at, row in enumerate(rows):
        if at < behind:
            continue
        kind = known(row[:2])
        if kind is None:
            shape = match(row)
            kind = (shape.lastindex or TEXT) if shape else TEXT
        if open_kind != BLANK:
            if kind == goes_on(open_kind):
                continue
            found.append((open_kind, start, at))
            open_kind = BLANK
        if kind == HEADING and len(row) <= LONGEST_HEADING:
            found.append((HEADING, at, at + 1))
        elif kind == FENCE:
            behind = _closed(rows, at)
            found.append((FENCE, at, behind))
        elif kind != BLANK:
            open_kind, start = TEXT if kind == HEADING else kind, at
    if open_kind != BLANK:
        found.append((open_kind, start, len(rows)))
    return found


def _closed(rows: Sequence[str], start: int) -> int:
    """Return the row behind a fenced block's last one."""
    mark = rows[start].lstrip()
    char = mark[0]
    length = len(mark) - len(mark.lstrip(char))
    for at in range(start + 1, len(rows)):
        row = rows[at].strip()
        if row.startswith(char * length) and not row.strip(char):
            return at + 1
    return len(rows)


def pieces(text: str, *, kind: int) -> Iterator[tuple[int, int, str]]:
    """Yield (first row, last row, text) of the pieces of a long block's text, none longer than LONGEST."""
    row, at = 0, 0
    for piece in (OF_LINES if kind in (FENCE, TABLE) else OF_PROSE).finditer(text):
        row += text.count("\n", at, piece.start())
        last = row + piece[0].count("\n")
        yield row, last, piece[0]
        row, at = last, piece.end()
