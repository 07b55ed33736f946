"""How like each line is to a question by meaning: what answers may have none of its words.  [moltbot §11.3]

    of     a question and lines → how like they are, and how much that counts
    ready  the lines that have no vector yet get one: at a tick, so that no question waits for it

A line is compared by itself, not the passage or the file in which it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from koog.core.errors import KoogError, LLMUnavailable
from koog.memory.answering.gather import Gatherer
from koog.memory.answering.items import Item
from koog.memory.names import known
from koog.search.embedder import cosines, standing_out

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.search.embedder import Embedder

ASKED_S, TICK_S = 2.0, 20.0  # seconds for lines that have no vector yet: of a question, of a tick
FAR = 4.0  # standard deviations above the other lines: as like as can be


class Alike(NamedTuple):
    """How like lines are to a question. of: id → 0 to 1; weight: what it counts in a line's relevance"""

    of: Mapping[str, float] = {}
    weight: float = 0.0


NOBODY_KNOWS = Alike()


def of(embedder: Embedder | None, question: str, items: Sequence[Item]) -> Alike:
    """Return how like lines are to a question; nothing where nobody can tell, or not of each in time."""
    if embedder is None or embedder.likening is None or not items:
        return NOBODY_KNOWS
    embedder.allow(ASKED_S)
    try:
        lines = embedder.embed([each.said for each in items], kind="passage")
        (asked,) = embedder.embed([question], kind="query")
    except LLMUnavailable:
        return NOBODY_KNOWS
    like = cosines(asked, lines)
    if embedder.likening.is_narrow:
        like = [min(1.0, each / FAR) for each in standing_out(like)]
    return Alike(
        {item.id: max(0.0, each) for item, each in zip(items, like, strict=True)}, weight=embedder.likening.weight
    )


def ready(run: Run) -> None:
    """Embed the lines of the stores that have no vector yet, as far as the time goes; nothing where that is quick."""
    from koog.search import embedding

    embedder, _ = embedding.choose(run.settings, lambda: run.asker)
    if embedder is None or embedder.likening is None or not embedder.likening.is_slow or run.dry_run:
        return
    embedder.allow(TICK_S)
    try:
        embedder.embed([each.said for each in Gatherer(run, known.load(run)).every()], kind="passage")
    except LLMUnavailable:
        return  # the next tick goes on
    except KoogError as e:
        run.warnings.append(f"lines are not encoded: {e.message}")
