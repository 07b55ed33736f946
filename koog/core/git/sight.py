"""What git and koog see of a repository; nothing here changes it.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.git import identity, own, upstream
from koog.core.git.conflict_markers import has_conflict_markers
from koog.core.git.fenced import Fenced
from koog.core.git.index import Index
from koog.core.git.objects import Objects
from koog.core.git.process import ask, run, split
from koog.core.git.refs import Refs
from koog.core.git.upstream import Upstream

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.git.own import Own
    from koog.core.git.place import RepositoryPlace

UNDER_WAY = {
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "sequencer": "a cherry-pick or revert is under way",
    "BISECT_LOG": "a bisect is under way",
}
READ_ON_THE_WAY = (".gitignore", ".gitattributes")
UNMERGED = {"DD", "AU", "UD", "UA", "DU", "AA", "UU"}


class Sight:
    """One repository that holds the workspace, to be looked at.

    place    where it is
    state    the workspace's state root, None where koog does not see it
    trusted  whether the repository's own configuration counts: the operator's `git.trustLocalConfig`

    Every method raises WorkspaceError when git will not do it.
    """

    def __init__(self, place: RepositoryPlace, state: StateRoot | None = None, trusted: bool = False) -> None:
        self.place, self.state, self.trusted = place, state, trusted
        self._alone = False

    @property
    def top(self) -> Path:
        return self.place.top

    @property
    def git_dir(self) -> Path:
        return self.place.git_dir

    @property
    def prefix(self) -> str:
        return self.place.prefix

    @property
    def workspace(self) -> Path:
        return self.top / self.prefix

    @cached_property
    def refs(self) -> Refs:
        logs = self.own.local.get("core.logallrefupdates")
        return Refs(Fenced(self.git_dir), Fenced(self.place.common), logs not in ("false", "no", "off", "0"))

    @cached_property
    def own(self) -> Own:
        """koog's own git folder for this repository: in the state root, or for this process alone."""
        where = self.state.path / "git" if self.state else own.fleeting()
        return own.look(where, self.place, trusted=self.trusted)

    @cached_property
    def objects(self) -> Objects:
        # A repository that is trusted may name others in the place of objects: git knows them.
        return Objects(Fenced(self.place.objects), self.own.local.format, by_git=self.trusted)

    def hooks_elsewhere(self) -> str:
        """Return the folder that `core.hooksPath` names, of this repository or of its owner; "" where there is none."""
        found = self.own.local.get("core.hookspath")
        return found or os.fsdecode(run(Path("/"), "config", "--get", "core.hooksPath").stdout).strip()

    @cached_property
    def settings(self) -> dict[str, str]:
        """Return git's configuration as it counts here: key → value."""
        rows = os.fsdecode(self.ask("config", "--null", "--list")).split("\0")[:-1]
        return dict(row.partition("\n")[::2] for row in rows)

    def ignores(self, folder: Path) -> bool:
        """Return whether this repository ignores a folder inside it, and so would never commit what is there."""
        name = folder.relative_to(self.top).as_posix()
        env, _ = self.own.copy_index(Fenced(self.git_dir))
        done = run(self.top, "check-ignore", "--quiet", "--", name, env=env)
        self.own.done()
        return done.returncode == 0

    def hindrance(self) -> str | None:
        """Return why koog must not commit now, or None. A branch without commits is no hindrance."""
        if why := identity.doubt(self.place, self.state):
            return why
        folder = Fenced(self.git_dir)
        there = set(folder.names())
        under_way = next((said for name, said in UNDER_WAY.items() if name in there), None)
        return under_way or (None if self.branch() else "detached HEAD")

    def branch(self) -> str | None:
        """Return the current branch's name, also before its first commit; None when HEAD is detached."""
        return self.refs.tip()[0]

    def head(self) -> str | None:
        """Return the sha of HEAD, or None before the first commit."""
        return self.refs.tip()[1]

    def holds(self, commit: str) -> bool:
        """Return whether HEAD is a commit or one that came after it."""
        head = self.head()
        if head is None or head == commit:
            return head == commit
        done = run(self.top, "merge-base", "--is-ancestor", commit, head, env=self.own.env)
        return done.returncode == 0

    def keeps(self, commit: str) -> bool:
        """Return whether HEAD holds a commit, or, after a rebase, others that change what was changed up to there."""
        if self.holds(commit):
            return True
        head = self.head()
        if head is None:
            return False
        done = run(self.top, "cherry", head, commit, env=self.own.env)
        rows = done.stdout.splitlines()
        return done.returncode == 0 and bool(rows) and all(row.startswith(b"- ") for row in rows)

    def last_commit(self, *, author: str = "") -> datetime | None:
        """Return the committer date of HEAD in UTC, or of the last one by somebody's address; None without one."""
        if (head := self.head()) is None:
            return None
        by = ["--fixed-strings", f"--author=<{author}>"] if author else []
        seconds = self.ask("log", "-1", *by, "--no-show-signature", "--format=%ct", head, "--").strip()
        return clock.of_epoch(int(seconds)) if seconds else None

    def shown(self, path: str) -> str:
        """Return the workspace's name of a path in the repository."""
        return path.removeprefix(self.prefix)

    def refuse_pipes(self, paths: Iterable[str]) -> None:
        """Raise WorkspaceError where git would wait at what stands in the place of its lists on the way to these."""
        top = Fenced(self.top)
        for folder in {parent for path in paths for parent in PurePosixPath(path).parents}:
            for name in READ_ON_THE_WAY:
                top.refuse_pipe(f"{folder}/{name}")

    @cached_property
    def index(self) -> Index:
        return Index(self.top, Fenced(self.git_dir), self.own)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold off other koogs for the length of the block. Raises Busy when one has been committing for 10 s."""
        if self._alone:
            yield
            return
        with self.index.alone():
            self._alone = True
            try:
                yield
            finally:
                self._alone = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep one git open for reading objects, for the length of the block."""
        with self.objects.reading(self.top, self.own.env):
            yield

    # --- state

    def at_head(self, path: str) -> bytes | None:
        """Return a workspace file as HEAD has it; None when HEAD has none."""
        if (head := self.head()) is None:
            return None
        name = f"{head}:{self.prefix}{path}"
        if "\n" in path:  # one line is one question to the git that reads objects
            rows = self.ask("ls-tree", "-z", head, "--", f"{self.prefix}{path}").split(b"\t")[0].split()
            name = rows[2].decode() if len(rows) == 3 else head
        with self.reading():
            return self.objects.get(name, "blob")

    def changed(self) -> list[str]:
        """Return the workspace's files that `git status` lists: modified, deleted, new; not ignored ones."""
        return [path for _, path in self.status()]

    def status(self) -> list[tuple[str, str]]:
        """Return (two-letter code, workspace-relative path); repositories inside this one are skipped."""
        options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
        self.refuse_pipes([f"{self.prefix}x"])
        self.own.at(self.head())
        env, _ = self.own.copy_index(Fenced(self.git_dir))
        try:
            lines = split(ask(self.workspace, "status", *options, "--", ".", env=env))
        finally:
            self.own.done()
        return [(line[:2], self.shown(line[3:])) for line in lines if not line.endswith("/")]

    def tracked(self) -> list[str]:
        """Return the workspace's files in the person's index."""
        env, _ = self.own.copy_index(Fenced(self.git_dir))
        try:
            return split(ask(self.workspace, "ls-files", "-z", env=env))
        finally:
            self.own.done()

    def counted(self) -> str:
        """Return what `git count-objects -v` says of the repository's objects."""
        env = {**self.own.env, "GIT_OBJECT_DIRECTORY": str(self.place.objects)}
        return os.fsdecode(ask(self.top, "count-objects", "-v", env=env))

    def conflicted(self) -> list[str]:
        """Return the changed files that git calls unmerged or that hold a whole set of conflict markers."""
        folder, found = Fenced(self.top), []
        for code, path in self.status():
            try:
                data = folder.read(self.prefix + path) or b""
            except WorkspaceError:  # a link, a pipe
                data = b""
            if code in UNMERGED or has_conflict_markers(data):
                found.append(path)
        return found

    def ask(self, *args: str, stdin: bytes = b"") -> bytes:
        """Ask git about this repository; return what it printed."""
        return ask(self.top, *args, stdin=stdin, env=self.own.env)

    # --- the upstream

    def upstream(self) -> Upstream | None:
        """Return where the current branch goes, None without an upstream."""
        return upstream.of(self.branch(), self.own.local)

    def remote_named(self, wanted: str = "origin") -> str:
        """Return a remote that there is, the wanted one if it is among them; the wanted one when there is none."""
        found = upstream.remotes(self.own.local)
        return wanted if wanted in found or not found else found[0]

    def unpushed_from(self, to: Upstream) -> list[str]:
        """Return the commits that the upstream lacks, newest first, by what the repository remembers of it."""
        if (head := self.head()) is None:
            return []
        known = self.refs.resolve(to.tracking) if to.tracking else None
        if known == head:
            return []
        return os.fsdecode(self.ask("rev-list", head, *([f"^{known}"] if known else []), "--")).split()

    def unpushed(self, remote: str) -> int | None:
        """Count what `unpushed_commits` returns."""
        found = self.unpushed_commits(remote)
        return None if found is None else len(found)

    def unpushed_commits(self, remote: str) -> list[str] | None:
        """Return the commits that the upstream lacks, or without one the remote's branch of this name.

        None when there is no such remote, or no branch to compare.
        """
        branch = self.branch()
        to = self.upstream()
        if to is None and branch is not None and remote in upstream.remotes(self.own.local):
            to = Upstream(remote, "", "", f"refs/remotes/{remote}/{branch}")
        return None if to is None else self.unpushed_from(to)
