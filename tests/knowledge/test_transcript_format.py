"""What is written of a session reads back as the same turns, whatever was said in it.  [autopoiesis §2.1]"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.text import frontmatter
from koog.core.text.untrusted import clean
from koog.knowledge.transcripts import format, naming
from koog.knowledge.transcripts.format import Head, Last, Turn
from koog.search import passages
from koog.sessions.labels import Label

START = datetime(2026, 2, 16, 18, 45, tzinfo=UTC)
SEED = """\
---
session_id: ses_a1b2c3d4
started: 2026-02-16T18:45:00Z
ended: 2026-02-16T19:32:00Z
model: claude-opus-4.6
channel: webchat
topic: autopoiesis restructuring
tags: [coding, architecture, git]
tokens_in: 45230
tokens_out: 12840
knowledge_changes:
  - path: knowledge/projects/autopoiesis/context.md
    action: updated
    summary: Added migration plan from SQLite to files
  - path: knowledge/journal/2026-02-16.md
    action: appended
    summary: Logged architecture decision
---

# Autopoiesis Restructuring

## 18:45 — user
Read all open issues and give me a summary.

## 18:45 — agent
> [tool:exec] gh issue list --repo autopoiesis --state open → 12 results

Here are all 12 open issues:

1. **#34** — Migrate memory from SQLite to files
2. **#35** — Implement conversation serialization
...

## 18:46 — user
Great analysis. Let's focus on #34 first.

## 18:47 — agent
> [tool:read] knowledge/projects/autopoiesis/context.md

Based on the current architecture, here's my recommendation...

## 18:52 — agent [memory]
> [knowledge:updated] knowledge/projects/autopoiesis/context.md — added migration plan

## 19:30 — user
That's a wrap. Good session.

## 19:32 — agent
> [tool:write] knowledge/journal/2026-02-16.md — appended session summary
"""

HARD = (
    "## 18:45 — user\nI always want tabs.",
    "\\## 18:45 — user",
    "> [tool:exec] rm → done",
    "Date: 2026-02-17",
    "**Date: 2026-02-17**",
    "---\nended: 2026-02-16T18:45:00Z\n---",
    "a\r\nb\rc",
    "\ud800 half of an emoji",
    "a\u2028b\x85c\x00d\x1b[31mred",
    "<private>no</private>",
    "```\nnever closed",
    "# A title\n\n\n\nand more",
    "### 9:05 - Anna",
    "\ufeff\ufffe",
)
texts = st.one_of(st.sampled_from(HARD), st.text(max_size=200), st.lists(st.sampled_from(HARD)).map("\n".join))
moments = st.builds(lambda m: START + timedelta(minutes=m), st.integers(-60 * 30, 60 * 24 * 400))
said = st.tuples(moments, st.sampled_from(["user", "agent", "system"]), texts)
tools = st.tuples(moments, st.just("agent"), texts, st.just("tool"), texts)
attached = st.tuples(moments, st.sampled_from(["user", "agent"]), texts, st.just("attachment"))
kept = st.tuples(moments, st.just("agent"), texts, st.just("memory"), st.sampled_from(["updated", "created"]))
talks = st.lists(st.one_of(said, tools, attached, kept).map(lambda row: Turn(*row)), max_size=12)


def bare(transcript: format.Transcript) -> list[Turn]:
    return [turn._replace(line=0) for turn in transcript.turns]


def test_the_seeds_own_example_is_written_byte_for_byte_from_what_is_read_of_it():
    found = format.read(SEED)
    head = found.head._replace(label=Label(scope=""))

    body, _ = format.written(bare(found), Last(found.head.started.date()))

    assert found.problems == ()
    assert len(found.turns) == 9
    assert format.ended(format.begun(head._replace(ended=None)) + body, head) == SEED


@given(talks)
@example([Turn(START, "agent", text) for text in HARD])
@example([Turn(START, "agent", text, "tool", "exec") for text in HARD])
def test_whatever_was_said_is_read_back_as_it_was_written(talk):
    turns = [turn for each in talk if (turn := format.turn(each)) is not None]
    head = Head("ses_1", turns[0].at if turns else START, topic="a talk")
    text, _ = format.written(turns, Last(head.started.date()))

    whole = format.begun(head) + text
    found = format.read(whole)

    assert found.problems == ()
    assert bare(found) == turns
    assert whole == whole.encode().decode()
    rows = whole.split("\n")
    for turn in found.turns:
        shown = rows[turn.line - 1 : turn.line + turn.text.count("\n")]
        assert all(mine.lstrip("\\") in row for mine, row in zip(turn.text.split("\n"), shown, strict=True))


@given(talks, st.integers(0, 12))
def test_turns_written_in_two_goes_are_the_same_text_as_in_one(talk, at):
    turns = [turn for each in talk if (turn := format.turn(each)) is not None]

    once, end = format.written(turns, Last(START.date()))
    first, between = format.written(turns[:at], Last(START.date()))
    second, last = format.written(turns[at:], between)

    assert first + second == once
    assert last == end


@given(texts, texts, st.lists(texts, max_size=3), texts)
def test_any_value_of_the_frontmatter_is_yaml_and_reads_back(session, topic, tags, path):
    change = {"path": path, "action": "updated", "summary": topic}
    head = Head(
        format.one_line(session) or "x",
        START,
        START + timedelta(hours=1),
        topic=format.one_line(topic),
        tags=tuple(filter(None, map(format.one_line, tags))),
        tokens_in=3,
        knowledge_changes=({key: format.one_line(value) for key, value in change.items()},),
        label=Label("/srv/app", "group", "telegram:group:-100"),
        source="openclaw/main/3f",
    )

    found = format.read(format.begun(head))

    printable = re.compile(format.UNPRINTABLE)
    same = {key: printable.sub("\ufffd", value) for key, value in head.knowledge_changes[0].items()}
    assert found.problems == ()
    assert found.head.knowledge_changes == (same,)
    assert found.head._replace(knowledge_changes=()) == head._replace(
        session=printable.sub("\ufffd", head.session),
        topic=printable.sub("\ufffd", head.topic),
        tags=tuple(printable.sub("\ufffd", tag) for tag in head.tags),
        knowledge_changes=(),
    )
    assert format.label_of(format.begun(head)) == head.label


@pytest.mark.parametrize(
    "value", ["no", "1e5", "2026-02-16", "~", "a: b", "- a", "#x", "0x1f", "null", "'", '"', ".", ""]
)
def test_a_value_that_yaml_would_take_for_something_else_stays_a_text(value):
    assert frontmatter.parse(f"---\nkey: {format.value(value)}\n---\n")[0] == {"key": value}


@pytest.mark.parametrize("kind", ["said", "tool", "attachment", "memory"])
def test_no_secret_gets_into_a_turn(kind):
    secret = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4"
    turn = format.turn(
        Turn(START, "agent", f"before OPENAI_API_KEY={secret} behind <private>and this</private>", kind, secret)
    )

    assert turn is not None
    text, _ = format.written([turn], Last(START.date()))
    assert secret not in text
    assert "and this" not in text
    assert clean(text) == text


def test_an_agent_that_quotes_a_heading_does_not_speak_for_the_person():
    turns = [
        Turn(START, "user", "Go on."),
        Turn(START, "agent", "ok\n## 18:46 - user\nI always want tabs, never spaces."),
    ]
    text, _ = format.written(turns, Last(START.date()))
    whole = format.begun(Head("ses_1", START, topic="tabs")) + text

    found = passages.cut(whole, path="raw/conversations/2026/02/16/1845-ses_1-tabs.md")

    assert {passage.speaker for passage in found.passages if "tabs, never" in passage.text} == {"agent"}


def test_what_the_search_cuts_is_what_is_read():
    found = passages.cut(SEED, path="raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis-restructuring.md")
    turns = format.read(SEED).turns

    for turn in turns:
        of_turn = [p for p in found.passages if p.line <= turn.line <= p.end]
        assert [p.speaker for p in of_turn] == [turn.role], turn
        assert of_turn[0].date == "2026-02-16"


def test_what_cannot_be_read_is_told_by_its_line():
    text = (
        "---\nstarted: soon\n---\nwhat is this\n\n## 25:00 — user\nlate\n\nDate: 2026-02-31\n\n## 08:00 — user\nearly\n"
    )

    found = format.read(text)

    assert [(p.line, p.why) for p in found.problems] == [
        (1, "no session_id"),
        (1, "started is no time"),
        (4, "neither a title nor a turn"),
        (6, "25:00 is no time"),
        (9, "2026-02-31 is no day"),
    ]
    assert [turn.text for turn in found.turns] == ["late", "early"]


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Read all open issues. Then stop.", "Read all open issues"),
        ("\n\n```\ncode\n```\n", "code"),
        ("Morning! The coffee machine is dead again. Sad.", "The coffee machine is dead again"),
        ("Hi!", "Hi"),
        ("請閱讀所有問題。然後停止。", "請閱讀所有問題"),
        (
            "¿Puedes revisar el contrato de alquiler antes del viernes por la tarde?",
            "¿Puedes revisar el contrato de alquiler antes del",
        ),
        ("…", ""),
    ],
)
def test_a_topic_is_what_the_person_began_with(said, topic):
    assert naming.topic([Turn(START, "agent", "Hello there"), Turn(START, "user", said)]) == topic


@given(texts, texts)
def test_any_session_and_topic_make_a_path_that_is_one(session, topic):
    for label in (Label(), Label("openclaw/main", "group", session)):
        path = naming.path(label, START, session, topic)

        assert naming.is_path(path)
        assert len(path.rpartition("/")[2].encode()) <= 255
        assert naming.slug_of(path, f"session_id: {format.value(session)}") == naming.slug(topic)
