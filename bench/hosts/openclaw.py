"""koog in the real OpenClaw: installed by one command, in the prompt of every turn, and out again.

    python -m bench.hosts.openclaw FOLDER [--version 2026.9.6]

Installs OpenClaw (and a Node that is new enough, where PATH has none) from npm into FOLDER, which it may find there
the next time, and runs its gateway offline against a model on a loopback port. What is asserted of a turn is what that
model was asked. Everything of the run itself lies in a folder of its own that goes at the end; prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.hosts.chat_model import NAME, ChatModel, Request

ROOT = Path(__file__).resolve().parents[2]
NODE = "24.21.0"
BLOCK = re.compile(r"<!-- koog:startup -->.*?<!-- /koog -->", re.DOTALL)
LINE = (
    "- 🔴 10:0{} The user decided on {} for the warehouse. <!-- dc:type=decision dc:importance=0.9 dc:source=s1#1 -->\n"
)
FIRST, SECOND, THIRD = "SQLite", "Postgres", "Valkey"
READY = re.compile(rb"\[gateway\]\S* \S*ready")
DUMP = re.compile(r"\d{4}-\d\d-\d\d-\d{4}.*\.md")
PATIENCE_S = 120.0


class Host:
    """One OpenClaw with its own home, its gateway, and the workspaces of its two agents."""

    def __init__(self, folder: Path, programs: list[Path], model: ChatModel, version: str) -> None:
        self.folder, self.model, self.version = folder, model, version
        self.state, self.main, self.other = (folder / name for name in ("state", "main", "other"))
        self.gateway: subprocess.Popen[bytes] | None = None
        path = os.pathsep.join([*map(str, programs), str(folder / "bin"), os.environ["PATH"]])
        own = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "STATE", "CACHE", "DATA")}
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("OPENCLAW_", "KOOG_", "XDG_"))}
        self.env |= {"HOME": str(folder), "PATH": path, "OPENCLAW_STATE_DIR": str(self.state), "NO_COLOR": "1", **own}
        for made in (self.state, self.main, self.other, folder / "bin"):
            made.mkdir(parents=True)
        program = folder / "bin/koog"
        program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m koog "$@"\n')
        program.chmod(0o755)
        (self.state / "openclaw.json").write_text(json.dumps(self.settings(), indent=2) + "\n")

    def settings(self) -> dict[str, Any]:
        """Return what a person has after onboarding: a model, agents, and OpenClaw's own dumps switched on."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        kinds: dict[str, Any] = {"contextWindow": 200_000, "maxTokens": 8192, "input": ["text"], "reasoning": False}
        provider = {"baseUrl": self.model.url, "apiKey": "none", "api": "openai-completions"}
        agents: dict[str, Any] = {
            "defaults": {
                "workspace": str(self.main),
                "model": {"primary": f"own/{NAME}"},
                "skipBootstrap": True,
                "compaction": {"qualityGuard": {"enabled": False}},  # a scripted model sums nothing up
            }
        }
        if not self.is_old:
            agents["ownership"] = "explicit"
            agents["defaults"] |= {"heartbeat": {"agentId": "main"}, "systemAgent": {"agentId": "main"}}
            agents["entries"] = {"main": {"workspace": str(self.main)}, "other": {"workspace": str(self.other)}}
        return {
            "gateway": {
                "mode": "local",
                "port": port,
                "bind": "loopback",
                "auth": {"mode": "token", "token": "t" * 32},
            },
            "models": {
                "mode": "replace",
                "providers": {"own": {**provider, "models": [{"id": NAME, "name": NAME, **kinds}]}},
            },
            "agents": agents,
            "hooks": {"internal": {"enabled": True, "entries": {"session-memory": {"enabled": True}}}},
        }

    @property
    def is_old(self) -> bool:
        return self.version.startswith("2026.7.")

    def run(self, *words: str, stdin: str = "") -> str:
        done = subprocess.run(
            words, input=stdin, env=self.env, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, f"{words}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
        return done.stdout

    def patch(self, value: dict[str, Any]) -> None:
        self.run("openclaw", "config", "patch", "--stdin", stdin=json.dumps(value))

    def koog(self, *words: str) -> dict[str, Any]:
        line: dict[str, Any] = json.loads(self.run("koog", "--workspace", str(self.main), *words))
        return line

    def start(self) -> None:
        log = self.folder / "gateway.log"
        before = log.stat().st_size if log.exists() else 0
        with log.open("ab") as out:
            self.gateway = subprocess.Popen(
                ["openclaw", "gateway", "run"], env=self.env, stdout=out, stderr=out, start_new_session=True
            )
        until(lambda: bool(READY.search(log.read_bytes()[before:])), what=f"the gateway: {log}")

    def stop(self) -> None:
        """Kill the gateway with all that it has started, as a power cut would."""
        assert self.gateway
        os.killpg(self.gateway.pid, signal.SIGKILL)
        self.gateway.wait()

    def turn(self, text: str, *, agent: str = "main", key: str | None = None) -> Request:
        """Say something; return what the model was asked for it."""
        before = len(self.model.requests)
        words = ["--session-key", key] if key else ["--agent", agent]
        self.run("openclaw", "agent", *words, "--message", text, "--json")
        return self.model.requests[before:][-1]

    def heartbeat(self) -> Request:
        """Let the heartbeat run now; return what the model was asked for it."""
        before = len(self.model.requests)
        jobs = json.loads(self.run("openclaw", "cron", "list", "--all", "--json"))["jobs"]
        (job,) = (job["id"] for job in jobs if job.get("declarationKey") == "heartbeat:main")
        self.run("openclaw", "cron", "run", job)
        until(lambda: len(self.model.requests) > before, what="a heartbeat")
        return self.model.requests[-1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--version", default="2026.9.6")
    given = parser.parse_args()
    programs = installed(given.folder.resolve(), given.version)
    with tempfile.TemporaryDirectory(prefix="koog-openclaw-") as folder, ChatModel() as model:
        host = Host(Path(folder), programs, model, given.version)
        print(json.dumps({"bench": "hosts.openclaw", "openclaw": given.version, **measured(host)}))


def measured(host: Host) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    config = host.state / "openclaw.json"
    host.start()
    try:
        host.patch({"gateway": {"bind": "loopback"}})  # with its first write OpenClaw renews older settings
        before = json.loads(config.read_text())
        printed = host.koog("init", str(host.main), "--host", "openclaw")
        assert json.loads(config.read_text()) == before
        figures["linesLeftWithoutApply"] = len(printed["host"]["next"])
        with timed(figures, "applySeconds"):
            line = host.koog("init", str(host.main), "--host", "openclaw", "--apply")
        assert line["host"]["applied"] and line["host"]["version"] == host.version, line
        with timed(figures, "againSeconds"):
            again = host.koog("init", str(host.main), "--host", "openclaw", "--apply")
        assert again["host"]["applied"] and not any(": set " in told for told in again["host"]["did"]), again
        time.sleep(5)  # the gateway takes its settings up
        spoken(host, figures)
        host.patch({"env": {"vars": {"OPENCLAW_TRAJECTORY": "0"}}})
        host.stop()
        host.start()
        figures["privateTextWithoutTrajectories"] = stored(host, trajectory=False)
        figures["uninstalled"] = taken_back(host, before)
    except AssertionError:
        print(json.dumps(figures), file=sys.stderr)
        raise
    finally:
        host.stop()
    return figures


def spoken(host: Host, figures: dict[str, Any]) -> None:
    """Have turns, and everything that ends a session."""
    notes = host.main / "memory/observations.md"
    notes.write_text("Date: 2026-11-21\n\n" + LINE.format(1, FIRST))
    first = block(host.turn("What do you know?"))
    assert first and FIRST in first
    notes.write_text(notes.read_text() + LINE.format(2, SECOND))
    blocks = [first, *(block(host.turn(f"And turn {n}?")) for n in range(3))]
    figures |= {"turns": 4, "identicalBlocks": blocks.count(first), "blockChars": len(first)}
    host.stop()
    host.start()
    figures["afterKill9"] = "same" if block(host.turn("After the cut?")) == first else "differs"
    if not host.is_old:
        asked = host.heartbeat()
        figures["heartbeat"] = "koog tick" in json.dumps(asked["messages"][-3:])
        figures["heartbeatBlock"] = "same" if block(asked) == first else "differs"
        assert SECOND not in json.dumps(host.turn("Hello", agent="other"))
        figures["otherAgent"] = "nothing"
    host.run("openclaw", "sessions", "compact", "agent:main:main")
    compacted = block(host.turn("After the compaction?")) or ""
    figures["afterCompaction"] = "renewed" if SECOND in compacted else "old"
    notes.write_text(notes.read_text() + LINE.format(3, THIRD))
    host.run("openclaw", "agent", "--agent", "main", "--message", "/reset", "--json")
    blocks = [block(host.turn("After the reset?")), block(host.turn("And then?"))]
    figures["afterReset"] = "renewed" if THIRD in (blocks[0] or "") and blocks[0] == blocks[1] else "old"
    group = host.turn("Hello, group", key="agent:main:telegram:group:-1001")
    figures["group"] = "nothing" if FIRST not in json.dumps(group) else "told"
    figures["privateTextIn"] = stored(host, trajectory=True)
    skills = json.loads(
        host.run("openclaw", "skills", "list", "--json", *([] if host.is_old else ["--agent", "main"]))
    )["skills"]
    figures["skillListed"] = any(row["name"] == "sinain-hud" and row["eligible"] for row in skills)
    figures["dumps"] = sum(1 for file in (host.main / "memory").iterdir() if DUMP.fullmatch(file.name))


def stored(host: Host, *, trajectory: bool) -> dict[str, int]:
    """Say something private; return in how many rows of OpenClaw's tables it stands, of those that have any."""
    needle = f"quillfeather{int(trajectory)}"
    host.turn(f"Remember this: <private>{needle}</private> thanks")
    time.sleep(2)
    found = {}
    for database in sorted(host.state.rglob("*.sqlite")):
        for table, rows in told_in(database, needle).items():
            found[table] = found.get(table, 0) + rows
    return found


def told_in(database: Path, needle: str) -> dict[str, int]:
    """Return table → rows that hold a text, packed or not."""
    import zstandard

    def holds(value: Any) -> bool:
        if isinstance(value, bytes) and value[:4] == b"\x28\xb5\x2f\xfd":
            value = zstandard.ZstdDecompressor().decompress(value, max_output_size=1 << 24)
        data = value if isinstance(value, bytes) else str(value).encode()
        return needle.encode() in data

    found = {}
    with tempfile.TemporaryDirectory() as folder:  # a copy: the gateway keeps its own locked
        for file in database.parent.glob(f"{database.name}*"):
            if file.name in (database.name, f"{database.name}-wal"):
                shutil.copy(file, folder)
        db = sqlite3.connect(f"{folder}/{database.name}")
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            try:
                rows = sum(any(map(holds, row)) for row in db.execute(f'SELECT * FROM "{name}"'))
            except sqlite3.Error:
                continue  # a table of an extension that this Python has not
            if rows:
                found[name] = rows
        db.close()
    return found


def taken_back(host: Host, before: dict[str, Any]) -> str:
    """Take koog out again; return whether OpenClaw's settings are what they were."""
    (row,) = host.koog("uninstall", str(host.main), "--host", "openclaw")["taken"]
    assert not row["left"], row
    after = json.loads((host.state / "openclaw.json").read_text())
    return "identical" if {**after, "meta": None, "env": None} == {**before, "meta": None, "env": None} else "differs"


def block(asked: Request) -> str | None:
    """Return what of koog stands in the system prompt of a request, None for nothing."""
    found = BLOCK.search(str(asked["messages"][0]["content"]))
    return found[0] if found else None


def installed(folder: Path, version: str) -> list[Path]:
    """Return the folders of the programs, installed from npm where they are not there yet."""
    programs = [folder / version / "node_modules/.bin"]
    if not is_new_enough("node"):
        system = {"Linux": "linux", "Darwin": "darwin"}[platform.system()]
        package = f"node-{system}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}"
        npm(folder / "node", f"{package}@{NODE}", programs=[])
        programs.append(folder / "node/node_modules" / package / "bin")
    npm(folder / version, f"openclaw@{version}", programs=programs)
    return programs


def is_new_enough(node: str) -> bool:
    if not shutil.which(node):
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return [int(part) for part in said.strip().removeprefix("v").split(".")] >= [24, 16, 0]


def npm(folder: Path, package: str, *, programs: list[Path]) -> None:
    if (folder / "node_modules").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
    words = ["npm", "install", "--prefix", str(folder), package, "--no-audit", "--no-fund"]
    subprocess.run(words, env={**os.environ, "PATH": path}, cwd=folder, stdout=subprocess.DEVNULL, check=True)


@contextmanager
def timed(figures: dict[str, Any], name: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    figures[name] = round(time.perf_counter() - started, 1)


def until(is_so: Callable[[], bool], *, what: str) -> None:
    for _ in range(int(PATIENCE_S * 5)):
        if is_so():
            return
        time.sleep(0.2)
    raise AssertionError(f"waited in vain for {what}")


if __name__ == "__main__":
    main()
