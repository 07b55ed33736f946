"""Transcripts where something goes wrong: two repositories, one transaction, one line, and nothing lost."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from koog.core.files import lock
from koog.core.files.roots import Root
from tests import warm
from tests.conftest import git, registered
from tests.conftest import moments as some
from tests.fakes.sessions import claude_session
from tests.faults.contract import MEASURED
from tests.faults.contract import run as process
from tests.knowledge.transcripts import files, is_closed, raw, read, said
from tests.logs import snapshot
from tests.test_every_moment import fail, kill, run

NOW = ("--now", "2026-02-28T12:00:00Z")
LATER = ("--now", "2026-03-01T12:00:00Z")
START = datetime(2026, 2, 28, 11, tzinfo=UTC)
ID = "11111111-2222-4333-8444-555555555555"


def source(tmp_path: Path) -> tuple[str, str]:
    return ("--source", str(tmp_path / ".claude"))


def everything(workspace: Path) -> dict[str, bytes]:
    """Return what a person has: both folders, and each transcript's mode; no new versions that never came to be."""
    found = {path: data for path, data in snapshot(workspace).items() if not path.endswith(".koog.tmp")}
    for path in files(workspace):
        found[f"raw/{path.relative_to(raw(workspace))}"] = path.read_bytes() + f"{is_closed(path)}".encode()
    return found


def on_disk(workspace: Path) -> frozenset[tuple[str, int, bytes]]:
    """Return all that the next koog could find."""
    found = (path for name in ("ws", "ws-raw", "home") for path in (workspace.parent / name).rglob("*"))
    files = [path for path in found if path.is_file() and ".git" not in path.parts]
    return frozenset((str(path), path.stat().st_mode, path.read_bytes()) for path in files)


def kept(workspace: Path, to: Path) -> None:
    """Copy everything that koog has on disk, its state too, to bring it back with."""
    for name in ("ws", "ws-raw", "home"):
        if (workspace.parent / name).exists():
            shutil.copytree(workspace.parent / name, to / name, symlinks=True)


def brought_back(workspace: Path, kept: Path) -> None:
    for name in ("ws", "ws-raw", "home"):
        place = workspace.parent / name
        for path in place.rglob("*") if name != "ws" else ():
            if path.is_dir():
                path.chmod(0o700)
        if name == "ws":  # this process stands in it
            for path in place.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            shutil.copytree(kept / name, place, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.rmtree(place, ignore_errors=True)
            if (kept / name).exists():
                shutil.copytree(kept / name, place, symlinks=True)


@pytest.fixture
def ready(workspace, koog, monkeypatch):
    """A workspace with its log begun, and no git to slow things down."""
    registered(workspace)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    assert koog(*NOW, "module", "activate", "react-native-dev")[0] == 0
    return workspace


CASES = {
    "begin": ("transcript", "import"),
    "go on": ("transcript", "import"),
    "end": ("transcript", "import", "--end", ID),
    "all at once": ("transcript", "import"),
    "by command": ("transcript", "end", "--session", "ses_1"),
}


def prepared(name: str, koog, workspace: Path, tmp_path: Path) -> tuple[str, ...]:
    """Bring about what stands before a case; return its command."""
    store = source(tmp_path)
    if name == "by command":
        assert koog(*NOW, "transcript", "start", "--session", "ses_1", "--topic", "tea")[0] == 0
        assert koog(*NOW, "transcript", "message", "Green, please", "--session", "ses_1")[0] == 0
        return (*NOW, *CASES[name])
    claude_session(tmp_path, ("user", "Which NAS?"), cwd=workspace, at=START)
    if name in ("go on", "end"):
        assert koog(*NOW, "transcript", "import", *store)[0] == 0
        claude_session(tmp_path, ("assistant", "The one with four bays."), cwd=workspace, at=START)
    return (*(LATER if name == "all at once" else NOW), *CASES[name], *store)


@pytest.mark.wide(5)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stop", [kill, fail], ids=["killed", "disk fails"])
def test_at_every_moment_both_roots_are_as_they_were_or_have_the_whole(ready, koog, tmp_path, name, stop):
    command = prepared(name, koog, ready, tmp_path)
    kept(ready, tmp_path / "kept")
    before = everything(ready)
    code, moments, out = run(*command)
    assert code == 0, out
    after = everything(ready)
    assert {path for path in after if after[path] != before.get(path)} >= {"memory/meta/transcripts.json"}
    seen = {"before": 0, "after": 0}
    known: dict[object, dict[str, bytes]] = {}  # a sync changes nothing that could be found: one look for both moments

    for at in some(moments):
        brought_back(ready, tmp_path / "kept")
        code, _, out = run(*command, stop=stop, at=at)
        left = on_disk(ready)
        is_new = left not in known
        if is_new:
            assert run("playbook", "show")[0] == 0
            known[left] = everything(ready)
        found = known[left]

        assert found in (before, after), (
            at,
            [p for p in found | after if found.get(p) not in (before.get(p), after.get(p))],
        )
        assert b"ALERT" not in found.get("memory/meta/audit.log", b""), at
        seen["after" if found == after else "before"] += 1
        if stop is fail:
            line = json.loads(out)
            assert (line["ok"], code in (0, 8)) == (found == after, True), (at, line)
        if not is_new:
            continue
        again = json.loads(run(*command)[2])
        told = everything(ready)
        assert again["ok"] or name == "by command", again
        for path, data in after.items():
            if path.startswith("raw/"):
                assert told[path] == data, at

    assert seen["before"] > 1
    assert seen["after"] > 0


def test_imports_that_are_killed_at_any_time_lose_nothing_and_write_nothing_twice(workspace, koog, tmp_path):
    registered(workspace)
    chance = random.Random(19)
    spoken: list[str] = []
    takes_s = 0.6
    for number in range(14):
        words = [f"{number} {n} " + "x" * chance.randint(0, 400) for n in range(chance.randint(1, 60))]
        spoken += words
        path = claude_session(tmp_path, *(("user", w) for w in words), cwd=workspace, at=START, name=ID)
        assert path.exists()
        argv = [sys.executable, "-m", "koog", *NOW, "transcript", "import", *source(tmp_path)]
        with subprocess.Popen(argv, cwd=workspace, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(chance.random() * takes_s)
            process.send_signal(signal.SIGKILL)

    code, line = koog(*NOW, "transcript", "import", *source(tmp_path), "--end", ID)

    assert code == 0, line
    assert [turn.text for turn in said(workspace)] == [word.strip() for word in spoken]
    assert all(is_closed(path) for path in files(workspace))
    assert git(raw(workspace), "status", "--short") == ""
    assert git(raw(workspace), "fsck", "--strict", "--no-dangling") == ""
    assert koog("audit", "verify")[1]["verdict"] == "intact"


def test_two_imports_at_once_write_everything_once(workspace, tmp_path):
    registered(workspace)
    for n in range(30):
        claude_session(tmp_path, ("user", f"one {n}"), ("assistant", f"two {n}"), cwd=workspace, name=f"{n:08}-2222")
    argv = [sys.executable, "-m", "koog", *LATER, "transcript", "import", *source(tmp_path)]

    both = [subprocess.Popen(argv, cwd=workspace, stdout=subprocess.PIPE) for _ in range(2)]
    lines = [json.loads(each.communicate(timeout=100)[0]) for each in both]

    assert all(line["ok"] for line in lines), lines
    assert sum(line["turns"] for line in lines) == 60
    assert len(said(workspace)) == len(set(said(workspace))) == 60


def test_who_finds_another_import_at_work_is_told_so_in_one_line(workspace, tmp_path, monkeypatch):
    state = registered(workspace)
    claude_session(tmp_path, ("user", "Which NAS?"), cwd=workspace)
    monkeypatch.setattr("koog.knowledge.transcripts.imports.WAIT_S", 0.1)
    with lock.held(Root(state, barred=frozenset()).itself("transcripts.lock"), wait_s=0, what="it"):
        code, _, out = run(*LATER, "transcript", "import", *source(tmp_path))

    assert (code, json.loads(out)["error"]["code"]) == (9, "busy")


@pytest.mark.parametrize("size", [0, 400, 3000])
def test_a_full_disk_leaves_no_half_of_a_transcript_and_the_next_run_has_it_all(workspace, tmp_path, size):
    """`ulimit -f`: a write beyond the size fails as it does on a full disk."""
    registered(workspace)
    claude_session(tmp_path, *(("user", f"{n} " + "x" * 60) for n in range(100)), cwd=workspace)
    command = (*LATER, "transcript", "import", *source(tmp_path))

    done = warm.run(*command, cwd=workspace, file_size=size)

    line = json.loads(done.stdout)
    assert line["ok"] or line["error"]["code"] == "workspace"
    if not line["ok"]:
        assert files(workspace) == []
    again = process(*command, cwd=workspace)
    assert again.line["ok"], again.line
    assert len(said(workspace)) == 100
    assert git(raw(workspace), "status", "--short") == ""


def test_a_raw_repository_in_a_rebase_takes_the_commit_later(workspace, koog, tmp_path):
    registered(workspace)
    claude_session(tmp_path, ("user", "one"), cwd=workspace, name="aaaa")
    koog(*LATER, "transcript", "import", *source(tmp_path))
    (raw(workspace) / ".git/rebase-merge").mkdir()
    claude_session(tmp_path, ("user", "two"), cwd=workspace, name="bbbb")

    code, line = koog(*LATER, "transcript", "import", *source(tmp_path))

    assert code == 0
    assert line["commits"] == []
    assert "transcripts: written, not committed: a rebase is under way" in line["_meta"]["warnings"]
    assert len(files(workspace)) == 2

    (raw(workspace) / ".git/rebase-merge").rmdir()
    assert len(koog(*LATER, "transcript", "import", *source(tmp_path))[1]["commits"]) == 1
    assert git(raw(workspace), "status", "--short") == ""


def test_a_clock_that_goes_back_loses_nothing(workspace, koog):
    registered(workspace)
    for at, text in (("2026-02-28T12:05", "one"), ("2026-02-27T23:50", "two"), ("2026-02-28T00:01", "three")):
        start = ("transcript", "start", "--session", "s", "--topic", "t")
        assert koog("--now", f"{at}:00Z", *start)[0] == 0
        assert koog("--now", f"{at}:30Z", "transcript", "message", text, "--session", "s")[0] == 0

    assert koog("--now", "2026-02-20T00:00:00Z", "transcript", "end", "--session", "s")[1]["ended"] == 1

    [path] = files(workspace)
    found = read(path)
    assert [(turn.at.strftime("%d %H:%M"), turn.text) for turn in found.turns] == [
        ("28 12:05", "one"),
        ("27 23:50", "two"),
        ("28 00:01", "three"),
    ]
    assert found.head.started <= found.head.ended


def test_a_transcript_of_ten_megabytes_is_taken_in_steps_and_closed(workspace, tmp_path):
    registered(workspace)
    words = "The quick brown fox jumps over the lazy dog while it rains in Lisbon. " * 14
    turns = [("user" if n % 2 else "assistant", f"{n} {words}") for n in range(10_000)]
    claude_session(tmp_path, *turns, cwd=workspace, at=START)

    done = process(*LATER, "transcript", "import", *source(tmp_path), cwd=workspace, program=MEASURED)

    assert done.line["ok"], done.line
    [path] = files(workspace)
    assert path.stat().st_size > 9_500_000
    assert len(said(workspace)) == 10_000
    assert is_closed(path)
    assert int(done.err.split()[-2]) < 700_000  # KiB


def test_hundreds_of_old_sessions_are_one_commit_that_names_them_all(workspace, tmp_path):
    registered(workspace)
    for n in range(300):
        at = START - timedelta(hours=n)
        claude_session(tmp_path, ("user", f"question {n}"), cwd=workspace, name=f"{n:08}-2222", at=at)

    done = process(*LATER, "transcript", "import", *source(tmp_path), cwd=workspace)

    assert (done.line["created"], done.line["ended"], len(done.line["commits"])) == (300, 300, 1)
    message = git(raw(workspace), "log", "-1", "--format=%B")
    assert message.startswith("conversation: 300 sessions\n")
    assert message.count("\nSession: raw/conversations/") == 300
    assert len(done.out) < 10_000
    assert git(raw(workspace), "status", "--short") == ""


def test_what_has_ended_is_written_by_no_command_whatever_the_ledger_says(workspace, koog, tmp_path):
    registered(workspace)
    koog(*NOW, "transcript", "start", "--session", "s", "--topic", "t")
    koog(*NOW, "transcript", "message", "one", "--session", "s")
    ledger = (workspace / "memory/meta/transcripts.json").read_bytes()
    koog(*NOW, "transcript", "end", "--session", "s")
    [path] = files(workspace)
    ended, inode = path.read_bytes(), path.stat().st_ino
    (workspace / "memory/meta/transcripts.json").write_bytes(ledger)

    assert koog(*NOW, "transcript", "message", "two", "--session", "s")[1]["error"]["code"] == "not_found"
    assert koog(*NOW, "transcript", "end", "--stale", "--hours", "0")[1]["ended"] == 0
    assert (path.read_bytes(), path.stat().st_ino) == (ended, inode)


@pytest.mark.parametrize("path", ["raw/conversations/../../ws/x.md", "memory/x.md", "raw/conversations/x.md", 7])
def test_a_ledger_that_names_another_file_writes_into_none(workspace, koog, path):
    registered(workspace)
    koog(*NOW, "transcript", "start", "--session", "s", "--topic", "t")
    ledger = workspace / "memory/meta/transcripts.json"
    value = json.loads(ledger.read_text())
    value["open"]["koog/s"]["path"] = path
    ledger.write_text(json.dumps(value))

    assert koog(*NOW, "transcript", "message", "two", "--session", "s")[1]["error"]["code"] == "not_found"


def test_a_link_in_the_place_of_a_transcript_leads_nowhere(workspace, koog, tmp_path):
    registered(workspace)
    koog(*NOW, "transcript", "start", "--session", "s", "--topic", "t")
    [path] = files(workspace)
    (tmp_path / "outside.md").write_text("mine\n")
    path.unlink()
    path.symlink_to(tmp_path / "outside.md")

    code, line = koog(*NOW, "transcript", "message", "two", "--session", "s")

    assert code != 0, line
    assert (tmp_path / "outside.md").read_text() == "mine\n"


def test_what_a_killed_run_left_of_a_transcript_goes_where_the_transcript_says_all_of_it(workspace, koog):
    registered(workspace)
    for command in (("start",), ("message", "Hello there"), ("message", "and more")):
        koog(*NOW, "transcript", *command, "--session", "s")
    [path] = files(workspace)
    older = path.with_name(f".{path.name}.koog.tmp")
    older.write_text(path.read_text().replace("and more", "").rstrip() + "\n")
    other = path.with_name(".another.md.koog.tmp")
    other.write_text("---\nsession_id: x\n---\n\nsaid nowhere else\n")

    koog(*NOW, "transcript", "message", "Bye", "--session", "s")

    assert not older.exists() and not other.exists()
    assert [each.read_text() for each in (raw(workspace) / "recovered").iterdir()] == [
        "---\nsession_id: x\n---\n\nsaid nowhere else\n"
    ]
