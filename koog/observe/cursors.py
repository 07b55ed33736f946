"""The `observe` part of memory/meta/cursors.json: how far each session was observed.  [design §3, §5]

    {"observe": {"since": "2026-02-28T07:14:00Z",
                 "sessions": {"openclaw/main/3f": {…}},
                 "partly": {"openclaw/main/3f": "a7"}, "again": {"openclaw/main/3f": 1}}, …}

since      when observing began, less the two hours that it looks back: what was said before
           is not read, in a session that has no cursor yet
sessions   session key → the reader's cursor
partly     session key → id of the last turn, of those after the cursor, that was observed too
again      session key → how many answers about what comes next were mostly dropped

The heartbeat's parts of the file stay as they are, and it keeps this one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from koog.core import clock, cursor_parts
from koog.core.files.workspace import Workspace
from koog.sessions.turn import Cursor

NAME = cursor_parts.NAME


def load(workspace: Workspace) -> dict[str, Any]:
    """Return the `observe` part as it is on disk. Raises WorkspaceError when the file cannot be read."""
    return part(workspace.text(workspace.in_memory(NAME)))


def part(text: str | None) -> dict[str, Any]:
    """Return the `observe` part of the file's text, {} when there is none. Raises WorkspaceError."""
    return cursor_parts.part(cursor_parts.parse(text), "observe")


def since(observed: dict[str, Any]) -> datetime | None:
    return clock.parse(observed.get("since"))


def session(observed: dict[str, Any], key: str) -> Cursor | None:
    """Return a session's cursor, None when it was never observed."""
    cursor = cursor_parts.part(observed, "sessions").get(key)
    return cursor if isinstance(cursor, dict) else None


def keys(observed: dict[str, Any]) -> set[str]:
    """Return the keys of the sessions that were observed, if only in part."""
    return {*cursor_parts.part(observed, "sessions"), *cursor_parts.part(observed, "partly")}


def partly(observed: dict[str, Any], key: str) -> str | None:
    done = cursor_parts.part(observed, "partly").get(key)
    return done if isinstance(done, str) else None


def again(observed: dict[str, Any], key: str) -> int:
    times = cursor_parts.part(observed, "again").get(key)
    return times if isinstance(times, int) else 0


def counted(text: str, key: str, times: int) -> str:
    """Return the file with how many answers about what comes next in a session were mostly dropped; 0 forgets it."""
    value = cursor_parts.parse(text)
    observed = cursor_parts.part(value, "observe")
    others = {each: n for each, n in cursor_parts.part(observed, "again").items() if each != key}
    return cursor_parts.rendered(value, "observe", {**observed, "again": {**others, **({key: times} if times else {})}})


def begun(text: str, when: datetime) -> str:
    """Return the file with the moment from which on sessions are observed."""
    value = cursor_parts.parse(text)
    return cursor_parts.rendered(value, "observe", {**cursor_parts.part(value, "observe"), "since": clock.iso(when)})


def moved(text: str, key: str, cursor: Cursor | None, *, done: str | None = None) -> str:
    """Return the file with a session's cursor moved.

    cursor   None leaves it where it is
    done     id of the last turn after the cursor that was observed; None when the cursor says it all
    """
    value = cursor_parts.parse(text)
    observed = cursor_parts.part(value, "observe")
    sessions, partly = dict(cursor_parts.part(observed, "sessions")), dict(cursor_parts.part(observed, "partly"))
    if cursor is not None:
        sessions[key] = cursor
    partly.pop(key, None)
    if done is not None:
        partly[key] = done
    moved = {**observed, "sessions": sessions, "partly": partly}
    if "again" in moved:
        moved["again"] = {each: times for each, times in cursor_parts.part(moved, "again").items() if each != key}
    return cursor_parts.rendered(value, "observe", moved)
