"""Repositories as people have them: whatever guards the boundary, log, mine, backup, status and tick work on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.boundary.conftest import NOTE, plain
from tests.boundary.ground import NOW, Ground

LOG = f"memory/playbook-logs/{NOW[:10]}.jsonl"
CALLS = ("log", "backup", "status", "tick")  # a tick mines as well


def workspace(ground: Ground, at: Path) -> None:
    """Make the workspace there, with a day's notes."""
    ground.ws_path = at
    called = ground.koog("init", str(at), cwd=ground.place)
    assert called.code == 0, called.out
    (at / "memory/2026-02-27.md").write_text(NOTE)


def repository(ground: Ground, at: Path, *options: str) -> Path:
    at.mkdir(parents=True, exist_ok=True)
    ground.git("init", "-q", *options, cwd=at)
    (at / "README.md").write_text("# Project\n")
    ground.git("add", "-A", cwd=at)
    ground.git("commit", "-qm", "first", cwd=at)
    return at


def committed(ground: Ground, path: str = LOG) -> bool:
    prefix = ground.git("rev-parse", "--show-prefix")
    return f"{prefix}{path}" in ground.git("ls-tree", "-r", "--name-only", "--full-tree", "HEAD").split("\n")


# Each makes a workspace in some repository and returns the paths that must be committed in the end.


def plain_one(ground: Ground) -> list[str]:
    workspace(ground, ground.place / "ws")
    return ["memory/2026-02-27.md", "AGENTS.md"] if ground.put("AGENTS.md", "# Agents\n") else []


def with_a_filter_of_the_global_config(ground: Ground) -> list[str]:
    """As git-lfs has it: the content lies elsewhere, a pointer is committed."""
    clean, smudge = ground.place / "bin/clean", ground.place / "bin/smudge"
    clean.write_text(f"#!/bin/sh\ncat >'{ground.place}/stored'\necho pointer\n")
    smudge.write_text(f"#!/bin/sh\ncat >/dev/null\ncat '{ground.place}/stored'\n")
    for program in (clean, smudge):
        program.chmod(0o755)
    for key, value in (("clean", str(clean)), ("smudge", str(smudge)), ("required", "true")):
        ground.git("config", "--global", f"filter.lfs.{key}", value, cwd=ground.place)
    workspace(ground, ground.place / "ws")
    ground.put(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    ground.put("a.bin", "the content itself\n")
    return ["a.bin"]


def a_linked_worktree(ground: Ground) -> list[str]:
    top = repository(ground, ground.place / "project")
    ground.git("worktree", "add", "-q", "-b", "side", str(ground.place / "side"), cwd=top)
    workspace(ground, ground.place / "side")
    return []


def a_submodule(ground: Ground) -> list[str]:
    inner = repository(ground, ground.place / "inner")
    top = repository(ground, ground.place / "project")
    ground.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "agent", cwd=top)
    ground.git("commit", "-qm", "submodule", cwd=top)
    workspace(ground, top / "agent")
    return []


def beside_a_submodule(ground: Ground) -> list[str]:
    inner = repository(ground, ground.place / "inner")
    workspace(ground, ground.place / "ws")
    ground.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "lib")
    ground.git("commit", "-qm", "submodule")
    return []


def a_shallow_clone(ground: Ground) -> list[str]:
    top = repository(ground, ground.place / "project")
    ground.git("commit", "-q", "--allow-empty", "-m", "second", cwd=top)
    ground.git("clone", "-q", "--depth", "1", f"file://{top}", str(ground.place / "ws"), cwd=ground.place)
    workspace(ground, ground.place / "ws")
    return []


def a_partial_clone(ground: Ground) -> list[str]:
    top = repository(ground, ground.place / "project")
    ground.git("config", "uploadpack.allowFilter", "true", cwd=top)
    ground.git("config", "uploadpack.allowAnySHA1InWant", "true", cwd=top)
    (top / "old.md").write_text("first\n")
    ground.git("add", "-A", cwd=top)
    ground.git("commit", "-qm", "old", cwd=top)
    ground.git("clone", "-q", "--filter=blob:none", f"file://{top}", str(ground.place / "ws"), cwd=ground.place)
    workspace(ground, ground.place / "ws")
    return []


def of_sha256(ground: Ground) -> list[str]:
    repository(ground, ground.place / "ws", "--object-format=sha256")
    workspace(ground, ground.place / "ws")
    return []


def of_reftable(ground: Ground) -> list[str]:
    at = ground.place / "ws"
    at.mkdir()
    ground.git("init", "-q", "--ref-format=reftable", check=False, cwd=at)
    if not (at / ".git/reftable").exists():
        pytest.skip("this git knows no reftable")
    workspace(ground, at)
    return []


def an_enclosing_project(ground: Ground) -> list[str]:
    top = repository(ground, ground.place / "project")
    workspace(ground, top / "agent")
    return []


def with_a_sparse_checkout(ground: Ground) -> list[str]:
    top = repository(ground, ground.place / "ws")
    for name in ("kept/a.md", "left/b.md"):
        ground.put(name, f"{name}\n")
    ground.git("add", "-A", cwd=top)
    ground.git("commit", "-qm", "folders", cwd=top)
    ground.git("sparse-checkout", "set", "kept", "memory", "modules", cwd=top)
    workspace(ground, top)
    return ["left/b.md", "kept/a.md"]


def with_a_split_index(ground: Ground) -> list[str]:
    repository(ground, ground.place / "ws")
    ground.git("update-index", "--split-index")
    workspace(ground, ground.place / "ws")
    return []


def with_line_ends_by_attributes(ground: Ground) -> list[str]:
    workspace(ground, ground.place / "ws")
    ground.git("config", "core.autocrlf", "true")
    ground.put(".gitattributes", "*.md text eol=crlf\n*.sh text eol=lf\n*.txt working-tree-encoding=UTF-16LE\n")
    ground.put("a.md", "one\r\ntwo\r\n")
    ground.put("b.txt", "eins\n".encode("utf-16-le"))
    return ["a.md"]


def with_odd_names(ground: Ground) -> list[str]:
    workspace(ground, ground.place / "ws")
    names = ["with space.md", "two\nlines.md", 'quote".md', "-dash.md", ":(top).md", "ünï.md", "*.md"]
    for name in names:
        ground.put(name, "odd\n")
    Path(os.fsdecode(os.fsencode(ground.ws) + b"/latin\xe9.md")).write_text("odd\n")
    return []


def with_programs_and_links(ground: Ground) -> list[str]:
    workspace(ground, ground.place / "ws")
    ground.put("run.sh", "#!/bin/sh\n").chmod(0o755)
    ground.put("AGENTS.md", "# Agents\n")
    ground.link("CLAUDE.md", "AGENTS.md")
    ground.link("broken.md", "nowhere.md")
    return ["run.sh", "CLAUDE.md", "broken.md"]


def that_ignores_case(ground: Ground) -> list[str]:
    workspace(ground, ground.place / "ws")
    ground.git("config", "core.ignoreCase", "true")
    ground.git("config", "core.precomposeUnicode", "true")
    ground.git("config", "core.fileMode", "false")
    ground.git("config", "core.protectNTFS", "true")
    return []


def of_nobody(ground: Ground) -> list[str]:
    (ground.home / ".gitconfig").write_text("")
    workspace(ground, ground.place / "ws")
    return []


def with_a_stale_lock(ground: Ground) -> list[str]:
    workspace(ground, ground.place / "ws")
    ground.put(".git/index.lock", "")
    os.utime(ground.ws / ".git/index.lock", (1_700_000_000, 1_700_000_000))
    return []


def with_settings_of_taste(ground: Ground) -> list[str]:
    """What people set for themselves in the global file and in the repository; none of it is an attack."""
    for key, value in {
        "commit.gpgSign": "false",
        "core.quotePath": "false",
        "status.short": "true",
        "status.branch": "true",
        "color.ui": "always",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "log.date": "relative",
        "format.pretty": "oneline",
        "core.abbrev": "4",
        "status.relativePaths": "false",
        "status.showUntrackedFiles": "no",
        "core.untrackedCache": "true",
        "core.logAllRefUpdates": "always",
        "commit.template": "/nowhere",
        "i18n.commitEncoding": "ISO-8859-1",
        "feature.manyFiles": "true",
    }.items():
        ground.git("config", "--global", key, value, cwd=ground.place)
    workspace(ground, ground.place / "ws")
    for key, value in {"user.name": "Another", "user.email": "a@example.invalid", "pull.rebase": "true"}.items():
        ground.git("config", key, value)
    return []


REPOSITORIES: list[Callable[[Ground], list[str]]] = [
    *(plain_one, with_a_filter_of_the_global_config, a_linked_worktree, a_submodule, beside_a_submodule),
    *(a_shallow_clone, a_partial_clone, of_sha256, of_reftable, an_enclosing_project, with_a_sparse_checkout),
    *(with_a_split_index, with_line_ends_by_attributes, with_odd_names, with_programs_and_links, that_ignores_case),
    *(of_nobody, with_a_stale_lock, with_settings_of_taste),
]


@pytest.mark.wide(7)
@pytest.mark.parametrize("make", REPOSITORIES, ids=lambda make: make.__name__.replace("_", " "))
def test_koog_works_in_a_repository(make: Callable[[Ground], list[str]], tmp_path: Path) -> None:
    ground = plain(tmp_path)
    paths = make(ground)
    config = Path(ground.git("rev-parse", "--absolute-git-dir")) / "config"
    before = config.read_bytes() if config.exists() else None
    ground.seal()

    called = ground.run(*CALLS)

    assert {name: c.out for name, c in called.items() if c.code} == {}
    assert [c.warned for c in called.values() if "not committed" in c.warned and make is not with_odd_names] == []
    assert committed(ground)
    assert [p for p in paths if not committed(ground, p)] == []
    assert called["log"].line["_meta"]["commit"]
    assert (config.read_bytes() if config.exists() else None) == before
    assert ground.git("fsck", "--no-dangling", check=False) == ""
    assert ground.programs_run() == []
    assert ground.told() == ground.broken() == []


def test_a_pointer_is_committed_where_the_global_config_has_a_filter(tmp_path: Path) -> None:
    ground = plain(tmp_path)
    with_a_filter_of_the_global_config(ground)

    backup = ground.run("backup")["backup"]

    assert backup.line["leftOut"] == []
    assert ground.git("cat-file", "blob", "HEAD:a.bin") == "pointer"
    assert (ground.place / "stored").read_text() == "the content itself\n"
    assert (ground.ws / "a.bin").read_text() == "the content itself\n"


def test_line_ends_and_modes_are_committed_as_git_would(tmp_path: Path) -> None:
    ground = plain(tmp_path)
    with_line_ends_by_attributes(ground)
    ground.put("run.sh", "#!/bin/sh\n").chmod(0o755)
    ground.put("AGENTS.md", "# Agents\n")
    ground.link("CLAUDE.md", "AGENTS.md")

    ground.run("backup")

    assert ground.git("cat-file", "blob", "HEAD:a.md") == "one\ntwo"
    assert ground.git("cat-file", "blob", "HEAD:b.txt") == "eins"
    assert ground.git("cat-file", "blob", "HEAD:CLAUDE.md") == "AGENTS.md"
    modes = {row.split("\t")[1]: row[:6] for row in ground.git("ls-files", "-s").splitlines()}
    assert modes["run.sh"] == "100755"
    assert modes["CLAUDE.md"] == "120000"
    assert ground.git("status", "--porcelain", "run.sh", "a.md", "b.txt", "CLAUDE.md") == ""


@pytest.mark.parametrize("state", ["a detached head", "a merge"])
def test_where_git_takes_no_commit_koog_writes_and_says_so(state: str, tmp_path: Path) -> None:
    ground = plain(tmp_path)
    workspace(ground, ground.place / "ws")
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    if state == "a merge":
        ground.git("switch", "-qc", "side")
        ground.git("commit", "-q", "--allow-empty", "-m", "side")
        ground.git("switch", "-q", "main")
        ground.git("commit", "-q", "--allow-empty", "-m", "main")
        ground.git("merge", "-q", "--no-commit", "--no-ff", "side", check=False)
    else:
        ground.git("switch", "-q", "--detach")
    before = ground.git("rev-parse", "HEAD")

    called = ground.run("log", "mine", "status")

    assert [c.code for c in called.values()] == [0, 0, 0]
    assert "not committed" in called["log"].warned
    assert '"tickId"' in (ground.ws / LOG).read_text()
    assert ground.git("rev-parse", "HEAD") == before
    assert ground.run("backup")["backup"].error == "refused"
    assert ground.broken() == []


def test_a_bare_repository_beside_takes_the_pushes_that_a_person_allowed(tmp_path: Path) -> None:
    ground = plain(tmp_path)
    workspace(ground, ground.place / "ws")
    origin = ground.outside / "origin.git"
    ground.git("init", "-q", "--bare", "-b", "main", str(origin), cwd=tmp_path)
    ground.git("remote", "add", "origin", str(origin))
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    ground.git("push", "-q", "-u", "origin", "main")
    ground.typed("backup", "--allow-push")
    ground.operator("git.push", True)

    called = ground.run(*CALLS)
    ground.put("notes/more.md", "more\n")
    saved = ground.run("backup")["backup"]

    assert {name: c.out for name, c in called.items() if c.code} == {}
    assert saved.line["pushed"] is True
    assert saved.line["unpushed"] == 0
    assert ground.git("rev-parse", "main", cwd=origin) == ground.git("rev-parse", "HEAD")
    assert ground.git("rev-parse", "refs/remotes/origin/main") == ground.git("rev-parse", "HEAD")


def test_an_index_that_is_locked_for_ever_gets_its_commits(tmp_path: Path) -> None:
    ground = plain(tmp_path)
    with_a_stale_lock(ground)
    before = ground.git("rev-parse", "HEAD")

    called = ground.run("log")["log"]

    assert called.code == 0
    assert ground.git("rev-parse", "HEAD") != before
    assert (ground.ws / ".git/index.lock").exists()
    assert json.loads((ground.ws / LOG).read_text())["tickId"]
