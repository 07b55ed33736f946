"""What `koog status` says of the transcripts: how many, how old the newest is, which are open."""

from __future__ import annotations

from typing import Any

from koog.core import clock
from koog.core.run import Run
from koog.knowledge.transcripts import ledger, listing
from koog.knowledge.transcripts.imports import STALE

SHOWN = 5


def look(run: Run) -> dict[str, Any]:
    """Return the reply's key. Raises WorkspaceError."""
    found = listing.every(run.workspace)
    opened = sorted(ledger.load(run.workspace).open.values(), key=lambda each: each.at)
    moments = [*(each.at for each in opened), *(each.began for each in found if each.began)]
    newest = max(moments, default=None)
    age = None if newest is None else max(0, int((run.now - newest).total_seconds() // 60))
    return {
        "files": len(found),
        "newest": clock.iso(newest) if newest else None,
        "newestAgeMinutes": age,
        "open": len(opened),
        "silent": sum(run.now - each.at >= STALE for each in opened),
        "openPaths": [each.path for each in opened[:SHOWN]],
        "openSince": clock.iso(opened[0].at) if opened else None,
    }
