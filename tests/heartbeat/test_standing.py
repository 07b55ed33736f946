"""How a pattern's score moves: by feedback, by being seen again, by being contradicted.  [sinain §8.2]"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.heartbeat import standing
from koog.heartbeat.standing import Heard
from koog.playbook import item

LINE = item.parse("- Clear the Metro cache after a rename (score: 0.5)")
ABOUT = "Clear the Metro cache now"
ELSEWHERE = "Send the invoice to the client on Friday"


def score(*, heard=(), seen_again=(), contradicted=(), line=LINE):
    return standing.moved(line, heard=heard, seen_again=seen_again, contradicted=contradicted).score


@pytest.mark.parametrize(
    ("given_score", "after"), [(0.21, 0.6), (0.2, 0.5), (0.0, 0.5), (-0.1, 0.5), (-0.11, 0.4), (1.0, 0.6), (-1.0, 0.4)]
)
def test_an_output_about_a_pattern_moves_it_by_a_tenth(given_score, after):
    assert score(heard=[Heard(ABOUT, given_score)]) == after


def test_an_output_about_something_else_moves_nothing():
    assert standing.moved(LINE, heard=[Heard(ELSEWHERE, 1.0)], seen_again=[ELSEWHERE]) is LINE


def test_two_good_and_one_bad_output_move_it_by_one_step():
    assert score(heard=[Heard(ABOUT, 0.5), Heard(ABOUT, 0.9), Heard(ABOUT, -0.5)]) == 0.6


def test_a_new_sighting_moves_it_up():
    assert score(seen_again=["The Metro cache had to be cleared after a rename"]) == 0.6


def test_a_contradiction_moves_it_down_by_two_steps_however_often_it_is_quoted():
    assert score(contradicted=[LINE.text, LINE.text]) == 0.3


def test_a_line_without_a_score_starts_at_a_half():
    assert score(heard=[Heard(ABOUT, 0.5)], line=item.parse(f"- {LINE.text}")) == 0.6


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Metro cache", False),  # two words in common are a coincidence
        ("Clear the Metro cache", True),
        ("Clear the Metro cache, then look at alpha bravo charlie delta", True),
        ("Metro, cache and rename appear in alpha bravo charlie delta echo foxtrot golf", True),  # 3 of the line's 4
    ],
)
def test_a_text_is_about_a_pattern_when_it_shares_half_of_the_shorter_and_three_words(text, about):
    assert standing.about(text, LINE.text) is about


@given(st.lists(st.floats(-1, 1), max_size=40), st.floats(0, 1))
def test_a_score_never_leaves_nought_to_one(scores, start):
    line = LINE.scored(start)

    assert 0 <= score(heard=[Heard(ABOUT, s) for s in scores], line=line) <= 1
