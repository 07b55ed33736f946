"""doctor: the schedule by which koog runs unattended: is it there, can it start, has it run, has it the key?"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import outside
from koog.core.run import Run
from koog.heartbeat import ticks
from koog.operate import crontab, schedules
from koog.operate.finding import ERROR, WARN, Finding
from koog.operate.schedules import Standing

LATE = timedelta(hours=3)  # without a tick: another koog that is at work for so long hangs, or nothing starts one
PERIODS = 3  # and so many of its own intervals


def schedule(run: Run) -> Iterator[Finding]:
    """Look at the workspace's schedule. Where there is none, whoever calls koog has not been asked for one."""
    warnings = list(run.warnings)
    try:
        found = schedules.standing(run)
    except WorkspaceError as e:  # a block that somebody has cut in half
        yield Finding("schedule", ERROR, f"{e.message}: {e.hint}", command="crontab -e")
        return
    run.warnings[:] = warnings  # a crontab that may not be read: `cron show` says so
    for each in found:
        yield from _startable(run, each)
    if found:
        yield from _late(run, found)
        yield from _keyless(run)


def _startable(run: Run, found: Standing) -> Iterator[Finding]:
    again = schedules.again(run, found.kind, found.said.minutes if found.said else None)
    if found.said is None:
        yield Finding("schedule", WARN, f"{found.kind}: not as koog writes it: somebody has edited it", command=again)
    elif not outside.may_run(found.said.program):
        message = f"{found.kind}: {found.said.program} is gone, so nothing runs"
        yield Finding("schedule", ERROR, message, command=again)
    elif found.kind == "crontab" and not crontab.is_of_this_koog(found.text):
        message = f"{found.kind}: an older koog wrote its lines, which call it a failure where another koog is at work"
        yield Finding("schedule", WARN, message, command=again)
    if not found.active:
        yield Finding("schedule", ERROR, f"{found.kind}: it is installed and does not run", command="koog cron show")


def _late(run: Run, found: list[Standing]) -> Iterator[Finding]:
    """Yield that no tick came for hours, though one is due so often."""
    minutes = min((each.said.minutes for each in found if each.said), default=None)
    newest = ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries[:1]
    made = run.workspace.cached_at(".gitignore")  # written once, with the folder
    since = clock.parse(newest[0]["ts"]) if newest else datetime.fromtimestamp(made, UTC) if made else None
    written = [datetime.fromtimestamp(each.written, UTC) for each in found if each.written]
    since = max([since, *written]) if since else None
    if minutes is None or since is None or run.now - since <= max(LATE, PERIODS * timedelta(minutes=minutes)):
        return
    message = f"no tick for {(run.now - since) // timedelta(hours=1)} hours: another koog hangs, or none is started"
    yield Finding("schedule", ERROR, message, command="koog cron show; koog tick")


def _keyless(run: Run) -> Iterator[Finding]:
    """Yield that a run has no key, though this shell has one."""
    provider = run.settings.get("provider")
    name = provider["apiKeyEnv"]
    if run.settings.get("engine") != "builtin" and name and os.environ.get(name) and not provider["apiKeyFile"]:
        message = f"{name} is set here, and no schedule has it: unattended, the built-in engine judges"
        command = f"koog --workspace {shlex.quote(str(run.root))} cron install --key-file FILE"
        yield Finding("schedule", WARN, message, command=command)
