"""A systemd user service and its timer, `koog-<folder>-<hash>.service` and `.timer`.

`Persistent=true` with `OnCalendar=` makes up for what was missed while the machine
was off or asleep, once. What a run says is in the journal, and a run that failed is
in `systemctl --user --failed`.
"""

from __future__ import annotations

import re
from pathlib import Path

from koog.core import host
from koog.operate.crontab import BUSY
from koog.operate.job import Job, check_root, identity

RUN_SECONDS = 600
PROGRAM_SECONDS = 30
WORKSPACE = re.compile(r"^# workspace: (.+)$", re.MULTILINE)
WANTS = "timers.target.wants"  # where `systemctl enable` puts its link


def folder() -> Path:
    """Return where a person's own units lie."""
    return host.config_home() / "systemd/user"


def names(root: str) -> tuple[str, str]:
    """Return the names of a workspace's service and timer."""
    return f"{identity(root)}.service", f"{identity(root)}.timer"


def units(job: Job) -> dict[str, str]:
    """Return file name → text of both units. Raises UsageError for a path that no unit can hold."""
    check_root(job.root)
    service, timer = names(job.root)
    head = f"# workspace: {job.root}\n{job.note}\n# koog cron install wrote this; koog cron remove takes it away\n"
    unit = f"[Unit]\nDescription=koog tick in {specifiers(job.root)}\n"
    variables = "".join(f"Environment={quoted(f'{name}={value}')}\n" for name, value in job.environment.items())
    # systemd starts no program whose path holds a quote or a backslash; env does.
    first, *rest = job.argv if not set(job.program[0]) & set("'\"\\") else ("/usr/bin/env", *job.argv)
    return {
        service: f"{head}\n{unit}\n[Service]\nType=oneshot\nWorkingDirectory={specifiers(job.root)}\n{variables}"
        # The colon: no word of it is a variable, whatever dollar signs it holds.
        f"ExecStart={' '.join([quoted(f':{first}'), *map(quoted, rest)])}\n"
        f"SuccessExitStatus={BUSY}\nStandardOutput=null\nStandardError=journal\n"
        f"TimeoutStartSec={RUN_SECONDS}\nNice=10\n",
        timer: f"{head}\n{unit}\n[Timer]\nOnCalendar={calendar(job.minutes)}\nPersistent=true\n"
        "\n[Install]\nWantedBy=timers.target\n",
    }


def calendar(minutes: int) -> str:
    """Return a period as a calendar expression.

    >>> calendar(30), calendar(60), calendar(120), calendar(1440)
    ('*-*-* *:00/30:00', '*-*-* *:00:00', '*-*-* 00/2:00:00', '*-*-* 00:00:00')
    """
    if minutes < 60:
        return f"*-*-* *:00/{minutes}:00"
    hours = {60: "*", 24 * 60: "00"}.get(minutes, f"00/{minutes // 60}")
    return f"*-*-* {hours}:00:00"


def quoted(word: str) -> str:
    r"""Return one word of a setting that holds several.

    >>> print(quoted('50% of "a\\b"'))
    "50%% of \"a\\b\""
    """
    inside = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{specifiers(inside)}"'


def specifiers(text: str) -> str:
    """Return text in which a percent sign is one, in a setting that takes the rest of its line as it is."""
    return text.replace("%", "%%")


def find(root: str) -> dict[str, str]:
    """Return name → text of those of the workspace's units that stand. Raises WorkspaceError."""
    found = {name: host.read(folder(), name) for name in names(root)}
    return {name: text for name, text in found.items() if text is not None}


def workspaces() -> list[str]:
    """Return the folders that have a service."""
    here = folder()
    files = sorted(p.name for p in here.glob("koog-*.service")) if here.is_dir() else []
    found = [WORKSPACE.search(host.read(here, name) or "") for name in files if host.NAME.fullmatch(name)]
    return [match[1] for match in found if match]


def write(units: dict[str, str]) -> bool:
    """Put the units in place; return whether that changed any."""
    return sum(host.write(folder(), name, text) for name, text in units.items()) > 0


def remove(root: str) -> None:
    """Remove the units, and the link of an enabled timer that no systemctl was there to remove."""
    for name in names(root):
        host.remove(folder(), name)
    host.remove(folder() / WANTS, names(root)[1])


def start(root: str, *, again: bool) -> bool:
    """Let systemd read the units and wait for the timer; return whether it does.

    again   the timer may be running by an older text
    """
    timer = names(root)[1]
    done = systemctl("daemon-reload") and systemctl("enable", "--now", timer)
    return done and (not again or systemctl("restart", timer))


def stop(root: str) -> None:
    """Let systemd forget the timer, where there is one."""
    systemctl("disable", "--now", names(root)[1])


def is_active(root: str) -> bool:
    """Return whether systemd waits for the workspace's timer, now and after the next start."""
    timer = names(root)[1]
    return systemctl("is-active", "--quiet", timer) and systemctl("is-enabled", "--quiet", timer)


def systemctl(*words: str) -> bool:
    """Run `systemctl --user`; return whether it did it. Without systemd, or without a session of it, it does not."""
    import subprocess

    try:
        done = subprocess.run(
            ["systemctl", "--user", *words], capture_output=True, timeout=PROGRAM_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
