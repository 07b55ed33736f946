"""The arithmetic of fading: by table, at each boundary, and whatever it is given."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.memory.fading import relevance
from koog.memory.fading.relevance import STATUSES
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, STORES, VAULT

LAMBDA, BELOW = 0.03, 0.05
BASES = st.floats(0, 1)
DAYS = st.integers(-40_000, 40_000)
COUNTS = st.integers(1, 10**6)
LAMBDAS = st.floats(0, 10)


@pytest.mark.parametrize(
    ("base", "days", "accesses", "store", "then"),
    [
        (1.0, 0, 1, EPISODIC, 0.8),
        (1.0, 0, 1, SEMANTIC, 1.0),  # 1.2, held at 1
        (1.0, 0, 1, CORE, 1.0),
        (1.0, 0, 1, PROCEDURAL, 1.0),
        (0.7, 0, 1, EPISODIC, 0.56),
        (0.5, 0, 1, PROCEDURAL, 0.5),
        (1.0, 23, 1, PROCEDURAL, 0.5016),
        (1.0, 24, 1, PROCEDURAL, 0.4868),
        (1.0, 30, 1, EPISODIC, 0.3253),
        (1.0, 30, 3, EPISODIC, 0.6505),
        (0.7, 100, 14, SEMANTIC, 0.1634),
        (0.7, 13, 1, SEMANTIC, 0.5687),  # moltbot §9.3 shows 0.52 for this: the formula wins
        (1.0, 0, 2, EPISODIC, 1.0),  # and 0.92 for this
        (0.0, 0, 1, CORE, 0.0001),
        (1.0, 100_000, 1, CORE, 0.0001),
        (0.5, 100_000, 1, VAULT, 1.0),
    ],
)
def test_the_table(base, days, accesses, store, then):
    assert relevance.score(base, days, accesses, store, LAMBDA) == then


@pytest.mark.parametrize(
    ("score", "then"),
    [
        (1.0, "active"),
        (0.5, "active"),
        (math.nextafter(0.5, 0), "fading"),
        (0.2, "fading"),
        (math.nextafter(0.2, 0), "dormant"),
        (0.05, "dormant"),
        (math.nextafter(0.05, 0), "archived"),
        (0.0001, "archived"),
        (0.0, "archived"),
    ],
)
def test_each_boundary_belongs_to_the_better_side(score, then):
    assert relevance.status(score, BELOW) == then


def test_what_somebody_forgot_is_archived_also_where_time_archives_nothing():
    assert relevance.status(relevance.FORGOTTEN, 0.0) == "archived"
    assert relevance.status(relevance.LEAST, 0.0) == "dormant"


@given(BASES, DAYS, DAYS, COUNTS, st.sampled_from(STORES), LAMBDAS)
def test_no_day_makes_a_memory_more_relevant(base, one, other, count, store, lambda_):
    sooner, later = sorted((one, other))

    assert relevance.score(base, sooner, count, store, lambda_) >= relevance.score(base, later, count, store, lambda_)


@given(BASES, DAYS, COUNTS, COUNTS, st.sampled_from(STORES), LAMBDAS)
def test_no_access_makes_a_memory_less_relevant(base, days, one, other, store, lambda_):
    fewer, more = sorted((one, other))

    assert relevance.score(base, days, fewer, store, lambda_) <= relevance.score(base, days, more, store, lambda_)


@given(st.integers(-40_000, -1), BASES, COUNTS, st.sampled_from(STORES))
def test_a_day_that_has_not_come_yet_counts_as_today(days, base, count, store):
    assert relevance.score(base, days, count, store, LAMBDA) == relevance.score(base, 0, count, store, LAMBDA)


ANY = st.floats(allow_nan=True, allow_infinity=True)


@given(ANY, ANY, st.integers(-5, 10**9), st.floats(0, 10), LAMBDAS)
def test_whatever_it_is_given_it_is_a_number_from_0_to_1(base, days, count, weight, lambda_):
    found = relevance.relevance(base, days, count, weight, lambda_)

    assert 0.0 <= found <= 1.0


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.2))
def test_a_higher_score_never_has_a_worse_status(one, other, below):
    low, high = sorted((one, other))

    assert STATUSES.index(relevance.status(low, below)) >= STATUSES.index(relevance.status(high, below))


@given(st.integers(0, 10**6))
def test_time_alone_never_forgets(days):
    assert relevance.score(1.0, days, 1, EPISODIC, LAMBDA) > relevance.FORGOTTEN
