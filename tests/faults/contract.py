"""What every fault must end in: one line, the right code, a workspace in one of two states, no secret anywhere."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from koog.core import errors
from tests import warm
from tests.conftest import fits

CODES = {c.code: c.exit_code for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.KoogError)}
KEY = (
    "local" + hashlib.sha256(b"the key of these tests").hexdigest()[:30]
)  # of no shape that is known: only its value gives it away
PLANTED = "ghp" + "_" + hashlib.sha256(b"planted in a note").hexdigest()[:36]

# koog as a process of its own: with fewer seconds for each call of git, or telling the most memory it held
HURRIED = "from koog.core.git import process; process.LIMIT_S = {}; from koog.cli import entry; entry()"
MEASURED = (
    "import sys; from koog.cli import main; code = main(); sys.stdout.flush(); "
    "print(*(l for l in open('/proc/self/status') if 'VmHWM' in l), file=sys.stderr); sys.exit(code)"
)


class Ended(NamedTuple):
    """One koog that has ended."""

    code: int
    line: dict[str, Any]
    out: str
    err: str

    @property
    def error(self) -> str | None:
        return None if self.line["ok"] else self.line["error"]["code"]


def run(*argv: str, cwd: Path, stdin: str = "", timeout: float = 120, program: str | None = None) -> Ended:
    """Run koog as a process and insist on the contract: one ASCII line, its schema, its code, no traceback.

    program   Python in place of `-m koog`: HURRIED or MEASURED
    """
    if program is None:
        done = warm.run(*argv, cwd=cwd, stdin=stdin.encode(), timeout=timeout)
    else:
        command = [sys.executable, "-c", program, *argv]
        done = subprocess.run(command, cwd=cwd, input=stdin.encode(), capture_output=True, timeout=timeout, check=False)
    out, err = done.stdout.decode("ascii"), done.stderr.decode("utf-8", "backslashreplace")
    assert out.endswith("\n") and out.count("\n") == 1, (out, err)
    assert "Traceback" not in err, err
    line = orjson.loads(out)  # stricter than json: half a surrogate pair is no JSON
    if line["ok"]:
        assert fits(line) is None
    assert done.returncode == (0 if line["ok"] else CODES[line["error"]["code"]])
    return Ended(done.returncode, line, out, err)


def nowhere(secret: str, *folders: Path, ended: Ended | None = None, but: Path | None = None) -> None:
    """Insist that a secret is in no stream, no file and no object of git; `but` names the file it was planted in."""
    raw = secret.encode()
    if ended:
        assert secret not in ended.out + ended.err
    for folder in folders:
        for path in (p for p in folder.rglob("*") if p.is_file() and not p.is_symlink() and p != but):
            assert raw not in path.read_bytes(), path
        if (folder / ".git").exists():
            every = ["git", "-C", str(folder), "cat-file", "--batch", "--batch-all-objects"]
            assert raw not in subprocess.run(every, capture_output=True, check=True).stdout
            history = ["git", "-C", str(folder), "log", "-p", "--all"]
            assert raw not in subprocess.run(history, capture_output=True, check=True).stdout


def still_runs(pid: str) -> bool:
    """Return whether a process lives; one that ended gets some time to leave the table."""
    for _ in range(200):
        state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False).stdout
        if not state.strip() or state.startswith("Z"):
            return False
        time.sleep(0.05)
    return True
