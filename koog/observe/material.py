"""What of a session's turns is put before an engine: cleaned, without koog's own words, in parts.  [design §4, §5]

Pure. Private blocks and secrets go first, before anything else sees the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.untrusted import clean
from koog.observe.observations import HIGH, LOW, MEDIUM
from koog.sessions.turn import Turn

PART_CHARS = 12_000  # about 3,000 tokens: an answer still cites the right turn
BEFORE_CHARS, BEFORE_PIECE = 3_000, 1_000  # of what was said before: in all, of one turn that is cut
TOOL_CHARS = 800  # the head of what a tool said; its reader has cut it already
TALK = ("user", "agent")  # the origins that are observed
# koog's own lines, which come back when an agent reads its memory or runs a command: an observation, a reply.
OWN = rf"<!-- ?dc:|(?:^|\s)[-*] (?:{HIGH}|{MEDIUM}|{LOW})\ufe0f? ?\d\d:\d\d|schema\\?\" ?: ?\\?\"koog\."


# What an agent repeats of a program's output.
CODE = ">     "  # in front of a row of code that is quoted
QUOTED = "> "
ECHOED = r"(?:Tool said|Echo): ?"


class Part(NamedTuple):
    """The turns of one question.

    turns   what is left of them; none when nothing was
    last    id of the last turn that the part covers, left out or not
    before  what was said right before them, so that they can be understood: it is not observed itself
    """

    turns: tuple[Turn, ...]
    last: str
    before: tuple[Turn, ...] = ()

    @property
    def is_talk(self) -> bool:
        """Return whether somebody speaks in it: of tool output alone nothing is observed."""
        return any(turn.role != "tool" for turn in self.turns)

    @property
    def heard(self) -> tuple[Turn, ...]:
        """Return what was said right before whatever follows it."""
        return tail((*self.before, *self.turns))


def parts(turns: Sequence[Turn], before: tuple[Turn, ...] = ()) -> Iterator[Part]:
    """Yield the turns in parts of about 12,000 characters, in their order; a longer turn is cut into pieces.

    before   what was said right before them
    """
    taken: list[Turn] = []
    size, last = 0, ""
    for turn in turns:
        for piece in _pieces(turn):
            if taken and size + len(piece.text) > PART_CHARS:
                part = Part(tuple(taken), last, before)
                yield part
                taken, size, before = [], 0, part.heard
            taken.append(piece)
            size += len(piece.text)
        last = turn.id
    if last:
        yield Part(tuple(taken), last, before)


def tail(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the end of a talk, without what tools said."""
    found: list[Turn] = []
    room = BEFORE_CHARS
    for turn in reversed(turns):
        for piece in reversed(list(_pieces(turn, BEFORE_PIECE)) if turn.role != "tool" else []):
            room -= len(piece.text)
            if room < 0:
                return tuple(reversed(found))
            found.append(piece)
    return tuple(reversed(found))


def cleaned(turn: Turn) -> str:
    """Return what may be seen of a turn: no private block, no secret, none of koog's own lines."""
    text = clean(turn.text)
    if turn.role == "assistant" and compiled(ECHOED).match(text):
        return ""
    if compiled(OWN).search(text):
        text = "\n".join(row for row in text.split("\n") if not compiled(OWN).search(row))
    return text[:TOOL_CHARS] if turn.role == "tool" else text


def numbered(turns: Sequence[Turn]) -> str:
    """Return the turns as a prompt shows them: number, day and time in UTC, who speaks."""
    return "\n".join(f"{n} {row}" for n, row in enumerate(map(_row, turns), 1))


def told(turns: Sequence[Turn]) -> str:
    """Return the turns as a prompt shows what no number stands for."""
    return "\n".join(map(_row, turns))


def _row(turn: Turn) -> str:
    return f"[{turn.at:%Y-%m-%d %H:%M}] {turn.role}: {turn.text}"


def _pieces(turn: Turn, most: int = PART_CHARS) -> Iterator[Turn]:
    if turn.origin not in TALK:
        return
    text = cleaned(turn).strip()
    if len(text) <= most:
        if text:
            yield turn._replace(text=text)
        return
    taken: list[str] = []
    size = 0
    for row in _marked(text, most // 2):
        if taken and size + len(row) > most:
            yield turn._replace(text="\n".join(taken))
            taken, size = [], 0
        taken.append(row)
        size += len(row) + 1
    yield turn._replace(text="\n".join(taken))


def _marked(text: str, most: int) -> Iterator[str]:
    """Yield the rows of a turn that is to be cut; what is not its speaker's own word is a quotation, row by row.

    Behind a cut nobody would see the fence that is open there, or how a letter begins.

    most   characters of a row; a longer one becomes several
    """
    from koog.core.text import markdown, ownwords, pasted
    from koog.core.text.untrusted import visible

    seen = visible(text)
    rows, others = seen.split("\n"), pasted.rows(seen)
    written = list(markdown.pieces(ownwords.written(seen)))
    own = {piece.line: is_own for piece, is_own in ownwords.own(written, chars=len(seen))}
    marks = {piece.line: "" if own.get(piece.line) else QUOTED if piece.line in own else CODE for piece in written}
    mark = ""
    for line, row in enumerate(rows, 1):
        mark = marks.get(line, mark)
        quotes = mark or (QUOTED if line in others else "")
        for start in range(0, len(row) or 1, most):
            yield f"{quotes}{row[start : start + most]}"


def unmarked(row: str) -> str:
    """Return a row of a turn that was cut without the mark that it is a quotation."""
    return row.removeprefix(CODE).removeprefix(QUOTED)
