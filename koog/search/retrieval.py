"""A query and an open index → its passages, best first.  [autopoiesis §7; issue 5]

Index     an index to ask: its database, and the embedding that its vectors are of
rank      the passages that answer, each by itself: neither merged nor read
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import orjson

from koog.core.errors import ConfigError, KoogError, UsageError
from koog.search import postings, ranking, vectors
from koog.search.database import from_stored
from koog.search.embedding import EXTRA
from koog.search.query import Query, parse
from koog.search.ranking import Place, Term

if TYPE_CHECKING:
    import apsw

    from koog.search.embedder import Embedder

Mode = Literal["hybrid", "keyword", "vector"]
Scores = Mapping[int, float]
Meaning = tuple[bytes, list[int]]  # a query's vector, and the passages that are likest to it
BY_WORDS, BY_MEANING = 64, 20  # passages that are looked at closely, with those around them
COMMON = 0.15  # of all passages: words in more of them, such as names, say nothing of what a passage means
LEAST_COSINE = 0.25  # of the likest passage: below, what has none of the words is no answer either
MOST_COMPARED = 20_000  # passages of a category: 15 ms
AMONG_ALL = 2000  # the likest of all passages, among which those of a larger category are looked for first
HEADING_WEIGHT = 0.5  # of FTS5's own ranking, for FTS5's own syntax
LONGEST_EXPRESSION = 4000  # characters of FTS5's syntax, which takes quadratic time to be read


class Index(NamedTuple):
    """What a search asks.

    embedder   None where there are no vectors
    without    why there are none, "" where there are
    fusion     search.fusion of the config
    share      search.vectorWeight of the config
    today      the day from which a passage's age counts
    """

    db: apsw.Connection
    embedder: Embedder | None
    without: str
    fusion: str
    share: float
    today: date


class Seen(NamedTuple):
    """A file as it was indexed: its size in bytes, its time and inode, the digest of its bytes, its first passage."""

    size: int
    mtime_ns: int
    inode: int
    digest: bytes
    first: int


class Ranked(NamedTuple):
    """A passage that answers, and how well: 0 to 1, to be compared within one search only.

    file, section   passages with numbers beside one another are neighbours where both are the same
    seen            the file as it was indexed: its lines are these only while it is so
    """

    id: int
    path: str
    line: int
    end: int
    file: int
    section: int
    heading: str
    speaker: str
    category: str
    date: str | None
    seen: Seen
    score: float


class Ranking(NamedTuple):
    """The answer to one query.

    mode      what was used: keyword where a hybrid search had no vectors
    without   why it had none, "" where it had them or needed none
    total     how many passages were found, of which `passages` are the first
    """

    mode: Mode
    without: str
    total: int
    passages: list[Ranked]


def rank(
    index: Index,
    text: str,
    *,
    limit: int = 100,
    mode: Mode = "hybrid",
    category: str | None = None,
    since: str | None = None,
    raw: bool = False,
) -> Ranking:
    """Return the passages that answer a text best.

    since   ISO day: what is older, or of no day, is left out
    raw     the text is an FTS5 expression, ranked by FTS5 alone

    Raises UsageError for an expression that FTS5 does not understand, ConfigError for a search by vectors where there
    are none, and what an embedding endpoint raises when nothing but vectors is asked for.
    """
    within = postings.allowed(index.db, category=category, since=since)
    if raw:
        if mode == "vector":
            raise UsageError("--raw is FTS5's syntax, and a search by vectors has none", hint="--mode keyword")
        mode, without, scores = "keyword", "", _by_expression(index.db, text, within)
    else:
        query = parse(text)
        wider = mode == "hybrid" and index.embedder is not None
        terms = postings.terms(index.db, query.words, near=wider, within=within)
        mode, without, meaning = _meaning(index, mode, query, terms, within)
        scores = _scores(index, query, [] if mode == "vector" else terms, meaning, within)
    best = sorted(scores, key=lambda id: (-scores[id], id))[:limit]
    return Ranking(mode, without, len(scores), _described(index.db, best, scores))


def _meaning(
    index: Index, mode: Mode, query: Query, terms: Sequence[Term], within: Collection[int] | None
) -> tuple[Mode, str, Meaning | None]:
    """Return the mode that can be used, why it is not the one asked for, and what a search by meaning needs."""
    if mode == "keyword" or not query.words:
        return mode, "", None
    if index.embedder is None:
        if mode == "vector":
            raise ConfigError(f"no search by vectors: {index.without}", hint=f"{EXTRA}, or --mode keyword")
        return "keyword", index.without, None
    try:
        (vector,) = index.embedder.embed([_meant(index, query, terms)], kind="query")
        return mode, "", (vector, _likest(index.db, vector, within))
    except KoogError as e:
        if mode == "vector":
            raise
        return "keyword", e.message, None


def _likest(db: apsw.Connection, vector: bytes, within: Collection[int] | None) -> list[int]:
    """Return the passages that are likest to a vector.

    Of some, all are compared, lest a small category be missed; of many, only where too few are among the likest of all.
    """
    if within is None:
        return vectors.scan(db, vector, BY_MEANING)
    if len(within) > MOST_COMPARED:
        found = [id for id in vectors.scan(db, vector, AMONG_ALL) if id in within]
        if len(found) >= BY_MEANING:
            return found[:BY_MEANING]
    cosines = vectors.similarities(db, vector, list(within))
    return heapq.nlargest(BY_MEANING, cosines, key=lambda id: (cosines[id], -id))


def _meant(index: Index, query: Query, terms: Sequence[Term]) -> str:
    """Return the words of which the query's vector is made: those that many passages have are left out."""
    most = COMMON * postings.total(index.db)
    return " ".join([term.word for term in terms if term.matches <= most] or query.words)


def _scores(
    index: Index, query: Query, terms: Sequence[Term], meaning: Meaning | None, within: Collection[int] | None
) -> dict[int, float]:
    """Return the score of each passage that was found, 0 to 1."""
    vector, likest = meaning or (b"", [])
    found = {*ranking.candidates(terms, BY_WORDS), *likest}
    places = postings.places(index.db, ranking.around(found))
    to = ranking.links(places)
    keywords = ranking.keyword(terms, places, to)
    cosines = vectors.similarities(index.db, vector, list(places)) if vector else {}
    ids = set(keywords)
    if max(cosines.values(), default=0.0) >= LEAST_COSINE:
        ids |= cosines.keys()
    if within is not None:
        ids &= set(within)
    places_of = {id: places[id] for id in ids}
    extras = ranking.boosts(places_of, words=query.words, day=query.day)
    lists = [ranking.scaled(keywords, least=0.0)] if terms or not vector else []
    if vector:
        lists.append(ranking.scaled(ranking.spread(cosines, to, ranking.OF_MEANING)))
    first, *others = ({id: scores.get(id, 0.0) + extras[id] for id in ids} for scores in lists)
    fused = ranking.FUSIONS[index.fusion](first, others[0], index.share) if others else first
    return _aged(fused, places_of, index.today)


def _aged(scores: Scores, places: Mapping[int, Place], today: date) -> dict[int, float]:
    """Return the scores as the passages' ages leave them, 0 to 1. What has no day has no age."""
    ages = {place.date: _age_days(place.date, today) for place in places.values()}
    return {id: ranking.decayed(ranking.within_one(score), ages[places[id].date]) for id, score in scores.items()}


def _age_days(day: str | None, today: date) -> float:
    return (today - date.fromisoformat(day)).days if day else 0.0


def _by_expression(db: apsw.Connection, text: str, within: Collection[int] | None) -> dict[int, float]:
    """Return what FTS5 finds and how it ranks it, the best 1."""
    import apsw

    if len(text) > LONGEST_EXPRESSION:
        raise UsageError(f"--raw takes up to {LONGEST_EXPRESSION} characters", hint="without --raw any text is a query")
    sql = "SELECT rowid, -bm25(passages_fts, 1.0, ?) FROM passages_fts WHERE passages_fts MATCH ? ORDER BY 2 DESC"
    try:
        rows: Any = db.execute(sql, (HEADING_WEIGHT, text)).fetchall()
    except apsw.SQLError as e:
        raise UsageError(f"--raw: {e}", hint="FTS5's syntax; without --raw any text is a query") from None
    return ranking.scaled({id: score for id, score in rows if within is None or id in within}, least=0.0)


def _described(db: apsw.Connection, ids: Sequence[int], scores: Scores) -> list[Ranked]:
    rows: Any = db.execute(
        "SELECT p.id, f.path, p.line, p.end, p.file, p.section, p.heading, p.speaker, f.category, p.date,"
        " f.size, f.mtime_ns, f.inode, f.hash, f.first"
        " FROM json_each(?) AS j JOIN passages AS p ON p.id = j.value JOIN files AS f ON f.id = p.file",
        (orjson.dumps(ids).decode(),),
    )
    found = {
        id: Ranked._make((id, from_stored(path), *place, Seen._make(seen), scores[id]))
        for id, path, *place, seen in ((*row[:10], row[10:]) for row in rows)
    }
    return [found[id] for id in ids if id in found]
