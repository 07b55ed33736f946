"""What was changed is taken back: a plan first, then exactly that; what a person wrote since stays."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

from koog.audit import merge3
from koog.core.files import atomic
from tests.audit.tools import lines, verified
from tests.conftest import git

ROUNDS = int(os.environ.get("KOOG_ROUNDS", "5"))  # read before a test has an environment of its own
ENTITY = "memory/graph/entities/person--person1.md"
NOTE = "# 2026-11-20\n\n- The cache key lacked the tenant; fixed by adding it.\n"


@pytest.fixture
def home(lived_in: Path) -> Path:
    return lived_in


def said(koog, *words: str, code: int = 0) -> dict:  # type: ignore[type-arg]
    got, line = koog(*words)
    assert got == code, line
    return line


def back(koog, *words: str) -> dict:  # type: ignore[type-arg]
    """Look at the plan and confirm it."""
    plan = said(koog, "rollback", *words)
    assert plan["applied"] is False
    return said(koog, "rollback", *words, "--confirm", plan["plan"])


def told(koog, text: str, *words: str) -> str:
    return str(said(koog, "remember", text, "--explicit", *words)["_meta"]["commit"])


def kept(workspace: Path) -> dict[str, bytes]:
    """Return the files that a rollback brings back byte for byte: all but what tells, and what is derived.

    What a killed koog had prepared and not decided lies beside its file until something is written there.
    """
    paths = [p for p in (workspace / "memory").rglob("*") if p.is_file() and not p.name.endswith(atomic.SUFFIX)]
    names = {p.relative_to(workspace).as_posix(): p.read_bytes() for p in paths}
    return {n: data for n, data in names.items() if "/meta/" not in n and not n.endswith("graph/index.md")}


def test_a_session_is_taken_back_as_its_plan_said_and_can_be_done_again(home, koog):
    before = kept(home)
    commit = told(koog, "Person1 lives in Porto")
    after = kept(home)
    assert after != before

    plan = said(koog, "rollback", "session", commit)
    assert kept(home) == after
    done = said(koog, "rollback", "session", commit, "--confirm", plan["plan"])

    assert kept(home) == before
    assert {row["path"] for row in plan["files"]} >= {ENTITY}
    assert git(home, "status", "--short") == ""
    assert git(home, "log", "-1", "--format=%s").startswith(f"[REVERT] {ENTITY}")
    assert any(b"| REVERT  |" in row for row in lines(home))
    back(koog, *done["undo"].split()[2:])
    assert kept(home) == after
    assert verified(koog)["verdict"] == "intact"


def test_what_a_person_wrote_since_stays_whether_committed_or_not(home, koog):
    commit = told(koog, "Person1 lives in Porto")
    text = (home / ENTITY).read_text()
    (home / ENTITY).write_text(text.replace("# person--person1\n", "# person--person1\n\nA friend.\n"))

    done = back(koog, "session", commit)

    now = (home / ENTITY).read_text()
    assert "A friend." in now
    assert "Porto" not in now
    assert {row["path"]: row["action"] for row in done["files"]}[ENTITY] == "merge"


def test_what_is_taken_back_later_goes_though_its_score_was_reckoned_since_and_more_is_told_behind_it(home, koog):
    made = told(koog, "Ana lives in Porto")
    path = home / "memory/graph/entities/person--ana.md"
    aged = (
        path.read_text().replace("Decay score: 1.00", "Decay score: 0.46").replace("Last updated: 2", "Last updated: 3")
    )
    path.write_text(aged)
    first = told(koog, "Person1 plays the tuba")
    told(koog, "Person1 has a boat in Porto")
    (home / ENTITY).write_text((home / ENTITY).read_text().replace("Decay score: ", "Decay score: 0.2 of "))

    back(koog, "session", made)
    back(koog, "session", first)

    assert not path.exists()
    assert "tuba" not in (home / ENTITY).read_text()
    assert "boat in Porto" in (home / ENTITY).read_text()


def test_where_both_changed_one_line_the_persons_stays_and_the_plan_says_so(home, koog):
    commit = told(koog, "Person1 lives in Porto")
    text = (home / ENTITY).read_text()
    assert "Porto" in text
    (home / ENTITY).write_text(text.replace("Porto", "Porto, since May"))

    plan = said(koog, "rollback", "session", commit)

    (row,) = [row for row in plan["files"] if row["path"] == ENTITY]
    assert (row["action"], row["why"]) == ("keep", "the same lines were changed since by somebody else")
    back(koog, "session", commit)
    assert "Porto, since May" in (home / ENTITY).read_text()
    back(koog, "session", commit, "--also", ENTITY)
    assert "Porto" not in (home / ENTITY).read_text()


def test_a_plan_that_no_longer_fits_is_refused_with_the_new_one(home, koog):
    commit = told(koog, "Person1 lives in Porto")
    plan = said(koog, "rollback", "session", commit)
    with (home / ENTITY).open("a") as file:
        file.write("By hand.\n")

    line = said(koog, "rollback", "session", commit, "--confirm", plan["plan"], code=5)

    assert line["error"]["code"] == "refused"
    assert plan["plan"] not in line["error"]["message"]
    assert "Porto" in (home / ENTITY).read_text()


def test_a_file_is_what_it_was_in_a_commit_or_at_a_time(home, koog):
    first = git(home, "rev-parse", "HEAD").strip()
    text = (home / ENTITY).read_bytes()
    (home / ENTITY).write_bytes(text + b"By hand.\n")

    back(koog, "file", ENTITY, "--to", first[:9])

    assert (home / ENTITY).read_bytes() == text
    assert said(koog, "rollback", "file", ENTITY, "--to", first)["count"] == 0
    assert said(koog, "rollback", "file", ENTITY, "--to", "2001-01-01", code=4)
    assert said(koog, "rollback", "file", ENTITY, "--to", "yesterday", code=2)
    assert koog("rollback", "file", "../outside", "--to", first)[0] != 0


def test_bytes_come_back_as_they_were_also_with_other_line_ends(home, koog):
    path = "memory/procedures/how-to-tea.md"
    (home / path).parent.mkdir(exist_ok=True)
    data = "\ufeff# how-to-tea\r\n\r\n1. Boil.\r\n".encode() + b"\xff\r\n"
    (home / path).write_bytes(data)
    git(home, "add", path)
    git(home, "commit", "-qm", "tea")
    commit = git(home, "rev-parse", "HEAD").strip()
    (home / path).unlink()

    back(koog, "file", path, "--to", commit)

    assert (home / path).read_bytes() == data


def test_time_brings_everything_back_but_what_a_person_wrote(home, koog):
    before = kept(home)
    at = "2030-01-01T00:00:00Z"
    said(koog, "remember", "Person1 lives in Porto", "--explicit", "--now", "2030-01-02T00:00:00Z")
    said(koog, "remember", "Zoe works at Ten", "--explicit", "--now", "2030-01-03T00:00:00Z")
    (home / "memory/procedures").mkdir(exist_ok=True)
    mine = home / "memory/procedures/how-to-tea.md"
    mine.write_text("# how-to-tea\n")

    back(koog, "time", at)

    assert mine.read_text() == "# how-to-tea\n"
    mine.unlink()
    assert kept(home) == before


def test_what_was_forgotten_stays_so_whatever_is_rolled_back(home, koog):
    (id_,) = [said(koog, "remember", "The locker has the code 7731-kilo", "--store", "episodic", "--explicit")["id"]]
    said(koog, "forget", "--confirm", id_)
    commit = str(git(home, "rev-parse", "HEAD")).strip()

    plan = said(koog, "rollback", "session", commit)
    said(koog, "rollback", "session", commit, "--confirm", plan["plan"])

    assert id_ in (home / "memory/meta/forgotten.jsonl").read_text("utf-8")
    assert "7731-kilo" not in json.dumps(said(koog, "recall", "code of the locker"))
    assert "7731-kilo" not in json.dumps(said(koog, "search", "code of the locker"))


def test_a_tick_is_taken_back_by_its_id(home, koog):
    (home / "memory/2026-11-20.md").write_text(NOTE)
    said(koog, "backup")
    before = kept(home)
    line = said(koog, "tick", "--idle", "--now", "2026-11-20T12:00:00Z")
    assert kept(home) != before

    back(koog, "session", line["tickId"])

    assert kept(home) == before


def logged(koog, tick: str, ts: str) -> None:
    """Log a tick as an agent does that has followed HEARTBEAT.md step by step."""
    entry = {
        **{"ts": ts, "tickId": tick, "idle": True, "sessionHistorySummary": "nothing", "signals": []},
        **{"actionsConsidered": [], "spawnOutcome": None, "effectivenessRate": None, "effectivenessAlert": False},
        **{"feedbackScores": {"avg": None, "high": [], "low": [], "scored": []}, "miningFindings": None},
        **{"curateDirective": "insufficient_data", "minedSources": [], "staleItemActions": [], "output": None},
        **{"playbookChanges": {"added": [], "pruned": [], "promoted": []}, "skipped": False, "skipReason": None},
    }
    said(koog, "log", "--entry", json.dumps(entry), "--now", ts)


def test_a_tick_that_an_agent_followed_step_by_step_is_taken_back_whole(home, koog):
    (home / "memory/2026-11-20.md").write_text(NOTE)
    said(koog, "backup")
    before = kept(home)
    told(koog, "Person2 lives in Rome")
    between = kept(home)
    said(koog, "mine", "--now", "2030-01-01T12:01:00Z")
    said(koog, "curate", "--now", "2030-01-01T12:02:00Z")
    assert "tenant" in (home / "memory/sinain-playbook.md").read_text()
    logged(koog, "2030-01-01T12:00:00Z", "2030-01-01T12:03:00Z")
    said(koog, "remember", "Person3 lives in Oslo", "--explicit", "--now", "2030-01-01T12:05:00Z")
    oslo = kept(home)["memory/graph/entities/person--person3.md"]

    back(koog, "session", "2030-01-01T12:00:00Z")

    assert kept(home)["memory/graph/entities/person--person3.md"] == oslo
    playbook = home / "memory/sinain-playbook.md"
    assert not playbook.exists() or "tenant" not in playbook.read_text()
    same = [name for name in between if name in before and "person3" not in name and "place--" not in name]
    assert {name: kept(home)[name] for name in same} == {name: between[name] for name in same}


def test_a_tick_that_changed_nothing_takes_nobody_elses_work_along(home, koog):
    first = said(koog, "tick", "--idle", "--now", "2030-01-01T12:00:00Z")["tickId"]
    quiet = said(koog, "tick", "--idle", "--now", "2030-01-01T12:30:00Z")
    assert "commit" not in quiet["_meta"]
    (home / "memory/observations.md").write_text("# Observations\n")
    said(koog, "backup", "--now", "2030-01-03T12:40:00Z")

    line = said(koog, "rollback", "session", quiet["tickId"], code=4)

    assert "changed nothing" in line["error"]["message"]
    assert said(koog, "rollback", "session", first)["count"] > 0


def ticks_of(home: Path) -> list[str]:
    rows = [json.loads(row) for row in (home / "memory/playbook-logs/2030-01-01.jsonl").read_text().splitlines()]
    return [row["tickId"][11:16] for row in rows if "_type" not in row]


def test_what_other_ticks_logged_stays_when_one_is_taken_back_and_when_that_is_undone(home, koog):
    said(koog, "tick", "--idle", "--now", "2030-01-01T11:00:00Z")
    said(koog, "tick", "--idle", "--now", "2030-01-01T12:00:00Z")
    (home / "memory/2026-11-20.md").write_text(NOTE)
    line = said(koog, "tick", "--idle", "--now", "2030-01-01T13:00:00Z")
    assert ticks_of(home) == ["11:00", "12:00", "13:00"]

    done = back(koog, "session", line["tickId"], "--now", "2030-01-01T13:10:00Z")
    assert ticks_of(home) == ["11:00", "12:00"]

    quiet = said(koog, "tick", "--now", "2030-01-01T13:30:00Z")
    assert "commit" not in quiet["_meta"]
    back(koog, "session", done["_meta"]["commit"], "--now", "2030-01-01T13:40:00Z")
    assert sorted(ticks_of(home)) == ["11:00", "12:00", "13:00", "13:30"]


@pytest.mark.parametrize("by", ["tick", "commit"])
def test_a_quiet_tick_takes_nobodys_work_along_whose_commit_took_its_lines(home, koog, by):
    said(koog, "tick", "--idle", "--now", "2030-01-01T11:00:00Z")
    quiet = said(koog, "tick", "--idle", "--now", "2030-01-01T12:00:00Z")
    assert "commit" not in quiet["_meta"]
    words = ("remember", "Person9 lives in Rome", "--explicit", "--now", "2030-01-01T12:10:00Z")
    commit = said(koog, *words)["_meta"]["commit"]
    assert quiet["tickId"] in str(git(home, "show", commit))

    if by == "tick":
        line = said(koog, "rollback", "session", quiet["tickId"], code=4)
        assert "changed nothing" in line["error"]["message"]
        assert "person--person9" in str(list(kept(home)))
    else:
        back(koog, "session", commit)
        assert ticks_of(home) == ["11:00", "12:00"]
        assert "person--person9" not in str(list(kept(home)))


def test_scores_are_taken_back_with_the_feedback_that_brought_them(home, koog):
    said(koog, "tick", "--idle", "--now", "2030-01-01T11:00:00Z")
    log = home / "memory/playbook-logs/2030-01-01.jsonl"
    before = log.read_bytes()
    scores = json.dumps({"2030-01-01T11:00:00Z": 0.5, "2030-01-01T10:00:00Z": 0.2})
    commit = said(koog, "feedback", "--scores", scores, "--now", "2030-01-01T11:10:00Z")["_meta"]["commit"]
    assert log.read_bytes() != before

    back(koog, "session", commit)

    assert log.read_bytes() == before


def test_what_was_taken_back_does_not_come_in_again_from_the_same_lines(home, koog):
    (home / "memory/2026-11-20.md").write_text(NOTE)
    line = said(koog, "tick", "--idle", "--now", "2026-11-20T12:00:00Z")
    playbook = home / "memory/sinain-playbook.md"
    mined = playbook.read_text() if playbook.exists() else ""
    back(koog, "session", line["tickId"])

    said(koog, "tick", "--idle", "--now", "2026-11-20T13:00:00Z")

    assert "tenant" in mined
    assert "tenant" not in (playbook.read_text() if playbook.exists() else "")


@pytest.mark.parametrize("word", ["session", "time"])
def test_what_was_mined_and_taken_back_is_not_curated_later_unless_that_is_undone(home, koog, word):
    (home / "memory/2026-11-20.md").write_text(NOTE)
    said(koog, "backup", "--now", "2030-01-01T10:00:00Z")
    commit = said(koog, "mine", "--now", "2030-01-01T12:00:00Z")["_meta"]["commit"]
    done = back(koog, word, commit if word == "session" else "2030-01-01T11:00:00Z")

    assert said(koog, "curate")["changes"]["added"] == []
    assert said(koog, "mine")["minedSources"] == []

    back(koog, *done["undo"].split()[2:])
    (added,) = said(koog, "curate")["changes"]["added"]
    assert "tenant" in added


def test_a_persons_commit_is_no_session(home, koog):
    (home / "mine.md").write_text("mine\n")
    git(home, "add", "mine.md")
    git(home, "commit", "-qm", "mine")

    line = said(koog, "rollback", "session", git(home, "rev-parse", "HEAD").strip(), code=5)

    assert line["error"]["code"] == "refused"
    assert said(koog, "rollback", "session", "r-001", code=4)["error"]["code"] == "not_found"


def test_a_critical_file_goes_back_only_when_named_and_on_a_persons_word(home, koog):
    commit = said(koog, "init", "--agents")["_meta"]["commit"]
    plan = said(koog, "rollback", "session", commit)
    rows = {row["path"]: row["action"] for row in plan["files"]}
    assert rows["AGENTS.md"] == "keep"
    named = said(koog, "rollback", "session", commit, "--also", "AGENTS.md")
    assert {row["path"]: row["action"] for row in named["files"]}["AGENTS.md"] == "remove"
    words = ("rollback", "session", commit, "--also", "AGENTS.md", "--confirm", named["plan"])
    assert said(koog, *words, code=5)["error"]["code"] == "refused"


def test_what_is_staged_and_the_branch_are_the_persons(home, koog):
    commit = told(koog, "Person1 lives in Porto")
    (home / "mine.md").write_text("mine\n")
    git(home, "add", "mine.md")
    branch = git(home, "branch", "--show-current")

    back(koog, "session", commit)

    assert git(home, "diff", "--cached", "--name-only") == "mine.md"
    assert git(home, "branch", "--show-current") == branch


def test_without_a_repository_or_during_a_merge_nothing_is_taken_back(home, koog):
    head = git(home, "rev-parse", "HEAD").strip()
    (home / ".git/MERGE_HEAD").write_text(head + "\n")

    assert said(koog, "rollback", "session", head, code=5)["error"]["code"] == "refused"


def test_many_files_cost_few_processes(home, koog, tmp_path, monkeypatch):
    things = tmp_path / "things.jsonl"
    things.write_text("".join(f'{{"text": "Mate{n} works at Firm{n}", "store": "semantic"}}\n' for n in range(150)))
    commit = said(koog, "remember", "--batch", str(things))["_meta"]["commit"]

    plan = said(koog, "rollback", "session", commit)

    assert plan["count"] > 150
    assert len(plan["files"]) <= 200


def test_a_killed_rollback_is_all_or_nothing(home, koog):
    dice = random.Random(5)
    for n in range(ROUNDS):
        before = kept(home)
        commit = told(koog, f"Person1 likes number{n}, and Mate{n} works at Firm{n}")
        after = kept(home)
        plan = said(koog, "rollback", "session", commit)["plan"]
        call = [sys.executable, "-m", "koog", "rollback", "session", commit, "--confirm", plan]
        process = subprocess.Popen(call, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=dice.uniform(0.1, 0.6))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        said(koog, "decay", "run")
        assert kept(home) in (before, after)
    assert verified(koog)["verdict"] == "intact"


def test_what_a_person_took_away_is_theirs_when_koog_makes_it_anew(home, koog):
    told(koog, "the demo for Person9 went well", "--store", "episodic")
    (log,) = (home / "memory/episodes").glob("*.md")
    log.unlink()

    second = told(koog, "the bus to Person8 was late", "--store", "episodic")

    name = log.relative_to(home).as_posix()
    assert "Actor: manual" in git(home, "log", "-1", "--format=%b", "--diff-filter=D", f"{second}^", "--", name)
    back(koog, "session", second)
    assert not log.exists()


def test_a_commit_that_touched_nothing_here_takes_nothing_back(tmp_path, koog, monkeypatch):
    """The workspace is a folder of a person's repository, and another lies beside it."""
    for words in (["init", "-q"], ["config", "user.name", "B"], ["config", "user.email", "b@example.invalid"]):
        git(tmp_path, *words)
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "begun")
    commits = {}
    for name in ("a", "b"):
        assert koog("init", str(tmp_path / name))[0] == 0
        monkeypatch.chdir(tmp_path / name)
        commits[name] = told(koog, f"{name.upper()}nna likes tea")
    (tmp_path / "main.py").write_text("code")
    git(tmp_path, "add", "main.py")
    git(tmp_path, "commit", "-qm", "code")

    for commit in (git(tmp_path, "rev-parse", "HEAD"), commits["a"]):
        assert said(koog, "rollback", "session", commit, code=4)["error"]["code"] == "not_found"
    assert said(koog, "rollback", "session", commits["b"])["count"] > 0


def test_what_an_earlier_command_left_uncommitted_is_no_part_of_a_session(home, koog, monkeypatch):
    """As a command leaves it that is killed behind its last file, and before its commit."""
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    said(koog, "remember", "Person1 lives in Porto", "--explicit")
    monkeypatch.delenv("KOOG_GIT_COMMIT")
    left = kept(home)

    commit = told(koog, "Person1 likes figs")
    back(koog, "session", commit)

    assert kept(home) == left
    earlier = git(home, "show", f"{commit}^:{ENTITY}")
    assert "Porto" in earlier and "figs" not in earlier
    assert "Actor: bot:trigger-remember" in git(home, "log", "-1", "--format=%b", f"{commit}^")


def test_what_an_earlier_command_took_away_is_no_part_of_the_one_that_makes_it_anew(home, koog, monkeypatch):
    """As of a rollback that is killed behind its last file, and of a command after it that has other files to write."""
    first = told(koog, "the demo for Person9 went well", "--store", "episodic")
    (log,) = (home / "memory/episodes").glob("*.md")
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    back(koog, "session", first)
    monkeypatch.delenv("KOOG_GIT_COMMIT")
    assert not log.exists()
    told(koog, "Person1 likes figs")
    before = kept(home)

    second = told(koog, "the bus to Person8 was late", "--store", "episodic")
    back(koog, "session", second)

    assert kept(home) == before
    name = log.relative_to(home).as_posix()
    assert git(home, "log", "-1", "--format=%s", "--diff-filter=D", f"{second}^", "--", name).endswith(
        f"taken back: session {first}"
    )


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (b"a\nb\nc\n", b"a\nb\nc\n", b"a\nc\n", b"a\nc\n"),
        (b"a\nb\nc\nd\n", b"x\na\nb\nc\nd\n", b"a\nb\nd\n", b"x\na\nb\nd\n"),
        (b"a\nb\nc\n", b"a\nB\nc\n", b"a\nc\n", None),
        (b"a\nb\nc\n", b"a\nc\n", b"a\nc\n", b"a\nc\n"),
        (b"a\nb\nc\nd\ne\n", b"a\nb\nc\nd\nE\n", b"a\nc\nd\ne\n", b"a\nc\nd\nE\n"),
        (b"a\n", b"a\nb", b"", None),
        (b"", b"a\n", b"", b"a\n"),
    ],
)
def test_three_versions_by_lines(base, ours, theirs, result):
    assert merge3.merged(base, ours, theirs) == result


def test_a_file_of_many_like_entries_is_merged_line_by_line_and_soon():
    one = b'"episode:%d": {\n "status": "active",\n "pinned": false,\n "seen": %d\n},\n'
    base = b"".join(one % (n, n % 7) for n in range(3000))
    ours, theirs = base.replace(b'"seen": 3', b'"seen": 9', 40), base.replace(b'"episode:2000"', b'"episode:x"')
    begun = process_time()

    assert merge3.merged(base, ours, theirs) == ours.replace(b'"episode:2000"', b'"episode:x"')
    assert process_time() - begun < 10  # every line against every line takes minutes
