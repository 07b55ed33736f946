"""koog detect: the triggers of a message as one line.  [moltbot §8.1, §14]"""

from __future__ import annotations

import json

from tests.conftest import process
from tests.core.test_frugal_imports import imported


def test_the_triggers_of_a_message_are_told(koog):
    code, line = koog("detect", "--text", "Thanks! Remember that we use pnpm. Scratch that, it's yarn.")

    assert code == 0
    assert line["found"] == 2
    assert line["triggers"] == [
        {"kind": "remember", "phrase": "Remember", "content": "we use pnpm", "start": 8, "end": 16, "clipped": False},
        {"kind": "scratch", "phrase": "Scratch that", "content": "", "start": 35, "end": 47, "clipped": False},
    ]


def test_a_message_without_one_is_no_failure(koog):
    code, line = koog("detect", "--text", "I can't remember that. Why does it fail?")

    assert (code, line["triggers"], line["found"]) == (0, [], 0)


def test_a_message_comes_on_standard_input_too_and_needs_no_workspace(tmp_path):
    done = process("detect", "--text", "-", cwd=tmp_path, stdin="> remember that a\n\n记住，我妈妈的生日是八月初三。\n")

    line = json.loads(done.stdout)
    assert [(t["kind"], t["content"]) for t in line["triggers"]] == [("remember", "我妈妈的生日是八月初三")]
    assert {path.name for path in tmp_path.iterdir()} <= {"home"}


def test_a_call_without_a_message_says_so(koog):
    code, line = koog("detect")

    assert code == 2
    assert "--text" in line["error"]["message"]


def test_nothing_is_written(koog, workspace):
    before = sorted(path for path in workspace.rglob("*") if ".git" not in path.parts)

    code, line = koog("detect", "--text", "forget about the old rent")

    assert (code, line["_meta"]["changes"]) == (0, [])
    assert sorted(path for path in workspace.rglob("*") if ".git" not in path.parts) == before


def test_the_line_stays_short_and_says_what_it_leaves_out(koog):
    many = "".join(f"Remember that room {n} is {'鍵' * 300}.\n\n" for n in range(40))

    for text in (f"Remember this:\n{'鍵' * 9000}", f"Save this:\n{'word ' * 5000}", many):
        code, line = koog("detect", "--text", text)

        assert code == 0
        assert len(json.dumps(line)) < 10_000
        assert line["_meta"]["truncated"] is True
        assert line["triggers"]
        assert line["found"] >= len(line["triggers"])
        assert line["triggers"][0]["clipped"] or line["found"] > len(line["triggers"])


def test_a_message_costs_only_what_it_needs(workspace):
    idle = imported("detect", "--text", "fix the test", cwd=workspace)
    wish = imported("detect", "--text", "remember that we use pnpm", cwd=workspace)

    assert not {"koog.core.text.weigher", "koog.memory.remember", "jsonschema", "apsw"} & wish
    assert "koog.core.text.ownwords" in wish - idle
