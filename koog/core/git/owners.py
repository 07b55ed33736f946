"""Whose work a file is: koog's own, or somebody else's, whose commit is then made first.  [design.md §4 "Git"]

The state root has a digest of what koog last left in each file. Without it what the
audit log tells since the last commit has to do: it lies where anybody can write.
"""

from __future__ import annotations

from functools import cached_property

from koog.core.files import auditlog, digests
from koog.core.files.atomic import decode
from koog.core.files.record import Cause, Change
from koog.core.files.workspace import Workspace
from koog.core.git.repository import Git

# What grows with every command and goes into its commit.
BESIDE = ("meta/audit.log", "meta/usage.jsonl", "meta/topic-gate.jsonl", "meta/transcripts.json")
MANUAL = Cause("manual", "—", "direct human edit")
OUTSIDE = "changed outside koog"
LEFT = "written before, and not committed"
NO_REPOSITORY = "no git repository (koog init makes one)"
TOLD = ("ALERT", "ACK")  # what a line may say of a file that it changed nothing in
FILE = 2  # the field of an audit line that names one


class Owners:
    """Tells koog's work from that of others, as long as no commit is made in between.

    new   how many lines of the audit log tell of what this run has just done
    """

    def __init__(self, workspace: Workspace, git: Git, *, new: int = 0) -> None:
        self.workspace, self.git, self.new = workspace, git, new
        self.beside = [workspace.resolved(workspace.in_memory(name)) for name in BESIDE]

    def made(self, path: str, data: bytes | None) -> bool:
        """Return whether koog left a file so; None: that it removed it."""
        state = self.workspace.state_root
        if data is None:
            return path not in self.written and path in self.told
        if state is None:
            return path in self.beside or path in self.told
        return digests.is_own(state, path, data)

    @cached_property
    def written(self) -> set[str]:
        """Return every file that koog wrote, and what grows beside them."""
        state = self.workspace.state_root
        if state is not None:
            return set(digests.written(state))
        return _named(self._log) | set(self.beside)

    @cached_property
    def told(self) -> set[str]:
        """Return the files that the audit log names after what HEAD has of it, and before what this run did."""
        return _named(self._since)

    @cached_property
    def left(self) -> set[str]:
        """Return those of them that it tells a change of, and not a move; none where HEAD has no log.

        Mostly HEAD has all of it, and its name says so: no need to read it there.
        """
        rows = auditlog.rows(self.workspace.read(self.beside[0]) or b"")
        before = b"".join(row + b"\n" for row in rows[: max(len(rows) - self.new, 0)])
        if not self.git.apart({self.beside[0]: before}) or not self._known:
            return set()
        told = list(filter(None, map(auditlog.parse, self._since.splitlines())))
        return {each.file for each in told} - {each.file for each in told if each.action == "RENAME"}

    def change(self, path: str) -> Change:
        """Return what the audit log last told of a file, before what this run did.

        An approval is not taken from there: whoever can write the log could give it.
        """
        lines = self._log.splitlines()
        rows = (auditlog.parse(line) for line in reversed(lines[: max(len(lines) - self.new, 0)]))
        told = next((row for row in rows if row and row.file == path and row.action not in TOLD), None)
        if told is None:
            return Change("EDIT", path, LEFT, cause=Cause())
        leave = told.approval if told.approval in auditlog.OWN_LEAVE else Cause().approval
        return Change("EDIT", path, told.summary.removeprefix(auditlog.CRITICAL), cause=Cause(told.actor, leave))

    @cached_property
    def _known(self) -> str:
        return decode(self.git.at_head(self.beside[0]) or b"")

    @cached_property
    def _since(self) -> str:
        lines = self._log.removeprefix(self._known).splitlines(keepends=True)
        return "".join(lines[: max(len(lines) - self.new, 0)])

    @cached_property
    def _log(self) -> str:
        return self.workspace.text(self.beside[0]) or ""


def _named(text: str) -> set[str]:
    rows = (line.split(" | ") for line in text.splitlines())
    return {row[FILE].strip() for row in rows if len(row) > FILE}
