"""What is true of projects, tools and the rest: a project's files and entity, or reference/.  [autopoiesis §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from koog.knowledge import placing, targets
from koog.knowledge.extractor import KnowledgeChange, Talk
from koog.knowledge.layout import BLOCKERS, CONTEXT, DONE, FACTS, NEXT, PROGRESS, STACK, STATE
from koog.memory.names.mentions import PROJECT

SECTIONS = {
    placing.STATE: (CONTEXT, STATE),
    placing.STACK: (CONTEXT, STACK),
    placing.DONE: (PROGRESS, DONE),
    placing.NEXT: (PROGRESS, NEXT),
    placing.BLOCKED: (PROGRESS, BLOCKERS),
}
DATED = (STATE, DONE, BLOCKERS)


def rules(given: Talk) -> dict[str, Any]:
    """Return the built-in engine's answer."""
    rows = []
    for each in placing.of(given, placing.FACTS):
        about = (each.about.is_named and each.about.project) or each.about.things[0]
        rows.append({**each.row, "about": about.name, "of": about.kind, "section": each.section, "text": each.text})
    return {"facts": rows}


def changes(row: dict[str, Any], given: Talk) -> Iterator[KnowledgeChange]:
    """Yield where a fact is to stand."""
    told = targets.line(row, row["text"], kind=row["type"])
    name = targets.named(row["about"], given)
    if not (slug := targets.slug(name)):
        yield targets.open_(told, given, targets.GENERAL)
    elif row["of"] != PROJECT:
        path = f"{given.layout.reference}/{slug}.md"
        yield told._replace(path=path, section=FACTS, title=name, is_dated=False)
    elif row["section"] == placing.TRUE:
        yield targets.fact(told, name, PROJECT)
    else:
        file, section = SECTIONS[row["section"]]
        found = targets.of_project(given, name, file, section, told)
        yield (found or told)._replace(is_dated=section in DATED)


EXTRACTOR = targets.asking(__file__, rules, changes, rows="facts")
TASK = EXTRACTOR.task
