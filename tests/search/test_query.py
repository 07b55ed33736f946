"""A text becomes words, never syntax."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.core.text.words import spaced
from koog.search.irregular import forms
from koog.search.query import LONGEST_WORD, MOST_WORDS, Day, literal, named_day, parse
from tests.conftest import examples


@pytest.fixture(scope="module")
def fts() -> apsw.Connection:
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='porter unicode61')")
    return db


def found(db: apsw.Connection, expression: str) -> int:
    return len(db.execute("SELECT rowid FROM notes WHERE notes MATCH ?", (expression,)).fetchall())


@settings(deadline=None, max_examples=examples(200))
@given(st.text())
@example('"*" OR ^(NEAR text : - + {a b} NOT')
@example("\x00 \ud800 '; DROP TABLE notes; -- \U0001f600")
@example("o'clock 東京の天気 ª² ﷺ İ")
def test_any_text_gives_words_that_fts5_takes_for_words(fts, text):
    for word in parse(text).words:
        assert found(fts, f"text : ({literal(word)})") == 0


@settings(deadline=None)
@given(st.text())
def test_a_literal_is_one_string_whatever_it_holds(fts, text):
    text = text.replace("\0", "")  # FTS5's expressions end there; no word has one

    assert found(fts, literal(text.encode("utf-8", "replace").decode())) == 0


@pytest.mark.parametrize(
    "text", ["Zürich", "naïve plan", "東京の天気は", "서울에서", "ไทย", "o'clock", "x86_64", "été"]
)
def test_the_words_of_a_text_find_it(text):
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='porter unicode61')")
    db.execute("INSERT INTO notes VALUES (?)", (spaced(f"before {text} behind"),))

    words = parse(text).words

    assert words
    assert all(found(db, literal(word)) == 1 for word in words)


def test_stopwords_and_the_words_of_questions_are_left_out():
    assert parse("When did Ana's sister go to the café, and who's she?").words == ("ana", "sister", "go", "café")


def test_a_query_of_stopwords_alone_keeps_them():
    assert parse("to be or not to be").words == ("to", "be", "or", "not")


@pytest.mark.parametrize("text", ["", " \n", "???", "\U0001f600", '"" * ^'])
def test_a_query_without_a_word_has_none(text):
    assert parse(text).words == ()


def test_a_megabyte_is_read_up_to_a_bound():
    words = parse(" ".join(f"word{n}" for n in range(100_000))).words

    assert len(words) == MOST_WORDS


def test_what_is_too_long_for_a_word_is_passed_over():
    assert parse("x" * (LONGEST_WORD + 1) + " y2").words == ("y2",)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("what did we decide on May 3, 2023?", Day(2023, 5, 3)),
        ("on the 3rd of May", Day(None, 5, 3)),
        ("notes of 12 Sept 2024", Day(2024, 9, 12)),
        ("in early March", Day(None, 3, None)),
        ("log of 2026-02-28", Day(2026, 2, 28)),
        ("log of 2026-02", Day(2026, 2, None)),
        ("it may rain in march", None),
        ("May I ask?", None),
        ("on May 45", None),
        ("version 2026-13", None),
        ("", None),
    ],
)
def test_a_day_or_month_is_understood_as_people_write_it(text, day):
    assert named_day(text) == day
    assert parse(text).day == day


def test_the_forms_of_a_word_are_those_of_each_other():
    for word in ("went", "children", "bought", "mother"):
        assert all(word in forms(other) for other in forms(word))
        assert forms(word)


def test_words_that_ask_count_in_no_language_and_an_english_word_is_not_taken_for_one():
    assert parse("Was hat der Kaminkehrer gekostet?").words == ("kaminkehrer", "gekostet")
    assert parse("¿Dónde está la llave del sótano?").words == ("llave", "sótano")
    assert parse("언니는 언제 집에 방문해?").words == ("언니는", "집에", "방문해")
    assert parse("电钻放在哪里了").words == ("电钻", "钻放")
    assert parse("When did his son lose the hat in the war?").words == ("son", "lose", "hat", "war")
