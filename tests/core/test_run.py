"""What one invocation may use: which workspace, which folders, whose day, what text on stdin (run.py, stdin.py)."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from koog.core.errors import NotFound, UsageError
from koog.core.run import Run
from koog.core.stdin import LIMIT, text_or_stdin
from tests.conftest import process

ENTRY = json.dumps({"tickId": "t1", "feedbackScores": None, "actionsConsidered": []})


# --- the workspace


def test_a_workspace_is_found_by_flag_then_variable_then_the_nearest_folder_above(tmp_path, monkeypatch):
    for name in ("flag/.koog", "variable/memory/meta", "above/.koog", "above/deep"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "above/deep")

    assert Run().root == tmp_path / "above"

    monkeypatch.setenv("KOOG_WORKSPACE", str(tmp_path / "variable"))

    assert Run().root == tmp_path / "variable"
    assert Run(folder="../../flag").root == tmp_path / "flag"


def test_without_a_workspace_the_way_on_is_init(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(NotFound) as raised:
        _ = Run().root

    assert "koog init" in (raised.value.hint or "")


def test_folders_of_other_names_may_be_given_inside_the_workspace(koog, workspace):
    (workspace / "notes").mkdir()

    code, line = koog("log", "--entry", ENTRY, "--memory-dir", "notes")

    assert code == 0
    assert line["path"].startswith("notes/playbook-logs/")
    assert (workspace / "notes/meta/audit.log").exists()


def test_a_memory_folder_alone_names_the_workspace_above_it(tmp_path, monkeypatch):
    (tmp_path / "agent/memory/meta").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    run = Run(memory_dir="agent/memory")

    assert (run.root, run.workspace.memory) == (tmp_path / "agent", "memory")


@pytest.mark.parametrize("flag", ["--memory-dir", "--modules-dir"])
def test_a_folder_outside_the_workspace_is_a_wrong_call(koog, workspace, tmp_path, flag):
    (workspace / "link").symlink_to(tmp_path)

    for folder in (str(tmp_path), "..", "link"):
        code, line = koog("feedback", "--workspace", str(workspace), flag, folder)

        assert (code, line["error"]["code"]) == (2, "usage")
        assert flag in line["error"]["message"]


def test_today_is_the_users_day(monkeypatch, workspace):
    monkeypatch.setenv("KOOG_TIMEZONE", "Asia/Tokyo")

    assert Run(now_text="2026-02-28T16:00:00Z").today == "2026-03-01"


def test_a_warning_is_told_once(workspace):
    run = Run(warnings=["twice", "once", "twice"])

    assert run.meta()["warnings"] == ["twice", "once"]


# --- a dash for a text


def test_a_text_that_is_no_dash_is_itself(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)

    assert text_or_stdin("--", what="--entry") == "--"


def test_a_dash_reads_stdin_whole_and_without_bom(workspace):
    done = process("log", "--entry", "-", cwd=workspace, stdin=f"\ufeff{ENTRY}\n")

    assert done.returncode == 0
    assert json.loads(done.stdout)["heartbeat"] == "HEARTBEAT_OK"


def test_a_dash_on_a_terminal_fails_at_once(workspace):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "koog", "log", "--entry", "-"]
    try:
        done = subprocess.run(command, cwd=workspace, stdin=theirs, capture_output=True, text=True, timeout=120)
    finally:
        os.close(ours)
        os.close(theirs)

    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (2, "usage")
    assert "terminal" in error["message"]
    assert "--entry - < FILE" in error["hint"]


def test_a_dash_without_any_stdin_is_a_wrong_call(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)

    with pytest.raises(UsageError, match="--entry"):
        text_or_stdin("-", what="--entry")


@pytest.mark.parametrize(("size", "fits"), [(LIMIT, True), (LIMIT + 1, False)])
def test_stdin_has_a_limit(tmp_path, monkeypatch, size, fits):
    (tmp_path / "in").write_bytes(b"x" * size)

    with (tmp_path / "in").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        if fits:
            assert len(text_or_stdin("-", what="--entry")) == size
        else:
            with pytest.raises(UsageError, match=f"more than {LIMIT} bytes"):
                text_or_stdin("-", what="--entry")


def test_bytes_on_stdin_that_are_no_text_are_a_wrong_call_with_their_place(tmp_path, monkeypatch):
    (tmp_path / "in").write_bytes(b"caf\xe9")

    with (tmp_path / "in").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        with pytest.raises(UsageError, match=r"not UTF-8 \(byte 3\)"):
            text_or_stdin("-", what="--entry")
