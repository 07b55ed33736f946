"""What was decided: into a project's `Key Decisions`, of no project into those of MEMORY.md.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from koog.knowledge import placing, targets
from koog.knowledge.extractor import KnowledgeChange, Talk
from koog.knowledge.layout import CONTEXT, DECISIONS, MEMORY


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    found = placing.of(given, placing.DECISIONS)
    return {
        "decisions": [{**p.row, "decision": p.text, "context": "", "project": targets.project(p.about)} for p in found]
    }


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield where a decision is to stand."""
    why = f" — {row['context']}" if row["context"] else ""
    told = targets.line(row, row["decision"] + why, kind="decision")
    yield targets.of_project(given, row["project"], CONTEXT, DECISIONS, told) or told._replace(
        path=MEMORY, section=DECISIONS
    )


EXTRACTOR = targets.asking(__file__, rules, changes, rows="decisions")
TASK = EXTRACTOR.task
