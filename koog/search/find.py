"""A search, from the files as they are to the hits.  [autopoiesis §7; issue 5]

    opened    the index to ask, brought up to date where that can be
    find      a query → hits with their text

Without an index that can be asked or made, the files themselves are searched (search/fallback.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import Busy, UsageError, WorkspaceError
from koog.core.named import NamedTuple
from koog.core.text.untrusted import clean
from koog.search import embedding, replaced, retrieval, sources
from koog.search.hits import Hit, hits, marked, merged
from koog.search.query import parse
from koog.search.ranking import confidence
from koog.search.retrieval import Index, Mode, Ranking
from koog.sessions import audience

if TYPE_CHECKING:
    import apsw

    from koog.core.run import Run
    from koog.search.embedder import Embedder
    from koog.search.fallback import Match
    from koog.search.indexing import Refreshed
    from koog.search.sources import Scan

LIMIT = 10
WAIT_S = 0.5  # for another indexer: then the index answers as it is
DEPTH, LEAST_DEPTH = 6, 200  # passages that are ranked, for each hit and in all: some join others
INDEX = "index"


class State(NamedTuple):
    """How the index stands to the files.

    stale       whether it says other than they do, and `reason` why it was not refreshed
    refreshed   what was done, None when nothing could be
    scan        the look at the files by which that is known
    """

    stale: bool = False
    reason: str | None = None
    refreshed: Refreshed | None = None
    scan: Scan | None = None


class Found(NamedTuple):
    """The answer to a query.

    mode       what was used: keyword where a hybrid search had no vectors
    total      how many hits there are in all: `hits` are those from the offset on
    engine     index, or what searched the files without one: ripgrep, scan; `no_index` says why
    model      whose vectors were used, None without; `without` is why none were, or not all, None when all is well
    """

    mode: Mode
    hits: list[Hit]
    total: int
    state: State
    engine: str = INDEX
    no_index: str | None = None
    model: str | None = None
    without: str | None = None


class NoIndex(Exception):
    """There is none that could be asked, and none could be made.

    is_spoilt   there was one: the next call makes it anew
    """

    def __init__(self, why: str, *, is_spoilt: bool = False) -> None:
        super().__init__(why)
        self.why, self.is_spoilt = why, is_spoilt


def find(
    run: Run,
    query: str,
    *,
    limit: int = LIMIT,
    offset: int = 0,
    mode: Mode = "hybrid",
    category: str | None = None,
    since: str | None = None,
    raw: bool = False,
) -> Found:
    """Return the places that answer a query best, of those that the run's reader may see.

    offset  how many hits are passed over
    since   ISO day: what is older, or of no day, is left out
    raw     the query is an FTS5 expression

    Raises what `retrieval.rank` raises; UsageError for a query without any text; WorkspaceError for what cannot be
    done without an index.
    """
    if not query.strip():
        raise UsageError("the query is empty", hint="koog search 'a question, or some words'")

    def ask() -> Found:
        with opened(run) as (index, state):
            ranking = retrieval.rank(
                index,
                query,
                limit=max(LEAST_DEPTH, DEPTH * limit),
                mode=mode,
                category=category,
                since=since,
                raw=raw,
            )
        return _shown(run, index, state, ranking, limit=limit, offset=offset)

    try:
        found = _twice(ask)
    except NoIndex as e:
        if raw or mode == "vector":
            raise WorkspaceError(f"no index to search: {e.why}", hint="without --raw and --mode vector") from None
        return _in_files(run, query, limit=limit, offset=offset, category=category, since=since, why=e.why)
    return found


def _twice(ask: Callable[[], Found]) -> Found:
    """Ask, and once more where a refresh mends it: pages are spoilt, or a file has changed while it was searched."""
    try:
        found = ask()
    except NoIndex as e:
        if not e.is_spoilt:
            raise
        return ask()
    return ask() if found.state.stale and found.state.refreshed else found


def _shown(run: Run, index: Index, state: State, ranking: Ranking, *, limit: int, offset: int) -> Found:
    """Return what is shown of a ranking. A hit whose file has changed since is left out: its lines say other things."""
    every = merged(ranking.passages)
    groups = every[offset : offset + limit]
    found = hits(sources.of(run), groups, who=audience.current(run))
    is_stale = len(found) < len(groups)
    found = replaced.told(run, without_forgotten(run, found))
    if is_stale:
        state = state._replace(stale=True, reason=state.reason or "files have changed since they were indexed")
    used = index.embedder if ranking.mode != "keyword" else None
    made = state.refreshed.vectors if state.refreshed else None
    without = ranking.without or (made.reason if made and used else None)
    return Found(ranking.mode, found, len(every), state, model=used.id if used else None, without=without or None)


@contextmanager
def opened(run: Run) -> Iterator[tuple[Index, State]]:
    """Open the index for questions, brought up to date where that can be. Raises NoIndex, and ConfigError."""
    embedder, without = embedding.choose(run.settings, lambda: run.asker, rests=True)
    try:
        db, state = _current(run, embedder)
    except ImportError as e:  # apsw is compiled: some machine may be without it
        raise NoIndex(f"{e.name} is not installed") from None
    from koog.search import database

    place = run.workspace.database(database.NAME)
    try:
        with database.failures(place):
            without = without or _unusable(db, embedder)
            yield (
                Index(
                    db,
                    embedder=None if without else embedder,
                    without=without,
                    fusion=run.settings.get("search.fusion"),
                    share=run.settings.get("search.vectorWeight"),
                    today=run.now.date(),
                    who=audience.current(run),
                    roots=sources.of(run),
                ),
                state,
            )
    except database.Unusable as e:  # pages that a refresh does not read
        if not run.dry_run:
            database.discard(place)
        raise NoIndex(f"the index is {e.reason}", is_spoilt=not run.dry_run) from None
    finally:
        db.close()


def _current(run: Run, embedder: Embedder | None) -> tuple[apsw.Connection, State]:
    """Return the index, after what could be done for it. Raises NoIndex and ImportError."""
    from koog.search import changes, database, indexing

    try:
        place, roots = run.workspace.database(database.NAME), sources.of(run)
    except WorkspaceError as e:  # a link or a folder in its place: a search answers all the same
        raise NoIndex(e.message) from None
    refreshed, reason = None, "a dry run writes no index"
    if not run.dry_run:
        try:
            refreshed = indexing.update(place, roots, wait_s=WAIT_S, embedder=embedder)
        except (Busy, WorkspaceError) as e:
            reason = e.message
        except database.Unusable as e:  # a new one, just made: the disk or the memory is at fault
            reason = f"the index is {e.reason}"
    try:
        db = database.reader(place)
        with database.failures(place):
            scan = refreshed.scan if refreshed and refreshed.scan else sources.scan(roots)
            stale = refreshed is None and changes.compare(db, scan).is_stale
    except (database.Unusable, Busy, WorkspaceError):
        raise NoIndex(reason) from None
    return db, State(stale, reason if stale else None, refreshed, scan)


def _unusable(db: apsw.Connection, embedder: Embedder | None) -> str:
    """Return why the index's vectors cannot be compared with the embedder's, "" when they can."""
    from koog.search import vectors

    if embedder is None or not vectors.load(db):
        return "sqlite-vec cannot be loaded here"
    return "" if vectors.attach(db, embedder) else "the index has no vectors of this model"


def _in_files(
    run: Run, query: str, *, limit: int, offset: int, category: str | None, since: str | None, why: str
) -> Found:
    from koog.search import fallback

    who = audience.current(run)
    best, total, engine = fallback.scan(
        sources.of(run), parse(query).words, limit=offset + limit, category=category, since=since, who=who
    )
    found = [
        Hit(
            path=match.path,
            line=match.line,
            lines=(match.line, match.end),
            matches=(match.line,),
            heading=clean(match.heading),
            category=match.category,
            date=match.date,
            score=match.score,
            text=_shown_text(match),
            project=who.project_of(match.said.label, match.path),
            scope=match.said.label.scope,
            name=match.name,
            trust=match.trust,
            confidence=confidence(match.score, None),
        )
        for match in best[offset:]
    ]
    found = replaced.told(run, without_forgotten(run, found))
    return Found("keyword", found, total, State(), engine, no_index=why, without="there is no index")


def without_forgotten(run: Run, found: list[Hit]) -> list[Hit]:
    """Return hits without the words of what was forgotten, wherever they stand; without those that say little else."""
    gone = forgotten.of(run.workspace)
    if not gone.stones or run.searched is not None:
        return found
    told = [hit._replace(text=gone.shown(hit.text).strip(), heading=gone.shown(hit.heading)) for hit in found]
    return [hit for hit in told if hit.text]


def _shown_text(match: Match) -> str:
    text = clean(match.text).strip()
    return marked(text, match.name, {text.count("\n")}) if match.name else text
