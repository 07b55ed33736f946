"""What the index has of a query's words: posting lists and places, read from the database.  [autopoiesis §7.2]

    terms       words → who has them, and what may stand in their place
    having      words → how many have them
    places      passages → where they stand
    allowed     a category, a day, a reader → whose turn it is at all

FTS5's own bm25() is not asked: at 100,000 passages it takes 5 to 12 ms for five words, because it reads the length
of each passage that matches. The lists alone take 1 to 3, and neighbours are found with them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson

from koog.core.text.measures import stem
from koog.search import akin, irregular
from koog.search.query import literal
from koog.search.ranking import Place, Term, weight
from koog.search.visible import Within

if TYPE_CHECKING:
    import apsw

MOST_TERMS = 32  # of a long text: the rarest
MOST_ROWS = 5000  # of a list; a word in more passages tells little, and its list takes long to read
OTHER_FORM, NEAR = 0.8, 0.35  # of a match: "went" for "go" and "Haustür" for "Türen", "cottage" for "cabin"
NEAR_WORDS = 4  # that stand for one word
ENOUGH = 1000  # passages that have the word itself: then no others are needed in its place
KNOWN = "SELECT coalesce(group_concat(word, char(10)), '') FROM words"
TEXT, HEADINGS = "text", "head"  # columns of passages_fts
CHOSEN = "SELECT value FROM json_each(?1)"  # categories
SIZES = f"SELECT sum(passages * (category IN ({CHOSEN}))), sum(passages * (category NOT IN ({CHOSEN}))) FROM files"  # noqa: S608  constants


def total(db: apsw.Connection) -> int:
    """Return about how many passages there are: the highest number of one, which is found at once."""
    return int(db.execute("SELECT max(id) FROM passages").get or 0)


def terms(db: apsw.Connection, words: Sequence[str], *, near: bool = False, within: Within | None = None) -> list[Term]:
    """Return the terms of a query.

    near     whether words of a like meaning match, too, where the index has a table of them
    within   the passages that count, None for all
    """
    among = total(db) if within is None else len(within)
    if len(words) > MOST_TERMS:
        words = _rarest(db, words, within)
    near = near and db.table_exists(None, "near")
    known = cache(lambda: str(db.execute(KNOWN).get))  # a hundred kilobytes, for a word that is found nowhere
    found = [_term(db, word, among, known, near=near, within=within) for word in words]
    telling = [term for term in found if term.matches < MOST_ROWS]
    return telling if any(term.matches for term in telling) else found


def having(db: apsw.Connection, words: Sequence[str]) -> dict[str, int]:
    """Return how many passages have each word, as `terms` counts them for all, without those that it leaves out."""
    if len(words) > MOST_TERMS:
        words = _rarest(db, words, None)
    counted = "SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?)"
    found = {word: int(db.execute(counted, (literal(word), MOST_ROWS)).get) for word in words}
    telling = {word: many for word, many in found.items() if many < MOST_ROWS}
    if any(telling.values()):
        return telling
    return {word: len({*_having(db, TEXT, (word,), None), *_having(db, HEADINGS, (word,), None)}) for word in words}


def places(db: apsw.Connection, ids: Iterable[int], *, sight: Within | None = None) -> dict[int, Place]:
    """Return where passages stand; numbers of none, and of what a reader may not see, are left out."""
    ids = ids if sight is None else (id for id in ids if id in sight)
    wanted = "SELECT value FROM json_each(?)"
    sql = f"SELECT id, file, section, speaker, date, words, asks FROM passages WHERE id IN ({wanted})"  # noqa: S608  a constant
    rows: Any = db.execute(sql, (orjson.dumps(list(ids)).decode(),))
    return {row[0]: Place._make(row[1:]) for row in rows}


def allowed(
    db: apsw.Connection, *, categories: Collection[str], since: str | None, sight: Within | None = None
) -> Within | None:
    """Return the passages of some categories, of a day or later, that a reader may see; None for all."""
    found: set[int] | None = None
    if categories:
        chosen = orjson.dumps(list(categories)).decode()
        many, others = next(db.execute(SIZES, (chosen,)))
        if not since and (others or 0) < (many or 0):  # those that do not count are fewer
            gone = frozenset(_of_files(db, chosen, "NOT IN"))
            return sight.without(gone) if sight is not None else Within(None, gone, total(db))
        found = set(_of_files(db, chosen, "IN"))
    if since:
        rows: Any = db.execute("SELECT id FROM passages WHERE date >= ?", (since,))
        later = {id for (id,) in rows}
        found = later if found is None else found & later
    if sight is not None:
        return sight.among(found)
    return None if found is None else Within(frozenset(found), frozenset(), total(db))


def _of_files(db: apsw.Connection, categories: str, among: str) -> Iterator[int]:
    """Yield the passages of files of some categories, a JSON list, or of all others. among: IN, or NOT IN"""
    ranges: Any = db.execute(f"SELECT first, passages FROM files WHERE category {among} ({CHOSEN})", (categories,))  # noqa: S608  constants
    return (id for first, many in ranges for id in range(first, first + many))


def _term(
    db: apsw.Connection, word: str, among: int, known: Callable[[], str], *, near: bool, within: Within | None
) -> Term:
    own = _having(db, TEXT, (word,), within)
    headings = _having(db, HEADINGS, (word,), within)
    postings = [(1.0, own)]
    if forms := irregular.forms(word):
        postings.append((OTHER_FORM, _having(db, TEXT, forms, within)))
    if (not own or akin.is_bound(word)) and akin.may_be(word) and (others := akin.akin(word, known())):
        postings.append((OTHER_FORM, _having(db, TEXT, others, within)))
    if near and len(own) < ENOUGH and (others := _near(db, word)):
        postings.append((NEAR, _having(db, TEXT, others, within)))
    matches = len({*own, *headings}) if headings else len(own)
    return Term(word, weight(among, matches), matches, tuple(postings), headings)


def _having(db: apsw.Connection, column: str, words: Sequence[str], within: Within | None) -> Collection[int]:
    """Return the passages that have one of the words in a column: the last MOST_ROWS, or all of those that count."""
    return _matching(db, f"{column} : ({' OR '.join(map(literal, words))})", within)


def _matching(db: apsw.Connection, wanted: str, within: Within | None) -> Collection[int]:
    rows = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rowid DESC LIMIT ?"
    most = MOST_ROWS if within is None else -1 if within.only is not None else MOST_ROWS + len(within.but)
    ids = orjson.loads(db.execute(f"SELECT json_group_array(rowid) FROM ({rows})", (wanted, most)).get)  # noqa: S608  a constant
    if within is None:
        return ids  # type: ignore[no-any-return]
    found = [id for id in ids if id in within]
    return found if within.only is not None else found[:MOST_ROWS]


def _near(db: apsw.Connection, word: str) -> list[str]:
    """Return words of a like meaning. Those with its own stem are found by it anyway."""
    others = str(db.execute("SELECT others FROM near WHERE word = ?", (word,)).get or "").split()
    return [other for other in others if stem(other) != stem(word)][:NEAR_WORDS]


def _rarest(db: apsw.Connection, words: Sequence[str], within: Within | None) -> list[str]:
    """Return the words that fewest passages have, in the order of the text; those that none has go first."""
    counted: dict[str, int] = {}
    for word in words:
        many = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
        has = literal(word)
        counted[word] = int(db.execute(many, (has,)).get) if within is None else len(_matching(db, has, within))
    chosen = set(sorted((word for word in words if counted[word]), key=counted.__getitem__)[:MOST_TERMS])
    return [word for word in words if word in chosen]
