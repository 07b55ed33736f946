"""memory/meta/cursors.json: what was mined and counted, committed like the notes themselves.  [design §3]

    {"version": 1,
     "mine": {"files": {"memory/2026-02-17.md": {"bytes": 812, "sha256": "…"},
                        "memory/observations.md": {"lines": ["…", …]}}, "pending": [{…}]},
     "spoken": {"at": "2026-02-28T11:40:00Z", "sessions": {"openclaw/main/3f": {…}}},
     "curate": {"counted": ["<tickId>", …], "seen": ["<hash of a finding>", …], "waiting": ["<text>", …]}}

`pending` holds what was mined and not yet curated, so that a tick which dies between
the two loses nothing. A row of it, or of `waiting`, that is not the own project's says so:
{…, "project": "/srv/acme", "scope": "private", "group": null}. So does `left` in the cursor of
a note that was not mined, because this workspace does not learn from that group or project.
"""

from __future__ import annotations

from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles

NAME = "meta/cursors.json"


def parse(text: str | None) -> dict[str, Any]:
    """Return the cursors, fresh ones when there is no file. Raises WorkspaceError when it cannot be read."""
    try:
        value = jsonfiles.loads(text) if text and text.strip() else {}
    except ValueError as e:
        raise WorkspaceError(f"{NAME}: {e}", hint=f"git checkout -- memory/{NAME}") from None
    value = value if isinstance(value, dict) else {}
    mine, curate = _part(value, "mine"), _part(value, "curate")
    return {
        **value,
        "version": 1,
        "mine": {
            **mine,
            "files": {path: known for path, known in _part(mine, "files").items() if isinstance(known, dict)},
            "pending": [row for row in _rows(mine, "pending") if isinstance(row, dict)],
        },
        "curate": {**curate, "counted": [tick for tick in _rows(curate, "counted") if isinstance(tick, str)]},
    }


def render(value: dict[str, Any]) -> str:
    return jsonfiles.pretty(value)


def _rows(value: dict[str, Any], key: str) -> list[Any]:
    rows = value.get(key)
    return rows if isinstance(rows, list) else []


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}
