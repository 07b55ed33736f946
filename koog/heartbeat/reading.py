"""Which parts of the daily notes are still to be mined.  [sinain §4.5, design §5]

A file is known by how many of its bytes were mined and their hash: what was
appended is mined from there, what was changed is mined again, a date stays mined
after it has left the seven days of the `mining-index` comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import zip_longest
from typing import Any, TypeVar

from koog.core.errors import WorkspaceError
from koog.core.files import atomic, daily
from koog.core.files.workspace import Workspace
from koog.core.text.notes import open_fence
from koog.heartbeat import foreign
from koog.heartbeat.notes import Note
from koog.sessions.labels import NONE, Label

T = TypeVar("T")

PART_CHARS = 12_000  # about 3,000 tokens: an answer still cites the right line
LINE_CHARS = 4 * PART_CHARS  # of one line in a call: a line is cut nowhere else
HASH_CHARS = 16  # enough to tell two versions of a note apart; there are years of notes
LEFT = "left"  # in a cursor: whose the note is, which was not mined because this workspace does not learn from them
SETTLED = timedelta(days=7)  # a note older than this is taken as unchanged while its size is


@dataclass(frozen=True)
class Unread:
    """A daily file with something new in it.

    start   the first byte that was not mined
    label   whose it is
    text    what of it is read, line by line as in the file; None for all of it
    """

    path: str
    date: str
    data: bytes
    start: int
    label: Label = NONE
    text: str | None = None

    @property
    def begin(self) -> int:
        """The first character that was not mined."""
        return len(atomic.decode(self.data[: self.start]))


@dataclass(frozen=True)
class Part:
    """A piece of a file for one call, and the cursor that stands when it is mined."""

    note: Note
    cursor: dict[str, Any]
    label: Label = NONE


def told(read: Callable[[str], T | None], path: str, warnings: list[str]) -> T | None:
    """Return what reading a note gives; None, with a warning, when it cannot be read: the others still are."""
    try:
        return read(path)
    except WorkspaceError as e:
        warnings.append(e.message)
        return None


def unread(
    workspace: Workspace,
    files: dict[str, Any],
    *,
    today: date,
    warnings: list[str],
    again: Callable[[dict[str, Any]], bool] = lambda _: False,
) -> list[Unread]:
    """Return the files with something to mine, newest first.

    files      path → {bytes, sha256}, from cursors.json
    warnings   takes why a file cannot be read; it stays unmined
    again      whether a file with such a cursor is to be mined from its beginning

    A note of a day to come is left for its day (tomorrow counts as here: the host
    may live in another zone).
    """
    found = []
    latest = (today + timedelta(days=1)).isoformat()
    notes = daily.with_extracted(workspace)
    moved = _moved(files, {note.path for note in notes})
    for path, day, size in notes:
        if day > latest:
            continue
        cursor = files.get(path)
        cursor = None if cursor and again(cursor) else cursor
        old = today - date.fromisoformat(day) > SETTLED
        if cursor and old and size == cursor.get("bytes"):
            continue
        data = told(workspace.read, path, warnings)
        if data is None:
            continue
        if cursor is None and moved.get(len(data)) and _digest(data) in moved[len(data)]:
            found.append(Unread(path, day, data, len(data)))  # under its old name it was mined to the end
            continue
        start = _start(data, cursor)
        if data[start:].strip(b" \t\r\n\0") or (cursor is None and not data):
            found.append(Unread(path, day, data, start))
    return found


def _moved(files: dict[str, Any], there: set[str]) -> dict[int, set[str]]:
    """Return length → digests of what was mined and has its name no more: a person has called a folder otherwise."""
    gone: dict[int, set[str]] = {}
    for path, cursor in files.items():
        if path not in there and cursor.get("bytes") and LEFT not in cursor:
            gone.setdefault(cursor["bytes"], set()).add(str(cursor.get("sha256")))
    return gone


def pick(found: Sequence[Unread], *, most: int) -> list[Unread]:
    """Return the newest file and, while more are waiting, the oldest: neither end starves.

    Files without content are no work and take no place.
    """
    full = [u for u in found if u.data[u.start :].strip()]
    if len(full) <= most:
        return full
    return [*full[: most - 1], full[-1]]


def mixed(observed: Sequence[Part], noted: Sequence[Part]) -> list[Part]:
    """Return parts of both by turns, so that neither has to wait until all of the other is mined."""
    return [part for pair in zip_longest(observed, noted) for part in pair if part]


def empty(found: Sequence[Unread]) -> list[Unread]:
    return [u for u in found if not u.data[u.start :].strip()]


def parts(item: Unread) -> Iterator[Part]:
    """Cut what is new in a file at line ends, one part when it is asked for.

    The whole file loses its private blocks first, so that a `<private>` which was opened
    in the mined part still hides what was appended. A part that begins inside a code fence begins with that fence's
    first row, in place of the row before.
    """
    raw = item.data.split(b"\n")
    text = atomic.decode(item.data) if item.text is None else item.text
    rows = foreign.Rows(text.replace("\r\n", "\n"))
    lines = rows.raw
    first = item.data.count(b"\n", 0, item.start)
    open_end = item.start and item.data[item.start - 1 : item.start] != b"\n"
    if open_end and item.data.startswith((b"\n", b"\r\n"), item.start):
        first += 1  # the last mined line had no line end then, and has not grown since
    ends = _offsets(raw)
    fence = open_fence(lines[:first])
    mined, upto = sha256(), 0  # hashed once along the file: there are notes of fifty megabytes
    while first < len(lines):
        last, size = first, 0
        while last < len(lines) and (last == first or size + len(lines[last]) < PART_CHARS):
            size += len(lines[last]) + 1
            last += 1
        done = min(ends[min(last, len(ends)) - 1], len(item.data))
        *begun, text = _pieces("\n".join(rows.said(first, last)))
        head, line = (f"{fence}\n", first) if fence else ("", first + 1)
        before = _cursor(upto, mined.hexdigest()) if upto else cursor(item.data, item.start)
        for piece in begun:  # of one line: it counts as mined with its last piece
            yield Part(Note(item.path, item.date, head + piece, line), before, item.label)
        mined.update(item.data[upto:done])
        upto = done
        yield Part(Note(item.path, item.date, head + text, line), _cursor(done, mined.hexdigest()), item.label)
        fence = open_fence([*filter(None, [fence]), *lines[first:last]])
        first = last


def _pieces(text: str) -> list[str]:
    """Return a text that is too long for one call in pieces, cut behind a sentence, else at a blank or anywhere.

    >>> [len(piece) for piece in _pieces("We paint. " * 6000)]
    [48000, 12000]
    """
    found = []
    while len(text) > LINE_CHARS:
        ends = (text.rfind(end, LINE_CHARS // 2, LINE_CHARS) + len(end) for end in (". ", "。", " "))
        at = next((end for end in ends if end > LINE_CHARS // 2), LINE_CHARS)
        found.append(text[:at])
        text = text[at:]
    return [*found, text]


def cursor(data: bytes, done: int) -> dict[str, Any]:
    """Return the cursor of a file that is mined up to a byte."""
    return _cursor(done, sha256(data[:done]).hexdigest())


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:HASH_CHARS]


def _cursor(done: int, digest: str) -> dict[str, Any]:
    return {"bytes": done, "sha256": digest[:HASH_CHARS]}


def _start(data: bytes, known: Any) -> int:
    """Return where to go on: behind the mined bytes when they are unchanged, else at the beginning."""
    if not isinstance(known, dict) or not isinstance(known.get("bytes"), int):
        return 0
    done = known["bytes"]
    told = str(known.get("sha256"))
    same = len(told) >= HASH_CHARS and sha256(data[:done]).hexdigest().startswith(told)
    return done if 0 <= done <= len(data) and same else 0


def _offsets(raw: Sequence[bytes]) -> list[int]:
    """Return the byte behind each line, its line end included."""
    ends, at = [], 0
    for line in raw:
        at += len(line) + 1
        ends.append(at)
    return ends
