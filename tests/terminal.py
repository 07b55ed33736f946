"""koog at a terminal of its own: Python's pty, so that stdin and stderr are one and stdout is a pipe, as in a shell."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

# Whoever runs the tests may be an agent: its host's variables are not the test's.
HOSTS = ("OPENCLAW", "CLAUDE", "CODEX", "GEMINI", "CURSOR", "AI_AGENT")


def at_terminal(*argv: str, cwd: Path, env: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
    """Run koog as a person does who types it; return its exit code and its line."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "koog", *argv],
            cwd=cwd,
            stdin=theirs,
            stderr=theirs,
            stdout=subprocess.PIPE,
            env={**persons(), **(env or {})},
            timeout=60,
            check=False,
        )
    finally:
        os.close(theirs)
        os.close(ours)
    return done.returncode, json.loads(done.stdout)


def persons() -> dict[str, str]:
    """Return this process's environment as a person's shell has it."""
    return {name: value for name, value in os.environ.items() if not name.startswith(HOSTS)}
