"""The files that a sync brings, read with suspicion: a folder on disk can hold anything.  [sinain §3.2]

What is no regular file, too large, not UTF-8, hidden or named like a secret is refused,
each file by itself; the rest comes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from koog.core.errors import NotFound, UsageError
from koog.core.files import atomic
from koog.core.git.names import is_private, is_secret

FILE_LIMIT = 1024 * 1024  # bytes; what an agent reads as instructions is far smaller
FILES = 2000  # of one folder; more is no folder of scripts or modules
PASSED_OVER = {"__pycache__", "node_modules"}  # made by a run on the source's side
SCRIPTS = "sinain-koog"
PROGRAM = ("pyproject.toml", "koog", "bin/koog")  # koogPath may name koog itself: no folder of scripts


class Places(NamedTuple):
    """Where the four things to sync lie; None for what there is none of."""

    heartbeat: Path | None
    skill: Path | None
    scripts: Path | None
    modules: Path | None


class Found(NamedTuple):
    """One file of a source.

    path      in its folder, with `/`
    text      None when it is refused
    refused   why
    """

    path: str
    text: str | None
    refused: str | None


def places(source: Path) -> Places:
    """Return what a folder laid out like the seed's `sinain-sources/`, or like koog's checkout, has to sync.

    Raises UsageError when it is no folder, NotFound when there is nothing of it in it.
    """
    if not source.is_dir():
        raise UsageError(f"--source: no folder {source.name!r}")
    skill = source / "skills/sinain-hud"
    found = Places(
        heartbeat=_first(source / "HEARTBEAT.md", skill / "HEARTBEAT.md"),
        skill=_first(source / "SKILL.md", skill / "SKILL.md"),
        scripts=_first(source / SCRIPTS),
        modules=_first(source / "modules"),
    )
    if not any(found):
        raise NotFound(
            f"nothing to sync in {source.name!r}", hint=f"it may hold HEARTBEAT.md, SKILL.md, {SCRIPTS}/ and modules/"
        )
    return found


def configured(paths: dict[str, str | None], state: Path) -> Places:
    """Return what the plugin's config names; relative paths start at the host's state folder.  [sinain §3.1]"""
    heartbeat, skill, scripts, modules = (
        state / os.path.expanduser(value) if value else None  # noqa: PTH111  never raises without a home
        for value in (paths.get(key) for key in ("heartbeatPath", "skillPath", "koogPath", "modulesPath"))
    )
    if scripts and (not scripts.is_dir() or any((scripts / name).exists() for name in PROGRAM)):
        scripts = _first(scripts / SCRIPTS)
    return Places(heartbeat, skill, scripts, modules)


def _first(*paths: Path) -> Path | None:
    return next((path for path in paths if os.path.lexists(path)), None)


def files(folder: Path) -> Iterator[Found]:
    """Yield the files of a folder and the folders in it, in the order of their paths; links are not followed."""
    if folder.is_symlink():
        yield Found("", None, "a link")
        return
    for count, path in enumerate(_walk(folder, "")):
        if count == FILES:
            yield Found("", None, f"more than {FILES} files: the rest is left out")
            return
        yield one(folder / path, path)


def one(full: Path, path: str) -> Found:
    """Return one file."""
    if any(part.startswith(".") for part in path.split("/")) or is_private(path):
        return Found(path, None, "hidden or temporary")
    if is_secret(path):
        return Found(path, None, "named like a secret")
    try:
        data = _read(full)
    except OSError as e:
        return Found(path, None, "a link" if full.is_symlink() else str(e.strerror))
    if data is None:
        return Found(path, None, "not a regular file")
    if len(data) > FILE_LIMIT:
        return Found(path, None, f"larger than {FILE_LIMIT} bytes")
    try:
        path.encode()
        data.decode()
    except UnicodeError:
        return Found(path, None, "not UTF-8")
    if b"\0" in data:
        return Found(path, None, "not a text")
    return Found(path, atomic.decode(data), None)


def _walk(folder: Path, inside: str) -> Iterator[str]:
    """Yield the paths of everything in a folder that is no folder itself."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = f"{inside}{entry.name}"
        if not entry.is_dir(follow_symlinks=False):
            if not entry.name.endswith(".pyc"):
                yield path
        elif entry.name not in PASSED_OVER and not entry.name.startswith("."):
            yield from _walk(folder / entry.name, f"{path}/")


def _read(full: Path) -> bytes | None:
    """Return a regular file's bytes, at most one more than FILE_LIMIT; through no link, waiting for no pipe."""
    fd = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        return file.read(FILE_LIMIT + 1) if stat.S_ISREG(os.fstat(fd).st_mode) else None
