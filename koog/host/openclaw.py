"""What koog sets in OpenClaw's settings, by skills/sinain-hud/openclaw-config-patch.json.  [openclaw.md]

What a person has set stays, but for the two of OpenClaw's own writers into memory/ that stop (FIRM), and lists are
added to. The heartbeat is that of the agent which works in the workspace: as soon as one agent has a block of its
own, OpenClaw runs only those that have one, so a second agent's heartbeat takes the first one's along. Pure, but for
the reading of openclaw.json and of what koog ships.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from koog.core.files import jsonfiles, outside
from koog.core.named import NamedTuple
from koog.core.shipped import data as data_of
from koog.core.shipped import shipped
from koog.sessions import agents

PLUGIN = "skills/sinain-hud/plugin"
PATCH = "skills/sinain-hud/openclaw-config-patch.json"
HEARTBEAT_FILE = "skills/sinain-hud/HEARTBEAT.md"
PLUGIN_ID = "sinain-hud"
ENTRY = ("plugins", "entries", PLUGIN_ID)
LOADED = ("plugins", "load", "paths")
ALLOWED, DENIED, PLUGINS_ON = ("plugins", "allow"), ("plugins", "deny"), ("plugins", "enabled")
DUMPS = ("hooks", "internal", "entries", "session-memory", "enabled")
DREAMING = ("plugins", "entries", "memory-core", "config", "dreaming", "enabled")
FIRM = (DUMPS, DREAMING)
WHOLE = (("session", "reset"),)  # half of such a rule is another rule
HEARTBEAT = ("agents", "defaults", "heartbeat")
EVERY = "30m"  # OpenClaw's own default
UNTIL_2026_7 = ("ackMaxChars",)
FILE_UNTIL = (2026, 7)  # later ones keep the heartbeat's text in a database
VERSION = re.compile(r"\b(20\d\d)\.(\d{1,2})\.(\d{1,3})")
COMMENT = "//"  # the patch's words for people

Keys = tuple[str, ...]


class Missing:
    """What stands where nothing does: null is a value."""

    def __bool__(self) -> bool:
        return False


MISSING = Missing()


class Wish(NamedTuple):
    """One setting as koog wants it.

    is_firm   whatever a person has set
    is_item   the value is to be in the list that stands there
    """

    path: Keys
    value: Any
    is_firm: bool = False
    is_item: bool = False


class Plan(NamedTuple):
    """What is to change, what stands there already, and what a person has set otherwise, which stays."""

    changes: list[Wish]
    there: list[Wish]
    kept: list[Wish]


def state_folder() -> Path:
    """Return OpenClaw's state folder."""
    return Path(os.environ.get("OPENCLAW_STATE_DIR") or Path.home() / ".openclaw")


def config_file() -> Path:
    """Return where OpenClaw keeps its settings."""
    return Path(os.environ.get("OPENCLAW_CONFIG_PATH") or state_folder() / "openclaw.json")


def settings() -> dict[str, Any]:
    """Return OpenClaw's settings, {} where they cannot be read."""
    value = agents.config(config_file())
    return value if isinstance(value, dict) else {}


def has_comments() -> bool:
    """Return whether the settings hold what a program that writes them anew does not keep."""
    try:
        data = outside.read(config_file(), limit=agents.LIMIT)
        jsonfiles.loads(data or b"{}")
    except OSError:
        return False
    except ValueError:
        return True
    return False


def has_includes(value: Any) -> bool:
    """Return whether settings stand in other files as well: what is set there is not seen here."""
    if isinstance(value, dict):
        return "$include" in value or any(map(has_includes, value.values()))
    return isinstance(value, list) and any(map(has_includes, value))


def agents_here(config: Mapping[str, Any], root: Path) -> list[str]:
    """Return the agents that work in a folder, the default one first."""
    folders = agents.of_config(config, state=state_folder())
    return [name for name, folder in folders.items() if folder == outside.real(root)]


def is_installed(root: Path) -> bool:
    """Return whether OpenClaw's settings switch koog's plugin on, and an agent works in the folder."""
    config = settings()
    return at(config, (*ENTRY, "enabled")) is True and bool(agents_here(config, root))


def keeps_files(state: Path) -> bool:
    """Return whether a state folder has sessions as files and none in a database, as until 2026.7.1."""
    files = next(outside.matching(state, "agents/*/sessions/sessions.json"), None)
    return files is not None and not keeps_databases(state)


def keeps_databases(state: Path) -> bool:
    """Return whether an agent of this state folder has its sessions in a database."""
    return next(outside.matching(state, "agents/*/agent/openclaw-agent.sqlite"), None) is not None


def version_of(text: str) -> tuple[int, ...] | None:
    """Return the release that a program names, None where it names none."""
    found = VERSION.search(text)
    return tuple(map(int, found.groups())) if found else None


def reads_file(version: tuple[int, ...] | None) -> bool:
    """Return whether this release reads the workspace's HEARTBEAT.md; of an unknown one the newest is thought."""
    return version is not None and version[:2] <= FILE_UNTIL


# --- what koog wants


def wishes(
    config: Mapping[str, Any], *, agent: str | None, version: tuple[int, ...] | None, program: tuple[str, ...]
) -> list[Wish]:
    """Return every setting that koog wants.

    agent     the one that works in the workspace, None for none: then there is no heartbeat to set
    program   the words that start koog
    """
    wanted = [
        Wish(LOADED, str(shipped(PLUGIN)), is_item=True),
        Wish((*ENTRY, "enabled"), True, is_firm=True),
        Wish((*ENTRY, "hooks", "allowConversationAccess"), True, is_firm=True),
    ]
    if len(program) == 1:  # `python -m koog` is no program that the plugin could name: it looks along PATH
        wanted.append(Wish((*ENTRY, "config", "koogPath"), program[0], is_firm=True))
    if at(config, ALLOWED):  # an empty list allows every plugin
        wanted.append(Wish(ALLOWED, PLUGIN_ID, is_item=True))
    patch = _patch(version, heartbeat_path(config, agent))
    return [*wanted, *(_in_block(config, wish) for wish in patch), *_beside(config, agent)]


def _patch(version: tuple[int, ...] | None, heartbeat: Keys | None) -> list[Wish]:
    found = []
    for dotted, values in jsonfiles.loads(data_of(shipped(PATCH))).items():
        path = tuple(dotted.split("."))
        if dotted == COMMENT:
            continue
        if path in WHOLE:
            found.append(Wish(path, values))
            continue
        if path == HEARTBEAT:
            if heartbeat is None:
                continue
            path = heartbeat
        known = [key for key in values if key not in UNTIL_2026_7 or reads_file(version)]
        found += [Wish((*path, key), values[key], is_firm=(*path, key) in FIRM) for key in known]
    return found


def _in_block(config: Mapping[str, Any], wish: Wish) -> Wish:
    """Return the wish for a pace as an agent's own block has it: that of the defaults.

    It makes the block where there is none, whatever the defaults have: beside another's block, none is no heartbeat.
    """
    *block, key = wish.path
    if block[:2] != ["agents", "entries"] or key != "every":
        return wish
    return wish._replace(value=_pace(config), is_firm=not _is_row(at(config, tuple(block))))


def heartbeat_path(config: Mapping[str, Any], agent: str | None) -> Keys | None:
    """Return where an agent's heartbeat is to be set, None where a patch cannot: in a list of several agents."""
    if agent is None:
        return None
    listed = at(config, ("agents", "list"))
    if isinstance(listed, list) and (len(listed) > 1 or any("heartbeat" in row for row in listed if _is_row(row))):
        return None
    rows = _entries(config)
    own = next((name for name in rows if name.lower() == agent), None)
    alone = len(rows) < 2 and "heartbeat" not in rows.get(own or "", {})
    return HEARTBEAT if alone or own is None else ("agents", "entries", own, "heartbeat")


def _beside(config: Mapping[str, Any], agent: str | None) -> list[Wish]:
    """Return what keeps the default agent's heartbeat alive once another agent has a block of its own."""
    rows = _entries(config)
    if len(rows) < 2 or any("heartbeat" in row for row in rows.values()):
        return []
    owner = at(config, (*HEARTBEAT, "agentId"))  # as 2026.9 writes it down in place of `default`
    flagged = (name for name, row in rows.items() if row.get("default") is True or name == owner)
    default = next(flagged, next(iter(rows)))
    if agent in (None, default.lower()):
        return []
    path = ("agents", "entries", default, "heartbeat", "every")
    return [Wish(path, _pace(config), is_firm=True)]  # it has none: a block is what counts


def _pace(config: Mapping[str, Any]) -> str:
    """Return how often a heartbeat comes where an agent says nothing else."""
    every = at(config, (*HEARTBEAT, "every"))
    return every if isinstance(every, str) else EVERY


def _entries(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    rows = at(config, ("agents", "entries"))
    return {name: row for name, row in rows.items() if _is_row(row)} if isinstance(rows, dict) else {}


def _is_row(value: Any) -> bool:
    return isinstance(value, dict)


def plan(config: Mapping[str, Any], wanted: list[Wish], *, ours: Mapping[Keys, Any]) -> Plan:
    """Sort what koog wants by what stands there.

    ours   what koog has set before: that is nobody's choice
    """
    found = Plan([], [], [])
    for wish in wanted:
        now = at(config, wish.path)
        is_koogs = wish.path in ours and bool(ours[wish.path] == now)  # of another age
        if holds(now, wish):
            found.there.append(wish)
        elif wish.is_item or wish.is_firm or is_koogs or not _is_set(config, wish):
            found.changes.append(wish)
        else:
            found.kept.append(wish)
    return found


def _is_set(config: Mapping[str, Any], wish: Wish) -> bool:
    """Return whether a person has chosen: here, or for an agent's heartbeat in the defaults.

    Defaults that are as koog wants them may be koog's, for another agent's workspace, and go with that one.
    """
    if at(config, wish.path) is not MISSING:
        return True
    is_agents = wish.path[:2] == ("agents", "entries") and wish.path[3:4] == ("heartbeat",)
    default = at(config, (*HEARTBEAT, *wish.path[4:])) if is_agents else MISSING
    return default is not MISSING and not holds(default, wish)


def holds(now: Any, wish: Wish) -> bool:
    """Return whether a setting is as koog wants it."""
    if wish.is_item:
        return isinstance(now, list) and wish.value in now
    return type(now) is type(wish.value) and bool(now == wish.value)


# --- settings as values


def at(config: Any, path: Keys) -> Any:
    """Return what stands at a path, MISSING where it ends."""
    for key in path:
        if not isinstance(config, dict) or key not in config:
            return MISSING
        config = config[key]
    return config


def depth(config: Any, path: Keys) -> int:
    """Return how much of a path is there."""
    return max(n for n in range(len(path) + 1) if at(config, path[:n]) is not MISSING)


def applied(config: Mapping[str, Any], changes: list[Wish]) -> dict[str, Any]:
    """Return the settings with the changes made."""
    new: dict[str, Any] = copy.deepcopy(dict(config))
    for wish in changes:
        now = at(new, wish.path)
        put(new, wish.path, [*(now if isinstance(now, list) else []), wish.value] if wish.is_item else wish.value)
    return new


def put(config: dict[str, Any], path: Keys, value: Any) -> None:
    """Set a value, the objects around it made."""
    for key in path[:-1]:
        inner = config.get(key)
        if not isinstance(inner, dict):
            inner = config[key] = {}
        config = inner
    config[path[-1]] = value


def drop(config: dict[str, Any], path: Keys, *, made_from: int) -> None:
    """Remove a value, and the objects around it that koog had made and that are empty now.

    made_from   how much of the path was there before koog
    """
    for length in range(len(path), 0, -1):
        above = at(config, path[: length - 1])
        if isinstance(above, dict):
            above.pop(path[length - 1], None)
            if above or length - 1 <= made_from:
                return


def difference(old: Any, new: Any) -> dict[str, Any]:
    """Return the patch that makes one of the other: null deletes, objects merge, all else replaces."""
    found: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        if key not in old:
            found[key] = value
        elif isinstance(value, dict) and isinstance(old[key], dict):
            if inner := difference(old[key], value):
                found[key] = inner
        elif value != old[key] or type(value) is not type(old[key]):
            found[key] = value
    return found
