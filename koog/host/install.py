"""How koog gets into a host: what `init --host` writes into the person's settings, and what is left to the person.

    Claude Code   hooks into settings.json, and the skill          https://code.claude.com/docs/en/hooks
    Codex         hooks into hooks.json, which a person trusts     https://developers.openai.com/codex/hooks
    OpenClaw      nothing: its gateway owns its config, so the reply holds the commands to run

All can be done again without harm. In a file that exists only koog's own entries change; a file that is no JSON is
left alone, and the reply says what belongs in it.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from koog.core.errors import WorkspaceError
from koog.core.files import host, jsonedit, jsonfiles
from koog.core.files.roots import Root
from koog.core.shipped import data as data_of
from koog.core.shipped import shipped
from koog.core.shipped import text as text_of
from koog.sessions import agents

CLAUDE = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt-submit",
    "PreCompact": "pre-compaction",
    "Stop": "agent-end",
    "SessionEnd": "session-end",
}
CODEX = {event: verb for event, verb in CLAUDE.items() if event != "SessionEnd"}  # which Codex does not have
TIMEOUT_SECONDS = 10  # the host's own limit on a hook; koog answers within one
SKILL = "koog-claude"
PLUGIN = "skills/sinain-hud/plugin"
PATCH = "skills/sinain-hud/openclaw-config-patch.json"
PLUGIN_ID = "sinain-hud"
COMMENT = "//"  # the patch's words for people
SCRATCH = "openclaw cron scratch <heartbeatJobId> --set"


class Installed(NamedTuple):
    """What was done, and what a person has to do; both in the order of doing."""

    host: str
    file: str | None
    did: list[str]
    next: list[str]


def install(name: str, *, root: Path, program: tuple[str, ...], dry_run: bool) -> Installed:
    """Install koog in one host: openclaw, claude or codex.

    program   the words that start koog from anywhere

    Raises WorkspaceError, Busy from the files' writing.
    """
    command = shlex.join([*program, "hook", "EVENT", "--host", name, "--workspace", str(root)])
    if name == "claude":
        return _claude(command, dry_run=dry_run)
    if name == "codex":
        return _codex(command, dry_run=dry_run)
    return _openclaw(root, program)


def installed(root: Path) -> list[str]:
    """Return the hosts whose settings call koog for a workspace."""
    found = []
    end = shlex.join(["--workspace", str(root)])
    for name, folder, file, events in (
        ("claude", _state("CLAUDE_CONFIG_DIR", ".claude"), "settings.json", CLAUDE),
        ("codex", _state("CODEX_HOME", ".codex"), "hooks.json", CODEX),
    ):
        settings = agents.config(folder / file)  # tolerant, as a check has to be
        lines = [line for event in events for _, line in _commands(settings, event)]
        found += [name] if any(" hook " in line and line.endswith(end) for line in lines) else []
    state = _state("OPENCLAW_STATE_DIR", ".openclaw")
    config = agents.config(Path(os.environ.get("OPENCLAW_CONFIG_PATH") or state / "openclaw.json"))
    is_loaded = _at(config, "plugins", "entries", PLUGIN_ID, "enabled") is True
    return [
        *found,
        *(["openclaw"] if is_loaded and str(root) in agents.of_config(config, state=state).values() else []),
    ]


# --- Claude Code and Codex: the same form of hooks


def _claude(command: str, *, dry_run: bool) -> Installed:
    folder = _state("CLAUDE_CONFIG_DIR", ".claude")
    did, then = _hooks(folder, "settings.json", _wanted(CLAUDE, command), dry_run=dry_run)
    told, more = _skill(folder / "skills" / SKILL, dry_run=dry_run)
    return Installed(
        "claude", str(folder / "settings.json"), did + told, [*then, *more, "start a new session; /hooks lists them"]
    )


def _codex(command: str, *, dry_run: bool) -> Installed:
    folder = _state("CODEX_HOME", ".codex")
    did, then = _hooks(folder, "hooks.json", _wanted(CODEX, command), dry_run=dry_run)
    startup = command.partition(" hook ")[0] + " startup" + command[command.index(" --workspace ") :]
    by_hand = [
        f"let hooks run in {folder / 'config.toml'}: [features] hooks = true (older releases: codex_hooks = true)",
        "start codex, look at the new hooks with /hooks and trust them",
        "koog cron install (Codex has no hook for a session's end; this observes every 15 minutes)",
        f"a Codex without hooks: say in {folder / 'AGENTS.md'} that a session begins with {startup}",
    ]
    return Installed("codex", str(folder / "hooks.json"), did, [*then, *by_hand])


def _wanted(events: dict[str, str], command: str) -> dict[str, str]:
    """Return event → command line."""
    return {event: command.replace(" hook EVENT ", f" hook {verb} ", 1) for event, verb in events.items()}


def _hooks(folder: Path, name: str, wanted: dict[str, str], *, dry_run: bool) -> tuple[list[str], list[str]]:
    """Put koog's hooks into a file of settings; return (what was done, what is left)."""
    path = folder / name
    snippet = {"hooks": {event: [_group(line)] for event, line in wanted.items()}}
    did: list[str] = []

    def change(text: str | None) -> str:
        new, done = merged(text or "{}\n", wanted)
        did[:] = done
        return new

    try:
        if dry_run:
            change(host.read(folder, name))
        else:  # the host may write its settings at this very moment
            host.edit(folder, name, change)
    except (ValueError, RecursionError, WorkspaceError) as e:
        return [], [f"{path} is left alone ({e}); merge by hand: {jsonfiles.line(snippet)}"]
    return [f"{path}: {line}" for line in did] or [f"{path}: has koog's hooks already"], []


def merged(text: str, wanted: dict[str, str]) -> tuple[str, list[str]]:
    """Return settings with koog's hooks in them, and what changed; all else stays byte for byte.

    wanted   event → command line

    Raises ValueError for a text that is no JSON object, or whose hooks have another form.
    """
    value = json.loads(text)
    hooks = value.get("hooks", {}) if isinstance(value, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(hooks.get(event, []), list) for event in wanted):
        raise ValueError("not of the form that its host reads")
    did = []
    for event, line in wanted.items():
        known = [(path, old) for path, old in _commands(json.loads(text), event) if _is_ours(old, line)]
        if not known:
            text = _added(text, event, _group(line))
            did.append(f"added the hook {event}")
        elif all(old != line for _, old in known):
            text = jsonedit.replace(text, known[0][0], line)
            did.append(f"renewed the hook {event}")
    return text, did


def _added(text: str, event: str, group: dict[str, Any]) -> str:
    """Return the text with a group for an event, in what of it is there: the list, the hooks, or neither."""
    if jsonedit.find(text, ("hooks", event)):
        return jsonedit.add(text, ("hooks", event), group)
    if jsonedit.find(text, ("hooks",)):
        return jsonedit.add(text, ("hooks",), [group], key=event)
    return jsonedit.add(text, (), {event: [group]}, key="hooks")


def _commands(settings: dict[str, Any], event: str) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield (path, command line) of an event's hooks."""
    groups = _at(settings, "hooks", event)
    for i, group in enumerate(groups if isinstance(groups, list) else ()):
        handlers = group.get("hooks") if isinstance(group, dict) else None
        for j, handler in enumerate(handlers if isinstance(handlers, list) else ()):
            if isinstance(handler, dict) and isinstance(handler.get("command"), str):
                yield ("hooks", event, i, "hooks", j, "command"), handler["command"]


def _is_ours(command: str, wanted: str) -> bool:
    """Return whether a command line is koog's hook for the same event and workspace, by whichever program."""
    return command.endswith(wanted[wanted.index(" hook ") :])


def _group(line: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": line, "timeout": TIMEOUT_SECONDS}]}


def _skill(folder: Path, *, dry_run: bool) -> tuple[list[str], list[str]]:
    """Put koog's skill where the host lists it; one that a person has changed stays."""
    path, text = folder / "SKILL.md", text_of(shipped(f"skills/{SKILL}") / "SKILL.md")
    try:
        present = host.read(folder, "SKILL.md")
    except WorkspaceError as e:
        return [], [f"{path} is left alone: {e.message}"]
    if present == text:
        return [f"{path}: is there already"], []
    if present is not None:
        return [], [f"{path} differs from koog's and is left alone: {shipped(f'skills/{SKILL}')} has the newer one"]
    if not dry_run:
        host.write(folder, "SKILL.md", text)
    return [f"{path}: added"], []


# --- OpenClaw


def _openclaw(root: Path, program: tuple[str, ...]) -> Installed:
    """Return the commands that let OpenClaw load the plugin and take over koog's settings.

    Its gateway validates, backs up and rewrites openclaw.json itself, so nobody else should.
    """
    state = _state("OPENCLAW_STATE_DIR", ".openclaw")
    file = Path(os.environ.get("OPENCLAW_CONFIG_PATH") or state / "openclaw.json")
    patch = jsonfiles.loads(data_of(shipped(PATCH)))
    loaded = _load_paths(file)
    plugin = str(shipped(PLUGIN))
    entry = f"plugins.entries.{PLUGIN_ID}"
    lines = [] if plugin in loaded else [_set("plugins.load.paths", [*loaded, plugin])]
    lines += [_set(f"{entry}.enabled", True), _set(f"{entry}.hooks.allowConversationAccess", True)]
    if len(program) == 1:  # `python -m koog` is no program that the plugin could name: it looks along PATH
        lines.append(_set(f"{entry}.config.koogPath", program[0]))
    lines += [
        _set(f"{path}.{key}", value)
        for path, values in patch.items()
        if path != COMMENT
        for key, value in values.items()
    ]
    heartbeat = "HEARTBEAT.koog.md" if Root(root).info("HEARTBEAT.koog.md") else "HEARTBEAT.md"
    scratch = f'{SCRATCH} "$(cat {shlex.quote(str(root / heartbeat))})"'
    return Installed(
        "openclaw",
        str(file),
        [],
        [
            *lines,
            f"OpenClaw 2026.9 and later, which read no HEARTBEAT.md: {scratch} (openclaw cron list shows the id)",
            "openclaw gateway restart",
        ],
    )


def _set(path: str, value: Any) -> str:
    return shlex.join(["openclaw", "config", "set", path, json.dumps(value, ensure_ascii=False)])


def _load_paths(file: Path) -> list[str]:
    """Return the plugin folders that the config names already; [] where it cannot be read."""
    value = _at(agents.config(file), "plugins", "load", "paths")
    return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []


def _at(value: Any, *keys: str) -> Any:
    """Return what stands at a path, None where the path ends."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _state(variable: str, name: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / name)
