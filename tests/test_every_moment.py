"""One command, stopped at every moment in which it touches the disk: killed there, or told that the disk fails.

What the next koog then finds is the workspace as it was, or with the whole change
in it: never a playbook that was curated beside findings that still wait.

The moments are the system's: from the first file that is opened for writing, each
file that is opened, each write, sync and rename. A child of this process is stopped
at the n-th of them, for some n spread evenly, or for every n (KOOG_EXAMPLES=new).
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import sys
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from koog.core import forgotten
from koog.memory.store import ids
from tests import forked, inside, power
from tests.conftest import MOMENTS, registered
from tests.conftest import moments as some
from tests.logs import note, playbook, snapshot

NOW = ("--now", "2026-02-28T12:00:00Z")
LEDGER = "memory/meta/usage.jsonl"
ENTRY = json.dumps({"tickId": "t1", "feedbackScores": None, "actionsConsidered": [], "signals": ["a quiet day"]})
COMMANDS = {
    "log": ("log", "--entry", ENTRY),  # two logs grow
    "mine": ("mine",),  # cursors, mining index, effective playbook, proposals
    "curate": ("curate",),  # playbook, archive, effective playbook, cursors
    "decay": ("decay", "run"),  # scores, the log of accesses, its months
    "remember": ("remember", "Ana Ruiz lives in Lisbon, no more Berlin", "--store", "semantic", "--entity", "Ana Ruiz"),
    # an entity's file, scores, the graph's index, what is forgotten, and what --undo needs
    "forget": ("forget", "--confirm", "entity:person--ana-ruiz", "episode:2026-01-20:09:00"),
    "pin": ("pin", "core:" + ids.of_words("Prefers short replies")),  # MEMORY.md, the log of accesses
    "extract": ("extract",),  # knowledge files, MEMORY.md, entities, cursors
    "condense": ("condense", "weekly"),  # the week, MEMORY.md, cursors
}
TALK = """\
---
session_id: ses_1
started: 2026-02-27T09:00:00Z
ended: 2026-02-27T09:09:00Z
tags: []
---

# Apollo

## 09:01 — user
We decided to cut the Apollo release from main on Thursdays, because Friday rollbacks ruined two weekends.

## 09:02 — user
Lesson learned: we should have run the migration on a copy, it locked the orders table for 40 minutes.

## 09:03 — user
Mara Lindqvist is our new accountant, she used to work for the city and sits in Bergen.
"""
JOURNAL = """\
## 2026-02-18

### key-decisions
- We decided to pay the roofer in two parts <!-- dc:day=2026-02-18 dc:source=ses_0:9 -->

### general
- The boiler hums <!-- dc:day=2026-02-18 dc:source=ses_0:12 -->
"""
EPISODES = "# 2026-01-20 — Episode Log\n\n## 09:00 | event\nThe ferry was late.\n"
ACCESS = '{"ts":"2026-02-27T12:00:00Z","id":"episode:2026-01-20:09:00","op":"access","store":"episodic","why":"used"}\n'


class Moments:
    """Counts what this process does to files, and stops it at one of them."""

    def __init__(self, stop: Callable[[], None], at: int) -> None:
        self.stop, self.at, self.seen, self.begun = stop, at, 0, False
        sys.addaudithook(self.heard)
        for name in ("write", "fsync", "ftruncate"):
            setattr(os, name, self.counted(getattr(os, name)))

    def heard(self, event: str, args: tuple[object, ...]) -> None:
        # Files are opened by name in an open folder, so an event tells no path.
        writes = event != "open" or bool(int(str(args[2])) & (os.O_CREAT | os.O_WRONLY | os.O_RDWR))
        if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.link") and writes:
            self.begun = True
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


def run(*argv: str, stop: Callable[[], None] = kill, at: int = 0) -> tuple[int, int, str]:
    """Run a command in a child that is stopped at a moment, or at none; return exit code, moments and stdout."""

    def watched() -> Callable[[], int]:
        moments = Moments(stop, at)
        return moments.told

    return forked.run(*argv, first=watched)


def unstopped(*argv: str) -> int:
    """Run a command that nothing stops, here; return its exit code."""
    return inside.run(argv, cwd=Path.cwd(), env=dict(os.environ))[0]


@pytest.fixture
def ready(request, workspace, koog, monkeypatch):
    """A small workspace with something for each command to do, its logs begun, and no git to slow things down.

    It has a state root, or none.
    """
    if request.param:
        key = registered(workspace) / f"{forgotten.KEY}.json"
        key.write_text(json.dumps({forgotten.FIELD: "5a" * 32}))  # a new one would be another one each time
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    monkeypatch.setenv(
        "KOOG_KNOWLEDGE_EXTRACT_ON", "manual"
    )  # what condenses extracts first: that is a step of its own
    playbook(workspace, "# Sinain Playbook", "", "## Patterns", "- Raise the watcher limit (score: 0.5)")
    note(workspace, "2026-02-27.md", "- ENOSPC from Metro: fixed by raising fs.inotify.max_user_watches to 524288.\n")
    assert koog(*NOW, "module", "activate", "react-native-dev")[0] == 0
    assert koog(*NOW, "mine")[1]["newPatterns"]
    (workspace / "memory/episodes").mkdir()
    (workspace / "memory/graph/entities").mkdir(parents=True)
    note(
        workspace, "graph/entities/person--ana-ruiz.md", "# person--ana-ruiz\n\n## Facts\n- Ana Ruiz lives in Berlin\n"
    )
    (workspace / "MEMORY.md").write_text("# Mine\n\n## Active Context\n- Prefers short replies\n")
    note(workspace, "episodes/2026-01-20.md", EPISODES)
    assert koog("--now", "2026-02-20T12:00:00Z", "decay", "run")[1]["statuses"]["fading"] == 1
    note(workspace, "meta/access.jsonl", ACCESS)
    journals = workspace / "archive/journal"
    journals.mkdir(parents=True)
    (journals / "2026-02-18.md").write_text(JOURNAL, "utf-8")
    raw = workspace.parent / "ws-raw/conversations/2026/02/27"
    raw.mkdir(parents=True)
    (raw / "0900-ses_1-apollo.md").write_text(TALK, "utf-8")
    note(workspace, "2026-02-28.md", "- Mika prefers one pull request per fix.\n- CI fails: fixed by pinning pnpm 9.\n")
    return workspace


STATE = Path("home/state/koog")  # beside the workspace, in the test's own home


def states(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (folder.parent / STATE).glob("*/*") if path.is_file()}


def restored(folder: Path, files: dict[str, bytes], state: dict[Path, bytes]) -> None:
    for path in snapshot(folder).keys() - files.keys():
        (folder / path).unlink()
    for path, data in files.items():
        (folder / path).write_bytes(data)
    for name in ("journal.json", "failures.jsonl"):
        (folder / ".koog" / name).unlink(missing_ok=True)
    for left in states(folder).keys() - state.keys():
        left.unlink()
    for left, data in state.items():
        left.write_bytes(data)


def as_next_koog_finds_it(folder: Path) -> dict[str, bytes]:
    code, out, _ = inside.run(("playbook", "show"), cwd=folder, env=dict(os.environ))
    assert code == 0, out
    return {path: data for path, data in snapshot(folder, without=[LEDGER]).items() if not path.endswith(".koog.tmp")}


def on_disk(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """Return all that the next koog could find: the workspace, its private folder, and home with its state."""
    places = (path for top in (folder, folder.parent / "home") for path in top.rglob("*"))
    files = sorted(path for path in places if path.is_file() and ".git" not in path.relative_to(folder.parent).parts)
    return tuple((str(path), path.read_bytes()) for path in files)


@pytest.mark.parametrize(
    ("ready", "name"), [*((True, name) for name in COMMANDS), (False, "log")], indirect=["ready"], ids=str
)
@pytest.mark.parametrize("stop", [kill, fail], ids=["killed", "disk fails"])
def test_at_every_moment_a_command_has_changed_nothing_or_everything(ready, name, stop):
    command = (*NOW, *COMMANDS[name])
    before, state = as_next_koog_finds_it(ready), states(ready)
    code, moments, _ = run(*command)
    after = as_next_koog_finds_it(ready)
    assert code == 0
    assert len({path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}) >= 2
    seen = {"before": 0, "after": 0}
    known: dict[object, dict[str, bytes]] = {}  # a sync changes nothing that could be found: one look for both moments

    for at in some(moments):
        restored(ready, before, state)
        code, _, out = run(*command, stop=stop, at=at)
        left = on_disk(ready)
        if left not in known:
            known[left] = as_next_koog_finds_it(ready)
        found = known[left]

        assert found in (before, after), differing(at, found, before, after)
        assert b"ALERT" not in found["memory/meta/audit.log"], at
        assert b"UNSEALED" not in found["memory/meta/audit.log"], at
        seen["after" if found == after else "before"] += 1
        if stop is fail:
            line = json.loads(out)
            assert code in (0, 8), (at, line)
            assert (line["ok"], line["ok"]) == (code == 0, found == after), (at, line)
        elif code == 0:
            break  # a folder that the first run made stands already: fewer moments

    assert seen["before"] > 1
    assert seen["after"] > 0


def differing(at: int, found: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes]) -> str:
    kinds = {
        path: "old" if found.get(path) == before.get(path) else "new" if found.get(path) == after.get(path) else "other"
        for path in found.keys() | before.keys() | after.keys()
        if not found.get(path) == before.get(path) == after.get(path)
    }
    return f"stopped at {at}: {kinds}"


WATCHED = ("ws/memory", "ws/.koog", "home/state")


# These write MEMORY.md and more that lies beside the folders that are watched: to watch the whole workspace is to watch
# git.
CUT = [name for name in COMMANDS if name not in ("pin", "extract", "condense")]


@pytest.mark.parametrize(
    ("ready", "name"), [*((True, name) for name in CUT), (False, "log")], indirect=["ready"], ids=str
)
def test_a_power_cut_at_any_moment_leaves_nothing_or_everything_and_afterwards_everything(ready, name, tmp_path):
    """Contents are synced before the name that publishes them, names by their folder, and the journal before both."""
    command, kept = (*NOW, *COMMANDS[name]), tmp_path / "cuts.json"
    (tmp_path / "home/state").mkdir(exist_ok=True)
    before, state, folders = as_next_koog_finds_it(ready), states(ready), set((ready / "memory").rglob("*"))
    assert run(*command)[0] == 0
    after = as_next_koog_finds_it(ready)
    restored(ready, before, state)
    for made in sorted(set((ready / "memory").rglob("*/")) - folders, reverse=True):
        made.rmdir()

    code, at_the_end, _ = forked.run(*command, first=lambda: power.Disk(tmp_path, WATCHED, kept).told)
    cuts, left = power.cuts(kept), {}
    at_last = range(len(cuts) - at_the_end + 1, len(cuts) + 1)
    for at in sorted({*some(len(cuts) - at_the_end, most=3 * MOMENTS), *at_last}):
        power.lay_out(tmp_path, WATCHED, cuts[at - 1])
        found = as_next_koog_finds_it(ready)
        assert found in (before, after), differing(at, found, before, after)
        left[at] = found == after

    assert code == 0
    assert all(left[at] for at in at_last), "koog has said that it is done"
    assert list(left.values()).count(False) > 2
    assert list(left.values()).count(True) > 2


def half_done(folder: Path, *rows: dict[str, object]) -> None:
    """Leave the journal of a transaction that was killed."""
    steps = [{"before": None, "after": None, "at": 0, "data": "", "to": "", **row} for row in rows]
    (folder / ".koog/journal.json").write_text(json.dumps(steps))


def test_an_append_that_was_cut_is_finished_as_one_line(workspace):
    log, line = workspace / "memory/log.jsonl", b'{"tickId":"t1","sessionHistorySummary":"it was cut"}\n'
    log.write_bytes(b'{"tickId":"t0"}\n' + line[:20])
    half_done(workspace, {"kind": "append", "path": "memory/log.jsonl", "at": 16, "data": b64encode(line).decode()})

    assert run("playbook", "show")[0] == 0

    assert log.read_bytes() == b'{"tickId":"t0"}\n' + line
    assert not (workspace / ".koog/journal.json").exists()


def test_an_append_that_never_began_comes_behind_what_somebody_else_has_written(workspace):
    log, line = workspace / "memory/log.jsonl", b'{"tickId":"t1"}\n'
    log.write_bytes(b'{"tickId":"t0"}\n{"tickId":"theirs"}\n')
    half_done(workspace, {"kind": "append", "path": "memory/log.jsonl", "at": 16, "data": b64encode(line).decode()})

    assert run("playbook", "show")[0] == 0

    assert log.read_bytes() == b'{"tickId":"t0"}\n{"tickId":"theirs"}\n' + line


def test_what_the_same_transaction_appended_to_what_it_replaced_is_nobody_elses(workspace):
    log, new = workspace / "memory/meta/audit.log", b"what was left of it\n"
    log.parent.mkdir()
    log.write_bytes(new + b"and a line\n")
    after = {"kind": "replace", "path": "memory/meta/audit.log", "before": "x", "after": sha256(new).hexdigest()}
    half_done(workspace, {**after, "at": len(new)})

    code, _, out = run("playbook", "show")

    assert code == 0
    assert "warnings" not in json.loads(out)["_meta"]
    assert log.read_bytes() == new + b"and a line\n"


def test_a_journal_that_the_disk_refuses_stays_and_nothing_is_written_on_top(workspace):
    line = b"x" * 5000 + b"\n"
    half_done(workspace, {"kind": "append", "path": "memory/big.log", "at": 0, "data": b64encode(line).decode()})

    def small() -> Callable[[], int]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        return lambda: 0

    code, _, out = forked.run(*NOW, *COMMANDS["log"], first=small)

    assert (code, json.loads(out)["error"]["code"]) == (8, "workspace")
    assert (workspace / ".koog/journal.json").exists()
    assert run(*NOW, *COMMANDS["log"])[0] == 0
    assert (workspace / "memory/big.log").read_bytes() == line
    assert not (workspace / ".koog/journal.json").exists()
