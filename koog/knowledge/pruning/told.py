"""Which files that were moved the reader may hear of: a file's name tells as much as its lines do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from koog.memory.store import line as lines
from koog.sessions import audience
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.core.run import Run


def moved(run: Run, found: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Return rows of a reply for the files that were moved from one place to another, without what is not told."""
    return [{"from": path, "to": to} for path, to in found if _is_told(run, path, to)]


def _is_told(run: Run, path: str, to: str) -> bool:
    """Return whether a file has a line that the reader may hear; one without a line goes by its path."""
    who, tree = audience.current(run), run.workspace
    text = (tree.text(to) if tree.exists(to) else tree.text(path)) or ""
    said = [lines.read(row.strip()[2:]) for row in text.split("\n") if row.lstrip().startswith("- ")]
    if not said:
        return who.file(path) is not Seen.HIDDEN
    return any(who.line(each.label, path, text=each.text) is not Seen.HIDDEN for each in said)
