"""What the index has of a query's words, where there are many of them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import pytest

from koog.search import database, postings
from koog.search.postings import MOST_ROWS, MOST_TERMS
from koog.search.visible import Within


@pytest.fixture
def db() -> apsw.Connection:
    made = apsw.Connection(":memory:")
    made.execute(database.SCHEMA.read_text("utf-8"))
    return made


def fill(db: apsw.Connection, texts: Sequence[str]) -> None:
    rows = list(enumerate(texts, 1))
    db.executemany("INSERT INTO passages VALUES (?, 1, ?, ?, 0, '', '', NULL, 1, 0)", [(id, id, id) for id, _ in rows])
    db.executemany("INSERT INTO passages_fts(rowid, text, head) VALUES (?, ?, 'Notes')", rows)


def test_a_word_of_very_many_passages_is_left_out_beside_a_telling_one(db):
    fill(db, ["boiler"] * MOST_ROWS + ["boiler valve"])

    assert [term.word for term in postings.terms(db, ("boiler", "valve"))] == ["valve"]


def test_a_word_of_very_many_passages_is_looked_for_where_it_is_all_there_is(db):
    fill(db, ["boiler"] * (MOST_ROWS + 10))

    (term,) = postings.terms(db, ("boiler",))

    assert max(term.postings[0][1]) == MOST_ROWS + 10
    assert len(term.postings[0][1]) == MOST_ROWS


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["boiler"] * MOST_ROWS + ["boiler valve"], ("boiler", "valve")),
        (["boiler"] * (MOST_ROWS + 10), ("boiler", "notes")),
        (["a valve", "notes of a boiler"], ("boiler", "notes", "tap", "what's")),
        ([" ".join(f"w{n}" for n in range(2 * MOST_TERMS))], tuple(f"w{n}" for n in range(2 * MOST_TERMS))),
        ([], ("boiler",)),
    ],
)
def test_words_are_counted_as_terms_are(db, texts, words):
    fill(db, texts)

    assert postings.having(db, words) == {term.word: term.matches for term in postings.terms(db, words)}


def test_a_narrow_search_finds_a_word_that_is_very_common_elsewhere(db):
    fill(db, ["boiler"] * (MOST_ROWS + 10))

    (term,) = postings.terms(db, ("boiler",), within=Within(frozenset({1, 2}), frozenset(), MOST_ROWS))

    assert sorted(term.postings[0][1]) == [1, 2]


def test_of_a_long_text_the_rarest_words_are_looked_for(db):
    words = tuple(f"w{n}" for n in range(2 * MOST_TERMS))
    fill(db, [" ".join(words[:MOST_TERMS])] * 3 + [" ".join(words[MOST_TERMS:])])

    assert [term.word for term in postings.terms(db, words)] == list(words[MOST_TERMS:])


def test_other_forms_of_a_word_and_words_near_to_it_count_less(db):
    fill(db, ["she went home", "a cabin", "a cottage"])
    db.execute("CREATE TABLE near (word TEXT PRIMARY KEY, others TEXT NOT NULL) WITHOUT ROWID")
    db.execute("INSERT INTO near VALUES ('cabin', 'cabins cottage')")

    go, cabin = postings.terms(db, ("go", "cabin"), near=True)
    (alone,) = postings.terms(db, ("cabin",))

    assert go.postings[1] == (postings.OTHER_FORM, [1])
    assert cabin.postings == ((1.0, [2]), (postings.NEAR, [3]))
    assert alone.postings == ((1.0, [2]),)
