"""A tick that changed nothing but its logs: when that is a commit of its own, and with what it rides along."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

START = datetime(2026, 3, 2, 0, 10, tzinfo=UTC)
LOG = "memory/playbook-logs/2026-03-02.jsonl"


def git(root, *args):
    done = subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def count(root):
    return int(git(root, "rev-list", "--count", "HEAD"))


def dirty(root):
    return sorted(line[3:] for line in git(root, "status", "--porcelain=v1", "-uall").splitlines())


@pytest.fixture
def ticks(koog, workspace):
    """Return a call that makes a tick of some hours after the start, and whether it made a commit."""

    def tick(hours, *args):
        code, line = koog("--now", (START + timedelta(hours=hours)).isoformat(), "tick", *args)
        assert (code, line["degraded"]) == (0, []), line
        return "commit" in line["_meta"]

    assert tick(0)  # the workspace's own files, and the first tick's
    return tick


def test_quiet_ticks_are_a_commit_each_six_hours_and_nothing_of_a_log_waits_longer(ticks, workspace):
    before, made = count(workspace), []
    for half in range(1, 27):
        if ticks(half / 2):
            made.append(half)
        waiting = git(workspace, "diff", "HEAD", "--", "memory/meta/audit.log")
        lines = [line[1:18] for line in waiting.splitlines() if line.startswith("+20")]
        now = START + timedelta(hours=half / 2)
        assert all(now - datetime.fromisoformat(f"{line[:16]}:00+00:00") < timedelta(hours=6) for line in lines)
    assert count(workspace) - before == len(made)
    assert made == [13, 25]  # half hours: six hours after the first line that rested, each time


def test_without_rest_each_tick_is_a_commit(ticks, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_REST_HOURS", "0")
    assert [ticks(half / 2) for half in range(1, 4)] == [True] * 3


def test_a_log_that_rests_rides_along_with_any_commands_commit(ticks, koog, workspace):
    assert not ticks(0.5)
    assert LOG in dirty(workspace)
    now = (START + timedelta(hours=0.6)).isoformat()
    code, line = koog("--now", now, "teach", "The deploy key lies in the vault.", "--type", "decision")
    assert code == 0 and line["_meta"]["commit"]
    assert dirty(workspace) == []
    assert git(workspace, "log", "-1", "--format=%an") != "Test"  # koog's own, and no person's
    assert "tick" in git(workspace, "show", "HEAD", "--", LOG)


def test_a_tick_with_something_to_tell_commits_what_rested(ticks, workspace):
    assert not ticks(0.5)
    note = workspace / "memory/2026-03-02.md"
    note.write_text("- ENOSPC from Metro again: fixed by raising fs.inotify.max_user_watches to 524288.\n")
    assert ticks(1, "--idle")
    assert dirty(workspace) == ["memory/2026-03-02.md"]  # the person's own


def test_what_somebody_else_did_to_a_log_does_not_rest(sealed, ticks, workspace):
    assert not ticks(0.5)
    with (workspace / LOG).open("a") as file:
        file.write('{"_type":"theirs"}\n')
    before = count(workspace)
    ticks(1)
    assert count(workspace) > before
    assert "Actor: manual" in git(workspace, "log", "--format=%B")


def test_a_backup_that_is_asked_for_takes_the_logs(ticks, koog, workspace):
    assert not ticks(0.5)
    code, line = koog("--now", (START + timedelta(hours=0.6)).isoformat(), "backup", "--no-push")
    assert code == 0 and LOG in line["files"] and line["commit"]


def test_yesterdays_log_rides_along_after_midnight(ticks, koog, workspace):
    ticks(18.2)
    assert not ticks(23.8)
    assert not ticks(24.0)
    assert LOG in dirty(workspace)
    now = (START + timedelta(hours=24.1)).isoformat()
    assert koog("--now", now, "teach", "The deploy key lies in the vault.", "--type", "decision")[0] == 0
    assert dirty(workspace) == []


def test_a_log_that_rests_is_no_alarm_and_nothing_due(ticks, koog, workspace):
    assert not ticks(0.5)
    code, line = koog("--now", (START + timedelta(hours=0.6)).isoformat(), "status")
    assert code == 0 and line["git"]["uncommitted"] > 0
    assert "uncommitted" not in [row["what"] for row in line["due"]]


def test_a_clock_that_went_back_lets_nothing_rest_for_ever(ticks, workspace):
    assert not ticks(5)
    assert ticks(2)


def test_without_the_state_root_a_quiet_tick_rests_as_well(ticks, workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    first = ticks(0.5)
    made = [first, *(ticks(half / 2) for half in range(2, 8))]
    assert sum(made) <= 2


def test_a_log_that_rested_too_long_is_committed_by_the_next_tick(ticks, workspace):
    assert not ticks(0.5)
    rested = (workspace / LOG).read_text()
    assert ticks(40)
    assert git(workspace, "show", f"HEAD:{LOG}") == rested.strip()
