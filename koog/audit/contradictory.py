"""Beside which other memory one was kept, though the two do not go together.  [moltbot §13.6]

A line that the other side of a conflict joined says so itself (`against`), or, where the two stand in different files,
only the newer one does, by the figures of the other's words (`opposed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from koog.memory.forgetting import targets
from koog.memory.store import changes, episodes, ids, stores
from koog.memory.store import line as lines

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.memory.forgetting.targets import Target


def beside(run: Run, target: Target, values: Mapping[str, str]) -> list[str]:
    """Return the ids of what a memory does not go with, as far as the reader may be told of it.

    values   what stands behind its words
    """
    told = changes.told(run, filter(None, values.get(lines.AGAINST, "").split(";")), target.path)
    figures, own = values.get(lines.OPPOSED, ""), ids.of_words(target.text)
    newer = set(_newer(run, own))
    found = [
        each.id
        for each in targets.every(run)
        if each.id != target.id and (ids.of_words(each.text) == figures or each.id in newer)
    ]
    return list(dict.fromkeys([*told, *found]))


def _newer(run: Run, figures: str) -> Iterator[str]:
    """Yield the episodes that say they do not go with these words."""
    for path, text in stores.texts(run, episodes.FOLDER):
        if f"dc:{lines.OPPOSED}={figures}" in text and (day := stores.day_of(path)):
            for entry in episodes.read(text, day, path):
                if entry.line.values.get(lines.OPPOSED) == figures:
                    yield entry.id
