"""Nothing that honest life does to a workspace is taken for tampering.  [moltbot §12]

Several koogs write and are killed, one of them in a sandbox, while a person edits and commits, another program appends,
and a second clone, with a koog and a state root of its own, is worked in, pushed from and merged. A few rounds here;
KOOG_ROUNDS=500 makes it as many, KOOG_SEED=7 others than these.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from koog.audit import alerts
from tests import warm
from tests.conftest import git, process, registered

ROUNDS = int(os.environ.get("KOOG_ROUNDS", "4"))
SEED = int(os.environ.get("KOOG_SEED", "21"))
LOOKED = 10  # rounds between two looks
BRANCH = "elsewhere"
NOTE = "memory/2026-11-20.md"


class Life:
    """One workspace with whoever works in it."""

    def __init__(self, here: Path, clone: Path, chance: random.Random) -> None:
        self.here, self.clone, self.chance = here, clone, chance
        state = os.environ["XDG_STATE_HOME"]
        self.sandbox = {"XDG_STATE_HOME": f"{state}-of-the-sandbox"}
        self.second = {"XDG_STATE_HOME": f"{state}-2", "XDG_CONFIG_HOME": f"{os.environ['XDG_CONFIG_HOME']}-2"}

    def koogs(self, n: int) -> list[warm.Process]:
        """Begin some commands at once."""
        own = [
            ("remember", f"Person{n % 7} likes thing{n}", "--explicit"),
            ("--agent", "coder", "propose", f"thing {n} is done", "--store", "episodic"),
            ("tick", "--idle"),
            ("backup",),
            ("decay", "run"),
            ("audit", "log"),
            ("review", "reject", str(self.chance.randrange(1, n + 2)), "--why", "no"),
        ]
        inside = ("remember", f"Boxed{n} likes thing{n}", "--explicit")
        begun = [warm.Process(*call, cwd=self.here) for call in self.chance.sample(own, 3)]
        begun.append(warm.Process(*inside, cwd=self.here, **self.sandbox))
        begun.append(warm.Process("remember", f"Far{n} likes thing{n}", "--explicit", cwd=self.clone, **self.second))
        return begun

    def others(self, n: int) -> None:
        """Do what a person and another program do meanwhile."""
        with (self.here / NOTE).open("a") as file:
            file.write(f"- Build {n} failed with ENOSPC; fixed by make clean.\n")
        entity = next(iter(sorted((self.here / "memory/graph/entities").glob("*.md"))), None)
        if entity and n % 2:
            with suppress(FileNotFoundError), entity.open("a") as file:
                file.write(f"\nBy hand, {n}.\n")
        (self.here / "mine.txt").write_text(f"{n}\n")
        if n % 3 == 0:
            quietly(self.here, "add", "mine.txt")
            quietly(self.here, "commit", "-qm", f"mine {n}", "--", "mine.txt")

    def exchange(self, n: int) -> None:
        """Push from the clone, and merge that here as a person does who keeps what stands here."""
        quietly(self.clone, "push", "-qf", "origin", f"HEAD:refs/heads/{BRANCH}")
        if n % 2:
            quietly(self.here, "merge", "-q", "-s", "ours", "--no-edit", BRANCH)


def quietly(folder: Path, *words: str) -> None:
    """Run git as a person does while koog works: what it refuses right now is tried another day."""
    subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)


def line(*argv: str, cwd: Path, **env: str) -> dict[str, Any]:
    child = warm.Process(*argv, cwd=cwd, **env)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, (out, err)
    return dict(json.loads(out))


def calm(life: Life, n: int) -> None:
    for folder, env in ((life.here, {}), (life.clone, life.second)):
        said = line("audit", "verify", cwd=folder, **env)
        assert (said["verdict"], said["found"]) in (("intact", []), ("unsealed", [])), (n, folder, said)
        rows = line("audit", "alerts", cwd=folder, **env)["alerts"]
        assert [row for row in rows if row["kind"] == alerts.INTEGRITY] == [], n


def test_no_round_of_honest_life_and_kills_is_an_alarm(workspace: Path, tmp_path: Path, monkeypatch):
    registered(workspace)
    assert process("remember", "Ada works at Nine", "--explicit", cwd=workspace).returncode == 0
    clone = tmp_path / "clone"
    git(workspace, "clone", "-q", str(workspace), str(clone))
    (clone / ".koog").mkdir(exist_ok=True)
    life = Life(workspace, clone, random.Random(SEED))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in life.second.items():
            patch.setenv(name, value)
        registered(clone)

    for n in range(ROUNDS):
        begun = time.monotonic()
        children = life.koogs(n)
        moments = sorted((begun + life.chance.uniform(0.02, 0.8), at) for at in life.chance.sample(range(5), 3))
        life.others(n)
        for moment, at in moments:
            time.sleep(max(0.0, moment - time.monotonic()))
            children[at].send_signal(signal.SIGKILL)
        for child in children:
            child.communicate(timeout=120)
        life.exchange(n)
        if n % LOOKED == LOOKED - 1 or n == ROUNDS - 1:
            calm(life, n)

    for folder in (workspace, clone):
        assert "error" not in git(folder, "fsck", "--no-dangling")
    head = line("audit", "verify", cwd=workspace)["segments"][0]
    elsewhere = line("audit", "verify", cwd=clone, **life.second)["segments"][0]
    assert head["lines"] == 0 < elsewhere["lines"]  # the clone's own segment says what it took over
