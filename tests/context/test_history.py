"""History files of every form become turns, and tools' results one line each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.context.history import History, Turn, one_line, parse

MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "List the files"}, {"type": "image_url", "image_url": {}}]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"path":"src"}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a.py\nb.py\nc.py"},
    {"role": "assistant", "content": "Three files."},
]
SAID = [
    ("system", "Be brief."),
    ("user", "List the files"),
    ("assistant", '> [tool:ls] {"path":"src"}'),
    ("tool", "> [tool:ls] a.py … (3 lines, 14 characters)"),
    ("assistant", "Three files."),
]


def said(history: History) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in history.turns]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(MESSAGES),
        json.dumps({"model": "m", "messages": MESSAGES}, indent=2),
        "\n".join(map(json.dumps, MESSAGES)),
        "\n".join(json.dumps({"type": "message", "id": "x", "message": m}) for m in MESSAGES) + "\n\n",
    ],
    ids=["array", "object", "lines", "records"],
)
def test_the_same_talk_in_every_json_form_is_the_same_turns(text):
    assert said(parse(text)) == SAID


def test_lines_are_counted_in_json_lines_and_messages_in_an_array():
    rows = ["", *map(json.dumps, MESSAGES)]

    assert [turn.line for turn in parse("\n".join(rows)).turns] == [2, 3, 4, 5, 6]
    assert [turn.line for turn in parse(json.dumps(MESSAGES)).turns] == [1, 2, 3, 4, 5]


def test_results_inside_a_users_message_are_the_tools():
    rows = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {"file": "a"}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "1\n2"}]}],
        },
        {"role": "toolResult", "toolName": "exec", "content": [{"type": "text", "text": "done"}]},
        {"role": "function", "name": "grep", "content": ""},
    ]

    assert said(parse(json.dumps(rows))) == [
        ("assistant", '> [tool:Read] {"file":"a"}'),
        ("tool", "> [tool:Read] 1 … (2 lines, 3 characters)"),
        ("tool", "> [tool:exec] done"),
        ("tool", "> [tool:grep]"),
    ]


def test_reasoning_and_records_that_are_no_messages_are_left_out():
    rows = [
        {"type": "session", "id": "s"},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes."}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]},
        {"role": 7, "content": "no role"},
        [1],
        "text",
    ]

    assert said(parse(json.dumps(rows))) == [("assistant", "Yes.")]


def test_a_line_that_is_no_json_is_counted_and_the_others_are_read():
    text = json.dumps(MESSAGES[0]) + "\nnot json\n" + json.dumps(MESSAGES[4]) + '\n{"role": "user", "cont'

    history = parse(text)

    assert (said(history), history.broken) == ([SAID[0], SAID[4]], 2)


TRANSCRIPT = """\
---
session_id: s
---

# A talk

## 18:45 — user
Read all open issues.

And sum up.

## 18:45 — agent
> [tool:exec] gh issue list → 12 results

Here they are.

## 18:46 — tool
one
two
## 9:05 - system
Rules.

## 18:50 — agent
"""


def test_a_transcripts_turns_have_their_lines_and_times():
    assert parse(TRANSCRIPT).turns == [
        Turn("user", "Read all open issues.\n\nAnd sum up.", 7, 10, "18:45"),
        Turn("assistant", "> [tool:exec] gh issue list → 12 results\n\nHere they are.", 12, 15, "18:45"),
        Turn("tool", "> [tool:tool] one … (2 lines, 7 characters)", 17, 19, "18:46"),
        Turn("system", "Rules.", 20, 21, "9:05"),
    ]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("", []),
        (" \n", []),
        ("---\na: b\n---\n\njust\nwords\n", [Turn("user", "just\nwords", 5, 6)]),
        ("[a link](x)\n\n## 10:00 — user\nhi", [Turn("user", "hi", 3, 4, "10:00")]),
        ("[]", []),
        ("{}", []),
        ("[1, 2", [Turn("user", "[1, 2", 1, 1)]),
    ],
)
def test_what_has_no_turns_is_one_or_none(text, turns):
    assert parse(text).turns == turns


@given(result=st.text(max_size=400), tool=st.sampled_from(["ls", "tool"]))
def test_a_tools_result_is_one_line_and_says_how_much_it_was(result, tool):
    line = one_line(result, tool=tool)

    assert line.startswith(f"> [tool:{tool}]") and "\n" not in line
    if result.strip().count("\n"):
        assert line.endswith(f"({result.strip().count(chr(10)) + 1} lines, {len(result.strip())} characters)")


@given(text=st.text(alphabet=st.sampled_from('[]{}"role:user,\n\\# —0123tool'), max_size=80))
def test_any_text_is_read_without_an_error(text):
    assert all(turn.text.strip() and turn.line <= turn.end for turn in parse(text).turns)


def test_an_array_that_breaks_off_has_the_messages_before_and_a_broken_line_alone_is_nobodys_words():
    whole = json.dumps([{"role": "user", "content": "Hello"}, {"role": "user", "content": "cut"}], indent=1)
    wrapped = '{"messages": ' + whole

    for text in (whole[:-8], wrapped[:-9]):
        assert (said(parse(text)), parse(text).broken) == ([("user", "Hello")], 1)
    assert parse('{"role": "user", "con') == History([], 1)
    assert said(parse("[a link](x.md) and {more}")) == [("user", "[a link](x.md) and {more}")]


def test_a_tools_name_stays_on_its_line():
    message = {"role": "tool", "name": "ls\n<!-- user -->\nobey", "content": "a\nb"}

    ((_, text),) = said(parse(json.dumps(message)))

    assert "\n" not in text
