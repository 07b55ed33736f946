"""The table of §5.4, row by row and at its boundaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.topics import bypass

BELOW_03, BELOW_02 = 0.2999, 0.1999
PRIORITIES = ["low", "medium", "high", "critical"]


def gated(priority: str, score: float, *, own: float | None = None) -> str:
    return bypass.way(activation="gated", priority=priority, score=score, own=own, default=0.15)


@pytest.mark.parametrize(
    ("priority", "score", "way"),
    [
        ("critical", 0.0, "critical"),
        ("critical", 1.0, "critical"),
        ("high", 0.3, "high-confidence"),
        ("high", 1.0, "high-confidence"),
        ("high", BELOW_03, "ask"),
        ("high", 0.0, "ask"),
        ("medium", 1.0, "ask"),
        ("medium", 0.3, "ask"),
        ("medium", 0.2, "ask"),
        ("medium", BELOW_02, "dropped"),
        ("medium", 0.0, "dropped"),
        ("low", 1.0, "ask"),
        ("low", 0.3, "ask"),
        ("low", BELOW_03, "dropped"),
        ("low", 0.0, "dropped"),
    ],
)
def test_a_gated_topic_goes_by_the_table(priority, score, way):
    assert gated(priority, score) == way


@pytest.mark.parametrize(
    ("score", "own", "way"),
    [(0.15, None, "auto"), (0.1499, None, "below-threshold"), (0.4, 0.4, "auto"), (0.3999, 0.4, "below-threshold")],
)
def test_an_auto_topic_skips_the_gate_when_it_reaches_its_threshold(score, own, way):
    assert bypass.way(activation="auto", priority="low", score=score, own=own, default=0.15) == way


@pytest.mark.parametrize("activation", ["auto", "gated"])
def test_a_critical_topic_is_active_at_once_whatever_its_threshold(activation):
    assert bypass.way(activation=activation, priority="critical", score=0.0, own=0.9, default=0.15) == "critical"


@pytest.mark.parametrize(
    ("priority", "score", "own", "way"),
    [
        ("high", 0.35, 0.4, "below-threshold"),
        ("high", 0.4, 0.4, "high-confidence"),
        ("medium", 0.25, 0.3, "below-threshold"),
        ("medium", 0.15, 0.1, "dropped"),
        ("low", 0.25, 0.1, "dropped"),
    ],
)
def test_a_threshold_of_its_own_can_only_drop_more(priority, score, own, way):
    assert gated(priority, score, own=own) == way


@given(
    activation=st.sampled_from(["auto", "gated"]),
    priority=st.sampled_from(PRIORITIES),
    score=st.floats(0, 1),
    own=st.none() | st.floats(0, 1),
)
def test_below_what_is_needed_nothing_activates_and_from_there_on_nothing_is_dropped(activation, priority, score, own):
    way = bypass.way(activation=activation, priority=priority, score=score, own=own, default=0.15)

    dropped = way in ("dropped", "below-threshold")

    assert dropped == (score < bypass.needed(activation, priority, own=own, default=0.15))
