"""Eight weeks in a made world: what feedback does to the playbook, seen from outside.

The same world at the size of a year, with references, is `bench/year.py`.
"""

from __future__ import annotations

import re
from collections import Counter

from bench import year as bench
from bench.year_notes import DENIED, plants, world
from tests.conftest import LONG

WEEKS = (("quiet", 5), ("good", 16), ("middle", 5), ("bad", 26), ("good", 6))
BEFORE, AFTER, END = 25, 51, 57  # days: before the bad season, its last one, the last of all


@LONG
def test_eight_weeks_of_feedback_keep_what_is_true_and_drop_what_is_false(tmp_path, monkeypatch):
    """One simulation, so that its fifteen seconds are spent once; git is not what it is about."""
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    made = world(seed=6, seasons=WEEKS, pairs=8)

    year = bench.simulate(tmp_path / "ws", made, koog=bench.in_this_process, ticks=2)

    before, after, end = (bench.shares(year, made, n) for n in (BEFORE, AFTER, END))
    assert after["falseStood"] >= 5  # else nothing is shown
    assert after["falseGone"] >= 0.8
    assert after["trueStand"] >= 0.9
    assert end["trueStand"] >= 0.9
    assert before["measure"] < after["measure"] <= end["measure"]
    assert year.most_lines <= 50
    agreed = sum(koog == expected for _, koog, expected in year.directives)
    bad, good = (Counter(d for n, d, _ in year.directives if made.seasons[n] == s) for s in ("bad", "good"))
    assert agreed >= 0.9 * len(year.directives)
    assert bad["aggressive_prune"] > 0
    assert good["stability"] > good["aggressive_prune"]
    assert all(year.counts[what] > 0 for what in ("added", "pruned", "promoted", "deferred"))
    assert year.counts["degraded"] == 0


def test_every_wording_says_its_pattern_and_no_other_and_no_failure_says_it():
    found = plants()

    assert len(found) == 60
    for plant in found:
        for words in (*plant.wordings, *plant.held_out):
            assert [p.name for p in found if p.said_in(words)] == [plant.name]
        assert DENIED.search(plant.fails)
        assert not plant.said_in(plant.fails)


def test_a_world_is_the_same_for_the_same_seed_and_its_truth_another_for_another():
    truths = [frozenset(p.plant.name for p in world(seed=seed, pairs=10).planted if p.true) for seed in (1, 1, 2)]

    assert world(seed=1) == world(seed=1)
    assert truths[0] == truths[1] != truths[2]


def test_the_chart_is_one_svg_with_every_season_and_curve():
    lines = [bench.Line("true", [(0, 1.0), (1, 2.0)], 4.0, "#000"), bench.Line("a < b", [(0, 0.0)], 4.0, "#111")]

    drawn = bench.chart(["good", "bad"], lines, lines[:1])

    assert drawn.startswith("<svg ") and drawn.endswith("</svg>\n")
    assert len(re.findall("<polyline ", drawn)) == 3
    assert "a &lt; b" in drawn
