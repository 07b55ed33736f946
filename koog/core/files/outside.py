"""Files outside every root: a person's and a host's own, which whoever starts koog names.  [design §4]

    a person's     `--config`, `provider.apiKeyFile`, a history or a bundle as an argument, a source to sync from
    a host's       the conversations of Claude Code, Codex and OpenClaw, and what these programs are set to
    the machine's  koog's own program, a scheduler's units, the folder one stands in

What a workspace holds is the agent's to plant and goes through roots (roots.py). A path here has another author:
whoever started this process. An agent that starts koog in its sandbox has the sandbox's rights, and reads by koog
what it could read without. What runs outside has its arguments from a person's crontab, shell or host settings, and
takes none from the workspace: the agent cannot choose one there. So a path is taken as the system takes it, and the
person's links are followed. Two things are seen to. Nothing keeps koog waiting or fills its memory: regular files
only, so many bytes. And an argument that names a place in the workspace is still the agent's to plant: `given` reads
it by the workspace's root, from which no link leads out.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from koog.core.files.roots import READ_LIMIT, Root

Named = str | os.PathLike[str]


def opened(path: Named, buffering: int = -1) -> IO[bytes]:
    """Return a regular file of a person or a host, opened for reading. Raises OSError, for a pipe too: nobody waits."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return os.fdopen(fd, "rb", buffering)


def read(path: Named, *, limit: int = READ_LIMIT) -> bytes:
    """Return a regular file of a person or a host. Raises OSError, EFBIG for more bytes than the limit."""
    with opened(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit} bytes", os.fspath(path))
    return data


def given(path: str, *, workspace: Root, limit: int = READ_LIMIT) -> bytes:
    """Return the regular file that an argument names: in the workspace by its root, elsewhere as the system takes it.

    Raises FileNotFoundError and other OSErrors, WorkspaceError for a name in the workspace that leads out of it.
    """
    inside = within(path, workspace)
    if inside is None:
        return read(path, limit=limit)
    spot = workspace.spot(inside)
    info = spot.info()
    if info is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if info.st_size > limit:
        raise OSError(errno.EFBIG, f"larger than {limit} bytes", path)
    return spot.read(limit) or b""


def within(path: str, workspace: Root) -> str | None:
    """Return where in a workspace an argument's path is, None for elsewhere. The workspace may be reached by a link."""
    full = Path(os.path.abspath(path))  # noqa: PTH100  Path.resolve would follow the links in the workspace
    for above in reversed(full.parents):
        if os.path.realpath(above) == str(workspace.path):
            return full.relative_to(above).as_posix()
    return None


def streamed(path: Named) -> bytes:
    """Return what a person's file or pipe holds: `--config <(…)` is read to its end. Raises OSError."""
    with Path(path).open("rb") as file:
        return file.read(READ_LIMIT)


def info(path: Named) -> os.stat_result | None:
    """Return what stat says of a person's or a host's file; None for nothing, and where it cannot be looked at."""
    try:
        return os.stat(path)  # noqa: PTH116  thousands of them, by strings
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None


def link_info(path: Named) -> os.stat_result | None:
    """Return what lstat says of a name in a person's folder; None for nothing, and where it cannot be looked at."""
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None


def exists(path: Named) -> bool:
    """Return whether a person's or a host's file or folder is there."""
    return info(path) is not None


def is_file(path: Named) -> bool:
    """Return whether a regular file of a person or a host is there."""
    found = info(path)
    return found is not None and stat.S_ISREG(found.st_mode)


def is_folder(path: Named) -> bool:
    """Return whether a folder of a person or a host is there."""
    found = info(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def is_link(path: Named) -> bool:
    """Return whether a link of a person or a host is there."""
    found = link_info(path)
    return found is not None and stat.S_ISLNK(found.st_mode)


def may_run(path: Named) -> bool:
    """Return whether the machine has a program of this name, which this process may start."""
    return is_file(path) and os.access(path, os.X_OK)


def program(name: str) -> str | None:
    """Return where the machine has a program that it finds along PATH, None where it has none."""
    from shutil import which

    return which(name)


def names(folder: Named) -> list[str]:
    """Return the sorted names in a folder of a person or a host; [] where there is none, or it is closed."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  names alone
    except (OSError, ValueError):
        return []


def matching(folder: Path, pattern: str) -> Iterator[Path]:
    """Yield the files of a host's folder whose path in it fits a pattern; its links are followed."""
    return folder.glob(pattern)


def walk(folder: Named, *, linked: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (folder, names of folders, names of files) from a host's folder down, as os.walk does.

    linked   links to folders are followed: an agent's sessions may lie on another disk
    """
    return os.walk(folder, followlinks=linked)


def real(path: Named) -> str:
    """Return a path with all links in it resolved; never raises, also for a name that leads nowhere."""
    return os.path.realpath(path)


def here() -> Path:
    """Return the folder in which koog was started. Raises OSError when it was removed since."""
    return Path.cwd()


def space(folder: Named) -> os.statvfs_result:
    """Return what the machine says of the file system that a folder lies on. Raises OSError."""
    return os.statvfs(folder)
