"""Topics and messages by another hand: what a person expects to be active."""

from __future__ import annotations

import json
from pathlib import Path

from bench.topics import ROOT, rightness

EXPECTED = Path(__file__).with_name("expected.json")


def test_nine_messages_in_ten_activate_exactly_what_a_person_expects():
    told = rightness(json.loads(EXPECTED.read_text("utf-8")), ROOT, missed=False)

    assert told["exact"] >= 0.9, told
