"""`koog doctor --human`: the reply as sections for a person. Data in, data out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from koog.core.view import BAD, DIM, GOOD, PLAIN, STRONG, WARN, Cell, Section

LEVELS = {"error": ("✗", BAD), "warn": ("!", WARN), "info": ("·", DIM)}


def sections(keys: dict[str, Any]) -> list[Section]:
    """Return what `koog doctor --human` shows: the verdict, what to mend and how, what was mended, the hosts."""
    found = [_verdict(keys)]
    if keys["findings"]:
        found.append(Section("Found", [_finding(row) for row in keys["findings"]], whole=[0, 1]))
    if keys["omitted"]:
        found.append(Section("", [[Cell(f"and {keys['omitted']} more of lesser weight", DIM)]]))
    if keys["fixed"]:
        rows = [[Cell("✓", GOOD), Cell(row["check"], STRONG), Cell(row["message"])] for row in keys["fixed"]]
        found.append(Section("Mended", rows, whole=[0, 1]))
    if keys["hosts"]:
        found.append(Section("Hosts", [_host(row) for row in keys["hosts"]], whole=[0]))
    return found


def _verdict(keys: dict[str, Any]) -> Section:
    errors = sum(row["level"] == "error" for row in keys["findings"])
    head = Cell("● healthy", GOOD) if keys["healthy"] else Cell(f"● {errors} error{'s' if errors > 1 else ''}", BAD)
    return Section("", [[head], [Cell(f"checked: {', '.join(keys['checked'])}", DIM)]])


def _finding(row: dict[str, Any]) -> Sequence[Cell]:
    mark, level = LEVELS[row["level"]]
    place = ":".join(str(part) for part in (row["file"], row["line"]) if part is not None)
    told = [f"{place} {row['message']}" if place else row["message"]]
    told += [f"→ {row['command']}"] if row["command"] else []
    told += ["→ koog doctor --fix"] if row["fixable"] else []
    return [Cell(mark, level), Cell(row["check"], STRONG), Cell("\n".join(told), level if level == BAD else PLAIN)]


def _host(row: dict[str, Any]) -> Sequence[Cell]:
    told = [f"{key}: {value}" for key, value in row.items() if key not in ("host", "path") and value is not None]
    return [Cell(row["host"], STRONG), Cell("\n".join([row["path"], *told]))]
