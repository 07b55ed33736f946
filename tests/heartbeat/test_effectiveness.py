"""From outputs and what followed them to scores, a rate and a directive."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat import effectiveness, ticks
from koog.heartbeat.effectiveness import Scored
from tests.conftest import examples
from tests.logs import ODD_ENTRY, before, did, said, tick

TIP = "Raise the inotify limit and restart Metro"
PAIN = {"description": "Metro stops with ENOSPC", "priority": "high"}


def score(*entries, host=None):
    """Return (score, source) of the first entry's output by the ticks that follow it, in order of time."""
    found = effectiveness.score_outputs(list(reversed(entries)), host or {})
    return {s.tick_id: (s.score, s.source) for s in found}.get(entries[0]["tickId"])


def first(**more):
    return tick(before(hours=3), **{"output": said(TIP)} | more)


def later(hours=2, **more):
    return tick(before(hours=hours), **more)


@pytest.mark.parametrize(
    ("outputs", "positive", "directive"),
    [
        (0, 0, "insufficient_data"),
        (4, 4, "insufficient_data"),
        (5, 1, "aggressive_prune"),
        (5, 2, "normal"),  # 0.4 itself
        (5, 3, "normal"),
        (5, 4, "stability"),
        (10, 3, "aggressive_prune"),
        (10, 4, "normal"),
        (10, 7, "normal"),  # 0.7 itself
        (10, 8, "stability"),
        (100, 39, "aggressive_prune"),
        (100, 40, "normal"),
        (100, 70, "normal"),
        (100, 71, "stability"),
    ],
)
def test_the_directive_at_its_thresholds(outputs, positive, directive):
    assert effectiveness.directive(outputs, positive) == directive


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n * 10), st.sampled_from([4 * n, 7 * n]))))
def test_a_rate_of_exactly_four_or_seven_tenths_is_normal_whatever_the_count(counts):
    assert effectiveness.directive(*counts) == "normal"


@pytest.mark.parametrize(
    ("value", "kind"),
    [(0.21, "positive"), (0.2, "neutral"), (0.0, "neutral"), (-0.1, "neutral"), (-0.11, "negative")],
)
def test_a_score_counts_as_positive_above_a_fifth_and_as_negative_below_minus_a_tenth(value, kind):
    found = effectiveness.effectiveness([Scored("a", value, "host", "")])

    assert {k for k in ("positive", "neutral", "negative") if found[k]} == {kind}
    assert found["rate"] == (1.0 if kind == "positive" else 0.0)


@given(st.lists(st.floats(-1, 1), max_size=30))
def test_the_counts_add_up_and_the_rate_is_the_share_of_the_positive(values):
    found = effectiveness.effectiveness([Scored("a", v, "host", "") for v in values])

    assert found["outputs"] == len(values) == found["positive"] + found["negative"] + found["neutral"]
    assert found["rate"] == (round(found["positive"] / len(values), 4) if values else None)


def test_the_hosts_score_goes_before_everything_else():
    followed = later(feedbackScores={"avg": -0.9})

    assert score(first(), followed, host={before(hours=3): 0.4}) == (0.4, "host")


def test_the_newest_output_counts_as_neither_good_nor_bad_until_something_followed_unless_the_host_scored_it():
    assert score(first()) == (0.0, "none")
    (waiting,) = effectiveness.score_outputs([first()], {})
    assert effectiveness.effectiveness([waiting])["outputs"] == 1 and not waiting.final
    assert effectiveness.feedback_scores([waiting], set())["scored"] == []
    assert score(first(), host={before(hours=3): 0.4}) == (0.4, "host")


def test_an_output_takes_the_average_of_the_next_tick_and_not_of_its_own_or_a_later_one():
    own = first(feedbackScores={"avg": -0.7})

    assert score(own, later(2, feedbackScores={"avg": 0.3}), later(1, feedbackScores={"avg": 0.9})) == (0.3, "next")


def test_an_average_that_lists_its_outputs_is_not_taken_for_one_about_the_tick_before():
    about_others = later(feedbackScores={"avg": 0.9, "scored": [{"tickId": "x", "score": 0.9}]})

    assert score(first(), about_others) == (0.0, "derived")


@pytest.mark.parametrize("average", [True, "0.4", None, [0.4]])
def test_what_is_no_number_is_no_average(average):
    assert score(first(), later(feedbackScores={"avg": average})) == (0.0, "derived")


def test_an_error_that_is_gone_counts_for_the_output_and_one_that_is_back_against_it():
    erring = first(signals=[PAIN])

    assert score(erring, later(sessionHistorySummary="Wrote the release notes")) == (0.4, "derived")
    assert score(erring, later(sessionHistorySummary="Metro stopped with ENOSPC again")) == (-0.4, "derived")
    assert score(erring, later(2), later(1, signals=[PAIN])) == (-0.4, "derived")


def test_a_medium_signal_is_no_error_that_could_be_gone():
    calm = first(signals=[{**PAIN, "priority": "medium"}])

    assert score(calm, later(sessionHistorySummary="Wrote the release notes")) == (0.0, "derived")


def test_advice_that_is_taken_up_counts_for_it():
    assert score(first(), later(sessionHistorySummary="The user raised the inotify limit, then Metro ran")) == (
        0.5,
        "derived",
    )
    assert score(first(), later(sessionHistorySummary="The user opened Metro")) == (0.0, "derived")


def test_advice_that_has_to_be_repeated_counts_against_it():
    assert score(first(), later(output=said("Restart Metro and raise the inotify limit"))) == (-0.2, "derived")


@pytest.mark.parametrize(("word", "worth"), [("useful", 0.5), ("ignored", -0.3), ("error", -0.4), ("timeout", -0.3)])
def test_what_became_of_a_spawn_counts_and_may_be_a_word_or_an_object(word, worth):
    assert score(first(), later(spawnOutcome=word)) == (worth, "derived")
    assert score(first(), later(spawnOutcome={"outcome": word, "spawnId": "s"})) == (worth, "derived")


def test_only_the_next_three_ticks_may_tell():
    quiet = [later(h) for h in (2.5, 2, 1.5)]
    fourth = later(1, sessionHistorySummary="The user raised the inotify limit, then Metro ran")

    assert score(first(), *quiet, fourth) == (0.0, "derived")
    assert score(first(), *quiet[1:], fourth) == (0.5, "derived")


def test_the_average_is_over_what_no_entry_has_scored_yet():
    scored = [Scored("a", 0.5, "host", "A"), Scored("b", -0.3, "host", "B"), Scored("c", 0.1, "derived", "")]

    found = effectiveness.feedback_scores(scored, {"a#host"})

    assert found["avg"] == -0.1
    assert (found["high"], found["low"]) == (["A"], ["B"])
    assert [s["tickId"] for s in found["scored"]] == ["b", "c"]


def test_without_anything_new_there_is_no_average():
    assert effectiveness.feedback_scores([Scored("a", 0.5, "host", "A")], {"a#host"})["avg"] is None


def test_a_derived_score_is_final_once_three_ticks_have_followed():
    pain = [{"description": "ENOSPC from the watcher", "priority": "high"}]
    output = tick(before(hours=4), output=said("Raise the limit"), signals=pain)
    later = [tick(before(hours=h)) for h in (3, 2, 1)]

    found = [effectiveness.score_outputs([*later[:n][::-1], output], {})[0] for n in (1, 2, 3)]

    assert [s.final for s in found] == [False, False, True]
    assert effectiveness.feedback_scores(found[:1], set())["scored"] == []
    assert [s["tickId"] for s in effectiveness.feedback_scores(found[2:], set())["scored"]] == [before(hours=4)]


def test_a_hosts_score_that_comes_late_counts_beside_the_derived_one():
    derived, late = Scored("a", 0.4, "derived", "A"), Scored("a", -0.8, "host", "A")
    told = effectiveness.feedback_scores([derived], set())
    already = effectiveness.already_scored([tick(before(hours=1), feedbackScores=told)])

    assert effectiveness.feedback_scores([derived], already)["avg"] is None
    assert effectiveness.feedback_scores([late], already)["avg"] == -0.8


def test_the_extremes_are_the_five_best_and_the_five_worst():
    scored = [Scored(str(n), n / 10, "host", f"tip {n}") for n in range(-9, 10)]

    found = effectiveness.feedback_scores(scored, set())

    assert found["high"] == [f"tip {n}" for n in (9, 8, 7, 6, 5)]
    assert found["low"] == [f"tip {n}" for n in (-9, -8, -7, -6, -5)]


def test_an_output_without_a_suggestion_is_named_by_its_tick():
    assert effectiveness.feedback_scores([Scored("2026-02-28", 0.5, "host", "")], set())["high"] == ["2026-02-28"]


@pytest.mark.parametrize("told", [None, {}, {"scored": None}, {"scored": 5}, {"scored": "ab"}, {"scored": [None, 3]}])
def test_scores_of_a_strange_shape_name_nothing(told):
    assert effectiveness.already_scored([tick(before(hours=1), feedbackScores=told)]) == set()


def test_what_an_entry_lists_is_scored_already():
    told = {"avg": 0.4, "scored": [{"tickId": "a", "score": 0.4}, {"score": 1}]}

    assert effectiveness.already_scored([tick(before(hours=1), feedbackScores=told)]) == {"a", "a#host"}


def test_the_footer_is_the_seeds_line():
    figures = {"outputs": 8, "positive": 4, "negative": 2, "neutral": 2, "rate": 0.5}

    assert effectiveness.footer(figures) == "outputs=8,positive=4,negative=2,neutral=2,rate=0.5"
    assert effectiveness.footer({**figures, "rate": None}).endswith("rate=0")


@settings(deadline=None, max_examples=examples(150))
@given(st.lists(ODD_ENTRY, max_size=5), st.dictionaries(st.text(max_size=3), st.floats(-1, 1), max_size=2))
def test_whatever_a_log_holds_every_score_stays_within_one(rows, host):
    entries = ticks.join(rows).entries

    found = effectiveness.score_outputs(entries, host)

    assert all(-1 <= s.score <= 1 for s in found)
    assert effectiveness.already_scored(entries) is not None


def test_an_action_is_no_output():
    acted = tick(before(hours=3), actionsConsidered=did("telegram_tip", TIP))

    assert score(acted, later()) is None
