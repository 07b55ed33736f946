"""systemd user services and their timers: `koog-<folder>-<hash>.service` and `.timer` for the tick, `…-observe`,
`…-extract`, `…-condense` and `…-prune` too.

`cron install --watch` adds `…-watch.service`, which has no timer: it always runs.

`Persistent=true` with `OnCalendar=` makes up for what was missed while the machine
was off or asleep, once. What a run says is in the journal, and a run that failed is
in `systemctl --user --failed`.
"""

from __future__ import annotations

import re
from pathlib import Path

from koog.core.files import host, outside
from koog.operate import job as jobs
from koog.operate.crontab import BUSY
from koog.operate.job import EXTRACT, EXTRACT_AT, OBSERVE_AT, OBSERVE_MINUTES, Job, Noted, check, identity

RUN_SECONDS = 600
PROGRAM_SECONDS = 30
WORKSPACE = re.compile(r"^# workspace: (.+)$", re.MULTILINE)
WANTS = ("timers.target.wants", "default.target.wants")  # where `systemctl enable` puts its links
AGAIN_SECONDS = 60  # from the end of a watch to the next one


def folder() -> Path:
    """Return where a person's own units lie."""
    return host.config_home() / "systemd/user"


def names(root: str) -> tuple[str, ...]:
    """Return the names of a workspace's services and timers."""
    return tuple(f"{identity(root)}{part}.{kind}" for part in jobs.PARTS for kind in ("service", "timer"))


def started(root: str) -> list[str]:
    """Return which of them are started: the timers, which start the services."""
    return [name for name in names(root) if name.endswith(".timer")]


def watcher(root: str) -> str:
    """Return the name of the service that watches a workspace's sessions."""
    return f"{identity(root)}-watch.service"


def units(job: Job) -> dict[str, str]:
    """Return file name → text of the units of these five. Raises UsageError for a path that no unit can hold."""
    check(job)
    times = [calendar(job.minutes), f"*-*-* *:{OBSERVE_AT}/{OBSERVE_MINUTES}:00", f"*-*-* *:{EXTRACT_AT}:00"]
    times += [at(when) for _, when in job.times]
    verbs = ("tick", "observe", EXTRACT, *(verb for verb, _ in job.times))
    texts = [text for verb, when in zip(verbs, times, strict=True) for text in _pair(job.other(verb), when)]
    return dict(zip(names(job.root), texts, strict=True))


def watch_unit(job: Job) -> dict[str, str]:
    """Return file name → text of the watcher's service. Raises UsageError for a path that no unit can hold.

    It comes back whatever ended it; that another one watches already is no failure.
    """
    check(job)
    watch = job.other("watch")
    return {
        watcher(job.root): f"{_head(watch)}\n[Service]\nType=exec\n{_service(watch)}"
        "StandardOutput=journal\nStandardError=journal\n"
        f"Restart=always\nRestartSec={AGAIN_SECONDS}\nNice=10\n"
        "\n[Install]\nWantedBy=default.target\n"
    }


def _pair(job: Job, when: str) -> tuple[str, str]:
    """Return the text of a service and of the timer that starts it."""
    service = (
        f"{_head(job)}\n[Service]\nType=oneshot\n{_service(job)}StandardOutput=null\nStandardError=journal\n"
        f"TimeoutStartSec={RUN_SECONDS}\nNice=10\n"
    )
    timer = f"{_head(job)}\n[Timer]\nOnCalendar={when}\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
    return service, timer


def _head(job: Job) -> str:
    note = f"{job.note}\n" if job.verb == "tick" else ""
    return (
        f"# workspace: {job.root}\n{note}# koog cron install wrote this; koog cron remove takes it away\n"
        f"\n[Unit]\nDescription=koog {job.verb.split()[0]} in {specifiers(job.root)}\n"
    )


def _service(job: Job) -> str:
    variables = "".join(f"Environment={quoted(f'{name}={value}')}\n" for name, value in job.environment.items())
    # systemd starts no program whose path holds a quote or a backslash; env does.
    first, *rest = job.argv if not set(job.program[0]) & set("'\"\\") else ("/usr/bin/env", *job.argv)
    return (
        f"WorkingDirectory={specifiers(job.root)}\n{variables}"
        # The colon: no word of it is a variable, whatever dollar signs it holds.
        f"ExecStart={' '.join([quoted(f':{first}'), *map(quoted, rest)])}\n"
        f"SuccessExitStatus={BUSY}\n"
    )


def calendar(minutes: int) -> str:
    """Return a period as a calendar expression.

    >>> calendar(30), calendar(60), calendar(120), calendar(1440)
    ('*-*-* *:00/30:00', '*-*-* *:00:00', '*-*-* 00/2:00:00', '*-*-* 00:00:00')
    """
    if minutes < 60:
        return f"*-*-* *:00/{minutes}:00"
    hours = {60: "*", 24 * 60: "00"}.get(minutes, f"00/{minutes // 60}")
    return f"*-*-* {hours}:00:00"


def at(when: str) -> str:
    """Return a time of the day as a calendar expression.

    >>> at("0 23 * * *"), at("5 0 * * 0")
    ('*-*-* 23:00:00', 'Sun *-*-* 00:05:00')
    """
    found = jobs.moment(when)
    day = "" if found.weekday is None else f"{jobs.WEEKDAYS[found.weekday]} "
    return f"{day}*-*-* {found.hour:02d}:{found.minute:02d}:00"


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


def noted(text: str) -> Noted | None:
    """Return what the units of a schedule say of it; None when a person has edited that."""
    return jobs.noted(text)


def find(root: str) -> dict[str, str]:
    """Return name → text of those of the workspace's units that stand. Raises WorkspaceError."""
    return _standing(*names(root))


def find_watch(root: str) -> dict[str, str]:
    """Return name → text of the watcher's service, {} when there is none. Raises WorkspaceError."""
    return _standing(watcher(root))


def _standing(*wanted: str) -> dict[str, str]:
    found = {name: host.read(folder(), name) for name in wanted}
    return {name: text for name, text in found.items() if text is not None}


def workspaces() -> list[str]:
    """Return the folders that have a service."""
    here = folder()
    files = [name for name in outside.names(here) if name.startswith("koog-") and name.endswith(".service")]
    found = [WORKSPACE.search(host.read(here, name) or "") for name in files if host.NAME.fullmatch(name)]
    return list(dict.fromkeys(match[1] for match in found if match))


def write(units: dict[str, str]) -> bool:
    """Put the units in place; return whether that changed any."""
    return sum(host.write(folder(), name, text) for name, text in units.items()) > 0


def remove(*units: str) -> None:
    """Remove units, and the links of enabled ones that no systemctl was there to remove."""
    for name in units:
        host.remove(folder(), name)
        for wants in WANTS:
            host.remove(folder() / wants, name)
    systemctl("daemon-reload")


def start(*units: str, again: bool) -> bool:
    """Let systemd read the units and start them, now and from the next start of the machine on; return whether it does.

    again   they may be running by an older text
    """
    done = systemctl("daemon-reload") and systemctl("enable", "--now", *units)
    return done and (not again or systemctl("restart", *units))


def stop(*units: str) -> None:
    """Let systemd forget the units, where there is one."""
    systemctl("disable", "--now", *units)


def is_active(*units: str) -> bool:
    """Return whether systemd has all these units, now and after the next start."""
    return all(systemctl("is-active", "--quiet", u) and systemctl("is-enabled", "--quiet", u) for u in units)


def answers() -> bool:
    """Return whether a systemd of this person runs here."""
    return systemctl("show-environment")


def by_hand(*units: str) -> list[str]:
    """Return the commands by which a person starts the units."""
    return [f"systemctl --user daemon-reload && systemctl --user enable --now {' '.join(units)}"]


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
