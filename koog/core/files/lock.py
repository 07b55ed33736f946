"""One `flock` for one kind of work. The file stays: unlinking a lock file makes two of them.  [design §4]"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from koog.core.errors import Busy, WorkspaceError

if TYPE_CHECKING:
    from koog.core.files.roots import Folder, Spot


@contextmanager
def held(spot: Spot, *, wait_s: float, what: str) -> Iterator[None]:
    """Hold the lock for the length of the block.

    The kernel frees it when the process dies, whatever the reason, so no lock is
    ever left behind. The descriptor is close-on-exec: git's children do not keep it.

    Raises Busy after wait_s seconds, WorkspaceError when the file cannot be opened.
    """
    try:
        fd = spot.open(os.O_RDWR | os.O_CREAT | os.O_NONBLOCK)
    except OSError as e:
        raise WorkspaceError(f"{spot.name}: {e.strerror}", hint="is the workspace writable?") from None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise WorkspaceError(f"{spot.name} is not a regular file")
        _take(fd, wait_s=wait_s, what=what)
        yield
    finally:
        os.close(fd)


def is_held(spot: Spot) -> bool:
    """Return whether somebody holds the lock of this name.

    A shared lock is tried for a moment, so that two who ask do not see each other; a
    tick that begins within these microseconds is told `busy` once.
    """
    try:
        fd = spot.open()
    except OSError:
        return False  # no such lock was ever taken, or it is no file
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except OSError as e:
        return isinstance(e, BlockingIOError)
    finally:
        os.close(fd)


@contextmanager
def shared(spot: Spot) -> Iterator[None]:
    """Hold a lock that many may hold, for the length of the block: `is_shared` tells others of it.

    Where the file system knows no flock, or the file cannot be opened, nobody is told.
    """
    with ExitStack() as opened:
        with suppress(OSError):
            fd = spot.open(os.O_RDWR | os.O_CREAT | os.O_NONBLOCK)
            opened.callback(os.close, fd)
            fcntl.flock(fd, fcntl.LOCK_SH)
        yield


@contextmanager
def asked_for(folder: Folder, *, wait_s: float) -> Iterator[None]:
    """Hold a folder itself for the length of the block, or go on without it after wait_s seconds.

    For a moment's work that nobody may wait for. Where the file system locks no folder it is not held.
    """
    with suppress(Busy, WorkspaceError):
        _take(folder.fd, wait_s=wait_s, what=".")
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(folder.fd, fcntl.LOCK_UN)  # a child of this process may have the descriptor too


def is_shared(spot: Spot) -> bool:
    """Return whether somebody holds the lock of this name, alone or with others."""
    try:
        fd = spot.open()
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(fd)


def _take(fd: int, *, wait_s: float, what: str) -> None:
    until = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise Busy(f"another koog holds {what}", hint="try again when it has ended") from None
            time.sleep(0.02)
        except OSError as e:
            # Some network file systems know no flock; writing without it would not be safe.
            raise WorkspaceError(f"no lock on {what}: {e.strerror}") from None
