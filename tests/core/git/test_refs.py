"""koog.core.git.refs: where branches stand, and how one moves without a link being followed."""

from __future__ import annotations

import os

import pytest

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Fenced, Locked
from koog.core.git.refs import Moved, Refs, is_safe
from tests.conftest import git

MAIN = "refs/heads/main"
WHO = {"who": "Ann <ann@example.org>", "why": "commit: x"}


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / ".git/koog").mkdir()  # as Index.alone makes it
    for _ in range(2):
        git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return folder


def refs(folder, *, logs=True):
    own = Fenced(folder / ".git")
    return Refs(own, own, logs)


def shas(folder):
    return git(folder, "rev-parse", "HEAD", "HEAD~").split()


def test_a_branch_is_found_loose_packed_and_by_another_ref(repo):
    second, first = shas(repo)
    git(repo, "update-ref", "refs/remotes/origin/main", first)
    git(repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    git(repo, "pack-refs", "--all")

    found = refs(repo)

    assert found.tip() == ("main", second)
    assert found.resolve("refs/remotes/origin/HEAD") == first
    git(repo, "update-ref", MAIN, first)
    assert found.tip() == ("main", first)
    git(repo, "checkout", "-q", "--detach", second)
    assert found.tip() == (None, second)
    git(repo, "checkout", "-q", "--orphan", "new")
    assert found.tip() == ("new", None)


@pytest.mark.parametrize("content", ["", "not what git put here\n", "0123\n"])
def test_a_broken_branch_is_an_error_and_no_branch_without_commits(repo, content):
    """A branch that was taken for unborn would get a commit without a past."""
    (repo / ".git" / MAIN).write_text(content)

    with pytest.raises(WorkspaceError, match="names no commit"):
        refs(repo).tip()


@pytest.mark.parametrize("name", ["HEAD", MAIN, "refs/heads", "packed-refs"])
def test_what_leads_elsewhere_is_not_read(repo, tmp_path, name):
    git(repo, "pack-refs", "--all")
    (repo / ".git/refs/heads").mkdir(exist_ok=True)
    place = repo / ".git" / name
    if place.exists():
        place.rename(tmp_path / "aside")
    place.symlink_to(tmp_path / "aside")

    with pytest.raises(WorkspaceError):
        _, old = refs(repo).tip()  # of a packed branch that is known, and the move is refused
        refs(repo).move(MAIN, "a" * 40, old, **WHO)


def test_a_move_is_git_s_own_with_both_logs(repo):
    second, first = shas(repo)

    assert refs(repo).move(MAIN, first, second, **WHO) == []

    assert git(repo, "rev-parse", "HEAD") == first
    for name in ("HEAD", MAIN):
        assert git(repo, "reflog", "-1", "--format=%H %gn %ge %gs", name) == f"{first} Ann ann@example.org commit: x"
    assert not list((repo / ".git").rglob("*.lock"))


def test_a_branch_that_somebody_moved_meanwhile_stays_where_they_put_it(repo):
    second, first = shas(repo)

    with pytest.raises(Moved):
        refs(repo).move(MAIN, first, first, **WHO)
    assert git(repo, "rev-parse", "HEAD") == second


@pytest.mark.parametrize("lock", [f"{MAIN}.lock", "HEAD.lock"])
def test_another_gits_lock_is_respected(repo, lock):
    second, first = shas(repo)
    (repo / ".git" / lock).touch()

    with pytest.raises(Locked) as caught:
        refs(repo).move(MAIN, first, second, **WHO)
    assert caught.value.name == lock
    assert git(repo, "rev-parse", "HEAD") == second


@pytest.mark.parametrize("kind", ["link", "hard link", "folder as link"])
def test_no_line_is_written_into_a_log_that_is_somebodys_file(repo, tmp_path, kind):
    second, first = shas(repo)
    theirs = tmp_path / "bashrc"
    theirs.write_text("theirs\n")
    log = repo / ".git/logs" / MAIN
    log.unlink()
    if kind == "link":
        log.symlink_to(theirs)
    elif kind == "hard link":
        os.link(theirs, log)
    else:
        log.parent.rmdir()
        log.parent.symlink_to(tmp_path)

    warnings = refs(repo).move(MAIN, first, second, **WHO)

    assert theirs.read_text() == "theirs\n"
    assert not (tmp_path / "main").exists()
    assert len(warnings) == 1
    assert git(repo, "rev-parse", "HEAD") == first


def test_where_logs_are_not_wanted_none_is_begun(repo):
    second, first = shas(repo)
    for name in ("HEAD", MAIN):
        (repo / ".git/logs" / name).unlink()

    refs(repo, logs=False).move(MAIN, first, second, **WHO)

    assert not (repo / ".git/logs/HEAD").exists()


def test_a_new_branch_takes_an_empty_folders_place_and_no_other_branchs(repo):
    second, _ = shas(repo)
    (repo / ".git/refs/heads/new").mkdir()
    git(repo, "branch", "taken/inner")
    git(repo, "pack-refs", "--all")

    refs(repo).move("refs/heads/new", second, None, **WHO)

    assert git(repo, "rev-parse", "new") == second
    with pytest.raises(WorkspaceError, match="taken/inner"):
        refs(repo).move("refs/heads/taken", second, None, **WHO)


@pytest.mark.parametrize("ref", ["refs/heads/a/b", "refs/heads/日記", "refs/remotes/origin/x-1"])
def test_a_name_that_git_allows_is_safe(ref):
    assert is_safe(ref)


@pytest.mark.parametrize("name", ["", "../x", "/x", ".x", "x.lock", "a b", "a..b", "@{u}", "x."])
def test_a_name_that_leads_out_of_refs_is_not(name):
    assert not is_safe(f"refs/heads/{name}")
    assert not is_safe(name)


def test_once_the_file_is_in_its_place_a_lock_of_that_name_is_another_git_s(repo):
    own = Fenced(repo / ".git")
    lock = repo / f".git/{MAIN}.lock"
    with own.locked(MAIN, twins=own) as put:
        (twin,) = (repo / ".git/koog").glob("held-*")
        twin.unlink()
        twin.mkdir()  # what cannot be removed: the disk has failed, say
        with pytest.raises(OSError, match="held-"):
            put(b"x")
        lock.write_text("another git's")

    assert lock.read_text() == "another git's"
