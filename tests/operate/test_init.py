"""koog init: a workspace, and nothing that exists is touched."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, git

CORPUS = ROOT.parent / "shared/corpus/openclaw"


def hashes(folder: Path) -> dict[str, str]:
    files = [p for p in folder.rglob("*") if p.is_file() and not {".git", ".koog"} & set(p.relative_to(folder).parts)]
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_a_new_folder_becomes_a_whole_workspace_with_one_commit(koog, tmp_path):
    code, line = koog("init", str(tmp_path / "new/agent"))

    root = tmp_path / "new/agent"
    assert code == 0
    assert line["repository"] == "created"
    for name in ("HEARTBEAT.md", "SKILL.md", "koog-config.json", ".gitignore", "modules/module-registry.json"):
        assert (root / name).is_file()
    assert (root / "memory/playbook-logs").is_dir()
    assert git(root, "rev-list", "--count", "HEAD") == "1"
    assert git(root, "status", "--short") == ""
    assert "Actor: system:init" in git(root, "log", "-1", "--format=%B")


def test_the_second_time_nothing_is_created_or_changed(koog, tmp_path):
    koog("init", str(tmp_path / "agent"))
    before = hashes(tmp_path / "agent")

    code, line = koog("init", str(tmp_path / "agent"))

    assert (code, line["created"]) == (0, [])
    assert hashes(tmp_path / "agent") == before
    assert git(tmp_path / "agent", "rev-list", "--count", "HEAD") == "1"


def test_where_a_heartbeat_stands_koogs_goes_beside_it_and_the_reply_says_how_to_take_it_in(koog, tmp_path):
    root = tmp_path / "agent"
    root.mkdir()
    (root / "HEARTBEAT.md").write_text("# mine\n")

    _, line = koog("init", str(root))

    assert (root / "HEARTBEAT.md").read_text() == "# mine\n"
    assert "koog" in (root / "HEARTBEAT.koog.md").read_text()
    assert any("cat HEARTBEAT.koog.md >> HEARTBEAT.md" in step for step in line["next"])


def test_a_persons_uncommitted_and_staged_files_stay_as_they_are(koog, tmp_path):
    root = tmp_path / "agent"
    root.mkdir()
    git(root, "init", "-q")
    (root / "staged.md").write_text("a\n")
    git(root, "add", "staged.md")
    (root / "loose.md").write_text("b\n")

    _, line = koog("init", str(root))

    assert line["repository"] == "existing"
    assert git(root, "status", "--short") == "A  staged.md\n?? loose.md"


def test_a_repository_that_ignores_the_folder_is_not_used(koog, tmp_path):
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    (outer / ".gitignore").write_text("agent/\n")

    _, line = koog("init", str(outer / "agent"))

    assert line["repository"] == "created"
    assert git(outer / "agent", "rev-list", "--count", "HEAD") == "1"


def test_dry_run_makes_no_folder(koog, tmp_path):
    code, line = koog("--dry-run", "init", str(tmp_path / "agent"))

    assert code == 0
    assert "HEARTBEAT.md" in line["created"]
    assert not (tmp_path / "agent").exists()


def test_a_file_in_the_folders_place_is_a_usage_error(koog, tmp_path):
    (tmp_path / "agent").write_text("")

    code, _ = koog("init", str(tmp_path / "agent"))

    assert code == 2


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the OpenClaw sample workspaces are not beside this checkout")
@pytest.mark.parametrize("store", ["file-store-2026.7.1", "sqlite-store-2026.9.6"])
def test_on_a_real_openclaw_workspace_nothing_changes_and_the_tick_runs(koog, tmp_path, store):
    root = tmp_path / "openclaw"
    shutil.copytree(CORPUS / store / "workspace", root, copy_function=shutil.copyfile)
    for folder in [root, *(p for p in root.rglob("*") if p.is_dir())]:
        folder.chmod(0o755)
    before = hashes(root)

    koog("init", str(root))
    after_init = hashes(root)
    code, line = koog("--workspace", str(root), "tick", "--idle", "--now", "2026-11-21T22:00:00Z")

    assert before.items() <= after_init.items()
    assert (code, line["degraded"]) == (0, [])
    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert before.items() <= hashes(root).items()
