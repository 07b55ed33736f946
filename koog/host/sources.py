"""The files that a sync brings, read with suspicion: a folder on disk can hold anything.  [sinain §3.2]

What is no regular file, too large, not UTF-8, hidden or named like a secret is refused,
each file by itself; the rest comes.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from koog.core.errors import NotFound, UsageError, WorkspaceError
from koog.core.files import atomic, outside
from koog.core.files.roots import Root
from koog.core.git.names import is_private, is_secret
from koog.core.named import NamedTuple

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
    if not outside.is_folder(source):
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
    if scripts and (not outside.is_folder(scripts) or any(outside.exists(scripts / name) for name in PROGRAM)):
        scripts = _first(scripts / SCRIPTS)
    return Places(heartbeat, skill, scripts, modules)


def _first(*paths: Path) -> Path | None:
    return next((path for path in paths if outside.link_info(path)), None)


def files(folder: Path) -> Iterator[Found]:
    """Yield the files of a folder and the folders in it, in the order of their paths; links are not followed."""
    info = outside.link_info(folder)
    if info is not None and stat.S_ISLNK(info.st_mode):
        yield Found("", None, "a link")
        return
    root = _root(folder)
    for count, path in enumerate(_walk(root, "")):
        if count == FILES:
            yield Found("", None, f"more than {FILES} files: the rest is left out")
            return
        yield _found(root, path, path)


def one(full: Path, path: str) -> Found:
    """Return one file, as the path that it gets."""
    return _found(_root(full.parent), full.name, path)


def _root(folder: Path) -> Root:
    """Return a folder of the operator's as a root of its own, in which no link is followed."""
    return Root(folder, name="the source", barred=frozenset(), linked=False)


def _found(root: Root, inside: str, path: str) -> Found:
    if any(part.startswith(".") for part in path.split("/")) or is_private(path):
        return Found(path, None, "hidden or temporary")
    if is_secret(path):
        return Found(path, None, "named like a secret")
    try:
        spot = root.itself(inside)
        info = spot.info()
        if info is None or not stat.S_ISREG(info.st_mode):
            return Found(path, None, _kind(info))
        if info.st_size > FILE_LIMIT:
            return Found(path, None, f"larger than {FILE_LIMIT} bytes")
        data = spot.read(FILE_LIMIT) or b""
    except WorkspaceError as e:
        return Found(path, None, e.message)
    except OSError as e:
        return Found(path, None, str(e.strerror))
    try:
        path.encode()
        data.decode()
    except UnicodeError:
        return Found(path, None, "not UTF-8")
    if b"\0" in data:
        return Found(path, None, "not a text")
    return Found(path, atomic.decode(data), None)


def _kind(info: os.stat_result | None) -> str:
    if info is None:
        return os.strerror(errno.ENOENT)
    return "a link" if stat.S_ISLNK(info.st_mode) else "not a regular file"


def _walk(root: Root, inside: str) -> Iterator[str]:
    """Yield the paths of everything in a folder that is no folder itself."""
    try:
        entries = root.listed(inside)
    except WorkspaceError:
        return
    for entry in entries:
        path = f"{inside}/{entry.name}" if inside else entry.name
        if not entry.is_folder:
            if not entry.name.endswith(".pyc"):
                yield path
        elif entry.name not in PASSED_OVER and not entry.name.startswith("."):
            yield from _walk(root, path)
