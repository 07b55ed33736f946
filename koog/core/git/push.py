"""A push that cannot hang and never asks, and what git says when it fails.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError
from koog.core.git.commit import person
from koog.core.git.fenced import Locked
from koog.core.git.process import QUIET, end_group, environment, words
from koog.core.git.refs import Moved

if TYPE_CHECKING:
    from koog.core.git.repository import Git
    from koog.core.git.upstream import Upstream

PROTOCOLS = "file:git:http:https:ssh"  # not ext, which is a program by another name
POINTER = b"version https://git-lfs.github.com/spec/"
POINTER_BYTES = 1024
FAILURES = {  # what git says: what it means, what to do
    r"\[remote rejected\]": ("the remote refused it", "its own rules decide: a protected branch, a hook"),
    r"\[rejected\]|non-fast-forward|fetch first": (
        "the remote has commits that this branch lacks",
        "git pull --rebase, then push again; koog never forces",
    ),
    r"Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied"
    r"|Host key verification failed|error: 40[13]": (
        "the remote did not let koog in",
        "set up a credential helper (git config --global) or an SSH key that works without a prompt",
    ),
    r"does not appear to be a git repository|[Rr]epository .*not found": (
        "there is no repository at the remote's address",
        "git remote -v",
    ),
    r"transport '.*' not allowed": ("koog pushes by file, git, http and ssh only", "git push, by hand"),
    r"[Cc]ould not resolve|Connection (refused|timed out|reset)|unable to access|unreachable": (
        "the remote cannot be reached",
        "check the network; the commits stay and go with the next push",
    ),
}


def push(git: Git, upstream: Upstream, *, timeout_s: float) -> None:
    """Push the branch to its upstream's address; never force, never ask, and run nothing of the repository's.

    Whatever still runs after `timeout_s` seconds is ended with all its children.
    Raises WorkspaceError that says what git's words mean.
    """
    head = git.head()
    if head is None:
        raise WorkspaceError("nothing to push: no commit yet")
    _refuse_pointers(git, upstream)
    options = ("--porcelain", "--no-signed", "--recurse-submodules=no")
    to, quiet = (upstream.remote, ()) if git.trusted else (upstream.url, QUIET)
    args = ("git", "-C", str(git.top), *quiet, "push", *options, "--", to, f"{head}:{upstream.ref}")
    env = {**environment(), **git.own.env, **_ssh(git), "GIT_ALLOW_PROTOCOL": PROTOCOLS}
    if git.trusted:
        env.pop("GIT_ALLOW_PROTOCOL")
    code, said = _run_limited(args, env=env, timeout_s=timeout_s)
    if code is None:
        raise WorkspaceError(
            f"push to {upstream.remote!r} was cut off after {timeout_s:g} s",
            hint="check the network; the commits stay and go with the next push",
        )
    if code:
        raise _push_error(upstream.remote, said)
    if upstream.tracking:
        with suppress(WorkspaceError, Busy, Locked, Moved), git.alone():  # the next fetch brings it
            known = git.refs.resolve(upstream.tracking)
            who = str(person(git.settings, "committer"))
            git.refs.move(upstream.tracking, head, known, who=who, why="update by push")


def _refuse_pointers(git: Git, upstream: Upstream) -> None:
    """Push no pointers of git-lfs without their files: where those go the tree's own `.lfsconfig` decides."""
    if git.trusted or not (git.place.common / "lfs").exists():
        return
    known = git.refs.resolve(upstream.tracking) if upstream.tracking else None
    listed = git.ask("rev-list", "--objects", git.head() or "", *([f"^{known}"] if known else []), "--")
    names = b"".join(line.split(b" ")[0] + b"\n" for line in listed.splitlines())
    sizes = git.ask("cat-file", "--batch-check=%(objecttype) %(objectsize) %(objectname)", stdin=names)
    rows = (line.split() for line in os.fsdecode(sizes).splitlines())
    small = [row[2] for row in rows if row[0] == "blob" and int(row[1]) < POINTER_BYTES]
    with git.reading():
        if any((git.objects.get(name, "blob") or b"").startswith(POINTER) for name in small):
            hint = f"git push {upstream.remote}: it uploads the files of git-lfs, too"
            raise WorkspaceError("the commits hold files of git-lfs, which koog does not upload", hint=hint)


def _ssh(git: Git) -> dict[str, str]:
    """Return what makes OpenSSH fail instead of asking; another program is left as it is."""
    command = os.environ.get("GIT_SSH_COMMAND") or git.settings.get("core.sshcommand", "").strip()
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
    from koog.core.text.secrets import redact_secrets

    told = redact_secrets(words(said))
    for pattern, (meaning, hint) in FAILURES.items():
        if re.search(pattern, told):
            return WorkspaceError(f"push to {remote!r}: {meaning} ({told})", hint=hint)
    return WorkspaceError(f"push to {remote!r} failed: {told}", hint=f"git push {remote}")
