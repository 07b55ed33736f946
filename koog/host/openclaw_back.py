"""koog out of OpenClaw again, by OpenClaw's own program: every setting as it was before, and the heartbeat's text.

By what openclaw_apply.py has noted. What a person has changed since stays, and is named; what another workspace of
koog's wants too stays for that one, which takes it back in its turn.
"""

from __future__ import annotations

import copy
import shlex
from pathlib import Path
from typing import Any

from koog.core.files import jsonfiles
from koog.core.files.state_root import StateRoot
from koog.host import openclaw, openclaw_program, openclaw_record
from koog.host.openclaw import MISSING, Wish
from koog.host.openclaw_apply import GATEWAY_RESTART, RESTART, Work, joined, patched
from koog.host.openclaw_program import Failed, Program, Scratch
from koog.host.openclaw_record import EMPTY, Record, Row, Text
from koog.host.take_back import Back


def take_back(root: Path, *, state: StateRoot | None, dry_run: bool, program: Program | None = None) -> Back:
    """Take koog out of OpenClaw for one workspace.

    program   OpenClaw's; default: as PATH has it

    Raises WorkspaceError from the state root.
    """
    work, program = Work(root, state), program or openclaw_program.find()
    record = work.known
    if record == EMPTY:
        return _unnoted(root)
    if program is None:
        return Back([], ["there is no program openclaw on PATH, so nothing was taken back"], _again(root))
    try:
        if record.text:
            _take_text(work, program, record.text, dry_run=dry_run)
        restart = _take_keys(work, program, record, dry_run=dry_run)
    except Failed as e:
        return Back(work.did, [*work.left, str(e)], _again(root))
    if not dry_run:
        work.note(lambda _: EMPTY)
    return Back(work.did, work.left, restart)


def _again(root: Path) -> list[str]:
    return [f"koog uninstall {shlex.quote(str(root))} --host openclaw"]


def _unnoted(root: Path) -> Back:
    """Say what takes koog out where nobody has noted what was before."""
    if not openclaw.is_installed(root):
        return Back([], [], [])
    null: dict[str, Any] = {}
    openclaw.put(null, openclaw.ENTRY, None)
    left = f"{openclaw.config_file()}: the plugin {openclaw.PLUGIN_ID} is on, and what was before it is noted nowhere"
    lines = [f"echo {shlex.quote(jsonfiles.line(null))} | openclaw config patch --stdin"]
    return Back([], [left], [*lines, "openclaw config get plugins.load.paths"])


def _take_text(work: Work, program: Program, text: Text, *, dry_run: bool) -> None:
    """Take koog's part out of the heartbeat's text. Raises Failed."""
    job = program.heartbeat(text.agent)
    now = program.scratch(job) if job else Scratch(None, 0)
    if job is None or text.ours not in (now.text or ""):
        if (now.text or None) != (text.earlier or None):
            work.left.append(f"heartbeat:{text.agent}: its text was changed since and stays")
        return
    is_as_written = now.text == joined(text.earlier, text.ours)
    rest = text.earlier if is_as_written else (now.text or "").replace(text.ours, "").strip()
    if not dry_run:
        program.write_scratch(job, rest or None, revision=now.revision)
    work.did.append(f"heartbeat:{text.agent}: koog's text is out of it")


def _take_keys(work: Work, program: Program, record: Record, *, dry_run: bool) -> list[str]:
    """Restore the settings; return the commands that are left. Raises Failed."""
    file = openclaw.config_file()
    handed, rows = _handed(work, record, str(file), dry_run=dry_run)
    config = openclaw.settings()
    new, names = copy.deepcopy(config), []
    for row in rows:
        dotted, now = ".".join(row.path), openclaw.at(new, row.path)
        if row.is_item and isinstance(now, list) and row.value in now:
            rest = [item for item in now if item != row.value]
            _restore(new, row, rest if rest or row.earlier is not MISSING else MISSING)
        elif not row.is_item and openclaw.holds(now, Wish(row.path, row.value)):
            _restore(new, row, row.earlier)
        else:
            if now is not MISSING and now != row.earlier and not row.is_item:
                work.left.append(f"{file}: {dotted} was changed since and stays")
            continue
        names.append(dotted)
    patch, said = openclaw.difference(config, new), ""
    if patch and not dry_run:
        said = patched(program, patch)
        after = openclaw.settings()
        if any(openclaw.at(after, row.path) != openclaw.at(new, row.path) for row in rows):
            raise Failed("openclaw config patch: the settings are not as they were set")
    if names:
        work.did.append(f"{file}: restored {', '.join(names)}")
    if handed:
        work.did.append(f"{file}: {handed} settings stay for another workspace")
    return [GATEWAY_RESTART] if RESTART in said else []


def _restore(config: dict[str, Any], row: Row, value: Any) -> None:
    if value is MISSING:
        openclaw.drop(config, row.path, made_from=row.made)
    else:
        openclaw.put(config, row.path, value)


def _handed(work: Work, record: Record, file: str, *, dry_run: bool) -> tuple[int, list[Row]]:
    """Return how many settings another workspace wants, which it takes over, and the rows of those that nobody does."""
    rows, count = list(record.rows), 0
    for other in openclaw_record.others(work.state, file):
        theirs = openclaw_record.of(other, file)
        known = {(row.path, row.is_item) for row in theirs.rows}
        shared = [row for row in rows if row.path in theirs.wants]
        rows = [row for row in rows if row not in shared]
        count += len(shared)
        new = [row for row in shared if (row.path, row.is_item) not in known]
        if new and not dry_run:
            openclaw_record.put(other, file, theirs._replace(rows=[*theirs.rows, *new]))
    return count, rows
