"""Words are split the same way in the index and in a query."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from koog.search.words import indexed, spaced


def test_letters_of_scripts_without_blanks_are_words():
    assert spaced("東京タワー").split() == list("東京タワー")
    assert spaced("한국어 words").split() == ["한국어", "words"]


def test_comments_are_not_indexed_also_over_lines_and_unclosed():
    assert indexed("a <!-- one\ntwo --> b <!-- c").split() == ["a", "b"]


@given(st.text())
def test_nothing_but_blanks_is_added(text):
    assert spaced(text).replace(" ", "") == text.replace(" ", "")
