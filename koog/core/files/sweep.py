"""Files of a root rewritten or removed, whatever made them: for words that are to stand nowhere.  [moltbot §8.3]

Each file is replaced in one step and keeps its mode, read-only ones too; what somebody writes into it meanwhile stays.
Links are followed where they lead to a folder elsewhere that the operator lets them lead to. Any other is not: what it
leads to is found under its own name, or is none of the root's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from stat import S_ISDIR, S_ISREG

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import atomic
from koog.core.files.roots import READ_LIMIT, Root

TRIES = 5  # of a file that grows all the time


def files(root: Root, *, but: Set[str] = frozenset()) -> Iterator[str]:
    """Yield the regular files of a root, by their paths in it. but: names of files and folders that are left out

    However deep they lie: whoever is to find all of them must not be led past some.
    """
    waiting, been = [""], set[tuple[int, int]]()
    while waiting:
        folder = waiting.pop()
        inner = list[str]()
        with suppress(WorkspaceError, OSError):  # a root that is not there, or a folder that nobody may read
            for entry in root.listed(folder):
                path = f"{folder}/{entry.name}".lstrip("/")
                if entry.name in but or entry.name.lower() in root.barred:
                    continue
                info = _elsewhere(root, path) if entry.is_link else entry.info
                if info is None or (entry.is_link and (info.st_dev, info.st_ino) in been):
                    continue
                if S_ISDIR(info.st_mode):
                    been.add((info.st_dev, info.st_ino))
                    inner.append(path)
                elif S_ISREG(info.st_mode):
                    yield path
        waiting += reversed(inner)


def _elsewhere(root: Root, path: str) -> os.stat_result | None:
    """Return what stands where a link leads, None where that is no folder elsewhere which it may lead to."""
    with suppress(WorkspaceError, OSError):
        spot = root.spot(path)
        return spot.info() if spot.far else None
    return None


def read(root: Root, path: str) -> bytes | None:
    """Return a file's bytes, None where it is gone, or too large to be read. Raises nothing."""
    with suppress(WorkspaceError, OSError):
        return root.spot(path).read(READ_LIMIT)
    return None


def is_unread(root: Root, path: str) -> bool:
    """Return whether a file is there that `read` returns nothing of."""
    with suppress(WorkspaceError, OSError):
        return root.spot(path).info() is not None and read(root, path) is None
    return True


Change = Callable[[str, bytes], bytes | None]


def changes(root: Root, change: Change, *, but: Set[str] = frozenset()) -> Iterator[tuple[str, bytes, bytes | None]]:
    """Yield the files that a change makes others: path, bytes before, bytes after; None for one that is to go."""
    for path in files(root, but=but):
        before = read(root, path)
        if before is not None and (after := change(path, before)) != before:
            yield path, before, after


def put(
    root: Root, path: str, before: bytes, after: bytes | None, *, change: Change
) -> tuple[bytes, bytes | None] | None:
    """Replace a file; where somebody has written into it since it was looked at, by what the change makes of that.

    Returns its bytes before and after, None where it is gone or nothing is to change any more. Raises Busy,
    WorkspaceError.
    """
    for _ in range(TRIES):
        now = read(root, path)
        if now is None:
            return None
        if now != before:
            before, after = now, change(path, now)
        if after == before or _replaced(root, path, before, after):
            return None if after == before else (before, after)
    raise Busy(f"{path} keeps changing", hint="try again when it is saved")


def _replaced(root: Root, path: str, before: bytes, after: bytes | None) -> bool:
    """Return whether a file's bytes are replaced, None for its removal; False for one that has others by now."""
    try:
        spot = root.itself(path)
        if after is not None:
            atomic.prepare(spot, after)
            return atomic.replace(spot, expected=before) is atomic.AS_EXPECTED
        spot.unlink()
        spot.folder.sync()
    except FileNotFoundError:
        return False
    except OSError as e:
        raise WorkspaceError(f"{path}: {e.strerror}") from None
    return True
