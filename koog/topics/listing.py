"""What is wrong in topic files, as replies tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from koog.core.clip import clip, fitting

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.topics.topics import Problem

PROBLEMS_CHARS, PROBLEMS_TOLD, MESSAGE_CHARS = 1000, 10, 160


def problems(run: Run, found: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return what is wrong in topic files; the first of it, and a warning, where it is more than fits."""
    rows = [{"file": p.file, "line": p.line, "message": clip(p.message, MESSAGE_CHARS)} for p in found[:PROBLEMS_TOLD]]
    told = fitting(rows, chars=PROBLEMS_CHARS)
    if len(told) < len(found):
        run.meta_extra["truncated"] = True
        run.warnings.append(f"problems shows {len(told)} of {len(found)}")
    return told
