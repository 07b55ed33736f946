"""git's process is ended with all its children, whatever is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from koog.core.git import process

zombies = pytest.mark.skipif(not hasattr(os, "waitid"), reason="macOS has it from Python 3.13 on")


def started(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL)


def ended(pid: int) -> None:
    """Wait until a process has ended; nobody has asked how, so it is a zombie."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


@zombies
def test_a_group_of_nothing_but_a_zombie_is_ended():
    with started("true") as running:
        ended(running.pid)

        process.end_group(running)

    assert running.returncode == 0


def test_a_group_that_is_gone_is_ended():
    with started("true") as running:
        running.wait()

        process.end_group(running)

    assert running.returncode == 0


@zombies
def test_where_a_group_of_zombies_may_not_be_signalled_as_on_macos_it_is_ended(monkeypatch: pytest.MonkeyPatch):
    def as_on_macos(group: int, number: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "killpg", as_on_macos)
    with started("true") as running:
        ended(running.pid)

        process.end_group(running)

    assert running.returncode == 0


def is_alive(stat: Path) -> bool:
    """Return whether a process is there, and no zombie."""
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_child_that_is_deaf_to_the_first_signal_is_killed_with_its_own_child(tmp_path: Path):
    script = "trap '' TERM; sleep 600 & echo $! >\"$1\"; wait"
    with started("sh", "-c", script, "sh", str(tmp_path / "pid")) as running:
        until = time.monotonic() + 60
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
            assert time.monotonic() < until
            time.sleep(0.02)

        process.end_group(running)

    assert running.returncode == -signal.SIGKILL
    stat = Path(f"/proc/{int((tmp_path / 'pid').read_text())}/stat")
    while is_alive(stat):  # a signal that was sent takes effect when the kernel comes to it
        assert time.monotonic() < until
        time.sleep(0.02)
