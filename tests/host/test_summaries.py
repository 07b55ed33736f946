"""memory/session-summaries.jsonl: one line for each run, and nothing else in the file changes.  [sinain §3.7]"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from koog.host.given import parse
from koog.host.runs import told
from koog.host.summaries import ERROR_CHARS, TOOLS, Summary, put

WHEN = datetime(2026, 2, 18, 12, tzinfo=UTC)
IDS = st.text(min_size=1, max_size=8)


@given(st.lists(st.tuples(IDS, st.booleans()), max_size=12))
@settings(deadline=None)
def test_after_any_sequence_of_ends_each_run_has_one_line_with_its_last_outcome(ends):
    text = "no JSON\n"
    for run_id, success in ends:
        text = put(text, {"ts": "t", "runId": run_id, "success": success})

    first, *lines = text.split("\n")[:-1]
    assert first == "no JSON"
    assert {row["runId"]: row["success"] for row in map(json.loads, lines)} == dict(ends)
    assert len(lines) == len(dict(ends))


def test_a_torn_last_line_is_ended_before_the_next_one():
    assert put('{"runId": "a', {"runId": "b"}) == '{"runId": "a\n{"runId":"b"}\n'


def test_the_same_end_told_again_later_leaves_the_first_line():
    first = put("", {"ts": "12:00", "runId": "a", "success": True})

    assert put(first, {"ts": "12:01", "runId": "a", "success": True}) == first


def test_a_summary_is_bounded_whatever_the_host_says():
    tools = {f"tool-{n}": n + 1 for n in range(500)}
    summary = Summary("r" * 9999, None, None, False, "e" * 99999, None, None, 9, tools, "/srv/app", "group", "g")

    row = Summary(**json.loads(json.dumps(summary.limited()))).row(WHEN)

    assert len(row["error"]) == ERROR_CHARS
    assert len(row["toolBreakdown"]) == TOOLS
    assert row["toolBreakdown"]["tool-499"] == 500
    assert row["ts"] == "2026-02-18T12:00:00.000Z"


def test_without_the_plugins_counts_the_messages_of_the_event_are_counted():
    calls = [{"type": "text"}, {"type": "toolCall", "name": "exec"}, {"type": "toolCall", "name": "exec"}]
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": calls}]
    payload = {"event": {"messages": messages, "success": False, "error": "e"}, "ctx": {"runId": "r"}}

    summary = told(parse(json.dumps(payload).encode(), host=None))

    assert (summary.run_id, summary.success, summary.message_count) == ("r", False, 2)
    assert (summary.tool_calls, dict(summary.tools)) == (2, {"exec": 2})
