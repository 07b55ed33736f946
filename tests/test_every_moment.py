"""One command, stopped at every moment in which it touches the disk: killed there, or told that the disk fails.

What the next koog then finds is the workspace as it was, or with the whole change
in it: never a playbook that was curated beside findings that still wait.

The moments are the system's: from the first file that is opened for writing, each
file that is opened, each write, sync and rename. A child of this process is stopped
at the n-th of them, for every n.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked
from tests.logs import note, playbook, snapshot

NOW = ("--now", "2026-02-28T12:00:00Z")
LEDGER = "memory/meta/usage.jsonl"
ENTRY = json.dumps({"tickId": "t1", "feedbackScores": None, "actionsConsidered": [], "signals": ["a quiet day"]})
COMMANDS = {
    "log": ("log", "--entry", ENTRY),  # two logs grow
    "mine": ("mine",),  # cursors, mining index, effective playbook, proposals
    "curate": ("curate",),  # playbook, archive, effective playbook, cursors
}


class Moments:
    """Counts what this process does to files, and stops it at one of them."""

    def __init__(self, stop: Callable[[], None], at: int, root: Path) -> None:
        self.stop, self.at, self.root, self.seen, self.begun = stop, at, str(root), 0, False
        sys.addaudithook(self.heard)
        for name in ("write", "fsync", "ftruncate"):
            setattr(os, name, self.counted(getattr(os, name)))

    def heard(self, event: str, args: tuple[object, ...]) -> None:
        if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.link") and str(args[0]).startswith(self.root):
            self.begun = self.begun or event != "open" or bool(int(str(args[2])) & os.O_CREAT)
            self.count()

    def counted(self, call: Callable[..., object]) -> Callable[..., object]:
        def counting(*args: object) -> object:
            if args[0] not in (1, 2):
                self.count()
            return call(*args)

        return counting

    def count(self) -> None:
        self.seen += self.begun
        if self.begun and self.seen == self.at:
            self.stop()

    def told(self) -> int:
        """Return how many there were; from here on nothing is stopped."""
        self.at = 0
        return self.seen


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def run(folder: Path, *argv: str, stop: Callable[[], None] = kill, at: int = 0) -> tuple[int, int, str]:
    """Run a command in a child that is stopped at a moment, or at none; return exit code, moments and stdout."""

    def watched() -> Callable[[], int]:
        moments = Moments(stop, at, folder)
        return moments.told

    return forked.run(*argv, first=watched)


@pytest.fixture
def ready(workspace, koog, monkeypatch):
    """A small workspace with something for each command to do, its logs begun, and no git to slow things down."""
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    playbook(workspace, "# Sinain Playbook", "", "## Patterns", "- Raise the watcher limit (score: 0.5)")
    note(workspace, "2026-02-27.md", "- ENOSPC from Metro: fixed by raising fs.inotify.max_user_watches to 524288.\n")
    assert koog(*NOW, "module", "activate", "react-native-dev")[0] == 0
    assert koog(*NOW, "mine")[1]["newPatterns"]
    note(workspace, "2026-02-28.md", "- Mika prefers one pull request per fix.\n- CI fails: fixed by pinning pnpm 9.\n")
    return workspace


def restored(folder: Path, files: dict[str, bytes]) -> None:
    for path in snapshot(folder).keys() - files.keys():
        (folder / path).unlink()
    for path, data in files.items():
        (folder / path).write_bytes(data)
    for name in ("journal.json", "failures.jsonl"):
        (folder / ".koog" / name).unlink(missing_ok=True)


def as_next_koog_finds_it(folder: Path) -> dict[str, bytes]:
    code, _, out = run(folder, "playbook", "show")
    assert code == 0, out
    return {path: data for path, data in snapshot(folder, without=[LEDGER]).items() if not path.endswith(".koog.tmp")}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("stop", [kill, fail], ids=["killed", "disk fails"])
def test_at_every_moment_a_command_has_changed_nothing_or_everything(ready, name, stop):
    command = (*NOW, *COMMANDS[name])
    before = as_next_koog_finds_it(ready)
    code, moments, _ = run(ready, *command)
    after = as_next_koog_finds_it(ready)
    assert code == 0
    assert len({path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}) >= 2
    seen = {"before": 0, "after": 0}

    for at in range(1, moments + 1):
        restored(ready, before)
        code, _, out = run(ready, *command, stop=stop, at=at)
        found = as_next_koog_finds_it(ready)

        assert found in (before, after), differing(at, found, before, after)
        seen["after" if found == after else "before"] += 1
        if stop is fail:
            line = json.loads(out)
            assert code in (0, 8), (at, line)
            assert (line["ok"], line["ok"]) == (code == 0, found == after), (at, line)
        elif code == 0:
            break  # a folder that the first run made stands already: fewer moments

    assert seen["before"] > 5
    assert seen["after"] > 0


def differing(at: int, found: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes]) -> str:
    kinds = {
        path: "old" if found.get(path) == before.get(path) else "new" if found.get(path) == after.get(path) else "other"
        for path in found.keys() | before.keys() | after.keys()
        if not found.get(path) == before.get(path) == after.get(path)
    }
    return f"stopped at {at}: {kinds}"
