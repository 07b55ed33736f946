"""The schedule of a workspace: put in place by one scheduler, and taken out of all of them.

cron has lines in a file of its own. systemd and launchd have files in a person's folder, which a program starts and
stops: what differs between the two is in their modules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Protocol

from koog.core.errors import NotFound, UsageError, WorkspaceError
from koog.core.files import host, outside
from koog.core.machine import MAC
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.operate import crontab, launchd, systemd
from koog.operate.job import Job, Noted, noted, period

LOCK = "cron.lock"
LINGER = "loginctl enable-linger  # it runs while you are not logged in, too"
SHOW = "koog cron show"


class Manager(Protocol):
    """A program that starts what lies in files of a person's folder, each of a name of its own."""

    def folder(self) -> Path: ...
    def units(self, job: Job) -> dict[str, str]: ...
    def watch_unit(self, job: Job) -> dict[str, str]: ...
    def started(self, root: str) -> list[str]: ...
    def watcher(self, root: str) -> str: ...
    def find(self, root: str) -> dict[str, str]: ...
    def find_watch(self, root: str) -> dict[str, str]: ...
    def noted(self, text: str) -> Noted | None: ...
    def workspaces(self) -> list[str]: ...
    def write(self, units: dict[str, str]) -> bool: ...
    def remove(self, *units: str) -> None: ...
    def start(self, *units: str, again: bool) -> bool: ...
    def stop(self, *units: str) -> None: ...
    def is_active(self, *units: str) -> bool: ...
    def by_hand(self, *units: str) -> list[str]: ...


MANAGERS: dict[str, Manager] = {"systemd": systemd, "launchd": launchd}
# What a person is told when nothing answers.
SILENT = {
    "systemd": "the timer does not run: no systemd session answers here",
    "launchd": "it does not run yet: no launchd session answers here, so it begins at the next login at the screen",
}


def usual(platform: str) -> str:
    """Return the scheduler that a platform has.

    >>> usual("linux"), usual("darwin")
    ('crontab', 'launchd')
    """
    return "launchd" if platform == MAC else "crontab"


def watching(kind: str) -> Manager:
    """Return what keeps the watcher running beside a schedule: cron keeps nothing running."""
    return MANAGERS["launchd" if kind == "launchd" else "systemd"]


# --- putting in place


def put(run: Run, kind: str, wanted: Job, *, watch: bool) -> dict[str, Any]:
    """Put the schedule in place of whatever stands; return the reply's keys. Raises NotFound, UsageError, Busy, …"""
    if kind == "launchd":
        launchd.require()
        _warn_of_guarded(run, wanted)
    keys = _into_crontab(run, wanted) if kind == "crontab" else _into(run, kind, wanted)
    return _with_watcher(run, kind, wanted, keys) if watch else _without_watcher(run, wanted.root, keys)


def _warn_of_guarded(run: Run, wanted: Job) -> None:
    if folder := launchd.guarded(wanted.root):
        run.warnings.append(
            f"macOS lets no background program read {folder}: allow it to {wanted.program[0]} under System Settings, "
            "Privacy & Security, Full Disk Access, or keep the workspace elsewhere"
        )


def _into_crontab(run: Run, wanted: Job) -> dict[str, Any]:
    block = crontab.block(wanted)
    with nullcontext() if run.dry_run else host.locked(LOCK):
        text = crontab.read()
        new = crontab.put(text, wanted.root, block)
        if (changed := new != text) and not run.dry_run:
            crontab.write(new)
    if shell := crontab.strange_shell(text):
        run.warnings.append(f"the crontab sets SHELL={shell}, which may not read koog's line: --systemd, or /bin/sh")
    return {
        "lines": block.splitlines(),
        "changed": changed,
        "active": not (changed and run.dry_run),
        "replaced": [kind for kind in MANAGERS if _out_of(run, kind, wanted.root)],
        "next": [SHOW],
    }


def _into(run: Run, kind: str, wanted: Job) -> dict[str, Any]:
    """Put the schedule into one of MANAGERS."""
    manager, root = MANAGERS[kind], wanted.root
    units, started = manager.units(wanted), manager.started(root)
    in_crontab = crontab.find(crontab_text(run), root)  # a crontab out of order fails here, with nothing done
    changed, active = _start(run, manager, units, started, before=manager.find(root))
    if not active and not run.dry_run:
        kept = "; the crontab keeps its block until it does" if in_crontab else ""
        run.warnings.append(f"{SILENT[kind]}{kept}")
    # Only for what runs: what works is not given up for what does not.
    others = [k for k in ("crontab", *MANAGERS) if k != kind] if active or run.dry_run else []
    return {
        "lines": _lines(units),
        "files": _files(manager, units),
        "changed": changed,
        "active": active,
        "replaced": [other for other in others if _out_of(run, other, root)],
        "next": [*_by_hand(manager, started, active), *_linger(manager), SHOW],
    }


def _with_watcher(run: Run, kind: str, wanted: Job, keys: dict[str, Any]) -> dict[str, Any]:
    """Put the watcher in place; return the reply's keys with it."""
    manager, root = watching(kind), wanted.root
    unit, name = manager.watch_unit(wanted), manager.watcher(root)
    changed, active = _start(run, manager, unit, [name], before=manager.find_watch(root))
    steps = [*_by_hand(manager, [name], active), *_linger(manager), *keys["next"]]
    strangers = [m for m in MANAGERS.values() if m is not manager and _watcher_out_of(run, m, root)]
    return keys | {
        "lines": [*keys["lines"], *_lines(unit)],
        "files": [*keys.get("files", []), *_files(manager, unit)],
        "changed": keys["changed"] or changed,
        "replaced": [*keys["replaced"], *(["watch"] if strangers else [])],
        "watch": {"service": name, "active": active},
        "next": list(dict.fromkeys(steps)),
    }


def _without_watcher(run: Run, root: str, keys: dict[str, Any]) -> dict[str, Any]:
    if _out_of_watch(run, root) is None:
        return keys
    return keys | {"changed": True, "replaced": [*keys["replaced"], "watch"]}


def _start(
    run: Run, manager: Manager, units: dict[str, str], started: list[str], *, before: dict[str, str]
) -> tuple[bool, bool]:
    """Put units in place and start those that are started; return whether that changed anything, and whether they run.

    before   what stands of them
    """
    changed, active = before != units, manager.is_active(*started)
    if not run.dry_run and (changed or not active):
        manager.write(units)
        active = manager.start(*started, again=bool(before))
        changed = changed or active
    return changed, active


def _lines(units: dict[str, str]) -> list[str]:
    return [line for text in units.values() for line in text.splitlines()]


def _files(manager: Manager, units: dict[str, str]) -> list[str]:
    return [str(manager.folder() / name) for name in units]


def _by_hand(manager: Manager, units: list[str], active: bool) -> list[str]:
    return [] if active else manager.by_hand(*units)


def _linger(manager: Manager) -> list[str]:
    return [LINGER] if manager is MANAGERS["systemd"] else []


# --- taking out


def out(run: Run, root: str) -> Iterator[tuple[str, str]]:
    """Take a workspace's schedule and watcher out of every scheduler; yield the kind and the text of what is gone."""
    for kind in ("crontab", *MANAGERS):
        if text := _out_of(run, kind, root):
            yield kind, text
    if text := _out_of_watch(run, root):
        yield "watch", text


def _out_of(run: Run, kind: str, root: str) -> str | None:
    """Take the workspace's schedule out of one scheduler; return it, None when there was none."""
    if kind == "crontab":
        return _out_of_crontab(run, root)
    manager = MANAGERS[kind]
    return _gone(run, manager, manager.find(root), manager.started(root))


def _out_of_crontab(run: Run, root: str) -> str | None:
    block = crontab.find(crontab_text(run), root)
    if run.dry_run or not block:
        return block
    with host.locked(LOCK):
        text = crontab.read()
        if block := crontab.find(text, root):
            crontab.write(crontab.take(text, root))
    return block


def _out_of_watch(run: Run, root: str) -> str | None:
    """Stop the workspace's watcher and remove its service; return its text, None when there was none."""
    return "".join(filter(None, (_watcher_out_of(run, m, root) for m in MANAGERS.values()))) or None


def _watcher_out_of(run: Run, manager: Manager, root: str) -> str | None:
    return _gone(run, manager, manager.find_watch(root), [manager.watcher(root)])


def _gone(run: Run, manager: Manager, units: dict[str, str], started: list[str]) -> str | None:
    if units and not run.dry_run:
        manager.stop(*started)
        manager.remove(*units, *started)
    return "".join(units.values()) or None


# --- what stands


class Standing(NamedTuple):
    """A workspace's schedule as it stands.

    text     the block, or the units
    active   whether the scheduler has it
    said     what it says of itself; None when a person has edited that
    written  when its files were written, None for a crontab, which does not tell
    """

    kind: str
    text: str
    active: bool
    said: Noted | None
    written: float | None = None


def standing(run: Run) -> list[Standing]:
    """Return the schedules of the workspace, as a rule one."""
    root, found = str(run.root), []
    if block := crontab.find(crontab_text(run), root):
        found.append(Standing("crontab", block, True, noted(block)))
    for kind, manager in MANAGERS.items():
        if units := manager.find(root):
            text, files = "".join(units.values()), [outside.info(manager.folder() / name) for name in units]
            at = max((info.st_mtime for info in files if info), default=None)
            found.append(Standing(kind, text, manager.is_active(*manager.started(root)), manager.noted(text), at))
    return found


def written(kind: str, wanted: Job) -> str | None:
    """Return what an install would write now; None when it would refuse."""
    try:
        return crontab.block(wanted) if kind == "crontab" else "".join(MANAGERS[kind].units(wanted).values())
    except UsageError:
        return None


def again(run: Run, kind: str, minutes: int | None) -> str:
    """Return the command that installs a schedule anew as it stands: by the same scheduler, as often, and watched.

    minutes   None where a person has edited what it said of that
    """
    every = f" --every {period(minutes)}" if minutes else ""
    flag = "" if kind in ("crontab", usual(sys.platform)) else f" --{kind}"
    watch = " --watch" if any(m.find_watch(str(run.root)) for m in MANAGERS.values()) else ""
    return f"koog cron install{every}{flag}{watch}"


def crontab_text(run: Run) -> str:
    """Return the crontab. Where there is no cron, or this person may not use it, there is nothing of koog's in it."""
    try:
        return crontab.read()
    except NotFound:
        return ""
    except WorkspaceError as e:
        if e.message not in run.warnings:
            run.warnings.append(e.message)
        return ""
