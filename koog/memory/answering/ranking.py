"""How well a line answers a question: numbers in, numbers out.  [moltbot §11.3, design §5]

    covered      the share of the question's weight that a line has
    confidence   how likely it is to answer, 0 to 1, comparable between questions
    ranked       relevance × decay, where decay orders equals and buries nothing that answers

Pure: no I/O, no clock.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_DECAY = 0.06  # what a memory that has faded away loses of its relevance
EVEN, STEEP = 0.67, 8.0  # the share at which an answer is as likely as not, and how fast that changes
SURE = 0.5
BESIDE_IT = 0.45  # the most that a line is sure which does not speak itself of what is asked for
ELSEWHERE = 0.3  # of a word: it stands in another line about the same
OF_NAMES = 0.3  # of how sure a line is: that it has the names, where the question asks for something of them
NO_NAME = 0.45  # of how sure a line is, where the question is about somebody whom it does not concern
NAMELESS = 0.7  # of its relevance: who is meant often goes without saying
ANOTHERS = 0.25  # of its relevance: it tells of another what somebody asks of himself
OF_KIND, NOT_OF_KIND = 1.12, 0.94  # a line that gives what is asked for (a day, a reason), and one that does not


def weight(total: int, having: int) -> float:
    """Return what a word tells about the lines that have it: the fewer, the more; one that none has most of all.

    >>> weight(100, 1) > weight(100, 50) > 0
    True
    """
    return math.log(1 + (max(total, having) - having + 0.5) / (having + 0.5))


def covered(weights: Sequence[float], shares: Sequence[float]) -> float:
    """Return the share of a question's weight that a line has, 0 to 1.

    shares   of each word: 1 where the line has it, 0 where it has nothing like it

    >>> covered([2.0, 1.0, 1.0], [1.0, 0.0, 0.5])
    0.625
    """
    whole = sum(weights)
    return sum(w * s for w, s in zip(weights, shares, strict=True)) / whole if whole > 0 else 0.0


def confidence(share: float) -> float:
    """Return how likely a line is to answer that has so much of a question.

    >>> round(confidence(EVEN), 2), confidence(1.0) > 0.9, confidence(0.2) < 0.1
    (0.5, True, True)
    """
    return 1 / (1 + math.exp(-STEEP * (share - EVEN)))


def ranked(relevance: float, score: float) -> float:
    """Return a relevance as what is left of the memory leaves it, both 0 to 1.

    >>> ranked(0.5, 1.0), round(ranked(0.5, 0.0), 3)
    (0.5, 0.47)
    """
    return relevance * (1 - MOST_DECAY * (1 - min(1.0, max(0.0, score))))
