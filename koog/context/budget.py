"""What a context may cost, and what a piece of knowledge is worth. Pure.  [autopoiesis §6.2, §6.3]

A budget is counted twice: in tokens for the whole and in kilobytes for a slot. Tokens are counted in units
(core/text/tokens.py), because those of texts that are put together add up.
"""

from __future__ import annotations

import math
import sys

from koog.core.text import tokens
from koog.core.text.shares import Amount

KB = 1024
HALF_LIFE_DAYS = 7
RECENCY_FLOOR = 0.5  # else every file that nothing refers to would vanish after a month
PER_REFERENCE = 0.1
CUT = 0.05  # of relevance alone: how old a thing is says nothing about whether it answers
# A passage below so much of the best one's relevance is not shown merely because there is room, unless it is as sure as
# SURE_ENOUGH. Measured in bench/compile: there a third of the room at 4,000 tokens is left, and of the evidence .006.
FAR_BELOW, SURE_ENOUGH = 0.42, 0.5
# Of what P0 leaves, the question's before P1 takes its own; no more than at a budget of 2,000 tokens: core memory and
# journal alone take all of a small one (bench/compile --standing), of a large one their kilobytes leave enough.
QUESTION_SHARE, QUESTION_TOKENS = 0.4, 800
KNOWLEDGE_SHARE = 0.5  # of what the fixed slots leave, when there is a history that wants the rest
EXTRA_SHARE = 0.5  # of what the seed's own fixed slots leave: playbook and observations may have it


def kilobytes(count: float, *, units: int) -> Amount:
    """Return the room of a slot: so many kilobytes, and no more tokens than there are."""
    return Amount(max(0, units), int(count * KB))


def unlimited(units: int) -> Amount:
    """Return a room that only tokens bound."""
    return Amount(max(0, units), sys.maxsize)


def of_question(units: int) -> int:
    """Return how much of what P0 leaves is kept from P1 for the question.

    >>> of_question(1000), of_question(1_000_000) == QUESTION_TOKENS * tokens.UNITS
    (400, True)
    """
    return min(int(units * QUESTION_SHARE), QUESTION_TOKENS * tokens.UNITS)


def is_cut(relevance: float, *, best: float, confidence: float | None) -> bool:
    """Return whether a passage is too far from the question, or from the best one that was found, to be shown.

    >>> is_cut(0.04, best=0.04, confidence=0.9), is_cut(0.3, best=0.8, confidence=0.3)
    (True, True)
    >>> is_cut(0.3, best=0.8, confidence=0.9), is_cut(0.2, best=0.4, confidence=0.1)
    (False, False)
    """
    is_unsure = confidence is not None and confidence < SURE_ENOUGH
    return relevance <= CUT or (is_unsure and relevance < FAR_BELOW * best)


def score(relevance: float, *, days: float, references: int) -> float:
    """Return what a passage is worth: relevance × recency × how often it is referred to, from 0 up.

    relevance    what the search says, 0 to 1
    days         since it was written; what lies in the future counts as today
    references   how many other files refer to its file

    Recency halves every 7 days and never falls below 0.5; autopoiesis §6.3 writes exp(-0.1·days) and no floor.

    >>> score(0.8, days=7, references=0), score(0.8, days=1000, references=2), score(0.8, days=-3, references=0)
    (0.4, 0.48, 0.8)
    """
    recency = max(RECENCY_FLOOR, math.exp2(-max(0.0, days) / HALF_LIFE_DAYS))
    return relevance * recency * (1 + PER_REFERENCE * references)
