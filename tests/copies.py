"""What many tests begin with is made once and copied: some sixty small files cost as much as one call of git.

Names are texts here and the calls those of `os`: with pathlib it takes twice as long.
"""

# ruff: noqa: PTH101, PTH102, PTH115, PTH116, PTH211

from __future__ import annotations

import os
import subprocess
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


def copy_repository(source: Path, target: Path) -> None:
    """Copy a working tree with its repository, and let git's index know the new files."""
    copy(source, target)
    subprocess.run(["git", "-C", str(target), "update-index", "-q", "--refresh"], capture_output=True, check=True)
