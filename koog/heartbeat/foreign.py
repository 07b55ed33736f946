"""What stands in daily notes and is nobody's words there: sessions that are observed, koog's replies.  [design §5]

OpenClaw keeps a session that ends as a note (sessions/notes.py). Where that session is observed, the note says it a
second time. Where nobody observes it, the note is all there is of it, and its turns are read as talk.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.core.text import marks
from koog.core.text.notes import open_fence
from koog.core.text.secrets import line_breaks, redact_secrets
from koog.core.text.untrusted import strip_private
from koog.observe import cursors
from koog.sessions import notes, place, taken
from koog.sessions.notes import Dump

# A reply of koog's behind other words or in a quoted turn: it begins here, and goes to the end of its line.
MEMO = "heartbeat/foreign"
KEY = "PRIVATE KEY"  # a secret that may run over many lines
AROUND = 4  # lines before and behind a piece that are looked at with it: a secret may stand on two
LONGEST = 60_000  # characters of a line that are read: what is longer nobody wrote
REPLY_BEGIN, REPLY_HINT = r'\{(?:\s|\\n)*\\*"ok\\*" ?: ?(?:true|false)', r'schema\\*" ?: ?\\*"koog\.'


class _Observing(NamedTuple):
    """ids: of OpenClaw's sessions that were observed; since: the moment; is_read: OpenClaw's sessions are read here"""

    ids: frozenset[str]
    since: datetime | None
    is_read: bool


def said(text: str) -> str:
    """Return what people and their agent wrote in a note: no private block, no secret, nothing of koog's own.

    Its line breaks stay, so that file:line stays true.
    """
    text = redact_secrets(_own(text))
    if '"koog.' not in text:
        return text
    return "\n".join(map(_without_reply, text.split("\n")))


class Rows:
    """The lines of a note, cleaned as `said` does when they are asked for: a note may have megabytes."""

    def __init__(self, text: str) -> None:
        text = _own(text)
        self.raw = (redact_secrets(text) if KEY in text else text).split("\n")

    def said(self, first: int, last: int) -> list[str]:
        """Return the lines from the first on, without the last."""
        begin = max(0, first - AROUND)
        around = "\n".join(row[:LONGEST] for row in self.raw[begin : last + AROUND])
        rows = redact_secrets(around).split("\n")[first - begin :][: last - first]
        return [_without_reply(row) if '"koog.' in row else row for row in rows]

    def tail(self, chars: int) -> str:
        """Return the last lines, not many more characters than that; inside a code fence it begins with one."""
        first, size = len(self.raw), 0
        while first and size < chars:
            first -= 1
            size += min(len(self.raw[first]) + 1, LONGEST)
        begin = [open_fence(self.raw[:first])] if first else []  # an empty line: what comes now is no head of the file
        return "\n".join([*begin, *self.said(first, len(self.raw))])


def _own(text: str) -> str:
    return strip_private(marks.blanked(text))


def _without_reply(row: str) -> str:
    begin = compiled(REPLY_BEGIN).search(row) if compiled(REPLY_HINT).search(row) else None
    if begin is None:
        return row
    is_quoted = row.rstrip().endswith('"') and '\\"' in begin[0]
    return row[: begin.start()].rstrip() + ('"' if is_quoted else "")


def left(run: Run, text: str, start: int = 0, *, to_be: bool = False) -> str:
    """Return a note without the sessions in it that are observed or of no person; its line breaks stay.

    start   the character behind what was mined: what somebody added there to a session is his own
    to_be   without those that the next `observe` reads, too
    """
    out, last = [], 0
    for each in notes.dumps(text):
        if is_observed(run, each) or _is_nobodys(each) or (to_be and _is_to_be(run, each)):
            is_added = each.start < start < each.end and not notes.goes_on(text[start : each.end])
            end = start if is_added else each.end
            out += [text[last : each.start], line_breaks(text[each.start : end])]
            last = end
    return "".join((*out, text[last:]))


def is_told_elsewhere(run: Run, text: str, start: int = 0) -> bool:
    """Return whether a note has nothing, from a character on, but sessions that are told elsewhere."""
    return bool(notes.dumps(text)) and not _from(left(run, text, start, to_be=True), text, start)


def is_settled(run: Run, text: str, start: int = 0) -> bool:
    """Return whether nothing of a note will ever have to be read: each of its sessions was observed, or is nobody's."""
    return bool(notes.dumps(text)) and not _from(left(run, text, start), text, start)


def waits(run: Run, text: str) -> bool:
    """Return whether a note is made of sessions that are told elsewhere, and one of them is still to be observed."""
    found = [each for each in notes.dumps(text) if not (is_observed(run, each) or _is_nobodys(each))]
    return bool(found) and all(_is_to_be(run, each) for each in found)


def _from(left: str, text: str, start: int) -> str:
    return "\n".join(left.split("\n")[text.count("\n", 0, start) :]).strip()


def is_observed(run: Run, dump: Dump) -> bool:
    """Return whether a session was observed, whatever its agent is called there."""
    return bool(dump.id) and dump.id in _observing(run).ids


def _observing(run: Run) -> _Observing:
    """Return what `observe` has done, read once as long as its file does not change: there may be years of sessions."""
    workspace = run.workspace
    state = workspace.state(workspace.in_memory(cursors.NAME))
    known: tuple[Any, _Observing] | None = workspace.memo.get(MEMO)
    if known is None or known[0] != state:
        observed = cursors.load(workspace)
        own = [key for key in cursors.keys(observed) if key.startswith(f"{place.OPENCLAW}/")]
        ids = frozenset(key.rpartition("/")[2] for key in own)
        is_read = any(reader.host == place.OPENCLAW for reader in taken.readers(run))
        known = workspace.memo[MEMO] = (state, _Observing(ids, cursors.since(observed), is_read))
    return known[1]


def _is_nobodys(dump: Dump) -> bool:
    from koog.sessions.openclaw_records import kind_of  # its patterns are for the one who meets such a note

    return kind_of(dump.key) not in (None, "main")


def _is_to_be(run: Run, dump: Dump) -> bool:
    """Return whether the next `observe` here reads a session: it does not read what was said before it began."""
    since = _observing(run).since
    if since is None or dump.at is None or dump.at < since:
        return False
    taking, at = taken.of(run), place.of(place.OPENCLAW, key=dump.key)
    if not taking.covers(place.OPENCLAW, at) or (at.is_group and not taking.lists(at.group, project=at.project)):
        return False
    return _observing(run).is_read
