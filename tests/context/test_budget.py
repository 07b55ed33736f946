"""The arithmetic of a context: what a text takes, what a passage is worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.context import budget
from koog.core.text import tokens
from koog.core.text.shares import Amount, measure


@given(texts=st.lists(st.text(max_size=30).map("{}\n".format), max_size=8))
def test_amounts_of_lines_are_never_less_than_that_of_the_whole_text(texts):
    total = Amount()
    for text in texts:
        total = total.plus(measure(text))

    whole = measure("".join(texts))
    assert whole.within(total) and whole.size == total.size
    assert tokens.estimate("".join(texts)) <= -(-total.units // tokens.UNITS)


@given(words=st.lists(st.from_regex(r"\A[a-z]{1,14}\Z"), max_size=30))
def test_a_room_that_only_tokens_bound_holds_every_text_of_so_many(words):
    text = " ".join(words)
    units = measure(text).units

    assert measure(text).within(budget.unlimited(units))
    assert not text or not measure(text).within(budget.unlimited(units - 1))


def test_a_slot_is_bounded_by_kilobytes_and_by_what_tokens_are_left():
    room = budget.kilobytes(1, units=500)

    assert measure("xy " * 20).within(room) and not measure("xy " * 21).within(room)
    assert not measure("é" * 513).within(budget.kilobytes(1, units=100_000))
    assert budget.kilobytes(1, units=-3) == Amount(0, 1024)


@pytest.mark.parametrize(
    ("days", "recency"), [(-5, 1.0), (0, 1.0), (3.5, 0.7071), (7, 0.5), (7.1, 0.5), (30, 0.5), (1100, 0.5)]
)
def test_recency_halves_in_a_week_and_never_falls_below_half(days, recency):
    assert budget.score(1.0, days=days, references=0) == pytest.approx(recency, abs=1e-4)


def test_each_reference_adds_a_tenth():
    assert [round(budget.score(0.5, days=0, references=n), 3) for n in range(4)] == [0.5, 0.55, 0.6, 0.65]
