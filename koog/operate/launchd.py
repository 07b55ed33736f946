"""launchd's agents on macOS: `koog-<folder>-<hash>.plist` for the tick, `…-observe`, `…-extract`, `…-condense`,
`…-prune` and, with `--watch`, `…-watch`.

launchd makes up for what the machine has slept through, once. What it was off for it does not: where more than an hour
lies between two ticks, one runs at login, too. It knows no exit code but 0 that is no failure, and its own log of a
program grows without end. So a shell stands in between, whose text is always the same: it takes `busy` for what it is,
and keeps what is said as the crontab's line does. Paths are its arguments, which nobody has to quote.

A plist is loaded into the session at the screen (`gui/UID`): by `launchctl bootstrap` now, by itself from the next
login on.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from koog.core.errors import NotFound, WorkspaceError
from koog.core.files import host, outside
from koog.operate import job as jobs
from koog.operate.crontab import BUSY, KEPT, READY
from koog.operate.job import EXTRACT, EXTRACT_AT, EXTRACT_MINUTES, OBSERVE_AT, OBSERVE_MINUTES, Job, Noted, identity

SUFFIX = ".plist"
PROGRAM_SECONDS = 30
GONE_SECONDS = 20.0  # launchd's own patience with a program that it ends
AGAIN_SECONDS = 60  # from the end of a watch to the next one
RUN = f'L=$1; shift; {READY}; E=$("$@" 2>&1 >/dev/null); {KEPT}; [ $C = {BUSY} ] || exit $C'
WATCH = f'L=$1; shift; {READY}; exec "$@" >/dev/null 2>>"$L"'  # it is launchd's own child, which ends it by a signal
WATCH_ERRORS = "watch.err"  # beside the schedule's log: that another one watches is said again every minute
# Where macOS lets no program in the background read before a person has allowed it.
GUARDED = ("Desktop", "Documents", "Downloads", "Library/CloudStorage", "Library/Mobile Documents")


def folder() -> Path:
    """Return where a person's own agents lie. Raises WorkspaceError without a home."""
    return host.home() / "Library/LaunchAgents"


def names(root: str) -> tuple[str, ...]:
    """Return the names of a workspace's plists: tick, observe, extract, condense and prune."""
    return tuple(f"{identity(root)}{part}{SUFFIX}" for part in jobs.PARTS)


def started(root: str) -> list[str]:
    """Return which of them are loaded."""
    return list(names(root))


def watcher(root: str) -> str:
    """Return the name of the plist that watches a workspace's sessions."""
    return f"{identity(root)}-watch{SUFFIX}"


def units(job: Job) -> dict[str, str]:
    """Return file name → text of the plists of these five. Raises UsageError for a path that none can hold."""
    tick, observe, extract, *others = names(job.root)
    return {
        tick: _text(tick, job, RUN, StartCalendarInterval=calendar(job.minutes), RunAtLoad=job.minutes > 60),
        observe: _text(
            observe,
            job.other("observe"),
            RUN,
            StartCalendarInterval=calendar(OBSERVE_MINUTES, at=OBSERVE_AT),
            RunAtLoad=False,
        ),
        extract: _text(
            extract,
            job.other(EXTRACT),
            RUN,
            StartCalendarInterval=calendar(EXTRACT_MINUTES, at=EXTRACT_AT),
            RunAtLoad=False,
        ),
        **{
            name: _text(name, job.other(verb), RUN, StartCalendarInterval=[at_time(when)], RunAtLoad=False)
            for name, (verb, when) in zip(others, job.times, strict=True)
        },
    }


def watch_unit(job: Job) -> dict[str, str]:
    """Return file name → text of the watcher's plist: it comes back whatever ended it. Raises UsageError."""
    name = watcher(job.root)
    watch = job._replace(verb="watch", log=str(Path(job.log).with_name(WATCH_ERRORS)))
    return {name: _text(name, watch, WATCH, KeepAlive=True, ThrottleInterval=AGAIN_SECONDS, RunAtLoad=True)}


def _text(name: str, job: Job, script: str, **keys: Any) -> str:
    import plistlib

    jobs.check(job)
    values = {
        "Label": name.removesuffix(SUFFIX),
        "ProgramArguments": ["/bin/sh", "-c", script, "koog", job.log, *job.argv],
        "WorkingDirectory": job.root,
        "EnvironmentVariables": job.environment,
        # No StandardErrorPath: with a path that cannot be written launchd starts nothing.
        "ProcessType": "Background",
        "LowPriorityIO": True,
        **keys,
    }
    return plistlib.dumps(values, sort_keys=False).decode()


def calendar(minutes: int, *, at: int = 0) -> list[dict[str, int]]:
    """Return a period as the moments of a day, or of each hour, at which launchd starts a job.

    >>> calendar(30), calendar(60), calendar(720)[1], calendar(15, at=12)[0]
    ([{'Minute': 0}, {'Minute': 30}], [{'Minute': 0}], {'Hour': 12, 'Minute': 0}, {'Minute': 12})
    """
    if minutes <= 60:
        return [{"Minute": minute} for minute in range(at, 60, minutes)]
    return [{"Hour": hour, "Minute": at} for hour in range(0, 24, minutes // 60)]


def at_time(when: str) -> dict[str, int]:
    """Return a time of the day as launchd has it.

    >>> at_time("0 23 * * *"), at_time("5 0 * * 7")
    ({'Hour': 23, 'Minute': 0}, {'Hour': 0, 'Minute': 5, 'Weekday': 0})
    """
    found = jobs.moment(when)
    day = {} if found.weekday is None else {"Weekday": found.weekday}
    return {"Hour": found.hour, "Minute": found.minute, **day}


def noted(text: str) -> Noted | None:
    """Return what the first of some plists says; None when it is not as koog writes it."""
    found = _values(text[: text.find("</plist>") + len("</plist>")])
    words, when = found.get("ProgramArguments"), found.get("StartCalendarInterval")
    minutes = next((m for m in jobs.PERIODS if calendar(m) == when), None)
    script = ["/bin/sh", "-c", RUN, "koog"]
    if minutes is None or not isinstance(words, list) or words[: len(script)] != script or len(words) < len(script) + 2:
        return None  # a person has edited it
    return Noted(minutes, str(words[len(script) + 1]))


def _values(text: str) -> dict[str, Any]:
    """Return what a plist says, {} for what is none."""
    import plistlib

    try:
        found = plistlib.loads(text.encode("utf-8", "surrogateescape"))
    except Exception:  # whatever plistlib and the XML parser below it make of a text that a person has edited
        return {}
    return found if isinstance(found, dict) else {}


def find(root: str) -> dict[str, str]:
    """Return name → text of those of the workspace's plists that stand. Raises WorkspaceError."""
    return _standing(*names(root))


def find_watch(root: str) -> dict[str, str]:
    """Return name → text of the watcher's plist, {} when there is none. Raises WorkspaceError."""
    return _standing(watcher(root))


def _standing(*wanted: str) -> dict[str, str]:
    if not (here := _here()):
        return {}
    found = {name: host.read(here, name) for name in wanted}
    return {name: text for name, text in found.items() if text is not None}


def _here() -> Path | None:
    """Return the folder of the plists where there is one: elsewhere than on macOS there is none."""
    try:
        found = folder()
    except WorkspaceError:
        return None
    return found if outside.is_folder(found) else None


def workspaces() -> list[str]:
    """Return the folders that have a plist."""
    here = _here()
    files = [name for name in outside.names(here) if name.startswith("koog-") and name.endswith(SUFFIX)] if here else []
    texts = [host.read(here, name) or "" for name in files if here and host.NAME.fullmatch(name)]
    found = [_values(text).get("WorkingDirectory") for text in texts]
    return list(dict.fromkeys(root for root in found if isinstance(root, str)))


def write(wanted: dict[str, str]) -> bool:
    """Put the plists in place; return whether that changed any."""
    return sum(host.write(folder(), name, text) for name, text in wanted.items()) > 0


def remove(*wanted: str) -> None:
    """Remove plists."""
    for name in wanted:
        host.remove(folder(), name)


def start(*wanted: str, again: bool) -> bool:
    """Let launchd load the plists; return whether it has. What it has by an older text it lets go first.

    again   they may be loaded by an older text
    """
    done = True
    for name in wanted:
        if again or _is_loaded(name):
            _unload(name)
        launchctl("enable", _service(name))  # what a person has once disabled is not loaded
        done = launchctl("bootstrap", _session(), str(folder() / name)) and done
    return done


def stop(*wanted: str) -> None:
    """Let launchd forget the plists, where there is one."""
    for name in wanted:
        _unload(name)


def is_active(*wanted: str) -> bool:
    """Return whether launchd has all these loaded."""
    return all(map(_is_loaded, wanted))


def by_hand(*wanted: str) -> list[str]:
    """Return the commands by which a person loads the plists, at the screen."""
    return [f"launchctl bootstrap {_session()} ~/Library/LaunchAgents/{name}" for name in wanted]


def require() -> None:
    """Raise NotFound where there is no launchd."""
    if outside.program("launchctl") is None:
        raise NotFound("there is no launchctl here: launchd is macOS's", hint="koog cron install")


def guarded(root: str) -> str | None:
    """Return the folder in which macOS lets no background program read the workspace, None for one that it leaves."""
    try:
        home = Path(outside.real(host.home()))
    except WorkspaceError:
        return None
    return next((f"~/{name}" for name in GUARDED if Path(root).is_relative_to(home / name)), None)


def _unload(name: str) -> None:
    """Take a job out of launchd, and wait for that: it answers before its program has ended."""
    if not launchctl("bootout", _service(name)) and not _is_loaded(name):
        return
    until = time.monotonic() + GONE_SECONDS
    while _is_loaded(name) and time.monotonic() < until:
        time.sleep(0.1)


def _is_loaded(name: str) -> bool:
    return launchctl("print", _service(name))


def _service(name: str) -> str:
    return f"{_session()}/{name.removesuffix(SUFFIX)}"


def _session() -> str:
    return f"gui/{os.getuid()}"


def launchctl(*words: str) -> bool:
    """Run `launchctl`; return whether it did it. Without launchd, or without a session of it, it does not."""
    import subprocess

    try:
        done = subprocess.run(["launchctl", *words], capture_output=True, timeout=PROGRAM_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
