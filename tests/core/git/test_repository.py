"""koog.core.git.repository against real repositories, real processes and a real hanging remote."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from koog.core.errors import Busy, WorkspaceError
from koog.core.git.conflict_markers import has_conflict_markers
from koog.core.git.fenced import Fenced
from koog.core.git.index import Index
from koog.core.git.outgoing import suspicious
from koog.core.git.process import redacted
from koog.core.git.push import push as push_to
from koog.core.git.repository import Git

WHEN = datetime(2026, 2, 28, 12, 0, tzinfo=timezone(timedelta(hours=2)))
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_configuration(tmp_path_factory, monkeypatch):
    """No configuration of the machine, and no variable of a git that may be running the tests."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


class Person:
    """Somebody who uses git by hand in the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def git(self, *args: str | bytes, ok: bool = True) -> str:
        done = subprocess.run(["git", *args], cwd=self.folder, capture_output=True, check=False)
        assert not ok or done.returncode == 0, done.stderr
        return os.fsdecode(done.stdout)

    def status(self) -> str:
        return self.git("status", "--porcelain", "-z").replace("\0", "\n")

    def show(self, name: str) -> str:
        return self.git("show", name)

    def files(self, commit: str = "HEAD") -> set[str]:
        return set(self.git("ls-tree", "-r", "-z", "--name-only", commit).split("\0")[:-1])

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


@pytest.fixture
def person(tmp_path):
    """A person in a repository with one commit: a.md and b.md, each the line "one"."""
    folder = tmp_path / "repo"
    folder.mkdir()
    person = Person(folder)
    person.git("init", "-q", "-b", "main")
    person.git("config", "user.name", "Ann Example")
    person.git("config", "user.email", "ann@example.org")
    person.write("a.md", "one\n")
    person.write("b.md", "one\n")
    person.git("add", ".")
    person.git("commit", "-q", "-m", "first")
    return person


@pytest.fixture
def git(person):
    return found(person.folder)


def found(folder: Path) -> Git:
    git = Git.find(folder)
    assert git is not None
    return git


def commit(git: Git, *paths: str, message: str = "[EDIT] it — changed"):
    return git.commit(paths, message=message, when=WHEN)


# --- finding and making a repository


def test_a_folder_outside_any_repository_has_no_git(tmp_path):
    assert Git.find(tmp_path) is None


def test_a_repository_that_git_refuses_is_an_error_and_not_none(tmp_path):
    (tmp_path / ".git").write_text("gitdir: nowhere\n")

    with pytest.raises(WorkspaceError, match=r"not a git repository: .*nowhere"):
        Git.find(tmp_path)


def test_a_machine_without_git_is_told_so(tmp_path, monkeypatch):
    git = Git.init(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(WorkspaceError, match="git is not installed") as caught:
        git.status()
    assert caught.value.hint == "install git"


def test_a_line_break_in_the_workspaces_name_is_a_name_like_another(tmp_path):
    Git.init(tmp_path)
    Person(tmp_path).write("two\nlines/a.md", "one\n")

    made = commit(found(tmp_path / "two\nlines"), "a.md")

    assert made is not None
    assert Person(tmp_path).files() == {"two\nlines/a.md"}


def test_a_file_called_head_is_not_taken_for_a_commit(tmp_path):
    git = Git.init(tmp_path)
    Person(tmp_path).write("HEAD", "a file\n")

    assert (git.branch(), git.head()) == ("main", None)
    assert commit(git, "HEAD") is not None
    assert git.branch() == "main"


def test_init_makes_main_and_gives_nobody_an_identity(tmp_path):
    git = Git.init(tmp_path)

    assert (git.branch(), git.head(), git.hindrance()) == ("main", None, None)
    assert Person(tmp_path).git("config", "--local", "--get-regexp", "^user", ok=False) == ""


@pytest.mark.parametrize("leads", ["elsewhere", "nowhere"])
def test_init_does_not_follow_a_git_folder_that_leads_elsewhere(tmp_path, leads):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/.git").symlink_to(tmp_path / leads)

    with pytest.raises(WorkspaceError):
        Git.find(tmp_path / "ws") or Git.init(tmp_path / "ws")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert not (tmp_path / "nowhere").exists()


# --- what a commit is


def test_a_commit_holds_exactly_the_named_paths(git, person):
    person.write("a.md", "two\n")
    person.write("b.md", "two\n")
    person.write("new.md", "new\n")

    made = commit(git, "a.md", "new.md")

    assert made is not None
    assert made.paths == ("a.md", "new.md")
    assert (made.sha, made.warnings) == (git.head(), ())
    assert made.sha.startswith(made.short)
    assert person.git("diff", "--name-only", "HEAD~", "HEAD").split() == ["a.md", "new.md"]
    assert person.status() == " M b.md\n"


def test_the_message_date_and_identity_are_what_was_given(git, person):
    person.write("a.md", "two\n")

    commit(git, "a.md", message="[EDIT] a.md — “zwei”\n\n# not a comment\nActor: skill:koog\n")

    assert person.git("log", "-1", "--format=%B") == "[EDIT] a.md — “zwei”\n\n# not a comment\nActor: skill:koog\n\n"
    assert person.git("log", "-1", "--format=%aI %cI") == "2026-02-28T12:00:00+02:00 2026-02-28T12:00:00+02:00\n"
    assert person.git("log", "-1", "--format=%an <%ae> %cn") == "Ann Example <ann@example.org> Ann Example\n"


def test_without_a_configured_identity_koog_signs_that_one_commit(git, person, monkeypatch):
    monkeypatch.setenv("EMAIL", "guessed@example.org")
    person.git("config", "--unset", "user.name")
    person.git("config", "--unset", "user.email")
    person.write("a.md", "two\n")

    commit(git, "a.md")

    assert person.git("log", "-1", "--format=%an <%ae>, %cn <%ce>") == "koog <koog@localhost>, koog <koog@localhost>\n"
    assert person.git("config", "user.name", ok=False) == ""


def test_nothing_that_differs_makes_no_commit(git, person):
    before = git.head()

    assert commit(git, "a.md", "never-was.md") is None
    assert commit(git) is None
    assert git.head() == before


def test_the_first_commit_of_a_fresh_repository(tmp_path):
    person = Person(tmp_path / "fresh")
    person.folder.mkdir()
    git = Git.init(person.folder)
    person.write("memory/a.md", "one\n")
    person.write("later.md", "one\n")

    made = commit(git, "memory/a.md")

    assert made is not None
    assert made.paths == ("memory/a.md",)
    assert person.git("log", "--format=%H %P").strip() == made.sha
    assert person.status() == "?? later.md\n"


def test_a_deletion_is_committed(git, person):
    (person.folder / "a.md").unlink()

    made = commit(git, "a.md")

    assert made is not None
    assert made.paths == ("a.md",)
    assert person.files() == {"b.md"}
    assert person.status() == ""


@pytest.mark.parametrize("nested_first", [True, False])
def test_a_file_that_became_a_folder_and_back_is_committed(git, person, nested_first):
    names = ["a.md/inner.md", "a.md"] if nested_first else ["a.md", "a.md/inner.md"]
    (person.folder / "a.md").unlink()
    person.write("a.md/inner.md", "inside\n")

    commit(git, *names)

    assert person.files() == {"a.md/inner.md", "b.md"}
    assert person.status() == ""

    (person.folder / "a.md/inner.md").unlink()
    (person.folder / "a.md").rmdir()
    person.write("a.md", "a file again\n")

    commit(git, *names)

    assert person.files() == {"a.md", "b.md"}
    assert person.status() == ""


def test_odd_names_are_committed_and_listed_as_they_are(git, person):
    names = [
        "with space.md",
        "quo\"te's.md",
        "日記/übung.md",
        "-rf.md",
        ":(top)x.md",
        "*.md",
        "new\nline.md",
        "tab\t.md",
    ]
    names.append(os.fsdecode(b"latin-\xe9.md"))
    for name in names:
        person.write(name, "text\n")

    assert sorted(git.changed()) == sorted(names)

    made = commit(git, *names)

    assert made is not None
    assert sorted(made.paths) == sorted(names)
    assert person.files() == {"a.md", "b.md", *names}
    assert person.status() == ""


def test_a_star_in_a_name_is_no_pattern(git, person):
    person.write("a.md", "two\n")
    person.write("*.md", "star\n")

    commit(git, "*.md")

    assert person.status() == " M a.md\n"


def test_links_and_executable_files_keep_their_kind(git, person):
    (person.folder / "link.md").symlink_to("a.md")
    person.write("run.sh", "#!/bin/sh\n").chmod(0o755)

    commit(git, "link.md", "run.sh")

    modes = [line.split()[0] for line in person.git("ls-tree", "HEAD", "link.md", "run.sh").splitlines()]
    assert modes == ["120000", "100755"]


@pytest.mark.parametrize("path", ["../outside.md", "/etc/hosts", "", ".", "memory/../../x", "nul\0.md"])
def test_a_path_that_is_not_inside_the_workspace_is_refused(git, path):
    with pytest.raises(WorkspaceError, match="not a path inside the workspace"):
        commit(git, path)


def test_a_time_without_a_zone_is_a_mistake(git):
    with pytest.raises(ValueError, match="zone"):
        git.commit(["a.md"], message="x", when=datetime(2026, 2, 28))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text(max_size=60))
@example("\0 and a lone surrogate \ud800 and \u2028 and \x85")
def test_any_message_makes_a_commit(git, person, message):
    person.write("a.md", f"{time.monotonic_ns()}\n")

    assert commit(git, "a.md", message=message) is not None
    assert person.git("cat-file", "commit", "HEAD").endswith("\n")


# --- what a commit leaves out


def test_ignored_paths_secrets_and_private_files_stay_out(git, person):
    person.write(".gitignore", "ignored.md\ncache/\n")
    secrets = [".env", "config/.env.local", "host.KEY", "tls/cert.pem", "id_ed25519"]
    silent = [
        "ignored.md",
        "cache/x.md",
        ".koog/index.db",
        "sub/.koog/y",
        "half.tmp",
        "a.md~",
        ".a.md.swp",
        ".git/config",
    ]
    for name in [*secrets, *silent[:-1]]:
        person.write(name, "no\n")

    made = commit(git, ".gitignore", *secrets, *silent)

    assert made is not None
    assert made.paths == (".gitignore",)
    assert made.warnings == tuple(f"{name}: has a secret's name: not committed" for name in secrets)


def test_only_ignored_paths_make_no_commit(git, person):
    person.write(".gitignore", "*\n")
    person.write("ignored.md", "no\n")

    assert commit(git, "ignored.md") is None


def test_a_tracked_file_is_committed_although_a_pattern_ignores_its_name(git, person):
    person.write(".gitignore", "a.md\n")
    person.write("a.md", "two\n")

    assert commit(git, "a.md") is not None


def test_a_repository_inside_the_workspace_is_left_alone(git, person):
    person.git("init", "-q", "inner")
    person.write("inner/x.md", "x\n")
    Person(person.folder / "inner").git("add", ".")
    Person(person.folder / "inner").git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "inner")

    assert git.changed() == []
    assert commit(git, "inner") is None


# --- whom a commit must not disturb


def test_what_a_person_staged_in_another_file_stays_staged(git, person):
    person.write("b.md", "staged\n")
    person.git("add", "b.md")
    person.write("b.md", "staged, then edited\n")
    person.write("a.md", "two\n")

    commit(git, "a.md")

    assert person.show("HEAD:b.md") == "one\n"
    assert person.show(":b.md") == "staged\n"
    assert person.status() == "MM b.md\n"


def test_what_a_person_staged_of_the_same_file_stays_staged(git, person):
    person.write("a.md", "staged by a person\n")
    person.git("add", "a.md")
    person.write("a.md", "written by koog\n")

    made = commit(git, "a.md")

    assert made is not None
    assert made.warnings == ()
    assert person.show("HEAD:a.md") == "written by koog\n"
    assert person.show(":a.md") == "staged by a person\n"


def test_a_new_file_that_a_person_has_only_announced_is_clean_afterwards(git, person):
    person.write("new.md", "new\n")
    person.git("add", "--intent-to-add", "new.md")

    commit(git, "new.md")

    assert person.status() == ""


def test_a_conflict_left_by_a_stash_is_not_resolved_by_koog(git, person):
    person.write("a.md", "stashed\n")
    person.git("stash", "-q")
    person.write("a.md", "two\n")
    person.git("commit", "-qam", "second")
    person.git("stash", "pop", ok=False)

    commit(git, "a.md")

    assert person.status() == "UU a.md\n"


def test_nor_is_one_about_a_file_that_head_does_not_have(git, person):
    person.write("a.md", "stashed\n")
    person.git("stash", "-q")
    person.git("rm", "-q", "a.md")
    person.git("commit", "-qm", "second")
    person.git("stash", "pop", ok=False)
    unmerged = person.git("ls-files", "--unmerged")

    commit(git, "a.md")

    assert unmerged
    assert person.git("ls-files", "--unmerged") == unmerged


def test_a_held_index_lock_blocks_no_commit_and_the_next_one_catches_up(git, person):
    lock = person.folder / ".git/index.lock"
    lock.touch()
    person.write("a.md", "two\n")
    person.write("new.md", "new\n")

    first = commit(git, "a.md", "new.md")
    person.write("a.md", "three\n")
    second = commit(git, "a.md")

    assert first is not None
    assert second is not None
    assert "index.lock" in first.warnings[0]
    assert person.show("HEAD:a.md") == "three\n"
    assert lock.exists()

    lock.unlink()
    person.write("b.md", "two\n")
    third = commit(git, "b.md")

    assert third is not None
    assert third.warnings == ()
    assert person.status() == ""


def test_an_index_left_behind_catches_up_even_when_nothing_differs(git, person):
    lock = person.folder / ".git/index.lock"
    lock.touch()
    person.write("a.md", "two\n")
    commit(git, "a.md")
    lock.unlink()

    assert commit(git, "a.md") is None
    assert person.status() == ""


def test_what_a_person_staged_while_the_index_was_behind_stays_staged(git, person):
    lock = person.folder / ".git/index.lock"
    lock.touch()
    person.write("a.md", "two\n")
    commit(git, "a.md")
    lock.unlink()
    person.write("a.md", "by a person\n")
    person.git("add", "a.md")

    commit(git, "b.md")

    assert person.show(":a.md") == "by a person\n"


def test_a_damaged_note_of_what_is_behind_blocks_no_commit(git, person):
    person.write("a.md", "two\n")
    commit(git, "a.md")
    (person.folder / ".git/koog/behind.json").write_text('{"a.md": ')
    person.write("a.md", "three\n")

    assert commit(git, "a.md") is not None
    assert person.status() == ""


def test_what_a_killed_koog_left_in_the_git_folder_blocks_no_commit(git, person):
    (person.folder / ".git/koog").mkdir()
    (person.folder / ".git/koog/index").write_bytes(b"half an index")
    (person.folder / ".git/koog/index.lock").touch()
    person.write("a.md", "two\n")

    assert commit(git, "a.md") is not None


@pytest.mark.parametrize(
    "hook", ["pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"]
)
def test_no_hook_is_run_by_a_commit(git, person, hook):
    script = person.write(f".git/hooks/{hook}", "#!/bin/sh\ntouch ran\nexit 1\n")
    script.chmod(0o755)
    person.write("a.md", "two\n")

    commit(git, "a.md")

    assert person.show("HEAD:a.md") == "two\n"
    assert git.changed() == []


def test_a_wish_to_sign_asks_no_gpg_and_no_editor(git, person, monkeypatch):
    person.git("config", "commit.gpgSign", "true")
    person.git("config", "gpg.program", "false")
    monkeypatch.setenv("GIT_EDITOR", "false")
    person.write("a.md", "two\n")

    assert commit(git, "a.md") is not None


def test_line_ends_that_git_would_convert_are_no_obstacle(git, person):
    person.git("config", "core.autocrlf", "input")
    person.git("config", "core.safecrlf", "true")
    (person.folder / "a.md").write_bytes(b"one\r\ntwo\r\n")

    commit(git, "a.md")

    assert person.show("HEAD:a.md") == "one\ntwo\n"
    assert person.status() == ""


def test_variables_of_an_outer_git_point_nowhere_else(git, person, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    Person(other).git("init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git/objects"))
    monkeypatch.setenv("GIT_AUTHOR_DATE", "1999-01-01T00:00:00Z")
    person.write("a.md", "two\n")

    made = commit(found(person.folder), "a.md")

    monkeypatch.undo()
    assert made is not None
    assert person.git("log", "-1", "--format=%H %as").split() == [made.sha, "2026-02-28"]
    assert person.status() == ""
    assert not (other / ".git/index").exists()


def test_a_hook_of_a_commit_under_way_may_call_koog(git, person):
    script = person.write(
        ".git/hooks/post-commit",
        f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -c \"{CALLED_BY_HOOK}\"\n",
    )
    script.chmod(0o755)
    person.write("a.md", "by koog\n")
    person.write("b.md", "by a person\n")

    person.git("commit", "-q", "-m", "second", "--", "b.md")

    assert person.git("log", "--format=%s").split() == ["hook", "second", "first"]
    assert person.status() == ""


CALLED_BY_HOOK = """
from datetime import datetime, UTC
from pathlib import Path
from koog.core.git.repository import Git
Git.find(Path.cwd()).commit(['a.md'], message='hook', when=datetime.now(UTC))
"""


# --- the workspace as a folder of a larger repository


def test_a_workspace_in_a_subfolder_sees_and_commits_only_itself(person):
    person.write("agent space/memory/x.md", "x\n")
    person.write("a.md", "two\n")
    git = found(person.folder / "agent space")

    assert git.changed() == ["memory/x.md"]

    made = commit(git, "memory/x.md")

    assert made is not None
    assert made.paths == ("memory/x.md",)
    assert person.show("HEAD:agent space/memory/x.md") == "x\n"
    assert person.status() == " M a.md\n"


def test_two_workspaces_of_one_repository_settle_each_others_debts(person):
    person.write("x/note.md", "x\n")
    person.write("y/note.md", "y\n")
    lock = person.folder / ".git/index.lock"
    lock.touch()
    commit(found(person.folder / "x"), "note.md")
    lock.unlink()

    commit(found(person.folder / "y"), "note.md")

    assert person.status() == ""


def test_a_linked_worktree_commits_to_its_own_branch(git, person):
    person.git("worktree", "add", "-q", "-b", "side", "../side")
    side = Person(person.folder.parent / "side")
    side.write("a.md", "side\n")
    with pytest.raises(WorkspaceError, match="nobody has approved it"):
        commit(found(side.folder), "a.md")
    state = Memory(person.folder.parent / "state")
    found(side.folder).record(state)

    commit(Git.find(side.folder, state=state), "a.md")

    assert side.status() == ""
    assert person.show("side:a.md") == "side\n"
    assert person.show("main:a.md") == "one\n"


class Memory:
    """A state root that a test keeps."""

    def __init__(self, path: Path) -> None:
        self.path, self.values = path, {}

    def get(self, name: str):
        return self.values.get(name)

    def put(self, name: str, value) -> None:
        self.values[name] = value


@pytest.mark.parametrize("how", ["a link", "a file"])
def test_a_repository_that_was_led_elsewhere_is_not_committed_to(git, person, tmp_path, how):
    state = Memory(tmp_path / "state")
    git.record(state)
    other = Git.init(person.write("../other/x.md", "theirs\n").parent)
    (person.folder / ".git").rename(tmp_path / "away")
    if how == "a link":
        (person.folder / ".git").symlink_to(other.git_dir)
    else:
        (person.folder / ".git").write_text(f"gitdir: {other.git_dir}\n")
    before = sorted(other.git_dir.rglob("*"))

    for known in (None, state):
        led = Git.find(person.folder, state=known)
        assert led is not None
        with pytest.raises(WorkspaceError, match="init --adopt"):
            commit(led, "a.md")
    assert sorted(other.git_dir.rglob("*")) == before


# --- hindrances


def conflicting(person: Person) -> None:
    person.git("checkout", "-q", "-b", "side")
    person.write("a.md", "side\n")
    person.git("commit", "-qam", "side")
    person.git("checkout", "-q", "main")
    person.write("a.md", "main\n")
    person.git("commit", "-qam", "main")


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ([["checkout", "-q", "--detach"]], "detached HEAD"),
        ([["merge", "side"]], "a merge is under way"),
        ([["rebase", "side"]], "a rebase is under way"),
        ([["rebase", "--apply", "side"]], "a rebase is under way"),
        ([["cherry-pick", "side"]], "a cherry-pick is under way"),
        ([["cherry-pick", "side~", "side"]], "a cherry-pick is under way"),
        ([["revert", "HEAD~"], ["revert", "--no-edit", "HEAD~"]], "a revert is under way"),
        ([["bisect", "start"]], "a bisect is under way"),
    ],
)
def test_koog_does_not_commit_into_work_under_way(git, person, commands, reason):
    conflicting(person)
    for command in commands:
        person.git(*command, ok=False)
    before = git.head()
    person.write("b.md", "two\n")

    if reason != "a revert is under way":
        assert git.hindrance() == reason
    assert git.hindrance() is not None
    with pytest.raises(WorkspaceError, match="nothing committed"):
        commit(git, "b.md")
    assert git.head() == before


def test_a_branch_is_free(git):
    assert git.hindrance() is None
    assert git.branch() == "main"


# --- at once

COMMITTER = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from koog.core.git.repository import Git
git, name = Git.find(Path(sys.argv[1])), sys.argv[2]
for n in range(8):
    for path in (name, 'shared.md'):
        Path(sys.argv[1], path).write_text(f'{name} {n}')
    git.commit([name, 'shared.md'], message=f'{name} {n}', when=datetime.now(UTC))
"""


def test_two_koogs_at_once_lose_no_commit(git, person):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", COMMITTER, str(person.folder)]

    both = [subprocess.Popen([*command, name], env=env, stderr=subprocess.PIPE) for name in ("x.md", "y.md")]
    said = [process.communicate()[1] for process in both]

    assert said == [b"", b""]
    assert [process.returncode for process in both] == [0, 0]
    subjects = person.git("log", "--format=%s").splitlines()
    assert sorted(subjects) == sorted(["first", *(f"{name} {n}" for n in range(8) for name in ("x.md", "y.md"))])
    assert person.status() == ""


def test_a_commit_that_a_person_makes_in_the_middle_is_built_upon(git, person):
    person_commits = "unset $(git rev-parse --local-env-vars); git commit -q --allow-empty -m person"
    meddle = f"test -e ../once || {{ touch ../once; {person_commits}; }}; cat"
    person.git("config", "--global", "filter.meddle.clean", meddle)
    person.write(".git/info/attributes", "a.md filter=meddle\n")
    person.write("a.md", "two\n")

    made = commit(git, "a.md", message="koog")

    assert made is not None
    assert person.git("log", "--format=%s").split() == ["koog", "person", "first"]
    assert person.show("HEAD:a.md") == "two\n"
    assert person.status() == ""


def test_a_person_who_commits_all_the_time_loses_nothing_and_nor_does_koog(git, person):
    loop = "for i in 1 2 3 4 5 6; do sleep 0.05; until git commit -q --allow-empty -m person; do :; done; done"
    other = subprocess.Popen(["sh", "-c", loop], cwd=person.folder, stderr=subprocess.DEVNULL)
    made, last = [], 0
    while other.poll() is None or last < 3:
        last += 1
        person.write("a.md", f"{last}\n")
        made.append(commit(git, "a.md", message="koog"))

    subjects = person.git("log", "--format=%s").split()
    assert subjects.count("person") == 6
    assert subjects.count("koog") == len([m for m in made if m is not None])
    assert person.show("HEAD:a.md") == f"{last}\n"
    assert commit(git, "a.md") is None
    assert person.status() == ""


KILLED = """
import os, signal, sys
from koog.core.git.fenced import Fenced
from koog.core.git.repository import Git
git = Git.find(__import__("pathlib").Path(sys.argv[1]))
own = Fenced(git.git_dir)
with git.alone(), own.locked(sys.argv[2], twins=own) as put:
    if sys.argv[3] == "late":
        put(own.read(sys.argv[2]))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed_with(person, name, when="early"):
    """Let a koog die by `kill -9` while it holds a lock of git's, or just after."""
    command = [sys.executable, "-c", KILLED, str(person.folder), name, when]
    done = subprocess.run(command, cwd=ROOT.parent, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("name", ["index", "HEAD", "refs/heads/main"])
@pytest.mark.parametrize("when", ["early", "late"])
def test_a_lock_that_a_killed_koog_left_is_taken_away_by_the_next_one(git, person, name, when):
    killed_with(person, name, when)
    assert (person.folder / ".git" / f"{name}.lock").exists() == (when == "early")
    person.write("a.md", "two\n")

    made = commit(git, "a.md")

    assert made is not None
    assert made.warnings == ()
    assert person.status() == ""
    assert [p.name for p in (person.folder / ".git").rglob("*") if p.name.endswith(".lock")] == []
    assert [p.name for p in (person.folder / ".git/koog").glob("held-*")] == []
    assert (person.folder / ".git" / name).stat().st_nlink == 1


def test_a_lock_of_git_s_own_stays_after_a_koog_was_killed_with_the_same(git, person):
    killed_with(person, "refs/heads/main")
    lock = person.folder / ".git/refs/heads/main.lock"
    lock.unlink()
    lock.write_text("")
    person.write("a.md", "two\n")

    with pytest.raises(WorkspaceError, match=r"main\.lock"):
        commit(git, "a.md")
    assert lock.exists()


def test_where_a_file_can_have_no_second_name_a_lock_has_none(git, person, monkeypatch):
    def refused(*_args, **_more):
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refused)
    person.write("a.md", "two\n")

    assert commit(git, "a.md") is not None
    assert person.status() == ""


def test_a_branch_that_stays_locked_is_an_error_that_names_the_lock(git, person):
    person.write(".git/refs/heads/main.lock", "")
    person.write("a.md", "two\n")

    with pytest.raises(WorkspaceError, match=r"main\.lock"):
        commit(git, "a.md")


def test_a_koog_that_holds_the_lock_makes_the_next_one_say_busy(git, person, monkeypatch):
    monkeypatch.setattr("koog.core.git.index.LOCK_WAIT_S", 0.1)
    person.write("a.md", "two\n")

    with Index(git.top, Fenced(git.git_dir), git.own).alone(), pytest.raises(Busy, match="another koog"):
        commit(git, "a.md")
    assert commit(git, "a.md") is not None


# --- state


def test_changed_lists_what_status_lists(git, person):
    person.write(".gitignore", "ignored.md\n")
    person.write("ignored.md", "x\n")
    person.write("sub/new.md", "x\n")
    person.write("b.md", "two\n")
    (person.folder / "a.md").rename(person.folder / "moved.md")
    person.git("add", "-A", "a.md", "moved.md")

    assert sorted(git.changed()) == [".gitignore", "a.md", "b.md", "moved.md", "sub/new.md"]


def test_conflicted_lists_unmerged_files_and_left_over_markers(git, person):
    conflicting(person)
    person.git("merge", "-q", "side", ok=False)
    person.write("left.md", "text\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n")
    person.write("heading.md", "Title\n=======\n")
    (person.folder / "link.md").symlink_to("left.md")

    assert sorted(git.conflicted()) == ["a.md", "left.md"]


@pytest.mark.parametrize(
    ("text", "conflict"),
    [
        ("<<<<<<< a\n=======\n>>>>>>> b\n", True),
        ("<<<<<<<\r\nx\r\n=======\r\n>>>>>>>", True),
        ("=======\n<<<<<<< a\n>>>>>>> b\n", False),
        (">>>>>>> b\n=======\n<<<<<<< a\n", False),
        (" <<<<<<< a\n=======\n>>>>>>> b\n", False),
        ("<<<<<<<< a\n=======\n>>>>>>> b\n", False),
        ("<<<<<<< a\n========\n>>>>>>> b\n", False),
        ("<<<<<<< a\n\0\n=======\n>>>>>>> b\n", False),
        ("", False),
    ],
)
def test_a_conflict_is_all_three_markers_in_order_at_line_starts(text, conflict):
    assert has_conflict_markers(text.encode()) is conflict


def test_a_hundred_thousand_open_markers_are_read_in_one_pass():
    text = b"<<<<<<< a\n" * 100_000

    started = time.process_time()

    assert has_conflict_markers(text) is False
    assert time.process_time() - started < 10  # line by line for each marker takes minutes


# --- pushing


@pytest.fixture
def bare(person):
    """A bare repository beside the person's, known there as origin."""
    folder = person.folder.parent / "bare.git"
    person.git("init", "-q", "--bare", "-b", "main", str(folder))
    remote(person, str(folder))
    return Person(folder)


def remote(person: Person, url: str) -> None:
    """Make an address the upstream of main."""
    person.git("remote", "add", "origin", url)
    person.git("config", "branch.main.remote", "origin")
    person.git("config", "branch.main.merge", "refs/heads/main")


def push(git: Git, *, timeout_s: float = 60) -> None:
    git = found(git.top)  # as another process
    upstream = git.upstream()
    assert upstream is not None
    push_to(git, upstream, timeout_s=timeout_s)


def test_push_brings_the_branch_to_its_own_name_and_nothing_is_left_to_push(git, person, bare):
    assert git.unpushed("origin") == 1

    push(git)

    assert git.unpushed("origin") == 0
    assert bare.git("rev-parse", "main").strip() == git.head()

    person.write("a.md", "two\n")
    commit(git, "a.md")

    assert git.unpushed("origin") == 1


def test_unpushed_is_none_without_the_remote_or_a_branch(git, person):
    assert git.unpushed("nowhere") is None

    person.git("checkout", "-q", "--detach")

    assert git.unpushed("origin") is None


def test_nothing_is_unpushed_before_the_first_commit(tmp_path):
    git = Git.init(tmp_path)
    Person(tmp_path).git("remote", "add", "origin", "elsewhere")

    assert git.unpushed("origin") == 0
    assert found(tmp_path).upstream() is None


def test_a_push_that_would_lose_commits_is_refused_and_never_forced(git, person, bare):
    push(git)
    person.git("commit", "-q", "--allow-empty", "-m", "elsewhere")
    push(git)
    theirs = git.head()
    person.git("reset", "-q", "--hard", "HEAD~")
    person.git("commit", "-q", "--allow-empty", "-m", "here")

    with pytest.raises(WorkspaceError, match="commits that this branch lacks") as caught:
        push(git)
    assert "never forces" in str(caught.value.hint)
    assert bare.git("rev-parse", "main").strip() == theirs


def test_a_remote_that_refuses_is_quoted(git, bare):
    hook = bare.write("hooks/pre-receive", "#!/bin/sh\necho 'no memories on Sundays' >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(WorkspaceError, match=r"the remote refused it.*no memories on Sundays"):
        push(git)


@pytest.mark.parametrize("url", ["--upload-pack=touch ran", "ext::sh -c touch% ran", "inner.git", "a\033b"])
def test_an_address_that_runs_a_program_or_is_the_workspaces_own_is_suspicious(person, url):
    assert suspicious(url, person.folder)


@pytest.mark.parametrize("url", ["../bare.git", "/srv/x.git", "git@host:x.git", "https://host/x.git", "ssh://host/x"])
def test_an_ordinary_address_is_not(person, url):
    assert suspicious(url, person.folder) is None


def test_a_remote_that_is_gone_is_named_without_its_credentials(git, person):
    remote(person, "https://ann:s3cr3t@127.0.0.1:1/x.git")

    with pytest.raises(WorkspaceError) as caught:
        push(git)
    assert "s3cr3t" not in caught.value.message
    assert "cannot be reached" in caught.value.message


def test_what_a_remote_says_is_one_line_without_credentials_or_escapes(git, bare):
    script = "#!/bin/sh\nprintf 'see https://ann:s3cr3t@host/x\\n\\033[31mred' >&2\nexit 1\n"
    bare.write("hooks/pre-receive", script).chmod(0o755)

    with pytest.raises(WorkspaceError) as caught:
        push(git)
    assert "https://***@host/x" in caught.value.message
    assert caught.value.message.isprintable()


def test_a_remote_that_wants_a_password_is_not_waited_for(git, person):
    class Door(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="memories"')
            self.end_headers()

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Door) as door:
        threading.Thread(target=door.serve_forever, daemon=True).start()
        remote(person, f"http://127.0.0.1:{door.server_port}/x.git")
        with pytest.raises(WorkspaceError, match="did not let koog in") as caught:
            push(git)
        door.shutdown()

    assert "without a prompt" in str(caught.value.hint)


def test_a_remote_that_is_no_repository_is_said_to_be_none(git, person):
    remote(person, str(person.folder.parent / "nothing"))

    with pytest.raises(WorkspaceError, match="no repository at the remote's address") as caught:
        push(git)
    assert caught.value.hint == "git remote -v"


def test_ssh_is_told_not_to_ask_and_a_refusal_is_a_refusal(git, person, tmp_path):
    script = person.write(
        "../ssh", '#!/bin/sh\necho "$@" >"$0.args"\necho "Permission denied (publickey)." >&2\nexit 255\n'
    )
    script.chmod(0o755)
    person.git("config", "--global", "core.sshCommand", f"{script.resolve()} -i key")
    remote(person, "ssh://host.invalid/x.git")

    with pytest.raises(WorkspaceError, match="did not let koog in"):
        push(git)
    assert (tmp_path / "ssh.args").read_text().startswith("-i key -o BatchMode=yes ")


@pytest.mark.parametrize("stubborn", ["", "trap '' TERM\n"])
def test_a_push_that_hangs_is_cut_off_with_all_its_processes(git, person, tmp_path, stubborn):
    pids = tmp_path / "pids"
    script = person.write("../hang", f"#!/bin/sh\n{stubborn}sleep 300 &\necho $$ $! >'{pids}'\nwait\nsleep 300\n")
    script.chmod(0o755)
    person.git("config", "--global", "core.sshCommand", str(script.resolve()))
    remote(person, "ssh://host.invalid/x.git")

    started = time.monotonic()
    with pytest.raises(WorkspaceError, match="cut off after 1 s"):
        push(git, timeout_s=1)

    assert time.monotonic() - started < 60
    assert [pid for pid in pids.read_text().split() if still_runs(pid)] == []


def still_runs(pid: str) -> bool:
    """Say whether a process lives; one that ended gets some time to leave the table."""
    for _ in range(200):
        state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False).stdout
        if not state.strip() or state.startswith("Z"):
            return False
        time.sleep(0.05)
    return True


def test_no_hook_of_the_repository_runs_at_a_push(git, person, bare):
    hook = person.write(".git/hooks/pre-push", "#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)

    push(git)

    assert git.unpushed("origin") == 0
    assert not (person.folder / "ran").exists()


@given(st.text(alphabet="ab:@%", min_size=1))
def test_no_credentials_survive_in_a_url(secret):
    assert redacted(f"to https://{secret}@host/x") == "to https://***@host/x"


def test_a_commit_lets_git_pack_when_loose_objects_pile_up(git, person):
    person.git("config", "gc.autoDetach", "false")
    folder = person.write(".git/objects/17/x", "").parent
    (folder / "x").unlink()
    for n in range(12_000):  # git counts the objects whose name begins with 17, and so does koog
        blob = f"blob {len(str(n))}\0{n}".encode()
        name = hashlib.sha1(blob).hexdigest()
        if name.startswith("17"):
            (folder / name[2:]).write_bytes(zlib.compress(blob))
    person.write("a.md", "two\n")

    commit(git, "a.md")

    assert list((person.folder / ".git/objects/pack").glob("*.pack"))
    assert person.status() == ""
