"""`koog search --human`: the reply as sections for a person. Data in, data out."""

from __future__ import annotations

from typing import Any

from koog.core.view import DIM, PLAIN, STRONG, WARN, Cell, Section


def sections(keys: dict[str, Any]) -> list[Section]:
    """Return what `koog search --human` shows: how it was searched, then the hits, one below the other."""
    hits = [row for hit in keys["hits"] for row in _hit(hit)]
    return [_how(keys), Section("Hits", hits or [(Cell("none", DIM),)], whole=(0,))]


def _how(keys: dict[str, Any]) -> Section:
    shown = f"{len(keys['hits'])} of {keys['total']} hits, {keys['mode']}"
    rows = [(Cell("query", DIM), Cell(keys["query"])), (Cell("found", DIM), Cell(shown))]
    if keys["hits"] and all(hit["weak"] for hit in keys["hits"]):
        rows.append((Cell("weak", DIM), Cell("nothing here answers that for sure", WARN)))
    if keys["stale"]:
        rows.append((Cell("stale", DIM), Cell(keys["staleReason"] or "", WARN)))
    if reason := keys["embedding"]["reason"]:
        rows.append((Cell("vectors", DIM), Cell(reason, WARN)))
    return Section("", rows)


def _hit(hit: dict[str, Any]) -> list[tuple[Cell, Cell]]:
    """Return two rows: where it stands, and what it says."""
    past = ", ".join(dict.fromkeys(f"until {each['on']}, then {each['by'] or '?'}" for each in hit["replaced"]))
    about = " · ".join(filter(None, (hit["heading"], hit["date"], "weak" if hit["weak"] else "", past)))
    return [
        (Cell(f"{hit['score']:.2f}", DIM), Cell(f"{hit['path']}:{hit['line']}  {about}", STRONG)),
        (Cell(""), Cell(hit["text"], PLAIN)),
    ]
