"""The built-in reading of the feedback: shared words, the directive's effect, and what is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat.feedback_rules import FeedbackInput, answer

HIGH = ["Clear the Metro cache before the build", "Metro cache is stale after a rename: clear it", "Restart Metro"]
LOW = ["Take a short break", "A break would do you good", "Clear your desk"]
RATED = {"outputs": 8, "positive": 4, "negative": 2, "neutral": 2, "rate": 0.5}


def interpret(
    *, high: list[Any] = HIGH, low: list[Any] = LOW, directive: str = "normal", logs: Any = (), **rated: Any
) -> str:
    scores = {"avg": 0.3, "high": high, "low": low}
    return answer(FeedbackInput(scores, RATED | rated, directive, logs))["interpretation"]


def test_the_words_that_one_side_shares_and_the_other_lacks_are_named_then_the_rate():
    assert interpret() == (
        "Outputs about Metro, cache score well and outputs about break score poorly. "
        "The rate of 0.50 over 8 outputs is between 0.4 and 0.7, so the curator adds and prunes in balance."
    )


def test_a_word_of_both_sides_tells_nothing():
    assert "lear" not in interpret().split(".")[0]


def test_an_output_named_by_its_tick_is_read_from_the_log():
    logs = (
        {"tickId": "t1", "output": {"suggestion": "Raise the inotify limit", "insight": "inotify again"}},
        {"tickId": "t2", "output": {"suggestion": "The inotify limit resets on reboot", "insight": None}},
        {"tickId": "t3", "output": None},
    )

    assert interpret(high=["t1", "t2"], low=[], logs=logs).startswith("Outputs about inotify, limit score well.")


def test_a_single_output_is_quoted_instead_of_generalised():
    found = interpret(high=[], low=["Take a short break"])

    assert found.startswith("Outputs like “Take a short break” score poorly.")


def test_sides_without_words_of_their_own_are_said_to_have_none():
    found = interpret(high=["Drink tea", "Read mail"], low=["Walk home", "Call Ana"])

    assert found.startswith("High and low outputs share no telling words.")


@pytest.mark.parametrize(
    ("directive", "rate", "said"),
    [
        ("aggressive_prune", 0.39, "The rate of 0.39 over 8 outputs is under 0.4, so the curator removes weak"),
        ("normal", 0.4, "The rate of 0.40 over 8 outputs is between 0.4 and 0.7, so the curator adds and prunes"),
        ("stability", 0.71, "The rate of 0.71 over 8 outputs is over 0.7, so the curator adds only patterns that"),
    ],
)
def test_the_directive_is_explained_by_its_threshold(directive, rate, said):
    assert said in interpret(directive=directive, rate=rate)


@pytest.mark.parametrize(("count", "missing"), [(0, 5), (3, 2), (4, 1), (None, 5)])
def test_with_too_few_outputs_it_says_how_many_are_missing(count, missing):
    found = interpret(high=[], low=[], directive="insufficient_data", outputs=count, rate=None)

    assert found == (
        f"{count or 0} of the 5 outputs needed in 7 days: {missing} more before the rate counts; "
        "the curator leaves effectiveness aside."
    )


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
LOG = JUNK | st.fixed_dictionaries({}, optional=dict.fromkeys(("tickId", "output"), JUNK))


@settings(deadline=None, max_examples=80)
@given(JUNK, JUNK, JUNK, JUNK, st.sampled_from(["normal", "stability", "x"]), st.lists(LOG, max_size=3).map(tuple))
def test_no_score_and_no_log_makes_the_reading_fail(high, low, count, rate, directive, logs):
    found = answer(
        FeedbackInput({"avg": None, "high": high, "low": low}, {"outputs": count, "rate": rate}, directive, logs)
    )

    assert list(found) == ["interpretation"]
    assert found["interpretation"].endswith(".")
