"""A person's home with a workspace, sessions of Claude Code and daily notes in it; koog is called as a person calls it.

    house = House(tmp_path)
    house.session("paging", ("user", "We page by cursor."), ("agent", "Noted."))
    house.observe()
    [line] = house.seen("paging")

Black box: everything goes in by files and comes out by the command line and files. Each call is a fork of a process
that has everything imported (tests/warm.py). Scenes are sessions that have nothing to do with each other, so that one
call of koog reads all of a module's.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from tests import inside
from tests.boundary.ground import Called, at_terminal, forked
from tests.conftest import CLOSED, ROOT
from tests.fakes.model import FakeModel

NOW = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)  # a Saturday
START = datetime(2026, 2, 27, 9, 0, tzinfo=UTC)  # when the first session begins
HIGH, MEDIUM, LOW = "🔴", "🟡", "🟢"
SEEN = re.compile(r"[-*] (🔴|🟡|🟢)\ufe0f? *(?:\d\d:\d\d )?(.*?) *<!--((?: dc:\S+=\S*)+) -->")
OWN = ("rule", "preference", "habit", "goal")  # types that only a person's words can be

Said = tuple[str, str]  # who: user, agent, tool; and what


class Seen(NamedTuple):
    """One line of observations.md."""

    mark: str
    text: str
    type: str
    entries: tuple[str, ...]  # on which turns it rests


@dataclass
class House:
    """place: everything is below it"""

    place: Path
    more: dict[str, str] = field(default_factory=dict)
    scenes: dict[str, str] = field(default_factory=dict)  # entry id → scene

    def __post_init__(self) -> None:
        self.place = Path(os.path.realpath(self.place))
        self.home.mkdir(parents=True)
        (self.home / ".gitconfig").write_text("[user]\n\tname = Test\n\temail = test@example.invalid\n")
        self.koog("init", str(self.ws), cwd=self.home)
        self.set("heartbeat", {"playbookLines": 300})

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def ws(self) -> Path:
        return self.home / "mind"

    @property
    def env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "KOOG_PROVIDER_BASE_URL": CLOSED,
            "KOOG_ENGINE": "builtin",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            **self.more,
        }

    def set(self, name: str, value: dict[str, Any]) -> None:
        """Set a section of the workspace's own config."""
        path = self.ws / "koog-config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))

    # --- koog

    def called(
        self, *argv: str, cwd: Path | None = None, stdin: bytes = b"", now: datetime = NOW, llm: FakeModel | None = None
    ) -> Called:
        model = {"KOOG_ENGINE": "llm", "KOOG_PROVIDER_BASE_URL": llm.url, "OPENROUTER_API_KEY": "k"} if llm else {}
        words, cwd, env = ("--now", now.isoformat(), *argv), cwd or self.ws, self.env | model
        if argv[0] == "hook":
            return forked(words, cwd=cwd, env=env, limit_s=120, stdin=stdin, started_as="koog")
        return Called(words, *inside.run(words, cwd=cwd, env=env, stdin=stdin))

    def koog(self, *argv: str, **how: Any) -> dict[str, Any]:
        """Run a command that succeeds; return its line."""
        called = self.called(*argv, **how)
        assert called.code == 0, (argv, called.out[:800], called.err[-800:])
        return called.line

    def typed(self, *argv: str) -> dict[str, Any]:
        """Run a command that succeeds as a person at a terminal does; return its line."""
        words = ("--now", NOW.isoformat(), *argv)
        called = at_terminal(words, cwd=self.ws, env=self.env, limit_s=120)
        assert called.code == 0, (argv, called.out[:800], called.err[-800:])
        return called.line

    def observe(self, **how: Any) -> dict[str, Any]:
        return self.koog("observe", "--source", "claude", "--since", "2026-02-20T00:00:00Z", **how)

    def mine_all(self, **how: Any) -> list[str]:
        """Mine until a run looks into nothing; return every pattern and preference."""
        found: list[str] = []
        for _ in range(30):
            line = self.koog("mine", **how)
            found += line["newPatterns"] + line["preferences"]
            if not line["minedSources"]:
                break
        return found

    def tick_all(self, **how: Any) -> None:
        """Tick until nothing is mined and nothing is added."""
        for _ in range(30):
            line = self.koog("tick", "--idle", "--no-push", **how)
            if not line["minedSources"] and not (line["changes"] or {}).get("added"):
                return

    def put_out(self, *argv: str, **how: Any) -> str:
        """Return the whole text that compile or startup makes."""
        self.koog(*argv, "--out", "out.md", **how)
        path = self.ws / "out.md"
        return path.read_text("utf-8") if path.exists() else ""

    # --- what is said and written

    def session(self, scene: str, *said: Said, at: datetime | None = None, apart_s: int = 40) -> None:
        """Write a session of Claude Code, a turn every apart_s seconds; what it has already stays."""
        folder = self.home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(self.ws))
        folder.mkdir(parents=True, exist_ok=True)
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, scene))
        path = folder / f"{name}.jsonl"
        first = path.read_text("utf-8").count("\n") if path.exists() else 0
        at = at or START + timedelta(minutes=12 * len(set(self.scenes.values())))
        rows: list[dict[str, Any]] = []
        for n, (role, text) in enumerate(said):
            at += timedelta(seconds=apart_s)
            for record in _records(role, text, entry(scene, first + n)):
                self.scenes[record["uuid"]] = scene
                stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                more = {"sessionId": name, "cwd": str(self.ws), "version": "2.1.197", "isSidechain": False}
                rows.append({"parentUuid": rows[-1]["uuid"] if rows else None, **more, **record, "timestamp": stamp})
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def note(self, name: str, text: str) -> Path:
        """Write a file below memory/."""
        path = self.ws / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    # --- what has become of it

    def seen(self, scene: str | None = None) -> list[Seen]:
        """Return what was observed of a scene, or of all."""
        found = []
        for row in self.text("memory/observations.md").splitlines():
            if match := SEEN.match(row):
                values = dict(re.findall(r"dc:(\S+?)=(\S*)", match[3]))
                cited = tuple(re.findall(r"[\w-]+", values.get("source", "").partition("#")[2]))
                if scene is None or scene in [self.scenes.get(each) for each in cited]:
                    found.append(Seen(match[1], match[2], values["type"], cited))
        return found

    def playbook(self) -> str:
        """Return the playbook's lines, its own and the effective one's."""
        return "\n".join(self.text(f"memory/sinain-playbook{which}.md") for which in ("", "-effective"))

    def waiting(self) -> str:
        """Return what waits for a person's word."""
        return self.text("memory/meta/pending-memories.md")

    def text(self, path: str) -> str:
        file = self.ws / path
        return file.read_text("utf-8") if file.exists() else ""


def entry(scene: str, turn: int) -> str:
    """Return the id of a scene's turn; the first is 0."""
    return f"{re.sub(r'[^a-z0-9]', '_', scene)}-{turn}"


def _records(role: str, text: str, entry: str) -> list[dict[str, Any]]:
    """Return a turn as Claude Code's records; a tool's output comes behind its call."""
    if role == "user":
        return [{"type": "user", "uuid": entry, "message": {"role": "user", "content": text}}]
    if role == "agent":
        content = [{"type": "text", "text": text}]
        return [{"type": "assistant", "uuid": entry, "message": {"role": "assistant", "content": content}}]
    call = {"type": "tool_use", "id": f"call-{entry}", "name": "Bash", "input": {"command": "make"}}
    result = {"type": "tool_result", "tool_use_id": f"call-{entry}", "content": text}
    return [
        {"type": "assistant", "uuid": f"{entry}c", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "uuid": entry, "message": {"role": "user", "content": [result]}},
    ]


# --- how lines are asked for


def holds(text: str, words: Sequence[str]) -> bool:
    """Return whether all words stand in a text; "a|b": one of them does."""
    low = text.casefold()
    return all(any(each.casefold() in low for each in word.split("|")) for word in words)


def with_words(lines: Iterable[Seen], *words: str) -> list[Seen]:
    return [line for line in lines if holds(line.text, words)]


def rows_with(text: str, *words: str) -> list[str]:
    return [row for row in text.splitlines() if holds(row, words)]
