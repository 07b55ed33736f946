"""A session's startup text as it was first given: each turn of it has the same bytes before it.  [openclaw.md]

    told/<digest>.json of the state root   {"at": when, "text": TEXT}

OpenClaw keeps nothing of what a hook adds to a prompt, so every turn brings it again, and a text that changed in the
middle of a session would cost the provider's prompt cache. It outlives the gateway. It is made anew after a
compaction, at a session's end (a reset is one), and where the settings say otherwise who may be told what. An
event that comes late takes away only what was given before it happened: hooks of one moment run side by side.

An agent can write the whole workspace, and this stands in the system prompt of other sessions: so it is kept where
the agent cannot write, and a koog that has no such place keeps nothing, and makes the text on every turn.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from koog.core import clock
from koog.core.errors import KoogError
from koog.core.files import jsonfiles
from koog.core.files.roots import put_among
from koog.host import answers

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.host.given import Given

FOLDER = "told"
SESSIONS = 100  # of at most 40,000 characters each
SKEW = timedelta(minutes=1)
DECIDING = ("observe", "context.otherProjects", "paths.projects")  # who may be told what


def of_turn(run: Run, call: Given) -> str:
    """Return what this turn of a session is told: what the session was given, else a text that is made now."""
    found = _kept(run, call)
    if found is None:
        found = startup(run, call.host)
        _keep(run, call, found)
    return found


def startup(run: Run, host: str) -> str:
    """Return what the agent starts with, between koog's marks, so that it is not observed as news; "" for nothing."""
    from koog.observe.startup import text

    return answers.cut(text(run, budget=answers.BUDGET[host]), host=host)


def forget(run: Run, call: Given) -> None:
    """Forget what the session was given before this event."""
    if run.state_root and not run.dry_run:
        with suppress(ValueError, KeyError, TypeError, OSError, KoogError):
            at, _ = _read(run, call)
            happened = _moment(_happened(run, call))
            if at <= happened or _is_later(at, happened):
                run.state_root.remove(_name(run, call))


def _kept(run: Run, call: Given) -> str | None:
    """Return what the session was given, None for nothing yet, or nothing since the host says that it began anew."""
    try:
        at, found = _read(run, call)
        since = call.text("since")
        is_old = since is not None and at < _moment(since)
        return None if is_old or _is_later(at, _moment(_happened(run, call))) else found
    except (ValueError, KeyError, TypeError, OSError, KoogError):
        return None


def _keep(run: Run, call: Given, given: str) -> None:
    """Keep what the session is given; of so many sessions the newest. Where that fails, the next turn asks again."""
    if call.session and run.state_root and not run.dry_run:
        value = {"at": _happened(run, call), "text": given}
        with suppress(OSError, KoogError):
            put_among(run.state_root.root, FOLDER, f"{_digest(run, call)}.json", jsonfiles.line(value), keep=SESSIONS)


def _read(run: Run, call: Given) -> tuple[datetime, str]:
    """Return when a session was given something, and what. Raises ValueError, KeyError, TypeError, KoogError."""
    kept = (run.state_root and run.state_root.get(_name(run, call))) or {}
    if not isinstance(kept["text"], str):
        raise TypeError("no text")
    return _moment(kept["at"]), kept["text"]


def _is_later(at: datetime, moment: datetime) -> bool:
    """Return whether the clock was put back since: by that much no two hooks of one moment pass each other."""
    return at - moment > SKEW


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
    """Return the file of a session in its place, under these settings: another place is told something else."""
    return f"{FOLDER}/{_digest(run, call)}"


def _digest(run: Run, call: Given) -> str:
    at = call.place
    told = [call.session, call.session_key, at.project, at.scope, at.group, *map(run.settings.get, DECIDING)]
    return hashlib.sha256(jsonfiles.line(told).encode()).hexdigest()[:32]
