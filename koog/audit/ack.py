"""koog audit ack: a person's word that a critical file may be as it is.  [moltbot §12.5]

Reads   as `audit alerts`
Writes  memory/meta/audit.log; critical.json in the state root, and for `log` a new segment of the chain
Asks    nothing
"""

from __future__ import annotations

from typing import Annotated

import typer

from koog.audit.alerts import LOG, standing
from koog.audit.notice import notice
from koog.core import approval
from koog.core.errors import NotFound, Refused
from koog.core.files import chain, critical, seal
from koog.core.files.chain import Record
from koog.core.files.record import Cause, Change
from koog.core.reply import Reply
from koog.core.run import Run


def ack(
    ctx: typer.Context,
    which: Annotated[list[str], typer.Argument(metavar="PATH…", help="As alerts names it; `log` for the log itself.")],
) -> Reply:
    """Take a critical file as it is for known; `log`: the audit log, from which a new segment of the chain begins."""
    run: Run = ctx.obj
    if run.state_root is None:
        hint = "a person runs it outside the agent's sandbox, where koog init was called"
        raise Refused(f"nothing can be acknowledged: {approval.NO_STATE_ROOT}", hint=hint)
    notice(run)
    wanted = list(dict.fromkeys(which))
    found = {row["path"]: row for row in standing(run)}
    for path in wanted:
        if path not in found:
            raise NotFound(f"no alert of {path}", hint=f"alerts: {', '.join(found) or 'none'}")
    for path in wanted:
        approval.require(
            run,
            id=f"ack-{path}",
            digest=approval.digest(path, found[path]["digest"]),
            what=f"the change of {path}",
            command=f"koog audit ack {path}",
        )
    files = [path for path in wanted if path != LOG]
    records = [Record(chain.SEGMENT, 0, chain.NONE, "acknowledged", chain.NONE, "")] if LOG in wanted else []
    cause = Cause("manual", run.approval, run.trigger)
    with run.workspace.writing() as door:
        door.note([Change("ACK", path, "acknowledged", cause=cause) for path in wanted], *records)
    if not run.dry_run:
        critical.know(run.workspace, files)
        if LOG in wanted:
            run.state_root.remove(seal.ALERTS)
    return Reply("koog.audit.ack/1", acknowledged=wanted, standing=len(found) - len(wanted))
