"""The processes of this machine: Linux is asked without a start of `ps`, which costs as much as a hook."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def processes() -> list[tuple[str, str]]:
    """Return id and arguments of each that has not ended."""
    return _linux() if (PROC / "self/cmdline").exists() else _elsewhere()


def _linux() -> list[tuple[str, str]]:
    found = []
    for name in os.listdir(PROC):  # noqa: PTH208  # names are enough
        if name.isdecimal():
            with suppress(OSError):  # it has ended meanwhile
                args = Path(f"/proc/{name}/cmdline").read_bytes()  # of one that is dead and not waited for: nothing
                found.append((name, os.fsdecode(args.replace(b"\0", b" "))))
    return [(pid, args) for pid, args in found if args]


def _elsewhere() -> list[tuple[str, str]]:
    shown = subprocess.run(["ps", "-ww", "-eo", "pid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [row.split(maxsplit=2) for row in shown.splitlines()]
    return [(pid, args) for pid, state, args in rows if not state.startswith("Z")]
