"""Tier 2: how like a text is to what a topic says of itself.  [autopoiesis §4.2]

Four measures, each an inverted index over the topics that ask for it, so that a message costs
its own words and not a thousand topics: TF-IDF cosine (the default), BM25, Jaccard, and
trigrams of letters for texts full of misspellings. Words are core/text/measures.py's stems.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from koog.core.named import NamedTuple
from koog.core.text.measures import stems
from koog.core.text.sentiment import NOTABLE, valence
from koog.topics.topic_file import Topic

LOOKED_AT = 20_000  # characters of a text; what comes after is seldom what it is about
SATURATION, LENGTH = 1.2, 0.75  # BM25's k1 and b

Counts = Mapping[str, int]


class Scorer:
    """The topics' texts, ready to be compared with many messages."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self._topics = list(topics)
        self._indexes: dict[str, Index] = {}

    def scores(self, text: str, names: Collection[str] | None = None) -> dict[str, float]:
        """Return topic → its likeness to a text, 0 to 1, by its own measure: of the topics named, or of all.

        A topic that declares a `sentiment` has the greater of its likeness and the strength of the text's mood
        on the side it asks for: an angry message reaches it without a word in common.
        """
        text = text[:LOOKED_AT]
        wanted = [t for t in self._topics if names is None or t.name in names]
        found = {measure: self._index(measure).scores(text) for measure in {t.similarity for t in wanted}}
        mood = valence(text) if any(t.sentiment is not None for t in wanted) else 0.0
        return {t.name: max(found[t.similarity][t.name], _pull(t.sentiment, mood)) for t in wanted}

    def _index(self, measure: str) -> Index:
        if measure not in self._indexes:
            self._indexes[measure] = Index(
                {t.name: t.said for t in self._topics},
                measure,
                members={t.name for t in self._topics if t.similarity == measure},
            )
        return self._indexes[measure]


class Spread(NamedTuple):
    """What weights depend on beside the text itself: in how many texts each term is, how many there are, how long."""

    texts_with: Counter[str]
    texts: int
    mean_terms: float

    def rarity(self, term: str) -> float:
        """Return 1 for a term that all texts have, and more for a rarer one."""
        return math.log((self.texts + 1) / (self.texts_with[term] + 1)) + 1


class Index:
    """Texts by one measure: term → the texts that have it, with its weight in each."""

    def __init__(self, texts: Mapping[str, str], measure: str, *, members: Collection[str]) -> None:
        """Take name → text; members: the names that get scores, the others only tell how rare a word is."""
        self._measure = MEASURES[measure]
        counts = {name: self._measure.counts(text) for name, text in texts.items()}
        terms = sum(sum(each.values()) for each in counts.values())
        self._spread = Spread(
            Counter(t for each in counts.values() for t in each), len(texts), terms / max(1, len(texts))
        )
        self._sizes = {name: len(counts[name]) for name in texts if name in members}
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for name in self._sizes:
            for term, weight in self._measure.in_text(counts[name], self._spread).items():
                self._postings[term].append((name, weight))

    def scores(self, text: str) -> dict[str, float]:
        """Return the score of every member, 0 to 1."""
        counts = self._measure.counts(text)
        found = dict.fromkeys(self._sizes, 0.0)
        for term, weight in self._measure.in_query(counts, self._spread).items():
            for name, own in self._postings.get(term, ()):
                found[name] += weight * own
        if self._measure.of_union:
            found = {n: shared / ((len(counts) + self._sizes[n] - shared) or 1) for n, shared in found.items()}
        return {name: min(1.0, score) for name, score in found.items()}


def _tfidf(counts: Counts, spread: Spread) -> dict[str, float]:
    """Return weights of length 1; a word that no topic has says nothing about which one is meant."""
    weights = {t: (1 + math.log(n)) * spread.rarity(t) for t, n in counts.items() if t in spread.texts_with}
    norm = math.sqrt(sum(w * w for w in weights.values())) or 1.0
    return {t: w / norm for t, w in weights.items()}


def _bm25_in_text(counts: Counts, spread: Spread) -> dict[str, float]:
    """Return BM25's share of each term, without its k1 + 1: it nears 1 as a term is repeated."""
    long = 1 - LENGTH + LENGTH * sum(counts.values()) / (spread.mean_terms or 1)
    return {t: n / (n + SATURATION * long) for t, n in counts.items()}


def _bm25_in_query(counts: Counts, spread: Spread) -> dict[str, float]:
    """Return rarities that add up to 1: BM25 over the most that any text could reach, which makes it 0 to 1."""
    weights = {t: spread.rarity(t) for t in counts if t in spread.texts_with}
    most = sum(weights.values()) or 1.0
    return {t: w / most for t, w in weights.items()}


def _evenly(counts: Counts, _: Spread) -> dict[str, float]:
    """Return weights of length 1, the same for each term: the cosine of two sets."""
    return dict.fromkeys(counts, 1 / math.sqrt(len(counts) or 1))


def _once(counts: Counts, _: Spread) -> dict[str, float]:
    return dict.fromkeys(counts, 1.0)


def _stems(text: str) -> Counts:
    return Counter(stems(text))


def _trigrams(text: str) -> Counts:
    """Return runs of three letters, with a space at each edge of a word.

    >>> sorted(_trigrams("to be"))
    [' be', ' to', 'be ', 'o b', 'to ']
    """
    line = f" {' '.join(text.lower().split())} "
    return Counter(line[i : i + 3] for i in range(len(line) - 2))


class Measure(NamedTuple):
    """What is counted in a text, what it weighs in a topic's text and in a message, and what the sum is divided by."""

    counts: Callable[[str], Counts]
    in_text: Callable[[Counts, Spread], dict[str, float]]
    in_query: Callable[[Counts, Spread], dict[str, float]]
    of_union: bool = False  # the sum is of shared terms: over all terms of both it is Jaccard's index


MEASURES = {
    "tfidf": Measure(_stems, _tfidf, _tfidf),
    "bm25": Measure(_stems, _bm25_in_text, _bm25_in_query),
    "jaccard": Measure(_stems, _once, _once, of_union=True),
    "ngram": Measure(_trigrams, _evenly, _evenly),
}


def _pull(wanted: str | float | None, mood: float) -> float:
    """Return how strongly a mood is the one that a topic asks for, 0 where it is too weak or of the other side."""
    match wanted:
        case None:
            return 0.0
        case "any":
            reached = abs(mood) >= NOTABLE
        case "negative":
            reached = mood <= -NOTABLE
        case "positive":
            reached = mood >= NOTABLE
        case _:
            reached = mood <= float(wanted) if float(wanted) < 0 else mood >= float(wanted)
    return abs(mood) if reached else 0.0
