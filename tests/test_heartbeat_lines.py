"""HEARTBEAT.md by its own words: every command line that it shows, in the order shown, on the sample month."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import process
from tests.heartbeat_lines import command_lines
from tests.test_skills import fenced

HEARTBEAT = Path(__file__).parents[1] / "skills/sinain-hud/HEARTBEAT.md"


def test_every_command_line_of_the_heartbeat_works_in_the_order_shown(sample):
    text = HEARTBEAT.read_text("utf-8")
    (entry,) = fenced(text, "json")
    stdin = {"--entry": entry}
    failed = {}

    for program, *arguments in command_lines(text):
        assert program == "koog"
        given = stdin[arguments[-2]] if arguments[-1] == "-" else ""
        line = json.loads(process(*arguments, cwd=sample, stdin=given).stdout)
        if not line["ok"]:
            failed[" ".join(arguments)] = line["error"]
        if arguments[0] == "mine":
            stdin["--mining-findings"] = json.dumps(line)

    assert failed == {}
    assert set(stdin) == {"--entry", "--mining-findings"}
