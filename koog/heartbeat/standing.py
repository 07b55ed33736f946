"""How a pattern's score moves: by feedback on what cites it, by being seen again or contradicted.  [sinain §8.2]

Each scored output and each observation counts once; what was counted is kept in
cursors.json, so that curating twice moves nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from koog.core.similarity import overlap, stems
from koog.heartbeat.effectiveness import NEGATIVE, POSITIVE
from koog.heartbeat.operations import same
from koog.playbook.item import Item

STEP = 0.1
CONTRADICTED = -2  # steps: one clear observation against a pattern weighs as much as two outputs about it
UNSCORED = 0.5
CITES = 0.5  # an output that shares half of the shorter text's words is about the pattern
LEAST_SHARED = 3


@dataclass(frozen=True)
class Heard:
    """One output's text and its score, from -1 to 1."""

    text: str
    score: float


def moved(found: Item, *, heard: Sequence[Heard], seen_again: Sequence[str], contradicted: Sequence[str] = ()) -> Item:
    """Return the bullet with its score moved.

    A tenth up or down for each good or bad output about it, a tenth up for each new
    sighting, two tenths down when an observation contradicts it: a high score
    protects a pattern from being removed, not from being wrong.
    """
    steps = 0
    for output in heard:
        if about(output.text, found.text):
            steps += (output.score > POSITIVE) - (output.score < NEGATIVE)
    steps += sum(about(text, found.text, floor=0.7) for text in seen_again)
    steps += CONTRADICTED * any(same(line, found.text) for line in contradicted)
    if not steps:
        return found
    base = UNSCORED if found.score is None else found.score
    return found.scored(round(base + steps * STEP, 2))


def about(text: str, pattern: str, *, floor: float = CITES) -> bool:
    """Return whether a text is about a pattern: enough shared words, and at least three of them."""
    shared = set(stems(text)) & set(stems(pattern))
    return len(shared) >= LEAST_SHARED and overlap(text, pattern) >= floor
