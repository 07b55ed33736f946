"""koog backup: one commit of what changed, pushed to its own branch, never by force."""

from __future__ import annotations

import json
import shutil

import pytest

from koog.core.files import digests
from koog.core.files.state_root import StateRoot
from koog.core.git import push as git_push
from koog.core.git.outgoing import allow
from koog.core.git.refs import Refs
from koog.core.git.repository import Git
from koog.core.run import Run
from tests.conftest import git, registered
from tests.logs import NOW, entry, snapshot

SECRET = "sk-ant-abcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture(autouse=True)
def state(workspace):
    """The workspace as `koog init` leaves one that it made: with a state root, and committed whole."""
    return registered(workspace, git_backup="all")


@pytest.fixture
def remote(workspace, tmp_path, state):
    """A bare repository that the workspace pushes to, with a person's leave."""
    bare = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    git(workspace, "remote", "add", "origin", str(bare))
    git(workspace, "push", "-q", "-u", "origin", "main")
    found = Git.find(workspace)
    allow(found, StateRoot(state.name, state), found.upstream())
    registered(workspace, git_push=True)
    return bare


def backup(koog, *argv):
    code, line = koog("backup", "--now", NOW, *argv)
    assert code == 0, line
    return line


def test_nothing_to_commit_is_a_success(koog, workspace):
    line = backup(koog)

    assert (line["status"], line["commit"], line["files"]) == ("nothing to commit", None, [])
    assert git(workspace, "rev-list", "--count", "HEAD") == "1"


def test_a_persons_changes_become_one_commit(koog, workspace):
    (workspace / "MEMORY.md").write_text("# Memory\n")
    (workspace / "memory/2026-02-27.md").write_text("- a note\n")
    (workspace / "modules/base-behaviors/patterns.md").unlink()

    line = backup(koog)

    assert line["status"] == "committed"
    assert line["files"] == ["modules/base-behaviors/patterns.md", "MEMORY.md", "memory/2026-02-27.md"]
    assert line["fileCount"] == 3
    assert git(workspace, "rev-parse", "--short=10", "HEAD") == line["commit"]
    assert git(workspace, "status", "--porcelain") == ""
    assert git(workspace, "show", "--name-only", "--format=", "HEAD").splitlines() == sorted(line["files"])


def test_the_commit_is_pushed(koog, workspace, remote):
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["pushed"], line["unpushed"]) == (True, 0)
    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD")


def test_what_other_commands_committed_is_pushed_although_nothing_changed(koog, workspace, remote):
    koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))

    line = backup(koog)

    assert (line["status"], line["pushed"]) == ("nothing to commit", True)
    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD")


def test_only_backup_and_tick_push(koog, workspace, remote):
    code, line = koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))

    assert (code, line["_meta"].get("warnings")) == (0, None)
    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD~")


def test_a_tick_pushes_what_came_after_its_backup(koog, workspace, remote):
    assert koog("tick", "--now", NOW, "--idle", "--session-summary", "Nothing new.")[0] == 0

    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD")


@pytest.mark.parametrize("command", [["backup"], ["tick", "--idle", "--session-summary", "Nothing new."]])
def test_no_push_pushes_nothing_and_fails_nothing(koog, workspace, remote, command):
    before = git(remote, "rev-parse", "main")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    assert koog(*command, "--now", NOW, "--no-push")[0] == 0

    assert git(remote, "rev-parse", "main") == before


def test_no_push_wins_over_git_push(koog, workspace, remote):
    (workspace / "MEMORY.md").write_text("# Memory\n")

    assert backup(koog, "--no-push")["unpushed"] == 1
    assert git(remote, "rev-parse", "main") != git(workspace, "rev-parse", "HEAD")


def test_a_push_that_fails_after_a_tick_is_a_warning(koog, workspace, remote):
    shutil.rmtree(remote)

    code, line = koog("tick", "--now", NOW, "--idle", "--session-summary", "Nothing new.")

    assert code == 0
    assert [w for w in line["_meta"]["warnings"] if w.startswith("committed, not pushed: ")]


def test_nothing_unpushed_is_not_pushed(koog, workspace, remote):
    assert backup(koog)["pushed"] is False


def test_a_push_that_failed_leaves_the_commit_and_the_next_run_pushes_it(koog, workspace, remote, tmp_path):
    away = tmp_path / "away.git"
    shutil.move(remote, away)
    (workspace / "MEMORY.md").write_text("# Memory\n")

    code, line = koog("backup", "--now", NOW)

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert git(workspace, "status", "--porcelain") == ""
    shutil.move(away, remote)
    line = backup(koog)
    assert (line["status"], line["pushed"]) == ("nothing to commit", True)
    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD")


def test_a_remote_that_is_ahead_is_never_overwritten(koog, workspace, remote, tmp_path):
    git(tmp_path, "clone", "-q", str(remote), "other")
    (tmp_path / "other/theirs.md").write_text("theirs\n")
    git(tmp_path / "other", "add", "-A")
    git(tmp_path / "other", "commit", "-qm", "theirs")
    git(tmp_path / "other", "push", "-q")
    theirs = git(remote, "rev-parse", "main")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    code, line = koog("backup", "--now", NOW)

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert "git pull --rebase" in line["error"]["hint"]
    assert git(remote, "rev-parse", "main") == theirs


def test_no_push_commits_only_and_says_what_is_unpushed(koog, workspace, remote):
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog, "--no-push")

    assert (line["status"], line["pushed"], line["unpushed"]) == ("committed", False, 1)
    assert git(remote, "rev-list", "--count", "main") == "1"


@pytest.mark.parametrize("upstream", [[], ["--set-upstream-to=origin/main"]], ids=["none", "main"])
def test_another_branch_goes_to_its_own_upstream_and_nowhere_without_one(koog, workspace, remote, upstream):
    git(workspace, "checkout", "-q", "-b", "trial", "--no-track")
    if upstream:
        git(workspace, "branch", "-q", *upstream)
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert line["pushed"] is bool(upstream)
    assert git(remote, "for-each-ref", "--format=%(refname)") == "refs/heads/main"
    if not upstream:
        assert "git push -u origin trial" in line["notPushed"]


def test_without_a_remote_nothing_is_pushed_and_nothing_fails(koog, workspace):
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["status"], line["pushed"], line["unpushed"]) == ("committed", False, None)
    assert "koog backup --allow-push" in line["notPushed"]


@pytest.mark.parametrize("layer", ["environment", "workspace"])
def test_nobody_but_the_operators_file_says_that_koog_pushes(koog, workspace, remote, monkeypatch, layer):
    registered(workspace, git_push=False)
    if layer == "environment":
        monkeypatch.setenv("KOOG_GIT_PUSH", "true")
    else:
        (workspace / "koog-config.json").write_text('{"git": {"push": true}}')
    before = git(remote, "rev-parse", "main")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["pushed"], line["unpushed"]) == (False, 1)
    assert git(remote, "rev-parse", "main") == before


def test_an_address_that_nobody_approved_is_not_pushed_to(koog, workspace, remote, tmp_path):
    other = tmp_path / "other.git"
    git(tmp_path, "clone", "-q", "--bare", str(remote), str(other))
    git(workspace, "config", "remote.origin.url", str(other))
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert line["pushed"] is False
    assert str(other) in line["notPushed"] and "koog backup --allow-push" in line["notPushed"]
    assert git(other, "rev-list", "--count", "main") == "1"


# --- what is koog's own alone


@pytest.fixture
def own(workspace):
    registered(workspace, git_backup="own")


@pytest.mark.usefixtures("own")
def test_in_a_repository_that_koog_did_not_make_it_commits_its_own_files_alone(koog, workspace):
    koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))
    log = workspace / f"memory/playbook-logs/{NOW[:10]}.jsonl"
    log.write_text(log.read_text() + json.dumps({**entry(NOW), "tickId": "by hand"}) + "\n")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["backup"], line["files"], line["others"]) == ("own", [log.relative_to(workspace).as_posix()], 1)
    assert "Actor: manual" in git(workspace, "log", "-1", "--format=%B")
    assert git(workspace, "status", "--porcelain") == "?? MEMORY.md"


def test_what_others_wrote_in_koogs_file_is_known_with_the_commit_and_nobody_waits_for_a_lock(koog, workspace, state):
    koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))
    log = workspace / f"memory/playbook-logs/{NOW[:10]}.jsonl"
    log.write_text(log.read_text() + json.dumps({**entry(NOW), "tickId": "by hand"}) + "\n")

    backup(koog)

    assert digests.is_own(StateRoot(state.name, state), log.relative_to(workspace).as_posix(), log.read_bytes())


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("persons", [True, False])
def test_own_is_pushed_only_while_every_unpushed_commit_is_koogs(koog, workspace, remote, persons):
    koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))
    if persons:
        git(workspace, "commit", "-q", "--allow-empty", "-m", "not ready")
    before = git(remote, "rev-parse", "main")

    line = backup(koog)

    assert line["pushed"] is not persons
    if persons:
        assert line["notPushed"].startswith("1 of 2 unpushed commits are not koog's own")
        assert git(remote, "rev-parse", "main") == before


@pytest.mark.usefixtures("own")
def test_a_file_of_koogs_that_a_person_removed_is_committed_as_theirs(koog, workspace):
    for name in ("1", "2"):
        koog("log", "--now", f"2026-02-0{name}T10:00:00Z", "--entry", json.dumps(entry(NOW)))
    (workspace / "memory/playbook-logs/2026-02-01.jsonl").unlink()

    assert backup(koog)["files"] == ["memory/playbook-logs/2026-02-01.jsonl"]

    assert git(workspace, "log", "-1", "--format=%s") == (
        "[DELETE] memory/playbook-logs/2026-02-01.jsonl — changed outside koog"
    )


def test_with_git_commit_off_a_backup_that_is_asked_for_commits(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert line["fileCount"] == 3
    assert git(workspace, "log", "--format=%(trailers:key=Actor,valueonly)").split() == ["skill:koog", "manual"]


def test_without_a_repository_it_is_refused(koog, workspace):
    shutil.rmtree(workspace / ".git")

    code, line = koog("backup", "--now", NOW)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "no git repository" in line["error"]["message"]


def test_a_detached_head_is_refused(koog, workspace):
    git(workspace, "checkout", "-q", "--detach")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    code, line = koog("backup", "--now", NOW)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert git(workspace, "rev-list", "--count", "HEAD") == "1"


def test_a_merge_under_way_is_refused(koog, workspace):
    git(workspace, "checkout", "-q", "-b", "other")
    (workspace / "theirs.md").write_text("x\n")
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "theirs")
    git(workspace, "checkout", "-q", "main")
    git(workspace, "merge", "-q", "--no-ff", "--no-commit", "other")

    code, line = koog("backup", "--now", NOW)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "merge" in line["error"]["message"]


def test_conflict_markers_are_refused_aloud_and_nothing_is_committed(koog, workspace):
    (workspace / "MEMORY.md").write_text("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    (workspace / "USER.md").write_text("fine\n")

    code, line = koog("backup", "--now", NOW)

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert "MEMORY.md" in line["error"]["message"]
    assert git(workspace, "rev-list", "--count", "HEAD") == "1"


def test_a_file_that_shows_a_secret_stays_out_and_is_named_with_its_line(koog, workspace, remote):
    (workspace / "leak.md").write_text(f"# Notes\nkey {SECRET}\n")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["files"], line["leftOut"]) == (["MEMORY.md"], ["leak.md"])
    assert any(w.startswith("leak.md:2: looks like a secret") for w in line["_meta"]["warnings"])
    assert SECRET not in json.dumps(line)
    assert git(workspace, "ls-files", "leak.md") == ""
    assert (workspace / "leak.md").exists()


def test_a_file_that_is_too_large_to_be_looked_through_stays_out_and_is_named(koog, workspace):
    with (workspace / "memory/huge.md").open("wb") as file:
        file.write(f"key {SECRET}\n".encode())
        file.truncate(64 * 1024 * 1024 + 1)  # a hole: no disk is used
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["files"], line["leftOut"]) == (["MEMORY.md"], ["memory/huge.md"])
    assert any(w.startswith("memory/huge.md: larger than koog reads") for w in line["_meta"]["warnings"])
    assert git(workspace, "ls-files", "memory/huge.md") == ""


def test_a_file_with_a_secrets_name_stays_out_and_is_told(koog, workspace):
    (workspace / ".env").write_text("MODE=dev\n")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["files"], line["leftOut"], line["fileCount"]) == (["MEMORY.md"], [".env"], 1)
    assert git(workspace, "ls-files", ".env") == ""


def test_only_secrets_left_is_nothing_to_commit(koog, workspace):
    (workspace / ".env").write_text("MODE=dev\n")

    line = backup(koog)

    assert (line["status"], line["files"], line["leftOut"]) == ("nothing to commit", [], [".env"])


def test_koogs_private_folder_stays_out(koog, workspace):
    (workspace / ".koog/.gitignore").unlink()
    (workspace / ".koog/index.db").write_text("derived\n")

    assert ".koog/index.db" not in backup(koog)["files"]
    assert git(workspace, "ls-files", ".koog/index.db") == ""


def test_what_a_person_has_staged_is_committed_with_the_rest_as_it_is_on_disk(koog, workspace):
    (workspace / "MEMORY.md").write_text("# staged\n")
    git(workspace, "add", "MEMORY.md")
    (workspace / "MEMORY.md").write_text("# on disk\n")

    backup(koog)

    assert git(workspace, "show", "HEAD:MEMORY.md") == "# on disk"


def test_a_dry_run_says_what_it_would_commit_and_does_nothing(koog, workspace, remote):
    (workspace / "MEMORY.md").write_text("# Memory\n")
    kept = snapshot(workspace)

    line = backup(koog, "--dry-run")

    assert (line["files"], line["commit"], line["pushed"], line["unpushed"]) == (["MEMORY.md"], None, False, 0)
    assert git(workspace, "rev-list", "--count", "HEAD") == "1"
    assert snapshot(workspace) == kept


def test_a_link_that_leads_outside_is_committed_as_the_link_it_is(koog, workspace):
    (workspace.parent / "elsewhere.md").write_text(f"key {SECRET}\n")
    (workspace / "memory/2026-02-28.md").symlink_to("../../elsewhere.md")

    line = backup(koog)

    assert line["files"] == ["memory/2026-02-28.md"]
    assert git(workspace, "show", "HEAD:memory/2026-02-28.md") == "../../elsewhere.md"


def test_what_another_koog_commits_during_a_push_goes_with_the_next(koog, workspace, remote, monkeypatch):
    def pushing(*args, **options):
        push(*args, **options)
        with Run(folder=str(workspace)).workspace.writing() as door:
            door.append("memory/b.md", "a line\n", summary="by another koog, meanwhile")

    push = git_push.push
    registered(workspace, git_backup="own")
    koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))
    monkeypatch.setattr(git_push, "push", pushing)
    assert backup(koog)["unpushed"] == 1
    monkeypatch.setattr(git_push, "push", push)

    line = backup(koog)

    assert (line["pushed"], line["notPushed"]) == (True, None)


def test_a_commit_after_which_koog_was_killed_is_koogs_own(koog, workspace, remote, monkeypatch):
    move = Refs.move

    def killed(self, *args, **options):
        move(self, *args, **options)
        raise KeyboardInterrupt

    registered(workspace, git_backup="own")
    monkeypatch.setattr(Refs, "move", killed)
    assert koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))[0] == 130
    monkeypatch.setattr(Refs, "move", move)

    assert backup(koog)["pushed"]
