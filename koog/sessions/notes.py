"""Whose a note is that a host wrote itself. Pure.

OpenClaw's session-memory hook keeps a session that ends as `memory/DAY-SLUG.md`, and says in it which one that was
(src/hooks/bundled/session-memory/HOOK.md in https://github.com/openclaw/openclaw):

    # Session: 2026-01-16 14:30:00 UTC

    - **Session Key**: agent:main:telegram:group:-100123
    - **Session ID**: abc123def456
    - **Source**: telegram
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled
from koog.sessions import place

HINT = "Session Key"
KEY = r"(?m)^(?:[-*] )?\**Session Key(?::\**|\**:)[ \t]*`?([^\s`*]+)`?[ \t]*\r?$"


def group_of_note(text: str) -> str:
    """Return the group or channel that a note was made of, "" for any other note.

    Of a note with several sessions in it one group makes the whole a group's.

    >>> group_of_note("# Session\\n\\n- **Session Key**: agent:main:telegram:group:-100:topic:7\\n")
    'telegram:group:-100'
    """
    if HINT not in text:
        return ""
    return next((name for key in compiled(KEY).findall(text) if (name := place.group(key))), "")
