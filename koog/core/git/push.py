"""A push that cannot hang and never asks, and what git says when it fails.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from koog.core.errors import WorkspaceError
from koog.core.git.process import end_group, environment, quietly, words

FAILURES = {  # what git says: what it means, what to do
    r"\[remote rejected\]": ("the remote refused it", "its own rules decide: a protected branch, a hook"),
    r"\[rejected\]|non-fast-forward|fetch first": (
        "the remote has commits that this branch lacks",
        "git pull --rebase, then push again; koog never forces",
    ),
    r"Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied"
    r"|Host key verification failed|error: 40[13]": (
        "the remote did not let koog in",
        "set up a credential helper or an SSH key that works without a prompt",
    ),
    r"does not appear to be a git repository|[Rr]epository .*not found": (
        "there is no repository at the remote's address",
        "git remote -v",
    ),
    r"[Cc]ould not resolve|Connection (refused|timed out|reset)|unable to access|unreachable": (
        "the remote cannot be reached",
        "check the network; the commits stay and go with the next push",
    ),
}


def push(top: Path, ref: str, *, remote: str, timeout_s: float) -> None:
    """Push a branch, named as refs/heads/…, to its own name at the remote.

    Whatever still runs after `timeout_s` seconds is ended with all its children.
    Raises WorkspaceError that says what git's words mean.
    """
    options = ("--porcelain", "--no-signed", "--recurse-submodules=no")
    args = ("git", "-C", str(top), "push", *options, "--", remote, f"{ref}:{ref}")
    code, said = _run_limited(args, env={**environment(), **_ssh(top)}, timeout_s=timeout_s)
    if code is None:
        raise WorkspaceError(
            f"push to {remote!r} was cut off after {timeout_s:g} s",
            hint="check the network; the commits stay and go with the next push",
        )
    if code:
        raise _push_error(remote, said)


def _ssh(top: Path) -> dict[str, str]:
    """Return what makes OpenSSH fail instead of asking; another program is left as it is."""
    command = os.environ.get("GIT_SSH_COMMAND") or os.fsdecode(quietly(top, "config", "core.sshCommand").stdout).strip()
    if not command and "GIT_SSH" in os.environ:
        return {}
    program = (command or "ssh").split()
    return {"GIT_SSH_COMMAND": f"{' '.join(program)} -o BatchMode=yes"} if Path(program[0]).name == "ssh" else {}


def _run_limited(args: Sequence[str], *, env: Mapping[str, str], timeout_s: float) -> tuple[int | None, bytes]:
    """Run a command in a process group of its own; return its exit code and all it said.

    The code is None when it was ended after `timeout_s`. Output goes to a file: an ssh
    that stays behind for the next connection would keep a pipe open for ever.
    """
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                args, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        except OSError as e:
            raise WorkspaceError(f"git cannot be started: {e}") from e
        try:
            code: int | None = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            end_group(process)
            code = None
        except BaseException:  # ^C reaches only our own group
            end_group(process)
            raise
        said.seek(0)
        return code, said.read()


def _push_error(remote: str, said: bytes) -> WorkspaceError:
    told = words(said)
    for pattern, (meaning, hint) in FAILURES.items():
        if re.search(pattern, told):
            return WorkspaceError(f"push to {remote!r}: {meaning} ({told})", hint=hint)
    return WorkspaceError(f"push to {remote!r} failed: {told}", hint=f"git push {remote}")
