"""What `re` has made of koog's patterns, kept on this machine for the processes that follow.  [design §4]

    $XDG_STATE_HOME/koog/patterns    a checksum and the head's length, the head (JSON), then the codes one by one

One file for all of a person's workspaces, beside their state roots, where the agent cannot write: a pattern decides
what is a secret and whose word an approval is. It can be lost and made again, so it is neither locked, synced nor
audited; who may not write there, or where `koog init` has never made the folder, goes without.
"""

from __future__ import annotations

import fcntl
import os
import stat
import struct
from contextlib import suppress
from typing import Any
from zlib import crc32

import orjson

from koog.core.errors import WorkspaceError
from koog.core.files import host
from koog.core.files.roots import Root, Spot
from koog.core.named import NamedTuple

NAME = "patterns"
VERSION = 1  # of the file: another koog of the same person may write it otherwise
LIMIT = 8 * 1024 * 1024  # bytes; all of koog's patterns take less than one
OTHERS = 0o022  # may write
START = struct.Struct("<II")


class Kept(NamedTuple):
    """What one file holds.

    rows   key → what else belongs to a code, after where it lies: its first byte, its length, its checksum
    codes  the bytes in which they lie
    """

    rows: dict[str, list[Any]]
    codes: bytes

    def get(self, key: str) -> tuple[bytes, list[Any]] | None:
        """Return a code and what else belongs to it; None where there is none, or it is not whole."""
        match self.rows.get(key):
            case [int(start), int(length), int(checksum), *more]:
                code = self.codes[start : start + length]
                return (code, more) if crc32(code) == checksum else None
        return None


NOTHING = Kept({}, b"")


def read(of: str) -> Kept:
    """Return what is kept for a system; nothing where there is none of it, and for what others may write."""
    with suppress(OSError, WorkspaceError, ValueError, TypeError, KeyError, struct.error):
        spot = _root().itself(NAME)
        info = spot.info()
        data = spot.read(LIMIT) if info and info.st_uid == os.geteuid() and not info.st_mode & OTHERS else None
        if data:
            checksum, length = START.unpack_from(data)
            head = data[START.size : START.size + length]
            told = orjson.loads(head) if crc32(head) == checksum else {}
            if (told["version"], told["of"]) == (VERSION, of) and isinstance(told["rows"], dict):
                return Kept(told["rows"], data[START.size + length :])
    return NOTHING


def write(of: str, codes: dict[str, tuple[bytes, list[Any]]]) -> None:
    """Replace what is kept: of each key its code and what else belongs to it."""
    at, rows = 0, dict[str, list[Any]]()
    for key, (code, more) in codes.items():
        rows[key] = [at, len(code), crc32(code), *more]
        at += len(code)
    head = orjson.dumps({"version": VERSION, "of": of, "rows": rows})
    data = b"".join((START.pack(crc32(head), len(head)), head, *(code for code, _ in codes.values())))
    if len(data) <= LIMIT:
        with suppress(OSError, WorkspaceError):
            _replace(_root().itself(NAME), data)


def _replace(target: Spot, data: bytes) -> None:
    """Put a new file in a file's place. Raises OSError, also where somebody else does so at this moment.

    What a killed process has left half written is written over by the next.
    """
    half = target.beside(f"{target.name}.new")
    with os.fdopen(half.open(os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK), "wb") as file:  # a pipe has no reader
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        here = half.info()
        if here is None or not os.path.samestat(here, os.fstat(file.fileno())):
            return  # it has taken the other's place meanwhile
        try:
            file.truncate(0)
            file.write(data)
            file.flush()
            half.rename(target)
        except OSError:  # a full disk
            half.unlink()
            raise


def _root() -> Root:
    """Return koog's folder in the state home. Raises WorkspaceError, OSError where it is not this person's alone.

    XDG_STATE_HOME may be anybody's choice: what lies in a workspace is the agent's.
    """
    path = (host.state_home() / "koog").resolve(strict=True)
    info = path.stat()
    if info.st_uid != os.geteuid() or info.st_mode & OTHERS or not stat.S_ISDIR(info.st_mode):
        raise WorkspaceError(f"{path} is not this person's alone")
    if any(os.path.lexists(above / ".koog") for above in path.parents):
        raise WorkspaceError(f"{path} lies in a workspace")
    return Root(path, name=str(path), barred=frozenset(), linked=False)
