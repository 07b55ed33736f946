"""Is the audit log still the one that koog left? What koog adds to it is sealed in the chain.  [design §4]

    UNSEALED   lines at its end that this koog did not write: a koog in the agent's sandbox wrote them, or anybody
    ALERT      what koog had written is no longer there as it was, or another's line claims a person's word

A koog that does not see the state root cannot know, says nothing and seals nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import atomic, auditlog, chain, digests
from koog.core.files.chain import Line, Record, Writer
from koog.core.files.journal import STATE, Step
from koog.core.files.record import Cause, Change
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.files.tree import Tree

ACTOR = "system:audit"
CAUSE = Cause(ACTOR, "—", "koog")
ALERTS = "alerts"  # file of the state root: what was found, for `status`
KEPT = 50
RESET = "ALERT: git's history was put back, or replaced, since koog's last commit; koog audit verify"


class Verdict(NamedTuple):
    """What somebody else did to the log.

    change    the line that says so, None when nothing is to be said
    found     the lines at its end that koog did not write
    """

    change: Change | None = None
    warning: str | None = None
    found: tuple[bytes, ...] = ()


def look(workspace: Tree, audit: str, present: bytes | None) -> Verdict:
    """Compare the audit log with what koog left there, and with the last commit where koog left nothing yet."""
    if workspace.state_root is None:
        return Verdict()
    known = digests.load(workspace.state_root).get(audit)
    data = present or b""
    if known is None:
        committed = workspace.at_head(audit)
        return Verdict() if committed is None or data.startswith(committed) else _alert(audit)
    if not digests.begins(data, known):
        return _alert(audit)
    found = auditlog.rows(data[int(known[0]) :])
    if not found:
        return Verdict()
    if forged := sum(map(auditlog.claims, found)):
        summary = f"{_lines(forged)} before this one by another hand, claiming a person's word."
        warning = f"ALERT: {audit} has {_lines(forged)} by another hand, claiming a person's word; koog audit verify"
        return Verdict(Change("ALERT", audit, summary, cause=CAUSE), warning, tuple(found))
    summary = f"{_lines(len(found))} before this one by another hand, or a koog in a sandbox"
    return Verdict(Change("UNSEALED", audit, summary, cause=CAUSE), found=tuple(found))


class Seal:
    """What one transaction adds to the chain: nothing, where this koog sees no state root."""

    def __init__(
        self, workspace: Tree, verdict: Verdict, lines: Sequence[Line], records: Sequence[Record] = ()
    ) -> None:
        self.data, self.at, self.why = b"", 0, "first"
        self.state_root = workspace.state_root
        if self.state_root is None:
            return
        segment = next((r.rest for r in records if r.kind == chain.SEGMENT), "")
        last, key = self._standing(self.state_root, anew=bool(segment))
        writer = Writer(key, last)
        if last is None:
            begin(writer, present(workspace), why=segment or self.why)
        else:
            for text in verdict.found:
                writer.line(Line(text, kind=chain.FOUND))
        for line in lines:
            writer.line(line)
        for record in records:
            if record.kind != chain.SEGMENT:
                writer.add(record.kind, writer.number, record.line, record.rest, record.file)
        self.data = writer.data

    def _standing(self, state_root: StateRoot, *, anew: bool) -> tuple[Record | None, bytes]:
        """Return the last record and the key. A chain that is damaged holds nothing up: it is set aside."""
        try:
            if anew:
                chain.set_aside(state_root)
            last, self.at = chain.last(state_root.root)
            return last, chain.key(state_root)
        except chain.Damaged:
            chain.set_aside(state_root)
            self.at, self.why = 0, "damaged"
            return None, chain.key(state_root)

    @property
    def steps(self) -> list[Step]:
        """Return the journal's step for it."""
        return [Step("append", chain.NAME, at=self.at, data=self.data, root=STATE)] if self.data else []

    def put(self) -> Callable[[], object]:
        """Append the records; return how to take them back. Raises OSError, WorkspaceError."""
        if self.state_root is None:
            return lambda: None
        chain.settle(self.state_root.root, self.at)
        return atomic.append(self.state_root.root.itself(chain.NAME), self.data)


def begin(writer: Writer, lines: Sequence[bytes], *, why: str) -> None:
    """Begin a segment: what stands in the log is taken as it is found."""
    writer.add(chain.SEGMENT, writer.number, rest=why)
    for text in lines:
        writer.line(Line(text, kind=chain.ACCEPTED))


def present(workspace: Tree) -> list[bytes]:
    """Return every line that stands in the log now, the months' before the current one. Raises WorkspaceError."""
    return [line for path in auditlog.files(workspace) for line in auditlog.rows(workspace.read(path) or b"")]


def note_commit(workspace: Tree, commit: str, *, base: str | None, keeps: Callable[[str], bool]) -> None:
    """Note at which commit the chain stands: what is behind it must not be taken away.

    base    what the commit was made upon
    keeps   whether the history that HEAD has now has a commit, or what it did
    """
    state_root = workspace.state_root
    if state_root is None:
        return
    with suppress(OSError, WorkspaceError, chain.Damaged):  # the commit is made; the next one is noted again
        head = state_root.get(chain.HEAD)
        known = head if isinstance(head, dict) else {}
        reset, before = known.get("reset"), known.get("git")
        if reset is None and isinstance(before, str) and before != base and not keeps(before):
            reset = known.get("number")
            _tell(workspace, RESET)
        chain.note_head(state_root, commit, reset=reset)


def note(workspace: Tree, verdict: Verdict) -> None:
    """Tell of what was done to the log."""
    if verdict.warning is not None:
        _tell(workspace, verdict.warning)


def _tell(workspace: Tree, message: str) -> None:
    """Tell of an alert: a warning now, and `koog status` for a week."""
    if workspace.state_root is None or workspace.when is None:
        return
    workspace.warnings.append(message)
    row = {"ts": clock.iso(workspace.when), "message": message}
    workspace.state_root.put(ALERTS, [*alerts(workspace), row][-KEPT:])


def alerts(workspace: Tree) -> list[dict[str, str]]:
    """Return what was found so far, oldest first: `ts` and `message`."""
    found = workspace.state_root.get(ALERTS) if workspace.state_root else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _alert(audit: str) -> Verdict:
    summary = "The log is not as koog left it: lines were changed or removed."
    return Verdict(
        Change("ALERT", audit, summary, cause=CAUSE),
        f"ALERT: {audit} is not as koog left it: lines were changed or removed; koog audit verify",
    )
