"""The two ends of a session's file: what it says of itself first, and when something was last said in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from koog.core import clock, jsonfiles

HEAD_BYTES = 1 << 16  # a session says what it is in its first records
TAIL_BYTES = 1 << 13
STAMP = re.compile(rb'"timestamp":\s*"([0-9T:.Z+-]{20,35})"')  # inside a text the quotes are escaped


def last_said(path: Path) -> datetime:
    """Return the last moment that a file of JSON lines names, else when it was changed.

    A copy of a store keeps no times of its files, and the newest session must be told by what was said in it.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            stamps = STAMP.findall(file.read())
            changed = os.fstat(file.fileno()).st_mtime
    except OSError:
        stamps, changed = [], _mtime(path)
    said = clock.parse(stamps[-1].decode()) if stamps else None
    return said or datetime.fromtimestamp(changed, UTC)


def head(path: Path) -> Iterator[object]:
    """Yield the records in the first 64 KiB of a file."""
    try:
        with path.open("rb") as file:
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
