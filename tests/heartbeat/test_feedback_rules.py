"""The built-in reading of the feedback: shared terms, the directive's effect, and what is missing."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat.feedback_rules import FeedbackInput, answer
from tests.conftest import examples

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


def test_without_a_telling_term_the_best_and_the_worst_output_are_quoted():
    found = interpret(high=["Drink tea", "Read mail"], low=["Walk home", "Call Ana"])

    assert found.startswith("“Drink tea” scores best and “Walk home” scores worst.")


def test_a_long_output_is_quoted_by_its_beginning():
    found = interpret(
        high=[], low=["Move the “old” invoices of last year to the shared folder before the audit begins"]
    )

    assert found.startswith("“Move the old invoices of last year to the shared folder…” scores worst.")


@pytest.mark.parametrize(
    "pair",
    [
        ["Wait for the seeding", "Never wait for a reboot"],
        ["It fails on Ana's phone", "It also fails at home"],
        ["Put it on the map", "Keep the map off"],
        ["Quickly close it", "Read it quickly"],
    ],
)
def test_verbs_adverbs_and_short_words_are_no_terms(pair):
    found = interpret(high=pair, low=[])

    assert found.startswith(f"“{pair[0]}” scores best.")


@pytest.mark.parametrize(
    ("pair", "term"),
    [
        (["Delete caches of the bundler", "The caches are stale"], "caches"),
        (["Ask Ana first", "Tell it to Maestro", "Maestro hangs"], "Maestro"),
        (["Restore Podfile.lock", "Podfile.lock decides"], "Podfile.lock"),
    ],
)
def test_a_term_is_a_whole_word_as_it_is_written(pair, term):
    assert interpret(high=pair, low=[]).startswith(f"Outputs about {term} score well.")


def test_importing_the_rules_compiles_no_tables():
    script = "import sys, koog.heartbeat.feedback_rules; print([m for m in sys.modules if m.startswith('koog.')])"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "['koog.heartbeat', 'koog.core', 'koog.core.named', 'koog.heartbeat.feedback_rules']"


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


@settings(deadline=None, max_examples=examples(80))
@given(JUNK, JUNK, JUNK, JUNK, st.sampled_from(["normal", "stability", "x"]), st.lists(LOG, max_size=3).map(tuple))
def test_no_score_and_no_log_makes_the_reading_fail(high, low, count, rate, directive, logs):
    found = answer(
        FeedbackInput({"avg": None, "high": high, "low": low}, {"outputs": count, "rate": rate}, directive, logs)
    )

    assert list(found) == ["interpretation"]
    assert found["interpretation"].endswith(".")
