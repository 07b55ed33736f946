"""Codex 0.169: lines have a number before their type, and figures stand between them.

Lines as codex-rs/history/src/lib.rs (`RolloutLine`, `RolloutItem`) in https://github.com/openai/codex has serde write
them: `timestamp`, `ordinal` where there is one, then `type` and `payload` of the item.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.sessions import codex, lines
from koog.sessions.codex import Codex
from tests.fakes.stores import FILES, SESSION, stamp

USAGE = {
    "thread_id": SESSION,
    "response_id": "resp_1",
    "usage": {"input_tokens": 4120, "cached_input_tokens": 3072, "output_tokens": 88, "total_tokens": 4208},
}


def row(ordinal: int | None, kind: str, payload: dict[str, Any], at: int = 0) -> str:
    number = {} if ordinal is None else {"ordinal": ordinal}
    return json.dumps({"timestamp": stamp(at), **number, "type": kind, "payload": payload}, separators=(",", ":"))


def said(role: str, text: str) -> dict[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


SPOKEN = [
    ("session_meta", {"id": SESSION, "cwd": "/w", "cli_version": "0.169.0", "source": "cli"}),
    ("turn_context", {"cwd": "/w", "model": "m"}),
    ("world_state", {"agents_md": "never push"}),
    ("event_msg", {"type": "task_started", "turn_id": "t1"}),
    ("response_item", said("user", "Use tabs.")),
    ("event_msg", {"type": "user_message", "message": "Use tabs."}),
    ("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "x"}),
    ("token_usage_record", USAGE),
    ("inter_agent_communication", {"author": "a", "recipient": "b", "content": "do it"}),
    ("inter_agent_communication_metadata", {"trigger_turn": True}),
    ("security_risk_score", {"score": 0.1}),
    ("realtime_item", {"kind": "opened"}),
    ("response_item", {"type": "agent_message", "author": "a", "recipient": "b", "content": []}),
    ("response_item", {"type": "web_search_call", "status": "completed"}),
    ("response_item", said("assistant", "Done.")),
    ("compacted", {"message": "summary"}),
]


def store(tmp_path: Path, *, numbered: bool) -> Codex:
    path = tmp_path / FILES["codex"]
    path.parent.mkdir(parents=True)
    rows = [row(n if numbered else None, kind, payload, n) for n, (kind, payload) in enumerate(SPOKEN)]
    path.write_text("\n".join(rows) + "\n")
    return Codex(tmp_path)


@pytest.mark.parametrize("numbered", [True, False])
def test_the_same_is_heard_with_numbers_and_without_and_nothing_is_unknown(tmp_path, numbered):
    reader = store(tmp_path, numbered=numbered)
    [session] = reader.sessions()

    batches = list(reader.read(session, None))

    assert [(t.role, t.text) for b in batches for t in b.turns] == [("user", "Use tabs."), ("assistant", "Done.")]
    assert [b.unknown for b in batches] == [{}]
    assert session.place.folder == "/w"
    assert list(reader.read(session, batches[-1].cursor)) == []


def test_a_silent_line_is_skipped_without_being_parsed(tmp_path, monkeypatch):
    reader = store(tmp_path, numbered=True)
    seen: list[str] = []
    lenient = lines.jsonfiles.lenient

    def parse(data: bytes) -> Any:
        value = lenient(data)
        seen.append(value["type"] if value["type"] != "response_item" else value["payload"]["type"])
        return value

    monkeypatch.setattr(lines.jsonfiles, "lenient", parse)
    [session] = reader.sessions()
    seen.clear()
    list(reader.read(session, None))

    silent = {
        "session_meta",
        "world_state",
        "event_msg",
        "token_usage_record",
        "compacted",
        "reasoning",
    }
    assert "message" in seen and not silent & set(seen)


@pytest.mark.parametrize(
    ("line", "silent"),
    [
        (row(7, "token_usage_record", USAGE), True),
        (row(None, "token_usage_record", USAGE), True),
        (row(18446744073709551615, "event_msg", {"type": "task_started"}), True),
        (row(3, "event_msg", {"type": "token_count"}), False),  # what an answer cost
        (row(3, "response_item", {"type": "reasoning"}), True),
        (row(3, "response_item", said("user", "x")), False),
        (row(3, "token_usage_records", {}), False),
        (row(3, "event_msg", {})[:30] + row(4, "response_item", said("user", "x")), False),
        (row(3, "event_msg", {"type": "task_started"}) + row(4, "response_item", said("user", "x")), False),
        ('{"ordinal":3,"timestamp":"2026-02-28T09:00:00Z","type":"event_msg"}', False),
    ],
)
def test_which_lines_say_nothing_is_told_by_their_beginning(line, silent):
    assert codex.silent(line.encode()) is silent


def test_a_number_in_front_hides_no_half_written_line(tmp_path):
    path = tmp_path / FILES["codex"]
    path.parent.mkdir(parents=True)
    half = row(1, "event_msg", {"type": "task_started", "turn_id": "t1"})[:60]
    path.write_text(half + row(2, "response_item", said("user", "Use tabs.")) + "\n")
    reader = Codex(tmp_path)

    [batch] = reader.read(reader.sessions()[0], None)

    assert [t.text for t in batch.turns] == ["Use tabs."]
