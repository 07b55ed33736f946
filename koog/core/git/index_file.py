"""git's index as bytes: what it has for a path, and the same index with some paths otherwise.  [design.md §4 "Git"]

Two starts of git a commit are spared. Only what koog fully knows is read here: a small index of version 2 or 3 that is
whole, with no other extensions than those that git makes anew, and in it paths that carry no mark of a person's.
Everything else is git's own to read and to write.

    https://git-scm.com/docs/index-format
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Iterator, Mapping

from koog.core.git.objects import TreeEntry
from koog.core.named import NamedTuple

LARGE = 256 * 1024  # bytes: beyond, the trees that git keeps in it (TREE) spare a person's git more than koog saves
HEAD, STAT = struct.Struct(">4sII"), struct.Struct(">10I")
SECONDS, MODE, SIZE = 2, 6, 9  # the numbers in an entry's stat that are its time, its mode and its bytes
LENGTH = 0x0FFF  # the part of an entry's flags that is the length of its name
SPARED = {b"TREE", b"EOIE", b"IEOT"}  # extensions that git makes anew where they are missing


class IndexFile(NamedTuple):
    """One index.

    version  2 or 3
    rows     (path, stage) → the entry's bytes without its padding
    width    bytes of an object's name
    """

    version: int
    rows: dict[tuple[bytes, int], bytes]
    width: int

    def held(self, path: str) -> TreeEntry | None:
        """Return what it has for a path, None for nothing. Raises ValueError for what is git's to read."""
        name = os.fsencode(path)
        if any((name, stage) in self.rows for stage in (1, 2, 3)):
            raise ValueError("unmerged")
        if (row := self.rows.get((name, 0))) is None:
            return None
        (flags,) = struct.unpack_from(">H", row, STAT.size + self.width)
        if flags & ~LENGTH:
            raise ValueError("marked")
        return TreeEntry(f"{STAT.unpack_from(row)[MODE]:06o}", row[STAT.size : STAT.size + self.width].hex())

    def edited(self, wanted: Mapping[str, TreeEntry | None], *, written: int) -> bytes:
        """Return the index with these paths so (None: without them). Raises ValueError for what is git's to write.

        written   when this index was, in seconds: a file that is not older may have changed since it was added, unseen.
                  A newer index would hide that for ever, so git is told to look at it (racy-git)
        """
        rows = {
            key: _unsure(row) if STAT.unpack_from(row)[SECONDS] >= written else row for key, row in self.rows.items()
        }
        for path, entry in wanted.items():
            name = os.fsencode(path)
            rows.pop((name, 0), None)
            if entry:
                rows[name, 0] = _row(name, entry)
        put = {os.fsencode(path) for path, entry in wanted.items() if entry}
        names = {name for name, _ in rows}
        above = {folder for name in names for folder in _above(name)}
        if not put.isdisjoint(above) or any(not names.isdisjoint(_above(name)) for name in put):
            raise ValueError("a file in a folder's place")
        body = [HEAD.pack(b"DIRC", self.version, len(rows)), *(_padded(rows[key]) for key in sorted(rows))]
        return _sealed(b"".join(body), self.width)


def read(data: bytes, width: int) -> IndexFile | None:
    """Return an index by its bytes, None for one that is git's to read. width: bytes of an object's name"""
    try:
        return _read(data, width) if len(data) <= LARGE else None
    except (ValueError, struct.error):
        return None


def _read(data: bytes, width: int) -> IndexFile | None:
    signature, version, count = HEAD.unpack_from(data)
    if signature != b"DIRC" or version not in (2, 3) or _sealed(data[:-width], width) != data:
        return None
    at, rows = HEAD.size, dict[tuple[bytes, int], bytes]()
    for _ in range(count):
        flags_at = at + STAT.size + width
        (flags,) = struct.unpack_from(">H", data, flags_at)
        begin = flags_at + (4 if flags & 0x4000 else 2)
        end = data.index(b"\0", begin)
        rows[data[begin:end], flags >> 12 & 3] = data[at:end]
        at += (end - at + 8) & ~7
    while at < len(data) - width:
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        if name not in SPARED:
            return None
        at += 8 + size
    return IndexFile(version, rows, width) if at == len(data) - width else None


def _row(name: bytes, entry: TreeEntry) -> bytes:
    """Return an entry of which git will look whether its file is so, as `git update-index --index-info` makes one."""
    stat = STAT.pack(*(int(entry.mode, 8) if n == MODE else 0 for n in range(10)))
    return stat + bytes.fromhex(entry.sha) + struct.pack(">H", min(len(name), LENGTH)) + name


def _unsure(row: bytes) -> bytes:
    """Return an entry of no size, of which git looks whether its file is so."""
    stat = [0 if n == SIZE else number for n, number in enumerate(STAT.unpack_from(row))]
    return STAT.pack(*stat) + row[STAT.size :]


def _padded(row: bytes) -> bytes:
    return row + bytes(8 - len(row) % 8)


def _above(path: bytes) -> Iterator[bytes]:
    """Yield the folders in which a path lies."""
    at = path.find(b"/")
    while at >= 0:
        yield path[:at]
        at = path.find(b"/", at + 1)


def _sealed(body: bytes, width: int) -> bytes:
    return body + hashlib.new("sha1" if width == 20 else "sha256", body, usedforsecurity=False).digest()
