"""Lines that say of themselves that they do not fit what was told before, or that nobody knows which is right. Pure.

Six languages. Such a remark says that something is open, not what: the earlier line that it is at odds with is the one
with which it shares most, and rather one by which somebody else, or some paper, claims something.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import fsum

from koog.consolidate import same_source, shared, telling, values
from koog.consolidate.shared import Counts
from koog.consolidate.survey import Said
from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.text import sentences
from koog.core.text.says import says

SHARED, ALONE = 1.3, 1.6  # of what both say, and how it is said: it may not fit; where the older line is no claim
LEAST, BOTH = 0.6, 2  # of what both say; things of which both speak, where their values do not differ
MOST_LINES, NEAREST = 200, 24  # that have a word by which lines are found; lines that are weighed
CLAIMED, VALUED, AGREED = 0.8, 0.5, 0.5  # the earlier line is a claim; of a kind each has another value; the same


def found(lines: Sequence[Said], count: Counts) -> Iterator[tuple[Said, Said]]:
    """Yield each line of doubt with the earlier one, of one label, that it most likely does not fit.

    lines: in order of time; count: in how many lines of a label each word stands
    """
    having: dict[str, list[Said]] = defaultdict(list)
    for newer in lines:
        if is_doubt(newer.text):
            rated = [(_rated(each, newer, count), each.day, each.id, each) for each in _nearest(newer, having, count)]
            rating, _, _, older = max(rated, key=lambda row: row[:3], default=(0.0, "", "", newer))
            if rating >= SHARED:
                yield older, newer
        for word in shared.things(newer.text):
            having[word].append(newer)


def _nearest(newer: Said, having: Mapping[str, Sequence[Said]], count: Counts) -> list[Said]:
    """Return the earlier lines that share most with one; what very many have finds none."""
    alike: dict[Said, float] = defaultdict(float)
    for word in shared.things(_without_remark(newer.text)):
        if len(lines := having.get(word, ())) <= MOST_LINES:
            for each in lines:
                alike[each] += count.weight(newer.label, word)
    best = sorted(alike, key=lambda each: (alike[each], each.day, each.id), reverse=True)
    return best[:NEAREST]


def is_of(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether a line says that it does not fit, and an earlier one is a claim that it may not fit."""
    return is_doubt(newer.text) and bool(telling.claims(older.text)) and _rated(older, newer, count) >= SHARED


def _rated(older: Said, newer: Said, count: Counts) -> float:
    """Return how likely it is of an earlier line that the doubt is about it, 0 where it is of the same source."""
    both = shared.things(older.text) & shared.things(_without_remark(newer.text))
    if not both or older.label != newer.label:
        return 0.0
    alike = fsum(count.weight(newer.label, each) for each in both)
    if alike < LEAST:
        return 0.0
    is_apart, is_claim = any(values.apart(older.text, newer.text)), bool(telling.claims(older.text))
    if (len(both) < BOTH and not is_apart) or (alike < ALONE and not is_claim):
        return 0.0
    if not same_source.is_later(older, newer._replace(text=_without_doubt(newer.text))):
        return 0.0
    is_alike = values.agree(older.text, newer.text)
    return alike + CLAIMED * is_claim + VALUED * is_apart - AGREED * is_alike


@lru_cache(maxsize=4096)
def _without_remark(text: str) -> str:
    """Return a line without the words by which it says that it does not fit: they tell nothing of what."""
    return compiled(_pattern("doubt"), re.I).sub(" ", text)


@lru_cache(maxsize=4096)
def _without_doubt(text: str) -> str:
    """Return a line without the sentences of doubt, which may name whose word it does not fit."""
    rest = [each for row in text.splitlines() for _, each in sentences.split(row) if not _has(each, "doubt")]
    return " ".join(rest) or text


@cache
def _pattern(kind: str) -> str:
    """Return the rows of a kind in doubts.txt as one pattern."""
    rows = shipped.text(shipped.PACKAGE / "consolidate/doubts.txt").splitlines()
    return "|".join(row.removeprefix(f"{kind} ") for row in rows if row.startswith(f"{kind} "))


@lru_cache(maxsize=4096)
def is_doubt(text: str) -> bool:
    """Return whether a line passes something on and says that it is not what was told before, or that nobody knows.

    >>> is_doubt("The label says soybean. That's not what we tell people"), is_doubt("It did not fit in the van")
    (True, False)
    """
    if not telling.claims(text):
        return False
    plain = says(text).text
    return _has(plain, "doubt") and not _has(plain, "choice")


def _has(text: str, kind: str) -> bool:
    return compiled(_pattern(kind), re.I).search(text) is not None
