"""How relevant a memory still is: numbers in, numbers out.  [moltbot §9.1, §9.2]

    relevance = base × e^(−λ × days) × log2(accesses + 1) × weight, from 0 to 1

The write is the first access, so nothing is worth 0 because nobody has asked for it yet.
"""

from __future__ import annotations

import math

from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT

ACTIVE, FADING, DORMANT, ARCHIVED = STATUSES = ("active", "fading", "dormant", "archived")
WEIGHTS = {CORE: 1.5, EPISODIC: 0.8, SEMANTIC: 1.2, PROCEDURAL: 1.0, VAULT: 1.0}
ACTIVE_FROM, FADING_FROM = 0.5, 0.2  # dormant from: memory.archiveBelow
PINNED, FORGOTTEN = 1.0, 0.0  # scores that no time changes
DIGITS = 4  # of a score that is written down
LEAST = 0.0001  # of what only time has worn: FORGOTTEN is said by somebody


def relevance(base: float, days: float, accesses: int, weight: float, lambda_: float) -> float:
    """Return the relevance of a memory, 0 to 1.

    base      0 to 1
    days      since the last access; negative ones, where a clock was wrong, count as none
    accesses  with the write, so at least 1

    >>> round(relevance(1.0, 23, 1, 1.0, 0.03), 2)
    0.5
    """
    worn = math.exp(-lambda_ * max(0.0, days))
    # max() and min() in this order: what is no number becomes 0.
    return min(1.0, max(0.0, base * worn * math.log2(max(1, accesses) + 1) * weight))


def score(base: float, days: float, accesses: int, store: str, lambda_: float) -> float:
    """Return the relevance of a memory of a store as it is written down; what the vault holds does not fade."""
    if store == VAULT:
        return PINNED
    return max(LEAST, round(relevance(base, days, accesses, WEIGHTS[store], lambda_), DIGITS))


def status(score: float, archive_below: float) -> str:
    """Return what a score means.

    >>> [status(each, 0.05) for each in (0.5, 0.4999, 0.2, 0.05, 0.0499)]
    ['active', 'fading', 'fading', 'dormant', 'archived']
    """
    if score == FORGOTTEN:
        return ARCHIVED
    if score >= ACTIVE_FROM:
        return ACTIVE
    if score >= FADING_FROM:
        return FADING
    return DORMANT if score >= archive_below else ARCHIVED
