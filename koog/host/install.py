"""How koog gets into a host: what `init --host` writes into the person's settings, and what is left to the person.

    Claude Code   hooks into settings.json, and the skill;         https://code.claude.com/docs/en/hooks
                  neither where the plugin is installed, which has both
    Codex         hooks into hooks.json, which a person trusts     https://developers.openai.com/codex/hooks
    OpenClaw      openclaw_apply.py: its gateway owns its config, so its own program is asked

All can be done again without harm. In a file that exists only koog's own entries change; a file that is no JSON is
left alone, and the reply says what belongs in it. What a file was before is noted (footprint.py) for `koog uninstall`.
"""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import host, jsonedit, jsonfiles
from koog.core.named import NamedTuple
from koog.core.shipped import shipped
from koog.core.shipped import text as text_of
from koog.host import footprint, hook_lines, openclaw
from koog.host.footprint import Before
from koog.host.hook_lines import Hook
from koog.sessions import agents

EMPTY = "{}\n"  # settings that koog begins
SETTINGS = {  # variable that names the folder, the folder else, the file
    "claude": ("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    "codex": ("CODEX_HOME", ".codex", "hooks.json"),
}
SKILL = "koog-claude"
CLAUDE_PLUGIN = "koog"  # its name in skills/koog-claude/.claude-plugin/plugin.json


class Installed(NamedTuple):
    """What was done, and what a person has to do; both in the order of doing.

    version   the host's release, where it was asked
    applied   whether `--apply` went well, None without it
    """

    host: str
    file: str | None
    did: list[str]
    next: list[str]
    version: str | None = None
    applied: bool | None = None


def install(name: str, *, root: Path, program: tuple[str, ...], dry_run: bool) -> Installed:
    """Install koog in Claude Code or Codex.

    program   the words that start koog from anywhere

    Raises WorkspaceError, Busy from the files' writing.
    """
    if name == "claude":
        return _claude(hook_lines.wanted(name, root, program), dry_run=dry_run)
    return _codex(root, program, dry_run=dry_run)


def settings_file(name: str) -> Path:
    """Return where Claude Code or Codex has its hooks."""
    variable, folder, file = SETTINGS[name]
    return _state(variable, folder) / file


def skill_file() -> Path:
    """Return where Claude Code has koog's skill."""
    return settings_file("claude").parent / "skills" / SKILL / "SKILL.md"


def in_settings(name: str, root: Path) -> list[Hook]:
    """Return the hooks in a host's settings that call koog for a workspace; tolerant, as a check has to be."""
    return hook_lines.of(agents.config(settings_file(name)), name, root)


def plugin() -> str | None:
    """Return the name of koog's plugin where it is switched on in Claude Code, `koog@MARKETPLACE`."""
    enabled = _at(agents.config(settings_file("claude")), "enabledPlugins")
    names = enabled if isinstance(enabled, dict) else {}
    return next((name for name, on in names.items() if on is True and name.partition("@")[0] == CLAUDE_PLUGIN), None)


def installed(root: Path) -> list[str]:
    """Return the hosts whose settings call koog for a workspace."""
    found = [name for name in hook_lines.EVENTS if in_settings(name, root)]
    return [*found, *(["openclaw"] if openclaw.is_installed(root) else [])]


# --- Claude Code and Codex: the same form of hooks


def _claude(wanted: dict[str, str], *, dry_run: bool) -> Installed:
    file, again = settings_file("claude"), "start a new session; /hooks lists them"
    if name := plugin():
        did = [f"the plugin {name} is installed and calls koog: nothing is put into {file}"]
        return Installed("claude", str(file), did, [again])
    is_first = not hook_lines.lines(agents.config(file), "claude")
    did, then = _hooks(file, "claude", wanted, dry_run=dry_run)
    told, more = _skill(skill_file(), is_first=is_first, dry_run=dry_run)
    return Installed("claude", str(file), did + told, [*then, *more, again])


def _codex(root: Path, program: tuple[str, ...], *, dry_run: bool) -> Installed:
    file = settings_file("codex")
    did, then = _hooks(file, "codex", hook_lines.wanted("codex", root, program), dry_run=dry_run)
    startup = shlex.join([*program, "startup", "--workspace", str(root)])
    by_hand = [
        "start codex, look at the new hooks with /hooks and trust them: until then Codex skips them and says nothing",
        "codex exec asks nobody: trust them in codex first, or run codex exec --dangerously-bypass-hook-trust",
        "koog doctor says whether Codex has called them",
        f"let hooks run in {file.parent / 'config.toml'}: [features] hooks = true (older releases: codex_hooks = true)",
        "koog cron install (Codex has no hook for a session's end; this observes every 15 minutes)",
        f"a Codex without hooks: say in {file.parent / 'AGENTS.md'} that a session begins with {startup}",
    ]
    return Installed("codex", str(file), did, [*then, *by_hand])


def _hooks(file: Path, name: str, wanted: dict[str, str], *, dry_run: bool) -> tuple[list[str], list[str]]:
    """Put koog's hooks into a file of settings; return (what was done, what is left)."""
    did: list[str] = []

    def change(text: str | None) -> str:
        new, done = hook_lines.merged(text or EMPTY, wanted)
        did[:] = done
        return new

    try:
        if dry_run:
            change(host.read(file.parent, file.name))
        else:  # the host may write its settings at this very moment
            with footprint.alone():
                _note(file, name, host.read(file.parent, file.name))
                host.edit(file.parent, file.name, change)
    except (ValueError, RecursionError, WorkspaceError) as e:
        return [], [f"{file} is left alone ({e}); merge by hand: {jsonfiles.line(hook_lines.snippet(wanted))}"]
    return [f"{file}: {line}" for line in did] or [f"{file}: has koog's hooks already"], []


def _note(file: Path, name: str, text: str | None) -> None:
    """Keep what the settings were before koog's first hook. Raises ValueError for no JSON, Busy."""
    if hook_lines.lines(json.loads(text or EMPTY), name):
        return  # koog came before; what was then, is noted or lost
    known = footprint.of(file)
    if text == EMPTY and known and known.was != footprint.THERE:
        return  # an uninstall was killed: this is still what koog had begun
    if text:
        before = Before(footprint.THERE, jsonedit.standing(text, hook_lines.around(hook_lines.EVENTS[name])))
    else:
        before = Before(footprint.BLANK if text is not None else footprint.MISSING)
    footprint.note(file, before._replace(folders=_made(file, known)))


def _made(file: Path, known: Before | None) -> tuple[Path, ...]:
    """Return the folders that koog makes for a file, and those that it made before it was killed."""
    return tuple(dict.fromkeys([*host.absent(file.parent), *(known.folders if known else ())]))


def _skill(file: Path, *, is_first: bool, dry_run: bool) -> tuple[list[str], list[str]]:
    """Put koog's skill where the host lists it; one that a person has changed stays.

    is_first   no koog had been installed before, so a skill that is there already is a person's
    """
    text = text_of(shipped(f"skills/{SKILL}") / "SKILL.md")
    try:
        present = host.read(file.parent, file.name)
    except WorkspaceError as e:
        return [], [f"{file} is left alone: {e.message}"]
    if present == text:
        if is_first and not dry_run and footprint.of(file) is None:
            footprint.note(file, Before(footprint.THERE))
        return [f"{file}: is there already"], []
    before = footprint.of(file)
    is_koogs = before is not None and present is not None and before.digest == footprint.digest(present)
    if present is not None and not is_koogs:
        return [], [f"{file} differs from koog's and is left alone: {shipped(f'skills/{SKILL}')} has the newer one"]
    if not dry_run:
        if before is None or present is None:
            before = Before(footprint.MISSING, folders=_made(file, before))
        footprint.note(file, before._replace(digest=footprint.digest(text)))
        host.write(file.parent, file.name, text)
    return [f"{file}: {'renewed' if is_koogs else 'added'}"], []


def _at(value: Any, *keys: str) -> Any:
    """Return what stands at a path, None where the path ends."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _state(variable: str, name: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / name)
