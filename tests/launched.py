"""A program in the interpreter's place: what koog itself starts is forked from the warm process, too.

A hook sets a process off, and that one others, each `sys.executable -P -m koog…`: three starts of the interpreter for
some milliseconds of work. In a koog that was forked for a hook `sys.executable` is the program written here. It has the
arguments that a look at the processes shows, hands over what it was started with (arguments, environment, folder,
streams, session), passes on the signals that it gets, and ends as the fork does; whoever kills it kills that as well.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

PROGRAM = """\
#!{python} -IS
import _socket, marshal, os, signal, sys

def is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True

def passed_on(number, frame):
    waiting.append(number)
    while pid and waiting:
        try:
            os.kill(pid, waiting.pop())
        except ProcessLookupError:
            pass

pid, waiting = 0, []
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, passed_on)
fds = [fd for fd in range(4) if is_open(fd)]
told = {{"launched": {first!r} + sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "numbers": fds}}
told["apart"] = os.getsid(0) == os.getpid()
data = marshal.dumps(told)
mother = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
mother.connect({address!r})
rights = b"".join(fd.to_bytes(4, sys.byteorder) for fd in fds)
mother.sendmsg([len(data).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
mother.sendall(data)
for fd in fds:
    os.close(fd)

def number():
    text = b""
    while not text.endswith(b"\\n"):
        got = mother.recv(1)
        if not got:
            os._exit(1)
        text += got
    return int(text)

pid = number()
if waiting:
    passed_on(waiting.pop(), None)
code = number()
if code < 0:
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""


class Launcher:
    """Where such programs are heard of, and the one that stands for the interpreter."""

    def __init__(self) -> None:
        # Not in the test's own temporary folder: a socket's path is short.
        self.folder = Path(tempfile.mkdtemp(prefix="koog-warm-", dir="/tmp"))
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.bind(str(self.folder / "s"))
        self.socket.listen(64)
        self.program = self.put(self.folder / "python-that-is-warm")

    def put(self, path: Path, *first: str) -> Path:
        """Make a program that is started with these words before its own."""
        path.write_text(PROGRAM.format(python=sys.executable, address=str(self.folder / "s"), first=[*first]))
        path.chmod(0o700)
        return path

    def end(self) -> None:
        self.socket.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def run(request: dict[str, Any]) -> None:
    """Be what the program was told to be: `MODULE ARGUMENT…`, as the interpreter `-P -m MODULE ARGUMENT…`."""
    words = request["launched"]
    module, *argv = words[2:] if words[:2] == ["-P", "-m"] else words
    sys.argv = [module, *argv]
    if module == "koog":
        importlib.import_module("koog.__main__").entry()
    code = importlib.import_module(module).main()
    sys.stdout.flush()
    sys.stderr.flush()
    atexit._run_exitfuncs()
    os._exit(code or 0)
