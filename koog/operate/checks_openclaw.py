"""What OpenClaw's settings keep koog from, where one of its agents works in the workspace.  [openclaw.md]

Only read: the settings, and the state root's note of what `init --host openclaw --apply` has set.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from koog.core import clock
from koog.core.files import outside
from koog.core.run import Run
from koog.host import openclaw, openclaw_record
from koog.host.openclaw import DUMPS, ENTRY, HEARTBEAT, at
from koog.operate import logs
from koog.operate.finding import ERROR, INFO, WARN, Finding

CHECK = "openclaw"
APPLY = "koog init . --host openclaw --apply"
TRAJECTORY = "OPENCLAW_TRAJECTORY"
LEAST = timedelta(hours=3)  # without a tick, before that is told
GAPS = 4  # so many ticks may be missed
NIGHT = timedelta(hours=24)  # where the heartbeat keeps hours
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "": 60}  # OpenClaw's; a plain number is of minutes


def openclaws(run: Run) -> Iterator[Finding]:
    """Look whether OpenClaw loads koog's plugin, wakes its agent, and keeps nothing that koog takes out."""
    config = openclaw.settings()
    agent = next(iter(openclaw.agents_here(config, run.root)), None)
    if agent and outside.is_folder(openclaw.state_folder()):
        is_installed = at(config, ENTRY) is not openclaw.MISSING
        yield from _plugin(config) if is_installed else _no_plugin()
        yield from _heartbeat(run, config, agent, is_installed=is_installed)
        yield from _stores(config) if is_installed else ()
        yield from _ticks(run, config, agent)


def _finding(level: str, message: str, command: str | None) -> Finding:
    return Finding(CHECK, level, message, str(openclaw.config_file()), command=command)


def _set(path: openclaw.Keys, value: str) -> str:
    return f"openclaw config set {shlex.quote('.'.join(path))} {value}"


# --- the plugin


def _no_plugin() -> Iterator[Finding]:
    yield _finding(INFO, "OpenClaw's agent works here, and koog's plugin is not in its settings", APPLY)


def _plugin(config: Mapping[str, Any]) -> Iterator[Finding]:
    paths, allowed, denied = (at(config, keys) for keys in (openclaw.LOADED, openclaw.ALLOWED, openclaw.DENIED))
    folders = [Path(path) for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    if not any(outside.is_file(folder / "openclaw.plugin.json") and _is_koogs(folder) for folder in folders):
        yield _finding(ERROR, "koog's plugin is not loaded: plugins.load.paths names no folder that has it", APPLY)
    if at(config, (*ENTRY, "enabled")) is False:
        yield _finding(WARN, "koog's plugin is switched off", _set((*ENTRY, "enabled"), "true"))
    if allowed and isinstance(allowed, list) and openclaw.PLUGIN_ID not in allowed:
        yield _finding(ERROR, "plugins.allow does not name koog's plugin, so it is not loaded", APPLY)
    is_denied = isinstance(denied, list) and openclaw.PLUGIN_ID in denied
    if is_denied or at(config, openclaw.PLUGINS_ON) is False:
        which = "plugins.deny names koog's plugin" if is_denied else "plugins.enabled is false"
        yield _finding(ERROR, f"{which}, so it is not loaded", "openclaw config get plugins")
    if at(config, (*ENTRY, "hooks", "allowConversationAccess")) is not True:
        yield _finding(ERROR, "koog's plugin may not read conversations: no memory is in the prompt", APPLY)


def _is_koogs(folder: Path) -> bool:
    with suppress(OSError):
        return f'"{openclaw.PLUGIN_ID}"'.encode() in outside.read(folder / "openclaw.plugin.json")
    return False


# --- the heartbeat


def _heartbeat(run: Run, config: Mapping[str, Any], agent: str, *, is_installed: bool) -> Iterator[Finding]:
    state = openclaw.state_folder()
    if openclaw.keeps_files(state):
        return  # there the heartbeat runs without a channel, and reads HEARTBEAT.md itself
    if openclaw.keeps_databases(state) and not openclaw_record.of(run.state_root, str(openclaw.config_file())).text:
        message = "this OpenClaw reads no HEARTBEAT.md: its heartbeat has a text of its own, in a database"
        yield _finding(INFO, message, APPLY)
    if _of_heartbeat(config, agent, "target") not in (None, "owner") or _has_owner(config):
        return
    path = openclaw.heartbeat_path(config, agent) or HEARTBEAT
    message = "OpenClaw's heartbeat goes to its owner, and no channel names one: it never runs"
    yield _finding(ERROR if is_installed else INFO, message, _set((*path, "target"), "none"))


def _of_heartbeat(config: Mapping[str, Any], agent: str, key: str) -> Any:
    """Return a setting of an agent's heartbeat, None where neither it nor the defaults have it."""
    for path in (openclaw.heartbeat_path(config, agent) or HEARTBEAT, HEARTBEAT):
        if (value := at(config, (*path, key))) is not openclaw.MISSING:
            return value
    return None


def _has_owner(config: Mapping[str, Any]) -> bool:
    """Return whether anything says who the owner is: a list of its own, or a channel."""
    channels = at(config, ("channels",))
    named = [name for name in channels if name != "defaults"] if isinstance(channels, dict) else []
    return bool(named) or bool(at(config, ("commands", "ownerAllowFrom")))


# --- what OpenClaw keeps by itself


def _stores(config: Mapping[str, Any]) -> Iterator[Finding]:
    dumps, hooks = at(config, DUMPS), at(config, ("hooks", "internal", "enabled"))
    if dumps is True or (dumps is openclaw.MISSING and hooks is True):
        message = "OpenClaw writes the raw dialogue into memory/ at each reset (session-memory)"
        yield _finding(WARN, message, _set(DUMPS, "false"))
    if not _is_trajectory_off(config):
        message = "OpenClaw keeps each run's prompts and answers a second time, private text too (trajectories)"
        yield _finding(INFO, message, f"openclaw config set env.vars.{TRAJECTORY} '\"0\"'")


def _is_trajectory_off(config: Mapping[str, Any]) -> bool:
    """Return whether the gateway is told not to: by the settings, its `.env`, or the variable itself."""
    named = [at(config, ("env", "vars", TRAJECTORY)), at(config, ("env", TRAJECTORY)), os.environ.get(TRAJECTORY)]
    with suppress(OSError):
        text = outside.read(openclaw.state_folder() / ".env").decode("utf-8", "replace")
        named += re.findall(rf"^(?:export )?{TRAJECTORY}=[\"']?([^\"'\n]*)", text, re.MULTILINE)
    return any(str(value).strip().lower() in ("0", "false", "off", "no") for value in named)


# --- ticks


def _ticks(run: Run, config: Mapping[str, Any], agent: str) -> Iterator[Finding]:
    """Look whether ticks come, where the heartbeat should bring them: a schedule is checks_schedule.py's."""
    every = _beats(config, agent)
    last = logs.last_tick(run)
    known = [moment for moment in (clock.parse(last["ts"]) if last else None, _begun(run)) if moment]
    if every is None or not known:
        return
    quiet = run.now - max(known)
    if quiet > max(LEAST, GAPS * every):
        hours = quiet // timedelta(hours=1)
        message = f"no tick for {hours} hours, which OpenClaw's heartbeat should bring"
        yield _finding(ERROR, message, "openclaw cron list --all")


def _beats(config: Mapping[str, Any], agent: str) -> timedelta | None:
    """Return how often OpenClaw's heartbeat comes; None where it does not, or koog's plugin is not in it."""
    if at(config, (*ENTRY, "enabled")) is not True:
        return None
    every = _every(_of_heartbeat(config, agent, "every") or openclaw.EVERY)
    keeps_hours = _of_heartbeat(config, agent, "activeHours") is not None
    return max(every, NIGHT / GAPS) if every and keeps_hours else every


def _every(text: Any) -> timedelta | None:
    """Return a length of time as OpenClaw writes one, None for none at all.

    >>> _every("30m"), _every("1h30m"), _every("0m")
    (datetime.timedelta(seconds=1800), datetime.timedelta(seconds=5400), None)
    """
    parts = re.findall(r"(\d+)\s*([smhd]?)", str(text))
    return timedelta(seconds=sum(int(n) * UNITS[unit] for n, unit in parts)) or None


def _begun(run: Run) -> datetime | None:
    """Return when koog was last installed in OpenClaw, or else the workspace made: before it no tick was to come."""
    state = run.state_root
    if state is None:
        return None
    for name in (f"{openclaw_record.NAME}.json", "repository.json"):
        if info := state.root.info(name):
            return datetime.fromtimestamp(info.st_mtime, UTC)
    return None
