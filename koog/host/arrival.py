"""What a host tells a hook, on disk before the rest of koog is imported; and the answer that comes in time anyway.

`python -m koog` begins here for a hook (koog/__main__.py): arm the kernel's timer, read standard input, write the
event to the spool (core/files/spool.py). What comes afterwards may be slow or be killed: a detached process
(koog/host/work.py) digests the event, and where that dies too the next koog of the workspace does.

Three things can be late on a busy machine, and lose nothing:

    the host's words   who has not finished them at 0.75 of the limit finds the detached process still listening
    the answer         at the limit the host is told {}; the detached process is started if it was not, and notes
                       the cut answer for `koog status`
    the work           it waits for nobody here

Only the standard library's small modules are imported here.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from select import select
from typing import Any

from koog.core.files.spool import Event, Spool, here, new_name

HOOK_SECONDS = 0.8  # from a hook's start to its answer; a host that waits a second has it
START_SECONDS = 3.0  # at a session's start, where a person waits anyhow and the answer is the session's memory
STDIN_SHARE = 0.75  # of that, for the host's words
QUIET_SECONDS = 0.3  # for a host that keeps the pipe open: JSON that is whole is not waited for any longer
LATE_SECONDS = 30.0  # for one whose words come when it was told {} already
LIMIT = 8 * 1024 * 1024  # bytes; what is longer is drained and counts as nothing, so that the host's write ends
CHUNK = 1024 * 1024
HANDED = 60_000  # bytes: what a pipe takes at once, so that handing it over never waits
HANDED_FD = 10  # above what posix_spawn is to put in its place
LATE_FD = 3  # where the detached process finds the host's standard input

SPOOLED = ("agent-start", "pre-compaction", "agent-end", "session-start", "session-end")  # they set something off
PROMPTS = ("prompt-build", "prompt-submit")  # the moments at which a host says what the person has said
SILENT = ("tool-result",)  # what a tool said is in no file and goes to no other process
NAMING = ("KOOG_WORKSPACE", "OPENCLAW_STATE_DIR")  # the variables that name folders
TAKING = tuple(
    f"--{name}" for name in "workspace config engine now memory-dir modules-dir agent host deadline".split()
)  # the options of `hook` that a value follows


class Arrival:
    """One call of a hook, as far as it has come.

    data      standard input; b"" for none, a terminal, or more than LIMIT
    stored    whether it is in the spool
    late      whether the host's words are still to come, to the detached process
    started   whether the detached process has it
    reading   standard input, by a time of its own; over: the limit was reached meanwhile
    """

    def __init__(self, argv: Sequence[str]) -> None:
        words, options = parse(argv)
        self.event = words[1] if len(words) > 1 else ""
        self.is_dry = "--dry-run" in options
        self.limit = START_SECONDS if self.event == "session-start" else HOOK_SECONDS
        env = {name: os.environ[name] for name in NAMING if name in os.environ}
        self.told = Event(new_name(), list(argv), here(), env, b"")
        self.stored = self.late = self.started = self.answering = False
        self.reading = self.over = False

    @property
    def data(self) -> bytes:
        return self.told.data

    def take(self) -> None:
        """Read what the host says and write it down."""
        self.reading = True
        self.told.data, is_whole = read(seconds=self.limit * STDIN_SHARE)
        is_late = not is_whole and self.event in SPOOLED + PROMPTS
        if is_late:  # still not to be cut: a process that is started and has no order yet hears nobody
            self.late = self._start(late=True)
        self.reading = False
        if not is_late and self.data and self.event in SPOOLED and not self.is_dry:
            self.stored = store(self.told)
        if self.over:
            self.cut()

    def drop(self) -> None:
        """Forget the event: nothing is to be done with it."""
        if self.stored and not self.started:
            self.stored = False
            with suppress(OSError), Spool() as spool:
                spool.remove(self.told.name)

    def cut(self, *_: object) -> None:
        """Answer a host with nothing, and end: its limit is reached. Called by the kernel's timer, at any moment.

        Nothing is imported here, since the interrupted import may be the same.
        """
        if self.reading:  # what was read would be lost
            self.over = True
            return
        if not self.answering:
            os.write(1, b"{}\n")
            with suppress(OSError, ValueError):
                self._start(cut=self.limit)
            if not self.stored:
                with suppress(OSError), Spool() as spool:
                    spool.remove_half(self.told.name)
        os._exit(0)

    def _start(self, *, late: bool = False, cut: float | None = None) -> bool:
        """Hand the event over as it is; return whether that could be done.

        late   the host's words go on there; cut: the answer was cut after so many seconds
        """
        if self.is_dry:
            return False
        told = {"name": self.told.name, **self.told.header()}
        is_known = self.stored or self.started or self.late
        said = None if is_known or self.event in SILENT else self.data.decode("latin-1")
        order = {"told": told, "said": said, "late": late, "cut": cut}
        try:
            start(self.event, self.told.cwd, order, listens=late)
        except ValueError:  # too long for a pipe, and in no spool: it is noted at least
            start(self.event, self.told.cwd, {**order, "said": None, "late": False, "cut": self.limit})
            return False
        return True


_begun: Arrival | None = None


def current() -> Arrival | None:
    """Return the call that is being answered, None when no host has called."""
    return _begun


def is_hook(argv: Sequence[str]) -> bool:
    return parse(argv)[0][:1] == ["hook"]


def begin(argv: Sequence[str]) -> Arrival:
    """Take what a host says; from now on it has an answer in time."""
    global _begun  # noqa: PLW0603  a process is one call
    came = _begun = Arrival(argv)
    signal.signal(signal.SIGALRM, came.cut)
    signal.setitimer(signal.ITIMER_REAL, came.limit)
    came.take()
    return came


@contextmanager
def in_time(argv: Sequence[str]) -> Iterator[Arrival]:
    """Answer a host in the block, at its limit with nothing, where `begin` has not seen to that already.

    Whatever hangs (a disk, a pipe, a huge file) is interrupted by the kernel's timer. Writing is not done in this
    process (koog/host/work.py does it), so nothing is left half done.
    """
    global _begun  # noqa: PLW0603  as above
    before = signal.getsignal(signal.SIGALRM)
    try:
        yield _begun or begin(argv)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _begun = None


def keep() -> None:
    """Put the event that is at hand into the spool, which takes a prompt only where something is still to be done."""
    if _begun and not _begun.stored and not _begun.is_dry:
        _begun.stored = store(_begun.told)


def drop() -> None:
    """Forget the event that is at hand: nothing is to be done with it."""
    if _begun:
        _begun.drop()


def answering() -> None:
    """Say that the answer is being written: a host that does not read it gets no second one at the limit."""
    if _begun:
        _begun.answering = True


def parse(argv: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words that are no options, and the options of a hook's call.

    >>> parse(["--now=x", "hook", "agent-end", "--workspace", "/w", "-n"])
    (['hook', 'agent-end'], {'--now': 'x', '--workspace': '/w', '--dry-run': ''})
    """
    found: list[str] = []
    options: dict[str, str] = {}
    words = iter(argv)
    for word in words:
        name, given, value = word.partition("=")
        if not word.startswith("-"):
            found.append(word)
        elif name in TAKING:
            options[name] = value if given else next(words, "")
        else:
            options["--dry-run" if word == "-n" else word] = ""
    return found, options


def store(event: Event) -> bool:
    """Write an event to the spool; False where there is none, or it takes no more."""
    try:
        with Spool(make=True) as spool:
            spool.put(event)
    except OSError:
        return False
    return True


# --- standard input


def read(*, seconds: float) -> tuple[bytes, bool]:
    """Return standard input as far as it comes in this time, and whether that is all of it.

    What is too long is read to its end all the same: a host that cannot write blocks, or takes it for a failure.
    """
    if sys.stdin is None or sys.stdin.closed:
        return b"", True
    try:
        fd = sys.stdin.fileno()
        return (b"", True) if os.isatty(fd) else read_from(fd, seconds=seconds)
    except (OSError, ValueError):
        return b"", True


def read_from(fd: int, *, seconds: float, begun: bytes = b"") -> tuple[bytes, bool]:
    """Return what comes from a descriptor in this time, and whether that is all: its end, or JSON and then quiet.

    begun   what somebody has read of it already
    """
    until = time.monotonic() + seconds
    parts, size, looked_at = [begun], len(begun), 0
    while (left := until - time.monotonic()) > 0:
        if not select([fd], [], [], min(left, QUIET_SECONDS))[0]:
            if looked_at < size <= LIMIT and is_json(b"".join(parts)):
                return b"".join(parts), True
            looked_at = size
            continue
        part = os.read(fd, CHUNK)
        if not part:
            return (b"".join(parts) if size <= LIMIT else b""), True
        size += len(part)
        if size <= LIMIT:
            parts.append(part)
    return (b"".join(parts) if size <= LIMIT else b""), False


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


# --- the detached process


def start(event: str, folder: str, order: dict[str, Any], *, listens: bool = False) -> int:
    """Start koog/host/work.py with a session of its own and an order on its standard input; return its id.

    folder    the second of its arguments, which are for a person who looks at the processes
    listens   it goes on reading what the host says

    Raises ValueError for an order that a pipe does not take at once, OSError.
    """
    data = json.dumps(order).encode()
    if len(data) > HANDED:
        raise ValueError(f"an order of {len(data)} bytes")
    ours, theirs = os.pipe()
    handed = fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, HANDED_FD)
    os.close(ours)
    moves: list[tuple[Any, ...]] = [(os.POSIX_SPAWN_CLOSE, fd) for fd in _inherited()]
    if listens:
        moves.append((os.POSIX_SPAWN_DUP2, 0, LATE_FD))
    moves.append((os.POSIX_SPAWN_DUP2, handed, 0))
    moves += [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    argv = [sys.executable, "-P", "-m", "koog.host.work", event, folder]
    try:
        pid = os.posix_spawn(sys.executable, argv, _environment(), file_actions=moves, setsid=True)
        with suppress(BrokenPipeError):  # it has died already; what is in the spool stays there
            os.write(theirs, data)
    finally:
        os.close(handed)
        os.close(theirs)
    return pid


def _inherited() -> list[int]:
    """Return the descriptors that the host has left open for whatever it starts."""
    found = []
    for name in os.listdir("/dev/fd"):
        with suppress(OSError, ValueError):  # the listing's own
            if int(name) > 2 and os.get_inheritable(int(name)):
                found.append(int(name))
    return found


def _environment() -> dict[str, str]:
    """Return the environment in which `-P -m koog` finds this very koog."""
    around = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = dict(os.environ)
    if os.path.basename(around) not in ("site-packages", "dist-packages"):
        found["PYTHONPATH"] = os.pathsep.join(filter(None, (around, found.get("PYTHONPATH"))))
    return found
