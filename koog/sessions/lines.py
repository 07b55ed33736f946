"""Files of JSON lines that other programs append to, rotate, cut and rewrite while koog reads them.

The cursor of a conversation in files is the offset behind the last line that was
read, and a hash of the bytes before it:

    {"offset": 81234, "tail": "9f2c…", …what records.Heard keeps}

The last 4 KiB before the offset are hashed, not the whole file, so that a cursor is
checked in constant time. That finds whatever matters: a file that is shorter, or that
holds other bytes there, was cut or rewritten (a line carries its own id and moment,
so equal bytes are the same line at the same place), and what changed further up was
read already. A file under another name is found by the same hash. After a rewrite
the place is found by the ids and moments of what was heard (records.resume).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import IO

from koog.core.files import jsonfiles
from koog.core.files.outside import opened
from koog.core.named import NamedTuple
from koog.sessions.records import BATCH_CHARS, BATCH_TURNS, Heard, Parse, resume, turns_of
from koog.sessions.turn import Batch, Cursor, Turn

TAIL_BYTES = 4096
LINE_LIMIT = 16 << 20  # bytes; hosts put pictures into their lines, and memory stays bounded
BUFFER = 1 << 18  # bytes
ATTEMPTS = 50  # beginnings of a line that are tried when a writer died in the middle of one

TOO_LONG = "line over 16 MiB"


class Form(NamedTuple):
    """What a host's lines mean.

    parse    a record → its turns
    silent   whether a line surely says nothing, so that it need not be read as JSON; None: each is read
    """

    parse: Parse
    silent: Callable[[bytes], bool] | None = None


class Place(NamedTuple):
    """A place in a conversation that lies in several files: which one, and the byte offset in it."""

    part: int
    offset: int


Parts = Callable[[], Sequence[Path]]


def follow(parts: Parts, cursor: Cursor | None, *, form: Form, kind: str) -> Iterator[Batch]:
    """Yield what is new in a conversation that lies in files, the oldest first.

    The files are looked for, opened and checked again for each batch: between two
    batches the caller may wait a minute for a model.
    """
    heard = Heard(cursor, kind=kind)
    while True:
        try:
            batch = _batch(parts(), cursor, heard, form=form)
        except FileNotFoundError:
            return  # renamed or removed at this moment: the next read finds where it went
        except OSError as e:
            yield Batch((), cursor or {}, {f"cannot be read: {e.strerror}": 1})
            return
        if batch is None:
            return
        yield batch
        cursor = batch.cursor


def _batch(files: Sequence[Path], cursor: Cursor | None, heard: Heard, *, form: Form) -> Batch | None:
    """Return the next batch, None when nothing is left to read."""
    at = _place(files, cursor)
    if at is None and heard.at is not None:
        at = resume(_entries(files, form, heard.kind), heard)
    at = at or Place(0, 0)
    turns: list[Turn] = []
    tail: str | None = None
    room = BATCH_CHARS
    for part in range(at.part, len(files)):
        with opened(files[part], BUFFER) as file:
            offset = first = at.offset if part == at.part else 0
            for offset, line in lines(file, first):  # noqa: B007  the place behind the last line is kept
                for turn in turns_of_line(line, heard, form=form):
                    turns.append(turn)
                    room -= len(turn.text)
                if len(turns) >= BATCH_TURNS or room <= 0:
                    break
            if offset or part == at.part:
                at, tail = Place(part, offset), tail_hash(file, offset)
        if len(turns) >= BATCH_TURNS or room <= 0:
            break
    unknown, heard.unknown = dict(heard.unknown), type(heard.unknown)()
    made = Batch(tuple(turns), {"offset": at.offset, "tail": tail, **heard.cursor()}, unknown, heard.take_spent())
    moved = made.cursor != cursor if cursor else at.offset > 0
    return made if moved and files else None


def _place(files: Sequence[Path], cursor: Cursor | None) -> Place | None:
    """Return where the cursor points to, None when no file has those bytes there (any more)."""
    offset, tail = (cursor or {}).get("offset"), (cursor or {}).get("tail")
    if not isinstance(offset, int) or not isinstance(tail, str) or offset <= 0:
        return None
    for part, path in enumerate(files):
        with opened(path, 0) as file:
            if tail_hash(file, offset) == tail:
                return Place(part, offset)
    return None


def tail_hash(file: IO[bytes], offset: int) -> str | None:
    """Return the hash of the bytes that end at the offset, None when the file ends before it."""
    first = max(0, offset - TAIL_BYTES)
    file.seek(first)
    before = file.read(offset - first)
    return blake2b(before, digest_size=8).hexdigest() if len(before) == offset - first else None


def _entries(files: Sequence[Path], form: Form, kind: str) -> Iterator[tuple[Place, Place, list[Turn]]]:
    """Yield every line's places and turns, for a conversation that was rewritten."""
    scratch = Heard(kind=kind)
    for part, path in enumerate(files):
        before = Place(part, 0)
        with opened(path, BUFFER) as file:
            for offset, line in lines(file, 0):
                after = Place(part, offset)
                yield before, after, turns_of_line(line, scratch, form=form)
                before = after


# --- lines


def lines(file: IO[bytes], offset: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield the offset behind each line and the line, None for one over LINE_LIMIT. A half-written last line waits.

    A last line without a line end is whole when it is a JSON object: no part of one is.
    """
    file.seek(offset)
    while line := file.readline(LINE_LIMIT):
        offset += len(line)
        if line.endswith(b"\n"):
            yield offset, line
        elif len(line) < LINE_LIMIT:
            if is_object(line):
                yield offset, line
            return
        else:
            size = _rest_of_line(file)
            if size is None:
                return
            offset += size
            yield offset, None


def _rest_of_line(file: IO[bytes]) -> int | None:
    """Read to the end of the line; return its length, None when the file ends first."""
    size = 0
    while chunk := file.readline(BUFFER):
        size += len(chunk)
        if chunk.endswith(b"\n"):
            return size
    return None


def turns_of_line(line: bytes | None, heard: Heard, *, form: Form) -> list[Turn]:
    """Return the turns of one line; what is no record is counted."""
    if line is None:
        heard.pass_over(TOO_LONG)
        return []
    if form.silent is not None and form.silent(line):
        return []
    try:
        record = jsonfiles.lenient(line)
    except ValueError:
        if not line.strip(b"\0 \t\r\n"):
            return []
        heard.pass_over("not JSON")
        line = last_object(line)
        if line is None:
            return []
        record = jsonfiles.lenient(line)
    heard.line = line
    return turns_of(record, heard, parse=form.parse)


def last_object(line: bytes) -> bytes | None:
    """Return the whole record at the end of a line that begins with half of another one.

    That is what stands there when a host was killed while it wrote, and went on
    later. No part of a record is itself followed by the end of the line, so the
    first beginning from which the rest is one object is the right one.
    """
    at = 0
    for _ in range(ATTEMPTS):
        at = line.find(b'{"', at + 1)
        if at < 0:
            return None
        if is_object(line[at:]):
            return line[at:]
    return None


def is_object(line: bytes) -> bool:
    try:
        return isinstance(jsonfiles.lenient(line), dict)
    except ValueError:
        return False
