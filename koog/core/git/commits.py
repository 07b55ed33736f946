"""When a command's changes become a commit, and of what.  [design §4 "Git", autopoiesis §3.2]

`git.commit` in the config: `command` commits after each command, `tick` leaves it
to ticks and backups, `interval` sweeps up what has gathered every 30 minutes, `off`
never commits. Where git cannot take a commit (no repository, detached HEAD, a merge
under way) the files are written all the same, and a warning says so.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from koog.core.errors import Busy, WorkspaceError
from koog.core.files.record import Applied, Change, commit_message
from koog.core.files.roots import READ_LIMIT
from koog.core.files.workspace import Workspace
from koog.core.git.names import is_private, is_secret
from koog.core.git.repository import Git

INTERVAL_S = 30 * 60
LARGE = 64 * 1024  # characters; a smaller file is looked through faster than git tells what is new in it
# What grows with every command and goes into its commit.
BESIDE = ("meta/audit.log", "meta/usage.jsonl", "meta/topic-gate.jsonl")
NO_REPOSITORY = "no git repository (koog init makes one)"


class Swept(NamedTuple):
    """What a sweep did: the commit's short hash or None, the files that differed, those of them that stayed out."""

    commit: str | None
    files: list[str]
    left_out: list[str]


@dataclass(repr=False, eq=False)
class Commits:
    """The commits of one run.

    held      set by a tick, which makes one commit of all its steps
    push_to   the remote that a commit is pushed to when the command is done (`git.push`), None for none
    """

    workspace: Workspace
    mode: str
    now: datetime
    warnings: list[str]
    meta: dict[str, Any]
    held: bool = False
    push_to: str | None = None
    push_timeout_s: float = 60.0
    _clean: dict[str, object] = field(default_factory=dict)
    _push_limit_s: float = math.inf
    _gathered: list[Change] = field(default_factory=list)

    @cached_property
    def git(self) -> Git | None:
        return Git.find(self.workspace.root)

    def gather(self, applied: list[Applied]) -> None:
        """Take what was just written; called under the write lock."""
        self._gathered += [row.change for row in applied]
        if self.held or self.mode in ("off", "tick"):
            return
        if self.mode == "interval":
            self._try(self._sweep_when_due)
            return
        self.release()

    def release(self) -> None:
        """Commit what was gathered."""
        changes, self._gathered, self.held = once(self._gathered), [], False
        if changes and self.mode != "off":
            self._try(lambda: self._commit(changes, extra=[self.workspace.in_memory(name) for name in BESIDE]))

    def sweep(self, summary: str) -> Swept:
        """Commit whatever differs from HEAD.

        Raises WorkspaceError when conflict markers stand in a changed file or git will not do it,
        Busy when another koog is committing.
        """
        if self.git is None:
            self.warnings.append(f"{NO_REPOSITORY}: written, not committed")
            return Swept(None, [], [])
        status = self.git.status()  # asked once: it looks at every file there is
        if marked := self.git.conflicted(status):
            raise WorkspaceError(f"conflict markers in {', '.join(marked[:5])}", hint="resolve them, then back up")
        changed = [p for _, p in status if not is_private(p)]
        out = [p for p in changed if is_secret(p) or self._secret(p)]
        changes = [
            Change("EDIT" if os.path.lexists(self.workspace.root / p) else "DELETE", p, summary)
            for p in changed
            if p not in out
        ]
        return Swept(self._commit(changes, extra=[]) if changes else None, changed, out)

    def push(self) -> None:
        """Push what was committed, where the config asks for it; called when no lock is held, for it may take long."""
        if not self.push_to or not self.git or "commit" not in self.meta:
            return
        try:
            if self.git.unpushed(self.push_to):
                self.git.push(self.push_to, timeout_s=self.push_seconds())
        except WorkspaceError as e:
            self.warnings.append(f"committed, not pushed: {e.message}")

    def limit_push(self, seconds: float) -> None:
        """Let no push from now on take longer than what is left of a deadline, or the config's own limit."""
        self._push_limit_s = seconds

    def push_seconds(self) -> float:
        """Return how long a push may take."""
        return min(self.push_timeout_s, self._push_limit_s)

    def _try(self, commit: Callable[[], object]) -> None:
        """Commit what is written already: where git cannot, that is a warning and no failure of the command."""
        try:
            commit()
        except (WorkspaceError, Busy) as e:
            self.warnings.append(f"written, not committed: {e.message}")

    def _sweep_when_due(self) -> None:
        last = self.git.last_commit() if self.git else None
        if last is None or (self.now - last).total_seconds() >= INTERVAL_S:
            self.sweep("what gathered since the last commit")

    def _commit(self, changes: list[Change], *, extra: list[str]) -> str | None:
        git = self.git
        why = NO_REPOSITORY if git is None else git.hindrance()
        if git is None or why:
            self.warnings.append(f"{why}: written, not committed")
            return None
        paths = [p for p in dict.fromkeys([*(p for c in changes for p in c.paths), *extra]) if not self._secret(p)]
        critical = any(p in self.workspace.critical_files for p in paths)
        message = commit_message(changes, cause=self.workspace.cause, critical=critical)
        made = git.commit(paths, message=message, when=self.now)
        if made is None:
            return None
        self.warnings += made.warnings
        self.meta["commit"] = made.short
        return made.short

    def _secret(self, path: str) -> bool:
        """Return whether a file shows a secret, with a warning that says where: it stays out of git."""
        from koog.core.text.secrets import find_secrets

        if self._unread(path):
            self.warnings.append(f"{path}: larger than koog reads, so a secret in it would go unseen: not committed")
            return True
        try:
            state = self.workspace.state(path)
            if state is not None and self._clean.get(path) == state:
                return False
            text = self.workspace.text(path) or ""
        except WorkspaceError:
            return False  # a link or a pipe: git keeps the link itself, not what it leads to
        if not find_secrets(self._not_in_head(path, text)) or not (found := find_secrets(text)):
            self._clean[path] = state
            return False
        line = text.count("\n", 0, found[0].start) + 1
        self.warnings.append(f"{path}:{line}: looks like a secret ({found[0].kind}): not committed")
        return True

    def _not_in_head(self, path: str, text: str) -> str:
        """Return a text, of a large one only the lines that HEAD's version lacks: what is in git was looked through."""
        if len(text) < LARGE or self.git is None or (known := self.git.at_head(path)) is None:
            return text
        before = set(known.decode("utf-8", "surrogateescape").split("\n"))
        return "\n".join(line for line in text.split("\n") if line not in before)

    def _unread(self, path: str) -> bool:
        """Return whether a path is a regular file too large to be looked through."""
        try:
            info = (self.workspace.root / path).lstat()
        except OSError:
            return False
        return stat.S_ISREG(info.st_mode) and info.st_size > READ_LIMIT


def once(changes: list[Change]) -> list[Change]:
    """Return one change a file with all that was done to it, in the order in which the files were first touched."""
    seen: dict[str, Change] = {}
    for change in changes:
        earlier = seen.get(change.path)
        told = earlier.summary.split("; ") if earlier else []
        summary = "; ".join(dict.fromkeys([*told, change.summary]))
        seen[change.path] = change._replace(action=earlier.action if earlier else change.action, summary=summary)
    return list(seen.values())
