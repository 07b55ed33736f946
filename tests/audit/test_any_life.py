"""Any life goes back to any of its moments, and forward again.  [moltbot §12.8]

Commands of every kind that writes, a person's own work, rollbacks and their undoing, in an order that dice make. Each
lies hours after the one before, so that a time names one. One life here; KOOG_ROUNDS=20 makes it as many.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.audit.tools import verified
from tests.conftest import Koog, registered
from tests.fakes.sessions import claude_session
from tests.topics.topic_files import put, topic_file

LIVES = int(os.environ.get("KOOG_ROUNDS", "1"))
STEPS = 24
RN = "react-native-dev"
BEGINS = datetime(2030, 2, 1, 1, tzinfo=UTC)
# What tells of the past, or which lines were read; a person's own; what is reckoned anew for the present.
KEPT = r"memory/(?:meta/(?:audit|usage|cursors\.json).*|\d{4}-.*|procedures/how-to-mine.*)|\.git/.*|\.koog/.*|mine\.md"
ANEW = r"memory/(?:meta/(?:decay-scores\.json|access.*)|graph/index\.md)"
RECKONED = rb"<!-- Decay score: .*? -->"
NOTES = (
    "Build {} failed with ENOSPC; fixed by make clean.",
    "Decided: releases of app{} go out on Tuesdays.",
    "Always run linter{} before a commit.",
    "The cache key lacked tenant {}; fixed by adding it.",
)
SAID = ("We decided to use Postgres {} for billing.", "Never push directly to branch{}.", "I prefer tool{} over make.")

Files = dict[str, bytes]


class Life:
    """One workspace, and what has become of it."""

    def __init__(self, home: Path, workspace: Path, koog: Koog, dice: random.Random) -> None:
        self.home, self.workspace, self.koog, self.dice = home, workspace, koog, dice
        self.at, self.step = BEGINS, 0
        self.states: list[tuple[str, Files]] = []
        self.mine: list[str] = []

    def run(self, *words: str) -> dict:  # type: ignore[type-arg]
        return self.koog(*words, "--now", self.at.isoformat())[1]

    def go_on(self) -> None:
        self.step += 1
        self.at += timedelta(hours=4)
        KINDS[self.dice.choice(sorted(KINDS))](self)
        if self.dice.random() < 0.3:
            self.back()
        self.states.append(((self.at + timedelta(minutes=30)).isoformat(), self.files()))

    def back(self) -> None:
        """Go back to some moment; now and then undo that."""
        if not self.states:
            return
        at, wanted = self.dice.choice(self.states)
        before = self.files()
        undo = self.rollback("time", at)["undo"]
        assert self.files() == wanted, at
        if undo and self.dice.random() < 0.6:
            self.rollback(*undo.split()[2:])
            assert self.files() == before, undo

    def rollback(self, *words: str) -> dict:  # type: ignore[type-arg]
        plan = self.run("rollback", *words)
        done = self.run("rollback", *words, "--confirm", plan["plan"])
        assert done["ok"] and [row for row in done["files"] if row["action"] == "keep"] == [], done
        return done

    def files(self) -> Files:
        """Return every file that a rollback brings back, without what is reckoned anew; accesses in one."""
        names = {p.relative_to(self.workspace).as_posix(): p for p in self.workspace.rglob("*") if p.is_file()}
        there = {name: path.read_bytes() for name, path in names.items() if not re.fullmatch(KEPT, name)}
        rows = [row for name, data in there.items() if "/meta/access" in name for row in data.splitlines()]
        found = {n: re.sub(RECKONED, b"", data) for n, data in there.items() if not re.fullmatch(ANEW, n)}
        return {**found, "accesses": b"\n".join(sorted(rows))}

    # What happens

    def remember(self) -> None:
        self.run("remember", f"Person{self.dice.randrange(4)} likes thing{self.step}", "--explicit")

    def to_core(self) -> None:
        self.run("remember", f"Jun prefers thing{self.step}", "--store", "core", "--block", "persona")

    def pin(self) -> None:
        self.run(self.dice.choice(["pin", "unpin"]), f"entity:person--person{self.dice.randrange(4)}")

    def tick(self) -> None:
        note = self.workspace / f"memory/{self.at.date()}.md"
        with note.open("a") as file:
            file.write(f"- {self.dice.choice(NOTES).format(self.step)}\n")
        self.run("tick", *(["--idle"] if self.dice.random() < 0.7 else []))

    def observe(self) -> None:
        claude_session(self.home, ("user", self.dice.choice(SAID).format(self.step)), cwd=self.workspace, at=self.at)
        self.run("observe", "--source", "claude")

    def reflect(self) -> None:
        self.run("reflect", "--force")

    def propose(self) -> None:
        text = f"Project Atlas deadline is March {self.dice.randrange(1, 30)}"
        self.run("--agent", self.dice.choice("ab"), "propose", text, "--entities", "project--atlas")

    def review(self) -> None:
        waiting = [str(row["id"]) for row in self.run("review", "list")["proposals"]] or ["1"]
        number, other = self.dice.choice(waiting), self.dice.choice(waiting)
        ways = (["commit", number], ["reject", number, "--why", "no"], ["defer", number], ["keep-both", number, other])
        self.run("review", *self.dice.choice(ways))

    def module(self) -> None:
        self.run("module", *self.dice.choice((["activate", RN], ["suspend", RN], ["priority", RN, "80"])))

    def topic(self) -> None:
        self.run("topic", self.dice.choice(["activate", "deactivate"]), "deploys")

    def reckon(self) -> None:
        self.run("decay", "run")

    def back_up(self) -> None:
        self.run("backup")

    def sync(self) -> None:
        """Take in what a source has of a module by now."""
        source = self.home / "source"
        shutil.copytree(self.workspace / f"modules/{RN}", source / f"modules/{RN}", dirs_exist_ok=True)
        (source / f"modules/{RN}/patterns.md").write_text(f"- clear cache {self.step} after a rename\n")
        self.run("sync", "--source", str(source))

    def by_hand(self) -> None:
        """Let a person write files of their own, which stay whatever is taken back."""
        name = f"memory/procedures/how-to-mine{self.step}.md"
        (self.workspace / "memory/procedures").mkdir(exist_ok=True)
        (self.workspace / name).write_text(f"# mine {self.step}\n")
        (self.workspace / "mine.md").write_text(f"{self.step}\n")
        self.mine.append(name)


KINDS: dict[str, Callable[[Life], None]] = {
    name: method for name, method in vars(Life).items() if not name.startswith("_") and callable(method)
}
for each in ("run", "go_on", "back", "rollback", "files"):
    del KINDS[each]


@pytest.mark.parametrize("seed", range(LIVES))
def test_any_life_goes_back_to_any_of_its_moments_and_forward_again(alone, workspace, koog, seed):
    registered(workspace)
    put(workspace, "deploys", topic_file(triggers=['{type: pattern, match: "deploy"}']))
    life = Life(alone, workspace, koog, random.Random(seed))
    assert [life.run(*words)["ok"] for words in (["module", "info", RN], ["topic", "list"], ["backup"])] == [True] * 3

    for _ in range(STEPS):
        life.go_on()

    assert [name for name in life.mine if not (workspace / name).exists()] == []
    assert verified(koog)["verdict"] == "intact"
