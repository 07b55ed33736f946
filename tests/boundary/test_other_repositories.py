"""The workspace's `.git` and its parts as links or pointers to elsewhere: no other repository and no file changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.boundary.ground import CANARY, Ground

CALLS = ("status", "log", "backup")


@pytest.fixture
def other(ground: Ground) -> Path:
    """Another repository, with a commit, a file that is not committed and one that is staged."""
    folder = ground.outside / "repo"
    folder.mkdir()
    ground.git("init", "-q", cwd=folder)
    (folder / "a.md").write_text(f"{CANARY}\n")
    ground.git("add", "-A", cwd=folder)
    ground.git("commit", "-qm", f"{CANARY} first", cwd=folder)
    (folder / "b.md").write_text(f"{CANARY} dirty\n")
    (folder / "c.md").write_text(f"{CANARY} staged\n")
    ground.git("add", "c.md", cwd=folder)
    ground.run("log")
    ground.seal()
    return folder


def link_all(ground: Ground, other: Path) -> None:
    ground.link(".git", other / ".git")


def point_all(ground: Ground, other: Path) -> None:
    ground.put(".git", f"gitdir: {other / '.git'}\n")


def point_all_by_a_relative_path(ground: Ground, other: Path) -> None:
    ground.put(".git", "gitdir: ../outside/repo/.git\n")


def common_folder(ground: Ground, other: Path) -> None:
    ground.put(".git/commondir", f"{other / '.git'}\n")


def linked_part(name: str) -> Callable[[Ground, Path], None]:
    def trick(ground: Ground, other: Path) -> None:
        target = other / ".git" / name
        if not target.exists():
            target.mkdir(parents=True)
        ground.link(f".git/{name}", target)

    trick.__name__ = f".git/{name} as a link"
    return trick


def a_branch_of_another(ground: Ground, other: Path) -> None:
    ground.link(".git/refs/heads/main", other / ".git/refs/heads/main")


def a_head_of_another(ground: Ground, other: Path) -> None:
    ground.link(".git/HEAD", other / ".git/HEAD")


def packed_refs_of_another(ground: Ground, other: Path) -> None:
    ground.git("pack-refs", "--all", cwd=other)
    ground.git("pack-refs", "--all")
    ground.link(".git/packed-refs", other / ".git/packed-refs")


def objects_of_another_on_a_new_branch(ground: Ground, other: Path) -> None:
    """Nothing of the own branch is lacking then, and what a commit makes goes there."""
    ground.link(".git/objects", other / ".git/objects")
    ground.put(".git/HEAD", "ref: refs/heads/new\n")


def branches_of_another(ground: Ground, other: Path) -> None:
    ground.put(".git/objects/info/alternates", f"{other / '.git/objects'}\n")
    ground.link(".git/refs/heads", other / ".git/refs/heads")


def objects_of_another(ground: Ground, other: Path) -> None:
    """What is read from there must not come into a reply or a commit."""
    ground.put(".git/objects/info/alternates", f"{other / '.git/objects'}\n")
    head = ground.git("rev-parse", "HEAD", cwd=other)
    ground.put(".git/refs/heads/main", f"{head}\n")


def a_tree_elsewhere(ground: Ground, other: Path) -> None:
    ground.git("config", "core.worktree", str(other))


def a_tree_above(ground: Ground, other: Path) -> None:
    ground.git("config", "core.worktree", str(ground.place))


def a_branch_with_dots(ground: Ground, other: Path) -> None:
    ground.put(".git/HEAD", "ref: refs/heads/../../../../outside/new\n")


def a_symbolic_branch(ground: Ground, other: Path) -> None:
    ground.put(".git/refs/heads/main", "ref: refs/../../../outside/repo/.git/refs/heads/main\n")


def every_folder_of_objects(ground: Ground, other: Path) -> None:
    for n in range(256):
        name = f".git/objects/{n:02x}"
        if not (ground.ws / name).exists():
            ground.link(name, ground.outside / "folder")


def a_worktree_of_another(ground: Ground, other: Path) -> None:
    """As `git worktree add` leaves it, with both sides agreeing: the agent has made the other side in its workspace."""
    ground.put("tools/gits/HEAD", "ref: refs/heads/main\n")
    ground.put("tools/gits/commondir", f"{other / '.git'}\n")
    ground.put("tools/gits/gitdir", f"{ground.ws / '.git'}\n")
    ground.put(".git", "gitdir: tools/gits\n")


TRICKS = [
    *(link_all, point_all, point_all_by_a_relative_path, common_folder, a_worktree_of_another),
    *map(linked_part, ("objects", "refs", "logs", "info", "objects/pack", "koog")),
    *(objects_of_another_on_a_new_branch, branches_of_another),
    *(a_branch_of_another, a_head_of_another, packed_refs_of_another, objects_of_another, a_tree_elsewhere),
    *(a_tree_above, a_branch_with_dots, a_symbolic_branch, every_folder_of_objects),
]


@pytest.mark.wide(8)
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__.replace("_", " "))
def test_another_repository_is_neither_written_nor_read(
    trick: Callable[[Ground, Path], None], ground: Ground, other: Path
) -> None:
    trick(ground, other)
    ground.seal()

    ground.run(*CALLS)

    ground.assert_kept()


# Names of git's own files; each leads to a text. Those that git cannot do without stand alone.
TEXTS: dict[str, list[str]] = {
    **{name: [name] for name in ("HEAD", "config", "index", "packed-refs", "refs/heads/main", "shallow", "commondir")},
    "objects/info/alternates": ["objects/info/alternates"],
    "what a merge leaves": ["MERGE_HEAD", "ORIG_HEAD", "FETCH_HEAD", "gc.log"],
    "info": ["info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout", "config.worktree"],
    "others": ["sharedindex.0123456789012345678901234567890123456789", "refs/remotes/origin/main", "logs/HEAD"],
}


@pytest.mark.wide(5)
@pytest.mark.parametrize("group", TEXTS)
def test_a_file_of_gits_that_leads_outside_is_not_told(group: str, ground: Ground) -> None:
    """Git tells the lines that it does not understand."""
    ground.run("log")
    for name in TEXTS[group]:
        ground.lead(f".git/{name}", "text.md")
    ground.seal()

    ground.run("status", "log", "backup")

    ground.assert_kept()


def test_what_git_and_koog_write_in_gits_folder_goes_through_no_link(ground: Ground) -> None:
    ground.run("log")
    names = ["logs/HEAD", "logs/refs/heads/main", "koog/behind.json", "koog/behind.json.new", "koog/lock"]
    names += [f"koog/index-{os.getpid() + n}" for n in range(1, 60)]
    names += ["gc.pid", "gc.log", "COMMIT_EDITMSG", "objects/info/commit-graph", "objects/info/packs"]
    for name in names:
        ground.link(f".git/{name}", ground.home / ".bashrc")

    ground.run("log", "mine", "backup", "tick")

    ground.assert_kept()


def test_no_new_file_is_made_where_gits_links_lead(ground: Ground) -> None:
    ground.run("log")
    for n, name in enumerate(("logs/HEAD", "logs/refs/heads/main", "koog/behind.json.new", "koog/lock", "koog")):
        ground.link(f".git/{name}", ground.outside / f"new-{n}")
        ground.run("log", "backup")

    ground.assert_kept()


def test_a_changed_repository_is_taken_on_a_persons_word_only(ground: Ground) -> None:
    """Another repository in the place of the recorded one: nothing is committed, and the way on is told."""
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    ground.run("log")
    new = ground.place / "new"
    ground.git("clone", "-q", "--no-local", str(ground.ws), str(new), cwd=ground.place)
    (ground.ws / ".git").rename(ground.place / "old")
    (new / ".git").rename(ground.ws / ".git")
    head = ground.git("rev-parse", "HEAD")

    called = ground.run("log")["log"]
    backed = ground.run("backup")["backup"]

    assert ground.git("rev-parse", "HEAD") == head
    assert "--adopt" in called.out
    assert backed.code != 0
    assert "--adopt" in backed.out
    assert ground.koog("init", str(ground.ws), "--adopt", cwd=ground.place).code != 0
    assert ground.typed("init", str(ground.ws), "--adopt", cwd=ground.place).line["ok"]
    assert ground.run("log")["log"].line["_meta"]["commit"]


def test_a_moved_workspace_is_adopted_on_a_persons_word(ground: Ground) -> None:
    known = ground.id
    moved = ground.place / "moved"
    ground.ws.rename(moved)

    before = ground.koog("log", "--entry", '{"tickId":"t1","feedbackScores":null,"actionsConsidered":[]}', cwd=moved)
    piped = ground.koog("init", str(moved), "--adopt", cwd=ground.place)
    typed = ground.typed("init", str(moved), "--adopt", cwd=ground.place)

    assert before.code == 0  # unsealed: it reads, writes and commits
    assert piped.code != 0
    assert typed.line["ok"]
    config = (ground.home / "config/koog/config.json").read_text()
    assert known is not None
    assert known in config
    assert str(moved) in config
