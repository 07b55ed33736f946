"""What happened: into the day's journal, by topic; what nobody can place waits there.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from koog.knowledge import placing, targets
from koog.knowledge.extractor import KnowledgeChange, Talk


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    found = placing.of(given, placing.JOURNAL)
    return {"entries": [{**p.row, "topic": targets.topic(p), "text": p.text} for p in found]}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield the line of the day's journal."""
    told = targets.line(row, row["text"], kind=row["type"])
    yield targets.open_(told, given, targets.heading(row["topic"], given))


EXTRACTOR = targets.asking(__file__, rules, changes, rows="entries")
TASK = EXTRACTOR.task
