"""The text measures that rules share (similarity.py)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.text.measures import cosine, document_frequency, jaccard, overlap, stem, stems

TEXTS = st.lists(st.sampled_from("metro cache clear bundler the is restart caches Metro ü 日本 1.5 a".split())).map(
    " ".join
)


@pytest.mark.parametrize("measure", [overlap, jaccard, cosine])
@given(a=TEXTS, b=TEXTS)
def test_a_measure_is_symmetric_and_between_nothing_and_one(measure, a, b):
    value = measure(a, b)

    assert 0.0 <= value <= 1.0
    assert measure(b, a) == pytest.approx(value)
    if stems(a):
        assert measure(a, a) == pytest.approx(1.0)
    assert (value > 0) is bool(set(stems(a)) & set(stems(b)))


@given(a=TEXTS, b=TEXTS)
def test_jaccard_is_the_stricter_of_the_two(a, b):
    assert jaccard(a, b) <= overlap(a, b) + 1e-9


@pytest.mark.parametrize("measure", [overlap, jaccard, cosine])
@pytest.mark.parametrize(("a", "b"), [("", ""), ("", "metro"), ("the is of", "the is of"), ("metro", "gradle")])
def test_texts_without_a_common_content_word_are_not_alike(measure, a, b):
    assert measure(a, b) == 0.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("clearing", "cleared"),
        ("caches", "cache"),
        ("entries", "entry"),
        ("planned", "planning"),
        ("patches", "patch"),
        ("Metro's", "metro"),
        ("Mika’s", "mika's"),
        ("configurations", "configured"),
    ],
)
def test_words_of_one_family_meet(a, b):
    assert stems(a) == stems(b)


@pytest.mark.parametrize("word", ["css", "status", "this", "is", "ed", "red", "bus", "C++", "c#", "1.5", "日本語"])
def test_a_word_that_only_looks_inflected_keeps_its_end(word):
    assert stem(word) == word.lower()


def test_names_with_points_slashes_and_signs_are_one_word():
    assert stems("pnpm-lock.yaml in src/app.ts, C++ and node.js") == ["pnpm-lock.yaml", "src/app.t", "c++", "node.j"]


@given(st.text())
@example("ß İ ŉ")
def test_any_text_has_stems_without_blanks_or_capitals(text):
    assert all(s and s == s.lower() and not s.isspace() for s in stems(text))


def test_rare_words_weigh_more_when_the_collection_is_known():
    texts = ["metro cache", "metro port", "metro log", "gradle cache"]
    frequency = document_frequency(texts)

    assert frequency["metro"] == 3
    rare = cosine("metro port", "gradle port", frequency=frequency, documents=4)
    common = cosine("metro port", "metro log", frequency=frequency, documents=4)
    assert rare > common
