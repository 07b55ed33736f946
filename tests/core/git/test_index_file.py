"""git's index as koog reads and writes it: what git itself makes of the same wishes, or left to git."""

from __future__ import annotations

import re
import subprocess
import time
from hashlib import sha1

import pytest

from koog.core.git import index_file
from koog.core.git.objects import TreeEntry
from tests.conftest import git

LATER = 2**32 - 1  # seconds: of no file here it is unsure whether it was changed since it was added
BLOB = sha1(b"blob 4\0new\n").hexdigest()
NEW, PROGRAM, LINK = (TreeEntry(mode, BLOB) for mode in ("100644", "100755", "120000"))


@pytest.fixture
def tree(workspace):
    """A workspace with a longer name and one of other letters, everything staged."""
    for name in ("b/c.md", "b.md", "b/ü.md", f"{'d' * 90}/{'e' * 200}.md"):
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text(name)
    git(workspace, "add", "-A")
    subprocess.run(["git", "hash-object", "-w", "--stdin"], input=b"new\n", cwd=workspace, check=True)
    return workspace


def read(tree, width=20):
    return index_file.read((tree / ".git/index").read_bytes(), width)


@pytest.mark.parametrize(
    "wanted",
    [
        {"b.md": NEW},
        {"b/c.md": None, "a": PROGRAM, "b/ü.md": LINK, "b/zz/y.md": NEW, "b-": NEW, "nowhere": None},
        {f"{'d' * 90}/{'e' * 200}.md": NEW, f"{'d' * 90}/{'e' * 4100}.md": NEW},
    ],
)
def test_it_is_what_git_makes(tree, wanted):
    fresh = read(tree).edited(wanted, written=LATER)
    rows = [f"{e.mode} {e.sha}\t{path}" if e else f"0 {'0' * 40}\t{path}" for path, e in wanted.items()]
    subprocess.run(["git", "update-index", "--index-info"], input="\n".join(rows).encode(), cwd=tree, check=True)
    gits = git(tree, "ls-files", "--stage", "--debug")

    (tree / ".git/index").write_bytes(fresh)

    assert git(tree, "ls-files", "--stage", "--debug") == gits
    assert {path: read(tree).held(path) for path in wanted} == wanted
    git(tree, "status")
    git(tree, "fsck", "--strict", "--connectivity-only")


@pytest.mark.parametrize(
    "command",
    [
        ("update-index", "--index-version", "4"),
        ("update-index", "--split-index"),
        ("update-index", "--untracked-cache"),
    ],
    ids=["version 4", "split", "untracked cache"],
)
def test_an_index_of_another_form_is_gits(tree, command):
    git(tree, *command)

    assert read(tree) is None


@pytest.mark.parametrize(
    "command",
    [
        ("update-index", "--assume-unchanged", "b.md"),
        ("update-index", "--skip-worktree", "b.md"),
        ("add", "-N", "n.md"),
    ],
    ids=["assumed unchanged", "not in the working tree", "only meant"],
)
def test_what_a_person_has_marked_is_gits(tree, command):
    (tree / "n.md").write_text("n")
    git(tree, *command)

    with pytest.raises(ValueError, match="marked"):
        read(tree).held(command[-1])


def test_what_is_unmerged_is_gits(tree):
    rows = "".join(f"100644 {BLOB} {stage}\tm.md\n" for stage in (1, 2, 3))
    subprocess.run(["git", "update-index", "--index-info"], input=rows.encode(), cwd=tree, check=True)

    with pytest.raises(ValueError, match="unmerged"):
        read(tree).held("m.md")


@pytest.mark.parametrize("path", ["b", "b.md/inside"])
def test_a_file_in_a_folders_place_is_gits(tree, path):
    with pytest.raises(ValueError, match="folder"):
        read(tree).edited({path: NEW}, written=LATER)


def test_a_damaged_one_is_gits(tree):
    data = (tree / ".git/index").read_bytes()

    assert all(index_file.read(part, 20) is None for part in (b"", data[:40], data[:-1], data[:-1] + b"?", b"?" + data))
    assert index_file.read(data, 32) is None


def test_a_file_that_is_changed_in_the_second_in_which_it_was_added_is_seen(workspace, koog):
    """Its entry says nothing of that: neither time nor size differ. The index that koog writes is newer than both."""
    assert koog("remember", "Ed likes tea", "--explicit")[0] == 0
    begun = time.time()
    time.sleep(1.02 - begun % 1)
    (workspace / "mine").write_text("aaaa")
    git(workspace, "add", "mine")
    (workspace / "mine").write_text("bbbb")
    time.sleep(1.1)

    assert koog("remember", "Ed eats figs", "--explicit")[0] == 0

    assert git(workspace, "status", "--short", "mine") == "AM mine"


def test_what_is_no_older_than_the_index_is_looked_at_by_git(tree):
    known, newest = read(tree), max(int(path.stat().st_mtime) for path in tree.rglob("*.md"))

    sizes = [git_sizes(tree, known.edited({"a": NEW}, written=written)) for written in (newest + 1, 0)]

    assert set(sizes[0]) > {0} and set(sizes[1]) == {0}


def git_sizes(tree, index):
    (tree / ".git/index").write_bytes(index)
    return [int(n) for n in re.findall(r"size: (\d+)", git(tree, "ls-files", "--debug"))]
