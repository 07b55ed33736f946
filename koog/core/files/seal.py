"""Is the audit log still the one that koog left? What else stands in it is told before koog adds to it.  [design §4]

    UNSEALED   lines at its end that this koog did not write: a koog in the agent's sandbox wrote them, or anybody
    ALERT      what koog had written is no longer there as it was

A koog that does not see the state root cannot know, and says nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from koog.core import clock
from koog.core.files import digests
from koog.core.files.record import Cause, Change

if TYPE_CHECKING:
    from koog.core.files.tree import Tree

ACTOR = "system:audit"
ALERTS = "alerts"  # file of the state root: what was found, for `status`
KEPT = 50


class Verdict(NamedTuple):
    """What somebody else did to the log; `change` is the line that says so, None when nothing is to be said."""

    change: Change | None = None
    warning: str | None = None


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
    lines = data[int(known[0]) :].count(b"\n")
    if not lines:
        return Verdict()
    summary = f"{lines} {'line' if lines == 1 else 'lines'} before this one by another hand, or a koog in a sandbox"
    return Verdict(Change("UNSEALED", audit, summary, cause=Cause(ACTOR, "—", "koog")))


def note(workspace: Tree, verdict: Verdict) -> None:
    """Tell of an alert: a warning now, and `koog status` for a week."""
    if verdict.warning is None or workspace.state_root is None or workspace.when is None:
        return
    workspace.warnings.append(verdict.warning)
    row = {"ts": clock.iso(workspace.when), "message": verdict.warning}
    workspace.state_root.put(ALERTS, [*alerts(workspace), row][-KEPT:])


def alerts(workspace: Tree) -> list[dict[str, str]]:
    """Return what was found so far, oldest first: `ts` and `message`."""
    found = workspace.state_root.get(ALERTS) if workspace.state_root else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _alert(audit: str) -> Verdict:
    summary = "The log is not as koog left it: lines were changed or removed."
    return Verdict(
        Change("ALERT", audit, summary, cause=Cause(ACTOR, "—", "koog")),
        f"ALERT: {audit} is not as koog left it: lines were changed or removed; git log -p {audit}",
    )
