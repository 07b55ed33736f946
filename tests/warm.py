"""koog as a process of its own that is forked from one with everything imported: it is at work after milliseconds.

A start of the interpreter costs more than most commands. The process here has its own streams, folder, environment,
limits and exit code all the same, and nothing of the test's own process in it. What a start itself is about (the
interpreter's settings, what is imported, closed streams) is tried with `sys.executable -m koog`.

    python -m tests.warm FD FD PROGRAM     the process that is forked; it ends with the other end of its first socket
"""

from __future__ import annotations

import atexit
import fcntl
import marshal
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from tests import launched

ROOT = Path(__file__).resolve().parent.parent
START_ONLY = ("PYTHON", "LANG", "LC_", "TZ", "LD_", "COVERAGE")  # variables that a running interpreter has read
LENGTH = 8  # bytes in front of a request


class Begun:
    """One koog at work whose standard streams are descriptors of the test's."""

    def __init__(
        self,
        argv: Sequence[str],
        streams: Sequence[int],
        *,
        cwd: Path,
        env: Mapping[str, str],
        file_size: int | None = None,
        started_as: str = "koog",
        apart: bool = False,
        hook_s: float | None = None,
    ) -> None:
        """Begin.

        file_size   no file may grow beyond it, also in what koog starts
        apart       in a session of its own
        hook_s      how long a hook may take, by default as koog has it
        """
        self._told, tell = os.pipe()
        self.args = argv
        self.returncode: int | None = None
        request = {"argv": [started_as, *argv], "cwd": str(cwd), "env": dict(env), "file_size": file_size}
        try:
            mother().send(request | {"apart": apart, "hook_s": hook_s}, [*streams, tell])
        finally:
            os.close(tell)
        self.pid = int(self._line())

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, minus the signal's number for a killed one. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(list(self.args), timeout or 0)
            self.returncode = int(self._line())
            os.close(self._told)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _line(self) -> str:
        text = b""
        while not text.endswith(b"\n"):
            if not (byte := os.read(self._told, 1)):
                raise ChildProcessError("the process that koog is forked from has died")
            text += byte
        return text.decode()


class Process(Begun):
    """One koog at work, as subprocess.Popen has it: `stdin`, `stdout` and `stderr` are pipes of bytes."""

    def __init__(
        self, *argv: str, cwd: Path, file_size: int | None = None, hook_s: float | None = None, **env: str
    ) -> None:
        """Begin. file_size, hook_s: as above; env: variables of its own."""
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_err, theirs_err = os.pipe()
        self.stdin: IO[bytes] = os.fdopen(ours_in, "wb")
        self.stdout: IO[bytes] = os.fdopen(ours_out, "rb")
        self.stderr: IO[bytes] = os.fdopen(ours_err, "rb")
        theirs = (theirs_in, theirs_out, theirs_err)
        try:
            super().__init__(argv, theirs, cwd=cwd, env=os.environ | env, file_size=file_size, hook_s=hook_s)
        finally:
            for fd in theirs:
                os.close(fd)

    def communicate(self, stdin: bytes | None = None, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Write, read until both streams end, wait. Raises subprocess.TimeoutExpired."""
        read: dict[str, bytes] = {}

        def write() -> None:
            with suppress(BrokenPipeError):  # it has ended without reading everything
                self.stdin.write(stdin or b"")
                self.stdin.flush()
            with suppress(BrokenPipeError):
                self.stdin.close()

        def reader(name: str) -> None:
            read[name] = getattr(self, name).read()

        threads = [threading.Thread(target=write, daemon=True)]
        threads += [threading.Thread(target=reader, args=(name,), daemon=True) for name in ("stdout", "stderr")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout)
            if thread.is_alive():
                raise subprocess.TimeoutExpired(list(self.args), timeout or 0)
        self.wait(timeout)
        self.stdout.close()
        self.stderr.close()
        return read["stdout"], read["stderr"]


def run(
    *argv: str, cwd: Path, stdin: bytes = b"", timeout: float = 120, file_size: int | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run one command to its end, as subprocess.run does; one that hangs is killed, and raises TimeoutExpired."""
    if _needs_a_start():
        assert file_size is None, "a limit is set in a fork only"
        command = [sys.executable, "-m", "koog", *argv]
        return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, timeout=timeout, check=False)
    process = Process(*argv, cwd=cwd, file_size=file_size)
    try:
        out, err = process.communicate(stdin, timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(list(argv), process.wait(), out, err)


def _needs_a_start() -> bool:
    """Say whether the test has set something that an interpreter reads when it starts."""
    return {n: v for n, v in os.environ.items() if n.startswith(START_ONLY)} != mother().read_at_start


class Mother:
    """The process that each koog is forked from, and the socket over which it is told to."""

    def __init__(self) -> None:
        # Also before a test has set it, as for a fixture of the whole session: every test does.
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        self.read_at_start = {n: v for n, v in env.items() if n.startswith(START_ONLY)}
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        self.launcher = launched.Launcher()
        with theirs:
            fds = [theirs.fileno(), self.launcher.socket.fileno()]
            command = [sys.executable, "-m", "tests.warm", *map(str, fds), str(self.launcher.program)]
            self._process = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=fds, stdin=subprocess.DEVNULL)

    def send(self, request: Mapping[str, Any], fds: list[int]) -> None:
        data = marshal.dumps(request)
        with self._lock:
            socket.send_fds(self._socket, [len(data).to_bytes(LENGTH, "big")], fds)
            self._socket.sendall(data)

    def end(self) -> None:
        self._socket.close()
        self._process.wait()
        self.launcher.end()


_mothers: dict[int, Mother] = {}


def mother() -> Mother:
    """Return this process's one, started at the first call."""
    if os.getpid() not in _mothers:
        _mothers[os.getpid()] = Mother()
        atexit.register(_mothers[os.getpid()].end)
    return _mothers[os.getpid()]


# --- the forked side


def serve(requests: socket.socket, programs: socket.socket, launcher: str) -> None:
    """Fork a koog for each request; write to its last descriptor the process id, later the exit code."""
    ready_to_fork()
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    at_work: dict[int, int] = {}
    watched: dict[int, int] = {}  # a launched program's socket → the process id of its fork
    while True:
        ready, _, _ = select.select([requests, ended, programs, *watched], [], [])
        if ended in ready:
            os.read(ended, 4096)
            reap(at_work, watched)
        for fd in [fd for fd in ready if fd in watched]:
            os.kill(watched.pop(fd), signal.SIGKILL)  # the program has died: it was killed
        came = [requests] if requests in ready else []
        if programs in ready:
            came.append(programs.accept()[0])
        for there in came:
            data, fds = asked(there)
            if not data:
                if there is requests:
                    return
                there.close()
                for fd in fds:
                    os.close(fd)
                continue
            request = marshal.loads(data)
            tell = fds.pop() if there is requests else there.detach()
            if not (pid := os.fork()):
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                programs.close()
                for fd in {*at_work.values(), requests.fileno(), ended, wake, tell}:
                    os.close(fd)
                become(request, fds, launcher)
            at_work[pid] = tell
            if there is not requests:
                watched[tell] = pid
            with suppress(OSError):  # a program that was killed meanwhile: its fork is ended above
                os.write(tell, f"{pid}\n".encode())
            for fd in fds:
                os.close(fd)


def reap(at_work: dict[int, int], watched: dict[int, int]) -> None:
    """Tell of everyone who has ended."""
    for pid, tell in list(at_work.items()):
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            with suppress(OSError):  # nobody waits for it
                os.write(tell, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(at_work.pop(pid))
            watched.pop(tell, None)


def asked(there: socket.socket) -> tuple[bytes, list[int]]:
    """Return a request and its descriptors; nothing from an end that is gone, as of a program that was killed."""
    fds: list[int] = []
    try:
        head, fds, _, _ = socket.recv_fds(there, LENGTH, 4)
        return exactly(there, int.from_bytes(head, "big")) if head else b"", fds
    except OSError:
        return b"", fds


def exactly(requests: socket.socket, length: int) -> bytes:
    """Read so many bytes; nothing when the other end is gone before."""
    data = b""
    while len(data) < length:
        if not (part := requests.recv(length - len(data))):
            return b""
        data += part
    return data


def become(request: dict[str, Any], fds: list[int], launcher: str) -> None:
    """Be that koog, or what one has launched, to the end."""
    from koog.__main__ import entry
    from koog.host import arrival

    try:
        numbers = request.get("numbers", range(len(fds)))
        moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, len(numbers)) for fd in fds]
        for fd in fds:
            os.close(fd)
        for number, fd in zip(numbers, moved, strict=True):
            os.dup2(fd, number)
            os.close(fd)
        if request["apart"]:
            os.setsid()
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["env"])
        tempfile.tempdir = None  # what the process before the fork has found
        sys.stdin, sys.stdout, sys.stderr = opened(0, "r"), opened(1, "w"), opened(2, "w")
        if "launched" in request:
            sys.executable = launcher
            launched.run(request)
        sys.argv = request["argv"]
        if (size := request["file_size"]) is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        if (seconds := request["hook_s"]) is not None:
            arrival.HOOK_SECONDS = arrival.START_SECONDS = seconds
        if arrival.is_hook(sys.argv[1:]):
            sys.executable = launcher
        entry()
    except BaseException:
        traceback.print_exc()
    os._exit(1)  # koog itself ends with its own code


def opened(fd: int, mode: str) -> Any:
    """Return a standard stream as the interpreter opens it at its start."""
    as_started = (sys.__stdin__, sys.__stdout__, sys.__stderr__)[fd]
    line_buffering = fd == 2 or (mode == "w" and os.isatty(fd))
    stream = open(  # noqa: SIM115
        fd, mode, encoding=as_started.encoding, errors=as_started.errors, newline=None if mode == "r" else "\n"
    )
    if mode == "w":
        stream.reconfigure(line_buffering=line_buffering)
    return stream


@cache
def ready_to_fork() -> None:
    """Make this process one in whose forks koog is at work at once."""
    everything_imported()
    worked_once()


def everything_imported() -> None:
    from importlib import import_module
    from pkgutil import walk_packages

    import koog
    from koog.cli import COMMANDS

    assert COMMANDS
    for module in walk_packages(koog.__path__, "koog."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name in LATE:
        import_module(name)


def worked_once() -> None:
    """Run some commands here, on a workspace that is gone afterwards.

    What a first run makes of koog's own files (expressions compiled, word lists and schemas read) no fork has to make.
    """
    from koog.cli import main
    from koog.core import lazy_regex

    before, folder = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as place, Path(os.devnull).open("w") as nowhere:
        os.environ.clear()
        os.environ.update({n: v for n, v in before.items() if not n.startswith(("KOOG_", "GIT_", "XDG_"))})
        os.environ.update(HOME=place, XDG_CONFIG_HOME=f"{place}/config", XDG_STATE_HOME=f"{place}/state")
        os.environ.update(GIT_CONFIG_NOSYSTEM="1", KOOG_ENGINE="builtin", KOOG_PROVIDER_BASE_URL="http://127.0.0.1:1")
        Path(place, ".gitconfig").write_text("[user]\n\tname = Test\n\temail = test@example.invalid\n")
        try:
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                assert main(["init", f"{place}/ws"]) == 0
                os.chdir(f"{place}/ws")
                Path("memory/2026-02-27.md").write_text(A_DAY)
                for words in FIRST:
                    assert main(["--now", "2026-02-28T12:00:00Z", *words]) == 0, words
                lazy_regex.keep()  # or each fork would
        finally:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(before)


A_DAY = "# A day\n\n- The build failed with ENOSPC, fixed by `make clean`.\n- Decided: releases go out on Tuesdays.\n"
FIRST = (
    *(["tick", "--session-summary", "the build failed"], ["compile", "--message", "why did the build fail?"]),
    *(["doctor"], ["backup"], ["topic", "check", "--text", "the build"], ["status"], ["search", "the build"]),
    *(["startup", "--dry-run"], ["recall", "the build"], ["remember", "Ada fixed the build"], ["observe"], ["reflect"]),
    *(["decay", "run"], ["forget", "Ada"], ["extract"], ["transcript", "import"], ["consolidate", "run"]),
    *(["condense", "daily"], ["audit", "verify"]),
)


# What koog imports where it needs it; not numpy, whose threads no fork survives.
LATE = [
    *("apsw", "ctypes", "difflib", "email.utils", "frontmatter", "git", "hashlib", "ipaddress", "jsonschema"),
    *("jsonschema.exceptions", "queue", "requests", "requests.adapters", "rich.console", "rich.progress", "select"),
    *("shlex", "socket", "subprocess", "tempfile", "traceback", "urllib.parse", "urllib3", "yaml", "zlib", "zoneinfo"),
]

if __name__ == "__main__":
    serve(*(socket.socket(fileno=int(fd)) for fd in sys.argv[1:3]), sys.argv[3])
