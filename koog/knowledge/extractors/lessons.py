"""What was learned: into `Lessons Learned` of MEMORY.md, of one project into its notes.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from koog.knowledge import placing, targets
from koog.knowledge.extractor import KnowledgeChange, Talk
from koog.knowledge.layout import LESSONS, MEMORY, NOTES


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    found = placing.of(given, placing.LESSONS)
    named = ((p, targets.project(p.about) if p.about.is_named else "") for p in found)
    return {"lessons": [{**p.row, "lesson": p.text, "project": project} for p, project in named]}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield where a lesson is to stand."""
    told = targets.line(row, row["lesson"], kind=row["type"])
    yield targets.of_project(given, row["project"], NOTES, LESSONS, told) or told._replace(path=MEMORY, section=LESSONS)


EXTRACTOR = targets.asking(__file__, rules, changes, rows="lessons")
TASK = EXTRACTOR.task
