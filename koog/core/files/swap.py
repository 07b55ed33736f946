"""Put a new file in an old one's place so that the old one can still be looked at.

A plain rename forgets what it replaces. If a person saved the file in the moment
between koog's last look and its rename, that save would be gone. Where the system
can exchange two names in one step, the displaced file is still there to be
compared, and to be put back.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from koog.core.files.roots import Spot

# Linux: renameat2(2) with RENAME_EXCHANGE, RENAME_NOREPLACE; macOS: renameatx_np(2) with RENAME_SWAP, RENAME_EXCL.
EXCHANGE = 2
NO_REPLACE = {"linux": 1, "darwin": 4}


@cache
def _libc() -> Any:
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def exchange(a: Spot, b: Spot) -> bool:
    """Exchange two existing names atomically; False where system or file system cannot, with nothing changed."""
    return _rename(a, b, EXCHANGE)


def place(new: Spot, target: Spot) -> bool:
    """Give a file a name that must be free; False, with nothing changed, when it is taken."""
    if _rename(new, target, NO_REPLACE.get(sys.platform, 0)):
        return True
    try:
        # Unlike rename(2), it fails when a file has appeared.
        os.link(new.name, target.name, src_dir_fd=new.folder.fd, dst_dir_fd=target.folder.fd, follow_symlinks=False)
    except FileExistsError:
        return False
    new.unlink()
    return True


def _rename(a: Spot, b: Spot, flag: int) -> bool:
    names = (a.folder.fd, os.fsencode(a.name), b.folder.fd, os.fsencode(b.name))
    try:
        if sys.platform == "linux":
            return bool(_libc().renameat2(*names, flag) == 0)
        if sys.platform == "darwin":
            return bool(_libc().renameatx_np(*names, flag) == 0)
    except (AttributeError, OSError):
        pass  # an old C library knows neither
    return False
