"""A commit made of bytes that koog has read, on top of whatever HEAD is by then.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.git.commit import Commit, Person, commit_bytes, person
from koog.core.git.fenced import Fenced, Locked
from koog.core.git.names import is_private, is_secret
from koog.core.git.objects import TreeEntry
from koog.core.git.packing import pack_when_many
from koog.core.git.refs import Moved
from koog.core.git.stale_lock import remove_stale, way_on
from koog.core.git.trees import Trees
from koog.core.git.working import Left, Screen, Taken, Working

if TYPE_CHECKING:
    from koog.core.git.sight import Sight

Message = str | Callable[[Mapping[str, str]], str]  # or made of path → A(dded), M(odified), D(eleted)
TRIES = 10  # each lost race means that somebody else's commit went through


def take(git: Sight, paths: Sequence[str], *, screen: Screen | None, given: Mapping[str, bytes]) -> Taken:
    """Look at files of the workspace as they are on disk, or as `given`; keep what may be committed.

    Of what stays out private and ignored files are not told.
    """
    wanted, left = _wanted(git, paths)
    git.refuse_pipes(wanted)
    head = _trees(git, git.head())
    working = Working(Fenced(git.top), git.own, git.objects, head, settings=git.settings)
    ignored = working.ignored(wanted)
    inside = [p for p in wanted if p not in ignored and not _in_other(git, p) and not head.in_module(p)]
    at = {git.prefix + path: data for path, data in given.items()}
    screened: Screen | None = screen and (lambda path, data, before: screen(git.shown(path), data, before))
    taken = working.take(inside, screen=screened, given=at)
    left |= {git.shown(path): why for path, why in taken.left.items()}
    entries = {git.shown(path): entry for path, entry in taken.entries.items()}
    return Taken(entries, left, [git.shown(path) for path in taken.conflicts])


def apart(git: Sight, files: Mapping[str, bytes]) -> list[str]:
    """Return which files HEAD has otherwise, or not at all, as far as their bytes tell. Inside of `reading`."""
    head = _trees(git, git.head())
    there = {path: head.entry(git.prefix + path) for path in files}
    return [p for p, entry in there.items() if entry is None or entry.sha != git.objects.name("blob", files[p])]


def held(git: Sight, paths: Sequence[str]) -> list[str]:
    """Return which of these files HEAD has. Inside of `reading`."""
    head = _trees(git, git.head())
    return [path for path in paths if head.entry(git.prefix + path) is not None]


def commit(
    git: Sight,
    entries: Mapping[str, TreeEntry | None],
    *,
    message: Message,
    when: datetime,
    author: Person | None,
    announce: Callable[[str], None] | None = None,
) -> Commit | None:
    """Commit what `take` has found; None when nothing of it differs from HEAD.

    announce   is told the commit before the branch moves to it: a kill in between makes it nobody else's
    """
    if when.tzinfo is None:
        raise ValueError("when: a time without a zone")
    wanted = {git.prefix + path: entry for path, entry in entries.items()}
    index = git.index
    if why := git.hindrance():
        raise WorkspaceError(f"nothing committed: {why}", hint="finish it, or go back to a branch")
    warnings: list[str] = []
    refused, lock = "somebody keeps moving it", None
    with git.alone():
        for attempt in range(TRIES):
            time.sleep(0.02 * attempt)
            branch, base = git.refs.tip()
            if why := git.hindrance():
                raise WorkspaceError(f"nothing committed: {why}", hint="finish it, or go back to a branch")
            tree, changes = _trees(git, base).edited(wanted)
            if not changes:
                owed, _ = index.follow(tree, changes)
                index.settle(owed)
                return None
            kinds = {git.shown(c.path): c.kind for c in changes}
            said = message if isinstance(message, str) else message(kinds)
            text = said.replace("\0", "").encode(errors="replace").decode()
            committer = person(git.settings, "committer")
            who = author or person(git.settings, "author")
            data = commit_bytes(tree, base, author=who, committer=committer, message=text, when=when)
            sha = git.objects.add("commit", data)
            git.objects.save()
            owed, late = index.follow(tree, changes)
            if announce:
                announce(sha)
            log = f"commit: {text.partition(chr(10))[0]}"
            try:
                warnings += git.refs.move(f"refs/heads/{branch}", sha, base, who=str(committer), why=log)
            except Moved as e:
                refused = str(e)
                continue
            except Locked as e:
                refused, lock = str(e), e
                if remove_stale(e):
                    at = e.folder.path / e.name
                    warnings.append(f"removed a lock that was left on the branch over an hour ago: {at}")
                continue
            index.settle(owed)
            pack_when_many(git.top, git.objects.store, git.own.place, git.own.env)
            return Commit(sha, sha[:10], kinds, (*warnings, *late), base)
    raise WorkspaceError(f"the branch did not move: {refused}", hint=way_on(lock) if lock else "git status; git fsck")


def _trees(git: Sight, commit: str | None) -> Trees:
    """Return the tree of a commit, an empty one for None."""
    if commit is None:
        return Trees(git.objects, None)
    data = git.objects.get(commit, "commit")
    if data is None:
        raise WorkspaceError(f"git: the commit {commit[:10]} is missing", hint="git fsck")
    return Trees(git.objects, data.partition(b"\n")[0].removeprefix(b"tree ").decode())


def _wanted(git: Sight, paths: Sequence[str]) -> tuple[list[str], dict[str, Left]]:
    """Return the repository-relative paths that may be committed, and why each secret is not."""
    wanted: dict[str, None] = {}
    left: dict[str, Left] = {}
    for path in dict.fromkeys(posixpath.normpath(p) for p in paths):
        if path.startswith(("/", "../")) or path in ("..", ".") or "\0" in path:
            raise WorkspaceError(f"not a path inside the workspace: {path!r}")
        if is_secret(path):
            left[path] = Left("has a secret's name")
        elif not is_private(path):
            wanted[git.prefix + path] = None
    return list(wanted), left


def _in_other(git: Sight, path: str) -> bool:
    """Return whether a path lies in a repository inside this one."""
    folder = posixpath.dirname(path)
    while folder:
        if os.path.lexists(git.top / folder / ".git"):
            return True
        folder = posixpath.dirname(folder)
    return False
