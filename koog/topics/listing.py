"""As many rows of a reply as fit: the line stays below 10,000 characters.  [style.md §3.1]"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from koog.core.clip import clip

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.topics.topics import Problem

ROWS_CHARS = 7000  # of the rows of one reply, as ASCII JSON; the rest of the line takes what is left
PROBLEMS_CHARS, PROBLEMS_TOLD, MESSAGE_CHARS = 1000, 10, 160


def fitting(rows: Iterable[dict[str, Any]], *, chars: int = ROWS_CHARS) -> list[dict[str, Any]]:
    """Return the first rows that fit, at least one."""
    out: list[dict[str, Any]] = []
    for row in rows:
        chars -= len(json.dumps(row)) + 1
        if chars < 0 and out:
            break
        out.append(row)
    return out


def problems(run: Run, found: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return what is wrong in topic files; the first of it, and a warning, where it is more than fits."""
    rows = [{"file": p.file, "line": p.line, "message": clip(p.message, MESSAGE_CHARS)} for p in found[:PROBLEMS_TOLD]]
    told = fitting(rows, chars=PROBLEMS_CHARS)
    if len(told) < len(found):
        run.meta_extra["truncated"] = True
        run.warnings.append(f"problems shows {len(told)} of {len(found)}")
    return told
