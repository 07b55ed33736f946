"""doctor: what the machine gives koog: clock, disk, locks.  [design §4]"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from koog.core import machine
from koog.core.errors import WorkspaceError
from koog.core.files import lock, outside
from koog.core.files.workspace import PRIVATE
from koog.core.run import Run
from koog.heartbeat import ticks
from koog.operate.checks_tree import entries
from koog.operate.finding import ERROR, INFO, WARN, Finding

AHEAD = timedelta(minutes=5)  # clocks of two machines differ by less
FREE_WARN, FREE_ERROR = 200, 20  # MiB
INODES = 1_000
FIRST_YEAR = 2024  # a clock before it was never set


# --- clock


def clock(run: Run) -> Iterator[Finding]:
    """Compare the clock with what is written: one that went back hides the ticks."""
    if run.now.year < FIRST_YEAR:
        yield Finding(
            "clock", ERROR, f"it is {run.now:%Y-%m-%d}: the clock was never set", command=machine.hint("clock")
        )
    names = [n.removesuffix(".jsonl") for n in run.workspace.names(run.workspace.in_memory(ticks.FOLDER), ".jsonl")]
    days = [n for n in names if n > f"{run.now + timedelta(days=1):%Y-%m-%d}"]
    if days:
        file = run.workspace.in_memory(f"{ticks.FOLDER}/{days[-1]}.jsonl")
        yield Finding(
            "clock", WARN, "a log of a day to come: its ticks count for nothing until then", file, command="date -u"
        )
    newest = max(ticks.read(run.workspace, now=run.now + timedelta(days=1), days=2).entries, key=_ts, default=None)
    if newest and _ts(newest) > run.now + AHEAD:
        message = f"the newest tick lies ahead of the clock: {newest['ts']}"
        yield Finding("clock", WARN, message, ticks.path_for(run.workspace, _ts(newest)), command="date -u")
    yield from _touched(run)
    yield from zones()


def _ts(entry: dict[str, object]) -> datetime:
    return datetime.fromisoformat(str(entry["ts"]))


def _touched(run: Run) -> Iterator[Finding]:
    """Yield the file that was changed in the future; not under `--now`, which is no file's clock."""
    newest = max((e for e in entries(run) if not e.folder), key=lambda e: e.mtime, default=None)
    if newest is None or run.now_text is not None:
        return
    if newest.mtime > (run.now + AHEAD).timestamp():
        when = datetime.fromtimestamp(min(newest.mtime, 2**37), UTC)  # some file systems hold any number
        message = f"changed in the future, {when:%Y-%m-%dT%H:%MZ}: the clock went back, or the file came from elsewhere"
        yield Finding("clock", WARN, message, newest.path, command=f"touch {shlex.quote(newest.path)}")


def zones() -> Iterator[Finding]:
    """Yield a finding where there is no zone database: every zone but UTC is unknown then."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo.no_cache("Europe/Zurich")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield Finding("clock", WARN, "no time zone database: only UTC is known", command=machine.hint("zones"))


# --- disk


def disk(run: Run) -> Iterator[Finding]:
    """Look at the file system that holds the workspace."""
    found = outside.space(run.workspace.root)
    inodes = found.f_favail if found.f_files else None  # btrfs counts none
    read_only = bool(found.f_flag & os.ST_RDONLY)
    yield from space(free_mib=found.f_bavail * found.f_frsize // 2**20, inodes=inodes, read_only=read_only)


def space(*, free_mib: int, inodes: int | None, read_only: bool) -> Iterator[Finding]:
    """Yield what keeps a write from succeeding, now or soon. inodes: None where they are not counted."""
    if read_only:
        yield Finding("disk", ERROR, "the file system is read-only", command=machine.hint("mounts"))
    if free_mib < FREE_WARN:
        level = ERROR if free_mib < FREE_ERROR else WARN
        yield Finding("disk", level, f"{free_mib} MiB are free", command="df -h .; du -xsh ~/* | sort -h | tail")
    if inodes is not None and inodes < INODES:
        yield Finding("disk", ERROR if inodes < INODES // 10 else WARN, f"{inodes} inodes are free", command="df -i .")


# --- locks


LOCKS = {
    "tick.lock": "a tick is running",
    "observe.lock": "sessions are being observed",
    "watch.lock": "koog watch is running",
    "lock": "a koog command is writing",
}


def locks(run: Run) -> Iterator[Finding]:
    """Say which of koog's locks is held at this moment."""
    for name, what in LOCKS.items():
        if _held(run, name):
            yield Finding("locks", INFO, what, f"{PRIVATE}/{name}", command=machine.hint("holder", f"{PRIVATE}/{name}"))


def _held(run: Run, name: str) -> bool:
    try:
        return lock.is_held(run.workspace.own.itself(name))
    except (OSError, WorkspaceError):
        return False  # no private folder, or it is none: permissions tells
