"""What a capable model proposed for labelled pairs, played again: what harms is stopped, what is right is done."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from koog.observe import observations
from koog.observe.observations import Observation

SHARED = Path(__file__).parents[3] / "shared/statements"
FORCED = ("--now", "2026-11-17T12:00:00Z", "reflect", "--force")
ROW = r"(?m)^\d+: (\S+) (\S+) \S+ (\w+): (.*)$"
RECORDED = range(21, 26)
LEAST = {"supersedes": 0.8, "same": 0.75, "adds": 0.8}  # of what the model proposes rightly

pytestmark = pytest.mark.skipif(not (SHARED / "answers").is_dir(), reason="no recorded answers here")


def test_what_a_capable_model_proposes_rightly_is_done_and_nothing_else_is_lost(koog, workspace, llm):
    labelled = [json.loads(row) for row in (SHARED / "relations_dev.jsonl").read_text("utf-8").splitlines()]
    relation = {(pair["older"], pair["newer"]): pair["relation"] for pair in labelled}
    pairs, done = Counter[str](), Counter[str]()
    for n in RECORDED:
        found = re.findall(ROW, (SHARED / f"answers/{n:03}.req.txt").read_text("utf-8"))
        lines = [
            Observation(day, time, text, kind, 8, 0.9, f"s#{i}") for i, (day, time, kind, text) in enumerate(found)
        ]
        (workspace / "memory/observations.md").write_text(observations.added("", lines))
        llm.says((SHARED / f"answers/{n:03}.ans.txt").read_text("utf-8"))

        assert koog(*FORCED)[1]["reflected"]

        left = {o.text for o in observations.observations((workspace / "memory/observations.md").read_text())}
        half = len(lines) // 2
        for older, newer in zip(lines[:half], lines[half:], strict=True):
            kind = relation[older.text.removeprefix("User: "), newer.text.removeprefix("User: ")]
            pairs[kind] += 1
            done[kind] += not {older.text, newer.text} <= left

    assert sum(pairs.values()) == len(labelled)
    for kind in ("supersedes", "same", "adds"):
        assert done[kind] >= LEAST[kind] * pairs[kind], (kind, done, pairs)
    assert done["distinct"] + done["unrelated"] <= 0.02 * (pairs["distinct"] + pairs["unrelated"])
    assert done["contradicts"] == 0
