"""koog audit digest: the log's oldest months become a digest of each.  [moltbot §12.6]

Reads   memory/meta/audit/YYYY-MM.log; the chain in the state root
Writes  memory/meta/audit-archive.md; removes the months that it holds now; a record of the chain
Asks    nothing

Only whole months go, whose last line is older than `audit.retentionDays`, and only from a log that verifies. git keeps
the lines themselves.
"""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

import typer

from koog.audit import verify
from koog.core import approval
from koog.core.errors import Refused
from koog.core.files import auditlog, chain
from koog.core.files.auditlog import Entry
from koog.core.files.chain import Record
from koog.core.reply import Reply
from koog.core.run import Run

ARCHIVE = "meta/audit-archive.md"
NOTABLE = {"DELETE", "MERGE", "REVERT", "ALERT", "ACK", "UNSEALED"}
MOST = 20  # notable events of a month
REFLECTION = re.compile(r"reflection:(.+)")


def digest(ctx: typer.Context) -> Reply:
    """Move months that are older than the retention into the monthly digest."""
    run: Run = ctx.obj
    if run.state_root is None:
        hint = "koog digests where koog init was called, outside the agent's sandbox"
        raise Refused(f"the log stays whole: {approval.NO_STATE_ROOT}", hint=hint)
    with run.workspace.writing() as door:
        door.roll()
    due = _due(run)
    lines = 0
    if due:
        lines = _move(run, due)
    return Reply(
        "koog.audit.digest/1",
        months=[_month(path) for path in due],
        lines=lines,
        path=run.workspace.in_memory(ARCHIVE),
        retentionDays=run.settings.get("audit.retentionDays"),
    )


def _due(run: Run) -> list[str]:
    """Return the files of the months that end before the retention begins: the oldest ones, without a gap."""
    before = (run.now - timedelta(days=run.settings.get("audit.retentionDays"))).date()
    found = []
    for path in auditlog.files(run.workspace)[:-1]:
        year, month = map(int, _month(path).split("-"))
        if date(year, month, calendar.monthrange(year, month)[1]) >= before:
            break
        found.append(path)
    return found


def _move(run: Run, due: Sequence[str]) -> int:
    done = verify.look(run)
    if done.verdict in (verify.TAMPERED, verify.UNKNOWN):
        raise Refused(f"the log is {done.verdict}", hint="koog audit verify; koog audit ack log takes it as it is")
    texts = {path: run.workspace.files.read(path, limit=auditlog.LIMIT) or b"" for path in due}
    sections = [section(_month(path), _entries(data)) for path, data in texts.items()]
    lines = sum(len(auditlog.rows(data)) for data in texts.values())
    state = run.state_root
    if state is None or not lines:
        return 0
    records = chain.lines(chain.parsed(state.root.read(chain.NAME, limit=chain.LIMIT) or b""))
    mark = approval.digest(*sections)
    record = Record(chain.DIGESTED, 0, mark, str(records[lines - 1].number), chain.NONE, "")
    months = ", ".join(_month(path) for path in due)
    run.act_as("system:audit", trigger=run.trigger)
    with run.workspace.writing() as door:
        archive = run.workspace.in_memory(ARCHIVE)
        door.edit(
            archive, lambda text: "\n".join([*([text] if text else []), *sections]), summary=f"digest of {months}"
        )
        for path in due:
            door.remove(path, summary=f"in {ARCHIVE}")
        door.note([], record)
    if not run.dry_run:
        with run.workspace.locked("lock", wait_s=run.workspace.lock_wait_s, what="the workspace"):
            chain.cut(state)
    return lines


def section(month: str, entries: Sequence[Entry]) -> str:
    """Return a month's digest in the form of moltbot §12.6."""
    year, number = map(int, month.split("-"))
    told = [e for e in entries if e.action not in ("ALERT", "ACK", "UNSEALED")]
    sessions = {m[1]: e.approval for e in told if (m := REFLECTION.fullmatch(e.actor))}
    outcome = Counter(sessions.values())
    outcomes = ", ".join(f"{outcome[word]} {word}" for word in ("approved", "partial", "rejected"))
    decays = [e for e in told if e.action == "DECAY"]
    lines = [
        f"# Audit Digest — {calendar.month_name[number]} {year}",
        "",
        "## Summary",
        f"- {len(told)} total mutations across {len({e.file for e in told})} files",
        f"- {len(sessions)} reflection sessions ({outcomes})",
        f"- {sum(e.critical for e in told)} critical file changes",
        f"- {len(decays)} decay transitions, {sum(e.action == 'ARCHIVE' for e in told)} archival events",
        f"- by {_counted(Counter(e.actor.partition(':')[0] for e in told))}",
        "",
        "## Notable Events",
        *(_notable(entries) or ["- none"]),
    ]
    return "\n".join(lines) + "\n"


def _notable(entries: Sequence[Entry]) -> list[str]:
    found = [e for e in entries if e.critical or e.action in NOTABLE or REFLECTION.fullmatch(e.actor)]
    rows = [f"- {e.ts[:10]}: {e.action} {e.file} — {e.actor}, {e.approval}: {e.summary}" for e in found]
    more = [f"- and {len(rows) - MOST} more"] if len(rows) > MOST else []
    return [*dict.fromkeys(" ".join(row.split()) for row in rows[:MOST]), *more]


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common()) or "nobody"


def _entries(data: bytes) -> list[Entry]:
    parsed = (auditlog.parse(line.decode("utf-8", "replace")) for line in auditlog.rows(data))
    return [entry for entry in parsed if entry]


def _month(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".log")
