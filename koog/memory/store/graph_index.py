"""memory/graph/index.md, the topology, made anew from the entities' files; relations.md.  [moltbot §6.1, §6.3]

Whoever edits the index is overwritten; relations.md is the person's, once it is there. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from koog.core.named import NamedTuple
from koog.memory.store.entities import Edge, Entity
from koog.sessions import labels
from koog.sessions.labels import NONE, Label

INDEX, RELATIONS = "graph/index.md", "graph/relations.md"  # in the memory folder
HEAD = """# Semantic Graph Index

<!-- Auto-generated during reflection. Manual edits will be overwritten. -->

## Entity Registry
| ID | Type | Label | File | Decay Score |
|----|------|-------|------|-------------|
"""
EDGES = """
## Edges
| From | Relation | To | Confidence | First Seen | Last Accessed |
|------|----------|----|------------|------------|---------------|
"""
VOCABULARY = """# Relation Types

## Structural
- `develops` — person → project
- `uses` / `used-by` — project ↔ tool/concept
- `part-of` / `contains` — hierarchical nesting
- `depends-on` — dependency relationship

## Temporal
- `decided-on` — a choice was made (with date)
- `supersedes` — newer fact replaces older
- `preceded-by` / `followed-by` — sequence

## Qualitative
- `prefers` — user preference
- `avoids` — user anti-preference
- `confident-about` / `uncertain-about` — epistemic status
- `relates-to` — general association
"""


class Standing(NamedTuple):
    """What decay says of an entity: its score from 0 to 1, when it was last accessed (a day), whether it is hidden."""

    score: float = 1.0
    last: str = ""
    is_archived: bool = False


def text(found: Sequence[Entity], standing: Mapping[str, Standing]) -> str:
    """Return index.md.

    standing   entity's id → what decay says; an entity that is missing there is fully there
    """
    shown = [e for e in sorted(found, key=lambda e: e.id) if not standing.get(e.id, Standing()).is_archived]
    rows = [_entity(each, standing.get(each.id, Standing())) for each in shown]
    known = {each.id for each in shown}
    places = {each.id: each.place for each in shown}
    edges = [_edge(e, standing, places) for e in sorted(set(all_edges(shown))) if {e.start, e.to} <= known]
    return HEAD + "".join(rows) + EDGES + "".join(edges)


def all_edges(found: Iterable[Entity]) -> list[Edge]:
    """Return every relation once, from whichever end it is told: the first day counts, and the surer word."""
    sure = ("low", "medium", "high")
    known: dict[tuple[str, str, str], Edge] = {}
    for entity in found:
        for edge in entity.edges:
            key = edge.start, edge.relation, edge.to
            if (other := known.get(key)) is not None:
                first = min(filter(None, (edge.first, other.first)), default="")
                rank = max(edge.confidence, other.confidence, key=lambda c: sure.index(c) if c in sure else 0)
                label = NONE if NONE in (edge.label, other.label) else edge.label
                edge = edge._replace(first=first, confidence=rank, label=label)  # noqa: PLW2901
            known[key] = edge
    return list(known.values())


def _entity(entity: Entity, standing: Standing) -> str:
    score = f"{standing.score:.2f}" + (" (pinned)" if entity.is_pinned else "")
    return _row(entity.id, entity.type, entity.label, f"entities/{entity.id}.md", score, label=entity.place)


def _edge(edge: Edge, standing: Mapping[str, Standing], places: Mapping[str, Label]) -> str:
    last = max((standing[end].last for end in (edge.start, edge.to) if end in standing), default="")
    label = next((each for each in (edge.label, places[edge.start], places[edge.to]) if each != NONE), NONE)
    return _row(edge.start, edge.relation, edge.to, edge.confidence, edge.first, last or edge.first, label=label)


def _row(*cells: str, label: Label = NONE) -> str:
    r"""Return a row of a table; a | inside a cell would be two. label: behind it, where it was said

    >>> _row("a|b", "c")
    '| a\\|b | c |\n'
    """
    told = " ".join(f"dc:{name}={value}" for name, value in labels.values(label))
    row = "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"
    return f"{row} <!-- {told} -->\n" if told else f"{row}\n"
