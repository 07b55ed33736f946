"""What `koog status` says of the memory: how much there is and how fresh, what is at odds, what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.core import proposals
from koog.memory.fading import decay_scores, reckoning
from koog.memory.fading.reckoning import Present
from koog.memory.store import core_memory, entities, stores
from koog.memory.store import line as lines
from koog.memory.store.memories import STORES

if TYPE_CHECKING:
    from koog.consolidate.triggers import Standing
    from koog.core.run import Run


def look(run: Run, sleep: Standing | None) -> dict[str, Any]:
    """Return the reply's key. sleep: how it stands with reflections. Raises WorkspaceError."""
    memories = stores.every(run)
    scores = reckoning.reckon(run.workspace, memories, Present.of(run)).entries.values()
    text = run.workspace.text(core_memory.FILE) or ""
    facts = [f for e in stores.graph(run) for f in e.facts(entities.FACTS) if not f.line.is_past]
    against = {f.id: f.line.values.get(lines.AGAINST, "").split(";") for f in facts}
    odd = {frozenset((one, other)) for one, others in against.items() for other in others if other}
    waiting = proposals.settled(run.workspace.text(run.workspace.in_memory(proposals.NAME)) or "").entries
    return {
        "stores": {name: decay_scores.counts(s for s in scores if s["store"] == name) for name in STORES},
        "coreTokens": core_memory.size(text, 0).tokens if text else 0,
        "coreMost": run.settings.get("memory.coreTokens"),
        "contradictions": len(odd),
        "proposals": sum(each.is_waiting for each in waiting),
        "unread": sleep.unread if sleep else None,
        "reflection": sleep.waiting if sleep else None,
    }
