"""What failed is noted where an operator finds it."""

from __future__ import annotations

import json

import pytest

from koog.core import failures
from koog.core.files.workspace import Workspace
from tests.conftest import process


def noted(folder):
    return failures.read(Workspace(folder))


def test_a_command_that_fails_is_noted_with_its_time_and_reason(workspace, koog):
    (workspace / "koog-config.json").write_text("{broken")

    code, line = koog("--now", "2026-02-28T12:00:00Z", "tick")

    assert code == 3
    expected = {"ts": "2026-02-28T12:00:00Z", "command": "tick", "code": "config", "message": line["error"]["message"]}
    assert noted(workspace) == [expected]


@pytest.mark.parametrize("argv", [("module", "info", "nope"), ("log", "--entry", "{"), ("tick", "--no-such-flag")])
def test_what_the_caller_did_wrong_is_no_failure_of_the_workspace(workspace, koog, argv):
    assert koog(*argv)[0] in (2, 4)

    assert noted(workspace) == []


def test_dry_run_notes_nothing(workspace, koog):
    (workspace / "koog-config.json").write_text("{broken")

    assert koog("--dry-run", "tick")[0] == 3

    assert noted(workspace) == []


def test_the_newest_stands_first_and_the_file_never_grows_beyond_its_limit(workspace):
    root, many = Workspace(workspace), failures.LIMIT // 100

    for number in range(many):
        root.jot(
            failures.NAME, json.dumps({"ts": "2026-02-28T12:00:00Z", "n": number, "x": "y" * 90}) + "\n", limit=4096
        )

    rows = failures.read(root)
    assert [row["n"] for row in rows[:3]] == [many - 1, many - 2, many - 3]
    assert (workspace / ".koog" / failures.NAME).stat().st_size <= 4096


def test_torn_and_foreign_lines_are_passed_over(workspace):
    (workspace / ".koog" / failures.NAME).write_text('{"ts":"2026-02-28T12:00:00Z","code":"bug"}\n[1]\n{"ts":"2026-')

    assert [row["code"] for row in noted(workspace)] == ["bug"]


def test_a_failure_in_a_folder_that_is_no_workspace_leaves_it_alone(tmp_path):
    done = process("tick", "--idle", cwd=tmp_path)

    assert json.loads(done.stdout)["error"]["code"] == "not_found"
    assert not (tmp_path / ".koog").exists()
