"""A query and an open index → its passages, best first.  [autopoiesis §7; issue 5]

Index     an index to ask: its database, and the embedding that its vectors are of
rank      the passages that answer, each by itself: neither merged nor read
"""

from __future__ import annotations

import heapq
import statistics
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import orjson

from koog.core.errors import ConfigError, KoogError, UsageError
from koog.core.named import NamedTuple
from koog.search import postings, ranking, vectors, visible
from koog.search.database import from_stored
from koog.search.embedding import EXTRA
from koog.search.labelled import NOTHING, Said
from koog.search.query import Query, parse
from koog.search.ranking import Links, Place, Term
from koog.search.visible import Within
from koog.sessions.labels import Label

if TYPE_CHECKING:
    import apsw

    from koog.search.embedder import Embedder
    from koog.search.sources import Roots
    from koog.sessions.audience import Audience

Mode = Literal["hybrid", "keyword", "vector"]
Scores = Mapping[int, float]
Meaning = tuple[bytes, list[int]]  # a query's vector, and the passages that are likest to it
BY_WORDS, BY_MEANING = 64, 20  # passages that are looked at closely, with those around them
COMMON = 0.15  # of all passages: words in more of them, such as names, say nothing of what a passage means
LEAST_COSINE = 0.25  # of the likest passage: below, what has none of the words is no answer either
MOST_COMPARED = 20_000  # passages of a category: 15 ms
AMONG_ALL = (vectors.CANDIDATES, 2000)  # the likest of all, among which those of a larger category are looked for first
FEW_HIDDEN = 100  # passages, for which so many more are looked at: 2 ms
MODULE, LEAST_OF_MODULES = "module", 0.6  # how sure a module's advice must be to be shown unasked
OTHERS = 200  # passages that a likeness is compared with
HEADING_WEIGHT = 0.5  # of FTS5's own ranking, for FTS5's own syntax
LONGEST_EXPRESSION = 4000  # characters of FTS5's syntax, which takes quadratic time to be read


class Index(NamedTuple):
    """What a search asks.

    embedder   None where there are no vectors
    without    why there are none, "" where there are
    fusion     search.fusion of the config
    share      search.vectorWeight of the config
    today      the day from which a passage's age counts
    who        who reads; None: whoever may see everything
    roots      where the files lie of which something is archived; None: nothing is
    """

    db: apsw.Connection
    embedder: Embedder | None
    without: str
    fusion: str
    share: float
    today: date
    who: Audience | None = None
    roots: Roots | None = None


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
    said            whose it is, where its lines say so
    name            the project that is told behind it, "" for none
    confidence      how likely it is to answer, 0 to 1, comparable with other searches'; None for FTS5's syntax
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
    said: Said = NOTHING
    name: str = ""
    confidence: float | None = None


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
    among: Collection[str] = (),
    since: str | None = None,
    raw: bool = False,
) -> Ranking:
    """Return the passages that answer a text best.

    among   categories, where there may be several; none: all
    since   ISO day: what is older, or of no day, is left out
    raw     the text is an FTS5 expression, ranked by FTS5 alone

    Raises UsageError for an expression that FTS5 does not understand, ConfigError for a search by vectors where there
    are none, and what an embedding endpoint raises when nothing but vectors is asked for.
    """
    sight = visible.within(index.db, index.who, total=postings.total(index.db))
    sight = visible.without_archived(index.db, sight, index.roots, total=postings.total(index.db))
    among = [category] if category is not None else among
    within = postings.allowed(index.db, categories=among, since=since, sight=sight)
    if raw:
        if mode == "vector":
            raise UsageError("--raw is FTS5's syntax, and a search by vectors has none", hint="--mode keyword")
        mode, without, scores = "keyword", "", _by_expression(index.db, text, within)
        best = _first(scores, limit)
        return Ranking(mode, without, len(scores), _described(index, best, scores, {}))
    query = parse(text)
    wider = mode == "hybrid" and index.embedder is not None
    terms = postings.terms(index.db, query.words, near=wider, within=within)
    common = COMMON * (postings.total(index.db) if sight is None else len(sight))
    mode, without, meaning = _meaning(index, mode, query, [t for t in terms if t.matches <= common], within)
    scores, to, cosines = _scores(index, query, [] if mode == "vector" else terms, meaning, within, sight=sight)
    usual = _usual(index.db, meaning[0], sight) if meaning else None
    covered = ranking.coverage(terms, _first(scores, limit), to)
    sure = {id: ranking.confidence(share, _likeness(cosines.get(id), usual)) for id, share in covered.items()}
    if MODULE not in among:
        weak = {id for id in _of_modules(index.db) if sure.get(id, 0.0) < LEAST_OF_MODULES}
        scores = {id: score for id, score in scores.items() if id not in weak}
    return Ranking(mode, without, len(scores), _described(index, _first(scores, limit), scores, sure))


def _first(scores: Scores, many: int) -> list[int]:
    return sorted(scores, key=lambda id: (-scores[id], id))[:many]


def _usual(db: apsw.Connection, vector: bytes, sight: Within | None) -> tuple[float, float]:
    """Return how like a vector passages are that were not looked for: the mean, and the standard deviation."""
    step = max(1, postings.total(db) // OTHERS)
    others = [id for id in range(1, postings.total(db) + 1, step) if sight is None or id in sight]
    cosines = vectors.similarities(db, vector, others).values()
    return (statistics.fmean(cosines), statistics.pstdev(cosines)) if cosines else (0.0, 0.0)


def _likeness(cosine: float | None, usual: tuple[float, float] | None) -> float | None:
    if cosine is None or usual is None or not usual[1]:
        return None
    return (cosine - usual[0]) / usual[1]


def _of_modules(db: apsw.Connection) -> set[int]:
    """Return the passages of modules: advice that nobody here wrote, and a fresh workspace has nothing else."""
    ranges: Any = db.execute("SELECT first, passages FROM files WHERE category = ?", (MODULE,))
    return {id for first, many in ranges for id in range(first, first + many)}


def _meaning(
    index: Index, mode: Mode, query: Query, telling: Sequence[Term], within: Within | None
) -> tuple[Mode, str, Meaning | None]:
    """Return the mode that can be used, why it is not the one asked for, and what a search by meaning needs.

    The query's vector is made of its telling words: those that many passages have are left out.
    """
    if mode == "keyword" or not query.words:
        return mode, "", None
    if index.embedder is None:
        if mode == "vector":
            raise ConfigError(f"no search by vectors: {index.without}", hint=f"{EXTRA}, or --mode keyword")
        return "keyword", index.without, None
    try:
        meant = " ".join([term.word for term in telling] or query.words)
        (vector,) = index.embedder.embed([meant], kind="query")
        return mode, "", (vector, _likest(index.db, vector, within))
    except KoogError as e:
        if mode == "vector":
            raise
        return "keyword", e.message, None


def _likest(db: apsw.Connection, vector: bytes, within: Within | None) -> list[int]:
    """Return the passages that are likest to a vector.

    Of some, all are compared, lest a small category be missed; of many, only where too few are among the likest of all.
    Where some are hidden, more are looked at, so that those cannot take anybody's place.
    """
    if within is None:
        return vectors.scan(db, vector, BY_MEANING)
    if within.only is None and (len(within.but) <= FEW_HIDDEN or len(within) > vectors.EXACT_TO):
        more = vectors.STRIPES * min(len(within.but), FEW_HIDDEN)
        found = [id for id in vectors.scan(db, vector, BY_MEANING + more) if id in within]
        if len(within.but) > FEW_HIDDEN:
            found = _of_each_stripe(found)
        if found:
            return found[:BY_MEANING]
    for many in AMONG_ALL if len(within) > MOST_COMPARED else ():
        found = [id for id in vectors.scan(db, vector, many) if id in within]
        if len(found) >= BY_MEANING:
            return found[:BY_MEANING]
    ids = within.only if within.only is not None else [id for id in vectors.ids(db) if id in within]
    cosines = vectors.similarities(db, vector, ids)
    return heapq.nlargest(BY_MEANING, cosines, key=lambda id: (cosines[id], -id))


def _of_each_stripe(found: Sequence[int]) -> list[int]:
    """Return as many of each stripe as a scan of all takes, in their order; [] where one of them has too few."""
    each = -(-BY_MEANING // vectors.STRIPES)
    taken: dict[int, int] = {}
    best = []
    for id in found:
        stripe = id % vectors.STRIPES
        if taken.get(stripe, 0) < each:
            taken[stripe] = taken.get(stripe, 0) + 1
            best.append(id)
    return best if len(best) == each * vectors.STRIPES else []


def _scores(
    index: Index,
    query: Query,
    terms: Sequence[Term],
    meaning: Meaning | None,
    within: Within | None,
    *,
    sight: Within | None,
) -> tuple[dict[int, float], Links, Scores]:
    """Return the score of each passage that was found, 0 to 1; the neighbours and cosines of all that were looked at.

    What a reader may not see gives nothing to others.
    """
    vector, likest = meaning or (b"", [])
    found = {*ranking.candidates(terms, BY_WORDS), *likest}
    places = postings.places(index.db, ranking.around(found), sight=sight)
    to = ranking.links(places)
    keywords = ranking.keyword(terms, places, to)
    cosines = vectors.similarities(index.db, vector, list(places)) if vector else {}
    ids = set(keywords)
    if max(cosines.values(), default=0.0) >= LEAST_COSINE:
        ids |= cosines.keys()
    if within is not None:
        ids = {id for id in ids if id in within}
    places_of = {id: places[id] for id in ids}
    extras = ranking.boosts(places_of, words=query.words, day=query.day)
    lists = [ranking.scaled(keywords, least=0.0)] if terms or not vector else []
    if vector:
        lists.append(ranking.scaled(ranking.spread(cosines, to, ranking.OF_MEANING)))
    first, *others = ({id: scores.get(id, 0.0) + extras[id] for id in ids} for scores in lists)
    fused = ranking.FUSIONS[index.fusion](first, others[0], index.share) if others else first
    return _aged(fused, places_of, index.today), to, cosines


def _aged(scores: Scores, places: Mapping[int, Place], today: date) -> dict[int, float]:
    """Return the scores as the passages' ages leave them, 0 to 1. What has no day has no age."""
    ages = {place.date: _age_days(place.date, today) for place in places.values()}
    return {id: ranking.decayed(ranking.within_one(score), ages[places[id].date]) for id, score in scores.items()}


def _age_days(day: str | None, today: date) -> float:
    return (today - date.fromisoformat(day)).days if day else 0.0


def _by_expression(db: apsw.Connection, text: str, within: Within | None) -> dict[int, float]:
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


def _described(index: Index, ids: Sequence[int], scores: Scores, sure: Scores) -> list[Ranked]:
    rows: Any = index.db.execute(
        "SELECT p.id, f.path, p.line, p.end, p.file, p.section, p.heading, p.speaker, f.category, p.date,"
        " f.size, f.mtime_ns, f.inode, f.hash, f.first,"
        ' f.own, l.project, l.scope, l."group", l.kind, l.said'
        " FROM json_each(?) AS j JOIN passages AS p ON p.id = j.value JOIN files AS f ON f.id = p.file"
        " LEFT JOIN labelled AS l ON l.id = p.id",
        (orjson.dumps(ids).decode(),),
    )
    found = {row[0]: _ranked(index.who, row, scores[row[0]], sure.get(row[0])) for row in rows}
    return [found[id] for id in ids if id in found]


def _ranked(who: Audience | None, row: Sequence[Any], score: float, sure: float | None) -> Ranked:
    """Return a passage as it is told. What stands above a labelled one is its file's."""
    id, stored_path, *place = row[:10]
    path, own = from_stored(stored_path), from_stored(row[15]) if row[15] is not None else None
    said = NOTHING if row[16] is None else Said(Label(*row[16:19]), *row[19:21])
    name = visible.name(who, said, path, own)
    found = Ranked._make((id, path, *place, Seen._make(row[10:15]), score, said, name, sure))
    return found if visible.tells_headings(who, said, path, own) else found._replace(heading="", speaker="")
