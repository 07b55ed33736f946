"""The git program: its environment, its words, its lists of names.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError

if TYPE_CHECKING:
    import subprocess

    Done = subprocess.CompletedProcess[bytes]

# Of git's variables only those that say how to reach a remote, who commits and which
# config counts are kept: a hook that calls koog exports GIT_DIR, GIT_INDEX_FILE and more.
KEPT_VARIABLES = re.compile(
    r"GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|(SSL|HTTP|PROXY)_\w+|(AUTHOR|COMMITTER)_(NAME|EMAIL)"
    r"|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+))"
)
NO_PROMPT = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_OPTIONAL_LOCKS": "0"}

QUIET = (
    # update-ref and update-index have hooks, too
    *("-c", f"core.hooksPath={os.devnull}"),
    # a power cut must not leave the branch on an empty object: by itself git does not fsync loose ones
    *("-c", "core.fsync=committed"),
    # line ends that git would convert are no reason to fail
    *("-c", "core.safecrlf=false"),
    *("-c", "i18n.commitEncoding=UTF-8"),
)


def run(folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
    """Run git in a folder, with `env` added to the environment. Raises WorkspaceError when it cannot be started."""
    import subprocess

    try:
        return subprocess.run(
            ["git", "-C", str(folder), *args],
            input=stdin,
            capture_output=True,
            env={**environment(), **(env or {})},
            check=False,
        )
    except FileNotFoundError:
        raise WorkspaceError("git is not installed", hint="install git") from None
    except (OSError, ValueError) as e:  # ValueError: a NUL in an argument
        raise WorkspaceError(f"git cannot be started: {e}") from e


def quietly(folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
    """Run git without hooks and without what a person's config would add; return also a failure."""
    return run(folder, *QUIET, *args, stdin=stdin, env=env)


def ask(folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
    """Run git as `quietly` does and return what it printed. Raises WorkspaceError with its words."""
    return checked(quietly(folder, *args, stdin=stdin, env=env))


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
