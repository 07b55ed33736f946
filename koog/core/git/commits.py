"""When a command's changes become a commit, and of what.  [design §4 "Git", autopoiesis §3.2]

`git.commit` in the config: `command` commits after each command, `tick` leaves it
to ticks and backups, `interval` sweeps up what has gathered every 30 minutes
(`knowledge.commitMinutes`), `off` never commits by itself. Where git cannot take a
commit (no repository, detached HEAD, a merge under way) the files are written all the
same, and a warning says so.

What koog finds and did not make is committed first, in a commit of its own: `Actor: manual`.
So is what an earlier command wrote and did not commit, as that one's: who takes a commit
back takes back one command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from koog.core.errors import Busy, WorkspaceError
from koog.core.files.record import Applied, Change
from koog.core.git import left as killed
from koog.core.git import resting
from koog.core.git.commit import OURS
from koog.core.git.maker import WORKSPACE, Maker
from koog.core.git.owners import MANUAL, NO_REPOSITORY, OUTSIDE, Owners
from koog.core.git.repository import Git
from koog.core.git.sweep import Swept, sweep
from koog.core.git.titles import once

RESTED = "what ticks have logged"


class Commits(Maker):
    """The commits of one run."""

    def hold(self, *, resting: bool = False, at_once: bool = False) -> None:
        """Make one commit of all that follows, until `release`; with `resting` none yet where it is only logs.

        at_once   also where `git.commit` is `tick` or `interval`: a tick, and what is to be taken back by its commit
        """
        self._may_rest = self._may_rest if self._held else resting
        self._at_once = at_once or self._at_once
        self._held += 1
        self.tell()

    def release(self) -> None:
        """Commit what was gathered, when nobody outside holds it."""
        self._held = max(self._held - 1, 0)
        if self._held:
            return
        at_once, self._at_once = self._at_once, False
        try:
            if at_once or self.mode == "command":
                self._flush()
            elif self.mode == "interval" and self._gathered:
                self._try(self._sweep_alone)
        finally:
            self.at_work.close()

    def gather(self, applied: Sequence[Applied]) -> None:
        """Take what was just written; called under the write lock. Transcripts have a repository of their own."""
        self._gathered += [row for row in applied if row.change.root == WORKSPACE]
        if self._held or self.mode in ("off", "tick"):
            return
        if self.mode == "interval":
            self._try(self._sweep_when_due)
            return
        self._flush()

    def settle(self) -> None:
        """Commit what a killed command left, as that command's, so that whoever asks for it by name finds it."""
        if self.mode == "command" and self.git and not self.workspace.dry_run:
            self._try(lambda git=self.git: self._settle(git))  # type: ignore[misc]

    def settle_logs(self) -> None:
        """Commit the lines of logs that rest, so that the next commit holds none but its own."""
        if self.mode not in ("off", "tick") and not self.workspace.dry_run:
            self._try(lambda: self._commit(WORKSPACE, []))

    def sweep(self, summary: str, *, resting: bool = False, tells: bool = False) -> Swept:
        """Commit whatever differs from HEAD, as far as `git.backup` goes; see koog/core/git/sweep.py."""
        return sweep(self, summary, resting=resting, tells=tells)

    def push(self) -> None:
        """Push what a tick committed, where the operator wants it; called when no lock is held: it may take long."""
        git = self.git if self.outgoing.at_end and "commit" in self.meta and self.outgoing.wanted else None
        if git is None:
            return
        try:
            why = self.outgoing.push(git, scope=self.scope)
        except WorkspaceError as e:
            why = e.message
        if why:
            self.warnings.append(f"committed, not pushed: {why}")

    def _flush(self) -> None:
        """Commit what was gathered, root by root."""
        rows, self._gathered = self._gathered, []
        may_rest, self._may_rest = self._may_rest, False
        if self.mode == "off" or (may_rest and self.rests(path for row in rows for path in row.change.paths)):
            return
        for root in dict.fromkeys(row.change.root for row in rows):
            for part in _parts([row for row in rows if row.change.root == root]):
                self._try(lambda root=root, part=part: self._commit(root, part))  # type: ignore[misc]

    def _try(self, commit: Callable[[], object]) -> None:
        """Commit what is written already: where git cannot, that is a warning and no failure of the command."""
        try:
            commit()
        except (WorkspaceError, Busy) as e:
            self.warnings.append(f"written, not committed: {e.message}")

    def _sweep_alone(self) -> None:
        """Sweep when it is due, where no write lock is held."""
        with self.workspace.alone():
            self._sweep_when_due()

    def _sweep_when_due(self) -> None:
        last = self.git.last_commit(author=OURS["email"]) if self.git else None
        # A last commit that lies far ahead is of a clock that was wrong.
        if last is None or abs((self.now - last).total_seconds()) >= 60 * self.every_minutes:
            self._gathered.clear()
            self.sweep("gathered", tells=True)

    def _settle(self, git: Git) -> None:
        with git.reading():
            is_left = not git.hindrance() and bool(Owners(self.workspace, git).left)
        if is_left:
            with git.alone(), git.reading():
                owners = Owners(self.workspace, git)
                killed.commit(self, git, killed.elsewhere(self, git, owners), owners)

    def _commit(self, root: str, rows: Sequence[Applied]) -> None:
        git = self.repository(root)
        why = NO_REPOSITORY if git is None else git.hindrance()
        if git is None or why:
            self.warnings.append(f"{why}: written, not committed")
            return
        with git.alone(), git.reading():
            owners = Owners(self.workspace, git, new=len(rows))
            self._commit_left(git, rows, owners)
            logs = [*owners.beside, *resting.newest(self.workspace, self.now)] if root == WORKSPACE else []
            beside = [path for path in logs if self._is_ours(path, owners)]
            paths = dict.fromkeys([*(p for row in rows for p in row.change.paths), *beside])
            # What koog wrote, and not what somebody has made of it since: a tick may have taken minutes.
            last = {path: row.after for row in rows for path in row.change.paths}
            wrote = {path: data for path, data in last.items() if data is not None and path not in owners.beside}
            taken = git.take(list(paths), screen=self.looked, given=wrote)
            self.warnings += [left.told(path) for path, left in taken.left.items()]
            changes = once([row.change for row in rows]) or [Change("APPEND", path, RESTED) for path in beside]
            self.make(git, taken.entries, changes)

    def _commit_left(self, git: Git, rows: Sequence[Applied], owners: Owners) -> None:
        """Commit what was left, uncommitted, in the files that koog then changed: by others, then by koog itself.

        koog leaves something when it is killed behind its last file, or where `git.commit` was another then; what a
        killed one left in other files comes along.
        """
        first: dict[str, Applied] = {}
        for row in rows:
            first.setdefault(row.change.path, row)
        left = {path: row.before for path, row in first.items() if row.before is not None}
        ours = {path for path in left if first[path].own or (first[path].own is None and path in owners.told)}
        theirs = {path: data for path, data in left.items() if path not in ours}
        self._commit_as_it_was(git, theirs, lambda path: Change("EDIT", path, OUTSIDE, cause=MANUAL))
        logs = {path for path in ours if resting.are_logs(self.workspace, [path])}  # their lines ride along
        stayed = {path: left[path] for path in git.apart({path: left[path] for path in ours - logs})}
        beside = [path for row in rows for path in row.change.paths]
        killed.commit(self, git, {**stayed, **killed.elsewhere(self, git, owners, beside=beside)}, owners)
        # A file that is made anew, and that HEAD has: somebody took it away, or a koog did.
        gone = git.held([path for path, row in first.items() if row.before is None and row.after is not None])
        koogs = [path for path in gone if first[path].own or (first[path].own is None and path in owners.told)]
        if persons := [path for path in gone if path not in koogs]:
            self.make(git, dict.fromkeys(persons), [Change("EDIT", path, OUTSIDE, cause=MANUAL) for path in persons])
        if koogs:
            self.make(git, dict.fromkeys(koogs), [owners.change(path) for path in koogs])

    def _commit_as_it_was(self, git: Git, files: Mapping[str, bytes], told: Callable[[str], Change]) -> None:
        if files:
            taken = git.take(list(files), screen=self.looked, given=files)
            self.make(git, taken.entries, [told(path) for path in taken.entries])

    def _is_ours(self, path: str, owners: Owners) -> bool:
        """Return whether a log is as koog left it; what others did to it waits for the sweep."""
        try:
            data = self.workspace.read(path)
        except WorkspaceError:
            return False
        return data is not None and owners.made(path, data)


def _parts(rows: Sequence[Applied]) -> list[list[Applied]]:
    """Part changes where koog went on from what somebody else had made, meanwhile, of a file that it had written."""
    parts: list[list[Applied]] = [[]]
    wrote: dict[str, bytes] = {}
    for row in rows:
        path = row.change.path
        if row.before is not None and not row.own and wrote.get(path, row.before) != row.before:
            parts.append([])
            wrote = {}
        parts[-1].append(row)
        if row.after is not None:
            wrote[path] = row.after
        else:
            wrote.pop(path, None)
    return parts
