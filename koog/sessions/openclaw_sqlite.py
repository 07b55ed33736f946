"""OpenClaw's database, since 2026.7.2: STATE/agents/AGENT/agent/openclaw-agent.sqlite.  [openclaw.md, Store of 2026.9]

The cursor is where the last row stood, in which generation of the session, and which entry it was:

    {"generation": "712333a7…", "seq": 91, "entry": "0f12…", …what records.Heard keeps}

Each batch is one short read of its own, so that no snapshot is held while a model
thinks. It checks the cursor first: another generation (rows were deleted and renumbered),
or another entry at that seq, and the place is looked for by ids (records.resume).
Deleted sessions lie beside the database, one compressed file each, read the same way.
"""

from __future__ import annotations

import io
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import islice, takewhile
from pathlib import Path
from urllib.parse import quote

from koog.core import clock
from koog.core.files import jsonfiles, outside
from koog.sessions import place, zstd
from koog.sessions.ends import last_said
from koog.sessions.lines import is_object
from koog.sessions.openclaw_files import folders
from koog.sessions.openclaw_records import chat_by_words, kind_by_words, kind_of, parse
from koog.sessions.records import (
    BATCH_CHARS,
    BATCH_TURNS,
    Heard,
    as_dict,
    fingerprint,
    moment,
    resume,
    turns_of,
)
from koog.sessions.turn import UNLISTED, Batch, Cursor, Session, Turn

DATABASE = "openclaw-agent.sqlite"  # exactly: copies for an index lie beside it
ARCHIVED = ".zst"
ARCHIVE = re.compile(r"(?P<id>[^.]+)\.jsonl\.deleted\.(?P<when>.+)\.(?P<generation>[^.]+)\.zst")
BUSY_S = 2.0
NO_ZSTD = "compressed record: the Python package zstandard is missing"
SAMPLE = 16  # rows in which a session's first words are looked for

CHAT = "SELECT 1 FROM pragma_table_info('session_windows') WHERE name = 'chat_type'"
SESSIONS = """
SELECT e.session_id, w.session_key, n.created_via, {chat},
       COALESCE(w.transcript_updated_at, w.updated_at, MAX(e.created_at)) AS changed
FROM transcript_events e
LEFT JOIN session_windows w ON w.session_id = e.session_id
LEFT JOIN session_nodes n ON n.session_key = w.session_key
GROUP BY e.session_id
"""
GENERATION = "SELECT generation FROM transcript_rewrite_watermarks WHERE session_id = ?"
ROWS = "SELECT seq, event_json, event_zstd FROM transcript_events WHERE session_id = ? AND seq >= ? ORDER BY seq"

Row = tuple[int, object, str]  # seq, record, what is wrong with it


def sessions(root: Path) -> list[Session]:
    """Return the sessions in all databases below a folder, and the archived ones."""
    found: dict[str, Session] = {}
    for path in _files(root):
        listed = _archived(path) if path.name.endswith(ARCHIVED) else _listed(path)
        for session in listed:
            found.setdefault(session.key, session)
    return list(found.values())


def read(session: Session, cursor: Cursor | None) -> Iterator[Batch]:
    """Yield what is new. What is busy or broken is told in a batch's `unknown`, and read next time."""
    heard = Heard(cursor, kind=session.kind)
    batches = _archive_batches if session.path.endswith(ARCHIVED) else _batches
    try:
        for batch in batches(session, cursor, heard):
            cursor = batch.cursor
            yield batch
    except (sqlite3.Error, OSError) as e:
        yield Batch((), cursor or {}, {f"cannot be read: {e}": 1})


def first_records(session: Session) -> list[object]:
    """Return the first records of a session, [] where they cannot be read."""
    try:
        if session.path.endswith(ARCHIVED):
            return [record for _, record, _ in islice(_lines(Path(session.path)) if zstd.unpacker() else (), SAMPLE)]
        with closing(_open(Path(session.path))) as db:
            rows = db.execute(ROWS, (session.id, 0))
            return [_row(*row)[1] for row in islice(rows, SAMPLE)]
    except (sqlite3.Error, OSError):
        return []


# --- batches


def _batches(session: Session, cursor: Cursor | None, heard: Heard) -> Iterator[Batch]:
    """Yield the batches of a session in a database, each of them read on its own."""
    while True:
        with closing(_open(Path(session.path))) as db:
            if session.id == UNLISTED:
                db.execute(_sessions(db)).fetchone()  # this raises what listing them did
                return
            db.execute("BEGIN")
            row = db.execute(GENERATION, (session.id,)).fetchone()

            def rows(first: int, db: sqlite3.Connection = db) -> Iterator[Row]:
                return (_row(*found) for found in db.execute(ROWS, (session.id, first)))

            place = _place(rows, cursor, heard, generation=row[0] if row else None)
            batch = _take(rows(place["seq"] + 1), place, cursor, heard)
        if batch is None:
            return
        yield batch
        if NO_ZSTD in batch.unknown:
            return
        cursor = batch.cursor


def _archive_batches(session: Session, cursor: Cursor | None, heard: Heard) -> Iterator[Batch]:
    """Yield the batches of a deleted session, unpacked once: its lines are the rows it had, counted anew."""
    path = Path(session.path)
    match = ARCHIVE.fullmatch(path.name)
    if zstd.unpacker() is None:
        yield Batch((), cursor or {}, {NO_ZSTD: 1})
        return

    def rows(first: int) -> Iterator[Row]:
        return (row for row in _lines(path) if row[0] >= first)

    place = _place(rows, cursor, heard, generation=f"archive {match['generation']}" if match else None)
    left = rows(place["seq"] + 1)
    while (batch := _take(left, place, cursor, heard)) is not None:
        yield batch
        cursor = place = batch.cursor


def _take(rows: Iterator[Row], place: Cursor, cursor: Cursor | None, heard: Heard) -> Batch | None:
    """Return the next batch of these rows, None when nothing is new.

    place   generation, seq and entry of the last row that was read
    """
    seq, entry = place["seq"], place["entry"]
    turns: list[Turn] = []
    chars = 0
    for at, record, wrong in rows:
        if wrong == NO_ZSTD:
            heard.pass_over(wrong)  # it and what follows wait until the package is there
            break
        seq, entry = at, _entry(record)
        if wrong:
            heard.pass_over(wrong)
            continue
        new = turns_of(record, heard, parse=parse)
        turns += new
        chars += sum(len(turn.text) for turn in new)
        if len(turns) >= BATCH_TURNS or chars >= BATCH_CHARS:
            break
    unknown, heard.unknown = dict(heard.unknown), type(heard.unknown)()
    where = {"generation": place["generation"], "seq": seq, "entry": entry}
    made = Batch(tuple(turns), {**where, **heard.cursor()}, unknown, heard.take_spent())
    return made if unknown or (made.cursor != cursor if cursor else seq >= 0) else None


def _place(
    rows: Callable[[int], Iterable[Row]], cursor: Cursor | None, heard: Heard, *, generation: str | None
) -> Cursor:
    """Return generation, seq and entry of the last row that was read; seq -1 when none was."""
    known = cursor or {}
    seq, entry = known.get("seq"), known.get("entry")
    if isinstance(seq, int) and known.get("generation", "") == generation:
        first = next(iter(rows(seq)), None)
        if first is not None and first[0] == seq and _entry(first[1]) == entry:
            return {"generation": generation, "seq": seq, "entry": entry}
    found = resume(_entries(rows(0), heard.kind), heard) if heard.at else None
    seq, entry = found or (-1, "")
    return {"generation": generation, "seq": seq, "entry": entry}


def _entries(rows: Iterable[Row], kind: str) -> Iterator[tuple[tuple[int, str], tuple[int, str], list[Turn]]]:
    scratch = Heard(kind=kind)
    before = (-1, "")
    for seq, record, wrong in rows:
        after = (seq, _entry(record))
        yield before, after, [] if wrong else turns_of(record, scratch, parse=parse)
        before = after


def _entry(record: object) -> str:
    return fingerprint(str(as_dict(record).get("id")))


def _row(seq: int, text: object, packed: object) -> Row:
    """Return a row's record, or what is wrong with it."""
    data = text.encode() if isinstance(text, str) else text if isinstance(text, bytes) else b""
    if text is None and isinstance(packed, bytes):
        decompress = zstd.unpacker()
        if decompress is None:
            return seq, None, NO_ZSTD
        try:
            data = decompress(packed)
        except Exception:  # each package has an error class of its own
            return seq, None, "compressed record that is broken"
    try:
        return seq, jsonfiles.lenient(data), ""
    except ValueError:
        return seq, None, "not JSON"


# --- the database and what lies beside it


def _files(root: Path) -> Iterator[Path]:
    """Yield the databases below a folder, then the archived sessions; a file alone is itself."""
    if outside.is_file(root):
        yield from [root] if root.name == DATABASE or ARCHIVE.fullmatch(root.name) else []
        return
    tree = [(folder, sorted(names)) for folder, names in folders(root)]
    tree += [(folder / "archives", outside.names(folder / "archives")) for folder, names in tree if DATABASE in names]
    yield from (folder / DATABASE for folder, names in tree if DATABASE in names)
    yield from {folder / name: None for folder, names in tree for name in names if ARCHIVE.fullmatch(name)}


def _open(path: Path) -> sqlite3.Connection:
    """Open a database so that nothing is written, not even beside it.

    Without a write-ahead log nobody has it open, and SQLite would make one (and
    leave it) only to read.
    """
    uri = f"file:{quote(str(path))}?mode=ro" + ("" if outside.exists(_log(path)) else "&immutable=1")
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)


def _log(path: Path) -> Path:
    """Return where a database's write-ahead log lies while somebody has it open."""
    return path.with_name(f"{path.name}-wal")


def _listed(path: Path) -> list[Session]:
    """Return a database's sessions; of one that cannot be read, one that says so when it is read."""
    try:
        with closing(_open(path)) as db:
            return [_session(db, path, *row) for row in db.execute(_sessions(db)).fetchall()]
    except sqlite3.Error:
        found = [info.st_mtime for file in (path, _log(path)) if (info := outside.info(file))]
        changed = datetime.fromtimestamp(max(found, default=0), UTC)
        key, at = f"openclaw/{_agent(path)}/{UNLISTED}", place.of("openclaw", agent=_agent(path))
        return [Session("openclaw", UNLISTED, key, "main", str(path), changed, at)]


def _sessions(db: sqlite3.Connection) -> str:
    """Return the query for a database's sessions: the first releases of it keep no kind of chat."""
    return SESSIONS.format(chat="w.chat_type" if db.execute(CHAT).fetchone() else "NULL")


def _session(
    db: sqlite3.Connection, path: Path, identity: str, key: str | None, via: str | None, chat: object, at: object
) -> Session:
    kind, told = kind_of(key, via), chat if isinstance(chat, str) else None
    if kind is None:  # its window is gone
        rows = (_row(*row) for row, _ in zip(db.execute(ROWS, (identity, 0)), range(SAMPLE), strict=False))
        kind, told = _by_words(record for _, record, _ in rows)
    agent = place.agent_of(key) or _agent(path)
    said = moment(None, Heard(), millis=at)
    where = place.of("openclaw", agent=agent, key=key, chat=told)
    named = f"openclaw/{agent}/{identity}"
    return Session("openclaw", identity, named, kind, str(path), said, where, place.channel(key))


def _by_words(records: Iterable[object]) -> tuple[str, str | None]:
    """Return kind and chat of a session that nothing names any more, by its first words."""
    kind = chat = None
    for record in records:
        kind, chat = kind or kind_by_words(record), chat or chat_by_words(record)
    return kind or "main", chat


def _archived(path: Path) -> list[Session]:
    """Return the session that was deleted into this file."""
    match = ARCHIVE.fullmatch(path.name)
    if match is None:
        return []
    kind, chat = "main", None
    with suppress(OSError):  # it is told when it is read
        rows = takewhile(lambda row: row[0] < SAMPLE, _lines(path) if zstd.unpacker() else ())
        kind, chat = _by_words(record for _, record, _ in rows)
    agent = _agent(path.parent / DATABASE if path.parent.name == "archives" else path)
    key, at = f"openclaw/{agent}/{match['id']}", place.of("openclaw", agent=agent, chat=chat)
    return [Session("openclaw", match["id"], key, kind, str(path), _deleted(match["when"]) or last_said(path), at)]


def _deleted(when: str) -> datetime | None:
    """Return the moment in an archive's name, 2026-11-21T21-13-56.816Z: nothing was said after it.

    When something was said last stands at the end of what is packed, and too early a moment would lose it all.
    """
    day, _, time = when.partition("T")
    return clock.parse(f"{day}T{time.replace('-', ':')}")


def _agent(path: Path) -> str:
    """Return the agent's name by the place of its database, `agents/NAME/agent/…`."""
    return path.parent.parent.name if path.parent.name in ("agent", "sessions") else "main"


def _lines(path: Path) -> Iterator[Row]:
    """Yield the records of a compressed file of JSON lines, as rows. Raises OSError, for a broken file, too."""
    try:
        with outside.opened(path) as file, io.BufferedReader(zstd.stream(file)) as unpacked:
            for seq, line in enumerate(unpacked):
                if line.endswith(b"\n") or is_object(line):
                    yield _row(seq, line, None)
    except OSError:
        raise
    except Exception as e:  # each package has an error class of its own
        raise OSError(f"broken archive: {e}") from None
