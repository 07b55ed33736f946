"""The log beside its chain: each kind of tampering is named, with the first bad number; honest life is no alarm."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from koog.core.files import chain
from tests import warm
from tests.audit.tools import LOG, lined, lines, lived, put, verified
from tests.conftest import git, registered
from tests.terminal import at_terminal


@pytest.fixture
def log(lived_in: Path) -> Path:
    return lived_in


def places(rows: list[bytes]) -> dict[str, int]:
    return {"first": 0, "middle": len(rows) // 2, "last": len(rows) - 1}


def edited(row: bytes) -> bytes:
    return row.rstrip(b"\n") + b" and more\n"


def forged_actor(row: bytes) -> bytes:
    fields = row.split(b" | ")
    return b" | ".join([*fields[:3], b"manual", *fields[4:]])


def forged_approval(row: bytes) -> bytes:
    fields = row.split(b" | ")
    return b" | ".join([*fields[:4], b"approved", *fields[5:]])


@pytest.mark.parametrize("where", ["first", "middle", "last"])
@pytest.mark.parametrize(
    ("change", "kind"),
    [(edited, "edit"), (forged_actor, "forged"), (forged_approval, "forged")],
    ids=["edit", "actor", "approval"],
)
def test_a_changed_line_is_named(log, koog, where, change, kind):
    rows = lines(log)
    at = places(rows)[where]
    rows[at] = change(rows[at])
    put(log, rows)

    said = verified(koog)

    assert said["verdict"] == "tampered"
    assert [(f["kind"], f["number"], f["lines"]) for f in said["found"]] == [(kind, at + 1, 1)]
    assert said["firstBad"] == at + 1


@pytest.mark.parametrize("where", ["first", "middle"])
def test_a_line_that_is_gone_is_named(log, koog, where):
    rows = lines(log)
    at = places(rows)[where]
    put(log, rows[:at] + rows[at + 1 :])

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("deletion", at + 1)]


def test_a_log_that_was_cut_is_named(log, koog):
    rows = lines(log)
    put(log, rows[:-3])

    said = verified(koog)

    assert [(f["kind"], f["number"], f["lines"]) for f in said["found"]] == [("truncation", len(rows) - 2, 3)]


@pytest.mark.parametrize("where", ["first", "middle", "last"])
def test_a_line_that_was_put_in_is_named(log, koog, where):
    rows = lines(log)
    at = places(rows)[where]
    put(log, [*rows[:at], b"2026-11-20T10:00Z | EDIT    | USER.md | skill:koog | auto     | nothing\n", *rows[at:]])

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("insertion", at + 1)]


@pytest.mark.parametrize("where", ["first", "middle"])
def test_a_line_that_was_copied_is_named(log, koog, where):
    rows = lines(log)
    at = places(rows)[where]
    put(log, [*rows[: at + 2], rows[at], *rows[at + 2 :]])

    said = verified(koog)

    assert [f["kind"] for f in said["found"]] == ["duplication"]
    assert said["firstBad"] == at + 3


@pytest.mark.parametrize("where", ["first", "middle"])
def test_lines_in_another_order_are_named(log, koog, where):
    rows = lines(log)
    at = places(rows)[where]
    other = next(i for i in range(at + 1, len(rows)) if rows[i] != rows[at])
    rows[at], rows[other] = rows[other], rows[at]
    put(log, rows)

    said = verified(koog)

    assert {f["kind"] for f in said["found"]} == {"reorder"}
    assert said["firstBad"] == at + 1


def test_a_log_that_is_gone_is_named(log, koog):
    (log / LOG).unlink()

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("removed", 1)]


def test_history_that_was_put_back_is_named_also_when_the_files_stay(log, koog):
    git(log, "reset", "-q", "--soft", "HEAD~2")

    said = verified(koog)

    assert [f["kind"] for f in said["found"]] == ["git-reset"]


def test_history_that_was_put_back_stays_named_when_koog_goes_on(log, koog):
    number = len(lines(log))
    git(log, "reset", "-q", "--soft", "HEAD~2")
    code, said = koog("remember", "Person8 works at Company8", "--explicit")
    assert code == 0
    assert any("git's history" in each for each in said["_meta"]["warnings"])
    lived(koog, facts=10)

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("git-reset", number)]
    assert any("git's history" in each for each in koog("status")[1]["problems"])


def test_a_pull_that_rebases_is_no_alarm_and_one_that_leaves_something_out_is(log, koog, tmp_path):
    remote, other = tmp_path / "remote.git", tmp_path / "other"
    git(log, "clone", "-q", "--bare", ".", str(remote))
    git(log, "clone", "-q", str(remote), str(other))
    (other / "mine.md").write_text("mine\n")
    git(other, "add", "mine.md")
    git(other, "commit", "-qm", "mine")
    git(other, "push", "-q", "origin", "HEAD")
    lived(koog, facts=6)
    koog("backup")
    git(log, "pull", "-q", "--rebase", str(remote), "main")
    assert verified(koog)["verdict"] == "intact"
    lived(koog, facts=7)
    assert verified(koog)["verdict"] == "intact"

    git(log, "reset", "-q", "--soft", "HEAD~2")
    git(log, "commit", "-qm", "as if it had been one")

    assert "git-reset" in [f["kind"] for f in verified(koog)["found"]]


def test_log_and_files_put_back_together_are_named(log, koog):
    before = len(lines(log))
    head = git(log, "rev-parse", "HEAD").strip()
    lived(koog, facts=6)
    git(log, "checkout", "-q", head, "--", ".")
    git(log, "clean", "-qfd", "memory")

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("rollback", before + 1)]


def test_a_commit_of_a_persons_own_on_top_is_no_alarm(log, koog):
    (log / "notes.txt").write_text("mine\n")
    git(log, "add", "notes.txt")
    git(log, "commit", "-qm", "mine")

    assert verified(koog)["verdict"] == "intact"


def test_lines_of_a_koog_in_a_sandbox_are_unsealed_and_no_alarm(log, koog, monkeypatch):
    state = os.environ["XDG_STATE_HOME"]
    monkeypatch.setenv("XDG_STATE_HOME", f"{state}-of-the-sandbox")
    lived(koog, facts=6)
    monkeypatch.setenv("XDG_STATE_HOME", state)

    assert verified(koog)["verdict"] == "unsealed"
    lived(koog, facts=7)
    said = verified(koog)

    assert said["verdict"] == "unsealed"
    assert said["unsealed"] > 0
    assert said["found"] == []
    assert any(b"UNSEALED" in row for row in lines(log))


def test_lines_of_a_koog_in_a_sandbox_that_a_backup_takes_along_are_no_alarm(log, koog):
    with (log / LOG).open("a") as file:  # one that was killed before its commit
        file.write("2026-11-20T10:00Z | CREATE  | memory/x.md | skill:koog | auto     | from a sandbox\n")
    assert koog("backup")[1]["commit"]
    lived(koog, facts=6)

    said = verified(koog)

    assert (said["verdict"], said["found"]) == ("unsealed", [])
    assert any(b"UNSEALED" in row for row in lines(log))


def test_what_a_sandbox_has_written_must_stand_from_then_on(log, koog):
    with (log / LOG).open("a") as file:
        file.write("2026-11-20T10:00Z | EDIT    | USER.md | skill:koog | auto     | from a sandbox\n")
    lived(koog, facts=6)
    rows = lines(log)
    at = next(i for i, row in enumerate(rows) if b"from a sandbox" in row)
    rows[at] = edited(rows[at])
    put(log, rows)

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("edit", at + 1)]


@pytest.mark.parametrize("who", ["manual | —       ", "bot:main | approved"])
def test_a_line_at_the_end_that_claims_a_persons_leave_is_forged(log, koog, who):
    with (log / LOG).open("a") as file:
        file.write(f"2026-11-20T10:00Z | EDIT    | SOUL.md | {who} | as he wished\n")
    count = len(lines(log))

    said = verified(koog)

    assert [(f["kind"], f["number"]) for f in said["found"]] == [("forged", count)]
    lived(koog, facts=6)
    assert [f["kind"] for f in verified(koog)["found"]] == ["forged"]


def test_a_forged_word_is_told_by_whatever_writes_next_and_the_file_that_it_names_is_a_hand_edit(log, koog):
    path = "memory/graph/entities/person--person1.md"
    (log / path).write_text((log / path).read_text() + "\n- Person1 owes me money\n")
    with (log / LOG).open("a") as file:
        file.write(f"2026-11-20T10:00Z | EDIT    | {path} | manual | approved | as he wished\n")

    _, said = koog("remember", "Person1 likes tea", "--entity", "person--person1", "--explicit")

    assert any("claiming a person's word" in each for each in said["_meta"]["warnings"])
    assert any("claiming a person's word" in each for each in koog("audit", "log")[1]["_meta"]["warnings"])
    assert any("claiming a person's word" in each for each in koog("status")[1]["problems"])
    entries = koog("audit", "log", "--file", path)[1]["entries"]
    assert ("manual", "changed outside koog") in [(entry["actor"], entry["summary"]) for entry in entries]


def test_a_clone_on_another_machine_begins_a_segment_that_says_so(log, koog, tmp_path, monkeypatch):
    clone = tmp_path / "clone"
    git(log, "clone", "-q", str(log), str(clone))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other/state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other/config"))
    monkeypatch.chdir(clone)
    (clone / ".koog").mkdir()
    registered(clone)
    count = len(lines(clone))
    lived(koog, facts=6)

    said = verified(koog)

    assert said["verdict"] == "intact"
    assert said["segments"] == [{"after": 0, "why": "first", "lines": count}]


def test_a_koog_without_the_state_root_says_that_it_cannot_know(workspace, koog):
    lived(koog)

    assert verified(koog)["verdict"] == "unknown"


def test_a_chain_that_was_cut_or_changed_is_named(log, koog):
    (path,) = Path(os.environ["XDG_STATE_HOME"]).glob(f"koog/*/{chain.NAME}")
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-2]))
    assert [f["kind"] for f in verified(koog)["found"]] == ["chain"]
    path.write_bytes(whole.replace(b"s 3 ", b"s 4 ", 1))
    assert [f["kind"] for f in verified(koog)["found"]] == ["chain"]


def test_what_was_found_is_over_when_a_person_takes_the_log_as_it_is(log, koog):
    rows = lines(log)
    put(log, rows[:3] + rows[4:])
    assert [row["path"] for row in koog("audit", "alerts")[1]["alerts"]] == ["log"]
    assert koog("audit", "ack", "log")[0] == 5

    assert at_terminal("audit", "ack", "log", cwd=log)[0] == 0

    assert verified(koog)["verdict"] == "intact"
    lived(koog, facts=6)
    said = verified(koog)
    assert said["verdict"] == "intact"
    assert said["segments"][-1]["why"] == "acknowledged"


def test_the_key_is_nobody_elses_to_read(log):
    state = Path(os.environ["XDG_STATE_HOME"])
    (key,) = state.glob(f"koog/*/{chain.KEY}")

    assert key.stat().st_mode & 0o777 == 0o600


def swapped(rows: list[bytes], at: int) -> None:
    rows[at], rows[at + 1] = rows[at + 1], rows[at]


ROUNDS = int(os.environ.get("KOOG_ROUNDS", "4"))  # read before a test has an environment of its own
KINDS = {
    "edit": lambda rows, at: rows.__setitem__(at, edited(rows[at])),
    "forged": lambda rows, at: rows.__setitem__(at, forged_actor(rows[at])),
    "forged-approval": lambda rows, at: rows.__setitem__(at, forged_approval(rows[at])),
    "deletion": lambda rows, at: rows.__delitem__(at),
    "insertion": lambda rows, at: rows.insert(at, b"2026-11-20T10:00Z | EDIT | X.md | skill:koog | auto | put in\n"),
    "duplication": lambda rows, at: rows.insert(at, rows[at - 7]),
    "reorder": swapped,
    "truncation": lambda rows, at: rows.__delitem__(slice(at, None)),
}


def test_each_kind_at_three_places_of_a_long_log_is_named(log, koog):
    """LINES of them are 3,000 here; KOOG_LINES=100000 makes it as many."""
    made = lined(log, int(os.environ.get("KOOG_LINES", "3000")))
    assert verified(koog)["verdict"] == "intact"
    for name, change in KINDS.items():
        for at in (10, len(made) // 2, len(made) - 10):
            rows = list(made)
            change(rows, at)
            put(log, rows)
            said = verified(koog)
            assert [f["kind"] for f in said["found"]] == [name.partition("-")[0]], (name, at)
            assert said["firstBad"] == at + 1, (name, at)


def test_a_killed_command_leaves_no_alarm(log, koog, tmp_path):
    """Killed at some moment of many: the next koog finishes the step, and chain and log go together."""
    rng = random.Random(3)
    for n in range(ROUNDS):
        call = [sys.executable, "-m", "koog", "remember", f"Victim{n} works at House{n}", "--explicit"]
        process = subprocess.Popen(call, cwd=log, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=rng.uniform(0.15, 0.6))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    lived(koog, facts=6)

    assert verified(koog)["verdict"] == "intact"


def test_two_at_once_make_one_chain(log, koog):
    calls = [
        subprocess.Popen(
            [sys.executable, "-m", "koog", "remember", f"Twin{n} works at House{n}", "--explicit"],
            cwd=log,
            stdout=subprocess.DEVNULL,
        )
        for n in range(4)
    ]
    assert [call.wait() for call in calls] == [0] * 4

    assert verified(koog)["verdict"] == "intact"


def test_a_copy_of_the_workspace_with_another_state_is_its_own(log, koog, tmp_path, monkeypatch):
    shutil.copytree(log, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    registered(tmp_path / "copy")
    lived(koog, facts=6)

    assert verified(koog)["verdict"] == "intact"
    monkeypatch.chdir(log)
    assert verified(koog)["verdict"] == "intact"


def test_a_chain_that_is_damaged_holds_no_command_up_and_is_told(log, koog):
    (state,) = (p.parent for p in Path(os.environ["XDG_STATE_HOME"]).glob(f"koog/*/{chain.KEY}"))
    (state / chain.NAME).write_bytes(b"rubbish\n")
    assert verified(koog)["verdict"] == "tampered"

    lived(koog, facts=6)

    said = verified(koog)
    assert said["segments"][-1]["why"] == "damaged"
    assert list(state.glob(f"{chain.NAME}.*"))


def test_a_key_that_is_damaged_holds_no_command_up(log, koog):
    (state,) = (p.parent for p in Path(os.environ["XDG_STATE_HOME"]).glob(f"koog/*/{chain.KEY}"))
    (state / chain.KEY).write_text("none\n")

    lived(koog, facts=6)

    assert verified(koog)["segments"][-1]["why"] == "damaged"


@pytest.mark.parametrize("what", ["reset", "chain"])
def test_what_a_person_has_acknowledged_is_over(log, koog, what):
    (state,) = (p.parent for p in Path(os.environ["XDG_STATE_HOME"]).glob(f"koog/*/{chain.KEY}"))
    if what == "reset":
        git(log, "reset", "-q", "--soft", "HEAD~2")
    else:
        path = state / chain.NAME
        path.write_bytes(path.read_bytes().replace(b"s 3 ", b"s 4 ", 1))
    assert verified(koog)["verdict"] == "tampered"

    assert at_terminal("audit", "ack", "log", cwd=log)[0] == 0

    said = verified(koog)
    assert (said["verdict"], said["segments"][-1]["why"]) == ("intact", "acknowledged")
    lived(koog, facts=6)
    assert verified(koog)["verdict"] == "intact"


def test_a_disk_that_is_full_for_the_chain_only_stops_the_whole_step_and_is_no_alarm(log, koog):
    for n in range(12):  # short lines, so that the chain is longer than the log
        koog("--agent", "a", "propose", f"thing {n}", "--store", "episodic")
    (state,) = (p.parent for p in Path(os.environ["XDG_STATE_HOME"]).glob(f"koog/*/{chain.KEY}"))
    size = (state / chain.NAME).stat().st_size
    assert size > (log / LOG).stat().st_size + 700
    before = (log / LOG).read_bytes()

    done = warm.run("remember", "Ada works at Nine", "--explicit", cwd=log, file_size=size + 20)

    assert done.returncode == 8, done.stdout
    assert (log / LOG).read_bytes() == before
    assert not (log / "memory/graph/entities/person--ada.md").exists()
    assert verified(koog)["verdict"] == "intact"
    assert koog("remember", "Ada works at Nine", "--explicit")[0] == 0
    assert verified(koog)["verdict"] == "intact"
