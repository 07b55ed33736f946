"""How a pattern's score moves: by feedback, by being seen again, by being contradicted.  [sinain §8.2]"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import measures
from koog.heartbeat import standing
from koog.heartbeat.sightings import Sighting
from koog.heartbeat.standing import Heard
from koog.playbook import item
from koog.playbook.item import Item

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
    assert measures.about(text, LINE.text) is about


@given(st.lists(st.floats(-1, 1), max_size=40), st.floats(0, 1))
def test_a_score_never_leaves_nought_to_one(scores, start):
    line = LINE.scored(start)

    assert 0 <= score(heard=[Heard(ABOUT, s) for s in scores], line=line) <= 1


NOTED = Item("Fixed the dying Metro by a larger limit", score=0.5, source="memory/2026-01-01.md:4")


def sighted(*days: str, holds: bool = True, text: str = NOTED.text) -> list[Sighting]:
    return [Sighting(text, f"memory/{day}.md:2", holds) for day in days]


@pytest.mark.parametrize(
    ("days", "after"),
    [
        (("2026-02-01",), 0.6),
        (("2026-02-01", "2026-02-01"), 0.6),  # twice on one day is once
        (("2026-02-01", "2026-02-02"), 0.7),
        (("2026-02-01", "2026-02-02", "2026-02-03"), 0.7),  # better than that only by outcomes
    ],
)
def test_each_day_it_is_noted_again_lifts_a_pattern_up_to_where_it_may_be_promoted(days, after):
    moved = standing.moved(NOTED, heard=[], seen_again=[], sighted=sighted(*days))

    assert (moved.score, moved.source) == (after, f"memory/{max(days)}.md:2")


def test_repetition_never_lowers_a_score_that_outcomes_earned():
    moved = standing.moved(replace(NOTED, score=0.9), heard=[], seen_again=[], sighted=sighted("2026-02-01"))

    assert moved.score == 0.9


def test_a_mined_reading_stays_routine_however_often_it_is_noted():
    routine = Item("The mailer took 43 ms on staging", score=0.4, source="memory/2026-01-01.md:4")
    days = [f"2026-02-0{n}" for n in range(1, 6)]

    assert standing.moved(routine, heard=[], seen_again=[], sighted=sighted(*days, text=routine.text)).score == 0.5


def test_a_note_that_it_failed_takes_two_tenths_once_and_leaves_the_source():
    moved = standing.moved(
        NOTED, heard=[], seen_again=[], contradicted=[NOTED.text], sighted=sighted("2026-02-01", holds=False)
    )

    assert (moved.score, moved.source) == (0.3, NOTED.source)


@pytest.mark.parametrize(("harsh", "after"), [(False, 0.4), (True, 0.3)])
def test_a_bad_output_weighs_double_where_most_fail(harsh, after):
    assert standing.moved(LINE, heard=[Heard(ABOUT, -0.5)], seen_again=[], harsh=harsh).score == after


@pytest.mark.parametrize(("days", "worth"), [(0, 0.5), (27, 0.5), (28, 0.45), (56, 0.4), (112, 0.3), (2000, 0.3)])
def test_a_line_weighs_less_for_each_four_weeks_since_it_was_noted(days, worth):
    today = date(2026, 1, 1) + timedelta(days=days)

    assert standing.worth(NOTED, today=today) == worth
    assert standing.worth(replace(NOTED, source=None), today=today) == 0.5


@pytest.mark.parametrize(
    ("found", "protected"),
    [
        (Item("Tea is out", score=0.6), True),
        (Item("Tea is out", score=0.59), False),
        (Item("Tea", score=0.0, error_prevention=True, source="memory/2026-01-01.md:1"), True),
        (Item("ENOSPC means the limit: raise it", score=0.0), True),  # a person's line
        (Item("ENOSPC means the limit: raise it", score=0.31, source="memory/2026-01-01.md:1"), True),
        (Item("ENOSPC means the limit: raise it", score=0.3, source="memory/2026-01-01.md:1"), False),
    ],
)
def test_a_guard_against_errors_is_kept_until_evidence_has_turned_against_a_mined_one(found, protected):
    assert standing.protected(found) is protected


def test_an_older_note_about_a_line_does_not_become_its_source():
    noted = replace(NOTED, source="memory/2026-02-24.md:4")

    older = standing.moved(noted, heard=[], seen_again=[], sighted=sighted("2026-02-01"))
    newer = standing.moved(noted, heard=[], seen_again=[], sighted=sighted("2026-02-26"))

    assert older.source == noted.source and "2026-02-26" in newer.source
