"""What koog has set in OpenClaw, and what stood there before, kept in the state root for `koog uninstall`.

    {FILE: {"wants": [[key, …]], "keys": [{"path", "set", "isItem", "made", "earlier"}],
            "scratch": {"agent", "ours", "earlier"}}}

FILE is openclaw.json's path. A row without `earlier` is a setting that was not there; `made` is how much of its path
was. What several workspaces want is set by the first of them and goes with the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from koog.core import operator
from koog.core.errors import KoogError
from koog.core.files import state_root
from koog.core.files.state_root import StateRoot
from koog.core.named import NamedTuple
from koog.host import openclaw
from koog.host.openclaw import MISSING, Keys, Wish

NAME = "openclaw"


class Row(NamedTuple):
    """One setting that koog has made. made: how much of the path was there before."""

    path: Keys
    value: Any
    is_item: bool
    made: int
    earlier: Any = MISSING


class Text(NamedTuple):
    """The text of a heartbeat that koog has written: its own part, and what stood there, None for nothing."""

    agent: str
    ours: str
    earlier: str | None


class Record(NamedTuple):
    """What is known of one openclaw.json."""

    wants: list[Keys]
    rows: list[Row]
    text: Text | None

    @property
    def ours(self) -> dict[Keys, Any]:
        """Return the settings that koog chose."""
        return {row.path: row.value for row in self.rows if not row.is_item}

    def with_changes(self, config: Mapping[str, Any], changes: list[Wish]) -> Record:
        """Return the record once these changes are made to the settings as they are."""
        rows = {(row.path, row.is_item): row for row in self.rows}
        for wish in changes:
            now, known = openclaw.at(config, wish.path), rows.get((wish.path, wish.is_item))
            row = Row(wish.path, wish.value, wish.is_item, openclaw.depth(config, wish.path), now)
            if known and (wish.is_item or now == known.value):  # koog's own of another age
                row = row._replace(made=known.made, earlier=known.earlier)
            rows[wish.path, wish.is_item] = row
        return self._replace(rows=list(rows.values()))


EMPTY = Record([], [], None)


def of(state: StateRoot | None, file: str) -> Record:
    """Return what is noted for an openclaw.json, EMPTY for nothing. Raises WorkspaceError."""
    value = _all(state).get(file)
    if not isinstance(value, dict):
        return EMPTY
    text = value.get("scratch")
    return Record(
        [tuple(path) for path in value.get("wants", [])],
        [_row(row) for row in value.get("keys", [])],
        Text(text["agent"], text["ours"], text["earlier"]) if isinstance(text, dict) else None,
    )


def put(state: StateRoot, file: str, record: Record) -> None:
    """Note what holds for an openclaw.json; an empty record is none. Raises WorkspaceError."""
    known = {name: value for name, value in _all(state).items() if name != file}
    if record != EMPTY:
        rows = [
            {"path": row.path, "set": row.value, "isItem": row.is_item, "made": row.made}
            | ({} if row.earlier is MISSING else {"earlier": row.earlier})
            for row in record.rows
        ]
        text = record.text._asdict() if record.text else None
        known[file] = {"wants": record.wants, "keys": rows, "scratch": text}
    if known:
        state.put(NAME, known)
    else:
        state.remove(NAME)


def others(state: StateRoot | None, file: str) -> list[StateRoot]:
    """Return the state roots of the other workspaces that are installed by the same openclaw.json."""
    found = []
    with suppress(KoogError):
        for entry in operator.all_entries():
            other = state_root.find(entry.id)
            if other and (state is None or other.id != state.id) and of(other, file) != EMPTY:
                found.append(other)
    return found


def _all(state: StateRoot | None) -> dict[str, Any]:
    value = state.get(NAME) if state else None
    return value if isinstance(value, dict) else {}


def _row(row: Mapping[str, Any]) -> Row:
    return Row(tuple(row["path"]), row["set"], row["isItem"], row["made"], row.get("earlier", MISSING))
