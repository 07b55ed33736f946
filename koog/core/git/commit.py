"""One commit object, and whose name is on it.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from koog.core.git.process import checked, quietly, split


def write_commit(top: Path, tree: str, base: str | None, *, message: str, when: datetime) -> str:
    """Write a commit object that no branch holds yet; return its sha. Raises WorkspaceError."""
    date = f"@{int(when.timestamp())} {when.strftime('%z')[:5]}"
    env = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    text = message.rstrip("\n").encode() + b"\n"
    parent = ("-p", base) if base else ()
    command = ("-c", "user.useConfigOnly=true", "commit-tree", "--no-gpg-sign", tree, *parent)
    done = quietly(top, *command, stdin=text, env=env)
    if done.returncode:  # asked only now, because nearly everybody has an identity
        done = quietly(top, *command, stdin=text, env={**_own_identity(top), **env})
    return checked(done).decode().strip()


def _own_identity(top: Path) -> dict[str, str]:
    """Return the variables that fill in what neither the environment nor a config says."""
    missing = missing_identity(top).items()
    ours = {f"GIT_{role}_{key.upper()}": value for key, value in missing for role in ("AUTHOR", "COMMITTER")}
    return {name: os.environ.get(name) or value for name, value in ours.items()}


def missing_identity(top: Path) -> dict[str, str]:
    """Return the parts of user.name and user.email that no config gives, with koog's own values."""
    done = quietly(top, "config", "-z", "--get-regexp", r"^user\.(name|email)$")
    configured = dict(entry.partition("\n")[::2] for entry in split(checked(done, allowed=(0, 1))))
    ours = {"name": "koog", "email": "koog@localhost"}
    return {key: value for key, value in ours.items() if not configured.get(f"user.{key}")}
