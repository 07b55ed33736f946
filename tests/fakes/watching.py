"""A `koog watch` that runs, what it said so far, and a conversation that grows under its eyes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.fakes import stores
from tests.fakes.stores import FILES, SESSION

CLAUDE = Path(".claude") / FILES["claude"]
OPENCLAW = Path(".openclaw") / FILES["openclaw"]
NOW = ("--now", "2026-02-28T10:00:00Z")  # an hour after the fakes' conversations begin
PATIENCE_S = 30


class Watch:
    """The process and its events, in order."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.events: list[dict[str, Any]] = []
        self._heard = threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        for text in self.process.stdout or ():
            with self._heard:
                self.events.append(json.loads(text))
                self._heard.notify_all()

    def named(self, name: str) -> list[dict[str, Any]]:
        return [e for e in self.events if e.get("event") == name]

    def wait(self, name: str, *, times: int = 1) -> dict[str, Any]:
        """Return the event of that name when it has come so often."""
        with self._heard:
            came = self._heard.wait_for(lambda: len(self.named(name)) >= times, PATIENCE_S)
        assert came, f"no {name}: {self.events}"
        return self.named(name)[times - 1]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; return the exit code when all that was said is heard."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        self._listener.join(PATIENCE_S)
        return code


@contextmanager
def watching(*argv: str, cwd: Path) -> Iterator[Watch]:
    command = [sys.executable, "-m", "koog", *NOW, "watch", "--rescan", "1", *argv]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=cwd, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield Watch(process)
        finally:
            process.kill()


def configure(workspace: Path, *, entries: int = 40, cooldown_s: float = 300) -> None:
    """Set the watcher's two figures."""
    value = {"observe": {"watchEntries": entries, "watchCooldownSeconds": cooldown_s}}
    (workspace / "koog-config.json").write_text(json.dumps(value))


def said(count: int, *, first: int = 0) -> list[str]:
    """Return so many things that a person decides, each in words of its own."""
    return [f"We decided that service-{n} runs on port {8000 + n} of host-{n}." for n in range(first, first + count)]


def grow(home: Path, texts: list[str], *, first: int = 0, name: str = CLAUDE.name) -> Path:
    """Append to a transcript of Claude Code's what the user said."""
    path = (home / CLAUDE).with_name(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.writelines(map(stores.line, stores.claude(by_user(texts), first=first)))
    return path


def openclaw(texts: list[str], *, first: int = 0, session: str = SESSION) -> list[dict[str, Any]]:
    """Return the records of OpenClaw's session, its header before the first one."""
    records = list(stores.openclaw(by_user(texts), first=first))
    return records if first and session == SESSION else [{**stores.header(), "id": session}, *records]


def by_user(texts: list[str]) -> list[stores.Said]:
    return [stores.Said("user", text) for text in texts]


class Database(stores.Database):
    """OpenClaw's database of one session, held open as its host does."""

    def __init__(self, home: Path, *, key: str = "agent:main:main") -> None:
        super().__init__(home / ".openclaw", key=key)

    def append(self, records: list[dict[str, Any]], *, packed: bool = False) -> None:
        super().append(records, packed=packed)
        moment = int(datetime.fromisoformat(records[-1]["timestamp"]).timestamp() * 1000)
        self.db.execute("UPDATE session_windows SET updated_at = ?, transcript_updated_at = ?", (moment, moment))
