"""Rounds of a conversation that grows while `observe`, `recover` and `watch` are killed at their work.

Six of them here; KOOG_ROUNDS=100 makes it as many. Afterwards each thing that was
said stands in observations.md once.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections import Counter
from pathlib import Path

from tests import warm
from tests.conftest import git, process
from tests.fakes.watching import NOW, configure, grow, said

ROUNDS = int(os.environ.get("KOOG_ROUNDS", "6"))
TEXTS = 2  # said in each round
NO_BUDGET = {"KOOG_PROVIDER_API_KEY_ENV": "null", "KOOG_BUDGET_TOKENS_PER_DAY": "0"}  # `recover` keeps turns raw then


def one_round(number: int, *, chance: random.Random, takes_s: float | None, workspace: Path, home: Path) -> int:
    """Say something while both are at work, kill some of them at any moment; return how many."""
    recovers = chance.random() < 0.4
    first = ("recover",) if recovers else ("observe",)
    children = [
        warm.Process(*NOW, *first, cwd=workspace, **(NO_BUDGET if recovers else {})),
        warm.Process(*NOW, "watch", "--once", cwd=workspace),
    ]
    grow(home, said(TEXTS, first=TEXTS * number), first=TEXTS * number)
    victims = {child: chance.uniform(0.2, 1.0) * takes_s for child in children if takes_s and chance.random() < 0.7}
    begun = time.monotonic()
    for child, moment in sorted(victims.items(), key=lambda pair: pair[1]):
        time.sleep(max(0.0, begun + moment - time.monotonic()))
        child.send_signal(signal.SIGKILL)
    for child in children:
        _, err = child.communicate(timeout=120)
        assert child.returncode in (0, 9) or child in victims, err  # 9: the other one observes
    return sum(child.returncode == -signal.SIGKILL for child in children)


def test_whatever_is_killed_each_turn_is_observed_once(workspace, alone):
    chance = random.Random(20260228)
    configure(workspace, entries=1, cooldown_s=0)
    grow(alone, said(TEXTS))
    process(*NOW, "observe", cwd=workspace)
    takes_s, kills, number = None, 0, 1

    while number < ROUNDS or (kills < ROUNDS // 3 and number < 4 * ROUNDS):
        begun = time.monotonic()
        killed = one_round(number, chance=chance, takes_s=takes_s, workspace=workspace, home=alone)
        if not killed:  # nobody disturbed it: the machine is as busy as that now
            takes_s = time.monotonic() - begun
        kills += killed
        number += 1
    last = process(*NOW, "observe", cwd=workspace)

    assert kills >= ROUNDS // 3, "the rounds did not do what they are for"
    assert last.returncode == 0, last.stdout
    found = Counter(re.findall(r"that service-(\d+) runs", (workspace / "memory/observations.md").read_text()))
    assert found == {str(n): 1 for n in range(TEXTS * number)}
    assert json.loads((workspace / "memory/meta/cursors.json").read_text())["observe"]["partly"] == {}
    assert git(workspace, "fsck", "--strict", "--no-dangling") == ""
    assert not list((workspace / "memory").rglob("*.tmp"))
