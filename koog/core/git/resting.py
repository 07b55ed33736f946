"""Whether logs alone are worth a commit yet: a quiet heartbeat leaves a few a day, not one each half hour.

A tick that changed nothing but its log lines leaves them in their files. They ride along with the next commit of any
command, and make one of their own as soon as the oldest of them has waited for `git.restHours`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files.atomic import decode
from koog.core.git.owners import BESIDE

if TYPE_CHECKING:
    from koog.core.files.workspace import Workspace
    from koog.core.git.repository import Git

TICKS = "playbook-logs/"  # a day's ticks, one file a day of UTC
END = ".jsonl"


def are_logs(workspace: Workspace, paths: Iterable[str]) -> bool:
    """Return whether these are nothing but logs that grow by the line; a log that is moved to its month is none."""
    ticks = workspace.in_memory(TICKS)
    try:
        beside = {workspace.resolved(workspace.in_memory(name)) for name in BESIDE}
    except WorkspaceError:  # a link in the place of one: whoever writes it says so
        return False
    return all(path in beside or (path.startswith(ticks) and _is_a_days(path[len(ticks) :])) for path in paths)


def newest(workspace: Workspace, now: datetime) -> list[str]:
    """Return the ticks' logs in which lines may still rest: of this day and of the one before, where there are any."""
    days = [clock.iso(now - timedelta(days=ago))[:10] for ago in (1, 0)]
    paths = [workspace.in_memory(f"{TICKS}{day}{END}") for day in days]
    return [path for path in paths if _is_there(workspace, path)]


def _is_there(workspace: Workspace, path: str) -> bool:
    try:
        return workspace.exists(path)
    except WorkspaceError:
        return False


def is_fresh(workspace: Workspace, git: Git, *, now: datetime, hours: float) -> bool:
    """Return whether the oldest line of the audit log that HEAD lacks is younger than so many hours.

    A log that does not begin as HEAD has it was changed by others or rolled over: its first line is an old one.
    """
    try:
        log = workspace.text(workspace.resolved(workspace.in_memory(BESIDE[0]))) or ""
        known = decode(git.at_head(workspace.resolved(workspace.in_memory(BESIDE[0]))) or b"")
    except WorkspaceError:
        return False  # whoever commits says what is wrong
    since = clock.parse(log.removeprefix(known).partition(" | ")[0])
    return since is not None and timedelta(0) <= now - since < timedelta(hours=hours)


def _is_a_days(name: str) -> bool:
    return name.endswith(END) and "/" not in name
