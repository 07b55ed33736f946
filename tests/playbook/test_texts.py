"""What the rules read: playbook bullets, sentences of notes and logs, without what koog composed itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.clip import clip
from koog.playbook.texts import Pattern, log_sentences, patterns, plain, sentences


def test_a_bullet_keeps_its_heading_its_score_and_the_day_it_was_put_off():
    playbook = '## Later\n- [ ] Move invoices (score: 0.4) [deferred: 2026-02-20, reason: "no reply"]\n- x\nprose\n'

    assert patterns(playbook) == [
        Pattern("Move invoices", "Later", score=0.4, deferred="2026-02-20"),
        Pattern("x", "Later"),
    ]


@pytest.mark.parametrize(
    ("tags", "day", "source"),
    [
        ("<!-- from: memory/2026-02-17-trip.md:14 -->", "2026-02-17", "memory/2026-02-17-trip.md"),
        ("[since: 2026-02-20] <!-- from: memory/2026-02-17.md:3 -->", "2026-02-17", "memory/2026-02-17.md"),
        ("[since: 2026-02-20]", "2026-02-20", None),
        ("<!-- from: memory/ideas.md:1 -->", None, "memory/ideas.md"),
        ("<!-- seen 2026-02-20 -->", None, None),
    ],
)
def test_a_bullet_is_as_old_as_the_note_it_came_from_else_as_its_since_tag(tags, day, source):
    found = patterns(f"- Check the disk (score: 0.5) [error-prevention] {tags}")

    assert [(p.text, p.day, p.source) for p in found] == [("Check the disk", day, source)]


def test_a_comment_over_several_lines_hides_its_bullets():
    assert patterns("<!-- from: here\n- a\n-->\n- b") == [Pattern("b", "")]


def test_headings_and_rules_are_no_sentences():
    text = "---\n# Title\nOne, e.g. this one. Two!\n- three"

    assert sentences(text) == ["One, e.g. this one.", "Two!", "three"]


@pytest.mark.parametrize(
    "log",
    [None, 3, "text", [], {}, {"signals": None}, {"signals": [None, 1, {}]}, {"sessionHistorySummary": {"a": 1}}],
)
def test_a_malformed_log_says_nothing(log):
    assert log_sentences(log) == []


def test_a_log_says_its_summary_and_its_signals_also_in_the_older_shape():
    log = {"sessionHistorySummary": "One. Two.", "signals": ["disk is full", {"description": "mail is late"}]}

    assert log_sentences(log) == ["One.", "Two.", "disk is full", "mail is late"]


@pytest.mark.parametrize(
    "summary",
    [
        "No notes today. Last tick, 2026-02-17: Metro died.",
        "Nothing new since the last tick, 2026-02-28T16:00:00Z.",
        "Nothing new today: what is written last is of 2026-02-27.",
        "Nothing is written yet.",
    ],
)
def test_what_koog_composed_itself_is_no_sentence_of_a_log(summary):
    log = {"sessionHistorySummary": summary, "miningFindings": "Two new."}

    assert log_sentences(log) == []


@given(st.text(max_size=200), st.integers(1, 50))
def test_a_clipped_text_keeps_its_limit(text, chars):
    assert len(clip(text, chars)) <= chars


@given(st.text(max_size=120))
def test_plain_text_is_one_line_without_comments(text):
    line = plain(text)

    assert len(line.split("\n")) == 1
    assert "<!--" not in line
