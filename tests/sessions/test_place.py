"""Where a conversation belongs: the project of a folder, the scope of a key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from koog.sessions import place
from koog.sessions.place import GROUP, PRIVATE, Place
from tests.conftest import git


@pytest.fixture(autouse=True)
def afresh():
    """Folders change here within one process."""
    place.project.cache_clear()


def repository(path: Path) -> Path:
    path.mkdir(parents=True)
    git(path, "init", "-q")
    git(path, "commit", "-q", "--allow-empty", "-m", "start")
    return path


def project(path: Path | str) -> str:
    return place.of("claude", folder=str(path)).project


def test_a_folder_in_a_repository_is_of_its_root_and_any_other_of_itself(alone):
    root = repository(alone / "work/harbor")
    (root / "apps/web").mkdir(parents=True)
    plain = alone / "notes/orchard"
    plain.mkdir(parents=True)

    assert {project(root), project(root / "apps/web"), project(f"{root}/"), project(f"{root}/apps/..")} == {str(root)}
    assert project(plain) == str(plain)


def test_a_linked_worktree_is_of_its_repository(alone):
    root = repository(alone / "work/lantern")
    tree = alone / "trees/fix"
    git(root, "worktree", "add", "-q", "-b", "fix", str(tree))
    (tree / "src").mkdir()

    assert {project(root), project(tree), project(tree / "src")} == {str(root)}


def test_a_worktree_of_a_bare_repository_is_of_that(alone):
    bare = alone / "bare.git"
    shutil.copytree(repository(alone / "seed") / ".git", bare)
    git(bare, "config", "core.bare", "true")
    git(bare, "worktree", "add", "-q", "-b", "fix", str(alone / "tree"))

    assert project(alone / "tree") == str(bare)


def test_a_submodule_is_a_project_of_its_own(alone):
    inner, outer = repository(alone / "inner"), repository(alone / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "part")

    assert project(outer / "part") == str(outer / "part")
    assert project(outer) == str(outer)


def test_a_repository_at_home_or_above_it_is_none(alone):
    git(alone, "init", "-q")
    git(alone.parent, "init", "-q")
    inside, root = alone / "plain/north", repository(alone / "work/harbor")
    inside.mkdir(parents=True)

    assert project(inside) == str(inside)
    assert project(alone) == str(alone)
    assert project(root) == str(root)


def test_a_folder_that_is_gone_counts_by_what_is_left_of_its_path(alone):
    root = repository(alone / "work/harbor")

    assert project(root / "trees/gone/deep") == str(root)
    assert project(alone / "nowhere/at/all") == str(alone / "nowhere/at/all")


def test_a_link_is_what_it_leads_to(alone):
    root = repository(alone / "work/harbor")
    (alone / "shortcut").symlink_to(root)
    (root / "docs").mkdir()

    assert {project(alone / "shortcut"), project(alone / "shortcut/docs")} == {str(root)}


@pytest.mark.parametrize("git_file", ["", "gitdir:", "gitdir: /nowhere", "no git file", "gitdir: ../../.."])
def test_a_broken_git_file_makes_a_project_of_its_folder(alone, git_file):
    folder = alone / "odd"
    folder.mkdir()
    (folder / ".git").write_text(git_file)

    assert project(folder) == str(folder)


def test_a_git_folder_without_a_head_is_none(alone):
    (alone / "odd/.git").mkdir(parents=True)
    (alone / "odd/inner").mkdir()

    assert project(alone / "odd/inner") == str(alone / "odd/inner")


@pytest.mark.parametrize("folder", [None, ""])
def test_a_session_without_a_folder_is_of_no_known_project(folder):
    assert place.of("codex", folder=folder) == Place(place.UNKNOWN)


@pytest.mark.parametrize(
    ("key", "scope", "group"),
    [
        ("agent:main:main", PRIVATE, ""),
        ("agent:main:direct:42", PRIVATE, ""),
        ("agent:main:telegram:default:direct:42", PRIVATE, ""),
        ("agent:main:telegram:dm:42", PRIVATE, ""),
        ("agent:main:cron:7", PRIVATE, ""),
        ("agent:main:main:heartbeat", PRIVATE, ""),
        ("main", PRIVATE, ""),
        ("agent:main:telegram:group:-100123", GROUP, "telegram:group:-100123"),
        ("agent:main:telegram:group:-100123:topic:7", GROUP, "telegram:group:-100123"),
        ("agent:main:discord:channel:42:thread:9", GROUP, "discord:channel:42"),
        ("AGENT:main:Discord:Channel:42", GROUP, "discord:channel:42"),
        ("agent:main:slack:acme:channel:c1", GROUP, "slack:acme:channel:c1"),
        ("agent:main:matrix:room:!a", GROUP, "matrix:room:!a"),
        ("agent:main:120363@g.us", GROUP, "120363@g.us"),
        ("agent:main:discord:guild-1:channel-2", GROUP, "discord:guild-1:channel-2"),
        ("agent:main:carrier-pigeon:loft", GROUP, "carrier-pigeon:loft"),
        ("global", GROUP, "global"),
        ("agent:main:unknown", GROUP, "unknown"),
    ],
)
def test_a_key_says_who_hears_it_and_one_that_is_not_known_is_a_groups(key, scope, group):
    at = place.of("openclaw", key=key)

    assert (at.project, at.scope, at.group) == ("openclaw/main", scope, group)


@pytest.mark.parametrize(
    ("key", "chat", "group"),
    [
        (None, None, ""),
        (None, "direct", ""),
        (None, "group", place.UNKNOWN),
        (None, "channel", place.UNKNOWN),
        ("agent:main:pigeon:7", "direct", ""),
        ("agent:main:pigeon:7", "channel", "pigeon:7"),
        ("agent:main:telegram:group:-1", "direct", "telegram:group:-1"),
    ],
)
def test_what_the_host_says_of_a_chat_counts_where_the_key_does_not_say_it(key, chat, group):
    assert place.of("openclaw", agent="main", key=key, chat=chat).group == group


@pytest.mark.parametrize(
    ("agent", "key", "project"),
    [
        ("ops", "agent:ops:main", "openclaw/ops"),
        (None, "agent:Ops:main", "openclaw/ops"),
        (None, "group:-1", "openclaw/main"),
        (None, None, "openclaw/main"),
    ],
)
def test_an_agents_sessions_are_its_own(agent, key, project):
    assert place.of("openclaw", agent=agent, key=key, folder="/anywhere").project == project


def test_a_project_is_told_by_its_last_part():
    assert [place.short(name) for name in ("/srv/src/app", "/srv/src/app/", "openclaw/ops", "unknown", "/")] == [
        "app",
        "app",
        "openclaw/ops",
        "unknown",
        "/",
    ]


@pytest.mark.parametrize(
    ("line", "cwd"),
    [
        (b'{"type":"session_meta","payload":{"cwd":"/srv/app","instr', "/srv/app"),
        (b'{"cwd": "/srv/app","text":"', "/srv/app"),
        (b'{"payload":{"instructions":"', None),
    ],
)
def test_the_folder_stands_in_the_beginning_of_a_record_that_is_cut(line, cwd):
    assert place.cwd_of(line) == cwd


def test_a_file_that_claims_to_be_a_worktree_is_none_of_the_repository(tmp_path):
    """An unpacked archive can hold any `.git` file; git itself asks whether the repository knows it."""
    home, evil = tmp_path / "harbor", tmp_path / "evil"
    (home / ".git").mkdir(parents=True)
    (home / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (evil / "x").mkdir(parents=True)
    (evil / ".git").write_text("gitdir: x\n")
    (evil / "x/commondir").write_text(f"{home}/.git\n")

    assert project(str(evil)) == str(evil)


@pytest.mark.parametrize("folder", ["/x\0y", "/x\ud800", ""])
def test_what_no_folder_is_called_is_unknown(folder):
    assert place.of("claude", folder=folder) == place.NOWHERE
