"""A session's startup text as it was first given: each turn of it has the same bytes before it.  [openclaw.md]

    .koog/told/<digest>.json   {"at": when, "text": TEXT}

OpenClaw keeps nothing of what a hook adds to a prompt, so every turn brings it again, and a text that changed in the
middle of a session would cost the provider's prompt cache. It outlives the gateway. It is made anew after a
compaction, at a session's end (a reset is one), and where the settings say otherwise who may be told what. An
event that comes late takes away only what was given before it happened: hooks of one moment run side by side.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from koog.core import clock
from koog.core.errors import KoogError
from koog.core.files import jsonfiles

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.host.given import Given

FOLDER = "told"
SESSIONS = 100  # of at most 40,000 characters each
DECIDING = ("observe", "context.otherProjects", "paths.projects")  # who may be told what


def text(run: Run, call: Given) -> str | None:
    """Return what the session was given, None for nothing yet, or nothing since the host says that it began anew."""
    try:
        kept = jsonfiles.loads(run.workspace.cached(_name(run, call)) or "{}")
        at = _moment(kept["at"])
        since = call.text("since")
        found = kept["text"]
        return found if isinstance(found, str) and (since is None or at >= _moment(since)) else None
    except (ValueError, KeyError, TypeError, KoogError):
        return None


def keep(run: Run, call: Given, given: str) -> None:
    """Keep what the session is given; of so many sessions the newest. Where that fails, the next turn asks again."""
    if call.session and not run.dry_run:
        value = {"at": _happened(run, call), "text": given}
        with suppress(KoogError):
            run.workspace.cache_among(FOLDER, _file(run, call), jsonfiles.line(value), keep=SESSIONS)


def forget(run: Run, call: Given) -> None:
    """Forget what the session was given before this event."""
    with suppress(ValueError, KeyError, TypeError, KoogError):
        kept = jsonfiles.loads(run.workspace.cached(_name(run, call)) or "{}")
        if _moment(kept["at"]) <= _moment(_happened(run, call)) and not run.dry_run:
            run.workspace.cache(_name(run, call), "{}")


def _happened(run: Run, call: Given) -> str:
    """Return when the host says that the event was, or else when it was told."""
    said = call.text("ts")
    with suppress(ValueError):
        if said and _moment(said):
            return said
    return clock.iso(run.now)


def _moment(said: Any) -> datetime:
    moment = datetime.fromisoformat(said)
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment


def _name(run: Run, call: Given) -> str:
    return f"{FOLDER}/{_file(run, call)}"


def _file(run: Run, call: Given) -> str:
    """Return the file of a session in its place, under these settings: another place is told something else."""
    at = call.place
    told = [call.session, call.session_key, at.project, at.scope, at.group, *map(run.settings.get, DECIDING)]
    return hashlib.sha256(jsonfiles.line(told).encode()).hexdigest()[:32] + ".json"
