"""What claude.py and codex.py share: a home of their own with koog in it, and what is insisted on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from coding_model import CodingModel  # noqa: E402

from koog.core.text.marks import KOOG_BEGIN  # noqa: E402  the checkout is not installed

PATIENCE_S = 60.0
TURN_S = 120.0
BILLING = "We decided to use Postgres 16 for the billing service."
PAPER = "We decided to print the museum's tickets on recycled paper."
HERON = "We decided that the release is called Heron."


def program(folder: Path, package: str, name: str) -> tuple[Path, str]:
    """Return a program of npm's in a folder, installed where it is not, and what it says its version is."""
    path = folder / "node_modules/.bin" / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), package]
        subprocess.run(words, check=True, stdout=sys.stderr)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    return path, said.stdout.strip()


class Home:
    """A person's home: two projects, a workspace, koog in ~/.local/bin and no setting of this machine's."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder, self.workspace = folder, folder / "koog"
        self.env = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),  # a hook in the settings names the interpreter
            "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "KOOG_ENGINE": "builtin",
            **variables,
        }
        start = folder / ".local/bin/koog"
        start.parent.mkdir(parents=True)
        start.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m koog "$@"\n')
        start.chmod(0o755)
        for name in ("billing", "museum"):
            (folder / name).mkdir()
            self.run(["git", "init", "-q", "."], name)
        self.koog("init", str(self.workspace))

    def run(self, words: list[Any], folder: str = "billing", **given: Any) -> subprocess.CompletedProcess[str]:
        given = {"stdin": subprocess.DEVNULL, "timeout": TURN_S, **given}
        done = subprocess.run(
            words, cwd=self.folder / folder, env=self.env, capture_output=True, text=True, check=False, **given
        )
        if done.returncode:
            raise SystemExit(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def koog(self, *words: str) -> dict[str, Any]:
        line: dict[str, Any] = json.loads(self.run([self.folder / ".local/bin/koog", *words]).stdout)
        return line

    def killed(self, words: list[Any], model: CodingModel, transcripts: str) -> None:
        """Begin a session, and kill it while its model thinks and what was said stands in its transcript.

        transcripts   a pattern under the home
        """
        asked, model.is_thinking = len(model.requests), True
        process = subprocess.Popen(
            [*words, HERON],
            cwd=self.folder / "billing",
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        insist("the model is asked before the kill", until(lambda: len(model.requests) > asked))
        insist(
            "what was said is in the transcript",
            until(lambda: any(HERON in path.read_text("utf-8") for path in self.folder.glob(transcripts))),
        )
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        model.is_thinking = False
        self.settle("the kill")

    def observed(self, words: str) -> float:
        """Wait until something is observed; return the seconds."""
        began = time.monotonic()
        file = self.workspace / "memory/observations.md"
        insist(f"{words!r} is observed", until(lambda: file.exists() and words in file.read_text("utf-8")))
        return round(time.monotonic() - began, 2)

    def settle(self, moment: str) -> None:
        """Wait for what hooks have set off."""
        insist(f"quiet after {moment}", until(lambda: not self._at_work()))

    def _at_work(self) -> bool:
        rows = subprocess.run(["ps", "-ww", "-eo", "args="], capture_output=True, text=True, check=True).stdout
        return any(str(self.workspace) in row and "koog" in row and "ps " not in row for row in rows.splitlines())


def until(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def insist(what: str, is_so: object) -> None:
    if not is_so:
        raise SystemExit(f"not so: {what}")


def blocks(body: str) -> int:
    """Return how often koog's text stands in a request."""
    return body.count(json.dumps(KOOG_BEGIN)[1:-1])


def one_block(what: str, bodies: list[str], *, known: str, strange: str = "") -> None:
    """Insist that the last request holds koog's text once, with what was said here and nothing of elsewhere."""
    insist(f"{what}: the model was asked", bodies)
    insist(f"{what}: one block, not {blocks(bodies[-1])}", blocks(bodies[-1]) == 1)
    insist(f"{what}: {known!r} is in it", known in bodies[-1])
    insist(f"{what}: {strange!r} is not in it", not strange or strange not in bodies[-1])
