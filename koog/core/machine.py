"""Words that name a system's own programs: a hint that a person on this machine can follow."""

from __future__ import annotations

import sys

MAC = "darwin"

# name → what to do on Linux and its like, and on macOS
HINTS = {
    "clock": ("timedatectl", "sudo sntp -sS time.apple.com"),
    "git": ("install git", "xcode-select --install"),
    "holder": ("fuser -v {}", "lsof {}"),
    "mounts": ("mount | grep ro,", "mount | grep read-only"),
    "schedule": ("koog cron install --systemd", "koog cron install --launchd"),
    "watches": ("raise fs.inotify.max_user_watches", "raise the limit of open files: ulimit -n 4096"),
    "zones": ("apt-get install tzdata", "pip install tzdata"),
}


def hint(name: str, *of: str, platform: str = sys.platform) -> str:
    """Return a hint for a platform, as `sys.platform` calls it.

    >>> hint("holder", "x", platform="linux"), hint("holder", "x", platform="darwin")
    ('fuser -v x', 'lsof x')
    """
    return HINTS[name][platform == MAC].format(*of)
