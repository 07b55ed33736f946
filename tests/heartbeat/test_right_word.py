"""What a tick does and says on material of another hand, by shares: a hundred summaries, a week and three days.

The summaries' first, third, … rows were looked at when the rules were written; the others were only counted.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from bench.signals import EVEN, ODD, read, summaries, weeks
from bench.statements import Place
from tests.warm import run

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(("rows", "least"), [(ODD, 0.9), (EVEN, 0.55)])
def test_a_summary_calls_for_what_a_colleague_would_do(tmp_path, rows, least):
    found = summaries(Place(tmp_path / "place", run), read(DATA / "summaries.tsv", rows), missed=False)

    assert found["rows"] == 50
    assert found["right"] >= least


def test_in_a_week_what_is_due_is_said_and_little_is_wrong(tmp_path):
    numbers = count()
    lives = json.loads((DATA / "week.json").read_text("utf-8"))

    found = weeks(lambda: Place(tmp_path / str(next(numbers)), run), lives, missed=False)

    assert found["ticks"] == 16
    assert found["said"] >= 6
    assert found["useful"] >= 0.4
    assert found["wrong"] <= 0.1
    assert found["unsaid"] <= 0.2
