"""`koog forget --human`: the reply as sections for a person. Data in, data out."""

from __future__ import annotations

from typing import Any

from koog.core.view import DIM, GOOD, STRONG, WARN, Cell, Section

DONE = {"archived": "Archived", "restored": "Brought back", "deleted": "Deleted for good"}


def sections(keys: dict[str, Any]) -> list[Section]:
    """Return what `koog forget --human` shows: what would go or went, from where, and the command that follows."""
    found = [Section("", [(Cell("in all", DIM), Cell(str(keys["total"])))])]
    if keys["matches"]:
        found.append(Section("Would go", [cells for row in keys["matches"] for cells in _match(row)]))
    if keys["near"]:
        found.append(Section("Near, and hardly meant", [cells for row in keys["near"] for cells in _match(row)]))
    for name, title in DONE.items():
        if keys[name]:
            found.append(Section(title, [(Cell(id_, GOOD),) for id_ in keys[name]]))
    if keys["places"]:
        rows = [(Cell(row["path"]), Cell(row["what"], DIM)) for row in keys["places"]]
        found.append(Section("Where it stands" if not keys["deleted"] else "Cleaned", rows))
    if keys["notCleaned"]:
        left = [(Cell(row["what"], WARN), Cell(row["command"])) for row in keys["notCleaned"]]
        found.append(Section("Not cleaned", left))
    if keys["command"]:
        found.append(Section("Next", [(Cell(keys["command"], STRONG),)]))
    return found


def _match(row: dict[str, Any]) -> list[tuple[Cell, Cell]]:
    """Return what a memory says, its id and place, and what would become of it and of what says the same."""
    cells = [
        (Cell(row["id"], DIM), Cell(row["text"], STRONG)),
        (Cell(""), Cell(f"{row['path']}:{row['line']}", DIM)),
    ]
    cells += [(Cell(""), Cell(f"{each['what']}: {each['path']}:{each['line']}")) for each in row["changes"]]
    return [*cells, (Cell(""), Cell(f"and {row['more']} more"))] if row["more"] else cells
