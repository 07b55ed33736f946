"""The two ends of a session's file: what it says of itself first, and when something was last said in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import orjson

from koog.core import clock
from koog.core.files import jsonfiles, outside
from koog.sessions.place import cwd_of

HEAD_BYTES = 1 << 16  # a session says what it is in its first records
TAIL_BYTES = 1 << 13


def last_said(path: Path) -> datetime:
    """Return the moment of the last record in a file of JSON lines, else when the file was changed.

    A copy of a store keeps no times of its files, and the newest session must be told by what was said in it. Only a
    record's own moment counts: a tool's result holds others, and a session that seemed old would never be read.
    """
    try:
        with outside.opened(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            lines = file.read().split(b"\n")
            changed = os.fstat(file.fileno()).st_mtime
    except OSError:
        lines, changed = [], _mtime(path)
    said = next((moment for line in reversed(lines) if (moment := _moment(line))), None)
    return said or datetime.fromtimestamp(changed, UTC)


def _moment(line: bytes) -> datetime | None:
    """Return the moment of a record, None for what has none or is only a part of one."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return clock.parse(record.get("timestamp")) if isinstance(record, dict) else None


def head(path: Path) -> Iterator[object]:
    """Yield the records in the first 64 KiB of a file."""
    try:
        with outside.opened(path) as file:
            begin = file.read(HEAD_BYTES)
    except OSError:
        return
    for line in begin.split(b"\n"):
        try:
            yield jsonfiles.lenient(line)
        except ValueError:
            continue


# What is known of the folder that a session was begun in: its first records do not change.
_folders: dict[str, str] = {}


def folder_of(path: Path) -> str | None:
    """Return the folder that a session of Claude Code or Codex works in, None where its first records name none.

    It is the folder in which the session began: who changes into another one goes on with the same work.
    """
    name = os.fspath(path)
    if name not in _folders:
        try:
            with outside.opened(path) as file:
                begin = file.read(HEAD_BYTES)
        except OSError:
            return None
        lines = begin.split(b"\n")
        found = next((cwd for line in lines if b'"cwd"' in line and (cwd := _cwd(line))), None)
        if found is None:
            return None
        _folders[name] = found
    return _folders[name]


def _cwd(line: bytes) -> str | None:
    """Return the folder in a record, also in one of which only the beginning is known."""
    try:
        record = jsonfiles.lenient(line)
    except ValueError:
        return cwd_of(line)
    payload = record.get("payload") if isinstance(record, dict) else None
    rows = (row.get("cwd") for row in (record, payload) if isinstance(row, dict))
    return next((cwd for cwd in rows if isinstance(cwd, str) and cwd), None)


def _mtime(path: Path) -> float:
    info = outside.info(path)
    return info.st_mtime if info else 0.0
