"""A lock file that keeps a branch where it is, and when it may be taken away.  [design.md §4 "Git"]

Whoever moves a branch holds `refs/heads/NAME.lock` and `HEAD.lock` for milliseconds.
A power cut or a `kill -9` in between leaves the file, and from then on nobody's git
moves that branch: unattended, every commit of a year would be missing.
"""

from __future__ import annotations

import time

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Locked

STALE_S = 3600.0  # the longest that holds one is a hook of a push or commit, and none takes an hour


def remove_stale(lock: Locked) -> bool:
    """Remove a lock whose holder must be gone; return whether it was one.

    Should the holder live after all, it fails when it is done, and koog's commit is
    refused if the branch moved: no commit is lost.
    """
    try:
        info = lock.folder.info(lock.name)
        if info is None or time.time() - info.st_mtime < STALE_S:
            return False
        lock.folder.remove(lock.name)
    except WorkspaceError:
        return False
    return True


def way_on(lock: Locked) -> str:
    """Return the hint for a branch that did not move."""
    import shlex

    return f"when no git is running here: rm {shlex.quote(str(lock.folder.path / lock.name))}"
