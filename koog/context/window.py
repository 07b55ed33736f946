"""The sliding window over a session's history: newest first until the room is full, shown in order.  [autopoiesis §6.4]

Each turn begins with a label of its own, a comment, so that no message can pretend to be another's. System messages
are chosen before anything else of the history. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from koog.context import pieces, texts
from koog.context.assembly import Part, in_comment
from koog.context.history import ASSISTANT, SYSTEM, TOOL, USER, Message
from koog.core.text.shares import GAP, Piece
from koog.core.text.untrusted import clean
from koog.core.text.voices import OF_ROLE, PERSON, QUOTED

TRUST = {SYSTEM: PERSON, **OF_ROLE}
SIDES = (SYSTEM, USER, ASSISTANT, TOOL)
WHOLE_CHARS = 1200  # a turn up to this long is taken whole or not at all; a longer one may be cut at its passages


class Window:
    """A history as a part of the context.

    part      its pieces; of a long history the newest, and all system messages
    system    indices of the pieces of system messages
    newest    indices of the others, the newest first
    """

    def __init__(self, messages: Sequence[Message], *, path: str, room: int) -> None:
        """Cut the turns that may find room within so many units of a token."""
        cut: list[tuple[Message, list[Piece]]] = []
        used = 0
        for message in reversed(messages):
            if used > room and message.role != SYSTEM:
                continue
            cut.append((message, of_message(message)))
            used += sum(piece.amount.units for piece in cut[-1][1]) if message.role != SYSTEM else 0
        in_order = [(message, piece) for message, found in reversed(cut) for piece in found]
        self.part = Part("history", path, [piece for _, piece in in_order])
        self.system = [i for i, (message, _) in enumerate(in_order) if message.role == SYSTEM]
        self.newest = [i for i, (message, _) in reversed([*enumerate(in_order)]) if message.role != SYSTEM]
        self.left_out = len(messages) - len(cut)

    @property
    def whole(self) -> bool:
        return self.part.whole and not self.left_out


def of_message(message: Message) -> list[Piece]:
    """Return a turn's pieces, of which the first begins with its label; none when nothing of it may be shown."""
    said = texts.shown(message.text).strip()
    if not said:
        return []
    # A part's label begins with its kind: no role that a file makes up may look like one.
    who = message.role if message.role in SIDES else f"from {clean(message.role)}"
    label = f"<!-- {in_comment(' '.join(filter(None, (who, message.time))))} -->"
    # A line break first: what begins with --- would be taken for a note's frontmatter.
    found = [Piece(said)] if len(said) <= WHOLE_CHARS else pieces.of_text(f"\n{said}", path="")
    return [
        replace(
            piece,
            text=piece.text if number else f"{label}\n{piece.text}",
            line=message.line,
            end=message.end,
            gap=GAP,
            under=label if number else "",
            trust=TRUST.get(message.role, QUOTED),
        )
        for number, piece in enumerate(found)
    ]
