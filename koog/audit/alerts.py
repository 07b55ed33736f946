"""koog audit alerts: critical files that are not as a person knows them.  [moltbot §12.5]

Reads   the critical files; critical.json and what is kept beside it in the state root; the audit log and its chain
Writes  memory/meta/audit.log: a `manual` line for each file that was changed outside koog
Asks    nothing
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import typer

from koog.audit import log, verify
from koog.audit.log import Wanted
from koog.audit.notice import notice
from koog.core import approval
from koog.core.errors import WorkspaceError
from koog.core.files import auditlog, critical, seal
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.view import BAD, DIM, GOOD, STRONG, WARN, Cell, Section
from koog.sessions import audience
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.files.auditlog import Entry
    from koog.core.files.critical import Edit

EDITED, INTEGRITY, LOG = "edited", "integrity", "log"
DIFF_LINES = 60  # of a reply; the file itself and git have the rest
LINE_CHARS = 300


def alerts(ctx: typer.Context) -> Reply:
    """Show the critical files that were changed and that nobody has acknowledged, with what was changed."""
    run: Run = ctx.obj
    notice(run)
    rows = standing(run)
    reply = Reply("koog.audit.alerts/1", alerts=rows, count=len(rows))
    if run.human:
        reply.view = _view(rows)
    return reply


def standing(run: Run, *, deep: bool = True) -> list[dict[str, Any]]:
    """Return the alerts that nobody has acknowledged. Raises WorkspaceError.

    deep   verify the whole log, too; else look only whether the current month's is as koog left it
    """
    rows = [_row(run, edit) for edit in critical.edits(run.workspace)]
    if run.state_root is not None:
        rows += _of_log(run) if deep else _at_a_glance(run)
    return rows


def _of_log(run: Run) -> list[dict[str, Any]]:
    done = verify.look(run)
    if done.verdict != verify.TAMPERED:
        return []
    said = "; ".join(f"{verify.WORDS[f.kind]} (from number {f.number} on)" for f in done.found)
    mark = approval.digest(*(f"{f.kind} {f.number} {f.lines}" for f in done.found))
    return [_told(LOG, INTEGRITY, None, said, [], (0, 0), mark)]


def _at_a_glance(run: Run) -> list[dict[str, Any]]:
    path = run.workspace.in_memory(auditlog.NAME)
    try:
        said = seal.look(run.workspace, path, run.workspace.files.read(path, limit=auditlog.LIMIT)).warning
    except WorkspaceError as e:
        said = f"ALERT: {e.message}; koog audit verify"
    return [_told(LOG, INTEGRITY, None, said, [], (0, 0), "")] if said else []


def _row(run: Run, edit: Edit) -> dict[str, Any]:
    last = _last(run, edit.path)
    kind = EDITED if last is None or last.actor == "manual" else INTEGRITY
    before, after = (edit.known or "").splitlines(), (edit.present or "").splitlines()
    diff = list(difflib.unified_diff(before, after, "known", "now", lineterm="", n=1))[2:]
    plus, minus = (sum(line.startswith(sign) for line in diff) for sign in "+-")
    mark = critical.mark(None if edit.present is None else edit.present.encode("utf-8", "surrogateescape"))
    shown = diff if audience.current(run).file(edit.path) is Seen.TOLD else []  # that it changed is anybody's to know
    return _told(edit.path, kind, last, _said(edit, plus, minus, last), shown, (plus, minus), mark or "")


def _last(run: Run, path: str) -> Entry | None:
    """Return the newest line that says who changed a file; None for none, also where the log is no file."""
    try:
        every = log.entries(run.workspace, Wanted(file=path))
        return next((entry for entry in every if entry.action != "ALERT"), None)
    except WorkspaceError:
        return None


def _told(
    path: str, kind: str, last: Entry | None, said: str, diff: list[str], counts: tuple[int, int], mark: str
) -> dict[str, Any]:
    return {
        "path": path,
        "kind": kind,
        "ts": last.ts if last else None,
        "actor": last.actor if last else None,
        "approval": last.approval if last else None,
        "says": said,
        "added": counts[0],
        "removed": counts[1],
        "diff": [line[:LINE_CHARS] for line in diff[:DIFF_LINES]],
        "cut": len(diff) > DIFF_LINES,
        "digest": mark,
    }


def _said(edit: Edit, plus: int, minus: int, last: Entry | None) -> str:
    if edit.present is None:
        done = "was removed"
    elif edit.known is None:
        done = "is new"
    else:
        done = f"was modified (+{plus} −{minus} lines)"
    by = "" if last is None else f" on {last.ts[:10]}" + ("" if last.actor == "manual" else f" by {last.actor}")
    return f"Heads up — {edit.path} {done}{by}. Was this intentional?"


def _view(rows: list[dict[str, Any]]) -> list[Section]:
    if not rows:
        return [Section("", [[Cell("● no alerts", GOOD)]])]
    found = []
    for row in rows:
        tone = BAD if row["kind"] == INTEGRITY else WARN
        lines = [[Cell(line, GOOD if line[:1] == "+" else BAD if line[:1] == "-" else DIM)] for line in row["diff"]]
        by = f"{row['actor']} ({row['approval']}), {row['ts']}" if row["actor"] else ""
        head = [[Cell(row["says"], tone)], [Cell(by, DIM)], [Cell(f"koog audit ack {row['path']}", STRONG)]]
        found.append(Section(row["path"], [*head, *lines]))
    return found
