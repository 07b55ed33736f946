"""Words are split the same way in the index and in a query; measures get words of every script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text.measures import overlap, stems
from koog.core.text.words import indexed, spaced, tokens


def test_letters_of_scripts_without_blanks_are_words():
    assert spaced("東京タワー").split() == list("東京タワー")
    assert spaced("한국어 words").split() == ["한국어", "words"]


def test_comments_are_not_indexed_also_over_lines_and_unclosed():
    assert indexed("a <!-- one\ntwo --> b <!-- c").split() == ["a", "b"]


@given(st.text())
def test_nothing_but_blanks_is_added(text):
    assert spaced(text).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("每周五发布新版本", "新版本每周五发布", True),
        ("毎週金曜日にデプロイする", "デプロイは毎週金曜日", True),
        ("서버를 금요일에 배포", "금요일은 서버가 배포", True),
        ("使用Postgres", "我们使用Postgres。", True),
        ("每周五发布新版本", "我喜欢喝绿茶", False),
        ("毎週金曜日にデプロイ", "緑茶が好きです", False),
    ],
)
def test_lines_without_blanks_can_be_compared(a, b, same):
    assert (overlap(a, b) >= 0.6) == same


def test_stems_of_scripts_without_blanks_are_pairs():
    assert {"数据", "postgr"} <= {stem.removesuffix("es") for stem in stems("我们用Postgres存数据")}


@given(st.text())
def test_tokens_are_parts_of_the_text_and_ascii_stays(text):
    assert all(token in text for token in tokens(text))
