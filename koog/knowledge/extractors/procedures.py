"""How something is done: into knowledge/procedures/, step by step.  [autopoiesis §8.3]

What is only a rule, in one sentence, stands among the others of its project.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from koog.knowledge import placing, targets
from koog.knowledge.extractor import KnowledgeChange, Talk
from koog.knowledge.layout import REMARKS, STEPS, WHEN
from koog.knowledge.placing import Placed


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    return {"procedures": [{**p.row, **_told(p)} for p in placing.of(given, placing.PROCEDURES)]}


def _told(found: Placed) -> dict[str, Any]:
    told = targets.steps(found.text)
    return told if len(told["steps"]) > 1 else {**told, "name": targets.project(found.about) or targets.GENERAL}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield the steps of a procedure, and when it is called for."""
    if slug := targets.slug(row["name"]):
        told = targets.line(row, "", kind="fact")._replace(
            path=f"{given.layout.procedures}/{slug}.md", title=row["name"], is_dated=False
        )
        if row["when"] and targets.slug(row["when"]) != slug:
            yield told._replace(section=WHEN, content=row["when"])
        for step in row["steps"]:
            yield told._replace(section=STEPS if len(row["steps"]) > 1 else REMARKS, content=step)


EXTRACTOR = targets.asking(__file__, rules, changes, rows="procedures")
TASK = EXTRACTOR.task
