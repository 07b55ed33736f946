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
from typing import TYPE_CHECKING, Final

from koog.core.errors import Busy, WorkspaceError
from koog.core.files import durable, swap

if TYPE_CHECKING:
    from koog.core.files.roots import Folder, Root, Spot

AS_EXPECTED: Final = b"\0as expected"  # compared by identity
SUFFIX = ".koog.tmp"
RECOVERED = "recovered"  # folder in .koog: what killed runs left behind
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
    return b"\r\n" in data and data.count(b"\n") == data.count(b"\r\n")


def prepare(target: Spot, data: bytes, *, mode: int | None = None) -> None:
    """Write the new version beside the target, synced; mode: by default the target's, 0600 for a new file."""
    new = beside(target)
    try:
        with suppress(FileNotFoundError):
            new.unlink()  # a pipe, or a file with another name elsewhere, that somebody has put in its place
        fd = new.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            present = target.info() if mode is None else None
            if present or mode is not None:
                os.fchmod(fd, stat.S_IMODE(present.st_mode) if present else mode or 0)
            durable.sync(fd)
    except OSError as e:
        discard(target)
        raise target.error(e) from None


def replace(target: Spot, *, expected: bytes | None) -> bytes | None:
    """Put the prepared version in place if the target still is what was expected (None: absent).

    Returns AS_EXPECTED when it did. Otherwise the target is what a person left
    there, and those bytes (None: absent) are returned; nothing is prepared any more.
    """
    new, ours, mode = beside(target), None, None
    try:
        info = target.info()
        mode = stat.S_IMODE(info.st_mode) if info else None
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
        target.folder.sync()
    except OSError as e:
        _take_out(target, ours, expected, mode=mode)
        raise target.error(e) from None
    return AS_EXPECTED


def _take_out(target: Spot, ours: bytes | None, expected: bytes | None, *, mode: int | None) -> None:
    """Bring back what stood there after a replacement that got stuck halfway; what was displaced lies beside."""
    new = beside(target)
    with suppress(OSError, WorkspaceError):  # the error that led here is on its way
        if ours is not None and content(target) == ours and not (new.info() and swap.exchange(new, target)):
            restore(target, ours=ours, before=expected, mode=mode)
    discard(target)


def _exchange(new: Spot, target: Spot, expected: bytes) -> bool:
    """Exchange and check; False when something newer was displaced, which is then back in place."""
    ours = _bytes(new)
    if not swap.exchange(new, target):
        new.rename(target)
        return True
    for _ in range(2):
        # Twice, with a sync between: an editor that writes in place may have had the old file open.
        displaced = _bytes(new)
        if displaced != expected:
            put_back(new, target, placed=ours, displaced=displaced)
            return False
        target.folder.sync()
    new.unlink()
    return True


def put_back(new: Spot, target: Spot, *, placed: bytes, displaced: bytes) -> None:
    """Bring the displaced version to the front again, or a still newer one that turns up meanwhile."""
    while swap.exchange(new, target) and (taken := _bytes(new)) != placed:
        placed, displaced = displaced, taken
    new.unlink()


def append(target: Spot, data: bytes) -> Callable[[], None]:
    """Add bytes to the end in one write, synced, after ending a torn last line; return how to take them back."""
    try:
        created = target.info() is None
        fd = target.open(os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK)
    except OSError as e:
        raise target.error(e) from None
    size: int | None = None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise WorkspaceError(f"{target.path} is not a regular file")
        if info.st_nlink > 1:  # the same file may have a name outside: that one stays as it is
            return _append_to_a_copy(target, data)
        size = info.st_size
        if size > 0 and os.pread(fd, 1, size - 1) != b"\n" and not data.startswith((b"\n", b"\r\n")):
            data = b"\n" + data
        _write_all(fd, size, data)
        if size == 0:
            target.folder.sync()
    except OSError as e:
        with suppress(OSError):  # the error that led here is on its way
            present = target.info()
            if created and present and present.st_size in (0, len(data)):  # nobody else has written into it
                target.unlink()
            elif size is not None and present and present.st_size == size + len(data):
                truncate(target, size)  # it is written, and its folder could not be synced
        raise target.error(e) from None
    finally:
        os.close(fd)
    added = len(data)
    return lambda: _take_back(target, size=size, added=added, created=created)


def _append_to_a_copy(target: Spot, data: bytes) -> Callable[[], None]:
    """Append to a file that has several names by replacing this name's whole."""
    before = content(target)
    healed = b"\n" if before and not before.endswith(b"\n") and not data.startswith((b"\n", b"\r\n")) else b""
    ours = (before or b"") + healed + data
    prepare(target, ours)
    if replace(target, expected=before) is not AS_EXPECTED:
        raise Busy(f"{target.path} has changed meanwhile", hint="try again")
    return lambda: restore(target, ours=ours, before=before)


def _take_back(target: Spot, *, size: int, added: int, created: bool) -> None:
    """Undo an append, unless somebody has written behind it meanwhile."""
    present = target.info()
    if present is None or present.st_size != size + added:
        return
    if created:
        target.unlink()
    else:
        truncate(target, size)


def truncate(target: Spot, size: int) -> None:
    """Cut a file down to its first bytes. Raises OSError."""
    fd = target.open(os.O_WRONLY | os.O_NONBLOCK)
    try:
        os.ftruncate(fd, size)
    finally:
        os.close(fd)


def _write_all(fd: int, size: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(fd, data) :]
        durable.sync(fd)
    except OSError:
        os.ftruncate(fd, size)  # a full disk takes half a line
        raise


def restore(target: Spot, *, ours: bytes, before: bytes | None, mode: int | None = None) -> None:
    """Take a replacement back, as long as the file still is the one that was put there. mode: of what stood there."""
    if content(target) != ours:
        return
    if before is None:
        target.unlink()
        return
    prepare(target, before, mode=mode)
    replace(target, expected=ours)


def rescue(folder: Folder, recovered: Root, *, has_all: Callable[[str, str], bool] | None = None) -> None:
    """Move what killed runs left in a folder into a private one; only under the lock that all writers take.

    It is a new version that never came into place, or an old one, perhaps a
    person's, that was just displaced; nobody can tell any more, so it is kept.

    has_all   whether a file, the second, has all of what was left of it, the first: then that goes
    """
    try:
        names = os.listdir(folder.fd)  # noqa: PTH208  a descriptor
        left = [name for name in names if name.startswith(".") and name.endswith(SUFFIX)]
        for name in left:
            own = name[1:].removesuffix(SUFFIX)
            if has_all and has_all(name, own):
                os.unlink(name, dir_fd=folder.fd)
                continue
            into = recovered.folder(RECOVERED, make=True)
            os.rename(name, f"{own}.{time.time_ns()}", src_dir_fd=folder.fd, dst_dir_fd=into.fd)
    except OSError as e:
        raise WorkspaceError(f"{RECOVERED}: {e.strerror}") from None


def rescued(target: Spot, recovered: Root) -> list[Spot]:
    """Return where `rescue` has put what it found beside a file. Raises OSError, WorkspaceError."""
    into = recovered.folder(RECOVERED, make=True)
    names = [name for name in os.listdir(into.fd) if name.rpartition(".")[0] == target.name]  # noqa: PTH208
    return [recovered.spot(f"{RECOVERED}/{name}") for name in names]


def discard(target: Spot) -> None:
    """Remove a prepared version that will not be used."""
    with suppress(OSError):  # called while another error is on its way; what stays is rescued by the next run
        beside(target).unlink()


def beside(target: Spot) -> Spot:
    """Return where a file's new version waits until it takes the file's place."""
    return target.beside(f".{target.name}{SUFFIX}")


def content(spot: Spot) -> bytes | None:
    """Return a file's bytes, None when there is none. Raises OSError."""
    try:
        return _bytes(spot)
    except FileNotFoundError:
        return None


def _bytes(spot: Spot) -> bytes:
    with os.fdopen(spot.open(), "rb") as file:
        return file.read()
