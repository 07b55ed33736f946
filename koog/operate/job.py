"""What runs unattended, `tick`, `observe`, `extract`, `condense`, `prune`, `watch`: by which program, when, how.

A scheduler starts a program with next to nothing: no login shell, a PATH of two
folders, none of the person's variables. All that a run needs is therefore found
once, when it is installed, and written down in full.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from koog.core.errors import UsageError
from koog.core.files import outside
from koog.core.lazy_regex import compiled
from koog.core.machine import MAC
from koog.core.named import NamedTuple

DAY_MINUTES = 24 * 60
SHORTEST_MINUTES = 5
SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
MAC_PATH = (
    str(Path("/opt/homebrew", "bin")),
    *SYSTEM_PATH,
)  # Homebrew's, where the chip is Apple's
# Where nothing stays: macOS has its temporary folders under /private, and names without it that lead there.
TEMPORARY = tuple(Path("/", place) for place in ("tmp", "private/tmp", "var/folders", "private/var/folders"))
CACHES = (".cache", "Caches")
PERIODS = tuple(
    m for m in range(SHORTEST_MINUTES, DAY_MINUTES + 1) if 60 % m == 0 or (m % 60 == 0 and DAY_MINUTES % m == 0)
)
NOTE = compiled(r"^# every (\d+[mh]): (.+)$", re.MULTILINE)

# What koog itself reads, and requests on its behalf: how to reach the model from here.
PROXIES = ("http_proxy", "https_proxy", "no_proxy")
HOSTS = {"OPENCLAW_STATE_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"}  # where their sessions lie
PASSED = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", *PROXIES, *HOSTS}
PASSED |= {name.upper() for name in PROXIES}
OF_THIS_CALL = {
    "KOOG_WORKSPACE",
    "KOOG_AGENT",
    "KOOG_SESSION_ID",
    "KOOG_SESSION_KEY",
    "KOOG_DEBUG",
}  # they belong to the shell that installs
OBSERVE_MINUTES, OBSERVE_AT = 15, 12  # three minutes before a tick of every 30: it mines what was just observed
EXTRACT_MINUTES, EXTRACT_AT = 60, 47  # behind an observation, and before the tick of the full hour
EXTRACT = "extract --scheduled"
CONDENSE, PRUNE = "condense monthly", "prune"  # each does what is due, and mostly nothing  [autopoiesis §9.3]
OF_TIMES = {CONDENSE: "condenseAt", PRUNE: "pruneAt"}  # command → where `knowledge` says when it runs
USUAL_TIMES = ((CONDENSE, "0 23 * * *"), (PRUNE, "0 0 * * 0"))
PARTS = ("", "-observe", "-extract", "-condense", "-prune")  # how the files of a schedule are called
WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
SECRET_NAME = compiled(r"(KEY|TOKEN|SECRET|PASSWORD)$")


class Job(NamedTuple):
    """What a scheduler is told.

    root          the workspace, absolute
    minutes       between two ticks; one of PERIODS
    program       how koog is started, its first word an absolute path
    options       those shared options that `cron install` was given
    environment   variable → value, PATH among them, no secret
    verb          the command: tick, observe, EXTRACT, CONDENSE, PRUNE or watch
    log           the file that takes what a shell says of a broken installation, out of the agent's reach
    times         command → when it runs: minute, hour, `* *` and a day of the week, as cron has them
    """

    root: str
    minutes: int
    program: tuple[str, ...]
    options: tuple[str, ...]
    environment: dict[str, str]
    verb: str = "tick"
    log: str = ""
    times: tuple[tuple[str, str], ...] = USUAL_TIMES

    @property
    def argv(self) -> tuple[str, ...]:
        return (*self.program, *self.verb.split(), *self.options)

    @property
    def note(self) -> str:
        """Return the comment by which `noted` knows the schedule again, and a person too."""
        return f"# every {period(self.minutes)}: {shlex.join(self.argv)}"

    def other(self, verb: str) -> Job:
        """Return the job of another command in the same place."""
        return self._replace(verb=verb)


class Moment(NamedTuple):
    """A time of every day, or of one day of each week: 0 is Sunday."""

    minute: int
    hour: int
    weekday: int | None


def moment(text: str) -> Moment:
    """Return the moment of `knowledge.condenseAt`.

    >>> moment("0 23 * * *"), moment("30 0 * * 7")
    (Moment(minute=0, hour=23, weekday=None), Moment(minute=30, hour=0, weekday=0))
    """
    minute, hour, _, _, weekday = text.split()
    return Moment(int(minute), int(hour), None if weekday == "*" else int(weekday) % 7)


class Noted(NamedTuple):
    """What a note says: minutes between two ticks, and the path of the program."""

    minutes: int
    program: str


def noted(text: str) -> Noted | None:
    """Return what the note in a block or a unit says; None when it is gone or not as koog writes it."""
    found = NOTE.search(text)
    try:
        return Noted(minutes_of(found[1]), shlex.split(found[2])[0]) if found else None
    except (UsageError, ValueError, IndexError):
        return None  # a person has edited it


def minutes_of(text: str) -> int:
    """Return the minutes of `30m` or `2h`. Raises UsageError for a period that does not fit evenly into hour or day."""
    found = re.fullmatch(r"([0-9]{1,4})([mh])", text)
    minutes = int(found[1]) * (60 if found[2] == "h" else 1) if found else 0
    if minutes not in PERIODS:
        raise UsageError(f"--every {text!r}", hint="one of " + " ".join(map(period, PERIODS)))
    return minutes


def period(minutes: int) -> str:
    """Return minutes as `--every` takes them: 30m, 2h."""
    return f"{minutes}m" if minutes % 60 else f"{minutes // 60}h"


def next_run(minutes: int, now: datetime) -> datetime:
    """Return the first moment after `now` at which a job is due; both are wall-clock times without a zone.

    >>> next_run(30, datetime(2026, 2, 28, 23, 45))
    datetime.datetime(2026, 3, 1, 0, 0)
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    since = now.hour * 60 + now.minute
    return midnight + timedelta(minutes=(since // minutes + 1) * minutes)


def identity(root: str) -> str:
    """Return a name for the workspace's job: the folder's, made plain, and a hash of the whole path."""
    plain = re.sub(r"[^a-z0-9]+", "-", Path(root).name.lower()).strip("-")[:32]
    digest = sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return "-".join(filter(None, ("koog", plain, digest)))


def check(job: Job) -> None:
    """Raise UsageError for a folder, or a word of the command, that no line of a schedule can hold."""
    _check_root(job.root)
    if wrong := next((word for word in job.argv if not word.isprintable()), None):
        raise UsageError(f"{wrong!r} holds a line end, a control character or bytes that are not UTF-8")


def _check_root(root: str) -> None:
    # What is not UTF-8 is a surrogate here, and not printable; a backslash at the end of a line joins it to the next.
    if not root.isprintable() or root != root.strip() or root.endswith("\\"):
        raise UsageError(
            "the workspace's path holds a line end, a control character or bytes that are not UTF-8, "
            "or ends in a space or a backslash",
            hint="rename the folder",
        )


def program(started_as: str, *, python: str) -> tuple[str, ...]:
    """Return the words that start this very koog from anywhere.

    started_as   sys.argv[0]: a console script (of venv, uv tool or pipx), or `…/koog/__main__.py`
    python       sys.executable

    A console script is taken by the name under which it was called, links unresolved:
    that name survives an upgrade, what it leads to may not. In an environment that
    `bin/koog` of a checkout has made (it has its stamp), it is `bin/koog`, which mends it.
    """
    script = Path(os.path.abspath(started_as))  # noqa: PTH100  Path.resolve would follow links
    if script.name == "koog" and outside.may_run(script):
        made = script.parent.parent
        bootstrap = made.parent / "bin/koog"
        is_bootstrapped = outside.is_file(made / "koog-stamp") and outside.may_run(bootstrap)
        return (str(bootstrap if is_bootstrapped else script),)
    return (python, "-P", "-m", "koog")  # -P: a folder `koog` in the workspace is not this koog


def environment(
    given: Mapping[str, str],
    program: tuple[str, ...],
    *,
    git: str | None,
    package: Path,
    platform: str = sys.platform,
) -> dict[str, str]:
    """Return the variables that a tick needs, PATH first.

    given     the environment of the install
    git       where git is, None when it is not to be found
    package   the folder of the koog package, which `python -m` must find
    """
    system = MAC_PATH if platform == MAC else SYSTEM_PATH
    folders = [str(Path(p).parent) for p in (program[0], git) if p]
    found = {"PATH": os.pathsep.join(dict.fromkeys([*(f for f in folders if os.pathsep not in f), *system]))}
    if len(program) > 1 and package.parent.name not in ("site-packages", "dist-packages"):
        found["PYTHONPATH"] = str(package.parent)
    return found | {k: given[k] for k in sorted(given) if given[k] and _is_passed(k) and not is_secret(k, given[k])}


def withheld(given: Mapping[str, str]) -> list[str]:
    """Return the names that koog would pass on if they, or their values, did not look like secrets."""
    return sorted(k for k, v in given.items() if v and _is_passed(k) and is_secret(k, v))


def is_secret(name: str, value: str) -> bool:
    """Return whether a variable must not be written into a schedule; one of several lines cannot be either."""
    from koog.core.git.process import redacted
    from koog.core.text.secrets import find_secrets

    looks = bool(find_secrets(value)) or redacted(value) != value
    return looks or bool(SECRET_NAME.search(name)) or not value.isprintable()


def is_fleeting(program: tuple[str, ...]) -> bool:
    """Return whether the program lies where it will not stay: in a cache (`uvx koog`) or among temporary files."""
    place = Path(program[0])
    return any(map(place.parts.__contains__, CACHES)) or any(map(place.is_relative_to, TEMPORARY))


def _is_passed(name: str) -> bool:
    return name in PASSED or (bool(re.fullmatch(r"KOOG_[A-Z0-9_]+", name)) and name not in OF_THIS_CALL)
