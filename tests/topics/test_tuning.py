"""What the log says: counts by topic, and the changes that it speaks for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.topics import tuning
from koog.topics.decisions import Decision
from koog.topics.tuning import Counts, Rule

NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
JUDGED = st.lists(st.tuples(st.sampled_from([n / 20 for n in range(21)]), st.booleans()), min_size=1, max_size=40)


def decided(score: float | None, *, gate: bool | None = None, useful: bool | None = None) -> Decision:
    return Decision(NOW, f"{score}", "t", True, score, gate, useful, "llm")


def rule(activation: str = "auto", priority: str = "medium", own: float | None = None) -> Rule:
    return Rule(activation, priority, own, 0.15)


def proposed(made: list[Decision], by: Rule) -> list[tuple[str, object, object]]:
    return [(p.key, p.now, p.then) for p in tuning.proposals(made, by)]


def test_decisions_are_counted_by_what_was_said_of_them():
    made = [
        decided(0.2, gate=True, useful=True),
        decided(0.3, gate=True, useful=False),
        decided(0.3, gate=False),
        decided(0.4, useful=True),
        decided(0.5),
    ]

    assert tuning.counts(made) == Counts(
        5, fired=4, dropped=0, gate_yes=2, gate_no=1, useful=2, useless=1, precision=0.667
    )
    assert tuning.counts([]) == Counts(0, 0, 0, 0, 0, 0, 0, None)


@pytest.mark.parametrize(
    ("gate", "useful", "good"),
    [
        (None, None, None),
        (True, None, True),
        (False, None, False),
        (None, False, False),
        (True, False, False),
        (False, True, True),
    ],
)
def test_a_persons_word_comes_before_the_gates(gate, useful, good):
    assert tuning.good(decided(0.2, gate=gate, useful=useful)) is good


def test_useless_activations_with_low_scores_raise_the_threshold_to_what_separates_them():
    made = [decided(s, useful=False) for s in (0.16, 0.18, 0.2, 0.22)]
    made += [decided(s, useful=True) for s in (0.3, 0.35, 0.4, 0.5)]

    (found,) = tuning.proposals(made, rule())

    assert (found.key, found.now, found.then, found.decisions) == ("similarity_threshold", None, 0.26, 8)
    assert found.why == "of 8 judged decisions 4 were wrong; at 0.26 it would have been 0"


def test_fewer_judged_decisions_than_enough_say_nothing():
    made = [decided(s, useful=False) for s in (0.16, 0.18, 0.2, 0.22)]
    made += [decided(s, useful=True) for s in (0.3, 0.35, 0.4)]
    made += [decided(0.5)] * 10

    assert tuning.proposals(made, rule()) == []


def test_a_threshold_that_would_have_helped_once_is_not_proposed():
    made = [decided(0.16, useful=False), *[decided(s / 100, useful=True) for s in range(30, 40)]]

    assert tuning.proposals(made, rule()) == []


def test_what_was_right_just_above_the_threshold_lowers_it():
    made = [decided(s, useful=True) for s in (0.16, 0.17, 0.18, 0.19, 0.3, 0.35, 0.4, 0.5)]

    assert proposed(made, rule()) == [("similarity_threshold", None, 0.1)]
    assert proposed(made, rule(own=0.15)) == [("similarity_threshold", 0.15, 0.1)]


def test_a_gated_topic_at_its_priority_s_floor_is_lowered_by_a_higher_priority():
    made = [decided(s, gate=True) for s in (0.3, 0.31, 0.32, 0.33, 0.4, 0.4, 0.5, 0.6)]

    assert proposed(made, rule("gated", "low")) == [("priority", "low", "medium")]
    assert proposed(made, rule("gated", "medium", own=0.3)) == [("similarity_threshold", 0.3, 0.25)]


def test_a_topic_that_nobody_ever_wanted_is_told_to_look_at_its_patterns():
    made = [decided(s, gate=False) for s in (0.3, 0.3, 0.4, 0.4, 0.5, 0.5, 0.6, 0.6)]

    ((key, now, then),) = proposed(made, rule("gated"))

    assert (key, now, then) == ("triggers", None, None)


def test_a_gate_that_always_says_yes_can_be_left_out():
    made = [decided(s, gate=True) for s in (0.4, 0.4, 0.5, 0.5, 0.6, 0.6, 0.7, 0.7)]

    assert proposed(made, rule("gated")) == [("activation", "gated", "auto")]


def test_what_is_dropped_each_time_gets_a_way_in():
    made = [decided(s)._replace(dropped=True) for s in (0.0, 0.02, 0.05, 0.05, 0.08, 0.1, 0.1, 0.11)]

    assert tuning.counts(made)[:3] == (8, 0, 8)
    assert proposed(made, rule("gated")) == [("priority", "medium", "high")]
    assert proposed(made, rule()) == [("similarity_threshold", None, 0.1)]
    assert proposed([*made, decided(0.9, gate=True)], rule("gated")) == []


def test_a_drop_that_a_person_wanted_counts_as_judged():
    made = [decided(s, useful=True)._replace(dropped=True) for s in (0.16, 0.17, 0.18, 0.19)]
    made += [decided(s, gate=True) for s in (0.3, 0.35, 0.4, 0.5)]

    assert proposed(made, rule("gated")) == [("priority", "medium", "high")]


@pytest.mark.parametrize("by", [rule(priority="critical"), rule("manual")])
def test_what_no_score_decides_has_no_threshold_to_propose(by):
    assert tuning.proposals([decided(0.2, useful=False)] * 20, by) == []


@given(JUDGED)
def test_no_threshold_makes_fewer_errors_than_the_separating_one(judged):
    best = tuning.errors(judged, tuning.separating(judged))

    assert all(best <= tuning.errors(judged, n / 40) for n in range(0, 40) if n / 40 <= max(s for s, _ in judged))
