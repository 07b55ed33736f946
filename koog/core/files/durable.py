"""Bytes on the disk itself, and not in its cache.

On macOS fsync hands them to the disk, which writes them when it likes and in its own order; what fsync means elsewhere
is F_FULLFSYNC there. Some file systems (of a network, of a stick) do not know it: they get what they have.
"""

from __future__ import annotations

import fcntl
import os

FULL: int | None = getattr(fcntl, "F_FULLFSYNC", None)


def sync(fd: int, *, full: int | None = FULL) -> None:
    """Bring an open file or folder to disk. Raises OSError.

    full   the number of F_FULLFSYNC, None where there is none
    """
    if full is not None:
        try:
            fcntl.fcntl(fd, full)
            return
        except OSError:
            pass  # not known here, or the disk fails: fsync says which
    os.fsync(fd)
