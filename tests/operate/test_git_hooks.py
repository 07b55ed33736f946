"""koog init --hooks: git's own hooks guard what is committed by hand, and a person's hook stays as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import git


@pytest.fixture
def hooked(koog, workspace: Path) -> Path:
    code, line = koog("init", str(workspace), "--hooks")
    assert code == 0
    assert [row["name"] for row in line["gitHooks"]] == ["pre-commit", "post-commit", "pre-commit"]
    return workspace


def commit(workspace: Path, path: str, text: str) -> subprocess.CompletedProcess[str]:
    file = workspace / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    git(workspace, "add", "-A", "--", path)
    return subprocess.run(["git", "-C", str(workspace), "commit", "-qm", "by hand"], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("lines", "code", "told"), [(180, 0, ""), (181, 0, "WARNING"), (200, 0, "WARNING"), (201, 1, "ERROR")]
)
def test_a_core_memory_over_its_cap_is_not_committed(hooked, lines, code, told):
    done = commit(hooked, "MEMORY.md", "a line\n" * lines)

    assert done.returncode == code
    assert told in done.stderr and bool(done.stderr) is bool(told)


def test_what_is_staged_counts_and_not_what_lies_there(hooked):
    (hooked / "MEMORY.md").write_text("a line\n" * 300)
    git(hooked, "add", "MEMORY.md")
    (hooked / "MEMORY.md").write_text("a line\n")

    done = subprocess.run(["git", "-C", str(hooked), "commit", "-qm", "x"], capture_output=True, text=True)

    assert done.returncode == 1


def test_a_transcript_without_frontmatter_is_not_committed_and_a_topic_without_triggers_is_warned_of(hooked):
    refused = commit(hooked, "raw/conversations/2026/03/10/0900-ses_1-täst.md", "# Talk\n")
    git(hooked, "reset", "-q")
    warned = commit(hooked, "topics/mail.md", "---\ntype: topic\n---\n")
    fine = commit(hooked, "knowledge/people/ana.md", "---\ntype: person\nname: Ana\n---\n\n# Ana\n")

    assert refused.returncode == 1 and "frontmatter" in refused.stderr
    assert warned.returncode == 0 and "triggers" in warned.stderr
    assert (fine.returncode, fine.stderr) == (0, "")


def test_transcripts_that_lie_beside_the_workspace_are_looked_at_too(koog, hooked):
    raw = hooked.with_name(f"{hooked.name}-raw")
    refused = commit(raw, "conversations/2026/03/10/0900-ses_2-talk.md", "# Talk\n")
    git(raw, "reset", "-q")
    fine = commit(raw, "conversations/2026/03/10/0901-ses_3-talk.md", "---\ntype: conversation\n---\n")

    assert refused.returncode == 1 and "frontmatter" in refused.stderr
    assert (fine.returncode, fine.stderr) == (0, "")


def test_a_persons_hook_stays_and_koogs_lies_beside_it(koog, workspace):
    own = workspace / ".git/hooks/pre-commit"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\nexit 0\n")

    code, line = koog("init", str(workspace), "--hooks")

    assert code == 0
    assert own.read_text() == "#!/bin/sh\nexit 0\n"
    assert [row["path"] for row in line["gitHooks"]][:2] == [".git/hooks/koog-pre-commit", ".git/hooks/post-commit"]
    assert any("pre-commit is yours and stays" in step for step in line["next"])


def test_where_git_looks_elsewhere_a_person_is_told_and_nothing_is_put_there(koog, workspace):
    git(workspace, "config", "core.hooksPath", ".husky")

    _, line = koog("init", str(workspace), "--hooks")

    assert any(".husky (core.hooksPath)" in step and ".git/hooks/pre-commit" in step for step in line["next"])
    assert not (workspace / ".husky").exists()


def test_the_second_time_nothing_changes(koog, hooked):
    _, line = koog("init", str(hooked), "--hooks")

    assert [row["changed"] for row in line["gitHooks"]] == [False, False, False]


def test_koogs_own_commits_need_no_hook(koog, hooked):
    (hooked / ".git/hooks/pre-commit").write_text("#!/bin/sh\nexit 1\n")

    code, line = koog("remember", "Ana Ruiz is allergic to peanuts", "--store", "semantic", "--entity", "Ana Ruiz")

    assert code == 0
    assert line["_meta"]["commit"]


# --- what knowledge begins with


def test_a_new_workspace_has_knowledge_laid_out_and_an_old_one_only_where_it_is_asked_for(koog, workspace, tmp_path):
    _, old = koog("init", str(workspace))
    _, asked = koog("init", str(workspace), "--knowledge")
    _, new = koog("init", str(tmp_path / "new"))
    _, without = koog("init", str(tmp_path / "other"), "--no-knowledge")

    laid_out = {"knowledge/projects/_active.md", "knowledge/people/_index.md", ".gitattributes"}
    assert laid_out.isdisjoint(old["created"]) and laid_out.isdisjoint(without["created"])
    assert laid_out <= set(asked["created"]) and laid_out <= set(new["created"])


def test_a_vault_keeps_its_own_folders(koog, tmp_path):
    vault = tmp_path / "vault"
    (vault / "People").mkdir(parents=True)
    (vault / "People/Ana Ruiz.md").write_text("# Ana\n")
    (vault / "koog-config.json").write_text('{"paths": {"notes": {"person": ["People/**"]}}}')

    _, line = koog("init", str(vault), "--knowledge")

    assert "People/_index.md" in line["created"]
    assert not (vault / "knowledge/people").exists()


def test_in_a_vault_the_lists_lie_in_its_own_folders(koog, tmp_path):
    for path in ("People/Ana.md", "Projects/Apollo/Apollo.md"):
        (tmp_path / "vault" / path).parent.mkdir(parents=True)
        (tmp_path / "vault" / path).write_text("# A note\n", "utf-8")

    _, line = koog("init", str(tmp_path / "vault"))

    assert {"Projects/_active.md", "People/_index.md"} <= set(line["created"])
    assert not (tmp_path / "vault/knowledge").exists()
