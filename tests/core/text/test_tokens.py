"""Tokens are counted without a tokenizer, and hardly ever too few: beside what two real ones counted."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import tokens

# Texts of fifteen kinds with both counts: bench/tokens.py --record
ROWS = [json.loads(row) for row in Path(__file__).with_name("token_counts.jsonl").read_text("utf-8").splitlines()]


def over(row):
    return tokens.estimate(row["text"]) / max(row["counts"])


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in ROWS}))
def test_a_text_never_costs_three_percent_more_than_is_estimated(kind):
    assert min(over(row) for row in ROWS if row["kind"] == kind) >= 0.97


def test_the_estimate_is_on_average_at_most_a_quarter_too_high():
    by_kind = defaultdict(list)
    for row in ROWS:
        by_kind[row["kind"]].append(over(row))

    assert len(by_kind) == 15
    assert fmean(map(fmean, by_kind.values())) <= 1.25


@given(st.lists(st.text(max_size=40), max_size=6))
def test_lines_cost_together_no_more_than_each_for_itself(texts):
    lines = [text + "\n" for text in texts]

    assert tokens.cost("".join(lines)) <= sum(map(tokens.cost, lines))


@given(st.text(max_size=60))
def test_a_text_costs_something(text):
    assert tokens.estimate(text) >= (1 if text.strip() else 0)


def test_blanks_between_words_and_lines_cost_little():
    assert tokens.estimate("one two  three\n\n\nfour") <= 8
    assert tokens.estimate(" " * 1000) == 1
