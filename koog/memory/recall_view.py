"""`koog recall --human`: the reply as sections for a person. Data in, data out."""

from __future__ import annotations

from typing import Any

from koog.core.view import DIM, PLAIN, STRONG, WARN, Cell, Section


def sections(keys: dict[str, Any]) -> list[Section]:
    """Return what `koog recall --human` shows: what was asked, then what answers, each with its place below."""
    found = [_asked(keys)]
    if keys["brief"] is not None:
        return [*found, Section("Answer", [(Cell(row),) for row in keys["brief"].splitlines()])]
    for title, rows in (("Remembered", keys["results"]), ("Perhaps", keys["weak"])):
        if rows:
            found.append(Section(title, [cells for row in rows for cells in _memory(row)], whole=(0,)))
    if keys["sessions"]:
        found.append(Section("Said", [cells for row in keys["sessions"] for cells in _hit(row)], whole=(0,)))
    if keys["related"]:
        links = [(Cell(row["from"]), Cell(row["relation"], DIM), Cell(row["to"])) for row in keys["related"]]
        found.append(Section("Linked", links))
    return found


def _asked(keys: dict[str, Any]) -> Section:
    rows = [(Cell("asked", DIM), Cell(keys["query"]))] if keys["query"] else []
    if keys["asOf"]:
        rows.append((Cell("as of", DIM), Cell(keys["asOf"])))
    if keys["query"] and not keys["found"]:
        rows.append((Cell("found", DIM), Cell("nothing that surely answers it", WARN)))
    if hidden := ", ".join(f"{many} {status}" for status, many in keys["hidden"].items() if many):
        rows.append((Cell("hidden", DIM), Cell(hidden)))
    if keys["used"]:
        rows.append((Cell("used", DIM), Cell(", ".join(keys["used"]))))
    return Section("", rows)


def _memory(row: dict[str, Any]) -> list[tuple[Cell, Cell]]:
    """Return what a memory says, its steps, what it replaced, and where it stands."""
    until = f"until {row['until']}" if row["until"] else ""
    newer = f"perhaps out of date: see {row['newer']}" if row["newer"] else ""
    place = f"{row['path']}:{row['line']}"
    about = " · ".join(filter(None, (row["id"], row["from"], until, newer, place)))
    cells = [(Cell(f"{row['confidence']:.2f}", DIM), Cell(row["text"], STRONG if not row["until"] else PLAIN))]
    cells += [(Cell(""), Cell(f"{n}. {step}")) for n, step in enumerate(row["steps"], 1)]
    cells += [(Cell(""), Cell(f"until {old['until']}: {old['text']}", DIM)) for old in row["replaced"]]
    return [*cells, (Cell(""), Cell(about, DIM))]


def _hit(row: dict[str, Any]) -> list[tuple[Cell, Cell]]:
    sure = "" if row["confidence"] is None else f"{row['confidence']:.2f}"
    place = " · ".join(filter(None, (row["date"], f"{row['path']}:{row['line']}", "weak" if row["weak"] else "")))
    return [(Cell(sure, DIM), Cell(row["text"])), (Cell(""), Cell(place, DIM))]
