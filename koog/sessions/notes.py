"""Whose a note is that a host wrote itself. Pure.

OpenClaw's session-memory hook keeps a session that ends as `memory/DAY-SLUG.md`, and says in it which one that was
(src/hooks/bundled/session-memory/HOOK.md in https://github.com/openclaw/openclaw):

    # Session: 2026-01-16 14:30:00 UTC

    - **Session Key**: agent:main:telegram:group:-100123
    - **Session ID**: abc123def456
    - **Source**: telegram
"""

from __future__ import annotations

from datetime import datetime
from itertools import zip_longest

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.sessions import place

HINT = "Session Key"
HEAD_CHARS = 1000  # what is said of a session stands in its first lines
HEADER = r"(?m)^\ufeff?# Session: (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d) UTC[ \t]*\r?$"
ID = r"(?m)^[-*] \**Session ID(?::\**|\**:)[ \t]*`?([^\s`*]+)`?[ \t]*\r?$"
KEY = r"(?m)^(?:[-*] )?\**Session Key(?::\**|\**:)[ \t]*`?([^\s`*]+)`?[ \t]*\r?$"

TURN = r"(?m)^(?:user|assistant): |^## Conversation Summary[ \t]*\r?$"
BELOW = r"(?m)^(?P<fence>`{3}|~{3})(?s:.*?)(?:^(?P=fence)|\Z)|^[ \t]*\r?\n(?P<heading>#{1,3} )"


class Dump(NamedTuple):
    """A session that OpenClaw has kept as a note.

    key, id     of the session, "" where the note does not say
    at          when it was kept, UTC
    start, end  where its part of the note lies: what another hand wrote below is none of it
    """

    key: str
    id: str
    at: datetime | None
    start: int = 0
    end: int = 0


def dumps(text: str) -> list[Dump]:
    """Return the sessions that a note consists of; [] for a note that somebody wrote.

    >>> dumps("# Session: 2026-01-16 14:30:00 UTC\\n\\n- **Session Key**: agent:main:main\\n")[0].key
    'agent:main:main'
    """
    if not text.lstrip("\ufeff \r\n").startswith("# Session: "):
        return []
    begins = list(compiled(HEADER).finditer(text))
    ends = [begin.start() for begin in begins[1:]]
    found = []
    for begin, end in zip_longest(begins, ends):
        head = text[begin.end() : end][:HEAD_CHARS]
        key, identity = compiled(KEY).search(head), compiled(ID).search(head)
        at = clock.parse(f"{begin[1]}T{begin[2]}Z")
        stop = len(text) if end is None else end
        where = begin.start(), _end(text, begin.end(), stop)
        found.append(Dump(key[1] if key else "", identity[1] if identity else "", at, *where))
    return found if all(each.key for each in found) else []


def goes_on(text: str) -> bool:
    """Return whether a text begins with another turn of a conversation."""
    return compiled(TURN).match(text.lstrip()) is not None


def _end(text: str, begin: int, stop: int) -> int:
    """Return where a session's part ends: with a heading behind its last turn, which stands in no code."""
    for turn in compiled(TURN).finditer(text, begin, stop):
        begin = turn.end()
    below = compiled(BELOW).finditer(text, begin, stop)
    return next((found.start("heading") for found in below if found["heading"]), stop)


def group_of_note(text: str) -> str:
    """Return the group or channel that a note was made of, "" for any other note.

    Of a note with several sessions in it one group makes the whole a group's.

    >>> group_of_note("# Session\\n\\n- **Session Key**: agent:main:telegram:group:-100:topic:7\\n")
    'telegram:group:-100'
    """
    if HINT not in text:
        return ""
    return next((name for key in compiled(KEY).findall(text) if (name := place.group(key))), "")
