"""A file of many megabytes of which a little is wanted: read by pieces.

opened   a spot → its pieces, while they are read
of       bytes that somebody has, read in the same way
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from koog.core.errors import WorkspaceError
from koog.core.files.roots import READ_LIMIT, Spot
from koog.core.named import NamedTuple


class Pieces(NamedTuple):
    """A file's size in bytes, and what gives some of them: from where, how many. Behind the end there are none."""

    size: int
    read: Callable[[int, int], bytes]


def of(data: bytes) -> Pieces:
    """Return bytes as a file's pieces."""
    return Pieces(len(data), lambda at, size: data[at : at + size])


@contextmanager
def opened(spot: Spot) -> Iterator[Pieces | None]:
    """Open a regular file; None when there is none. Raises WorkspaceError for anything else, and for one too large.

    Whoever replaces it meanwhile changes nothing of what is read; whoever writes into it may.
    """
    try:
        fd = spot.open()
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    except OSError as e:
        raise spot.error(e) from None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise WorkspaceError(f"{spot.path} is not a regular file")
        if info.st_size > READ_LIMIT:  # one of its lines may be as long as it is
            raise WorkspaceError(f"{spot.path}: {info.st_size} bytes are more than koog reads")
        yield Pieces(info.st_size, lambda at, size: os.pread(fd, size, at))
    except OSError as e:
        raise spot.error(e) from None
    finally:
        os.close(fd)
