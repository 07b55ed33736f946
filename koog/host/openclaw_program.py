"""The program `openclaw`, as koog calls it: its settings by one patch, its cron by the gateway.  [openclaw.md]

Seen in 2026.7.1 and 2026.9.6: `config patch --stdin` takes a JSON object, checks the whole of it, and writes all or
nothing, with a gateway or without; null deletes. `cron` needs the gateway. A heartbeat is a job whose
`declarationKey` is `heartbeat:AGENT`, and whose text is its scratch, with a revision; 2026.7 has neither.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from koog.core.files import jsonfiles, outside
from koog.core.git.process import end_group
from koog.core.named import NamedTuple
from koog.core.text.untrusted import clean

NAME = "openclaw"
LIMITS_S = {"config": 180.0, "cron": 60.0, "--version": 30.0}  # a patch took up to a minute on a busy machine
WORDS_CHARS = 300
UNKNOWN = re.compile(r"(\S+): Unrecognized keys?: (.+)")
COLOR = re.compile(r"\x1b\[[0-9;]*m")


class Failed(Exception):
    """What the program did not do, in its own words."""


class Scratch(NamedTuple):
    """The text of a heartbeat, None for none yet, and its revision."""

    text: str | None
    revision: int


class Program(NamedTuple):
    """The program, by its path. limits_s: how long its commands may take."""

    path: str
    limits_s: Mapping[str, float] = LIMITS_S

    def version(self) -> str:
        """Return the line in which it names its release, "" for none. Raises Failed."""
        return "".join(self._run("--version").strip().splitlines()[:1])

    def check(self, patch: Mapping[str, Any]) -> list[tuple[str, ...]]:
        """Return the keys of a patch that this release does not know. Raises Failed for what else is wrong with it."""
        out = self._run("config", "patch", "--stdin", "--dry-run", "--json", stdin=jsonfiles.line(patch), codes=(0, 1))
        try:
            told = jsonfiles.loads(out)
        except ValueError:
            raise Failed(f"{NAME} config patch: {_words(out) or 'no JSON'}") from None
        if not isinstance(told, dict) or told.get("ok") is True:
            return []
        if issues := [row for row in told.get("issues") or () if isinstance(row, dict)]:  # in what stands there already
            words = "; ".join(f"{row.get('path')}: {row.get('message')}" for row in issues)
            raise Failed(f"{NAME} doctor --fix comes first, its settings are not valid: {_words(words)}")
        messages = [str(error.get("message")) for error in told.get("errors", ()) if isinstance(error, dict)]
        unknown = [
            (*where.split("."), key)
            for where, keys in (pair for message in messages for pair in UNKNOWN.findall(message))
            for key in re.findall(r'"([^"]+)"', keys)
        ]
        if not unknown:
            raise Failed(f"{NAME} config patch: {_words('; '.join(messages) or out)}")
        return unknown

    def patch(self, value: Mapping[str, Any]) -> str:
        """Change the settings; return what it says about that. Raises Failed; then all was changed, or nothing."""
        return _words(self._run("config", "patch", "--stdin", stdin=jsonfiles.line(value)))

    def heartbeat(self, agent: str) -> str | None:
        """Return the id of an agent's heartbeat among the gateway's jobs, None where it has none. Raises Failed."""
        jobs = self._json("cron", "list", "--all", "--json").get("jobs")
        rows = [row for row in jobs if isinstance(row, dict)] if isinstance(jobs, list) else []
        return next((str(row.get("id")) for row in rows if row.get("declarationKey") == f"heartbeat:{agent}"), None)

    def scratch(self, job: str) -> Scratch:
        """Return the text of a heartbeat. Raises Failed."""
        told = self._json("cron", "scratch", job, "--json")
        kept, revision = told.get("scratch"), told.get("currentRevision")
        text = kept.get("content") if isinstance(kept, dict) else None
        return Scratch(text if isinstance(text, str) else None, revision if isinstance(revision, int) else 0)

    def write_scratch(self, job: str, text: str | None, *, revision: int) -> None:
        """Replace the text of a heartbeat, remove it for None; not if somebody has meanwhile. Raises Failed."""
        words = ("cron", "scratch", job, "--expected-revision", str(revision))
        if text is None:
            self._run(*words, "--unset")
        else:
            self._run(*words, "--file", "-", stdin=text)

    def _json(self, *words: str) -> dict[str, Any]:
        out = self._run(*words)
        try:
            value = jsonfiles.loads(out)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Failed(f"{NAME} {' '.join(words[:2])}: no JSON")
        return value

    def _run(self, *words: str, stdin: str = "", codes: tuple[int, ...] = (0,)) -> str:
        """Return what a call prints. Raises Failed, with all its processes ended where it took too long."""
        import subprocess

        said, limit_s, pipe = f"{NAME} {' '.join(words[:2])}", self.limits_s[words[0]], subprocess.PIPE
        env = {**os.environ, "NO_COLOR": "1"}
        try:
            process = subprocess.Popen(
                [self.path, *words], stdin=pipe, stdout=pipe, stderr=pipe, env=env, start_new_session=True
            )
        except OSError as e:
            raise Failed(f"{said}: {e.strerror}") from None
        with process:
            try:
                out, err = process.communicate(stdin.encode("utf-8", "replace"), limit_s)
            except subprocess.TimeoutExpired:
                end_group(process)
                raise Failed(f"{said}: no answer within {limit_s:g} s") from None
            except BaseException:  # ^C reaches only our own group
                end_group(process)
                raise
        if process.returncode not in codes:
            raise Failed(f"{said}: {_words(_text(err) or _text(out)) or f'ended with {process.returncode}'}")
        return _text(out)


def find() -> Program | None:
    """Return the program that PATH has, None for none."""
    path = outside.program(NAME)
    return Program(path) if path else None


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _words(text: str) -> str:
    """Return what a program says on one line, without colours and secrets."""
    return clean(" ".join(COLOR.sub("", text).split()))[:WORDS_CHARS]
