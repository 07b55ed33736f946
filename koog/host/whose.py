"""Which workspace a hook is for, where its line names none, and that a hook came at all.

A line in a host's settings names its workspace. The plugin for Claude Code is one for all: its hooks are for
`KOOG_WORKSPACE`, else the workspace around the session's folder, else the one that the operator's file lets read this
session. Where there is none, or there are two, nothing is done and nothing said.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import clock, nearest, operator
from koog.core.errors import KoogError, NotFound, UsageError
from koog.core.files import outside, tree
from koog.core.run import Run
from koog.host.given import CLAUDE, OPENCLAW

if TYPE_CHECKING:
    from koog.host.given import Given

CAME = "hooks-{host}"  # list of the state root: when the host's hooks came
CAME_BYTES = 2000


def workspace_of(run: Run, call: Given) -> Path | None:
    """Return the folder of the workspace that a call is for, None for none.

    Raises UsageError, NotFound for a folder that was named and is no workspace of koog's.
    """
    if run.folder or os.environ.get("KOOG_WORKSPACE"):
        if not tree.has_own(run.root):
            raise UsageError(f"{run.root.name!r} is no workspace of koog's", hint="koog init makes one of it")
        return run.root
    return of_session(call)


def of_session(call: Given) -> Path | None:
    """Return the folder of the workspace that a session is in or that reads it, None for none."""
    with suppress(NotFound, ValueError):  # no folder is called by a text with a NUL in it
        folder = Path(call.here or "", call.folder or "")  # where the host works, else where it has called the hook
        around = nearest.find(Path(outside.real(folder)) if call.folder or call.here else outside.here())
        if tree.has_own(around):
            return around
    return None if call.host == OPENCLAW else _registered(call)


def _registered(call: Given) -> Path | None:
    """Return the one workspace that reads a session, by the operator's file; None also where that cannot be read."""
    from koog.sessions import taken

    try:
        reading = [root for root in reading_workspaces(call.host) if tree.has_own(root)]
        if len(reading) > 1:
            reading = [root for root in reading if taken.of(Run(folder=str(root))).covers(call.host, call.place)]
    except KoogError:
        return None
    return reading[0] if len(reading) == 1 else None


def reading_workspaces(host: str) -> list[Path]:
    """Return the workspaces that the operator's file lets read a host's sessions. Raises ConfigError."""
    every = _sources(operator.general(), [])
    return [entry.path for entry in operator.all_entries() if host in _sources(entry.values, every)]


def _sources(values: dict[str, object], general: list[str]) -> list[str]:
    """Return the sources that these values name; the general ones where they name none: an empty list is one."""
    observe = values.get("observe")
    sources = observe.get("sources") if isinstance(observe, dict) else None
    return [str(source) for source in sources] if isinstance(sources, list) else general


def is_told_by_settings(run: Run, call: Given) -> bool:
    """Return whether the plugin is called where the settings' own hooks are: those do the work, and it is done once."""
    if run.folder or call.host != CLAUDE:
        return False
    from koog.host import install  # only the plugin's hooks pay for it

    return any(hook.event == call.text("hook_event_name") for hook in install.in_settings(CLAUDE, run.root))


# --- that a hook came


def came(run: Run, call: Given) -> None:
    """Note that a host's hook came, for `koog doctor`: a line without a sync, of which a power cut may take the last.

    Where no state is kept nothing is noted.
    """
    if run.state_root and not run.dry_run:
        with suppress(KoogError):
            run.state_root.note(CAME.format(host=call.host), clock.iso(run.now), limit=CAME_BYTES)


def last_came(run: Run, host: str) -> str | None:
    """Return when a host's hook came last, None where none ever did. Raises WorkspaceError."""
    noted = run.state_root.noted(CAME.format(host=host)) if run.state_root else []
    return noted[-1] if noted else None
