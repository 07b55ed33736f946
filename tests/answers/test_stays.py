"""A cursor does not move past an answer of which most was dropped, and not for ever; what is not taken is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.core.run import Run
from koog.observe import observations, observe
from tests.answers.test_shapes import BOAT, DRIZZLE, FILE, METRO, NOTE, POSTGRES, TURNS, mined, row, seen
from tests.conftest import Koog
from tests.fakes.model import FakeModel
from tests.fakes.sessions import FakeReader
from tests.logs import NOW, note

CURSORS = "memory/meta/cursors.json"
POOR = mined([row(DRIZZLE), row(BOAT, 2), 17])
GOOD = mined([row(DRIZZLE), row(METRO, 3)])


def mine(koog: Koog) -> dict[str, Any]:
    code, line = koog("mine", "--now", NOW)
    assert code == 0, line
    return line


@pytest.fixture
def noted(workspace: Path) -> Path:
    return note(workspace, "2026-02-27.md", "".join(f"- {line}\n" for line in NOTE))


def test_a_note_is_mined_again_after_an_answer_that_was_mostly_dropped(koog, workspace, noted, llm: FakeModel):
    llm.says(POOR).says(GOOD)

    poor = mine(koog)
    good = mine(koog)

    assert (poor["newPatterns"], poor["minedSources"], poor["remaining"]) == ([DRIZZLE], [], 1)
    assert "asked about again" in " ".join(poor["_meta"]["warnings"])
    assert (good["minedSources"], good["remaining"]) == (["2026-02-27.md"], 0)
    files = json.loads((workspace / CURSORS).read_text())["mine"]["files"]
    assert files[FILE].keys() == {"bytes", "sha256"}


def test_a_third_poor_answer_does_not_keep_a_note_for_ever(koog, noted, llm: FakeModel):
    llm.says(POOR).says(POOR).says(POOR)

    told = [mine(koog)["remaining"] for _ in range(3)]

    assert told == [1, 1, 0]
    assert mine(koog)["minedSources"] == []


def test_another_note_is_mined_meanwhile(koog, workspace, noted, llm: FakeModel):
    note(workspace, "2026-02-26.md", "- " + "lunch and more lunch " * 700 + "\n")  # a call of its own
    llm.says(POOR).always(mined([]))

    assert mine(koog)["minedSources"] == ["2026-02-26.md"]


def look(workspace: Path) -> dict[str, Any]:
    run = Run(folder=str(workspace), now_text=NOW, command="observe", engine="llm")
    return {**observe.work(run, readers=[FakeReader(a=TURNS)]), "warnings": run.warnings}


def test_a_session_is_observed_again_after_an_answer_that_was_mostly_dropped(workspace, llm: FakeModel):
    poor = {"observations": [seen(POSTGRES), seen(BOAT, 3), 17]}
    llm.says(poor).says({"observations": [seen(POSTGRES)]})

    first, second, third = (look(workspace) for _ in range(3))

    assert (len(first["added"]), first["remaining"]) == (1, 1)
    assert [r["reason"].split(":")[0] for r in first["refused"]] == ["not understood", "no turn says so"]
    assert (second["added"], second["duplicates"], second["remaining"]) == ([], 1, 0)
    assert [r["reason"] for r in second["refused"]] == ["said already"]
    assert third["turns"] == 0
    assert json.loads((workspace / CURSORS).read_text())["observe"]["again"] == {}


def test_a_third_poor_answer_does_not_keep_a_session_for_ever(workspace, llm: FakeModel):
    for _ in range(3):
        llm.says({"observations": [seen(BOAT)]})

    assert [look(workspace)["remaining"] for _ in range(4)] == [1, 1, 0, 0]


def test_a_raw_block_that_waited_in_vain_leaves_later_ones_their_tries(workspace, llm: FakeModel):
    path, key = workspace / "memory" / observations.NAME, "claude/p/r"
    llm.always({"observations": [seen(BOAT)]})

    for _ in range(2):
        path.write_text(observations.with_raw("", observations.raw_block(key, TURNS)))
        run = [Run(folder=str(workspace), now_text=NOW, command="observe", engine="llm") for _ in range(3)]
        done = [observe.work(each, readers=[FakeReader()]) for each in run]

        assert [(each["remaining"], each["rawDigested"]) for each in done] == [(1, 0), (1, 0), (0, 1)]
