"""What is synced is in its file for every process at once: a test that pulls no plug has nothing to wait for.

Some twenty syncs a command make a sixth of its time, more where another program writes to the same disk. Which of them
come, and in which order, `tests/power.py` looks at; what they are made of, `tests/core/files/test_durable.py`.
"""

from __future__ import annotations

import os


def nothing_to_wait_for() -> None:
    """Let a sync of this process, and of its forks, look at its descriptor and not wait for the disk."""
    os.fsync = lambda fd: void(os.fstat(fd if isinstance(fd, int) else fd.fileno()))
    os.sync = lambda: None


def void(_: object) -> None:
    """Return nothing."""
