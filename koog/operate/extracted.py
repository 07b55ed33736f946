"""What `koog status` says of the way from raw talk to the prompt: how much of it waits, and what has come of it."""

from __future__ import annotations

from typing import Any

from koog.core import clock
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.run import Run
from koog.knowledge import core_sections, extraction, layout, lists, registry


def look(run: Run) -> dict[str, Any]:
    """Return the reply's key. Raises WorkspaceError."""
    waiting = extraction.pending(run, registry.chosen(None, run.warnings))
    where = layout.of(NO_NOTES if run.notes_root else run.workspace.own_notes)
    days = [name.removesuffix(".md") for name in run.workspace.names(where.journal, ".md")]
    since = min((each.began for each in waiting if each.began), default=None)
    text = run.workspace.text(layout.MEMORY) or ""
    return {
        "waiting": len(waiting),
        "waitingSince": clock.iso(since) if since else None,
        "waitingMinutes": max(0, int((run.now - since).total_seconds() // 60)) if since else None,
        "journals": len(days),
        "newestJournal": max((day for day in days if clock.parse_day(day)), default=None),
        "projects": sum(each.is_folder for each in run.workspace.files.entries(where.projects)),
        "active": lists.many(run.workspace.text(f"{where.projects}/{layout.ACTIVE}") or ""),
        "people": _files(run, where.people, layout.INDEX),
        "procedures": _files(run, where.procedures),
        "reference": _files(run, where.reference),
        "coreTokens": core_sections.used(text),
        "coreMost": core_sections.Caps.of(run).sections,
    }


def _files(run: Run, folder: str, *but: str) -> int:
    return sum(name not in but for name in run.workspace.names(folder, ".md"))
