"""Vectors in a real database: what is near is found, what is gone is not, what failed is tried again."""

from __future__ import annotations

import math
import random
import sys
from array import array

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.errors import ConfigError, LLMUnavailable
from koog.search import vectors
from koog.search.embedder import quantised
from koog.search.embedding import folder
from tests.conftest import examples
from tests.fakes.model import vector

pytestmark = pytest.mark.skipif(folder("sqlite_vec") is None, reason="the extra `vectors` is not installed")
SIZE = 32


class Words:
    """An embedder whose texts are near when they share words. It refuses a text with the word `refused`."""

    batch = 4

    def __init__(self, id="words/1", size=SIZE):
        self.id, self.size = id, size
        self.seen, self.find = [], None

    def embed(self, texts, *, kind):
        if any("refused" in text.split() for text in texts):
            raise LLMUnavailable("no connection")
        self.seen += texts
        return [quantised(vector(text, self.size)) for text in texts]

    def tokens(self):
        return [("a", 7)]

    def near_words(self):
        return [("big", "large huge")]

    def look_up(self, find, *, within=None):
        self.find = find


def connection(path=":memory:", *, passages=0):
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE passages (id INTEGER PRIMARY KEY)")
    db.executemany("INSERT INTO passages VALUES (?)", ((n,) for n in range(1, passages + 1)))
    assert vectors.load(db)
    return db


@pytest.fixture
def db():
    with connection() as opened:
        yield opened


@pytest.fixture
def words(db):
    embedder = Words()
    vectors.prepare(db, embedder)
    return embedder


def ask(words, text):
    return words.embed([text], kind="query")[0]


def nearest(db, query, k):
    """Return (id, cosine) of the k likest passages, the likest first, as a search finds them."""
    found = vectors.similarities(db, query, vectors.scan(db, query, max(k, vectors.CANDIDATES)))
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:k]


# --- what is near


def test_the_passages_that_share_most_words_are_nearest(db, words):
    vectors.add(db, words, [(1, "boat harbour sea"), (2, "tax form office"), (3, "sea boat"), (4, "form")])

    found = nearest(db, ask(words, "sea boat"), 2)

    assert [id for id, _ in found] == [3, 1]
    assert found[0][1] == pytest.approx(1)


def test_among_many_vectors_the_nearest_are_found_by_their_signs(db, words):
    draw = random.Random(7)
    near = [draw.uniform(-1, 1) for _ in range(SIZE)]
    count = vectors.EXACT_TO + 100
    many = [[draw.uniform(-1, 1) for _ in range(SIZE)] for _ in range(count)]
    for place in range(0, 50 * 71, 71):
        many[place] = [value + draw.uniform(-0.2, 0.2) for value in near]
    vectors._store(db, range(1, count + 1), [quantised(values) for values in many])

    found = nearest(db, quantised(near), 50)

    assert {id for id, _ in found} == {place + 1 for place in range(0, 50 * 71, 71)}
    assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
    assert len(vectors.scan(db, quantised(near), 10)) == 10


def test_among_many_vectors_the_likest_come_in_the_order_of_their_cosines(db, words):
    draw = random.Random(8)
    near = [draw.uniform(-1, 1) for _ in range(SIZE)]
    many = [
        [value + draw.uniform(-2, 2) * (1 + at % 400) / 400 for value in near]
        for at in range(1, vectors.EXACT_TO + 100)
    ]
    vectors._store(db, range(1, len(many) + 1), [quantised(values) for values in many])
    exact = vectors.similarities(db, quantised(near), vectors.ids(db))

    found = vectors.scan(db, quantised(near), 20)

    assert found == sorted(found, key=lambda id: (-exact[id], id))
    assert len(set(found) & set(sorted(exact, key=exact.__getitem__)[-20:])) >= 18


@given(st.lists(st.lists(st.floats(-10, 10, width=32), min_size=8, max_size=8), min_size=2, max_size=6))
@settings(max_examples=examples(40), deadline=None)
def test_a_similarity_is_the_cosine_of_the_stored_bytes(rows):
    stored = [quantised(row) for row in rows]
    with connection() as db:
        vectors.prepare(db, Words(size=8))
        vectors._store(db, range(1, len(rows) + 1), stored)

        found = vectors.similarities(db, stored[0], range(1, len(rows) + 1))

    for place, other in enumerate(stored, 1):
        a, b = array("b", stored[0]), array("b", other)
        lengths = math.hypot(*a) * math.hypot(*b)
        expected = sum(map(int.__mul__, a, b)) / lengths if lengths else 0.0
        assert found[place] == pytest.approx(expected, abs=1e-5)


def test_only_passages_with_a_vector_have_a_similarity(db, words):
    vectors.add(db, words, [(1, "sea"), (3, "form")])

    assert set(vectors.similarities(db, ask(words, "sea"), [1, 2, 3, 99])) == {1, 3}


def test_a_database_without_vectors_finds_nothing(db):
    query = quantised([1.0] * SIZE)

    assert nearest(db, query, 5) == []
    assert vectors.similarities(db, query, [1]) == {}
    assert vectors.scan(db, query) == []


# --- changes


def test_a_removed_passage_is_not_found(db, words):
    vectors.add(db, words, [(1, "sea"), (2, "sea boat")])

    vectors.remove(db, [2])

    assert [id for id, _ in nearest(db, ask(words, "sea boat"), 5)] == [1]
    assert vectors.scan(db, ask(words, "sea boat")) == [1]


def test_a_passage_whose_number_is_used_again_has_its_new_vector_only(db, words):
    vectors.add(db, words, [(1, "sea"), (2, "form")])

    vectors.add(db, words, [(1, "tax")])

    found = vectors.similarities(db, ask(words, "tax"), [1, 2])
    assert found[1] == pytest.approx(1)
    assert db.execute("SELECT count(*) FROM passages_vec").get == 2


def test_a_removal_without_sqlite_vec_leaves_an_index_that_finds_the_rest(tmp_path):
    words = Words()
    with connection(tmp_path / "index.db") as db:
        vectors.prepare(db, words)
        vectors.add(db, words, [(1, "sea"), (2, "sea boat"), (3, "form")])

    with apsw.Connection(str(tmp_path / "index.db")) as plain:
        vectors.remove(plain, [2])
        vectors.postpone(plain, [2, 4])
        assert vectors.scan(plain, ask(words, "sea")) == []

    with apsw.Connection(str(tmp_path / "index.db")) as db:
        vectors.load(db)
        assert [id for id, _ in nearest(db, ask(words, "sea boat"), 5)] == [1, 3]
        assert vectors.pending(db) == [2, 4]
        vectors.add(db, words, [(2, "tax"), (4, "office")])
        assert nearest(db, ask(words, "tax"), 1) == [(2, pytest.approx(1))]


def test_where_vectors_were_never_kept_nothing_is_noted():
    with apsw.Connection(":memory:") as plain:
        vectors.postpone(plain, [1])
        vectors.remove(plain, [1])

        assert plain.execute("SELECT count(*) FROM sqlite_master").get == 0


def test_an_undone_transaction_leaves_no_vector(db, words):
    with pytest.raises(ZeroDivisionError), db:
        vectors.add(db, words, [(1, "sea")])
        1 / 0  # noqa: B018  what a kill would do

    assert nearest(db, ask(words, "sea"), 5) == []


# --- the model


def test_a_new_model_makes_every_passage_pending_and_an_old_one_none():
    with connection(passages=3) as db:
        assert vectors.prepare(db, Words("words/1")) is True
        assert vectors.pending(db) == [1, 2, 3]

        assert vectors.add(db, Words("words/1"), [(1, "sea"), (2, "boat"), (3, "tax")]) is None
        assert vectors.prepare(db, Words("words/1")) is False
        assert vectors.pending(db) == []

        assert vectors.prepare(db, Words("words/2", size=16)) is True
        assert vectors.pending(db) == [1, 2, 3]
        assert vectors.scan(db, quantised([1.0] * 16)) == []
        assert vectors.add(db, Words("words/2", size=16), [(1, "sea")]) is None


def test_a_reader_learns_whether_the_vectors_are_of_its_model(tmp_path):
    place = tmp_path / "index.db"
    with connection(place, passages=1) as db:
        assert vectors.attach(db, Words()) is False
        vectors.prepare(db, Words())
        vectors.add(db, Words(), [(1, "sea")])
    before = place.read_bytes()

    with apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READONLY) as db:
        assert vectors.attach(db, Words()) is True
        assert vectors.attach(db, Words("words/2")) is False

    assert place.read_bytes() == before


def test_vectors_of_another_length_are_refused_in_words(db, words):
    vectors.add(db, words, [(1, "sea")])

    told = vectors.add(db, Words(size=16), [(2, "boat")])

    assert "gives 16 numbers a text, and the index holds vectors of 32" in str(told)
    assert vectors.pending(db) == [2]
    for look in (lambda: vectors.scan(db, bytes(16)), lambda: vectors.similarities(db, bytes(16), [1])):
        with pytest.raises(ConfigError, match="numbers a text"):
            look()


def test_a_failing_model_keeps_what_it_gave_and_the_rest_is_pending(db, words):
    rows = [(n, f"text {n}") for n in range(1, 7)] + [(7, "refused"), *((n, "later") for n in range(8, 12))]

    told = vectors.add(db, words, iter(rows))

    assert told == "no connection"
    assert vectors.pending(db) == [5, 6, 7, 8, 9, 10, 11]
    assert set(vectors.similarities(db, ask(words, "text"), range(1, 12))) == {1, 2, 3, 4}

    assert vectors.add(db, words, [(n, "now") for n in vectors.pending(db)]) is None
    assert vectors.pending(db) == []


def test_a_small_index_is_not_furnished_with_the_models_tables(db, words):
    vectors.add(db, words, [(n, "sea") for n in range(vectors.FURNISHED_FROM - 1)])

    assert vectors.attach(db, words) is True

    assert db.execute("SELECT count(*) FROM near").get == 0
    assert words.find is None


def test_a_larger_index_holds_the_models_tables_until_the_model_changes(db, words):
    vectors.add(db, words, [(n, "sea") for n in range(vectors.FURNISHED_FROM)])

    assert vectors.attach(db, words) is True

    assert db.execute("SELECT * FROM near").fetchall() == [("big", "large huge")]
    assert (words.find("a"), words.find("b")) == (7, None)

    vectors.prepare(db, Words("words/2"))

    assert db.execute("SELECT (SELECT count(*) FROM near) + (SELECT count(*) FROM tokens)").get == 0


def test_a_connection_where_the_library_is_missing_is_told_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)  # what Python itself notes for a package that is not there

    assert vectors.load(apsw.Connection(":memory:")) is False


def test_a_library_for_another_machine_is_none(monkeypatch, tmp_path):
    package = tmp_path / "sqlite_vec"
    package.mkdir()
    (package / "__init__.py").touch()
    for ending in (".so", ".dylib", ".dll"):
        (package / f"vec0{ending}").write_bytes(b"not a library")
    monkeypatch.syspath_prepend(tmp_path)
    db = apsw.Connection(":memory:")

    assert vectors.load(db) is False

    with pytest.raises(apsw.ExtensionLoadingError, match="not authorized"):
        db.load_extension("anything")
