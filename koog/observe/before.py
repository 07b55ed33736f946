"""What was said right before a session's cursor, so that the next run understands an answer.  [design §5]

An agent's turn ends with its question, and observing runs between turns. It lies in .koog/, holds for the very place
that it was kept for, and can be lost: then an answer stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles
from koog.core.run import Run
from koog.observe import observations
from koog.observe.observed import Place
from koog.sessions.turn import Turn

NAME = "before.json"
MOST = 40  # sessions, the last that were observed


def of(run: Run, place: Place) -> tuple[Turn, ...]:
    """Return what was said before a place, () when nobody knows."""
    kept = _kept(run).get(place.key)
    rows = kept.get("rows") if isinstance(kept, dict) and kept.get("at") == [place.cursor, place.done] else None
    found = [observations.turn_of(row) for row in rows if isinstance(row, str)] if isinstance(rows, list) else []
    return tuple(turn for turn in found if turn)


def keep(run: Run, place: Place, turns: Sequence[Turn]) -> None:
    """Keep what was said before a place, which is on disk by now."""
    if run.dry_run or not turns:
        return
    entry = {"at": [place.cursor, place.done], "rows": [observations.turn_line(turn) for turn in turns]}
    kept = _kept(run)
    if kept.pop(place.key, None) != entry:
        newest = [*kept.items(), (place.key, entry)][-MOST:]
        run.workspace.cache(NAME, jsonfiles.line(dict(newest)) + "\n")


def _kept(run: Run) -> dict[str, Any]:
    try:
        value = jsonfiles.loads(run.workspace.cached(NAME) or "{}")
    except (WorkspaceError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
