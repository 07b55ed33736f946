"""The host's settings: files in the person's own folders, for `init`, `init --host` and `cron install`.  [design §4]

A root here is named by the caller, a file in it is a bare name, and each write is as
atomic as one in a workspace. Nothing of it is audited or committed: it is no memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic, lock
from koog.core.files.roots import Root

NAME = re.compile(r"[A-Za-z0-9@._-]+")
ATTEMPTS = 3  # against a person who saves the same file at this moment


def config_home() -> Path:
    """Return the folder of the person's settings, `$XDG_CONFIG_HOME`."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def home() -> Path:
    """Return the person's home folder. Raises WorkspaceError without one."""
    try:
        return Path.home()
    except RuntimeError:  # a container's random user
        raise WorkspaceError("nobody has a home here", hint="export HOME=…") from None


def state_home() -> Path:
    """Return the folder of what programs keep for themselves, `$XDG_STATE_HOME`. Raises WorkspaceError without one."""
    try:
        return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    except RuntimeError:  # a container's random user
        raise WorkspaceError("nobody has a home here", hint="export HOME=…, or XDG_STATE_HOME") from None


def cache_folder(name: str) -> Path:
    """Return a folder of koog's among what programs may lose, `$XDG_CACHE_HOME`, made where it can be.

    Raises WorkspaceError where nobody has a home.
    """
    _checked(name)
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        folder = (Path(given) if given.startswith("/") else Path.home() / ".cache") / "koog" / name
    except RuntimeError:
        raise WorkspaceError("nobody has a home here", hint="export HOME=…, or XDG_CACHE_HOME") from None
    with suppress(WorkspaceError):
        _make(folder)
    return folder


def read(folder: Path, name: str) -> str | None:
    """Return a file's text, None when there is none. Raises WorkspaceError for what is no regular file."""
    _checked(name)
    try:
        data = _root(folder).itself(name).read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except WorkspaceError as e:
        raise WorkspaceError(f"{folder}/{e.message}", hint="move it away") from None
    return None if data is None else data.decode("utf-8", "surrogateescape")


def write(folder: Path, name: str, text: str) -> bool:
    """Make or replace a file, its folders made; return whether that changed anything. Raises WorkspaceError, Busy."""
    return edit(folder, name, lambda _: text)


def edit(folder: Path, name: str, change: Callable[[str | None], str]) -> bool:
    """Change a file's text, None for no file yet, again where a person has saved it meanwhile. Raises as `write`."""
    _checked(name)
    _make(folder)
    for _ in range(ATTEMPTS):
        present = read(folder, name)
        text = change(present)
        if present == text:
            return False
        spot = _root(folder).itself(name)
        atomic.prepare(spot, text.encode("utf-8", "surrogateescape"))
        expected = None if present is None else present.encode("utf-8", "surrogateescape")
        if atomic.replace(spot, expected=expected) is atomic.AS_EXPECTED:
            return True
    raise Busy(f"{folder / name} changes all the time", hint="close the editor that has it open")


def remove(folder: Path, name: str) -> bool:
    """Remove a file, or a link of that name; return whether there was one. Raises WorkspaceError."""
    _checked(name)
    try:
        _root(folder).itself(name).unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as e:
        raise WorkspaceError(f"{folder / name}: {e.strerror}") from None
    return True


def remove_half(folder: Path, name: str) -> bool:
    """Remove what a killed `edit` of a file has left beside it; return whether there was any. Raises as `remove`."""
    _checked(name)
    return remove(folder, f".{name}{atomic.SUFFIX}")


def absent(folder: Path) -> list[Path]:
    """Return the folders that `edit` would have to make for this one, the innermost first."""
    return [each for each in (folder, *folder.parents) if not os.path.lexists(each)]


def clear(folders: Iterable[Path]) -> list[Path]:
    """Remove the folders that are empty, in this order; return those that are gone."""
    gone = []
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:  # somebody keeps something in it, or has removed it
            continue
        gone.append(folder)
    return gone


@contextmanager
def locked(name: str, *, wait_s: float = 10.0) -> Iterator[None]:
    """Hold a lock that all workspaces of this person share. Raises Busy, WorkspaceError."""
    _checked(name)
    folder = state_home() / "koog"
    _make(folder)
    with lock.held(_root(folder).itself(name), wait_s=wait_s, what="the host's settings"):
        yield


def _root(folder: Path) -> Root:
    return Root(folder, name=str(folder), barred=frozenset())


def _checked(name: str) -> None:
    if not NAME.fullmatch(name) or name.strip(".") == "":
        raise WorkspaceError(f"{name!r} is no name of a file")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as e:
        raise WorkspaceError(f"{folder}: {e.strerror}") from None
