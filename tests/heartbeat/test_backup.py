"""koog backup: one commit of what changed, pushed to its own branch, never by force."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.conftest import git
from tests.logs import NOW, entry, snapshot

SECRET = "sk-ant-abcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture
def remote(workspace, tmp_path):
    """A bare repository that the workspace pushes to."""
    bare = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    git(workspace, "remote", "add", "origin", str(bare))
    git(workspace, "push", "-q", "origin", "main")
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


def test_with_git_push_a_command_pushes_its_own_commit(koog, workspace, remote, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_PUSH", "true")

    code, line = koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))

    assert (code, line["_meta"].get("warnings")) == (0, None)
    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD")
    assert git(workspace, "rev-list", "--count", "HEAD") == "2"


def test_with_git_push_a_tick_pushes_what_came_after_its_backup(koog, workspace, remote, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_PUSH", "true")

    assert koog("tick", "--now", NOW, "--idle", "--session-summary", "Nothing new.")[0] == 0

    assert git(remote, "rev-parse", "main") == git(workspace, "rev-parse", "HEAD")


def test_no_push_wins_over_git_push(koog, workspace, remote, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_PUSH", "true")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    assert backup(koog, "--no-push")["unpushed"] == 1
    assert git(remote, "rev-parse", "main") != git(workspace, "rev-parse", "HEAD")


def test_a_push_that_fails_is_a_warning_where_nobody_asked_for_it(koog, workspace, remote, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_PUSH", "true")
    shutil.rmtree(remote)

    code, line = koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))

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


def test_the_branch_is_the_current_one(koog, workspace, remote):
    git(workspace, "checkout", "-q", "-b", "trial")
    (workspace / "MEMORY.md").write_text("# Memory\n")

    backup(koog)

    assert git(remote, "rev-parse", "trial") == git(workspace, "rev-parse", "HEAD")
    assert git(remote, "rev-list", "--count", "main") == "1"


def test_without_a_remote_nothing_is_pushed_and_nothing_fails(koog, workspace):
    (workspace / "MEMORY.md").write_text("# Memory\n")

    line = backup(koog)

    assert (line["status"], line["pushed"], line["unpushed"]) == ("committed", False, None)


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
