"""OpenClaw's file store, until 2026.7: one JSON-lines file a session.  [openclaw.md, Store of 2026.7]

STATE/agents/AGENT/sessions/sessions.json                     session key → id, of the current ones alone
STATE/agents/AGENT/sessions/ID.jsonl                          live
STATE/agents/AGENT/sessions/ID.jsonl.reset.TIME               after /new; `.deleted.TIME` after a deletion
STATE/agents/AGENT/session-sqlite-import-archive/ID.jsonl….imported-MS   after an upgrade
ID.trajectory.jsonl, ID.checkpoint.….jsonl                    the same things said again: skipped
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import orjson

from koog.core.files import outside
from koog.sessions import place
from koog.sessions.ends import head, last_said
from koog.sessions.lines import Form, follow
from koog.sessions.openclaw_records import chat_by_words, kind_by_words, kind_of, parse
from koog.sessions.records import as_dict
from koog.sessions.turn import Batch, Cursor, Session

NAME = re.compile(r"(?P<id>[^.]+)\.jsonl(?:\.(?P<why>reset|deleted)\.(?P<when>.+)|.*?[.-]imported-(?P<ms>\d+))?")
ARCHIVE = "session-sqlite-import-archive"
DEPTH = 3
ELSEWHERE = {"node_modules", "workspace", ".git"}  # large, and no store in them


def sessions(root: Path) -> list[Session]:
    """Return the sessions in all file stores below a folder; a file alone is a store of one."""
    found = []
    for folder, names in _stores(root):
        agent, known = _agent(folder), _known(folder)
        files: dict[str, Path] = {}
        for name in sorted(names, key=_age):  # of several files of one session the newest names its place
            if match := NAME.fullmatch(name):
                files[match["id"]] = folder / name
        for identity, path in files.items():
            key, chat = known.get(identity, (None, None))
            kind = kind_of(key) or _kind(path)
            at = place.of("openclaw", agent=agent, key=key, chat=chat or (None if key else _chat(path)))
            found.append(
                Session(
                    "openclaw",
                    identity,
                    f"openclaw/{agent}/{identity}",
                    kind,
                    str(path),
                    last_said(path),
                    at,
                    place.channel(key),
                )
            )
    return found


def read(session: Session, cursor: Cursor | None) -> Iterator[Batch]:
    return follow(lambda: parts(session), cursor, form=Form(parse), kind=session.kind)


def parts(session: Session) -> list[Path]:
    """Return a session's files as they are called now, the oldest first: it may have been renamed meanwhile."""
    path = Path(session.path)
    folders = [path.parent, path.parent.parent / "sessions", path.parent.parent / ARCHIVE]
    found = []
    for folder in dict.fromkeys(folders):
        names = [name for name in outside.names(folder) if name.startswith(session.id)]
        found += [
            (_age(name), folder / name) for name in names if (m := NAME.fullmatch(name)) and m["id"] == session.id
        ]
    return [path for _, path in sorted(found)]


def _stores(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield the folders with sessions in them, and the names there."""
    if outside.is_file(root):
        yield from [(root.parent, [root.name])] if is_session(root) else []
        return
    for path, names in folders(root):
        if path.name in ("sessions", ARCHIVE) or path == root:
            store = [name for name in names if NAME.fullmatch(name)]
            if store and (path != root or path.name == "sessions" or is_session(path / store[0])):
                yield path, store


def folders(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield the folders in which a store may lie, with their files: three levels hold STATE/agents/AGENT/sessions."""
    for folder, inner, names in outside.walk(root):  # an agent's folder may lie on another disk
        path = Path(folder)
        deep = len(path.parts) - len(root.parts) >= DEPTH
        inner[:] = [] if deep else sorted(name for name in inner if name not in ELSEWHERE)
        yield path, names


def is_session(path: Path) -> bool:
    """Return whether a file begins as OpenClaw's sessions do."""
    first = as_dict(next(head(path), None))
    return first.get("type") == "session" and "version" in first


def _agent(folder: Path) -> str:
    return folder.parent.name if folder.name in ("sessions", ARCHIVE) else "main"


def _known(folder: Path) -> dict[str, tuple[str, str | None]]:
    """Return session id → session key and kind of chat of sessions.json; {} when it is absent, cut or garbage."""
    try:
        value = orjson.loads(outside.read(folder.parent / "sessions" / "sessions.json"))
    except (OSError, orjson.JSONDecodeError):
        return {}
    entries = as_dict(value).items()
    rows = [(key, entry) for key, entry in entries if isinstance(entry, dict) and "sessionId" in entry]
    return {str(entry["sessionId"]): (key, _text(entry.get("chatType"))) for key, entry in rows}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _chat(path: Path) -> str | None:
    """Return the kind of chat of a session that sessions.json does not name (any more), None for a private one."""
    return next((chat for record in head(path) if (chat := chat_by_words(record))), None)


def _kind(path: Path) -> str:
    """Return the kind of a session that sessions.json does not name (any more)."""
    return next((kind for record in head(path) if (kind := kind_by_words(record))), "main")


def _age(name: str) -> tuple[int, str]:
    """Return what sorts a session's files: those before a reset, then the archived one, then the live one."""
    match = NAME.fullmatch(name)
    if match is None or not (match["when"] or match["ms"]):
        return 2, name
    return (1, match["ms"]) if match["ms"] else (0, match["when"])
