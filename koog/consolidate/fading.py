"""What nobody has used for long is proposed for archiving, month by month where it is much.  [moltbot §9.2]

Of many episodes those of one month are one operation: a person can read it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from koog.consolidate import overtaken
from koog.consolidate.drafts import Drafts
from koog.consolidate.plan import Operation
from koog.consolidate.survey import UNUSED_DAYS, Survey
from koog.core.text import kinds
from koog.memory.fading import relevance
from koog.memory.store import episodes, ids
from koog.memory.store.memories import CORE, EPISODIC, SEMANTIC, VAULT, Memory

MANY = 12  # episodes that are proposed one by one
MOST = 200  # of one operation
SHOWN_CHARS = 120


def proposed(
    survey: Survey, drafts: Drafts, kept: Collection[str], is_decided: Callable[[Operation], bool]
) -> Iterator[Operation]:
    """Yield what may be archived. kept: ids of what tonight's other operations rest on"""
    may_go = [each for each in survey.memories.values() if each.id not in kept and _may_go(survey, each)]
    gone = [each for each in may_go if not is_decided(_one(survey, each, drafts))]
    linked = {end for entity in survey.entities.values() for edge in entity.edges for end in (edge.start, edge.to)}
    told = [each for each in gone if each.store == EPISODIC]
    for each in gone:
        is_held = each.store == SEMANTIC and each.id.partition(":")[2] in linked
        if each.store != EPISODIC and not is_held:
            yield _one(survey, each, drafts)
    if len(told) <= MANY:
        yield from (_one(survey, each, drafts) for each in told)
        return
    by_month: dict[str, list[Memory]] = defaultdict(list)
    for each in told:
        by_month[each.id.removeprefix(f"{ids.EPISODE}:")[:7]].append(each)
    for month, found in sorted(by_month.items()):
        for at in range(0, len(found), MOST):
            yield _several(survey, month, found[at : at + MOST], drafts)


def _may_go(survey: Survey, memory: Memory) -> bool:
    entry = survey.scores.get(memory.id)
    if entry is None or memory.store in (VAULT, CORE) or memory.id in survey.hidden:
        return False
    if kinds.is_of_health(memory.text) or memory.id in overtaken.by(survey):
        return False
    days = survey.unused_days(memory.id)
    is_worn = entry["status"] == relevance.ARCHIVED and entry["current_score"] != relevance.FORGOTTEN
    return is_worn and not entry["pinned"] and days is not None and days >= UNUSED_DAYS


def _one(survey: Survey, memory: Memory, drafts: Drafts) -> Operation:
    entry, days = survey.scores[memory.id], survey.unused_days(memory.id) or 0
    words = " ".join(memory.text.split())
    told = words if len(words) <= SHOWN_CHARS else f"{words[: SHOWN_CHARS - 1]}…"
    why = f"score: {entry['current_score']:.2f}, last accessed {days} days ago"
    return drafts.archived([memory], told, reason=why, confidence=episodes.HIGH, weight=min(days, 900) / 3000)


def _several(survey: Survey, month: str, found: Sequence[Memory], drafts: Drafts) -> Operation:
    days = min(survey.unused_days(each.id) or 0 for each in found)
    worst = max(survey.scores[each.id]["current_score"] for each in found)
    told = f"{len(found)} episodes of {month}"
    why = f"score: at most {worst:.2f}, none accessed for {days} days"
    return drafts.archived(found, told, reason=why, confidence=episodes.HIGH, weight=0.4 + min(days, 900) / 3000)
