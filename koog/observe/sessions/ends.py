"""The two ends of a session's file: what it says of itself first, and when something was last said in it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import orjson

from koog.core import clock
from koog.core.files import jsonfiles

HEAD_BYTES = 1 << 16  # a session says what it is in its first records
TAIL_BYTES = 1 << 13


def opened(path: Path, buffering: int = -1) -> IO[bytes]:
    """Return a regular file opened for reading. Raises OSError, for a pipe too, instead of waiting for its writer."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "no regular file", path)
    return os.fdopen(fd, "rb", buffering)


def last_said(path: Path) -> datetime:
    """Return the moment of the last record in a file of JSON lines, else when the file was changed.

    A copy of a store keeps no times of its files, and the newest session must be told by what was said in it. Only a
    record's own moment counts: a tool's result holds others, and a session that seemed old would never be read.
    """
    try:
        with opened(path) as file:
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
        with opened(path) as file:
            begin = file.read(HEAD_BYTES)
    except OSError:
        return
    for line in begin.split(b"\n"):
        try:
            yield jsonfiles.lenient(line)
        except ValueError:
            continue


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
