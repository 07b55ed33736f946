"""A note's sentences: who says each, where it stands, what is nobody's word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text.leaning import points_back
from koog.core.text.notes import of_note
from koog.core.text.voices import AGENT, ASSISTANT, NOTE, QUOTED, TOOL, USER


def read(text, **given):
    return of_note(text, path="memory/2026-02-10.md", **given)


def told(text):
    return [s.text for s in read(text)]


def test_each_sentence_has_its_line_heading_and_turn():
    found = read("# Day\n\n## Build\n- Gradle hangs. It swaps.\n- fixed\n")

    assert [(s.text, s.line, s.heading) for s in found] == [
        ("Gradle hangs.", 4, "Build"),
        ("It swaps.", 4, "Build"),
        ("fixed", 5, "Build"),
    ]
    assert found[0].turn == found[1].turn != found[2].turn
    assert {(s.role, s.trust, s.source) for s in found} == {(NOTE, AGENT, "memory/2026-02-10.md")}


def test_a_sentence_in_a_wrapped_paragraph_has_the_line_where_it_begins():
    found = read(
        "We went through the whole list of the open tickets with Mika and\nclosed nine. The rest waits for\nMay.\n"
    )

    assert [(s.text, s.line) for s in found][1:] == [("The rest waits for May.", 2)]


def test_sentences_that_begin_alike_have_their_own_lines():
    text = "We deploy on Monday because of the freeze, and Bob agrees with\nus about that. We deploy on Tuesday too. "
    text += "We deploy on\n"
    found = read(text + "Wednesday, too. We deploy on\nFriday.")

    assert [s.line for s in found] == [1, 2, 2, 3]


def test_a_part_of_a_file_keeps_the_files_lines():
    assert [s.line for s in read("- one\n\n- two", first_line=41)] == [41, 43]


def test_a_transcript_tells_who_speaks_and_a_machine_is_left_out():
    found = read('user: "Page size?\\nAnd the margin?"\nassistant: It is 50.\ntool: {"a": 1}\nraw output\nme: fine\n')

    assert [(s.text, s.role, s.line) for s in found] == [
        ("Page size?", USER, 1),
        ("And the margin?", USER, 1),
        ("It is 50.", ASSISTANT, 2),
        ("fine", USER, 5),
    ]


def test_user_lines_of_a_note_are_no_persons_own_word():
    assert [s.trust for s in read("user: ship it\nassistant: done\n")] == [AGENT, AGENT]


def test_people_who_talk_in_bullets_are_named_and_a_label_is_nobody():
    found = read("- **Nora**: I sold it.\n- **Tom**: Why?\n- **Nora**: Money.\n- **Tom**: Ok.\n- Fix: a\n- Fix: b\n")

    assert [s.speaker for s in found] == ["Nora", "Tom", "Nora", "Tom", "", ""]
    assert found[2].leans == ("Why?",)
    assert found[-1].text == "Fix: b"


def test_quotations_are_quoted_and_code_says_nothing_but_its_error():
    found = read("> Always run as root.\n\n~~~\n```\nAlways run me\nOSError: disk full\n~~~\n- It failed\n")

    assert [(s.text, s.trust, s.trace) for s in found] == [
        ("Always run as root.", QUOTED, False),
        ("OSError: disk full", TOOL, True),
        ("It failed", AGENT, False),
    ]


@pytest.mark.parametrize(
    "row",
    [
        '{"tool": "exec"}',
        "[OpenClaw heartbeat poll]",
        "HEARTBEAT_OK",
        "- **Session Key**: agent:main",
        "</system>",
        "| a | b |",
        "$ npm i",
        '  File "x.py", line 8, in send',
        "2026-02-10 09:00:01 INFO started",
    ],
)
def test_what_a_machine_wrote_is_left_out(row):
    assert told(f"- before\n\n{row}\n\n- behind\n") == ["before", "behind"]


def test_of_what_a_tool_repeats_the_last_line_counts():
    found = read("- npm ERR! code E1\n- npm ERR! second\n- after\n")

    assert [(s.text, s.trace) for s in found] == [("npm ERR! second", True), ("after", False)]


def test_frontmatter_comments_and_hidden_characters_are_nobodys_words():
    assert told("---\ntitle: x\n---\n<!-- secret -->a\u200bb\n") == ["ab"]


def test_a_nested_bullet_leans_on_the_one_above_it_and_a_pronoun_on_the_sentence_before():
    found = read("- Backup:\n  - runs at 02:00\n- The mirror is slow. It swaps.\n")

    assert [s.leans for s in found] == [(), ("Backup:",), (), ("The mirror is slow.",)]


@pytest.mark.parametrize(
    "text",
    ["It swaps", "Set it to 5", "Das ist neu", "Elle part lundi", "Eso falla", "它明天到期", "これは重要", "Ça marche"],
)
def test_a_pronoun_points_back_in_six_languages(text):
    assert points_back(text)


@pytest.mark.parametrize(
    "text", ["Metro died", "Item 5", "Estamos listos", "Dashboards are slow", "数据库迁移", "Ilse fährt"]
)
def test_a_noun_points_nowhere(text):
    assert not points_back(text)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_and_every_line_exists(text):
    for said in read(text):
        assert said.text.strip() == said.text != ""
        assert 1 <= said.line <= text.count("\n") + 1


@pytest.mark.parametrize(
    "row", ["- a\n", "user: a\n", "```\n", "> a\n", "a: b\n", "  - x\n", '"[', "- **A**: ", "(photo: "]
)
def test_fifty_kilobytes_are_read_in_a_moment(row):
    began = time.process_time()

    read(row * (50_000 // len(row)))

    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("user: Updates on a branch.\nassistant: Understood.\nuser: and never on a Friday", ("Updates on a branch.",)),
        ("- We chose Drizzle\n- Because raw SQL is a daily topic", ("We chose Drizzle",)),
        ("- Wir nehmen Drizzle\n- Weil SQL uns langweilt", ("Wir nehmen Drizzle",)),
        ("- We chose Drizzle\n- Because it rained, we left", ()),
        ("- We chose Drizzle\n\n## Weather\n- Because of the rain", ()),
        ("user: Which one?\nuser: and why", ()),
    ],
)
def test_what_goes_on_leans_on_what_the_same_voice_said_before(text, leans):
    assert of_note(text, path="memory/2026-02-10.md")[-1].leans == leans
