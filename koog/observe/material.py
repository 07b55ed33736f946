"""What of a session's turns is put before an engine: cleaned, without koog's own words, in parts.  [design §4, §5]

Pure. Private blocks and secrets go first, before anything else sees the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.core.text.untrusted import clean
from koog.observe.observations import HIGH, LOW, MEDIUM
from koog.sessions.turn import Turn

PART_CHARS = 12_000  # about 3,000 tokens: an answer still cites the right turn
TOOL_CHARS = 800  # the head of what a tool said; its reader has cut it already
TALK = ("user", "agent")  # the origins that are observed
# koog's own lines, which come back when an agent reads its memory or runs a command: an observation, a reply.
OWN = rf"<!-- ?dc:|(?:^|\s)[-*] (?:{HIGH}|{MEDIUM}|{LOW})\ufe0f? ?\d\d:\d\d|schema\\?\" ?: ?\\?\"koog\."


class Part(NamedTuple):
    """The turns of one question.

    turns   what is left of them; none when nothing was
    last    id of the last turn that the part covers, left out or not
    """

    turns: tuple[Turn, ...]
    last: str

    @property
    def is_talk(self) -> bool:
        """Return whether somebody speaks in it: of tool output alone nothing is observed."""
        return any(turn.role != "tool" for turn in self.turns)


def parts(turns: Sequence[Turn]) -> Iterator[Part]:
    """Yield the turns in parts of about 12,000 characters, in their order; a longer turn is cut into pieces."""
    taken: list[Turn] = []
    size, last = 0, ""
    for turn in turns:
        for piece in _pieces(turn):
            if taken and size + len(piece.text) > PART_CHARS:
                yield Part(tuple(taken), last)
                taken, size = [], 0
            taken.append(piece)
            size += len(piece.text)
        last = turn.id
    if last:
        yield Part(tuple(taken), last)


def cleaned(turn: Turn) -> str:
    """Return what may be seen of a turn: no private block, no secret, none of koog's own lines."""
    text = clean(turn.text)
    if compiled(OWN).search(text):
        text = "\n".join(row for row in text.split("\n") if not compiled(OWN).search(row))
    return text[:TOOL_CHARS] if turn.role == "tool" else text


def numbered(turns: Sequence[Turn]) -> str:
    """Return the turns as a prompt shows them: number, day and time in UTC, who speaks."""
    return "\n".join(f"{n} [{t.at:%Y-%m-%d %H:%M}] {t.role}: {t.text}" for n, t in enumerate(turns, 1))


def _pieces(turn: Turn) -> Iterator[Turn]:
    if turn.origin not in TALK:
        return
    text = cleaned(turn).strip()
    while len(text) > PART_CHARS:
        end = max(text.rfind("\n", 0, PART_CHARS), text.rfind(" ", 0, PART_CHARS)) + 1 or PART_CHARS
        yield turn._replace(text=text[:end])
        text = text[end:]
    if text:
        yield turn._replace(text=text)
