"""A curator's answer in the seed's forms and in words, as operations on numbered lines."""

from __future__ import annotations

from time import monotonic

import pytest

from koog.heartbeat.curate_forms import operations

LINES = ("## Established", "- Use pnpm (score: 0.8)", "- B. (score: 0.3)", "- C is nice")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Remove line 3", {"op": "remove", "lines": "3", "text": None}),
        ("- Removed #3", {"op": "remove", "lines": "3", "text": None}),
        ("Remove line #3", {"op": "remove", "lines": "3", "text": None}),
        ("Merge lines 3 and 4 into: B is C", {"op": "merge", "lines": "3 and 4", "text": "B is C"}),
        ("Rewrite line 3 to say B is fine", {"op": "rewrite", "lines": "3", "text": "B is fine"}),
        ("Rewrite L3 as 'B is fine'", {"op": "rewrite", "lines": "3", "text": "B is fine"}),
        ("Rewrite line 3: to B", {"op": "rewrite", "lines": "3", "text": "to B"}),
        ("Add: with care", {"op": "add", "text": "with care"}),
        ("Remove: b", {"op": "remove", "lines": [3], "text": "b"}),
        ("Promote: Use pnpm (score: 0.2)", {"op": "promote", "lines": [2], "text": "Use pnpm (score: 0.2)"}),
        ("Don't remove line 3", "Don't remove line 3"),
    ],
)
def test_an_operation_in_words(said, meant):
    assert operations([said], LINES) == {"operations": [meant]}


def test_the_first_of_two_lines_with_one_text_is_meant():
    assert operations({"changes": {"pruned": "same"}}, ["- same", "- Same."])["operations"][0]["lines"] == [1]


def test_ten_thousand_texts_are_looked_up_in_no_time():
    lines = [f"- line {n} (score: 0.3)" for n in range(150)]
    began = monotonic()

    done = operations({"changes": {"pruned": [f"text {n}" for n in range(10_000)]}}, lines)

    assert len(done["operations"]) == 10_000
    assert monotonic() - began < 10
