"""The programs that an agent lives in, as they are found on this machine: OpenClaw, Claude Code, Codex.

Only read, and only their settings and the names of their files: a lock on OpenClaw's
database would fail the agent's turn, so doctor does not open it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import outside
from koog.core.named import NamedTuple
from koog.host import openclaw
from koog.operate.checks_config import contents
from koog.operate.finding import INFO, WARN, Finding
from koog.operate.json_places import parsed
from koog.sessions import agents

COUNTED = 10_000  # session files; more are as good as that many
DREAMING = "plugins.entries.memory-core.config.dreaming.enabled"
MEMORY_CORE = "plugins.entries.memory-core.enabled"
FLUSH = "agents.defaults.compaction.memoryFlush.enabled"
EVERY = "agents.defaults.heartbeat.every"


class Host(NamedTuple):
    """One host that was found.

    version      the release whose store it has: "2026.7" or "2026.9" for OpenClaw, None where nothing tells
    path         its state folder
    store        how it keeps sessions: files or sqlite; None when it has kept none yet
    sessions     how many session files or agents' databases there are
    workspace    the folder its agent works in, None when it has none of its own
    dreaming, memoryFlush, heartbeatEvery   as its config says, None where it does not
    """

    host: str
    version: str | None
    path: str
    store: str | None
    sessions: int
    workspace: str | None = None
    dreaming: bool | None = None
    memoryFlush: bool | None = None  # noqa: N815  the reply's key
    heartbeatEvery: str | None = None  # noqa: N815  the reply's key


def look(root: Path | None, found: list[Host]) -> Iterator[Finding]:
    """Add the hosts on this machine to a list; yield what their settings mean for a workspace (None: for none)."""
    for host, findings in (_openclaw(root), _claude(), _codex()):
        found += [host] if host else []
        yield from findings


def _state(variable: str, name: str) -> Path:
    return Path(os.environ.get(variable) or Path(os.path.expanduser("~"), name))  # noqa: PTH111  never raises without a home


def _count(paths: Iterable[Path]) -> int:
    try:
        return sum(1 for _ in islice(paths, COUNTED))
    except OSError:
        return 0  # closed to us


# --- Claude Code and Codex


def _claude() -> tuple[Host | None, list[Finding]]:
    return _files("claude", _state("CLAUDE_CONFIG_DIR", ".claude"), "projects", "*/*.jsonl")


def _codex() -> tuple[Host | None, list[Finding]]:
    return _files("codex", _state("CODEX_HOME", ".codex"), "sessions", "**/rollout-*.jsonl")


def _files(name: str, state: Path, folder: str, pattern: str) -> tuple[Host | None, list[Finding]]:
    if not outside.is_folder(state):
        return None, []
    kept = outside.is_folder(state / folder)
    count = _count(outside.matching(state / folder, pattern)) if kept else 0
    return Host(name, None, str(state), "files" if kept else None, count), []


# --- OpenClaw


def _openclaw(root: Path | None) -> tuple[Host | None, list[Finding]]:
    state = _state("OPENCLAW_STATE_DIR", ".openclaw")
    if not outside.is_folder(state):
        return None, []
    file = Path(os.environ.get("OPENCLAW_CONFIG_PATH") or state / "openclaw.json")
    config, findings = _config(file)
    version, store, sessions = _store(state)
    host = Host(
        host="openclaw",
        version=version,
        path=str(state),
        store=store,
        sessions=sessions,
        workspace=_workspace(state, config, root),
        dreaming=_flag(config, DREAMING),
        memoryFlush=_flag(config, FLUSH),
        heartbeatEvery=_text(_at(config, _every(config, root))) or _text(_at(config, EVERY)),
    )
    return host, [*findings, *settings(host, config, root=root, file=str(file))]


def _store(state: Path) -> tuple[str | None, str | None, int]:
    """Return (version, store, how many): after an upgrade old files stay, so the databases decide."""
    databases = _count(p for p in outside.matching(state, "agents/*/agent/openclaw-agent.sqlite") if outside.is_file(p))
    if databases:
        return "2026.9", "sqlite", databases
    if _count(outside.matching(state, "agents/*/sessions/sessions.json")):
        files = outside.matching(state, "agents/*/sessions/*.jsonl*")
        return "2026.7", "files", _count(f for f in files if ".trajectory." not in f.name)
    return None, None, 0


def _config(file: Path) -> tuple[dict[str, Any], list[Finding]]:
    """Return OpenClaw's settings, {} without any; comments and trailing commas are its custom."""
    try:
        data = contents(file)
    except WorkspaceError as e:
        return {}, [Finding("hosts", WARN, e.message, file=str(file), command=f"ls -l {shlex.quote(str(file))}")]
    value = agents.parsed(data or b"")
    if value is None:
        fault = parsed(data or b"")[1]
        line = fault.line if fault else None
        return {}, [Finding("hosts", WARN, "OpenClaw's config cannot be read", str(file), line, "openclaw doctor")]
    return (value, []) if isinstance(value, dict) else ({}, [])


def _workspace(state: Path, config: dict[str, Any], root: Path | None) -> str:
    """Return the agent's folder: the one that is ours if any agent has it, else the default agent's."""
    folders = list(agents.of_config(config, state=state).values())
    return next((folder for folder in folders if root and _same(folder, root)), folders[0])


def _every(config: dict[str, Any], root: Path | None) -> str:
    """Return where the heartbeat's pace is set: for the agent that works here, as soon as it has a block of its own."""
    agent = next(iter(openclaw.agents_here(config, root)), None) if root else None
    path = openclaw.heartbeat_path(config, agent)
    return ".".join((*path, "every")) if path else EVERY


def _same(folder: str, root: Path) -> bool:
    return "\0" not in folder and outside.real(folder) == outside.real(root)


def settings(host: Host, config: dict[str, Any], *, root: Path | None, file: str) -> Iterator[Finding]:
    """Yield what OpenClaw's settings mean for koog; after `openclaw config set` its gateway is to be restarted."""

    def finding(level: str, message: str, command: str | None) -> Finding:
        return Finding("hosts", level, message, file, command=command)

    if host.dreaming is not False and _flag(config, MEMORY_CORE) is not False:
        message = "OpenClaw's dreaming edits MEMORY.md at 03:00, behind koog's back (it is on unless set to false)"
        yield finding(WARN, message, f"openclaw config set {DREAMING} false")
    if host.memoryFlush is False:
        message = "the memory flush is off: what is compacted away is written down nowhere"
        yield finding(WARN, message, f"openclaw config set {FLUSH} true")
    elif host.memoryFlush is None:
        yield finding(INFO, "the memory flush is left to OpenClaw's default", f"openclaw config set {FLUSH} true")
    if host.heartbeatEvery and host.heartbeatEvery.strip().rstrip("hms") in ("0", "00"):
        yield finding(
            WARN,
            "OpenClaw's heartbeat is off: no tick comes from it",
            f"openclaw config set {_every(config, root)} 30m",
        )
    if root and host.workspace and not _same(host.workspace, root):
        message = f"OpenClaw's agent works in {host.workspace}, not here"
        yield finding(INFO, message, f"koog doctor --workspace {shlex.quote(host.workspace)}")


def _at(value: Any, dotted: str) -> Any:
    """Return what stands at a path, None where the path ends."""
    for part in dotted.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _flag(config: dict[str, Any], dotted: str) -> bool | None:
    value = _at(config, dotted)
    return value if isinstance(value, bool) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
