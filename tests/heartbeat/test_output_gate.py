"""When a message is good enough: both halves, new, distinct, under 500 characters.  [sinain §4.7]"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.heartbeat import output_gate

TIP = "Raise the inotify limit before Metro starts"
INSIGHT = "Both ENOSPC stops came within an hour after switching branches"
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec"


def judge(suggestion=TIP, insight=INSIGHT, *, earlier=(), known=(), limit=500):
    return output_gate.judge(suggestion, insight, earlier=earlier, known=known, limit=limit)


def long_insight(chars):
    """Return an insight of exactly so many characters, made of words."""
    text = " ".join(f"{word}{n}" for n in range(20) for word in WORDS.split())
    return text[: chars - 1] + "."


@pytest.mark.parametrize(
    ("suggestion", "insight", "reason"),
    [
        (None, INSIGHT, "no suggestion"),
        ("  ", INSIGHT, "no suggestion"),
        (TIP, None, "no insight"),
        (TIP, "\n", "no insight"),
        (None, None, "no suggestion"),
    ],
)
def test_both_halves_are_needed(suggestion, insight, reason):
    found = judge(suggestion, insight)

    assert found.skip
    assert reason in found.skip_reason


def test_two_good_halves_pass_as_they_are():
    found = judge()

    assert (found.suggestion, found.insight, found.skip) == (TIP, INSIGHT, False)
    assert found.chars == len(TIP) + len(INSIGHT)


@pytest.mark.parametrize(("chars", "cut"), [(498, False), (499, False), (500, True), (501, True)])
def test_the_message_stays_under_500_characters_and_the_insight_is_cut(chars, cut):
    found = judge(insight=long_insight(chars - len(TIP)))

    assert found.suggestion == TIP
    assert found.insight.endswith("…") is cut
    assert found.chars < 500
    assert cut or found.chars == chars


def test_a_cut_ends_at_a_word():
    whole = long_insight(900)

    kept = judge(insight=whole).insight.removesuffix("…")

    assert whole[len(kept)] == " "


@pytest.mark.parametrize(
    ("tip_chars", "skip"), [(449, False), (450, True), (460, True), (498, True), (499, True), (600, True)]
)
def test_a_cut_that_leaves_under_50_characters_of_the_insight_skips(tip_chars, skip):
    found = judge("t" * tip_chars, "x" * 300)

    assert found.skip is skip
    assert skip or (len(found.insight), found.chars) == (50, 499)


def test_a_short_insight_that_needs_no_cut_is_sent():
    found = judge(insight="ENOSPC follows each branch switch")

    assert not found.skip


def test_a_suggestion_that_repeats_a_recent_output_is_skipped():
    assert "repeats a recent output" in judge(earlier=["Before Metro starts raise the inotify limit"]).skip_reason


def test_an_insight_that_repeats_a_recent_output_is_skipped():
    assert judge(earlier=[INSIGHT.lower()]).skip_reason == "the insight repeats a recent output"


@pytest.mark.parametrize(
    ("earlier", "skip"),
    [("alpha bravo charlie xray yankee", False), ("alpha bravo charlie delta yankee", True)],  # 60%, 80%
)
def test_a_repeat_shares_over_sixty_percent_of_the_words(earlier, skip):
    assert judge("alpha bravo charlie delta echo", earlier=[earlier]).skip is skip


def test_an_insight_that_restates_the_suggestion_is_skipped():
    found = judge(insight="Before Metro starts, the inotify limit should be raised a good deal")

    assert found.skip_reason == "the insight restates the suggestion"


@pytest.mark.parametrize("line", [INSIGHT, f"- {INSIGHT} (score: 0.7)"])
def test_an_insight_that_stands_in_the_playbook_is_obvious(line):
    assert "obvious" in judge(known=["- something else", line]).skip_reason


def test_line_breaks_do_not_reach_the_message():
    found = judge("Raise the\n inotify limit")

    assert found.suggestion == "Raise the inotify limit"


@given(st.text(max_size=700), st.text(max_size=700), st.integers(100, 600))
def test_what_is_sent_is_always_under_the_limit_and_has_both_halves(suggestion, insight, limit):
    found = judge(suggestion, insight, limit=limit)

    if not found.skip:
        assert found.suggestion
        assert found.insight
        assert found.chars < limit
    else:
        assert (found.suggestion, found.insight, found.chars) == (None, None, 0)
