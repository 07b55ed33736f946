"""koog in this process with an environment, a folder and standard streams of its own.

A fork of the warm process (tests/warm.py) costs twice what most commands do: it copies each page that it touches. What
is about processes, or sets some off, as a hook does, is tried with one.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from koog.cli import main


def run(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes = b"") -> tuple[int, str, str]:
    """Run a command; return its exit code, and what it said on standard output and on standard error."""
    given, out, err = (io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="\n") for data in (stdin, b"", b""))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        for name in os.environ.keys() - env.keys():
            patch.delenv(name)
        for name, value in env.items():
            patch.setenv(name, value)
        patch.setattr(tempfile, "tempdir", None)  # what was found in another environment
        for name, stream in {"stdin": given, "stdout": out, "stderr": err}.items():
            patch.setattr(sys, name, stream)
        code = main([*argv])
    return code, *(_said(stream) for stream in (out, err))


def completed(*argv: str, cwd: Path, stdin: bytes = b"", **_limits: float) -> subprocess.CompletedProcess[bytes]:
    """Run a command in the environment that is; return what warm.run does."""
    code, out, err = run(argv, cwd=cwd, env=dict(os.environ), stdin=stdin)
    return subprocess.CompletedProcess(argv, code, os.fsencode(out), os.fsencode(err))


def _said(stream: io.TextIOWrapper) -> str:
    stream.flush()
    data = stream.buffer
    assert isinstance(data, io.BytesIO)
    return os.fsdecode(data.getvalue())
