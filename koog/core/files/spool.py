"""The spool: what hosts told koog's hooks and no koog has digested yet, one file an event.  [design §4]

    $XDG_STATE_HOME/koog/spool/<nanoseconds>-<random>.<attempts>    {"argv", "cwd", "env"} and a line end, then the
                                                                    bytes of standard input as they came
                               aside/                               what failed each time, for a person to look at

One spool for all of a person's workspaces: whose an event is shows only when it is read, and it is written before
anything else is known. It holds what people said, so the folder is 0700 and a file 0600, and each is bounded in
size, number and age. Nobody has one where `koog init` has never made the folder around it, as in an agent's sandbox.

Imported before anything else of koog's, so it knows the standard library's smallest modules only.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

NAME = re.compile(r"([0-9]{20})-[0-9a-f]{8}\.([0-9])")
ASIDE = "aside"
EVENT_LIMIT = 9 * 1024 * 1024  # bytes of one event
LIMIT = 64 * 1024 * 1024  # bytes of all
MOST = 256  # events that wait; the next is handed over as if there were no spool
MOST_ASIDE = 20
DAYS = 7.0  # for what no koog has asked for: its workspace is gone
WANTED_DAYS = 90.0  # for what waits for a workspace that is there, and that nobody uses
HALF_DAYS = 1 / 24  # for what a killed hook has begun to write
LOOK_S = 0.2  # while somebody only looks at an event, whoever wants to claim it waits
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
OTHERS = 0o022  # may write


class Event:
    """One call of a hook as it came.

    name   its file's, which sorts by time; what has been claimed has another number of attempts at its end
    argv   the words behind `koog`; cwd: the folder it was called in; env: the variables that name folders
    data   what stood on standard input
    """

    def __init__(self, name: str, argv: list[str], cwd: str, env: dict[str, str], data: bytes) -> None:
        self.name, self.argv, self.cwd, self.env, self.data = name, argv, cwd, env, data

    @property
    def id(self) -> str:
        """Return what stays of its name however often it is tried."""
        return self.name.partition(".")[0]

    @property
    def at(self) -> float:
        """Return when it came, in seconds since the epoch."""
        return int(self.name.partition("-")[0]) / 1e9

    @property
    def attempts(self) -> int:
        return int(self.name.rpartition(".")[2])

    def header(self) -> dict[str, Any]:
        """Return what is known of it beside its bytes."""
        return {"argv": self.argv, "cwd": self.cwd, "env": self.env}


def new_name() -> str:
    return f"{time.time_ns():020d}-{os.urandom(4).hex()}.0"


def here() -> str:
    """Return the current folder, "" when it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def path() -> str:
    """Return where the spool lies."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local/state")
    return os.path.join(home, "koog", "spool")


def is_empty() -> bool:
    """Return whether nothing waits, of whichever workspace: a look that costs nothing."""
    try:
        return not any(NAME.fullmatch(name) for name in os.listdir(path()))
    except OSError:
        return True


def aside() -> list[str]:
    """Return the names of the events that were put aside."""
    try:
        return sorted(name for name in os.listdir(os.path.join(path(), ASIDE)) if NAME.fullmatch(name))
    except OSError:
        return []


class Spool:
    """The open folder. Raises OSError where there is none, or it is not this person's alone."""

    def __init__(self, *, make: bool = False) -> None:
        around = os.open(os.path.dirname(path()), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _check(around)
            if make:
                with suppress(FileExistsError):
                    os.mkdir("spool", 0o700, dir_fd=around)
            self.fd = os.open("spool", FOLDER, dir_fd=around)
        finally:
            os.close(around)
        try:
            _check(self.fd)
        except OSError:
            os.close(self.fd)
            raise

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def put(self, event: Event) -> None:
        """Write an event down, whole or not at all. Raises OSError, also when the spool is full."""
        content = json.dumps(event.header()).encode() + b"\n" + event.data
        sizes = [info.st_size for _, info in self._files()]
        if len(sizes) >= MOST or sum(sizes) + len(content) > LIMIT or len(content) > EVENT_LIMIT:
            raise OSError("the spool is full")
        half = _half(event.name)
        fd = os.open(half, NEW, 0o600, dir_fd=self.fd)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(fd)
            os.rename(half, event.name, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        except OSError:
            with suppress(OSError):
                os.unlink(half, dir_fd=self.fd)
            raise
        os.fsync(self.fd)

    def events(self) -> list[Event]:
        """Return what waits and can be read, oldest first; what nobody else works on."""
        found = []
        for name in sorted(name for name, _ in self._files() if NAME.fullmatch(name)):
            claim = self.claim(name, how=fcntl.LOCK_SH)
            if claim is not None:
                with claim:
                    found.append(claim.event)
        return found

    def ids(self) -> set[str]:
        """Return the ids of all events, also of those that somebody works on."""
        return {name.partition(".")[0] for name, _ in self._files() if not name.startswith(".")}

    def claim(self, name: str, *, how: int = fcntl.LOCK_EX) -> Claim | None:
        """Take an event for oneself; None where somebody else has it, it is gone, or it is no event."""
        try:
            fd = os.open(name, FILE, dir_fd=self.fd)
        except FileNotFoundError:
            return None
        except OSError as e:
            if e.errno in (errno.ELOOP, errno.ENXIO, errno.EACCES):  # a link, a socket, a file that its mode closes
                self._refuse(name)
            return None
        try:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & OTHERS:
                self._refuse(name)
                raise OSError("no event")
            _lock(fd, how)
            if os.stat(name, dir_fd=self.fd, follow_symlinks=False).st_ino != info.st_ino:
                raise OSError("digested meanwhile")
            return Claim(self, fd, _read(fd, name))
        except (OSError, ValueError, KeyError, TypeError) as e:
            if isinstance(e, ValueError | KeyError | TypeError):
                self._refuse(name)
            os.close(fd)
            return None

    def sweep(self, is_wanted: Callable[[Event], bool]) -> None:
        """Remove what is too old: of no workspace that is left, or half written by a hook that was killed.

        is_wanted   whether an event's workspace is still there: it may be that no koog has run there for weeks
        """
        now = time.time()
        for name, info in self._files():
            days = (now - info.st_mtime) / 86400
            if name.endswith(".tmp"):
                if days > HALF_DAYS:
                    self._refuse(name)
            elif days > DAYS and (claim := self.claim(name, how=fcntl.LOCK_SH)):
                with claim:
                    if days > WANTED_DAYS or not is_wanted(claim.event):
                        claim.remove()
        with suppress(OSError):
            aside = os.open(ASIDE, FOLDER, dir_fd=self.fd)
            try:
                names = sorted(os.listdir(aside), reverse=True)
                for number, name in enumerate(names):
                    if number >= MOST_ASIDE or now - int(name.partition("-")[0]) / 1e9 > DAYS * 86400:
                        os.unlink(name, dir_fd=aside)
            except ValueError:
                pass  # a person's own file
            finally:
                os.close(aside)

    def remove(self, name: str) -> None:
        """Forget an event that is not claimed."""
        self._refuse(name)

    def remove_half(self, name: str) -> None:
        """Remove what `put` was interrupted in."""
        self._refuse(_half(name))

    def _refuse(self, name: str) -> None:
        with suppress(OSError):  # a folder stays, and is no event
            os.unlink(name, dir_fd=self.fd)

    def _files(self) -> list[tuple[str, os.stat_result]]:
        """Return what koog's hooks have put there, whole or half, by what lstat says."""
        found = []
        with os.scandir(self.fd) as entries:
            for entry in entries:
                if NAME.fullmatch(entry.name.removeprefix(".").removesuffix(".tmp")):
                    with suppress(OSError):  # digested meanwhile
                        found.append((entry.name, entry.stat(follow_symlinks=False)))
        return found


class Claim:
    """An event that this process works on: the kernel gives it back when the process dies."""

    def __init__(self, spool: Spool, fd: int, event: Event) -> None:
        self.spool, self.fd, self.event = spool, fd, event

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def count(self) -> None:
        """Note on disk that it is tried once more. Raises OSError."""
        self._rename(f"{self.event.id}.{min(9, self.event.attempts + 1)}")

    def uncount(self) -> None:
        """Take that back: nothing was wrong with it. Raises OSError."""
        self._rename(f"{self.event.id}.{max(0, self.event.attempts - 1)}")

    def remove(self) -> None:
        """Forget it: it is digested."""
        with suppress(FileNotFoundError):
            os.unlink(self.event.name, dir_fd=self.spool.fd)

    def put_aside(self) -> None:
        """Move it to where nobody tries it again. Raises OSError."""
        with suppress(FileExistsError):
            os.mkdir(ASIDE, 0o700, dir_fd=self.spool.fd)
        aside = os.open(ASIDE, FOLDER, dir_fd=self.spool.fd)
        try:
            os.rename(self.event.name, self.event.name, src_dir_fd=self.spool.fd, dst_dir_fd=aside)
        finally:
            os.close(aside)

    def _rename(self, name: str) -> None:
        os.rename(self.event.name, name, src_dir_fd=self.spool.fd, dst_dir_fd=self.spool.fd)
        self.event.name = name


def _half(name: str) -> str:
    """Return what an event is called until all of it is written."""
    return f".{name}.tmp"


def _check(fd: int) -> None:
    """Raise OSError for a folder that others own or may write."""
    info = os.fstat(fd)
    if info.st_uid != os.geteuid() or info.st_mode & OTHERS:
        raise OSError("not this person's alone")


def _lock(fd: int, how: int) -> None:
    """Lock an event's file. Raises OSError where somebody works on it."""
    until = time.monotonic() + LOOK_S
    while True:
        try:
            return fcntl.flock(fd, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if how == fcntl.LOCK_SH or time.monotonic() >= until:
                raise
            time.sleep(0.01)


def _read(fd: int, name: str) -> Event:
    """Return the event in a file. Raises OSError, ValueError, KeyError, TypeError for what is none."""
    parts, size = [], 0
    while size <= EVENT_LIMIT and (part := os.read(fd, 1024 * 1024)):
        parts.append(part)
        size += len(part)
    if size > EVENT_LIMIT:
        raise ValueError("too long")
    header, _, data = b"".join(parts).partition(b"\n")
    return event_of(name, json.loads(header), data)


def event_of(name: str, header: Any, data: bytes) -> Event:
    """Return the event that a header and its bytes make. Raises KeyError, TypeError for what is no header."""
    argv, cwd, env = header["argv"], header["cwd"], header["env"]
    texts = [*argv, cwd, *env.values()] if isinstance(argv, list) and isinstance(env, dict) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("no header of an event")
    return Event(name, argv, cwd, env, data)
