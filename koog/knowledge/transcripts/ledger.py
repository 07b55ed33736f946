"""`memory/meta/transcripts.json`: which transcripts are open, and how far each host's session was taken.  [design §3]

    {"version": 1,
     "open": {"claude/3f": {"path": "raw/conversations/…", "at": "2026-02-16T19:30:00Z", "role": "agent", …}},
     "sessions": {"claude/3f": {…}}}

open       session key → its transcript, and what stands at its end; one that was begun by command is `koog/ID`
sessions   session key → the reader's cursor, of the same kind as those in cursors.json: what `observe` has read is
           judged, which may wait for a model, and what is taken here is only written down

It is committed with whatever is committed next. Pure, but for `load`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from koog.core import clock, cursor_parts
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple
from koog.knowledge.transcripts import naming
from koog.knowledge.transcripts.format import Last
from koog.sessions.turn import Cursor, Spent

if TYPE_CHECKING:
    from koog.core.files.tree import Tree

NAME = "meta/transcripts.json"
TOLD = "koog"  # what keys of sessions that were begun by command begin with
KNOWN_IDS = 8  # of a session that has ended: by which its place is found again if it goes on


class Open(NamedTuple):
    """One transcript whose session lasts.

    at     of its last turn, else when it began
    last   what stands at its end
    spent  model and tokens so far
    private  whose private block goes on in what that role says next, "" for nobody's
    past  how much had changed in its first minute when it began: the audit log tells no seconds
    """

    path: str
    at: datetime
    last: Last
    spent: Spent = Spent()
    private: str = ""
    past: int = 0


class Ledger(NamedTuple):
    """What the file says."""

    open: dict[str, Open]
    cursors: dict[str, Cursor]


def load(workspace: Tree) -> Ledger:
    """Return the ledger as it is on disk. Raises WorkspaceError when the file cannot be read."""
    return parse(workspace.text(workspace.in_memory(NAME)))


def parse(text: str | None) -> Ledger:
    """Return what the text of the file says; rows that are none are left out. Raises WorkspaceError."""
    value = cursor_parts.parse(text, name=NAME)
    rows = {key: _open(row) for key, row in cursor_parts.part(value, "open").items()}
    opened = {key: row for key, row in rows.items() if row is not None}
    return Ledger(opened, {key: c for key, c in cursor_parts.part(value, "sessions").items() if isinstance(c, dict)})


def changed(text: str, *, opened: Mapping[str, Open | None], cursors: Mapping[str, Cursor]) -> str:
    """Return the file with some transcripts opened, gone on or ended (None), and some cursors moved."""
    value = cursor_parts.parse(text, name=NAME)
    rows = {key: row for key, row in cursor_parts.part(value, "open").items() if key not in opened}
    rows |= {key: _row(each) for key, each in opened.items() if each is not None}
    moved = {**cursor_parts.part(value, "sessions"), **cursors}
    return jsonfiles.pretty({"version": 1, **value, "open": rows, "sessions": moved})


def slim(cursor: Cursor) -> Cursor:
    """Return the cursor of a session that has ended: thousands of them are kept."""
    ids = cursor.get("ids")
    return {**cursor, "ids": ids[-KNOWN_IDS:], "calls": {}} if isinstance(ids, list) else cursor


def _row(each: Open) -> dict[str, Any]:
    last, spent = each.last, each.spent
    told = {"role": last.role, "memory": last.memory, "said": last.said, "line": last.line}
    used = {"model": spent.model, "tokensIn": spent.tokens_in, "tokensOut": spent.tokens_out}
    more: dict[str, Any] = {"private": each.private} if each.private else {}
    more |= {"past": each.past} if each.past else {}
    return {"path": each.path, "at": clock.iso(each.at), **told, **used, **more}


def _open(row: Any) -> Open | None:
    """Return an open transcript, None for a row that is none: the file is anybody's to write."""
    path, at = (row.get("path"), clock.parse(row.get("at"))) if isinstance(row, dict) else (None, None)
    if not isinstance(path, str) or at is None or not naming.is_path(path):
        return None
    role = str(row.get("role") or "")
    said, line = row.get("said") is True, row.get("line") is True
    last = Last(_day(at), f"{at:%H:%M}" if role else "", role, row.get("memory") is True, said, line)
    spent = Spent(str(row.get("model") or ""), _count(row.get("tokensIn")), _count(row.get("tokensOut")))
    return Open(path, at, last, spent, str(row.get("private") or ""), _count(row.get("past")))


def _day(at: datetime) -> date:
    return at.date()


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
