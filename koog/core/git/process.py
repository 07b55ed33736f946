"""The git program: its environment, its words, its lists of names, its time.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import machine
from koog.core.errors import WorkspaceError
from koog.core.lazy_regex import compiled

if TYPE_CHECKING:
    import subprocess

    Done = subprocess.CompletedProcess[bytes]

# A call takes milliseconds, on a large repository seconds; longer only when a filter of
# the repository or a disk hangs. A push has a limit of its own.
LIMIT_S = 60.0

# Of git's variables only those that say how to reach a remote, who commits and which
# config counts are kept: a hook that calls koog exports GIT_DIR, GIT_INDEX_FILE and more.
KEPT_VARIABLES = compiled(
    r"GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|(SSL|HTTP|PROXY)_\w+|(AUTHOR|COMMITTER)_(NAME|EMAIL)"
    r"|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+))"
)
NO_PROMPT = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_OPTIONAL_LOCKS": "0"}

QUIET = (
    # update-ref and update-index have hooks, too
    *("-c", f"core.hooksPath={os.devnull}"),
    # nor is this one koog's to run, and it may hang (empty, because older gits took a word for a program)
    *("-c", "core.fsmonitor="),
    # a power cut must not leave the branch on an empty object: by itself git does not fsync loose ones
    *("-c", "core.fsync=committed"),
    # line ends that git would convert are no reason to fail
    *("-c", "core.safecrlf=false"),
    *("-c", "i18n.commitEncoding=UTF-8"),
)


def run(
    folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, extra_s: float = 0.0
) -> Done:
    """Run git in a folder, with `env` added to the environment.

    Raises WorkspaceError when it cannot be started and when it does not end within
    LIMIT_S + extra_s seconds: then it is ended with all its children.
    """
    import subprocess

    limit_s = LIMIT_S + extra_s
    command, pipe = ["git", "-C", str(folder), *args], subprocess.PIPE
    whole = {**environment(), **(env or {})}
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=whole, start_new_session=True)
    except FileNotFoundError:
        raise WorkspaceError("git is not installed", hint=machine.hint("git")) from None
    except (OSError, ValueError) as e:  # ValueError: a NUL in an argument
        raise WorkspaceError(f"git cannot be started: {e}") from e
    with process:
        try:
            out, err = process.communicate(stdin, limit_s)
        except subprocess.TimeoutExpired:
            end_group(process)
            hint = "a filter or program in its configuration may hang: git config --list --show-origin"
            raise WorkspaceError(f"git {_verb(args)} was cut off after {round(limit_s, 1):g} s", hint=hint) from None
        except BaseException:  # ^C reaches only our own group
            end_group(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and all of its group; git gets a second to remove its lock files."""
    import subprocess

    _tell(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(1)
    _tell(process, signal.SIGKILL)
    process.wait()


def _tell(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal a process's group. One in which all have ended is no failure: macOS says then that one may not."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _verb(args: Sequence[str]) -> str:
    """Return which of git's commands a call is: what stands behind its `-c KEY=VALUE` options."""
    left = list(args)
    while left[:1] == ["-c"]:
        left = left[2:]
    return left[0] if left else ""


def quietly(
    folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, extra_s: float = 0.0
) -> Done:
    """Run git without hooks and without what a person's config would add; return also a failure."""
    return run(folder, *QUIET, *args, stdin=stdin, env=env, extra_s=extra_s)


def ask(
    folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, extra_s: float = 0.0
) -> bytes:
    """Run git as `quietly` does and return what it printed. Raises WorkspaceError with its words."""
    return checked(quietly(folder, *args, stdin=stdin, env=env, extra_s=extra_s))


def checked(done: Done, *, allowed: Sequence[int] = (0,)) -> bytes:
    """Return what git printed; raise WorkspaceError with its words when it failed."""
    if done.returncode not in allowed:
        owner = b"dubious ownership" in done.stderr
        raise WorkspaceError(
            f"git: {words(done.stderr) or f'ended with {done.returncode}'}",
            hint="git config --global --add safe.directory FOLDER" if owner else None,
        )
    return done.stdout


def environment() -> dict[str, str]:
    """Return the caller's environment without what points git elsewhere or lets it ask."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or KEPT_VARIABLES.fullmatch(k)}
    kept.pop("SSH_ASKPASS", None)
    return {**kept, **NO_PROMPT}


def words(said: bytes) -> str:
    """Return what git said on one line, printable, without credentials, at most 400 characters."""
    lines = redacted(os.fsdecode(said)).splitlines()
    text = "; ".join(line.strip() for line in lines if line.strip() and not line.startswith("hint:"))
    return "".join(c if c.isprintable() else " " for c in text)[:400]


def redacted(text: str) -> str:
    """Return text without the name and password in any URL.

    >>> redacted("fatal: https://me:pass@word@host/x.git and ssh://git@host:22/y")
    'fatal: https://***@host/x.git and ssh://***@host:22/y'
    """
    return re.sub(r"(?<=://)[^/\s]*@", "***@", text)


def joined(names: Sequence[str]) -> bytes:
    """Return names as git reads them with -z."""
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def split(raw: bytes) -> list[str]:
    """Return the names of a list that git printed with -z."""
    return [os.fsdecode(name) for name in raw.split(b"\0") if name]
