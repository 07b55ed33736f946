"""Whatever state git is in, and whatever it runs: files written, the commit right or absent, nothing hangs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from koog.core.files.state_root import StateRoot
from koog.core.git.outgoing import allow
from koog.core.git.repository import Git
from tests.conftest import git, registered
from tests.faults.contract import HURRIED, PLANTED, nowhere, run, still_runs
from tests.logs import LOGS, NOW, entry, lines, note

LOG = f"{LOGS}/{NOW[:10]}.jsonl"
HURRY = HURRIED.format(1)  # a second for each call of git
UNDER_WAY = {
    "a detached head": ["git checkout -q --detach"],
    "a merge": ["git merge -q side || true"],
    "a rebase": ["git rebase -q side || true"],
    "a cherry-pick": ["git cherry-pick side || true"],
    "a revert": ["git revert --no-edit HEAD~1 || true"],
}


def log(workspace, tick="t1", **how):
    """Close one tick's gate: the shortest command that writes and commits."""
    return run("log", "--now", NOW, "--entry", json.dumps({**entry(NOW), "tickId": tick}), cwd=workspace, **how)


def backup(workspace, *argv, **how):
    return run("backup", "--now", NOW, *argv, cwd=workspace, **how)


def tick(workspace, *argv, **how):
    return run("tick", "--now", NOW, "--engine", "builtin", *argv, cwd=workspace, **how)


def head(workspace):
    return git(workspace, "rev-parse", "HEAD")


def paths(workspace, commit="HEAD"):
    """Return what a commit changed, but for the records that go into every commit."""
    named = git(workspace, "-c", "core.quotePath=false", "show", "--format=", "--name-only", "-m", commit).splitlines()
    return {name for name in named if not name.startswith("memory/meta/")}


def warned(ended):
    return " ".join(ended.line["_meta"].get("warnings", []))


def script(path, *body):
    """Write a shell program that notes the pid it runs under before it does anything else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ran = path.with_name(path.name + ".ran")
    path.write_text("\n".join(["#!/bin/sh", f"echo $$ >>'{ran}'", *body]) + "\n")
    path.chmod(0o755)
    return ran


def ended_all(ran: Path):
    """Return whether every process that a script's note names is gone."""
    return not any(still_runs(pid) for pid in ran.read_text().split())


@pytest.fixture(autouse=True)
def kept(workspace):
    """The workspace as `koog init` leaves one that it made: with a state root, and committed whole."""
    return registered(workspace, git_backup="all")


@pytest.fixture
def remote(workspace, tmp_path):
    """A bare repository that is the workspace's origin and has its branch."""
    bare = tmp_path / "origin.git"
    git(workspace, "init", "-q", "--bare", "-b", "main", str(bare))
    goes_to(workspace, str(bare))
    git(workspace, "push", "-q", "origin", "main")
    return bare


def goes_to(workspace, url):
    """Make an address the branch's upstream, and let a person say that koog may push there."""
    git(workspace, "remote", "add", "origin", url)
    git(workspace, "config", "branch.main.remote", "origin")
    git(workspace, "config", "branch.main.merge", "refs/heads/main")
    state = registered(workspace, git_push=True)
    found = Git.find(workspace)
    allow(found, StateRoot(state.name, state), found.upstream())


def approved(folder):
    """Record a repository that lies elsewhere, as `koog init` does."""
    (folder / ".koog").mkdir(exist_ok=True)
    state = registered(folder, git_backup="all")
    Git.find(folder).record(StateRoot(state.name, state))


# --- states of the repository


@pytest.mark.parametrize("age_s", [0, 40 * 24 * 3600], ids=["fresh", "stale"])
def test_an_index_lock_holds_up_no_commit_and_is_left_alone(age_s, workspace):
    lock = workspace / ".git/index.lock"
    lock.touch()
    os.utime(lock, (time.time() - age_s,) * 2)

    ended = log(workspace)

    assert ended.line["ok"]
    assert "index.lock" in warned(ended)
    assert paths(workspace) == {LOG}
    assert lock.exists()

    lock.unlink()
    assert log(workspace, "t2").line["ok"]
    assert git(workspace, "status", "--porcelain") == ""


@pytest.mark.parametrize("state", UNDER_WAY)
def test_while_a_person_is_in_the_middle_of_something_koog_writes_and_does_not_commit(state, workspace):
    git(workspace, "branch", "side")
    for branch in ("side", "main"):
        git(workspace, "checkout", "-q", branch)
        for text in ("one", "two"):
            (workspace / "plan.md").write_text(f"{branch} {text}\n")
            git(workspace, "add", "plan.md")
            git(workspace, "commit", "-qm", f"{branch} {text}")
    for command in UNDER_WAY[state]:
        subprocess.run(command, shell=True, cwd=workspace, check=True, capture_output=True)
    before, status = head(workspace), git(workspace, "status", "--porcelain", "--", "plan.md")

    saved, logged, ticked = backup(workspace), log(workspace), tick(workspace)

    assert saved.error == "refused"
    assert logged.line["ok"] and "not committed" in warned(logged)
    assert ticked.code == 0 and ticked.line["degraded"] == ["backup"]
    assert len([row for row in lines(workspace) if "_type" not in row]) == 2
    assert head(workspace) == before
    assert git(workspace, "status", "--porcelain", "--", "plan.md") == status


def test_without_a_repository_everything_is_written_and_only_the_backup_refuses(workspace):
    shutil.rmtree(workspace / ".git")

    saved, logged, ticked = backup(workspace), log(workspace), tick(workspace)

    assert saved.error == "refused"
    assert logged.line["ok"] and "no git repository" in warned(logged)
    assert ticked.code == 0 and ticked.line["degraded"] == ["backup"]
    assert not (workspace / ".git").exists()


def test_without_a_remote_a_backup_commits_and_says_that_nothing_was_pushed(workspace):
    note(workspace, "2026-02-28.md", "- written by hand\n")

    ended = backup(workspace)

    assert ended.line["ok"]
    assert (ended.line["pushed"], ended.line["unpushed"]) == (False, None)
    assert paths(workspace) == {"memory/2026-02-28.md"}


def test_a_token_in_a_note_reaches_no_commit_and_no_remote(workspace, remote):
    planted = note(workspace, "2026-02-28.md", f"- token {PLANTED}\n")
    note(workspace, "2026-02-27.md", "- nothing to hide\n")

    saved, ticked = backup(workspace), tick(workspace, "--idle")

    assert saved.line["leftOut"] == ["memory/2026-02-28.md"]
    assert ticked.code == 0
    for ended in (saved, ticked):
        nowhere(PLANTED, workspace, remote, ended=ended, but=planted)


def test_a_token_in_the_session_summary_reaches_no_reply_log_or_commit(workspace):
    ended = tick(workspace, "--session-summary", f"the token is {PLANTED}")

    assert ended.code == 0
    nowhere(PLANTED, workspace, ended=ended)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes where the mode says nobody may")
def test_a_read_only_git_folder_leaves_the_files_written_and_says_so(workspace):
    for folder in [workspace / ".git", *(p for p in (workspace / ".git").rglob("*") if p.is_dir())]:
        folder.chmod(0o500)

    saved, logged = backup(workspace), log(workspace)

    for folder in [workspace / ".git", *(p for p in (workspace / ".git").rglob("*") if p.is_dir())]:
        folder.chmod(0o700)
    assert saved.line["ok"] or saved.error == "workspace"
    assert logged.line["ok"] and "not committed" in warned(logged)
    assert len(lines(workspace)) == 1


@pytest.mark.parametrize("broken", ["koog", "objects/pack", "HEAD", "refs/heads/main"])
def test_a_git_folder_that_cannot_be_used_costs_the_commit_and_not_the_entry(broken, workspace):
    place = workspace / ".git" / broken
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.write_text("not what git put here")

    ended = log(workspace)

    assert ended.line["ok"]
    assert len(lines(workspace)) == 1
    assert "commit" in ended.line["_meta"] or "not committed" in warned(ended)


# --- push


def test_a_remote_that_is_ahead_is_reported_and_never_overwritten(workspace, remote, tmp_path):
    other = tmp_path / "other"
    git(workspace, "clone", "-q", str(remote), str(other))
    git(other, "commit", "-qm", "theirs", "--allow-empty")
    git(other, "push", "-q")
    note(workspace, "2026-02-28.md", "- mine\n")

    ended = backup(workspace)

    assert ended.error == "workspace"
    assert "pull --rebase" in ended.line["error"]["hint"]
    assert paths(workspace) == {"memory/2026-02-28.md"}
    assert git(remote, "log", "-1", "--format=%s", "main") == "theirs"


def test_a_remote_whose_hook_refuses_is_quoted_and_a_tick_goes_on(workspace, remote):
    script(remote / "hooks/pre-receive", f"echo 'no {PLANTED}' >&2", "exit 1")
    before = git(remote, "rev-parse", "main")
    note(workspace, "2026-02-28.md", "- mine\n")

    saved, ticked = backup(workspace), tick(workspace)

    assert saved.error == "workspace"
    assert "refused" in saved.line["error"]["message"]
    assert ticked.line["degraded"] == ["backup"]
    assert git(remote, "rev-parse", "main") == before
    nowhere(PLANTED, workspace, ended=saved)
    nowhere(PLANTED, workspace, ended=ticked)


@pytest.mark.parametrize("stubborn", [[], ["trap '' TERM"]], ids=["ends", "will not end"])
def test_a_push_that_hangs_is_cut_off_and_the_commit_stays(stubborn, workspace, tmp_path, monkeypatch):
    ran = script(tmp_path / "bin/slow-ssh", *stubborn, "sleep 300", "sleep 300")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(tmp_path / "bin/slow-ssh"))
    goes_to(workspace, "ssh://git@nowhere.invalid/x.git")
    monkeypatch.setenv("KOOG_GIT_PUSH_TIMEOUT_SECONDS", "1")
    note(workspace, "2026-02-28.md", "- mine\n")

    ended = backup(workspace)

    assert ended.error == "workspace"
    assert "cut off after 1 s" in ended.line["error"]["message"]
    assert paths(workspace) == {"memory/2026-02-28.md"}
    assert ended_all(ran)


@pytest.mark.parametrize("body", ["exit 1", "sleep 300"], ids=["fails", "hangs"])
def test_a_pre_push_hook_of_the_repository_is_not_run(body, workspace, remote):
    ran = script(workspace / ".git/hooks/pre-push", body)
    note(workspace, "2026-02-28.md", "- mine\n")

    ended = backup(workspace)

    assert ended.line["pushed"]
    assert git(remote, "rev-parse", "main") == head(workspace)
    assert not ran.exists()


@pytest.mark.parametrize("body", ["exit 1", "sleep 300"], ids=["fails", "hangs"])
def test_one_that_the_operator_trusts_may_fail_or_hang_and_fails_the_push_alone(body, workspace, remote, monkeypatch):
    registered(workspace, git_trustLocalConfig=True)
    ran = script(workspace / ".git/hooks/pre-push", body)
    monkeypatch.setenv("KOOG_GIT_PUSH_TIMEOUT_SECONDS", "1")
    before = git(remote, "rev-parse", "main")
    note(workspace, "2026-02-28.md", "- mine\n")

    ended = backup(workspace)

    assert ended.error == "workspace"
    assert paths(workspace) == {"memory/2026-02-28.md"}
    assert git(remote, "rev-parse", "main") == before
    assert ended_all(ran)


# --- what a repository would run


@pytest.mark.parametrize("body", ["exit 1", "sleep 300"], ids=["fails", "hangs"])
def test_no_hook_of_a_commit_is_run(body, workspace):
    names = "pre-commit prepare-commit-msg commit-msg post-commit reference-transaction post-index-change pre-auto-gc"
    ran = [script(workspace / ".git/hooks" / name, body) for name in names.split()]
    note(workspace, "2026-02-28.md", "- by hand\n")

    saved, logged = backup(workspace), log(workspace)

    assert saved.line["commit"] and logged.line["_meta"]["commit"]
    assert [note.name for note in ran if note.exists()] == []


def test_a_wish_to_sign_asks_nobody(workspace, tmp_path):
    ran = script(tmp_path / "gpg", "sleep 300")
    for key, value in {"commit.gpgSign": "true", "push.gpgSign": "true", "gpg.program": str(tmp_path / "gpg")}.items():
        git(workspace, "config", key, value)

    assert log(workspace).line["_meta"]["commit"]
    assert not ran.exists()


@pytest.mark.parametrize("body", ["exit 1", "sleep 300"], ids=["fails", "hangs"])
def test_a_file_system_monitor_is_not_asked(body, workspace, tmp_path):
    ran = script(tmp_path / "monitor", body)
    git(workspace, "update-index", "--fsmonitor")
    git(workspace, "config", "core.fsmonitor", str(tmp_path / "monitor"))
    ran.unlink(missing_ok=True)
    note(workspace, "2026-02-28.md", "- by hand\n")

    saved, logged = backup(workspace), log(workspace)

    assert saved.line["files"] == ["memory/2026-02-28.md"]
    assert logged.line["_meta"]["commit"]
    assert not ran.exists()


def filtered(workspace, tmp_path, *body, required="true"):
    """Give the logs a clean filter, of which the workspace's owner knows."""
    ran = script(tmp_path / "filter", *body)
    (workspace / ".gitattributes").write_text("memory/playbook-logs/* filter=own\n")
    git(workspace, "add", ".gitattributes")
    git(workspace, "commit", "-qm", "attributes")
    git(workspace, "config", "--global", "filter.own.clean", str(tmp_path / "filter"))
    git(workspace, "config", "--global", "filter.own.required", required)
    return ran


@pytest.mark.parametrize("stubborn", [[], ["trap '' TERM"]], ids=["ends", "will not end"])
def test_a_clean_filter_that_hangs_is_ended_and_the_entry_is_committed_once_it_works(stubborn, workspace, tmp_path):
    ran = filtered(workspace, tmp_path, *stubborn, "sleep 300", "sleep 300")
    before = head(workspace)

    ended = log(workspace, program=HURRY)

    assert ended.line["ok"]
    assert "cut off after 1 s" in warned(ended)
    assert head(workspace) == before
    assert ended_all(ran)

    script(tmp_path / "filter", "cat")
    assert log(workspace, "t2").line["_meta"]["commit"]
    assert len(git(workspace, "show", f"HEAD:{LOG}").splitlines()) == 2
    assert git(workspace, "status", "--porcelain") == ""


def test_a_tick_outlives_a_filter_that_hangs_in_every_step(workspace, tmp_path):
    ran = filtered(workspace, tmp_path, "sleep 300")
    (workspace / LOGS).mkdir()
    (workspace / LOGS / "by-hand.md").write_text("what a backup would take up\n")

    ended = tick(workspace, program=HURRY)

    assert ended.code == 0
    assert ended.line["degraded"] == ["backup"]
    assert ended.line["heartbeat"] == "HEARTBEAT_OK"
    assert ended_all(ran)


@pytest.mark.parametrize(("required", "commits"), [("true", False), ("false", True)])
def test_a_clean_filter_that_fails_counts_as_its_owner_wants_it(required, commits, workspace, tmp_path):
    filtered(workspace, tmp_path, "exit 1", required=required)

    ended = log(workspace)

    assert ended.line["ok"]
    assert ("commit" in ended.line["_meta"]) is commits
    assert ("not committed" in warned(ended)) is not commits
    assert len(lines(workspace)) == 1


# --- locks of the branch


def test_a_lock_that_a_killed_git_left_on_the_branch_is_named_with_what_to_do(workspace):
    lock = workspace / ".git/refs/heads/main.lock"
    lock.touch()
    note(workspace, "2026-02-28.md", "- by hand\n")
    before = head(workspace)

    saved = backup(workspace)

    assert saved.error == "workspace"
    assert str(lock) in saved.line["error"]["message"]
    assert f"rm {lock}" in saved.line["error"]["hint"]
    assert head(workspace) == before
    assert lock.exists()


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock"])
def test_a_lock_of_the_branch_that_is_hours_old_is_taken_away_and_told(name, workspace):
    lock = workspace / ".git" / name
    lock.touch()
    os.utime(lock, (time.time() - 3 * 3600,) * 2)

    ended = log(workspace)

    assert paths(workspace) == {LOG}
    assert str(lock) in warned(ended)
    assert not lock.exists()


# --- repositories in repositories


def test_of_fifteen_thousand_files_a_commit_takes_the_right_ones(workspace):
    stream = ["commit refs/heads/main", "committer T <t@example.invalid> 1 +0000", "data 0", ""]
    stream += ["from refs/heads/main^0", "M 100644 inline person.md", "data 2", "x", ""]
    for number in range(15_000):
        stream += [f"M 100644 inline notes/{number % 100}/{number}.md", "data 2", "x", ""]
    done = subprocess.run(["git", "fast-import", "--quiet"], cwd=workspace, input="\n".join(stream).encode())
    assert done.returncode == 0
    git(workspace, "reset", "-q", "--hard")
    for number in range(0, 15_000, 1_000):
        (workspace / f"notes/{number % 100}/{number}.md").write_text("changed by hand\n")
    (workspace / "person.md").write_text("staged\n")
    git(workspace, "add", "person.md")

    logged = log(workspace)
    assert paths(workspace) == {LOG}
    assert git(workspace, "diff", "--cached", "--name-only") == "person.md"
    saved = backup(workspace)

    assert logged.line["_meta"]["commit"] and saved.line["fileCount"] == 16
    assert len(paths(workspace)) == 16
    assert git(workspace, "status", "--porcelain") == ""


def test_a_repository_inside_the_workspace_is_nobody_elses_to_commit(workspace):
    inner = workspace / "memory/project"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "code.md").write_text("theirs\n")
    note(workspace, "2026-02-28.md", "- mine\n")

    saved, logged = backup(workspace), log(workspace)

    assert saved.line["files"] == ["memory/2026-02-28.md"]
    assert logged.line["_meta"]["commit"]
    assert git(inner, "status", "--porcelain") == "?? code.md"


def test_a_submodule_stays_at_the_commit_that_its_owner_chose(workspace, tmp_path):
    library = tmp_path / "library"
    git(workspace, "init", "-q", str(library))
    git(library, "commit", "-qm", "one", "--allow-empty")
    git(workspace, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "library")
    git(workspace, "commit", "-qm", "library")
    git(workspace / "library", "commit", "-qm", "two", "--allow-empty")
    before = git(workspace, "rev-parse", "HEAD:library")

    saved, logged = backup(workspace), log(workspace)

    assert saved.line["status"] == "nothing to commit"
    assert paths(workspace) == {LOG} and logged.line["ok"]
    assert git(workspace, "rev-parse", "HEAD:library") == before


def test_a_workspace_that_is_itself_a_submodule_commits_to_itself(workspace, tmp_path):
    outer = tmp_path / "outer"
    git(workspace, "init", "-q", str(outer))
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(workspace), "ws")
    git(outer, "commit", "-qm", "ws")
    inner = outer / "ws"
    approved(inner)

    ended = log(inner)

    assert ended.line["_meta"]["commit"]
    assert paths(inner) == {LOG}
    assert git(outer, "log", "-1", "--format=%s") == "ws"


def test_a_linked_worktree_commits_to_its_own_branch(workspace, tmp_path):
    linked = tmp_path / "linked"
    git(workspace, "worktree", "add", "-q", "-b", "other", str(linked))
    approved(linked)
    before = head(workspace)

    saved, logged = backup(linked), log(linked)

    assert saved.line["ok"] and logged.line["_meta"]["commit"]
    assert paths(linked) == {LOG}
    assert git(linked, "branch", "--show-current") == "other"
    assert head(workspace) == before
    assert git(workspace, "status", "--porcelain") == ""


# --- a person at the same time

PERSON = """
n=0
until [ -e stop ]; do
    n=$((n+1))
    echo $n >plan.md; git commit -qm "mine $n" plan.md
    echo half >plan.md; git add plan.md; git reset -q plan.md; git checkout -q -- plan.md; sleep 0.1
done
"""


def test_ticks_beside_a_person_who_stages_and_commits_lose_nothing_of_either(workspace):
    """`git stash` is not among it: it takes the whole index as it is at that moment, whoever's change stands in it."""
    (workspace / ".git/info/exclude").write_text("stop\n")
    (workspace / "plan.md").write_text("0\n")
    git(workspace, "add", "plan.md")
    git(workspace, "commit", "-qm", "plan")
    person = subprocess.Popen(["sh", "-c", PERSON], cwd=workspace, stderr=subprocess.DEVNULL)

    told = [log(workspace, f"t{n}") for n in range(4)] + [tick(workspace)]
    (workspace / "stop").touch()
    person.wait(120)
    last = backup(workspace)

    assert [ended.line["error"] for ended in [*told, last] if not ended.line["ok"]] == []
    logged = {row["tickId"] for row in lines(workspace) if "_type" not in row}
    assert logged == {*(f"t{n}" for n in range(4)), told[-1].line["tickId"]}
    assert git(workspace, "show", f"HEAD:{LOG}") + "\n" == (workspace / LOG).read_text("utf-8")
    assert git(workspace, "fsck", "--no-progress", "--no-dangling") == ""
    mine = git(workspace, "log", "--format=%H", "--grep=^mine").splitlines()
    assert mine
    assert all(paths(workspace, sha) == {"plan.md"} for sha in mine)
    ours = git(workspace, "log", "--format=%H", "--grep=^Trigger: koog log").splitlines()
    assert all("plan.md" not in paths(workspace, sha) for sha in ours)
