"""What was mined and waits to be curated goes with the session that mined it.  Data in, data out.  [moltbot §12.8]

cursors.json says which lines were read, and that stays when a session is taken back. What it holds of these lines'
contents does not: it would come in again with the next curation.
"""

from __future__ import annotations

import json
from typing import Any

from koog.core.files import jsonfiles

HELD = (("mine", "pending"), ("curate", "waiting"))  # lists of cursors.json: see koog/heartbeat/cursors.py


def without(present: bytes | None, *, after: bytes | None, before: bytes | None, is_undo: bool) -> bytes | None:
    """Return cursors.json without the findings that a change brought.

    after, before   as the change left it, and as it found it
    is_undo         the change was a rollback: what that took away comes back

    What is no cursors.json, or needs no change, stays byte for byte.
    """
    now = _value(present)
    if now is None:
        return present
    is_changed = False
    for part, name in HELD:
        rows, new, old = (_rows(each, part, name) for each in (now, _value(after), _value(before)))
        kept = [row for row in rows if not (_in(row, new) and not _in(row, old))]
        if is_undo:
            kept += [row for row in old if not _in(row, new) and not _in(row, kept)]
        if kept != rows:
            now[part] = {**now.get(part, {}), name: kept}
            is_changed = True
    return jsonfiles.pretty(now).encode() if is_changed else present


def _value(data: bytes | None) -> dict[str, Any] | None:
    try:
        value = jsonfiles.loads(data) if data else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _rows(value: dict[str, Any] | None, part: str, name: str) -> list[Any]:
    found = (value or {}).get(part)
    rows = found.get(name) if isinstance(found, dict) else None
    return rows if isinstance(rows, list) else []


def _in(row: Any, rows: list[Any]) -> bool:
    told = json.dumps(row, sort_keys=True)
    return any(json.dumps(each, sort_keys=True) == told for each in rows)
