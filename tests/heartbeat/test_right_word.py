"""What a tick does and says on material written before the rules, by shares: 180 summaries, seven weeks, three days.

The summaries' first, third, … rows were looked at when the rules were written; the others were only counted. So it is
with the weeks in a team's own words, in English, German, Spanish, French and Chinese: `weeks_unseen.json` was counted
when the rules stood, and what was reached is its floor. Since then it and all the summaries were looked at.
What the rules were written with is for whoever asks (KOOG_EXAMPLES=new).
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from bench.signals import EVEN, ODD, read, summaries, weeks
from bench.statements import Place
from tests.conftest import LONG
from tests.inside import completed as run

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(("rows", "least"), [pytest.param(ODD, 0.9, marks=LONG), (EVEN, 0.55)])
def test_a_summary_calls_for_what_a_colleague_would_do(tmp_path, rows, least):
    found = summaries(Place(tmp_path / "place", run), read(DATA / "summaries.tsv", rows), missed=False)

    assert found["rows"] == 50
    assert found["right"] >= least


@pytest.mark.parametrize(("rows", "least"), [pytest.param(ODD, 0.97, marks=LONG), (EVEN, 0.8)])
def test_a_summary_in_a_teams_own_words_calls_for_what_a_colleague_would_do(tmp_path, rows, least):
    found = summaries(Place(tmp_path / "place", run), read(DATA / "wordings.tsv", rows), missed=False)

    assert found["rows"] == 40
    assert found["right"] >= least


@pytest.mark.parametrize(
    ("file", "said", "useful", "unsaid"),
    [pytest.param("weeks.json", 9, 0.85, 0.0, marks=LONG), ("weeks_unseen.json", 8, 0.85, 0.17)],
)
def test_in_a_teams_own_week_what_is_due_is_said(tmp_path, file, said, useful, unsaid):
    numbers = count()
    lives = json.loads((DATA / file).read_text("utf-8"))

    found = weeks(lambda: Place(tmp_path / str(next(numbers)), run), lives, missed=False)

    assert found["said"] >= said
    assert found["useful"] >= useful
    assert found["wrong"] == 0.0
    assert found["unsaid"] <= unsaid


@LONG
def test_in_a_week_what_is_due_is_said_and_little_is_wrong(tmp_path):
    numbers = count()
    lives = json.loads((DATA / "week.json").read_text("utf-8"))

    found = weeks(lambda: Place(tmp_path / str(next(numbers)), run), lives, missed=False)

    assert found["ticks"] == 16
    assert found["said"] >= 8
    assert found["useful"] >= 0.7
    assert found["wrong"] <= 0.1
    assert found["unsaid"] <= 0.2
