"""Git: one repository's state, commits that disturb nobody, and a push.  [design.md §4 "Git"; moltbot §12.3]

A commit is HEAD plus exactly the named paths, put together from the bytes that koog read;
the branch moves only from the commit that was read. The person's own index follows for
those paths alone, and only where it held what HEAD held: what somebody staged stays staged.

git looks at the repository through a folder of koog's own (own.py) and writes there alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.git import identity, making, place
from koog.core.git.commit import Commit, Person
from koog.core.git.making import Message
from koog.core.git.objects import TreeEntry
from koog.core.git.process import checked, run
from koog.core.git.sight import Sight
from koog.core.git.working import Screen, Taken

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot


class Git(Sight):
    """One repository that holds the workspace. Every method raises WorkspaceError when git will not do it."""

    @classmethod
    def find(cls, folder: Path, *, state: StateRoot | None = None, trusted: bool = False) -> Git | None:
        """Return the repository around an existing folder, or None when there is none."""
        found = place.find(folder)
        return cls(found, state, trusted) if found else None

    @classmethod
    def init(cls, folder: Path, *, state: StateRoot | None = None, again: bool = False) -> Git:
        """Make an existing folder a repository with the branch main. again: also where half of one stands there"""
        if os.path.lexists(folder / ".git") and not again:
            raise WorkspaceError(f"{folder / '.git'} is no repository", hint="look at it, and remove it")
        checked(run(folder, "init", "--quiet", "--initial-branch=main", env={"GIT_DEFAULT_REF_FORMAT": "files"}))
        made = cls.find(folder, state=state)
        if made is None:
            raise WorkspaceError(f"git init left no repository in {folder}")
        return made

    # --- commit

    def commit(
        self,
        paths: Sequence[str],
        *,
        message: Message,
        when: datetime,
        author: Person | None = None,
        screen: Screen | None = None,
    ) -> Commit | None:
        """Commit these paths as they are on disk now, nothing else; None when none differs from HEAD.

        paths  workspace-relative files, also deleted ones; ignored files, secrets by name,
               `.koog/`, temp files and folders are left out
        when   aware; both the author's and the committer's date

        Runs no hook, editor or signature. A person who commits meanwhile is built upon.
        Raises Busy when another koog has been committing for 10 s, ValueError for a naive date.
        """
        if why := self.hindrance():
            raise WorkspaceError(f"nothing committed: {why}", hint="finish it, or go back to a branch")
        with self.alone(), self.reading():
            taken = self.take(paths, screen=screen)
            made = self.commit_taken(taken.entries, message=message, when=when, author=author)
        told = tuple(left.told(path) for path, left in taken.left.items())
        return made and made._replace(warnings=(*told, *made.warnings))

    def take(
        self, paths: Sequence[str], *, screen: Screen | None = None, given: Mapping[str, bytes] | None = None
    ) -> Taken:
        """Look at files as they are on disk, or as `given`; keep what may be committed. Inside of `reading`."""
        return making.take(self, paths, screen=screen, given=given or {})

    def apart(self, files: Mapping[str, bytes]) -> list[str]:
        """Return which of these files HEAD has otherwise, or not at all. Inside of `reading`."""
        return making.apart(self, files)

    def held(self, paths: Sequence[str]) -> list[str]:
        """Return which of these files HEAD has. Inside of `reading`."""
        return making.held(self, paths)

    def commit_taken(
        self,
        entries: Mapping[str, TreeEntry | None],
        *,
        message: Message,
        when: datetime,
        author: Person | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> Commit | None:
        """Commit what `take` has found; None when nothing of it differs from HEAD. Inside of `reading`."""
        return making.commit(self, entries, message=message, when=when, author=author, announce=announce)

    def record(self, state: StateRoot, *, is_first: bool = True) -> None:
        """Write down which repository this is and where its branch goes: at the first `koog init`, or by a person.

        An address that was approved before stays the approved one: another takes a word of its own. So does any where
        it is not the first time, and the state root was lost.
        """
        known = identity.recorded(state) or {}
        address = {key: known[key] for key in identity.ADDRESS if key in known}
        found = address or identity.pushed(self.upstream() if is_first else None)
        state.put(identity.NAME, {**identity.marked(self.place), **found})
