"""koog's hooks in the settings of Claude Code and Codex, which have one form: put in, found, cut out.  Pure.

    {"hooks": {EVENT: [{"hooks": [{"type": "command", "command": LINE, "timeout": 10}]}]}}

A hook is koog's for a workspace when its line ends as koog writes it: `hook VERB --host NAME --workspace DIR`. What
starts koog before that may have moved since.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from koog.core.files import jsonedit
from koog.core.files.jsonedit import Had
from koog.core.named import NamedTuple

CLAUDE = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt-submit",
    "PreCompact": "pre-compaction",
    "Stop": "agent-end",
    "SessionEnd": "session-end",
}
CODEX = {event: verb for event, verb in CLAUDE.items() if event != "SessionEnd"}  # which Codex does not have
EVENTS = {"claude": CLAUDE, "codex": CODEX}
TIMEOUT_SECONDS = 10  # the host's own limit on a hook; koog answers within three
# A plugin has no person's shell around it; where koog is missing, only a session's start says so.
PLUGIN_LINE = 'PATH="$PATH:$HOME/.local/bin"; koog hook {verb} --host claude{rest}'
CALLED = " --host {name} --workspace "  # stands in each line of the settings that calls koog


class Hook(NamedTuple):
    """One command of an event: where it stands, and its line."""

    event: str
    group: int
    number: int
    line: str

    @property
    def path(self) -> tuple[str | int, ...]:
        return ("hooks", self.event, self.group, "hooks", self.number)


class Cut(NamedTuple):
    """A text without koog's hooks. gone, left: the events whose hooks were cut out, and those that a person changed."""

    text: str
    gone: list[str]
    left: list[str]


def wanted(name: str, root: Path, program: tuple[str, ...]) -> dict[str, str]:
    """Return event → command line of a host's hooks for a workspace. program: the words that start koog."""
    return {event: shlex.join(program) + ending(name, event, root) for event in EVENTS[name]}


def ending(name: str, event: str, root: Path) -> str:
    """Return how the line of a host's hook for a workspace ends, by whichever program it is started."""
    verb = EVENTS[name][event]
    return " " + shlex.join(["hook", verb, "--host", name, "--workspace", str(root)])


def plugin() -> dict[str, Any]:
    """Return the hooks of the plugin for Claude Code: those of the settings, for whichever workspace is meant."""
    lines = {
        event: PLUGIN_LINE.format(verb=verb, rest="" if event == "SessionStart" else " || true")
        for event, verb in CLAUDE.items()
    }
    return snippet(lines)


def snippet(lines: dict[str, str]) -> dict[str, Any]:
    """Return the settings that hold these lines and nothing else."""
    return {"hooks": {event: [_group(line)] for event, line in lines.items()}}


# --- put in


def merged(text: str, wanted: dict[str, str]) -> tuple[str, list[str]]:
    """Return settings with koog's hooks in them, and what changed; all else stays byte for byte.

    wanted   event → command line

    Raises ValueError for a text that is no JSON object, or whose hooks have another form.
    """
    _check(text, wanted)
    did = []
    for event, line in wanted.items():
        known = [hook for hook in hooks(json.loads(text), event) if _is_same(hook.line, line)]
        if not known:
            text = _added(text, event, _group(line))
            did.append(f"added the hook {event}")
        elif all(hook.line != line for hook in known):
            text = jsonedit.replace(text, (*known[0].path, "command"), line)
            did.append(f"renewed the hook {event}")
    return text, did


def _check(text: str, events: Collection[str]) -> None:
    value = json.loads(text)
    found = value.get("hooks", {}) if isinstance(value, dict) else None
    if not isinstance(found, dict) or not all(isinstance(found.get(event, []), list) for event in events):
        raise ValueError("not of the form that its host reads")


def _is_same(line: str, wanted: str) -> bool:
    """Return whether a line is koog's hook for the same event and workspace, by whichever program."""
    return line.endswith(wanted[wanted.index(" hook ") :])


def _added(text: str, event: str, group: dict[str, Any]) -> str:
    """Return the text with a group for an event, in what of it is there: the list, the hooks, or neither."""
    if jsonedit.find(text, ("hooks", event)):
        return jsonedit.add(text, ("hooks", event), group)
    if jsonedit.find(text, ("hooks",)):
        return jsonedit.add(text, ("hooks",), [group], key=event)
    return jsonedit.add(text, (), {event: [group]}, key="hooks")


def _group(line: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": line, "timeout": TIMEOUT_SECONDS}]}


# --- found


def hooks(settings: Any, event: str) -> Iterator[Hook]:
    """Yield the commands of an event, of settings in whatever form."""
    found = settings.get("hooks") if isinstance(settings, dict) else None
    groups = found.get(event) if isinstance(found, dict) else None
    for i, group in enumerate(groups if isinstance(groups, list) else ()):
        handlers = group.get("hooks") if isinstance(group, dict) else None
        for j, handler in enumerate(handlers if isinstance(handlers, list) else ()):
            if isinstance(handler, dict) and isinstance(handler.get("command"), str):
                yield Hook(event, i, j, handler["command"])


def of(settings: Any, name: str, root: Path) -> list[Hook]:
    """Return a host's hooks that call koog for a workspace."""
    return [
        hook
        for event in EVENTS[name]
        for hook in hooks(settings, event)
        if hook.line.endswith(ending(name, event, root))
    ]


def lines(settings: Any, name: str) -> list[str]:
    """Return the lines of a host's settings that call koog, for whichever workspace."""
    return [
        hook.line
        for event, verb in EVENTS[name].items()
        for hook in hooks(settings, event)
        if f" hook {verb}{CALLED.format(name=name)}" in hook.line
    ]


# --- cut out


def around(events: Collection[str]) -> list[tuple[str | int, ...]]:
    """Return the objects and lists that koog's hooks stand in."""
    return [(), ("hooks",), *(("hooks", event) for event in events)]


def cut(text: str, name: str, root: Path, *, had: Had, lines: Collection[str] | None = None) -> Cut:
    """Return settings without a workspace's hooks; all else stays byte for byte.

    had     which of the objects and lists around them stood there before koog came
    lines   as koog wrote them; a hook of koog's that reads otherwise is a person's now. None: nobody knows

    Raises ValueError for a text that is no JSON.
    """
    found = of(json.loads(text), name, root)
    changed = {hook.line for hook in found if lines is not None and hook.line not in lines}
    ours = [hook for hook in found if hook.line not in changed]
    for hook in reversed(ours):  # the last first: the others stay where they stand
        text = jsonedit.take(text, _least(text, hook), had=had)
    gone = list(dict.fromkeys(hook.event for hook in ours))
    return Cut(text, gone, [hook.event for hook in found if hook.line in changed])


def _least(text: str, hook: Hook) -> tuple[str | int, ...]:
    """Return what goes with a hook: its whole group, unless another command stands in it."""
    (*group, _, _) = hook.path
    handlers = jsonedit.find(text, (*group, "hooks"))
    is_alone = handlers is not None and sum(1 for _ in jsonedit.children(text, handlers.start)) == 1
    return tuple(group) if is_alone else hook.path
