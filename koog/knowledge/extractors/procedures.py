"""How something is done: into knowledge/procedures/, step by step.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from koog.core.task import Task
from koog.knowledge import placing, targets
from koog.knowledge.extractor import Asking, KnowledgeChange, Talk
from koog.knowledge.layout import STEPS, WHEN
from koog.observe import material


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    return {"procedures": [{**p.row, **targets.steps(p.text)} for p in placing.of(given, placing.PROCEDURES)]}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield the steps of a procedure, and when it is called for."""
    if slug := targets.slug(row["name"]):
        told = targets.line(row, "", kind="fact")._replace(
            path=f"{given.layout.procedures}/{slug}.md", title=row["name"], is_dated=False
        )
        if row["when"] and targets.slug(row["when"]) != slug:
            yield told._replace(section=WHEN, content=row["when"])
        for step in row["steps"]:
            yield told._replace(section=STEPS, content=step)


TASK = Task(
    file=Path(__file__),
    route="knowledge_extractor",
    rules=rules,
    render=lambda given: {
        "known": targets.known(given),
        "before": material.told(given.before),
        "turns": material.numbered(given.turns),
    },
)
EXTRACTOR = Asking("procedures", 1, TASK, "procedures", changes)
