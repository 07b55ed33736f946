"""Markdown: its blocks, and what people wrote in it piece by piece.  [design §4 "one reading"]

    blocks    rows → headings, paragraphs, bullets, quotations, code, tables; for the index, which reads many
    pieces    a text → its thoughts with their lines, for those who read what is said

A fence is closed by a row of its own mark, at least as long: a `~~~` fence may hold "```". Pure and linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import bullets, frontmatter, wrapping
from koog.core.text.bullets import MARKS, Bullet
from koog.core.text.inline import plain

LONGEST_HEADING = 300  # characters; a longer line behind a # is a paragraph

# The group of KIND that matched; TEXT when none did. CODE is indented code, which no single row can tell.
TEXT, HEADING, BULLET, QUOTE, FENCE, TABLE, BLANK, DAY, CODE = range(9)
OPENS = r"(?:```+(?![^\n]*`)|~~~+)"  # "```a```" on one row is code within a paragraph
KIND = compiled(
    rf"(#{{1,6}})[ \t]+\S|[ \t]*(?:({MARKS})[ \t\u00a0\u3000]*+(?!{OPENS})\S|(>)"
    rf"|(?:(?:{MARKS})[ \t]+)?({OPENS})|(\|)|(\s*)$)"
    r"|((?:\*\*)?Date: *\d{4}-\d\d-\d\d[*\s]*$)"  # observations.md has one above each day
)
KNOWN = {"- ": BULLET, "": BLANK}  # by the first two characters, which saves the match
SIGNS = frozenset("#-*+•‣◦▪・0123456789>`~|D")  # with which all others begin; what does not is TEXT
TICKS = frozenset("`~")  # with which a fence begins in a list item
GOES_ON = {TEXT: TEXT, BULLET: TEXT, QUOTE: QUOTE, TABLE: TABLE}  # the kind that goes on with a block

SPOKEN = frozenset((BULLET, TEXT))
INDENT = frozenset(" \t")

Block = tuple[int, int, int]  # kind, first row, row behind the last; a named tuple takes five times as long to make

RULE = r"\s*(?:[-*_=~]\s*){3,}\Z"
UNDERLINED = r"={3,}\s*\Z"
COLUMNS = r"\s*:?-{2,}:?\s*\|[\s:|-]*\Z"  # below the head of a table that is written without outer bars
QUOTED = r"[ \t]*(?:>[ \t]*)*>[ \t]?"
MOST_MARKS = 3  # of one bullet: "- 1. [ ] …"
BOX = r"\s*\[([ xX])\][ \t]+(?=\S)"


class Piece(NamedTuple):
    """What was written in one go.

    kind      prose, bullet, quote, code, table, head
    text      its words on one line without markup; of code, tables and heads the rows as they stand
    line      the file's line of its first row
    heading   the nearest heading above it, "" without one
    depth     of a bullet: under how many others it stands
    mark      of a bullet: -, 1. …
    is_done   of a bullet: its checkbox is ticked
    """

    kind: str
    text: str
    line: int
    heading: str = ""
    depth: int = 0
    mark: str = ""
    is_done: bool = False


def blocks(rows: Sequence[str], first: int = 0) -> list[Block]:  # noqa: PLR0912
    """Return the blocks of a text from its row `first` on, without the blank rows between them.

    Rows are counted from 0. A fence that is never closed goes on to the end.
    """
    known, goes_on = KNOWN.get, GOES_ON.get
    found: list[Block] = []
    open_kind, start = BLANK, 0  # of the block that the next row may go on with; BLANK when there is none
    behind = first  # the rows before it are taken
    item = -1  # the last row of a list that is still open
    for at, row in enumerate(rows):
        if at < behind:
            continue
        kind = known(row[:2])
        if kind is None:
            sign = row.lstrip()[:1]
            kind = _kind(row) if sign in SIGNS else TEXT if sign else BLANK
        elif kind == BULLET and row[2:3] in TICKS:
            kind = _kind(row)
        if open_kind != BLANK:
            if kind == goes_on(open_kind) or (open_kind == CODE and kind != BLANK and row[0] in INDENT):
                continue
            found.append((open_kind, start, at))
            open_kind = BLANK
        if kind == HEADING and len(row) <= LONGEST_HEADING:
            found.append((HEADING, at, at + 1))
            item = -1
        elif kind == FENCE:
            behind = _closed(rows, at)
            found.append((FENCE, at, behind))
        elif kind != BLANK:
            open_kind, start = TEXT if kind == HEADING else kind, at
            if row[0] in INDENT and open_kind in SPOKEN and _is_code(rows, at, item, kind):
                open_kind = CODE
            elif kind == BULLET:
                item = at
            elif kind == TEXT and row[0] not in INDENT:
                item = -1
    if open_kind != BLANK:
        found.append((open_kind, start, len(rows)))
    return found


def headings(rows: Sequence[str]) -> list[int]:
    """Return the rows that are headings, as `blocks` has them, of a text without a fence: no others are looked at."""
    begun = (at for at, row in enumerate(rows) if row[:1] == "#")
    return [at for at in begun if len(rows[at]) <= LONGEST_HEADING and _kind(rows[at]) == HEADING]


def _kind(row: str) -> int:
    shape = KIND.match(row)
    return (shape.lastindex or TEXT) if shape else TEXT


def _is_code(rows: Sequence[str], at: int, item: int, kind: int) -> bool:
    """Return whether a row that begins a block is indented as code is, seen from the open list's item.

    One with a list mark is so only behind an empty row and where no list is open.
    """
    if kind == BULLET and (item >= 0 or (at and rows[at - 1].strip())):
        return False
    bullet = bullets.parse(rows[item]) if item >= 0 else None
    inside = bullet.column + len(bullet.mark) + 1 if bullet else 0
    return _column(rows[at]) >= inside + 4


def _column(row: str) -> int:
    return len(row[: len(row) - len(row.lstrip(" \t"))].expandtabs(4))


def _closed(rows: Sequence[str], start: int) -> int:
    """Return the row behind a fenced block's last one; what is indented deeper than the fence by four closes none."""
    opened = compiled(rf"(.*?)({OPENS})").match(rows[start])
    if opened is None:
        return start + 1
    column, mark = len(opened[1].expandtabs(4)), opened[2]
    for at in range(start + 1, len(rows)):
        row = rows[at].strip()
        if row.startswith(mark) and not row.strip(mark[0]) and _column(rows[at]) < column + 4:
            return at + 1
    return len(rows)


def fence(rows: Sequence[str], start: int, stop: int) -> tuple[str, list[str]]:
    """Return what the first row of a fenced block says behind its mark, and the rows inside.

    >>> fence(["~~~ py", "x = 1", "~~~"], 0, 3)
    ('py', ['x = 1'])
    """
    opened = compiled(rf".*?{OPENS}[ \t]*(.*)").match(rows[start])
    closed = stop - start > 1 and not rows[stop - 1].strip().strip("`~")
    return opened[1] if opened else "", list(rows[start + 1 : stop - closed])


def without_code(text: str) -> str:
    """Return a text without fenced and indented code, code in a sentence and addresses; its lines stay lines."""
    rows = text.split("\n")
    for kind, start, stop in blocks(rows):
        if kind in (FENCE, CODE):
            rows[start:stop] = [""] * (stop - start)
    return compiled(r"`[^`\n]*`|https?://\S+").sub(" ", "\n".join(rows))


def pieces(text: str, *, first_line: int = 1) -> Iterator[Piece]:
    """Yield what people wrote, piece by piece; headings are told with what stands below them.

    first_line   the file's line with which the text begins; only line 1 begins a frontmatter

    >>> [(p.kind, p.text, p.line) for p in pieces("# Plan\\n1. [x] **Rotate** keys\\n\\nWe ship on\\nFriday.\\n> no")]
    [('bullet', 'Rotate keys', 2), ('prose', 'We ship on Friday.', 4), ('quote', 'no', 6)]
    """
    rows = [row.rstrip("\r") for row in text.split("\n")]
    head = frontmatter.read(rows).lines if first_line == 1 else 0
    if head:
        yield Piece("head", "\n".join(rows[:head]), 1)
    found = blocks(rows, head)
    width = wrapping.width(row for kind, start, stop in found if kind in (TEXT, BULLET) for row in rows[start:stop])
    heading, columns = "", list[int]()
    for kind, start, stop in found:
        line, own = first_line + start, rows[start:stop]
        if kind == HEADING:
            heading, columns = _title(own[0]), []
        elif kind in (FENCE, CODE):
            yield Piece("code", "\n".join(own), line, heading)
        elif kind == TABLE:
            yield Piece("table", "\n".join(own), line, heading)
        elif kind == QUOTE:
            yield from _quoted(own, line, heading)
        elif kind == BULLET:
            bullet = bullets.parse(own[0])
            columns = [column for column in columns if bullet and column < bullet.column]
            yield from _said(own, line, heading, width=width, bullet=bullet, depth=len(columns))
            columns += [bullet.column] if bullet else []
        else:
            for piece in _said(own, line, heading, width=width):
                heading = piece.text if piece.kind == "heading" else heading
                if piece.kind != "heading":
                    yield piece._replace(heading=heading)


def _quoted(rows: Sequence[str], line: int, heading: str) -> Iterator[Piece]:
    """Yield the pieces of a quotation: code and tables in it stay what they are."""
    inside = "\n".join(compiled(QUOTED).sub("", row, count=1) for row in rows)
    for piece in pieces(f"\n{inside}", first_line=line - 1):  # what begins a quotation is no frontmatter
        yield Piece(piece.kind if piece.kind in ("code", "table") else "quote", piece.text, piece.line, heading)


def _said(
    rows: Sequence[str], line: int, heading: str, *, width: int, bullet: Bullet | None = None, depth: int = 0
) -> Iterator[Piece]:
    """Yield the pieces of a paragraph or of a bullet; a heading that is underlined is one of the kind `heading`."""
    own = [bullet.text, *rows[1:]] if bullet else rows
    for kind, start, stop in _runs(own):
        if kind == "table":
            yield Piece("table", "\n".join(own[start:stop]), line + start, heading)
            continue
        for first, behind in wrapping.thoughts(own[start:stop], width=width):
            at = start + first
            piece = Piece(kind, wrapping.joined(own[at : start + behind]), line + at, heading)
            if bullet and not at:
                piece = _inner(piece._replace(kind="bullet", depth=depth, mark=bullet.mark, is_done=bullet.is_done))
            elif box := compiled(BOX).match(piece.text):
                piece = piece._replace(kind="bullet", text=piece.text[box.end() :], is_done=box[1] != " ")
            if text := plain(piece.text):
                yield piece._replace(text=text)


def _inner(piece: Piece) -> Piece:
    """Return a bullet without further marks in front of its words ("- 1. …"); one that quotes is a quotation."""
    text = piece.text
    for _ in range(MOST_MARKS):
        if (inner := bullets.parse(text)) is None:
            break
        text, piece = inner.text, piece._replace(is_done=piece.is_done or inner.is_done)
    if quoted := compiled(QUOTED).match(text):
        return piece._replace(kind="quote", text=text[quoted.end() :])
    return piece._replace(text=text)


def _runs(rows: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, first row, row behind the last) of a paragraph's parts: rules end them, tables stand in them."""
    start = at = 0
    while at < len(rows):
        if at > start and "|" in rows[at] and "|" in rows[at - 1] and compiled(COLUMNS).match(rows[at]):
            if start < at - 1:
                yield "prose", start, at - 1
            start = at - 1
            while at < len(rows) and "|" in rows[at]:
                at += 1
            yield "table", start, at
            start = at
        elif compiled(RULE).match(rows[at]):
            if start < at:
                is_title = at - start == 1 and compiled(UNDERLINED).match(rows[at])
                yield "heading" if is_title else "prose", start, at
            at = start = at + 1
        else:
            at += 1
    if start < len(rows):
        yield "prose", start, len(rows)


def _title(row: str) -> str:
    return plain(compiled(r"\s#+\s*\Z").sub("", row.lstrip("#")).strip())
