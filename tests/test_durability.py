"""Rounds of commands that are killed while they work, and a person who saves the playbook all the while.

Some of them here; KOOG_ROUNDS=200 makes it as many.

Afterwards nothing that was acknowledged is missing: no log entry whose receipt was
printed, no save of the person's, and no file is torn.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import git, process, registered

ROUNDS = int(os.environ.get("KOOG_ROUNDS", "5"))
ENOUGH = min(10, ROUNDS - 1)  # kills, and receipts: with fewer there are more rounds
PLAYBOOK = "memory/sinain-playbook.md"

# Saves by turns as editors do: a new file renamed over the old one, or the old one written anew.
PERSON = r"""
import os, re, select, sys
path, number, missing = sys.argv[1], 0, []
while not select.select([sys.stdin], [], [], 0.02)[0]:
    with open(path) as file:
        text = file.read()
    if number and f"<!-- saved: {number} -->" not in text:
        missing.append(number)
    number += 1
    text = f"<!-- saved: {number} -->\n" + re.sub(r"<!-- saved: \d+ -->\n", "", text)
    target = path if number % 2 else path + "~"
    with open(target, "w") as file:
        file.write(text)
    if target != path:
        os.replace(target, path)
    print(number, flush=True)
print("missing", *missing, flush=True)
"""


@dataclass
class Person:
    """The process that saves, and what it said."""

    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)

    def listen(self) -> None:
        for line in self.process.stdout:
            self.said.append(line.strip())

    @property
    def missed(self) -> list[int]:
        """The saves that were not there any more when the person looked again."""
        return [int(n) for n in self.said[-1].split()[1:]]

    @property
    def last(self) -> int:
        return int(self.said[-2])


@pytest.fixture
def person(sample):
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", PERSON, str(sample / PLAYBOOK)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as started:
        found = Person(started)
        listener = threading.Thread(target=found.listen)
        listener.start()
        yield found
        with suppress(OSError):
            started.stdin.close()
        listener.join()


def stop(person: Person) -> None:
    person.process.stdin.close()
    person.process.wait(timeout=120)
    while not person.said[-1].startswith("missing"):
        time.sleep(0.01)


def entry(tick_id: str) -> str:
    return json.dumps({"tickId": tick_id, "feedbackScores": None, "actionsConsidered": [], "signals": ["ENOSPC again"]})


def time_of(number: int) -> str:
    """Return the time of a round: all of them on one day."""
    return f"2026-02-28T{8 + number // 60:02}:{number % 60:02}:00Z"


def one_round(number: int, *, chance: random.Random, takes_s: float | None, cwd: Path) -> tuple[list[str], int]:
    """Run log, curate and mine at once, kill some of them; return the receipts that were printed and the kills.

    takes_s   how long a round takes that nobody disturbs; None: this is it
    """
    (cwd / f"memory/2026-02-28-round-{number}.md").write_text(
        f"- Learned: the watcher of round {number} needs a higher inotify limit before it starts\n"
    )
    now = ("--now", time_of(number))
    children = [
        warm.Process(*now, "log", "--entry", entry(f"t{number}"), cwd=cwd),
        warm.Process(*now, "curate", cwd=cwd),
        warm.Process(*now, "mine", cwd=cwd),
    ]
    victims = {child: chance.uniform(0.2, 1.0) * takes_s for child in children if takes_s and chance.random() < 0.6}
    begun = time.monotonic()
    for child, moment in sorted(victims.items(), key=lambda pair: pair[1]):
        time.sleep(max(0.0, begun + moment - time.monotonic()))
        child.send_signal(signal.SIGKILL)
    receipts, killed = [], 0
    for child in children:
        out, err = child.communicate(timeout=120)
        killed += child.returncode == -signal.SIGKILL
        # 9: the person saved again and again at just that moment
        assert child.returncode in (0, 9) or child in victims, err
        if out.endswith(b"\n") and (line := json.loads(out)).get("receipt"):
            receipts.append(line["receipt"])
    return receipts, killed


def test_nothing_acknowledged_is_lost_when_commands_are_killed_and_a_person_saves(sample, person):
    registered(sample, git_backup="all")
    chance = random.Random(20260228)
    takes_s, receipts, kills, number = None, [], 0, 0

    while number < ROUNDS or (min(kills, len(receipts)) < ENOUGH and number < 4 * ROUNDS):
        begun = time.monotonic()
        printed, killed = one_round(number, chance=chance, takes_s=takes_s, cwd=sample)
        if not killed:  # nobody disturbed it: the machine is as busy as that now
            takes_s = time.monotonic() - begun
        receipts += printed
        kills += killed
        number += 1
    stop(person)
    after = process("--now", time_of(number), "tick", "--idle", "--session-summary", "It is quiet.", cwd=sample)
    backup = process("--now", time_of(number), "backup", "--no-push", cwd=sample)

    assert min(kills, len(receipts)) >= ENOUGH, "the rounds did not do what they are for"
    assert after.returncode == 0, after.stdout
    assert json.loads(after.stdout)["degraded"] == [], after.stdout
    assert backup.returncode == 0, backup.stdout
    assert_every_receipt_is_kept(sample, receipts)
    assert_every_save_is_kept(sample, person)
    assert_no_file_is_torn(sample, kills)
    assert git(sample, "fsck", "--strict", "--no-dangling") == ""
    assert git(sample, "status", "--porcelain") == ""
    assert not [name for name in git(sample, "ls-files").splitlines() if name.endswith((".tmp", "~"))]


def assert_every_receipt_is_kept(folder: Path, receipts: list[str]) -> None:
    lines = (folder / "memory/playbook-logs/2026-02-28.jsonl").read_text().splitlines()
    kept = {sha256(line.encode()).hexdigest()[:12] for line in lines}
    assert [r for r in receipts if r.rpartition("#")[2] not in kept] == []
    assert len(set(receipts)) == len(receipts)


def assert_every_save_is_kept(folder: Path, person: Person) -> None:
    """A command that was killed between displacing a save and putting it back leaves it in `.koog/recovered`."""
    kept = [folder / PLAYBOOK, *(folder / ".koog").glob("recovered/*"), *(folder / "memory").glob(".*.tmp")]
    texts = [path.read_text() for path in kept]
    assert person.last > ROUNDS
    for number in [person.last, *person.missed]:
        assert any(f"<!-- saved: {number} -->" in text for text in texts), f"save {number} of {person.last} is lost"


def assert_no_file_is_torn(folder: Path, kills: int) -> None:
    playbook = (folder / PLAYBOOK).read_text()
    assert "# Sinain Playbook" in playbook
    assert re.search(r"<!-- mining-index: [\d,-]+ -->", playbook)
    assert len(re.findall("^## ", playbook, re.MULTILINE)) == 4
    for path in (folder / "memory").rglob("*.json"):
        json.loads(path.read_text())
    torn = 0
    for path in (folder / "memory").rglob("*.jsonl"):
        torn += sum(not is_json(line) for line in path.read_text().splitlines())
    assert torn <= kills  # an append that was cut, ended by the next one
    audit = (folder / "memory/meta/audit.log").read_text()
    assert audit.endswith("\n")
    assert sum(line.count(" | ") != 5 for line in audit.splitlines()) <= kills


def is_json(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False
