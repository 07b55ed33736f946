"""What tells a change and names nothing is told with the sentence that names it, which would be lost beside it.

    Dunlin is ours!!                    →  Dunlin is ours!! The old lady was sold this morning.
    The old lady was sold this morning.

Alone the first says too little to be kept, and the second does not say what has changed: what was said before of the
old one would be told as what holds. Pure.  [autopoiesis §8.3]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from koog.core.text import replies
from koog.core.text.says import says
from koog.core.text.statement import Statement
from koog.core.text.voices import PERSON
from koog.memory.names import mentions

CHANGES = frozenset(("moved", "over", "onward", "sold"))  # cues of a line
FURTHEST = 2  # sentences between
LONGEST = 80  # characters of what goes before


def told(said: Sequence[Statement]) -> list[Statement]:
    """Return statements, those that tell a change and name nothing leaning on what names it, right before in its turn.

    What an agent said, and what answers somebody, stay as they are.
    """
    return [replace(each, leans=_named(each, said[:at]) or each.leans) for at, each in enumerate(said)]


def is_change_alone(said: Statement) -> bool:
    """Return whether a person's sentence tells a change and names nothing."""
    if said.trust != PERSON or said.reply or replies.asks(said.text) or not says(said.text).cues & CHANGES:
        return False
    return not mentions.found(said.text)


def _named(said: Statement, before: Sequence[Statement]) -> tuple[str, ...]:
    """Return the sentences from the nearest that names something on, () where it needs or has none."""
    if not is_change_alone(said):
        return ()
    leans = tuple[str, ...]()
    for each in reversed(before[-FURTHEST:]):
        is_his = (each.turn, each.trust) == (said.turn, PERSON) and not each.reply and not replies.asks(each.text)
        leans = (each.text, *leans)
        if not is_his or sum(map(len, leans)) > LONGEST:
            return ()
        if mentions.found(each.text):
            return leans
    return ()
