"""A disk that is full, a folder that may only be read, as whole processes: one line, nothing half done."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked, warm
from tests.conftest import git
from tests.logs import note, snapshot

NOW = ("--now", "2026-02-28T12:00:00Z")
NOBODY = 65534
ENTRY = json.dumps(
    {"tickId": "t1", "feedbackScores": None, "actionsConsidered": [], "sessionHistorySummary": "x" * 3000}
)
WRITING = [
    ("log", "--entry", ENTRY),
    ("mine",),
    ("tick", "--idle"),
    ("curate",),
    ("module", "activate", "react-native-dev"),
]


def the_line(done: subprocess.CompletedProcess[bytes]) -> dict:
    assert len(done.stdout.splitlines()) == 1, (done.stdout, done.stderr)
    assert b"Traceback" not in done.stderr
    line = json.loads(done.stdout)
    assert line["ok"] is (done.returncode == 0)
    return line


@pytest.mark.wide(8)
@pytest.mark.parametrize("argv", WRITING, ids=lambda argv: " ".join(argv[:2])[:20])
@pytest.mark.parametrize("size", [0, 64, 400, 1500])
def test_a_full_disk_leaves_everything_as_it_was_or_the_whole_change(sample, argv, size):
    """`ulimit -f`: a write beyond the size fails as it does on a full disk, also in the git that koog starts."""
    before = snapshot(sample)

    line = the_line(warm.run(*NOW, *argv, cwd=sample, file_size=size))

    assert line["ok"] or line["error"]["code"] == "workspace"
    found = snapshot(sample)
    if not line["ok"] and argv[0] != "tick":
        assert found == before
    assert [path for path in found if path.endswith(".koog.tmp")] == []
    for path in before.keys() & found.keys():
        if path.endswith(".json"):
            json.loads(found[path])
    assert git(sample, "fsck", "--strict", "--no-dangling") == ""
    again = the_line(warm.run(*NOW, *argv, cwd=sample))
    assert again["ok"], again


def test_of_a_line_that_a_full_disk_takes_half_of_nothing_stays(workspace):
    """The log alone is as large as the disk lets a file become: all else that the command writes has room."""
    log = workspace / "memory/playbook-logs/2026-02-28.jsonl"
    log.parent.mkdir()
    log.write_text(json.dumps({"_type": "note", "text": "x" * 30_000}) + "\n")
    before = snapshot(workspace)

    line = the_line(warm.run(*NOW, *WRITING[0], cwd=workspace, file_size=log.stat().st_size + 100))

    assert line["error"]["code"] == "workspace"
    assert snapshot(workspace) == before
    assert the_line(warm.run(*NOW, *WRITING[0], cwd=workspace))["ok"]


def as_nobody(*argv: str) -> tuple[int, dict]:
    """Run koog as a user who owns nothing here."""

    def become() -> Callable[[], int]:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return lambda: 0

    code, _, out = forked.run(*NOW, *argv, first=become)
    line = json.loads(out)
    assert line["ok"] is (code == 0)
    return code, line


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("argv", [*WRITING, ("backup",)], ids=lambda argv: " ".join(argv[:2])[:20])
def test_a_folder_that_may_only_be_read_is_said_and_left_alone(sample, argv):
    note(sample, "2026-02-28.md", "- Mika prefers one pull request per fix.\n")
    readable(sample)
    before = snapshot(sample)

    _, line = as_nobody(*argv)

    assert line["error"]["code"] == "workspace", line
    assert snapshot(sample) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("argv", [("status",), ("playbook", "show"), ("module", "list"), ("usage",), ("doctor",)])
def test_reading_needs_no_leave_to_write(sample, argv):
    readable(sample)

    code, line = as_nobody(*argv)

    assert code == 0, line


def readable(folder: Path) -> None:
    """Let everybody read down to a folder and in it, and nobody but the owner write."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    for parent in list(folder.parents)[:-1]:
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
