"""Which passages answer best: numbers in, numbers out.  [autopoiesis §7; issue 5, bench/retrieval]

    weight, candidates, keyword     posting lists → BM25 over each passage and those beside it
    links, spread                   what a passage has of its neighbours
    boosts                          who spoke, when, and that a passage only asks
    weighted, reciprocal            two lists → one
    decayed                         newer first among equals
    merged                          neighbours in one hit

A passage is small: a turn, a bullet. What it is about often stands in the one before it, so each takes
a share of its neighbours' words, more from those before, which it answers, than from those behind. That is worth
more than all the rest together (bench/README.md). Pure: no I/O, no clock.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from koog.core.named import NamedTuple
from koog.search.query import Day

# What a passage gives to those around it: how far behind it they stand → its share.
OF_WORDS = {1: 0.6, 2: 0.4, 3: 0.2, -1: 0.3, -2: 0.2, -3: 0.1}
OF_MEANING = {1: 0.3, 2: 0.2, 3: 0.0, -1: 0.3, -2: 0.2, -3: 0.0}
REACH = max(OF_WORDS)
SATURATION, LENGTH = 1.2, 0.4  # BM25's k1 and b
IN_HEADING = 0.5  # of a word of the passage itself
ABOVE = 0.5  # of a word of the passage: one of its neighbour, for how sure an answer is
# What makes an answer sure: the share of the question's weight that it has, and how much likelier it is than others (in
# standard deviations; USUAL where there are no vectors). Measured in bench/retrieval.
OF_LIKENESS, USUAL, EVEN, STEEP = 0.1, 2.6, 0.65, 7.0
SURE = 0.5  # from there an answer is called sure
ENOUGH = 2000  # candidates: what commoner words add then is only looked up
SPEAKER, ON_THE_DAY, ASKS = 0.25, 0.25, -0.08  # beside scores from 0 to 1
RRF = 60  # the usual constant of reciprocal rank fusion
MOST_DECAY, HALF_DAYS = (
    0.03,
    365.0,
)  # what a very old passage loses of its score, and the age at which half of it is lost


Scores = Mapping[int, float]
Links = Mapping[int, Sequence[tuple[int, int]]]  # passage → (neighbour, how far behind)


class Place(NamedTuple):
    """Where a passage stands, and what there is to know of it without reading it.

    file, section   passages beside one another are neighbours where both are the same
    speaker         "" for none
    date            ISO day, None when nothing tells it
    words           how many it has
    """

    file: int
    section: int
    speaker: str
    date: str | None
    words: int
    asks: bool


class Term(NamedTuple):
    """One word of a query and the passages that have it.

    weight      what a match is worth: the rarer, the more
    matches     how many passages have it, in their text or their headings
    postings    (share of a match, passages), the largest share first: the word itself, then others in its place
    headings    passages under a heading that has it
    """

    word: str
    weight: float
    matches: int
    postings: tuple[tuple[float, Collection[int]], ...]
    headings: Collection[int] = ()


def weight(total: int, matches: int) -> float:
    """Return BM25's inverse document frequency, never below 0.

    >>> round(weight(1000, 1), 2), round(weight(1000, 500), 2)
    (6.5, 0.69)
    """
    return math.log(1 + max(total - matches, 0.5) / (matches + 0.5))


def candidates(terms: Iterable[Term], most: int) -> list[int]:
    """Return the passages that have the weightiest words, best first: whom it pays to look at closely."""
    pool: dict[int, float] = {}
    for term in sorted(terms, key=lambda term: -term.weight):
        for share, ids in (*term.postings, (IN_HEADING, term.headings)):
            gain = share * term.weight
            for id in ids if len(pool) < ENOUGH else pool.keys() & ids:
                pool[id] = pool.get(id, 0.0) + gain
    return heapq.nlargest(most, pool, key=pool.__getitem__)


def around(ids: Iterable[int]) -> set[int]:
    """Return the passages and all that may be their neighbours."""
    return {id + offset for id in ids for offset in range(-REACH, REACH + 1)}


def links(places: Mapping[int, Place]) -> Links:
    """Return the neighbours of each passage, all in its own section."""
    found: dict[int, list[tuple[int, int]]] = {}
    for id, (file, section, *_) in places.items():
        found[id] = near = []
        for offset in OF_WORDS:
            other = places.get(id + offset)
            if other is not None and other[0] == file and other[1] == section:
                near.append((id + offset, offset))
    return found


def spread(values: Scores, to: Links, shares: Mapping[int, float]) -> dict[int, float]:
    """Return each passage's value and its shares of its neighbours'.

    >>> spread({1: 1.0, 2: 0.0}, {1: [(2, 1)], 2: [(1, -1)]}, {1: 0.5, -1: 0.3})
    {1: 1.0, 2: 0.5}
    """
    out = dict(values)
    for id, value in values.items():
        for other, offset in to[id]:
            out[other] = out.get(other, 0.0) + shares[offset] * value
    return out


def keyword(terms: Sequence[Term], places: Mapping[int, Place], to: Links) -> dict[int, float]:
    """Return the BM25 of these passages, each with its shares of its neighbours' words; but those without any."""
    lengths = spread({id: place.words for id, place in places.items()}, to, OF_WORDS)
    usual = sum(lengths.values()) / len(lengths) if lengths else 1.0
    norms = {id: SATURATION * (1 - LENGTH + LENGTH * length / (usual or 1.0)) for id, length in lengths.items()}
    scores: dict[int, float] = {}
    for term in terms:
        present: dict[int, float] = {}
        for share, ids in reversed(term.postings):
            present.update(dict.fromkeys(places.keys() & ids, share))
        present = spread(present, to, OF_WORDS)
        for id in places.keys() & term.headings:
            if term.word not in places[id].speaker.lower():  # who spoke is counted for itself
                present[id] = present.get(id, 0.0) + IN_HEADING
        for id, times in present.items():
            scores[id] = scores.get(id, 0.0) + term.weight * times * (SATURATION + 1) / (times + norms[id])
    return scores


def coverage(terms: Sequence[Term], ids: Collection[int], to: Links) -> dict[int, float]:
    """Return the share of the query's weight that each passage has, 0 to 1. Words found nowhere count, too."""
    whole = sum(term.weight for term in terms)
    out = dict.fromkeys(ids, 0.0)
    beside = {id: [other for other, offset in to.get(id, ()) if abs(offset) == 1] for id in ids}
    near = {*ids, *(other for others in beside.values() for other in others)}
    for term in terms if whole > 0 else ():
        present: dict[int, float] = dict.fromkeys(near.intersection(term.headings), IN_HEADING)
        for share, having in reversed(term.postings):
            present.update((id, max(share, present.get(id, 0.0))) for id in near.intersection(having))
        for id, others in beside.items() if present else ():
            around = ABOVE * max((present.get(other, 0.0) for other in others), default=0.0)
            out[id] += term.weight / whole * max(present.get(id, 0.0), around)
    return out


def confidence(covered: float, likeness: float | None) -> float:
    """Return how likely a passage is to answer, 0 to 1.

    covered    the share of the query's weight that it has
    likeness   by how many standard deviations its vector is liker the query's than others' are; None without vectors

    >>> [round(confidence(covered, likeness), 2) for covered, likeness in ((1.0, 7.0), (0.3, 3.0), (0.5, None))]
    [1.0, 0.41, 0.68]
    """
    sum_ = covered + OF_LIKENESS * (USUAL if likeness is None else likeness)
    return 1 / (1 + math.exp(-STEEP * (sum_ - EVEN)))


def scaled(scores: Scores, *, least: float | None = None) -> dict[int, float]:
    """Return the scores from 0 to 1: the best is 1, the least of them (or `least`) 0."""
    if not scores:
        return {}
    low = min(scores.values()) if least is None else least
    width = max(scores.values()) - low
    return {id: (score - low) / width if width > 0 else 1.0 for id, score in scores.items()}


def boosts(places: Mapping[int, Place], *, words: Collection[str], day: Day | None) -> dict[int, float]:
    """Return what speaks for a passage beside its words: a query that names its speaker or its day; or against it."""
    by_date: dict[str | None, float] = {}
    by_speaker: dict[str, float] = {}
    out = {}
    for id, place in places.items():
        if place.date not in by_date:
            by_date[place.date] = ON_THE_DAY * told_of(day, place.date)
        if place.speaker not in by_speaker:
            by_speaker[place.speaker] = SPEAKER if any(name in words for name in place.speaker.lower().split()) else 0.0
        out[id] = by_date[place.date] + by_speaker[place.speaker] + (ASKS if place.asks else 0.0)
    return out


def told_of(day: Day | None, date: str | None) -> float:
    """Return how likely what was said on a date tells of a day that is named, 0 to 1: things are told soon after.

    >>> told_of(Day(2023, 5, None), "2023-05-20"), told_of(Day(None, 5, 3), "2023-05-09"), told_of(None, "2023-05-09")
    (1.0, 0.5, 0.0)
    """
    if day is None or date is None:
        return 0.0
    year, month, of_month = int(date[:4]), int(date[5:7]), int(date[8:10])
    named = (day.year,) if day.year is not None else (year, year - 1)  # December is told of in January
    return max(_told_after(12 * (year - of) + month - day.month, of_month, day.day) for of in named)


def _told_after(months: int, of_month: int, day: int | None) -> float:
    if day is None:
        return {0: 1.0, 1: 0.3 if of_month < 10 else 0.0}.get(months, 0.0)
    days = months * 30.4 + of_month - day
    return 1.0 if -0.6 <= days <= 2.6 else 0.5 if -1.6 <= days <= 10.6 else 0.0


def weighted(first: Scores, second: Scores, share: float) -> dict[int, float]:
    """Return the seed's fusion: the sum of two lists of the same passages, the second with this share.  [§7]"""
    return {id: (1 - share) * score + share * second[id] for id, score in first.items()}


def reciprocal(first: Scores, second: Scores, share: float) -> dict[int, float]:
    """Return reciprocal rank fusion: what counts is the rank in each list, the second with this share."""
    out = dict.fromkeys(first, 0.0)
    for scores, part in ((first, 1 - share), (second, share)):
        for rank, id in enumerate(sorted(scores, key=lambda id: (-scores[id], id)), 1):
            out[id] += part * (RRF + 1) / (RRF + rank)
    return out


FUSIONS = {"weighted": weighted, "rrf": reciprocal}


def within_one(score: float) -> float:
    """Return a score with its boosts as a number from 0 to 1."""
    return max(0.0, score / (1 + SPEAKER + ON_THE_DAY))


def decayed(score: float, age_days: float) -> float:
    """Return a score as its passage's age leaves it: it decides between equals and never buries.

    >>> decayed(0.5, 0), round(decayed(0.5, 365), 4), round(decayed(0.5, 36500), 4)
    (0.5, 0.4925, 0.485)
    """
    kept: float = 0.5 ** (max(age_days, 0.0) / HALF_DAYS)
    return score * (1 - MOST_DECAY * (1 - kept))
