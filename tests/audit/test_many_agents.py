"""Eight agents propose, the main one decides, and all of them are killed while they work.  [moltbot §13]

A few rounds here; KOOG_ROUNDS=100 makes it as many, KOOG_SEED=7 others than these.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from koog.core.proposal_form import read
from tests import warm
from tests.conftest import git, process, registered

ROUNDS = max(3, int(os.environ.get("KOOG_ROUNDS", "3")))
SEED = int(os.environ.get("KOOG_SEED", "13"))
AGENTS = 8
FILE = "memory/meta/pending-memories.md"
HAND = "\n## Proposal #1\n- **From**: hand\n- **Content**: by hand in round {}\n"


def answer(child: warm.Process) -> dict[str, object] | None:
    """Return the line of a command that came to its end, None of one that was killed before."""
    out, _ = child.communicate(timeout=120)
    with suppress(ValueError):
        line = json.loads(out)
        return line if line["ok"] else None
    return None


def one_round(number: int, chance: random.Random, cwd: Path) -> dict[int, str]:
    """Let every agent propose, the main one commit or reject, and kill some; return what was acknowledged."""
    told = [f"agent {n} says {number * 7919 + n} in round {number}" for n in range(AGENTS)]
    begun = time.monotonic()
    agents = [
        warm.Process("--agent", f"a{n}", "propose", content, "--store", "episodic", cwd=cwd)
        for n, content in enumerate(told)
    ]
    waiting = [each.number for each in read((cwd / FILE).read_text())] if (cwd / FILE).exists() else []
    chosen = str(chance.choice(waiting) or 1) if waiting else "1"
    call = ("commit", chosen) if chance.random() < 0.7 else ("reject", chosen, "--why", "no")
    children = [*agents, warm.Process("review", *call, cwd=cwd)]
    moments = sorted((begun + chance.uniform(0.05, 1.5), n) for n in chance.sample(range(AGENTS + 1), 4))
    for moment, n in moments:
        time.sleep(max(0.0, moment - time.monotonic()))
        children[n].send_signal(signal.SIGKILL)
    with (cwd / FILE).open("a") as file:  # another program appends what it proposes, with a number that is taken
        file.write(HAND.format(number))
    lines = [answer(child) for child in children]
    return {int(str(line["id"])): told[n] for n, line in enumerate(lines[:AGENTS]) if line}


def test_ids_are_unique_and_nothing_is_lost_under_kills(workspace):
    registered(workspace)
    (workspace / "memory/meta").mkdir(exist_ok=True)
    chance = random.Random(SEED)
    acknowledged: dict[int, str] = {}

    for number in range(ROUNDS):
        for id_, content in one_round(number, chance, workspace).items():
            assert acknowledged.setdefault(id_, content) == content, f"#{id_} twice"
    done = process("--agent", "last", "propose", "the last word", cwd=workspace)

    assert done.returncode == 0, done.stderr
    entries = read((workspace / FILE).read_text())
    numbers = [each.number for each in entries]
    audit = (workspace / "memory/meta/audit.log").read_text()
    proposed = re.findall(r"\| PROPOSE \|.*\| proposal #(\d+) from", audit)
    gone = {int(n) for n in re.findall(r"(?:accepted|rejected) (?:proposal )?#(\d+)", audit)}
    stored = "".join(path.read_text() for path in (workspace / "memory/episodes").glob("*.md"))
    rejected = {int(n) for n in re.findall(r"rejected proposal #(\d+)", audit)}
    standing = {each.number: each.content for each in entries}
    assert len(set(numbers)) == len(numbers) and None not in numbers
    assert len(set(proposed)) == len(proposed)
    assert not gone & set(numbers)
    assert len([e for e in entries if e.author == "hand"]) + stored.count("by hand") + len(rejected) >= ROUNDS
    for id_, content in acknowledged.items():
        assert standing.get(id_) == content or content in stored or id_ in rejected, (id_, content)
    highest = json.loads(done.stdout)["id"]
    assert set(range(1, highest + 1)) == set(numbers) | gone  # no number was left out
    assert json.loads(process("audit", "verify", cwd=workspace).stdout)["verdict"] == "intact"
    assert "error" not in git(workspace, "fsck", "--no-dangling")
