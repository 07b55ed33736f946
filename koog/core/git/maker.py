"""Makes a commit of what was looked at, with a true title and the names of those whose work it is.  [design.md §4]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import lock, seal
from koog.core.files.record import Applied, Change, commit_message
from koog.core.files.workspace import Workspace
from koog.core.git import resting
from koog.core.git.commit import actor
from koog.core.git.outgoing import Outgoing
from koog.core.git.owners import MANUAL
from koog.core.git.repository import Git
from koog.core.git.screen import Looked
from koog.core.git.titles import verbs

if TYPE_CHECKING:
    from koog.core.git.commit import Commit
    from koog.core.git.objects import TreeEntry

WORKSPACE = "workspace"
GATHERING = "gathering.lock"  # of the state root: held by every koog that has written what it commits later


@dataclass(repr=False, eq=False)
class Maker:
    """What the commits of one run have in common.

    mode      `git.commit`: when there are any
    scope     `git.backup`: what a sweep takes, "all" or what koog itself wrote, "own"
    trusted   `git.trustLocalConfig`: whether the repository's own configuration counts
    rest_hours  `git.restHours`: how long a tick's logs may wait for a commit of something else
    every_minutes  `knowledge.commitMinutes`: how long changes gather where `git.commit` is `interval`
    outgoing  the pushes of the run
    at_work   holds what tells others that this run commits later
    """

    workspace: Workspace
    mode: str
    now: datetime
    warnings: list[str]
    meta: dict[str, Any]
    scope: str = "own"
    trusted: bool = False
    rest_hours: float = 0.0
    every_minutes: float = 30.0
    outgoing: Outgoing = field(default_factory=Outgoing)
    looked: Looked = field(default_factory=Looked)
    at_work: ExitStack = field(default_factory=ExitStack)
    _held: int = 0
    _may_rest: bool = False
    _at_once: bool = False
    _gathered: list[Applied] = field(default_factory=list)

    @cached_property
    def git(self) -> Git | None:
        """The repository of the workspace."""
        return Git.find(self.workspace.root, state=self.workspace.state_root, trusted=self.trusted)

    @property
    def gathered(self) -> list[str]:
        """Return the files that this run wrote and has not committed yet."""
        return [path for row in self._gathered for path in row.change.paths]

    def tell(self) -> None:
        """Tell other koogs that what this one writes is committed later: none of it is a killed one's."""
        if (state := self.workspace.state_root) and self._held:
            self.at_work.close()
            self.at_work.enter_context(lock.shared(state.root.itself(GATHERING)))

    @contextmanager
    def undisturbed(self) -> Iterator[bool]:
        """Yield whether no other koog is writing now, nor will commit what it has written. Under git's lock alone."""
        state, work = self.workspace.state_root, self.workspace
        self.at_work.close()
        with ExitStack() as held:
            try:
                if not work.is_locked:
                    held.enter_context(work.locked("lock", wait_s=0, what="the workspace"))
                is_alone = state is not None and not lock.is_shared(state.root.itself(GATHERING))
            except (Busy, WorkspaceError):  # also a lock that cannot be opened: what is written stays written
                is_alone = False
            try:
                yield is_alone
            finally:
                self.tell()

    def at_head(self, path: str) -> bytes | None:
        """Return a file of the workspace as HEAD has it; None when HEAD has none, or git cannot say."""
        try:
            return self.git.at_head(path) if self.git else None
        except WorkspaceError:  # whoever commits says what is wrong
            return None

    def rests(self, paths: Iterable[str]) -> bool:
        """Return whether what differs from HEAD, in these files, may wait for the next commit of something else."""
        return (
            self.rest_hours > 0
            and self.git is not None
            and resting.are_logs(self.workspace, paths)
            and resting.is_fresh(self.workspace, self.git, now=self.now, hours=self.rest_hours)
        )

    def repository(self, root: str) -> Git | None:
        """Return the repository that takes the changes under a root."""
        return {WORKSPACE: lambda: self.git}[root]()

    def make(
        self,
        git: Git,
        entries: Mapping[str, TreeEntry | None],
        changes: Sequence[Change],
        *,
        sessions: Sequence[str] = (),
    ) -> Commit | None:
        """Make one commit of what was looked at, told as these changes; None when nothing differs from HEAD."""
        cause = next((c.cause for c in changes if c.cause), self.workspace.cause)

        def message(kinds: Mapping[str, str]) -> str:
            critical = any(map(self.workspace.is_critical, kinds))
            return commit_message(verbs(changes, kinds), cause=cause, critical=critical, sessions=sessions)

        author = None if cause.actor == MANUAL.actor else actor(cause.actor)
        made = git.commit_taken(entries, message=message, when=self.now, author=author, announce=self.outgoing.made)
        if made:
            self.warnings += made.warnings
            self.meta["commit"] = made.short
            if git is self.git:
                seal.note_commit(self.workspace, made.sha, base=made.base, keeps=git.keeps)
        return made
