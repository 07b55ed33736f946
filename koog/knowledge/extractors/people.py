"""What was said of people: facts into the entity's own file, the rest into knowledge/people/.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from koog.knowledge import placing, targets
from koog.knowledge.extractor import KnowledgeChange, Talk
from koog.knowledge.layout import COMMUNICATION, HISTORY
from koog.memory.names.mentions import PERSON


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    found = [(p, p.about.person) for p in placing.of(given, placing.PEOPLE)]
    return {"people": [{**p.row, "person": who.name, "section": p.section, "text": p.text} for p, who in found if who]}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield where it is to stand that somebody is or was so."""
    told = targets.line(row, row["text"], kind=row["type"])
    name = targets.named(row["person"], given)
    if not name:
        yield targets.open_(told, given, targets.PEOPLE_TOPIC)
    elif row["section"] == placing.TRUE:
        yield targets.fact(told, name, PERSON)
    elif slug := targets.person(given, name):
        section = COMMUNICATION if row["section"] == placing.COMMUNICATION else HISTORY
        yield told._replace(
            path=f"{given.layout.people}/{slug}.md",
            section=section,
            title=name,
            head={"name": name},
            is_dated=section == HISTORY,
        )


EXTRACTOR = targets.asking(__file__, rules, changes, rows="people")
TASK = EXTRACTOR.task
