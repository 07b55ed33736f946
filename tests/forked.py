"""koog in a child of this process that something is done to first: a limit, another user, a death at some moment.

A fork has everything imported already, so a hundred of them take seconds, and one
that has become another user needs no leave to read the interpreter's files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module

from koog.cli import COMMANDS, main


def run(*argv: str, first: Callable[[], Callable[[], int]]) -> tuple[int, int, str]:
    """Run a command after `first`; return its exit code, what the function that `first` gave says then, and stdout.

    The exit code is negative, the signal's number, when the child was killed.
    """
    reader, writer = os.pipe()
    counter, counted = os.pipe()
    if not (child := os.fork()):
        code = 99
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


def everything_imported() -> None:
    """Import every command, and what commands import only when they need it."""
    for target in COMMANDS.values():
        for each in [target] if isinstance(target, str) else target.values():
            import_module(each.split(":")[0])
    for name in (
        "core.files.door",
        "core.files.journal",
        "core.git.repository",
        "core.git.commits",
        "core.ask",
        "core.text.secrets",
        "core.failures",
    ):
        import_module(f"koog.{name}")
