"""memory/graph/index.md written anew, and what fades told in the entities' own files.  [moltbot §6.1, §6.2]"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from koog.memory.store import entities, graph_index, ids, stores
from koog.memory.store.graph_index import Standing

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

ARCHIVED = "archived"


def index(run: Run, door: Door, scores: Mapping[str, Mapping[str, Any]]) -> None:
    """Stage the index, where there are entities.

    scores   id → the memory's entry in decay-scores.json
    """
    found = list(stores.graph(run))
    path = run.workspace.in_memory(graph_index.INDEX)
    if not found and door.text(path) is None:
        return
    prefix = f"{ids.ENTITY}:"
    standing = {
        id_.removeprefix(prefix): Standing(row["current_score"], row["last_accessed"][:10], row["status"] == ARCHIVED)
        for id_, row in scores.items()
        if id_.startswith(prefix)
    }
    door.write(path, graph_index.text(found, standing), summary=f"{len(found)} entities")
    for entity in found:
        row = scores.get(prefix + entity.id)
        if row and entities.SCORE in entity.fields:
            score, count = f"{row['current_score']:.2f}", str(row["access_count"])
            if _rounded(entity.fields.get(entities.SCORE)) != _rounded(score):
                door.edit(entity.path, partial(_told, score=score, count=count), summary=f"score of {entity.id}")


def _rounded(score: str | None) -> str:
    """Return a score as far as a file's line is worth a commit: in tenths."""
    try:
        return f"{float(score or 0):.1f}"
    except ValueError:
        return ""


def _told(text: str, *, score: str, count: str) -> str:
    return entities.with_field(entities.with_field(text, entities.SCORE, score), entities.ACCESSES, count)
