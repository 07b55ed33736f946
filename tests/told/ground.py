"""A machine with three hosts, projects and agents on it; what was said where is known by a word said nowhere else.

    machine = Machine(tmp_path)
    harbor = machine.repository("work/harbor")
    machine.claude(harbor, "I decided that the zebrafin release ships on Friday.")
    ws = machine.workspace("mind")
    machine.operator(ws, "observe.sources", ["claude"])
    machine.koog(ws, "observe")

Sessions are written in the shapes that the hosts really write: OpenClaw's two stores as openclaw.md and the sample of
both releases have them, Claude Code's records with cwd, sessionId, uuid and timestamp, Codex' rollouts with
session_meta.cwd, also those of 0.169 with `ordinal` before `type` and token_usage_record rows. Black box: everything
goes through files, the command line and hooks; each call of a hook is a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from tests import copies, inside
from tests.boundary.ground import Called, forked
from tests.conftest import CLOSED, PATIENT_S, ROOT
from tests.fakes.model import FakeModel
from tests.processes import processes

NOW = "2026-02-28T12:00:00Z"
START = datetime(2026, 2, 28, 11, tzinfo=UTC)  # when the sessions begin: not too old for a first run
OLD = datetime(2026, 2, 20, 9, tzinfo=UTC)  # too old for one
NUMBERS = count()

# The tables of 2026.9.6 that matter, with the columns of its own.
TABLES = """
CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT, entry_json TEXT, entry_valid INTEGER,
  updated_at INTEGER, status TEXT, created_at INTEGER, created_via TEXT, parent_session_key TEXT, spawned_by TEXT,
  label TEXT, display_name TEXT, last_activity_at INTEGER);
CREATE TABLE session_windows (session_id TEXT, session_key TEXT, previous_session_id TEXT, reason TEXT,
  session_scope TEXT, created_at INTEGER, updated_at INTEGER, transcript_updated_at INTEGER, status TEXT,
  chat_type TEXT, channel TEXT, account_id TEXT, model TEXT, parent_session_key TEXT, display_name TEXT);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB,
  event_utf8_bytes INTEGER, navigation_json TEXT);
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT, generation TEXT, updated_at INTEGER);
"""


@dataclass
class Machine:
    """A person's home with hosts' sessions in it, projects, and koog's workspaces.

    place    everything is below it; it may be asked for by a path with links in it, `home` is the real one
    more     variables for every call
    """

    place: Path
    more: dict[str, str] = field(default_factory=dict)
    sessions: int = 0

    def __post_init__(self) -> None:
        self.place = Path(os.path.realpath(self.place))
        for folder in (self.home, self.state, self.home / ".claude/projects", self.home / ".codex/sessions"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"
        )

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def state(self) -> Path:
        """OpenClaw's."""
        return self.home / ".openclaw"

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

    # --- folders

    def folder(self, name: str) -> Path:
        """Make a plain folder of the home; return it."""
        path = self.home / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def repository(self, name: str) -> Path:
        """Make a git repository with one commit."""
        path = self.folder(name)
        (path / "README.md").write_text(f"# {path.name}\n")
        self.git(path, "init", "-q")
        self.git(path, "add", "-A")
        self.git(path, "commit", "-qm", "start")
        return path

    def worktree(self, repository: Path, name: str) -> Path:
        """Add a linked worktree of a repository."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.git(repository, "worktree", "add", "-q", "-b", path.name, str(path))
        return path

    def git(self, folder: Path, *args: str) -> str:
        done = subprocess.run(["git", "-C", str(folder), *args], env=self.env, capture_output=True, check=True)
        return os.fsdecode(done.stdout).strip()

    # --- what hosts keep

    def claude(
        self,
        cwd: Path | str,
        *said: str,
        at: datetime = START,
        name: str | None = None,
        munged: str | None = None,
    ) -> Path:
        """Write a session of Claude Code; what stands before it in the same session stays.

        munged   the project's folder below projects/, where it is not made of cwd
        """
        name = name or self._id()
        folder = munged or re.sub(r"[^A-Za-z0-9]", "-", str(cwd))
        path = self.home / ".claude/projects" / folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        first = path.read_text("utf-8").count("\n") if path.exists() else 0
        rows = []
        for n, text in enumerate(said, first):
            rows.append(
                {
                    "parentUuid": _uuid(name, n - 1) if n else None,
                    "isSidechain": False,
                    "userType": "external",
                    "cwd": str(cwd),
                    "sessionId": name,
                    "version": "2.1.197",
                    "gitBranch": "main",
                    "type": "user",
                    "message": {"role": "user", "content": text},
                    "uuid": _uuid(name, n),
                    "timestamp": _stamp(at, n),
                }
            )
        return _append(path, rows)

    def codex(
        self, cwd: Path | str, *said: str, at: datetime = START, name: str | None = None, ordinal: bool = False
    ) -> Path:
        """Write a rollout of Codex.

        ordinal   as 0.169 does: a number before `type`, and rows of what tokens were used
        """
        name = name or self._id()
        day = f"{at:%Y/%m/%d}"
        path = self.home / ".codex/sessions" / day / f"rollout-{at:%Y-%m-%dT%H-%M-%S}-{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        meta = {"id": name, "timestamp": _stamp(at, 0), "cwd": str(cwd), "originator": "codex_cli", "source": "cli"}
        rows: list[tuple[str, dict[str, Any]]] = [] if path.exists() else [("session_meta", meta)]
        turn = {"cwd": str(cwd), "approval_policy": "never", "model": "m"}
        rows.append(("turn_context", turn))
        for text in said:
            content = [{"type": "input_text", "text": text}]
            rows.append(("response_item", {"type": "message", "role": "user", "content": content}))
            rows.append(("event_msg", {"type": "user_message", "message": text}))
            if ordinal:
                rows.append(("token_usage_record", {"input_tokens": 10, "output_tokens": 5}))
        first = path.read_text("utf-8").count("\n") if path.exists() else 0
        lines = []
        for n, (kind, payload) in enumerate(rows, first):
            number = {"ordinal": n} if ordinal else {}
            lines.append({"timestamp": _stamp(at, n), **number, "type": kind, "payload": payload})
        return _append(path, lines)

    def openclaw(
        self,
        agent: str,
        key: str,
        *said: str,
        store: str = "files",
        chat_type: str | None = None,
        at: datetime = START,
        name: str | None = None,
        cwd: Path | str | None = None,
        sender: str | None = None,
    ) -> str:
        """Write a session of an OpenClaw agent into its file store or its database; return the session's id.

        chat_type   what the store's own field says: direct, group, channel; None: no such field
        sender      who says it, in front of each text, as the gateway writes it in groups
        """
        name = name or self._id()
        where = str(cwd or self.state / "workspace")
        version = 3 if store == "files" else 4
        rows: list[dict[str, Any]] = [
            {"type": "session", "version": version, "id": name, "timestamp": _stamp(at, -1), "cwd": where}
        ]
        for n, text in enumerate(said):
            told = f"{sender}: {text}" if sender else text
            rows.append(
                {
                    "type": "message",
                    "id": _uuid(name, n)[:8],
                    "parentId": None,
                    "timestamp": _stamp(at, n),
                    "message": {"role": "user", "content": told, "timestamp": _millis(at, n)},
                }
            )
        put = {"files": self._files, "sqlite": self._sqlite}[store]
        put(agent, key, name, rows, chat_type=chat_type, at=at)
        return name

    def _files(
        self, agent: str, key: str, name: str, rows: list[dict[str, Any]], *, chat_type: str | None, at: datetime
    ) -> None:
        folder = self.state / "agents" / agent / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        _append(folder / f"{name}.jsonl", rows)
        index = folder / "sessions.json"
        known = json.loads(index.read_text()) if index.exists() else {}
        known[key] = {
            "sessionId": name,
            "sessionFile": str(folder / f"{name}.jsonl"),
            "updatedAt": _millis(at, len(rows)),
            "systemSent": True,
            "abortedLastRun": False,
            **({"chatType": chat_type} if chat_type else {}),
        }
        index.write_text(json.dumps(known))

    def _sqlite(
        self, agent: str, key: str, name: str, rows: list[dict[str, Any]], *, chat_type: str | None, at: datetime
    ) -> None:
        path = self.state / "agents" / agent / "agent/openclaw-agent.sqlite"
        is_new = not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        last = _millis(at, len(rows))
        entry = {"sessionId": name, "updatedAt": last, **({"chatType": chat_type} if chat_type else {})}
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            if is_new:
                db.executescript("PRAGMA journal_mode=WAL;" + TABLES)
            db.execute(
                "INSERT INTO session_nodes (session_key, current_session_id, entry_json, entry_valid, updated_at,"
                " status, created_at, created_via) VALUES (?, ?, ?, 1, ?, 'done', ?, 'run')",
                (key, name, json.dumps(entry), last, last),
            )
            db.execute(
                "INSERT INTO session_windows (session_id, session_key, session_scope, created_at, updated_at,"
                " transcript_updated_at, status, chat_type) VALUES (?, ?, 'conversation', ?, ?, ?, 'done', ?)",
                (name, key, last, last, last, chat_type),
            )
            db.execute("INSERT INTO transcript_rewrite_watermarks VALUES (?, 'g0', ?)", (name, last))
            for seq, row in enumerate(rows):
                db.execute(
                    "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)",
                    (name, seq, json.dumps(row), last),
                )

    def agents(self, *, shape: str = "entries", defaults: str | None = None, **workspaces: Path | None) -> None:
        """Write openclaw.json: agent → its workspace (None: it has none of its own).

        shape   `entries`, an object by id (2026.9), or `list`
        """
        own = {name: ({"workspace": str(path)} if path else {}) for name, path in workspaces.items()}
        value: dict[str, Any] = {"agents": {}}
        if defaults:
            value["agents"]["defaults"] = {"workspace": defaults}
        value["agents"][shape] = own if shape == "entries" else [{"id": name, **keys} for name, keys in own.items()]
        (self.state / "openclaw.json").write_text(json.dumps(value))

    # --- koog

    def workspace(self, name: str) -> Path:
        """Make a workspace as a person does: `koog init`. Those made first stand first in the operator's file."""
        path = self.home / name
        called = self.run("init", str(path), cwd=self.home)
        assert called.code == 0, called
        return path

    def operator(self, ws: Path, key: str, value: Any) -> None:
        """Set a key of a workspace's entry in the operator's file by its dotted name, as a person's editor does."""
        path = self.home / "config/koog/config.json"
        config = json.loads(path.read_text())
        entry = next(e for e in config["workspaces"].values() if e["path"] == os.path.realpath(ws))
        *parents, last = key.split(".")
        for part in parents:
            entry = entry.setdefault(part, {})
        entry[last] = value
        path.write_text(json.dumps(config))

    def entry(self, ws: Path) -> dict[str, Any]:
        """Return a workspace's entry of the operator's file."""
        config = json.loads((self.home / "config/koog/config.json").read_text())
        return next(e for e in config["workspaces"].values() if e["path"] == os.path.realpath(ws))

    def koog(self, ws: Path, *argv: str, cwd: Path | None = None, stdin: Any = None, **env: str) -> Called:
        """Run a command on a workspace: in it, or in another folder, where it is an agent's call."""
        if cwd and not cwd.is_relative_to(ws):
            env = {"CLAUDECODE": "1", **env}
        return self.run(*argv, "--workspace", str(ws), cwd=cwd or ws, stdin=stdin, **env)

    def run(self, *argv: str, cwd: Path, stdin: Any = None, **env: str) -> Called:
        """Run koog; stdin is sent as JSON."""
        data = b"" if stdin is None else json.dumps(stdin).encode()
        words, env = ("--now", NOW, *argv), {**self.env, **env}
        if argv[0] == "hook":
            return forked(words, cwd=cwd, env=env, limit_s=120, stdin=data, started_as="koog", hook_s=PATIENT_S)
        return Called(words, *inside.run(words, cwd=cwd, env=env, stdin=data))

    def hook(self, ws: Path, event: str, host: str, given: dict[str, Any], *, cwd: Path | None = None) -> str:
        """Return what a hook puts before the agent, "" for nothing. It sets nothing off and remembers nothing."""
        called = self.koog(ws, "hook", event, "--host", host, "--dry-run", cwd=cwd, stdin=given)
        assert called.code == 0, called
        answer = json.loads(called.out)
        return str(
            answer.get("appendSystemContext") or answer.get("hookSpecificOutput", {}).get("additionalContext") or ""
        )

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Put everything back as it was, behind the block."""
        kept, gone = (self.place.with_name(f"{self.place.name}-{name}-{next(NUMBERS)}") for name in ("kept", "gone"))
        copies.copy(self.place, kept)
        try:
            yield
        finally:
            self.rest()
            self.place.rename(gone)
            kept.rename(self.place)
            copies.remove(gone)

    def rest(self) -> None:
        """Wait until what hooks have set off here has ended: it writes into the workspaces."""
        begun = time.monotonic()
        while str(self.place) in _at_work():
            assert time.monotonic() - begun < PATIENT_S, "what a hook set off does not end"
            time.sleep(0.05)

    def put(self, ws: Path, path: str, text: str) -> Path:
        """Write a file of a workspace, as the agent or a person does."""
        file = ws / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def observations(self, ws: Path) -> str:
        path = ws / "memory/observations.md"
        return path.read_text("utf-8") if path.exists() else ""

    def _id(self) -> str:
        self.sessions += 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"session {self.sessions}"))


def _at_work() -> str:
    """Return the command lines of the processes that hooks have set off: each names its workspace."""
    return "\n".join(args for _, args in processes() if "koog.host.work" in args)


# --- the hosts' hook input


def claude_given(cwd: Path | str, session: str = "8c5e", event: str = "SessionStart") -> dict[str, Any]:
    """As https://code.claude.com/docs/en/hooks has it."""
    return {
        "session_id": session,
        "transcript_path": f"/nowhere/{session}.jsonl",
        "cwd": str(cwd),
        "permission_mode": "default",
        "hook_event_name": event,
        "source": "startup",
    }


def codex_given(cwd: Path | str, session: str = "019a", event: str = "SessionStart") -> dict[str, Any]:
    """As codex-rs/hooks/schema/generated in https://github.com/openai/codex has it."""
    return {
        "session_id": session,
        "transcript_path": f"/nowhere/rollout-2026-02-28T11-00-00-{session}.jsonl",
        "cwd": str(cwd),
        "hook_event_name": event,
        "model": "m",
        "turn_id": "t1",
    }


def openclaw_given(ws: Path, key: str | None, agent: str | None, *, nested: bool = False) -> dict[str, Any]:
    """As koog's plugin sends it; nested: OpenClaw's own event and ctx, as they are."""
    told = {"runId": "run-1", "sessionId": "s-1", "sessionKey": key, "agentId": agent, "trigger": "user"}
    given = {name: value for name, value in told.items() if value is not None}
    folder = {"workspaceDir": str(ws)}
    return (
        {"host": "openclaw", "event": {"prompt": "hello"}, "ctx": given | folder}
        if nested
        else ({"host": "openclaw", **given, **folder})
    )


# --- what was told


def words_in(text: str, words: Iterable[str]) -> set[str]:
    """Return which of the words stand in a text."""
    low = text.lower()
    return {word for word in words if word.lower() in low}


def told(called: Called) -> str:
    """Return everything that a command told: its line with the text unescaped, and standard error."""
    line = next((row for row in called.out.splitlines() if row.startswith("{")), "")
    text = _flat(json.loads(line)) if line else called.out
    return f"{text}\n{called.err}"


def succeeded(called: Called) -> Called:
    assert called.code == 0, (called.argv, called.out[:600], called.err[-600:])
    return called


def requests(llm: FakeModel) -> list[str]:
    """Return the messages of each request that the model got, as one text."""
    found = []
    for request in llm.requests:
        body = request["body"]
        found.append("\n".join(str(m["content"]) for m in body.get("messages", [])) or json.dumps(body.get("input")))
    return found


def least_answer(asked: dict[str, Any]) -> Any:
    """Return the least answer that fits the schema a request names: what any prompt may be answered with."""
    form = asked["body"].get("response_format", {}).get("json_schema", {}).get("schema")
    return _least(form, form) if form else "{}"


def _least(node: dict[str, Any], whole: dict[str, Any]) -> Any:
    if "$ref" in node:
        found: Any = whole
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return _least(found, whole)
    for key in ("const", "default"):
        if key in node:
            return node[key]
    if "enum" in node:
        return node["enum"][0]
    if "anyOf" in node or "oneOf" in node:
        return _least((node.get("anyOf") or node.get("oneOf"))[0], whole)
    kind = node.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = node.get("properties", {})
        return {name: _least(properties[name], whole) for name in node.get("required", properties)}
    if kind == "array":
        return [_least(node["items"], whole)] * node.get("minItems", 0)
    simple: dict[Any, Any] = {"string": "none", "boolean": False, "null": None}
    return simple.get(kind, node.get("minimum", 0))


def _flat(value: Any) -> str:
    """Return a JSON value's texts and keys, one to a line."""
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_flat(item)}" for key, item in value.items())
    if isinstance(value, list):
        return "\n".join(map(_flat, value))
    return str(value)


def _append(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    return path


def _uuid(name: str, number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{name} {number}"))


def _stamp(at: datetime, seconds: int) -> str:
    return (at + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _millis(at: datetime, seconds: int) -> int:
    return int((at + timedelta(seconds=seconds)).timestamp() * 1000)
