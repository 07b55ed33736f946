"""How like each line is to a question by meaning: what answers may have none of its words.  [moltbot §11.3]

A line is compared by itself, not the passage or the file in which it stands. By the table of word vectors alone, which
lies beside koog: an endpoint would be asked for every line of every question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING

from koog.memory.answering.items import Item
from koog.search.wordllama import WordLlama

if TYPE_CHECKING:
    from koog.search.embedder import Embedder


def of(embedder: Embedder | None, question: str, items: Sequence[Item]) -> dict[str, float]:
    """Return id of a line → its likeness to a question, 0 to 1; nothing where there is no table."""
    if not isinstance(embedder, WordLlama) or not items:
        return {}
    asked, *lines = embedder.embed([question, *(each.said for each in items)], kind="passage")
    numbers = memoryview(asked).cast("b").tolist()
    return {each.id: max(0.0, _cosine(numbers, line)) for each, line in zip(items, lines, strict=True)}


def _cosine(numbers: Sequence[int], vector: bytes) -> float:
    others = memoryview(vector).cast("b").tolist()
    lengths = math.sqrt(sum(map(mul, numbers, numbers)) * sum(map(mul, others, others)))
    return sum(map(mul, numbers, others)) / lengths if lengths else 0.0
