"""A workspace that an agent owns, what lies outside it, and koog called as operator and cron call it.

An agent may write anything in the workspace, `.koog/` and `.git/` included; it cannot write the person's home, config
and state. A call of koog that may hang, or a host's, is a process of its own, forked from one with everything imported:
see tests/warm.py. Any other is one in this process.
"""

from __future__ import annotations

import gc
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from koog.cli import main
from tests import inside, warm
from tests.conftest import CLOSED, ROOT

NOW = "2026-02-28T12:00:00Z"
CANARY = "canaryzx41"  # stands in every file outside, and nowhere else
LIMIT_S = 30.0  # of one command: the slowest takes one
OLD = 1_500_000_000  # when all of them were last changed

ENTRY = {"ts": NOW, "tickId": "t1", "feedbackScores": None, "actionsConsidered": []}
# What an operator runs by hand and cron by itself, as words behind `koog`.
CALLS: dict[str, list[str]] = {
    "log": ["log", "--entry", json.dumps(ENTRY)],
    "mine": ["mine"],
    "curate": ["curate"],
    "signal": ["signal", "--session-summary", "the build failed again"],
    "tick": ["tick", "--session-summary", "the build failed again"],
    "status": ["status"],
    "doctor": ["doctor"],
    "fix": ["doctor", "--fix"],
    "backup": ["backup"],
    "compile": ["compile", "--message", "how do I deploy the metro app?"],
    "out": ["compile", "--message", "how do I deploy the metro app?", "--out", "context.md"],
    "search": ["search", "deploy metro app"],
    "index": ["index"],
    "observe": ["observe"],
    "reflect": ["reflect"],
    "recover": ["recover"],
    "startup": ["startup"],
    "build": ["playbook", "build"],
    "show": ["playbook", "show"],
    "modules": ["module", "list"],
    "stack": ["module", "stack"],
    "info": ["module", "info", "base-behaviors"],
    "topics": ["topic", "list"],
    "check": ["topic", "check", "--text", "how do I deploy the metro app?"],
    "usage": ["usage"],
    "cron": ["cron", "show"],
    "wrong": ["compile", "--message", "deploy", "--out", "koog-config.json/no"],  # a failure that is noted
}


class Called(NamedTuple):
    """What one call of koog came to; `code` is negative, the signal's number, for one that was killed."""

    argv: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def line(self) -> dict[str, Any]:
        """Return the reply: the only line that is an object (a terminal shows standard error between)."""
        found: dict[str, Any] = json.loads(next(row for row in self.out.splitlines() if row.startswith("{")))
        return found

    @property
    def warned(self) -> str:
        return " ".join(self.line["_meta"].get("warnings", []))

    @property
    def said(self) -> str:
        """Return what a person is told beside the keys: warnings, and the error's message and hint."""
        error = self.line.get("error") or {}
        return " ".join([self.warned, str(error.get("message", "")), str(error.get("hint", ""))])

    @property
    def error(self) -> str | None:
        """Return the error's code, None for success."""
        found: str | None = None if self.line["ok"] else self.line["error"]["code"]
        return found


@dataclass
class Ground:
    """One workspace with its outside, all below `place`.

    ws        the workspace: the agent's; place/ws, or ws_path
    home      the person's: dot files, config/ and state/
    outside   files, a folder and a repository that are nobody's business
    ran       where a program leaves its name once it has run
    limit_s   after which a command is killed, where one may hang
    """

    place: Path
    calls: list[Called] = field(default_factory=list)
    before: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    more_env: dict[str, str] = field(default_factory=dict)
    limit_s: float | None = None
    ws_path: Path | None = None
    started_as: str = "koog"

    @property
    def ws(self) -> Path:
        return self.ws_path or self.place / "ws"

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def outside(self) -> Path:
        return self.place / "outside"

    @property
    def ran(self) -> Path:
        return self.place / "ran"

    @property
    def env(self) -> dict[str, str]:
        return {
            "PATH": f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "KOOG_PROVIDER_BASE_URL": CLOSED,
            "KOOG_ENGINE": "builtin",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            **self.more_env,
        }

    # --- koog

    def koog(self, *argv: str, cwd: Path | None = None, stdin: bytes = b"", **env: str) -> Called:
        """Run a command in the workspace."""
        words, where = ("--now", NOW, *argv), {"cwd": cwd or self.ws, "env": {**self.env, **env}}
        if self.limit_s or self.started_as != "koog" or argv[0] == "hook":
            limit_s = self.limit_s or LIMIT_S
            called = forked(words, **where, limit_s=limit_s, stdin=stdin, started_as=self.started_as)
        else:
            called = Called(words, *inside.run(words, **where, stdin=stdin))
        self.calls.append(called)
        return called

    def started(self, *argv: str, stdin: str = "", **env: str) -> Called:
        """Run a command as a shell starts it: Python anew."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "koog", "--now", NOW, *argv],
            cwd=self.ws,
            env={**self.env, **env},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=self.limit_s or LIMIT_S,
        )
        called = Called(("--now", NOW, *argv), done.returncode, done.stdout, done.stderr)
        self.calls.append(called)
        return called

    def run(self, *names: str) -> dict[str, Called]:
        """Run the calls of these names, all of them where none is given."""
        return {name: self.koog(*self._words(name)) for name in names or CALLS}

    def _words(self, name: str) -> list[str]:
        """Return a call's words; each log is of a tick of its own, or it would write nothing."""
        return [word.replace('"t1"', f'"t{len(self.calls)}"') for word in CALLS[name]]

    def typed(self, *argv: str, cwd: Path | None = None, **env: str) -> Called:
        """Run a command as a person at a terminal does."""
        where: dict[str, Any] = {"cwd": cwd or self.ws, "env": {**self.env, **env}, "limit_s": self.limit_s or LIMIT_S}
        called = at_terminal(("--now", NOW, *argv), **where)
        self.calls.append(called)
        return called

    def operator(self, key: str, value: Any) -> None:
        """Set a key in the operator's file for this workspace, by its dotted name, as a person's editor does."""
        path = self.home / "config/koog/config.json"
        config = json.loads(path.read_text()) if path.exists() else {}
        entry = config.get("workspaces", {}).get(self.id, config)
        *parents, last = key.split(".")
        for name in parents:
            entry = entry.setdefault(name, {})
        entry[last] = value
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(config))

    @property
    def id(self) -> str | None:
        """Return the id under which the operator's file knows the workspace, None when it does not."""
        path = self.home / "config/koog/config.json"
        known = json.loads(path.read_text()).get("workspaces", {}) if path.exists() else {}
        return next((i for i, entry in known.items() if entry.get("path") == os.path.realpath(self.ws)), None)

    # --- the agent's means

    def put(self, path: str, text: str | bytes = "") -> Path:
        """Write a file of the workspace, in the place of whatever is there."""
        target = self.ws / path
        target.parent.mkdir(parents=True, exist_ok=True)
        clear(target)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def link(self, path: str, to: Path | str) -> Path:
        """Put a link into the workspace, in the place of whatever is there."""
        target = self.ws / path
        target.parent.mkdir(parents=True, exist_ok=True)
        clear(target)
        target.symlink_to(to)
        return target

    def lead(self, name: str, kind: str) -> Path:
        """Put a link into the workspace to a canary of its own outside; say what it is in `seal`'s place.

        kind   text.md, rows.jsonl, object.json, empty: a file; folder: 25 notes; new: nothing stands there
        """
        to = self.outside / f"{name.strip('.').replace('/', '-')}-{kind}"
        token = f"{CANARY} of {name} "
        if kind == "folder":
            to.mkdir()
            for source in (self.outside / kind).iterdir():
                (to / source.name).write_text(source.read_text().replace(CANARY, token))
        elif kind != "new":
            to.write_text((self.outside / kind).read_text().replace(CANARY, token))
        return self.link(name, to)

    def program(self, name: str, *, then: str = "cat") -> str:
        """Write a program into the workspace that says that it was run; return its path."""
        path = self.ws / "tools" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch '{self.ran}/{name}'\n{then}\n")
        path.chmod(0o755)
        return str(path)

    def git(self, *args: str, cwd: Path | None = None, check: bool = True) -> str:
        """Run git as the agent or the person does and return what it printed, stripped."""
        done = subprocess.run(
            ["git", "-C", str(cwd or self.ws), *args], env=self.env, capture_output=True, check=check, timeout=60
        )
        return os.fsdecode(done.stdout).strip()

    # --- what must hold

    def seal(self) -> None:
        """Take down what stands outside now: from here on it may not change."""
        for path in _tree(self.place, self._own()):
            os.utime(path, (OLD, OLD), follow_symlinks=False)
        self.before = snapshot(self.place, self._own())
        self.calls.clear()

    def changed(self) -> list[str]:
        """Return what differs outside since it was sealed."""
        old, new = self.before, snapshot(self.place, self._own())
        gone = [f"- {name}" for name in sorted(old.keys() - new.keys())]
        made = [f"+ {name} {new[name]}" for name in sorted(new.keys() - old.keys())]
        return (
            gone + made + [f"~ {n} {old[n]} -> {new[n]}" for n in sorted(old.keys() & new.keys()) if old[n] != new[n]]
        )

    def programs_run(self) -> list[str]:
        return sorted(p.name for p in self.ran.iterdir())

    def told(self) -> list[str]:
        """Return the commands that told somebody what stands outside, and what of it."""
        found = [(c, re.search(f"{CANARY}.{{0,40}}", c.out + c.err)) for c in self.calls]
        return [f"{' '.join(c.argv[2:])}: {text[0]}" for c, text in found if text]

    def taken_in(self) -> list[str]:
        """Return the files of the workspace, git's objects included, that hold what stands outside."""
        found = []
        for path in _tree(self.ws, ()):
            info = path.lstat()
            if not stat.S_ISREG(info.st_mode) or info.st_nlink > 1:
                continue
            data = path.read_bytes()
            if path.parent.parent.name == "objects":
                with_header = zlib.decompressobj()
                with suppress(zlib.error):
                    data = with_header.decompress(data)
            if CANARY.encode() in data:
                at = data.index(CANARY.encode())
                found.append(f"{path.relative_to(self.ws)}: {data[at : at + 50]!r}")
        return found

    def broken(self) -> list[str]:
        """Return the calls that were no clean command: a hang, a traceback, no line."""
        bad = [c for c in self.calls if c.code < 0 or "Traceback" in c.err or '"ok":' not in c.out]
        return [f"{' '.join(c.argv)}: {c.code} {c.out[:300]} {c.err[-600:]}" for c in bad]

    def assert_kept(self) -> None:
        """Nothing outside changed, was read into a reply or a file, or made to run; no command broke down."""
        found = {
            "changed outside": self.changed(),
            "programs run": self.programs_run(),
            "told": self.told(),
            "taken in": self.taken_in(),
            "broken": self.broken(),
        }
        assert not any(found.values()), "\n".join(f"{k}: {v}" for k, v in found.items() if v)

    def _own(self) -> tuple[Path, ...]:
        return (self.ws, self.ran, self.home / "config", self.home / "state")


def clear(path: Path) -> None:
    """Take away what stands at a path, a whole folder too; a link, never what it leads to."""
    if path.is_dir() and not path.is_symlink():
        for child in path.iterdir():
            clear(child)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def _tree(root: Path, without: Iterable[Path]) -> list[Path]:
    """Return everything below a folder, and itself, links not followed; the last first, so that mtimes can be set."""
    without, found = set(without), [root]
    for folder, names, files in os.walk(root):
        names[:] = [n for n in names if Path(folder, n) not in without]
        found += [Path(folder, n) for n in (*names, *files)]
    return found[::-1]


def snapshot(root: Path, without: Iterable[Path] = ()) -> dict[str, tuple[Any, ...]]:
    """Return path → kind and mode, time of change, owner, and size and hash, link target or nothing."""
    found: dict[str, tuple[Any, ...]] = {}
    for path in _tree(root, without):
        info = path.lstat()
        content: tuple[Any, ...] = ()
        if stat.S_ISREG(info.st_mode):
            data = path.read_bytes() if info.st_size < 1 << 20 else b"large"
            content = (info.st_size, sha256(data).hexdigest()[:12], data[-60:])
        elif stat.S_ISLNK(info.st_mode):
            content = (str(path.readlink()),)
        found[path.relative_to(root).as_posix()] = (oct(info.st_mode), info.st_mtime_ns // 1000, *content)
    return found


# --- koog as a process


def forked(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: dict[str, str],
    limit_s: float,
    stdin: bytes,
    started_as: str,
    hook_s: float | None = None,
) -> Called:
    """Run koog with its standard streams files and no terminal; one that hangs is killed, with all that it started.

    hook_s   how long a hook may take, where what it answers is asked and not how quick a busy machine is
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        streams = (given.fileno(), out.fileno(), err.fileno())
        child = warm.Begun(argv, streams, cwd=cwd, env=env, started_as=started_as, apart=True, hook_s=hook_s)
        try:
            code = child.wait(limit_s)
        except subprocess.TimeoutExpired:
            for pid in [child.pid, *_started_by(child.pid)]:
                os.kill(pid, signal.SIGKILL)
            code = child.wait()
        out.seek(0)
        err.seek(0)
        return Called(tuple(argv), code, *(os.fsdecode(f.read()) for f in (out, err)))


def at_terminal(argv: Sequence[str], *, cwd: Path, env: dict[str, str], limit_s: float) -> Called:
    """Run koog in a child of this process whose standard streams are a terminal."""
    warm.ready_to_fork()
    child, terminal = pty.fork()
    if not child:
        _become_koog(argv, cwd, env, (0, 1, 2), "koog")
    said, until = b"", time.monotonic() + limit_s
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            said += os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
    code = _ended(child, limit_s)
    os.close(terminal)
    return Called(tuple(argv), code, os.fsdecode(said), "")


def _become_koog(
    argv: Sequence[str], cwd: Path, env: dict[str, str], streams: tuple[int, int, int], started_as: str
) -> None:
    """Be the command until it ends, and the process with it."""
    code = 99
    gc.freeze()  # what this process holds is not the child's to look through
    try:
        for number, fd in enumerate(streams):
            os.dup2(fd, number)
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        sys.argv = [started_as, *argv]
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        code = main([*argv])
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def _ended(child: int, limit_s: float) -> int:
    """Wait for a child and return its exit code; one that hangs is killed, with all that it started."""
    until = time.monotonic() + limit_s
    while not (done := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > until:
            for pid in [child, *_started_by(child)]:
                os.kill(pid, signal.SIGKILL)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        time.sleep(0.003)
    return os.waitstatus_to_exitcode(done[1])


def _started_by(pid: int) -> list[int]:
    """Return the processes below one; git's have sessions of their own."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            found += [child, *_started_by(child)]
    return found
