"""The two ends of a session's file: what it says of itself first, and when something was last said in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import orjson

from koog.core import clock
from koog.core.files import jsonfiles, outside

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


def _mtime(path: Path) -> float:
    info = outside.info(path)
    return info.st_mtime if info else 0.0
