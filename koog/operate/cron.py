"""koog cron: tick and observe without anybody there, by cron, systemd or OpenClaw's own scheduler.  [design §1, §4]

Reads   install, remove: the crontab or the systemd units;
        show: the crontab, the systemd units, cron.err in the state root, memory/playbook-logs/
Writes  install, remove: the person's crontab, or $XDG_CONFIG_HOME/systemd/user/koog-*
Asks    nothing

One workspace has one schedule: what is installed takes the place of what another
scheduler had, and of a watcher that is not asked for any more. `observe` runs every 15
minutes beside the tick; `--watch` adds a systemd service that watches the sessions. All of
it can be done again without harm.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock, operator
from koog.core.errors import NotFound, UsageError, WorkspaceError
from koog.core.files import host, jsonfiles, outside
from koog.core.files.workspace import Workspace
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.shipped import PACKAGE
from koog.heartbeat import ticks
from koog.operate import crontab, job, registered, systemd
from koog.operate.job import Job

TOLD_LINES = 5  # of the error log in `show`
LOCK = "cron.lock"
LINGER = "loginctl enable-linger (it runs while you are not logged in, too)"
OBSERVE_PERIOD = job.period(job.OBSERVE_MINUTES)


def install(
    ctx: typer.Context,
    every: Annotated[str, typer.Option(metavar="PERIOD", help="5m to 24h, evenly in an hour or a day.")] = "30m",
    use_systemd: Annotated[bool, typer.Option("--systemd", help="A systemd user timer in place of cron.")] = False,
    openclaw: Annotated[bool, typer.Option("--openclaw", help="Say OpenClaw's command; install nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="And a systemd user service for `koog watch`.")] = False,
) -> Reply:
    """Let a scheduler run `koog tick`, and `koog observe` every 15 minutes, with the shared options given here."""
    run: Run = ctx.obj
    if openclaw and (use_systemd or watch):
        raise UsageError(f"{'--systemd' if use_systemd else '--watch'} and --openclaw exclude one another")
    wanted = _job(run, job.minutes_of(every))
    _warn(run, wanted)
    if openclaw:
        lines = [_openclaw(wanted, job.period(wanted.minutes)), _openclaw(wanted.other("observe"), OBSERVE_PERIOD)]
        following = ["run each line once: every run adds a job", "openclaw cron list"]
        return _installed("openclaw", wanted, run, lines=lines, next=following)
    put = _into_systemd if use_systemd else _into_crontab
    keys = put(run, wanted)
    keys = _with_watcher(run, wanted, keys) if watch else _without_watcher(run, wanted.root, keys)
    return _installed("systemd" if use_systemd else "crontab", wanted, run, **keys)


def show(ctx: typer.Context) -> Reply:
    """Show what is installed for this workspace, whether it still fits, the last tick, and who else is scheduled."""
    run: Run = ctx.obj
    before = len(run.warnings)
    root, text = str(run.root), _crontab(run)
    unread = len(run.warnings) > before
    block, units = crontab.find(text, root) or "", "".join(systemd.find(root).values())
    found = [_schedule(run, "crontab", block, active=True)] if block else []
    found += [_schedule(run, "systemd", units, active=systemd.is_active(*systemd.timers(root)))] if units else []
    watcher = _watcher(run)
    told = [("crontab", folder) for folder in crontab.workspaces(text)]
    told += [("systemd", folder) for folder in systemd.workspaces()]
    return Reply(
        "koog.cron.show/1",
        workspace=root,
        schedules=found,
        watch=watcher,
        others=[{"kind": k, "workspace": f, "exists": outside.is_folder(f)} for k, f in told if f != root],
        lastTick=_last_tick(run),
        errorLog=_error_log(run.workspace),
        lines=(block + units + "".join(systemd.find_watch(root).values())).splitlines(),
        next=[] if unread and not found else _advice(found, watcher),
    )


def remove(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="A workspace, also one that is gone. Default: this one.")
    ] = None,
) -> Reply:
    """Take the workspace's schedule and watcher away, whichever it has; nothing else of the crontab changes."""
    run: Run = ctx.obj
    root = str(run.root) if folder is None else outside.real(folder)
    gone, lines = [], []
    for kind, take in (("crontab", _out_of_crontab), ("systemd", _out_of_systemd), ("watch", _out_of_watch)):
        if taken := take(run, root):
            gone.append(kind)
            lines += taken.splitlines()
    return Reply("koog.cron.remove/1", workspace=root, changed=bool(gone), removed=gone, lines=lines)


# What a run is


def _job(run: Run, minutes: int) -> Job:
    program = job.program(sys.argv[0], python=sys.executable)
    variables = job.environment(os.environ, program, git=outside.program("git"), package=PACKAGE)
    # Every scheduler starts it in the folder, which is a workspace also when .koog/ was deleted.
    log = registered.log_file(run, crontab.ERRORS_NAME)
    options, environment = _options(run), {**variables, "KOOG_WORKSPACE": "."}
    return Job(str(run.root), minutes, program, options, environment, log=str(log))


def _options(run: Run) -> tuple[str, ...]:
    """Return the shared options that the runs need as well, paths absolute."""
    given = {
        "--config": run.config_file and str(Path(run.config_file).absolute()),
        "--engine": run.engine,
        "--memory-dir": run.memory_dir and outside.real(run.memory_dir),
        "--modules-dir": run.modules_dir and outside.real(run.modules_dir),
    }
    return tuple(word for option, value in given.items() if value for word in (option, value))


def _warn(run: Run, wanted: Job) -> None:
    """Say what will be missing when nobody's shell is there."""
    name, file = (run.settings.get(f"provider.{key}") for key in ("apiKeyEnv", "apiKeyFile"))
    if name and os.environ.get(name) and not file and run.settings.get("engine") != "builtin":
        run.warnings.append(
            f"a schedule will not have {name}: put the key into a private file (chmod 600) "
            f"and name that as provider.apiKeyFile in {operator.path()}"
        )
    if left := [n for n in job.withheld(os.environ) if n != name]:
        run.warnings.append(f"not written into a schedule, because they look like secrets: {', '.join(left)}")
    if job.is_fleeting(wanted.program):
        run.warnings.append(f"{wanted.program[0]} may not stay there: install koog, then its schedule")


# The three schedulers


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
        "replaced": ["systemd"] if _out_of_systemd(run, wanted.root) else [],
        "next": ["koog cron show"],
    }


def _into_systemd(run: Run, wanted: Job) -> dict[str, Any]:
    units, timers = systemd.units(wanted), systemd.timers(wanted.root)
    in_crontab = crontab.find(_crontab(run), wanted.root)  # a crontab out of order fails here, with nothing done
    changed, active = _start(run, units, timers, before=systemd.find(wanted.root))
    if not active and not run.dry_run:
        kept = "; the crontab keeps its block until it does" if in_crontab else ""
        run.warnings.append(f"the timer does not run: no systemd session answers here{kept}")
    return {
        "lines": [line for text in units.values() for line in text.splitlines()],
        "files": [str(systemd.folder() / name) for name in units],
        "changed": changed,
        "active": active,
        # Only for a timer that runs: what works is not given up for what does not.
        "replaced": ["crontab"] if in_crontab and (active or run.dry_run) and _out_of_crontab(run, wanted.root) else [],
        "next": [*_by_hand(timers, active), LINGER, "koog cron show"],
    }


def _with_watcher(run: Run, wanted: Job, keys: dict[str, Any]) -> dict[str, Any]:
    """Put the watcher's service in place; return the reply's keys with it."""
    unit, name = systemd.watch_unit(wanted), systemd.watcher(wanted.root)
    changed, active = _start(run, unit, [name], before=systemd.find_watch(wanted.root))
    steps = [*_by_hand([name], active), LINGER, *keys["next"]]
    return keys | {
        "lines": [*keys["lines"], *unit[name].splitlines()],
        "files": [*keys.get("files", []), str(systemd.folder() / name)],
        "changed": keys["changed"] or changed,
        "watch": {"service": name, "active": active},
        "next": list(dict.fromkeys(steps)),
    }


def _without_watcher(run: Run, root: str, keys: dict[str, Any]) -> dict[str, Any]:
    if _out_of_watch(run, root) is None:
        return keys
    return keys | {"changed": True, "replaced": [*keys["replaced"], "watch"]}


def _start(run: Run, units: dict[str, str], started: list[str], *, before: dict[str, str]) -> tuple[bool, bool]:
    """Put units in place and start those that are started; return whether that changed anything, and whether they run.

    before   what stands of them
    """
    changed, active = before != units, systemd.is_active(*started)
    if not run.dry_run and (changed or not active):
        systemd.write(units)
        active = systemd.start(*started, again=bool(before))
        changed = changed or active
    return changed, active


def _by_hand(units: list[str], active: bool) -> list[str]:
    return [] if active else [f"systemctl --user daemon-reload && systemctl --user enable --now {' '.join(units)}"]


def _openclaw(wanted: Job, every: str) -> str:
    name = job.identity(wanted.root) + ("" if wanted.verb == "tick" else f"-{wanted.verb}")
    words = ["openclaw", "cron", "add", "--name", name, "--every", every]
    words += ["--command-argv", jsonfiles.line(wanted.argv), "--command-cwd", wanted.root]
    words += [word for name, value in wanted.environment.items() for word in ("--command-env", f"{name}={value}")]
    return shlex.join([*words, "--timeout-seconds", str(systemd.RUN_SECONDS), "--no-deliver"])


def _installed(kind: str, wanted: Job, run: Run, **keys: Any) -> Reply:
    """Return the reply of an install; `keys` are those in which the schedulers differ."""
    nothing = {"changed": False, "active": False, "files": [], "replaced": [], "watch": None}
    return Reply(
        "koog.cron.install/1",
        **nothing
        | {
            "kind": kind,
            "workspace": wanted.root,
            "every": job.period(wanted.minutes),
            "nextRun": _next_run(run, wanted.minutes),
            "program": list(wanted.program),
            "environment": wanted.environment,
        }
        | keys,
    )


def _out_of_crontab(run: Run, root: str) -> str | None:
    """Take the workspace's block out; return it, None when there was none."""
    try:
        block = crontab.find(crontab.read(), root)
    except NotFound:
        return None  # no cron, so nothing of koog's in it
    if run.dry_run or not block:
        return block
    with host.locked(LOCK):
        text = crontab.read()
        if block := crontab.find(text, root):
            crontab.write(crontab.take(text, root))
    return block


def _out_of_systemd(run: Run, root: str) -> str | None:
    """Stop the workspace's timers and remove its units; return their text, None when there were none."""
    return _gone(run, systemd.find(root), systemd.timers(root))


def _out_of_watch(run: Run, root: str) -> str | None:
    """Stop the workspace's watcher and remove its service; return its text, None when there was none."""
    return _gone(run, systemd.find_watch(root), [systemd.watcher(root)])


def _gone(run: Run, units: dict[str, str], started: list[str]) -> str | None:
    if units and not run.dry_run:
        systemd.stop(*started)
        systemd.remove(*units, *started)
        systemd.systemctl("daemon-reload")
    return "".join(units.values()) or None


def _crontab(run: Run) -> str:
    """Return the crontab. Where there is no cron, or this person may not use it, there is nothing of koog's in it."""
    try:
        return crontab.read()
    except NotFound:
        return ""
    except WorkspaceError as e:
        run.warnings.append(e.message)
        return ""


# What `show` says


def _schedule(run: Run, kind: str, text: str, *, active: bool) -> dict[str, Any]:
    said = job.noted(text)
    return {
        "kind": kind,
        "every": job.period(said.minutes) if said else None,
        "nextRun": _next_run(run, said.minutes) if said and active else None,
        "program": said.program if said else None,
        "programExists": outside.may_run(said.program) if said else None,
        "active": active,
        "current": said is not None and text == _as_of_now(run, kind, said.minutes),
    }


def _watcher(run: Run) -> dict[str, Any] | None:
    """Return how the watcher's service is, None when there is none."""
    root = str(run.root)
    if not (unit := systemd.find_watch(root)):
        return None
    try:
        current = unit == systemd.watch_unit(_job(run, job.OBSERVE_MINUTES))
    except UsageError:
        current = False
    name = systemd.watcher(root)
    return {"service": name, "active": systemd.is_active(name), "current": current}


def _as_of_now(run: Run, kind: str, minutes: int) -> str | None:
    """Return what an install with this call's options and environment would write; None when it would refuse."""
    wanted = _job(run, minutes)
    try:
        return crontab.block(wanted) if kind == "crontab" else "".join(systemd.units(wanted).values())
    except UsageError:
        return None


def _next_run(run: Run, minutes: int) -> str:
    """Return when the schedulers, who go by the system's own zone, run it next."""
    here = run.now.astimezone().replace(tzinfo=None)
    return clock.iso(job.next_run(minutes, here).astimezone())


def _last_tick(run: Run) -> dict[str, Any] | None:
    found = ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries
    return {"ts": found[0]["ts"], "tickId": found[0]["tickId"]} if found else None


def _error_log(workspace: Workspace) -> dict[str, Any]:
    """Return the end of what the shell and a broken installation have said."""
    text = workspace.jotted(crontab.ERRORS_NAME)
    last = crontab.last_errors(workspace, most=TOLD_LINES)
    path = str(workspace.state_root.path / crontab.ERRORS_NAME) if workspace.state_root else None
    return {"path": path, "bytes": len(text.encode("utf-8", "surrogateescape")), "last": last}


def _advice(found: list[dict[str, Any]], watcher: dict[str, Any] | None) -> list[str]:
    also = " --watch" if watcher else ""
    if not found:
        return [f"koog cron install{also}"]
    watches = watcher is None or (watcher["current"] and watcher["active"])
    steps = []
    for row in found:
        if not (row["current"] and row["active"] and row["programExists"] and watches):
            flags = " --systemd" if row["kind"] == "systemd" else ""
            steps.append(f"koog cron install --every {row['every'] or '30m'}{flags}{also}")
    return steps
