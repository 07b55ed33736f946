"""What many tests begin with is made once and copied: some sixty small files cost as much as one call of git.

Names are texts here and the calls those of `os`: with pathlib it takes twice as long.
"""

# ruff: noqa: PTH101, PTH102, PTH115, PTH116, PTH211

from __future__ import annotations

import os
import struct
import subprocess
from hashlib import sha1
from pathlib import Path


def copy(source: Path | str, target: Path | str) -> None:
    """Copy a folder as `cp -a` does: links stay links, modes and times of change stay."""
    os.mkdir(target)
    with os.scandir(source) as entries:
        for entry in entries:
            to = f"{target}/{entry.name}"
            info = entry.stat(follow_symlinks=False)
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), to)
            elif entry.is_dir():
                copy(entry.path, to)
            else:
                _copy_file(entry.path, to, info)
    os.chmod(target, os.stat(source).st_mode & 0o7777)


def _copy_file(source: str, target: str, info: os.stat_result) -> None:
    reader = os.open(source, os.O_RDONLY)
    writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        while data := os.read(reader, 1 << 20):
            os.write(writer, data)
        os.fchmod(writer, info.st_mode & 0o7777)
        os.utime(writer, ns=(info.st_atime_ns, info.st_mtime_ns))
    finally:
        os.close(reader)
        os.close(writer)


_removed: list[subprocess.Popen[bytes]] = []


def remove(folder: Path) -> None:
    """Have a folder removed while the tests go on."""
    _removed[:] = [each for each in _removed if each.poll() is None]
    _removed.append(subprocess.Popen(["rm", "-rf", folder], stderr=subprocess.DEVNULL))


def all_removed() -> None:
    """Wait for what is being removed."""
    for each in _removed:
        each.wait()


def copy_repository(source: Path, target: Path) -> None:
    """Copy a working tree with its repository, and let git's index know the new files."""
    copy(source, target)
    index = target / ".git/index"
    index.write_bytes(refreshed(index.read_bytes(), str(target)))


HEAD, STAT = struct.Struct(">4sII"), struct.Struct(">10I")
FIXED = STAT.size + 20 + 2  # before an entry's name: what stat says, the content's id, flags


def refreshed(index: bytes, top: str) -> bytes:
    """Return what `git update-index --refresh` makes of an index of version 2 whose files are unchanged copies.

    A start of git for every test would cost as much as all the copying.
    """
    signature, version, count = HEAD.unpack_from(index)
    assert (signature, version) == (b"DIRC", 2)
    made, at = bytearray(index[:-20]), HEAD.size
    for _ in range(count):
        end = index.index(b"\0", at + FIXED)
        info = os.lstat(os.path.join(os.fsencode(top), index[at + FIXED : end]))  # noqa: PTH118
        mode = STAT.unpack_from(index, at)[6]
        times = (*divmod(info.st_ctime_ns, 10**9), *divmod(info.st_mtime_ns, 10**9))
        stat = (*times, info.st_dev, info.st_ino, mode, info.st_uid, info.st_gid, info.st_size)
        STAT.pack_into(made, at, *(number & 0xFFFFFFFF for number in stat))
        at += (end - at + 8) & ~7  # padded with one to eight zeros
    return bytes(made) + sha1(made, usedforsecurity=False).digest()
