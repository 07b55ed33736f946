"""A branch with one commit of its own, made of bytes: no working tree, no index, no hook.  [autopoiesis §3.3]"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core.errors import Refused, WorkspaceError
from koog.core.git.commit import Person, commit_bytes, person
from koog.core.git.fenced import Locked
from koog.core.git.objects import TreeEntry
from koog.core.git.refs import Moved
from koog.core.git.trees import Trees

if TYPE_CHECKING:
    from koog.core.git.repository import Git

PLAIN = "100644"


def commit(
    git: Git,
    ref: str,
    base: str,
    files: Mapping[str, bytes | None],
    *,
    message: str,
    when: datetime,
    author: Person,
) -> str:
    """Let a new branch be a commit with some files otherwise (None: without them); return the commit.

    One that is there and is the same commit already is no error: it was made before a kill. Raises Refused for another.
    """
    with git.alone(), git.reading():
        data = git.objects.get(base, "commit")
        if data is None:
            raise WorkspaceError(f"git: the commit {base[:10]} is missing", hint="git fsck")
        trees = Trees(git.objects, data.partition(b"\n")[0].removeprefix(b"tree ").decode())
        wanted = {git.prefix + path: _entry(git, trees, git.prefix + path, text) for path, text in files.items()}
        tree, _ = trees.edited(wanted)
        committer = person(git.settings, "committer")
        made = git.objects.add(
            "commit", commit_bytes(tree, base, author=author, committer=committer, message=message, when=when)
        )
        git.objects.save()
        known = git.refs.resolve(ref)
        if known is not None and known != made:
            raise Refused(f"there is a branch {ref.removeprefix('refs/heads/')} already", hint="another --branch")
        if known is None:
            try:
                git.refs.move(ref, made, None, who=str(committer), why=f"commit: {message.partition(chr(10))[0]}")
            except (Moved, Locked) as e:
                raise WorkspaceError(f"the branch was not made: {e}", hint="again") from None
    return made


def remove(git: Git, ref: str, commit: str) -> None:
    """Remove a branch that has served. Raises WorkspaceError when somebody moves it."""
    with git.alone():
        try:
            git.refs.remove(ref, commit)
        except (Moved, Locked) as e:
            raise WorkspaceError(f"the branch stays: {e}", hint="git branch -D") from None


def _entry(git: Git, trees: Trees, path: str, data: bytes | None) -> TreeEntry | None:
    if data is None:
        return None
    old = trees.entry(path)
    return TreeEntry(old.mode if old and old.mode != "40000" else PLAIN, git.objects.add("blob", data))
