"""What is left of each line that may answer, and since when it is known.  [moltbot §9.2, §9.3]

shown    active, fading
dormant  only when asked for, or when nothing else answers as well; so is what time alone has worn below
         memory.archiveBelow: that is flagged for review (moltbot §9.2, §10.5), and nobody has archived it yet
archived by somebody: only by its id
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.named import NamedTuple
from koog.memory.answering.items import Item
from koog.memory.fading import reckoning, relevance
from koog.memory.fading.reckoning import Present
from koog.memory.store.memories import Memory

if TYPE_CHECKING:
    from koog.core.run import Run


class Standing(NamedTuple):
    """What is left of a line. created: the day on which it was told, "" unknown"""

    score: float = 1.0
    status: str = relevance.ACTIVE
    created: str = ""

    @property
    def is_archived(self) -> bool:
        return self.score == relevance.FORGOTTEN

    @property
    def is_dormant(self) -> bool:
        return not self.is_archived and self.status in (relevance.DORMANT, relevance.ARCHIVED)

    @property
    def told(self) -> str:
        """Return its status as recall has it: what somebody has archived, and what time alone has worn, are two."""
        if self.is_archived:
            return relevance.ARCHIVED
        return relevance.DORMANT if self.is_dormant else self.status


def of(run: Run, items: Iterable[Item]) -> dict[str, Standing]:
    """Return id of a line → what is left of it. Raises WorkspaceError for scores that a newer koog has written."""
    found = list(items)
    memories = {each.fades_as: Memory(each.fades_as, each.store, "", each.path, each.line, each.at) for each in found}
    by, hidden = Present.of(run), forgotten.of(run.workspace).hidden
    entries = reckoning.of_some(run.workspace, list(memories.values()), by).entries
    standing = {}
    for each in found:
        row = entries[each.fades_as]
        told = by.written(row["created"])
        created = told.astimezone(run.zone).date().isoformat() if told and each.id == each.fades_as else ""
        is_gone = each.id in hidden or forgotten.hides(hidden, each.id)
        score = relevance.FORGOTTEN if is_gone else row["current_score"]
        standing[each.id] = Standing(score, row["status"], created)
    return standing
