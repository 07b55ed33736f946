"""How like each line is to a question by meaning: what answers may have none of its words.  [moltbot §11.3]

    of     a question and lines → how like they are, and how much that counts
    ready  the lines that have no vector yet get one: at a tick, so that no question waits for it

A line is compared by itself, not the passage or the file in which it stands. By the encoder or the table of word
vectors, which lie beside koog: an endpoint would be asked for every line of every question.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from koog.core.errors import KoogError, LLMUnavailable
from koog.memory.answering.gather import Gatherer
from koog.memory.answering.items import Item
from koog.memory.names import known
from koog.search.encoder import Encoder
from koog.search.wordllama import WordLlama

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.search.embedder import Embedder

ASKED_S, TICK_S = 2.0, 20.0  # seconds for lines that have no vector yet: of a question, of a tick
OF_TABLE, OF_ENCODER = 0.33, 0.65  # of a line's relevance
FAR = 4.0  # standard deviations above the other lines: as like as can be. An encoder's cosines all lie near each other


class Alike(NamedTuple):
    """How like lines are to a question. of: id → 0 to 1; weight: what it counts in a line's relevance"""

    of: Mapping[str, float] = {}
    weight: float = 0.0


NOBODY_KNOWS = Alike()


def of(embedder: Embedder | None, question: str, items: Sequence[Item]) -> Alike:
    """Return how like lines are to a question; nothing where nobody can tell, or not of each in time."""
    if not isinstance(embedder, WordLlama | Encoder) or not items:
        return NOBODY_KNOWS
    if isinstance(embedder, Encoder):
        embedder.allow(ASKED_S)
    try:
        lines = embedder.embed([each.said for each in items], kind="passage")
        (asked,) = embedder.embed([question], kind="query")
    except LLMUnavailable:
        return NOBODY_KNOWS
    numbers = memoryview(asked).cast("b").tolist()
    cosines = [_cosine(numbers, line) for line in lines]
    weight = OF_TABLE
    if isinstance(embedder, Encoder):
        cosines, weight = _standing_out(cosines), OF_ENCODER
    return Alike({each.id: max(0.0, like) for each, like in zip(items, cosines, strict=True)}, weight)


def ready(run: Run) -> None:
    """Encode the lines of the stores that have no vector yet, as far as the time goes; nothing without an encoder."""
    from koog.search import embedding

    embedder, _ = embedding.choose(run.settings, lambda: run.asker)
    if not isinstance(embedder, Encoder) or run.dry_run:
        return
    embedder.allow(TICK_S)
    try:
        embedder.embed([each.said for each in Gatherer(run, known.load(run)).every()], kind="passage")
    except LLMUnavailable:
        return  # the next tick goes on
    except KoogError as e:
        run.warnings.append(f"lines are not encoded: {e.message}")


def _standing_out(cosines: Sequence[float]) -> list[float]:
    """Return how far each stands above what is usual among them, 1 at the most.

    >>> [round(each, 2) for each in _standing_out([0.8, 0.8, 0.8, 0.9])], _standing_out([0.8])
    ([-0.14, -0.14, -0.14, 0.43], [0.0])
    """
    usual, spread = statistics.fmean(cosines), statistics.pstdev(cosines)
    return [min(1.0, (cosine - usual) / (FAR * spread)) if spread else 0.0 for cosine in cosines]


def _cosine(numbers: Sequence[int], vector: bytes) -> float:
    others = memoryview(vector).cast("b").tolist()
    lengths = math.sqrt(sum(map(mul, numbers, numbers)) * sum(map(mul, others, others)))
    return sum(map(mul, numbers, others)) / lengths if lengths else 0.0
