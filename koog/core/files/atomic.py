"""Bytes to disk so that a crash leaves the old file or the new one, and a person's save is never lost.

`prepare` writes the new version beside the file and syncs it; `replace` puts it in
place in one step and looks at what it displaced. When that is not what the writer
had read, a person saved in between: it is put back, and the caller does its work
again on the person's text.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from koog.core.errors import WorkspaceError
from koog.core.files import swap

AS_EXPECTED: Final = b"\0as expected"  # compared by identity
SUFFIX = ".koog.tmp"
BOM = b"\xef\xbb\xbf"


def decode(data: bytes) -> str:
    """Return text without BOM, CRLF as LF where every line ends so; other bytes survive as surrogates."""
    text = data.removeprefix(BOM).decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n") if _is_crlf(data) else text


def encode(text: str, *, like: bytes | None) -> bytes:
    """Return the bytes of a text, with BOM and line ends as an earlier version had them."""
    if like and _is_crlf(like):
        text = text.replace("\n", "\r\n")
    data = text.encode("utf-8", "surrogateescape")
    return BOM + data if like and like.startswith(BOM) else data


def _is_crlf(data: bytes) -> bool:
    return (n := data.count(b"\n")) > 0 and n == data.count(b"\r\n")


def prepare(target: Path, data: bytes) -> None:
    """Write the new version beside the target, synced, with the target's mode (0600 for a new file)."""
    new = beside(target)
    try:
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            if target.exists():
                os.fchmod(fd, stat.S_IMODE(target.stat().st_mode))
            os.fsync(fd)
    except OSError as e:
        discard(target)
        raise WorkspaceError(f"{target.name}: {e.strerror}") from None


def replace(target: Path, *, expected: bytes | None) -> bytes | None:
    """Put the prepared version in place if the target still is what was expected (None: absent).

    Returns AS_EXPECTED when it did. Otherwise the target is what a person left
    there, and those bytes (None: absent) are returned; nothing is prepared any more.
    """
    new, ours = beside(target), None
    try:
        ours, present = content(new), content(target)
        if present != expected:
            new.unlink()
            return present
        if expected is None:
            if not swap.place(new, target):
                new.unlink()
                return content(target)
        elif not _exchange(new, target, expected):
            return content(target)
        sync_folder(target.parent)
    except OSError as e:
        _take_out(target, ours, expected)
        raise WorkspaceError(f"{target.name}: {e.strerror}") from None
    return AS_EXPECTED


def _take_out(target: Path, ours: bytes | None, expected: bytes | None) -> None:
    """Bring back what stood there after a replacement that got stuck halfway; what was displaced lies beside."""
    new = beside(target)
    with suppress(OSError, WorkspaceError):  # the error that led here is on its way
        if ours is not None and content(target) == ours and not (new.exists() and swap.exchange(new, target)):
            restore(target, ours=ours, before=expected)
    discard(target)


def _exchange(new: Path, target: Path, expected: bytes) -> bool:
    """Exchange and check; False when something newer was displaced, which is then back in place."""
    ours = new.read_bytes()
    if not swap.exchange(new, target):
        new.replace(target)
        return True
    for _ in range(2):
        # Twice, with a sync between: an editor that writes in place may have had the old file open.
        displaced = new.read_bytes()
        if displaced != expected:
            put_back(new, target, placed=ours, displaced=displaced)
            return False
        sync_folder(target.parent)
    new.unlink()
    return True


def put_back(new: Path, target: Path, *, placed: bytes, displaced: bytes) -> None:
    """Bring the displaced version to the front again, or a still newer one that turns up meanwhile."""
    while swap.exchange(new, target) and (taken := new.read_bytes()) != placed:
        placed, displaced = displaced, taken
    new.unlink()


def append(target: Path, data: bytes) -> Callable[[], None]:
    """Add bytes to the end in one write, synced, after ending a torn last line; return how to take them back."""
    try:
        created = not target.exists()
        fd = os.open(target, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as e:
        raise WorkspaceError(f"{target.name}: {e.strerror}") from None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode) or info.st_nlink > 1:
            raise WorkspaceError(f"{target.name} is not a regular file of its own", hint="a hard link leads elsewhere")
        size = info.st_size
        if size > 0 and os.pread(fd, 1, size - 1) != b"\n" and not data.startswith((b"\n", b"\r\n")):
            data = b"\n" + data
        _write_all(fd, size, data)
        if size == 0:
            sync_folder(target.parent)
    except OSError as e:
        with suppress(OSError):  # the error that led here is on its way
            if created and target.stat().st_size in (0, len(data)):  # nobody else has written into it
                target.unlink()
        raise WorkspaceError(f"{target.name}: {e.strerror}") from None
    finally:
        os.close(fd)
    added = len(data)
    return lambda: _take_back(target, size=size, added=added, created=created)


def _take_back(target: Path, *, size: int, added: int, created: bool) -> None:
    """Undo an append, unless somebody has written behind it meanwhile."""
    if target.stat().st_size != size + added:
        return
    if created:
        target.unlink()
    else:
        os.truncate(target, size)


def _write_all(fd: int, size: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(fd, data) :]
        os.fsync(fd)
    except OSError:
        os.ftruncate(fd, size)  # a full disk takes half a line
        raise


def restore(target: Path, *, ours: bytes, before: bytes | None) -> None:
    """Take a replacement back, as long as the file still is the one that was put there."""
    if content(target) != ours:
        return
    if before is None:
        target.unlink()
        return
    prepare(target, before)
    replace(target, expected=ours)


def rescue(folder: Path, recovered: Path) -> None:
    """Move what killed runs left in a folder into a private one; only under the lock that all writers take.

    It is a new version that never came into place, or an old one, perhaps a
    person's, that was just displaced; nobody can tell any more, so it is kept.
    """
    try:
        for left in folder.glob(f".*{SUFFIX}"):
            recovered.mkdir(mode=0o700, exist_ok=True)
            left.replace(recovered / f"{left.name[1:].removesuffix(SUFFIX)}.{time.time_ns()}")
    except OSError as e:
        raise WorkspaceError(f"{folder.name}: {e.strerror}") from None


def discard(target: Path) -> None:
    """Remove a prepared version that will not be used."""
    with suppress(OSError):  # called while another error is on its way; what stays is rescued by the next run
        beside(target).unlink()


def beside(target: Path) -> Path:
    """Return where a file's new version waits until it takes the file's place."""
    return target.with_name(f".{target.name}{SUFFIX}")


def content(path: Path) -> bytes | None:
    """Return a file's bytes, None when there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def sync_folder(folder: Path) -> None:
    """Bring a folder's names to disk: without it a power cut can forget a new file."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
