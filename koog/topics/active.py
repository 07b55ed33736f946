"""memory/meta/active-topics.json: which topics are active beyond one message, and until when.  [autopoiesis §4.3, §5.2]

    {"version": 1, "topics": {"deployment": {"since": "2026-02-28T12:00:00Z", "until": null, "by": "manual"}}}

by      manual: a person or the agent said so; output: the agent's own words; event: a webhook or a schedule
until   the moment it ends, null for one that lasts until it is deactivated
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple

NAME = "meta/active-topics.json"
By = Literal["manual", "output", "event"]


class Activation(NamedTuple):
    """One active topic: by its name, since when, until when (None: without an end), and by what."""

    name: str
    since: datetime
    until: datetime | None
    by: str


def current(workspace: Workspace, now: datetime) -> list[Activation]:
    """Return what is active, by name. Raises WorkspaceError when the file cannot be read."""
    found = parse(workspace.text(workspace.in_memory(NAME)))
    return sorted(a for a in found if a.until is None or a.until > now)


def parse(text: str | None) -> list[Activation]:
    """Return the file's entries, ended ones too. Raises WorkspaceError."""
    try:
        value = jsonfiles.loads(text) if text and text.strip() else {}
    except ValueError as e:
        raise WorkspaceError(f"{NAME}: {e}", hint=f"git checkout -- memory/{NAME}") from None
    rows = value.get("topics") if isinstance(value, dict) else None
    return [a for name, row in (rows.items() if isinstance(rows, dict) else ()) if (a := _activation(name, row))]


def by_hand(name: str, *, now: datetime, until: datetime | None) -> Callable[[str], str]:
    """Return the edit that activates a topic until a moment, None for no end. What lasts already stays as it is."""

    def started(found: dict[str, Activation]) -> None:
        before = found.get(name)
        if before and before.by == "manual" and before.until == until:
            return
        found[name] = Activation(name, before.since if before else now, until, "manual")

    return lambda text: _edited(text, started, now=now)


def by_itself(names: Iterable[str], *, by: By, now: datetime, until: datetime) -> Callable[[str], str]:
    """Return the edit that activates what an output or an event has set off. It shortens nothing that lasts longer."""

    def started(found: dict[str, Activation]) -> None:
        for name in names:
            before = found.get(name)
            if before is None:
                found[name] = Activation(name, now, until, by)
            elif before.until is not None and before.until < until:
                found[name] = before._replace(until=until)

    return lambda text: _edited(text, started, now=now)


def ended(name: str, *, now: datetime) -> Callable[[str], str]:
    """Return the edit that deactivates a topic."""
    return lambda text: _edited(text, lambda found: found.pop(name, None), now=now)


def _edited(text: str, change: Callable[[dict[str, Activation]], object], *, now: datetime) -> str:
    """Apply a change to what is active; the text stays as it is when that changes nothing."""
    found = {a.name: a for a in parse(text) if a.until is None or a.until > now}
    before = dict(found)
    change(found)
    if found == before:
        return text
    rows = {a.name: _row(a) for a in sorted(found.values())}
    return jsonfiles.pretty({"version": 1, "topics": rows})


def _row(activation: Activation) -> dict[str, Any]:
    until = clock.iso(activation.until) if activation.until else None
    return {"since": clock.iso(activation.since), "until": until, "by": activation.by}


def _activation(name: str, row: object) -> Activation | None:
    """Return one entry, None for one that says no moment: a hand may have written it."""
    if not isinstance(row, dict):
        return None
    since, until = clock.parse(row.get("since")), clock.parse(row.get("until"))
    if since is None or (until is None and row.get("until") is not None):
        return None
    by = row.get("by")
    return Activation(name, since, until, by if by in ("output", "event") else "manual")
