"""The host's settings: files in the person's own folders, for `cron install` alone.  [design §4]

A root here is named by the caller, a file in it is a bare name, and each write is as
atomic as one in a workspace. Nothing of it is audited or committed: it is no memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic, lock

NAME = re.compile(r"[A-Za-z0-9@._-]+")
ATTEMPTS = 3  # against a person who saves the same file at this moment


def config_home() -> Path:
    """Return the folder of the person's settings, `$XDG_CONFIG_HOME`."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def state_home() -> Path:
    """Return the folder of what programs keep for themselves, `$XDG_STATE_HOME`."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")


def read(folder: Path, name: str) -> str | None:
    """Return a file's text, None when there is none. Raises WorkspaceError for what is no regular file."""
    path = _path(folder, name)
    try:
        if not path.exists() and not path.is_symlink():
            return None
        if path.is_symlink() or not path.is_file():
            raise WorkspaceError(f"{path} is not a regular file", hint="move it away")
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as e:
        raise WorkspaceError(f"{path}: {e.strerror}") from None


def write(folder: Path, name: str, text: str) -> bool:
    """Make or replace a file, its folders made; return whether that changed anything. Raises WorkspaceError, Busy."""
    path, data = _path(folder, name), text.encode("utf-8", "surrogateescape")
    _make(folder)
    for _ in range(ATTEMPTS):
        present = read(folder, name)
        if present == text:
            return False
        atomic.prepare(path, data)
        expected = None if present is None else present.encode("utf-8", "surrogateescape")
        if atomic.replace(path, expected=expected) is atomic.AS_EXPECTED:
            return True
    raise Busy(f"{path} changes all the time", hint="close the editor that has it open")


def remove(folder: Path, name: str) -> bool:
    """Remove a file, or a link of that name; return whether there was one. Raises WorkspaceError."""
    path = _path(folder, name)
    try:
        path.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as e:
        raise WorkspaceError(f"{path}: {e.strerror}") from None
    return True


@contextmanager
def locked(name: str, *, wait_s: float = 10.0) -> Iterator[None]:
    """Hold a lock that all workspaces of this person share. Raises Busy, WorkspaceError."""
    folder = state_home() / "koog"
    _make(folder)
    with lock.held(_path(folder, name), wait_s=wait_s, what="the host's settings"):
        yield


def _path(folder: Path, name: str) -> Path:
    if not NAME.fullmatch(name) or name.strip(".") == "":
        raise WorkspaceError(f"{name!r} is no name of a file")
    return folder / name


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as e:
        raise WorkspaceError(f"{folder}: {e.strerror}") from None
