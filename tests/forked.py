"""koog in a child of this process that something is done to first: a limit, another user, a death at some moment.

A fork has everything imported already, so a hundred of them take seconds, and one
that has become another user needs no leave to read the interpreter's files.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable

from koog.cli import main
from tests import warm


def run(*argv: str, first: Callable[[], Callable[[], int]]) -> tuple[int, int, str]:
    """Run a command after `first`; return its exit code, what the function that `first` gave says then, and stdout.

    The exit code is negative, the signal's number, when the child was killed.
    """
    warm.ready_to_fork()
    reader, writer = os.pipe()
    counter, counted = os.pipe()
    if not (child := os.fork()):
        code = 99
        gc.freeze()  # what this process holds is not the child's to look through
        try:
            os.dup2(writer, 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            sys.stdout = os.fdopen(os.dup(1), "w")
            tell = first()
            code = main([*argv])
            sys.stdout.flush()
            number = tell()
            os.write(counted, str(number).encode())
        finally:
            os._exit(code)  # whatever happens, the child must not go on as a second run of the tests
    os.close(writer)
    os.close(counted)
    with os.fdopen(reader) as said, os.fdopen(counter) as told:
        out, number_text = said.read(), told.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(number_text or 0), out
