"""koog cron: what runs by itself, and by whom: cron, systemd, launchd, OpenClaw's own scheduler.  [design §1, §4]

Reads   the crontab, the systemd units, launchd's plists; install: with --key-file that file;
        show: cron.err in the state root, memory/playbook-logs/
Writes  install, remove: the person's crontab, $XDG_CONFIG_HOME/systemd/user/koog-*, ~/Library/LaunchAgents/koog-*;
        install: with --key-file the workspace's entry in the operator's config
Asks    nothing

One workspace has one schedule: what is installed takes the place of what another
scheduler had, and of a watcher that is not asked for any more. `observe` runs every 15
minutes beside the tick, `extract` every hour, `condense monthly` and `prune` when `knowledge.condenseAt` and
`knowledge.pruneAt` say; `--watch` adds a service that watches the sessions. All of it can be done again without harm.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock
from koog.core.errors import KoogError, UsageError
from koog.core.files import jsonfiles, outside
from koog.core.files.workspace import Workspace
from koog.core.machine import MAC
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.shipped import PACKAGE
from koog.heartbeat import ticks
from koog.operate import crontab, job, keyfile, registered, schedules, systemd
from koog.operate.job import Job
from koog.operate.schedules import MANAGERS, Standing

TOLD_LINES = 5  # of the error log in `show`
USUAL_MINUTES = 30
OBSERVE_PERIOD, EXTRACT_PERIOD = job.period(job.OBSERVE_MINUTES), job.period(job.EXTRACT_MINUTES)


def install(
    ctx: typer.Context,
    every: Annotated[str, typer.Option(metavar="PERIOD", help="5m to 24h, evenly in an hour or a day.")] = "30m",
    use_systemd: Annotated[bool, typer.Option("--systemd", help="A systemd user timer in place of cron.")] = False,
    use_launchd: Annotated[
        bool, typer.Option("--launchd", help="launchd in place of cron; on macOS it is the default.")
    ] = False,
    openclaw: Annotated[bool, typer.Option("--openclaw", help="Say OpenClaw's command; install nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="And a user service for `koog watch`.")] = False,
    key_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="The private file (mode 600) that holds the model's key.")
    ] = None,
) -> Reply:
    """Let a scheduler run `koog tick`, `observe`, `extract`, `condense` and `prune`, with the shared options."""
    run: Run = ctx.obj
    flags = {"--systemd": use_systemd, "--launchd": use_launchd, "--openclaw": openclaw}
    named = [flag for flag, given in flags.items() if given] + (["--watch"] if watch and openclaw else [])
    if len(named) > 1:
        raise UsageError(f"{named[0]} and {named[1]} exclude one another")
    minutes, key = job.minutes_of(every), keyfile.checked(run, key_file) if key_file is not None else None
    wanted = _job(run, minutes)
    has_new_key = key is not None and keyfile.name(run, key)
    _warn(run, wanted)
    if openclaw:
        beside = (("observe", OBSERVE_PERIOD), (job.EXTRACT, EXTRACT_PERIOD))
        lines = [_openclaw(wanted, job.period(wanted.minutes)), *(_openclaw(wanted.other(v), p) for v, p in beside)]
        lines += [_openclaw(wanted.other(verb), when, flag="--cron") for verb, when in wanted.times]
        following = ["run each line once: every run adds a job", "openclaw cron list"]
        return _installed("openclaw", wanted, run, key, lines=lines, next=following, changed=has_new_key)
    kind = named[0].removeprefix("--") if named else schedules.usual(sys.platform)
    keys = schedules.put(run, kind, wanted, watch=watch)
    return _installed(kind, wanted, run, key, **keys | {"changed": keys["changed"] or has_new_key})


def show(ctx: typer.Context) -> Reply:
    """Show what is installed for this workspace, whether it still fits, the last tick, and who else is scheduled."""
    run: Run = ctx.obj
    root, before = str(run.root), len(run.warnings)
    told = [("crontab", folder) for folder in crontab.workspaces(schedules.crontab_text(run))]
    told += [(kind, folder) for kind, manager in MANAGERS.items() for folder in manager.workspaces()]
    unread = len(run.warnings) > before
    standing = schedules.standing(run)
    found, watcher = [_schedule(run, each) for each in standing], _watcher(run)
    texts = [each.text for each in standing] + ["".join(m.find_watch(root).values()) for m in MANAGERS.values()]
    return Reply(
        "koog.cron.show/1",
        workspace=root,
        schedules=found,
        watch=watcher,
        others=[{"kind": k, "workspace": f, "exists": outside.is_folder(f)} for k, f in told if f != root],
        lastTick=_last_tick(run),
        errorLog=_error_log(run.workspace),
        lines="".join(texts).splitlines(),
        next=[] if unread and not found else _advice(run, found, watcher),
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
    gone = taken_back(run, root)
    lines = [line for text in gone.values() for line in text.splitlines()]
    return Reply("koog.cron.remove/1", workspace=root, changed=bool(gone), removed=list(gone), lines=lines)


def taken_back(run: Run, root: str) -> dict[str, str]:
    """Take a workspace's schedule and watcher out of every scheduler; return kind → the text that is gone.

    Under `--dry-run` it is what would go. Raises WorkspaceError for a crontab whose block somebody cut in half, Busy.
    """
    return dict(schedules.out(run, root))


def begun(run: Run) -> dict[str, Any] | None:
    """Install the schedule that fits this machine, unless one stands, for `init --cron`; return the reply's part.

    Where none is to be had that is a warning, and None.
    """
    reasons, mend = [], "start cron or systemd"
    try:
        if standing := schedules.standing(run):
            row = _schedule(run, standing[0])
            kept = {name: row[name] for name in ("kind", "every", "nextRun", "active")}
            return {**kept, "changed": False, "next": _advice(run, [row], _watcher(run)) or [schedules.SHOW]}
        wanted = _job(run, USUAL_MINUTES)
        _warn(run, wanted)
    except KoogError as e:
        reasons.append(e.message)
        mend = e.hint or mend
    else:
        for kind in fitting(sys.platform, systemd=systemd.answers()):
            try:
                keys = schedules.put(run, kind, wanted, watch=False)
            except KoogError as e:
                reasons.append(e.message)
                continue
            told = {"kind": kind, "every": job.period(wanted.minutes), "nextRun": _next_run(run, wanted.minutes)}
            return told | {name: keys[name] for name in ("changed", "active", "next")}
    way = f"koog --workspace {shlex.quote(str(run.root))} cron install"
    run.warnings.append(f"nothing runs koog here by itself ({'; '.join(reasons)}): {mend}, then {way}")
    return None


def fitting(platform: str, *, systemd: bool) -> list[str]:
    """Return the schedulers of a platform that are tried in turn.

    systemd   whether one of this person runs here
    """
    return [schedules.usual(platform), *(["systemd"] if systemd and platform != MAC else [])]


# What a run is


def _job(run: Run, minutes: int) -> Job:
    program = job.program(sys.argv[0], python=sys.executable)
    variables = job.environment(os.environ, program, git=outside.program("git"), package=PACKAGE)
    # Every scheduler starts it in the folder, which is a workspace also when .koog/ was deleted.
    log = registered.log_file(run, crontab.ERRORS_NAME)
    options, environment = _options(run), {**variables, "KOOG_WORKSPACE": "."}
    times = tuple((verb, str(run.settings.get(f"knowledge.{key}"))) for verb, key in job.OF_TIMES.items())
    return Job(str(run.root), minutes, program, options, environment, log=str(log), times=times)


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
            f"a schedule will not have {name}: put the key into a private file (chmod 600) outside the workspace, "
            "then koog cron install --key-file FILE"
        )
    if left := [n for n in job.withheld(os.environ) if n != name]:
        run.warnings.append(f"not written into a schedule, because they look like secrets: {', '.join(left)}")
    if job.is_fleeting(wanted.program):
        run.warnings.append(f"{wanted.program[0]} may not stay there: install koog, then its schedule")


def _openclaw(wanted: Job, every: str, *, flag: str = "--every") -> str:
    name = job.identity(wanted.root) + ("" if wanted.verb == "tick" else f"-{wanted.verb.split()[0]}")
    words = ["openclaw", "cron", "add", "--name", name, flag, every]
    words += ["--command-argv", jsonfiles.line(wanted.argv), "--command-cwd", wanted.root]
    words += [word for name, value in wanted.environment.items() for word in ("--command-env", f"{name}={value}")]
    return shlex.join([*words, "--timeout-seconds", str(systemd.RUN_SECONDS), "--no-deliver"])


def _installed(kind: str, wanted: Job, run: Run, key: Path | None, **keys: Any) -> Reply:
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
            "keyFile": str(key) if key else run.settings.get(keyfile.KEY),
        }
        | keys,
    )


# What `show` says


def _schedule(run: Run, found: Standing) -> dict[str, Any]:
    said = found.said
    return {
        "kind": found.kind,
        "every": job.period(said.minutes) if said else None,
        "nextRun": _next_run(run, said.minutes) if said and found.active else None,
        "program": said.program if said else None,
        "programExists": outside.may_run(said.program) if said else None,
        "active": found.active,
        "current": said is not None and found.text == schedules.written(found.kind, _job(run, said.minutes)),
    }


def _watcher(run: Run) -> dict[str, Any] | None:
    """Return how the watcher's service is, None when there is none."""
    root = str(run.root)
    for manager in MANAGERS.values():
        if unit := manager.find_watch(root):
            try:
                current = unit == manager.watch_unit(_job(run, job.OBSERVE_MINUTES))
            except UsageError:
                current = False
            name = manager.watcher(root)
            return {"service": name, "active": manager.is_active(name), "current": current}
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


def _advice(run: Run, found: list[dict[str, Any]], watcher: dict[str, Any] | None) -> list[str]:
    also = " --watch" if watcher else ""
    if not found:
        return [f"koog cron install{also}"]
    watches = watcher is None or (watcher["current"] and watcher["active"])
    steps = []
    for row in found:
        if not (row["current"] and row["active"] and row["programExists"] and watches):
            steps.append(schedules.again(run, row["kind"], job.minutes_of(row["every"]) if row["every"] else None))
    return steps
