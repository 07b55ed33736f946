"""What was said of people: facts into the entity's own file, the rest into knowledge/people/.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from koog.core.task import Task
from koog.knowledge import placing, targets
from koog.knowledge.extractor import Asking, KnowledgeChange, Talk
from koog.knowledge.layout import COMMUNICATION, HISTORY
from koog.memory.names.mentions import PERSON
from koog.observe import material


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    found = [(p, p.about.person) for p in placing.of(given, placing.PEOPLE)]
    return {"people": [{**p.row, "person": who.name, "section": p.section, "text": p.text} for p, who in found if who]}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield where it is to stand that somebody is or was so."""
    told = targets.line(row, row["text"], kind=row["type"])
    if row["section"] == placing.TRUE:
        yield targets.fact(told, row["person"], PERSON)
    elif slug := targets.person(given, row["person"]):
        section = COMMUNICATION if row["section"] == placing.COMMUNICATION else HISTORY
        yield told._replace(
            path=f"{given.layout.people}/{slug}.md",
            section=section,
            title=row["person"],
            head={"name": row["person"]},
            is_dated=section == HISTORY,
        )


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
EXTRACTOR = Asking("people", 1, TASK, "people", changes)
