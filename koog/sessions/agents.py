"""OpenClaw's agents and the folders they work in, by its openclaw.json.  [openclaw.md]

    agents.entries {ID: {workspace, default}}   since 2026.9
    agents.list [{id, workspace, default}]      before
    agents.defaults.workspace                   of the default agent; another's is STATE/workspace-ID

By src/agents/agent-scope.ts in https://github.com/openclaw/openclaw.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from koog.core.files import jsonfiles, outside
from koog.core.model.jsonvalue import JSONRepairError

LIMIT = 4 * 1024 * 1024  # bytes
DEFAULT = "main"


def folders(*, env: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return agent → real path of the folder it works in; {} where no OpenClaw is."""
    named = env.get("OPENCLAW_STATE_DIR")
    state = Path(os.path.expanduser(named)) if named else home / ".openclaw"  # noqa: PTH111  never raises without a home
    if not outside.is_folder(state):
        return {}
    return of_config(config(Path(env.get("OPENCLAW_CONFIG_PATH") or state / "openclaw.json")), state=state)


def of_config(value: Any, *, state: Path) -> dict[str, str]:
    """Return agent → real path of its folder, as OpenClaw's settings have it."""
    agents = _dict(_dict(value).get("agents"))
    known = _listed(agents)
    default = next((name for name, row in known.items() if row.get("default") is True), next(iter(known), DEFAULT))
    fallback = _dict(agents.get("defaults")).get("workspace")
    found = {}
    rows: dict[str, dict[str, Any]] = {default: {}} | known
    for name, row in rows.items():
        own = row.get("workspace") or (fallback if name == default else None)
        plain = "workspace" if name == default else f"workspace-{name}"
        path = os.path.expanduser(own) if isinstance(own, str) and own.strip() else str(state / plain)  # noqa: PTH111
        found[name.lower()] = outside.real(path) if "\0" not in path else path
    return found


def _listed(agents: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return agent → its settings."""
    listed = agents.get("list")
    rows = [(row.get("id"), row) for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    rows += [(name, _dict(row)) for name, row in _dict(agents.get("entries")).items()]
    return {name: row for name, row in rows if isinstance(name, str) and name}


def config(file: Path) -> Any:
    """Return OpenClaw's settings, {} without any that can be read; comments and trailing commas are its custom."""
    try:
        data = outside.read(file, limit=LIMIT)
    except (OSError, ValueError):
        return {}
    try:
        return jsonfiles.loads(data) if data.strip() else {}
    except ValueError:
        pass
    from koog.core.model.jsonrepair import extract

    try:
        return extract(data.decode("utf-8", "replace")).value
    except JSONRepairError:
        return {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
