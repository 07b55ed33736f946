"""How like each line is to a question by meaning: what answers may have none of its words.  [moltbot §11.3]

    of         a question and lines → how like they are, and how much that counts
    of_files   the same of lines that are passages of the index by themselves: their vectors lie there already
    between    lines and others → how like they are to one another
    ready  the lines that have no vector yet get one: at a tick, so that no question waits for it

A line is compared by itself, not the passage or the file in which it stands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from koog.core.errors import KoogError, LLMUnavailable
from koog.core.named import NamedTuple
from koog.memory.answering.gather import Gatherer
from koog.memory.answering.items import Item
from koog.memory.names import known
from koog.search import vectors
from koog.search.database import stored
from koog.search.embedder import cosines, standing_out

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.search.embedder import Embedder, Likening
    from koog.search.retrieval import Index

ASKED_S, TICK_S = 2.0, 20.0  # seconds for lines that have no vector yet: of a question, of a tick
NEAREST = 80  # lines that are compared by themselves, too: 40 ms
PASSAGES = (
    "SELECT f.path, p.line, p.end, p.id FROM files AS f JOIN passages AS p ON p.file = f.id"
    " WHERE f.path IN (SELECT value FROM json_each(?))"
)
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
    return _alike(embedder.likening, items, cosines(asked, lines))


def of_files(index: Index, question: str, items: Sequence[Item]) -> Alike:
    """Return how like lines are to a question, each by the vector of its passage; nothing where nobody can tell.

    A passage's vector is of its heading, too: the nearest lines are compared by themselves, as far as that is quick.
    """
    embedder = index.embedder
    if embedder is None or embedder.likening is None or not items:
        return NOBODY_KNOWS
    paths = sorted(path for each in {each.path for each in items} if isinstance(path := stored(each), str))
    rows: Any = index.db.execute(PASSAGES, (json.dumps(paths),))
    passages = {(path, at): id for path, line, end, id in rows for at in range(line, end + 1)}
    numbers = [passages.get((each.path, each.line), 0) for each in items]
    embedder.allow(ASKED_S)
    try:
        (asked,) = embedder.embed([question], kind="query")
    except LLMUnavailable:
        return NOBODY_KNOWS
    found = vectors.similarities(index.db, asked, sorted({number for number in numbers if number}))
    like = [found.get(number, 0.0) for number in numbers]
    alike = _alike(embedder.likening, items, like)
    if embedder.likening.is_narrow or embedder.likening.is_slow:
        return alike
    nearest = sorted(range(len(items)), key=lambda n: -like[n])[:NEAREST]
    return alike._replace(of={**alike.of, **of(embedder, question, [items[n] for n in nearest]).of})


def is_quick(embedder: Embedder | None) -> bool:
    """Return whether lines are compared with one another while somebody waits."""
    return embedder is not None and embedder.likening is not None and not embedder.likening.is_slow


def between(embedder: Embedder | None, lines: Sequence[str], others: Sequence[str]) -> list[list[float]]:
    """Return of each line how like it is to each of some others, 0 to 1; 0 where nobody can tell in time."""
    if embedder is None or not is_quick(embedder) or not lines or not others:
        return [[0.0] * len(others) for _ in lines]
    found = embedder.embed([*lines, *others], kind="passage")
    return [[max(0.0, one) for one in cosines(each, found[len(lines) :])] for each in found[: len(lines)]]


def _alike(likening: Likening, items: Sequence[Item], like: list[float]) -> Alike:
    if likening.is_narrow:
        like = [min(1.0, each / FAR) for each in standing_out(like)]
    return Alike({item.id: max(0.0, each) for item, each in zip(items, like, strict=True)}, weight=likening.weight)


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
