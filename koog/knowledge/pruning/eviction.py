"""Which knowledge files have not been of use for so long that they are put away.  [autopoiesis §8.5]"""

from __future__ import annotations

import math


def score(age_days: int, references: int, *, decay: float) -> float:
    """Return how present a knowledge file still is.

    age_days    since its newest line was said
    references  how often it came up: sessions that it has lines of, and files that link to it
    decay       of a day; 0.05 is a half-life of 14 days

    >>> round(score(14, 1, decay=0.05), 2)
    0.5
    """
    return math.exp(-decay * max(age_days, 0)) * references


def is_stale(age_days: int, references: int, *, decay: float, below: float, days: int) -> bool:
    """Return whether a file may be put away: it scores too little, and is older than some days.

    >>> [is_stale(age, 1, decay=0.05, below=0.01, days=30) for age in (31, 92, 93)]
    [False, False, True]
    """
    return age_days > days and score(age_days, references, decay=decay) < below
