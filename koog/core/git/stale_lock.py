"""A lock file that keeps a branch where it is, and when it may be taken away.  [design.md §4 "Git"]

Whoever moves a branch holds `refs/heads/NAME.lock` and `HEAD.lock` for milliseconds.
A power cut or a `kill -9` in between leaves the file, and from then on nobody's git
moves that branch: unattended, every commit of a year would be missing.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

STALE_S = 3600.0  # the longest that holds one is a hook of a push or commit, and none takes an hour
IN_THE_WAY = re.compile(rb"Unable to create '(.+?\.lock)': File exists")


def in_the_way(said: bytes) -> Path | None:
    """Return the lock file that git names as the reason, None when the reason is another."""
    found = IN_THE_WAY.search(said)
    return Path(os.fsdecode(found[1])) if found else None


def remove_stale(lock: Path) -> bool:
    """Remove a lock whose holder must be gone; return whether it was one.

    Should the holder live after all, it fails when it is done, and koog's commit is
    refused if the branch moved: no commit is lost.
    """
    try:
        if time.time() - lock.stat().st_mtime < STALE_S:
            return False
        lock.unlink()
    except OSError:
        return False
    return True


def way_on(lock: Path | None) -> str:
    """Return the hint for a branch that did not move."""
    import shlex

    return f"when no git is running here: rm {shlex.quote(str(lock))}" if lock else "git status; git fsck"
