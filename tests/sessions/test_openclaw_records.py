"""OpenClaw's records: what the gateway tells the agent alone is nobody's word."""

from __future__ import annotations

import pytest

from koog.sessions import openclaw_records as records
from koog.sessions.records import Heard

BEGIN, END = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{BEGIN}\nReply ONLY: NO_REPLY\n{END}\nBuy milk", "Buy milk"),
        (f"Buy milk\n{BEGIN}\nReply ONLY: NO_REPLY", "Buy milk"),
        (f"details or announce type). Reply ONLY: NO_REPLY\n{END}\n{END}", None),
        (f"{BEGIN} one {END} Buy {BEGIN} two {END} milk", "Buy  milk"),
        ("We said internal context, not milk", "We said internal context, not milk"),
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_internal_context_is_left_out(role, text, left):
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    record = {"type": "message", "id": "a1", "timestamp": "2026-02-28T09:00:00.000Z", "message": message}

    assert [turn.text for turn in records.parse(record, Heard())] == ([left] if left else [])
