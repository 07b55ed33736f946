"""Git: one repository's state, commits that disturb nobody, and a push.  [design.md §4 "Git"; moltbot §12.3]

A commit is HEAD plus exactly the named paths, put together in a private index; the branch
moves only from the commit that was read. The person's own index follows for those paths
alone, and only where it held what HEAD held: what somebody staged stays staged.
"""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.git.commit import missing_identity, write_commit
from koog.core.git.conflict_markers import has_conflict_markers
from koog.core.git.index import Index
from koog.core.git.names import is_private, is_secret
from koog.core.git.process import ask, checked, quietly, run, split, words
from koog.core.git.stale_lock import in_the_way, remove_stale, way_on

if TYPE_CHECKING:
    from koog.core.git.process import Done

UNDER_WAY = {
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "sequencer": "a cherry-pick or revert is under way",
    "BISECT_LOG": "a bisect is under way",
}
UNMERGED = {"DD", "AU", "UD", "UA", "DU", "AA", "UU"}

TRIES = 10  # each lost race means that somebody else's commit went through
LOOSE_PER_FOLDER = 27  # git's own estimate: that many in one of 256 folders means 6,700 objects


@dataclass(frozen=True)
class Commit:
    """One commit made. `paths`: what it changed, workspace-relative; `short`: the sha's first 10 digits."""

    sha: str
    short: str
    paths: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Git:
    """One repository that holds the workspace.

    top      the repository's working tree
    git_dir  this working tree's git folder (a linked worktree has its own)
    objects  its object store, shared by all working trees
    prefix   the workspace inside the repository: "" or "folder/"

    Every method raises WorkspaceError when git will not do it.
    """

    top: Path
    git_dir: Path
    objects: Path
    prefix: str

    @classmethod
    def find(cls, folder: Path) -> Git | None:
        """Return the repository around an existing folder, or None when there is none."""
        questions = ("--show-toplevel", "--absolute-git-dir", "--git-path", "objects", "--show-prefix")
        done = run(folder, "rev-parse", *questions)
        if done.returncode and b"not a git repository (or any" in done.stderr:
            return None
        answers = os.fsdecode(checked(done)).split("\n")
        if len(answers) != len(questions):  # one is an option's argument, and the last line is empty
            raise WorkspaceError("git: a line break in the name of the workspace's folder")
        top, git_dir, objects, prefix, _ = answers
        return cls(top=Path(top), git_dir=Path(git_dir), objects=folder / objects, prefix=prefix)

    @classmethod
    def init(cls, folder: Path) -> Git:
        """Make an existing folder a repository with the branch main, and see that it has an identity."""
        checked(run(folder, "init", "--quiet", "--initial-branch=main"))
        made = cls.find(folder)
        if made is None:
            raise WorkspaceError(f"git init left no repository in {folder}")
        for key, value in missing_identity(made.top).items():
            made._ask("config", "--local", f"user.{key}", value)
        return made

    @property
    def workspace(self) -> Path:
        return self.top / self.prefix

    def ignores(self, folder: Path) -> bool:
        """Return whether this repository ignores a folder inside it, and so would never commit what is there."""
        return self._git("check-ignore", "--quiet", "--", str(folder)).returncode == 0

    def hindrance(self) -> str | None:
        """Return why koog must not commit now, or None. A branch without commits is no hindrance."""
        return self._under_way() or (None if self.branch() else "detached HEAD")

    def branch(self) -> str | None:
        """Return the current branch's name, also before its first commit; None when HEAD is detached."""
        return self._tip()[0]

    def head(self) -> str | None:
        """Return the sha of HEAD, or None before the first commit."""
        return self._tip()[1]

    def at_head(self, path: str) -> bytes | None:
        """Return a workspace file as HEAD has it; None when HEAD has none."""
        done = self._git("cat-file", "blob", f"HEAD:{self.prefix}{path}")
        return done.stdout if done.returncode == 0 else None

    def last_commit(self) -> datetime | None:
        """Return the committer date of HEAD in UTC, or None before the first commit."""
        if self.head() is None:
            return None
        seconds = self._ask("log", "-1", "--no-show-signature", "--format=%ct", "HEAD", "--")
        return datetime.fromtimestamp(int(seconds), UTC)

    def _tip(self) -> tuple[str | None, str | None]:
        """Return the current branch's name and HEAD's sha."""
        done = self._git("rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
        if done.returncode:  # no commit yet
            done = self._git("symbolic-ref", "--quiet", "HEAD")
        *sha, ref = os.fsdecode(done.stdout).split() or [""]
        branch = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else None
        return branch, sha[0] if sha else None

    def _under_way(self) -> str | None:
        return next((why for name, why in UNDER_WAY.items() if (self.git_dir / name).exists()), None)

    # --- commit

    def commit(self, paths: Sequence[str], *, message: str, when: datetime) -> Commit | None:
        """Commit these paths as they are on disk now, nothing else; None when none differs from HEAD.

        paths  workspace-relative files, also deleted ones; ignored files, secrets by name,
               `.koog/`, temp files and folders are left out
        when   aware; both the author's and the committer's date

        Runs no hook, editor or signature. A person who commits meanwhile is built upon.
        Raises Busy when another koog has been committing for 10 s, ValueError for a naive date.
        """
        if when.tzinfo is None:
            raise ValueError("when: a time without a zone")
        wanted, warnings = self._wanted(paths)
        text = message.replace("\0", "").encode(errors="replace").decode()
        index = Index(self.top, self.git_dir / "koog")
        with index.alone():
            for attempt in range(TRIES):
                time.sleep(0.02 * attempt)
                branch, base = self._tip()
                if hindrance := self._under_way() or (None if branch else "detached HEAD"):
                    raise WorkspaceError(f"nothing committed: {hindrance}", hint="finish it, or go back to a branch")
                tree, changes = index.tree(base, wanted)
                if not changes:
                    owed, _ = index.follow(tree, changes)
                    index.settle(owed)
                    return None
                sha = write_commit(self.top, tree, base, message=text, when=when)
                owed, late = index.follow(tree, changes)
                log = f"commit: {text.partition(chr(10))[0]}"
                moved = self._git("update-ref", "-m", log, f"refs/heads/{branch}", sha, base or "")
                if moved.returncode == 0:
                    index.settle(owed)
                    self._tidy()
                    names = tuple(c.path.removeprefix(self.prefix) for c in changes)
                    return Commit(sha=sha, short=sha[:10], paths=names, warnings=(*warnings, *late))
                lock = in_the_way(moved.stderr)
                if lock and remove_stale(lock):
                    warnings.append(f"removed a lock that was left on the branch over an hour ago: {lock}")
        raise WorkspaceError(f"the branch did not move: {words(moved.stderr)}", hint=way_on(lock))

    def _wanted(self, paths: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the repository-relative paths that may be committed, and a warning per secret left out."""
        wanted, warnings = [], []
        for path in dict.fromkeys(posixpath.normpath(p) for p in paths):
            if path.startswith(("/", "../")) or path in ("..", ".") or "\0" in path:
                raise WorkspaceError(f"not a path inside the workspace: {path!r}")
            if is_secret(path):
                warnings.append(f"left out of git: {path} has a secret's name")
            elif not is_private(path) and not _is_folder(self.workspace / path):
                wanted.append(self.prefix + path)
        return wanted, warnings

    def _tidy(self) -> None:
        """Let git pack loose objects, as `git commit` would: plumbing never does, and months of it add up."""
        with suppress(OSError):
            if len(list((self.objects / "17").iterdir())) > LOOSE_PER_FOLDER:
                self._git("gc", "--auto", "--quiet")

    # --- state

    def changed(self) -> list[str]:
        """Return the workspace's files that `git status` lists: modified, deleted, new; not ignored ones."""
        return [path for _, path in self.status()]

    def conflicted(self, status: Sequence[tuple[str, str]] | None = None) -> list[str]:
        """Return the changed files that git calls unmerged or that hold a whole set of conflict markers."""
        found = self.status() if status is None else status
        return [p for code, p in found if code in UNMERGED or has_conflict_markers(self.workspace / p)]

    def status(self) -> list[tuple[str, str]]:
        """Return (two-letter code, workspace-relative path); repositories inside this one are skipped."""
        options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
        lines = split(ask(self.workspace, "status", *options, "--", "."))
        return [(line[:2], line[3:].removeprefix(self.prefix)) for line in lines if not line.endswith("/")]

    def unpushed(self, remote: str) -> int | None:
        """Count the commits that the remote-tracking branch lacks; all, when it does not exist yet.

        None when there is no such remote, or no branch to compare.
        """
        branch, head = self._tip()
        if branch is None or not self._has_remote(remote):
            return None
        if head is None:
            return 0
        tracking = f"refs/remotes/{remote}/{branch}"
        known = self._git("rev-parse", "--quiet", "--verify", tracking).returncode == 0
        return int(self._ask("rev-list", "--count", "HEAD", *([f"^{tracking}"] if known else []), "--"))

    def _has_remote(self, remote: str) -> bool:
        return remote in os.fsdecode(self._ask("remote")).splitlines()

    # --- push

    def push(self, remote: str, *, timeout_s: float) -> None:
        """Push the current branch to its own name at the remote; never force, never ask.

        The repository's pre-push hook does run: git-lfs uploads its files there.
        Whatever still runs after `timeout_s` seconds is ended with all its children.
        """
        from koog.core.git.push import push

        branch, head = self._tip()
        if branch is None or head is None:
            raise WorkspaceError("nothing to push: " + ("no commit yet" if branch else "detached HEAD"))
        if not self._has_remote(remote):
            raise WorkspaceError(f"no remote named {remote!r}", hint=f"git remote add {remote} URL")
        push(self.top, f"refs/heads/{branch}", remote=remote, timeout_s=timeout_s)

    # --- git itself

    def _git(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
        return quietly(self.top, *args, stdin=stdin, env=env)

    def _ask(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        return ask(self.top, *args, stdin=stdin, env=env)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
