"""Which of the lines that answer hold, and which were replaced: by their own comments, and by what newer ones say.

Episodes are never edited, so a correction among them is known by nothing but its words: the newer line is compared with
the older ones beside it.  [moltbot §5; design §5 "a correction outranks what it corrects"]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from koog.core.text.compare import SUPERSEDES, compare, followed
from koog.core.text.says import says
from koog.memory.answering import bearing, cues
from koog.memory.answering.following import is_older, newest_first
from koog.memory.answering.items import Item
from koog.memory.answering.question import MANY, WHEN
from koog.memory.answering.scoring import Scored
from koog.memory.store import correction, gate

CHANGE = "change"  # what a line gives, by its words
AS_MUCH = 0.5  # of the older line's relevance: less has a newer one that only speaks of somebody in it
MOST_COMPARED = 8  # of the best lines


def as_of(items: Iterable[Item], day: str, created: Mapping[str, str]) -> list[Item]:
    """Return the lines that were known at the end of a day, as they stood then.

    created   id → the day on which it was told, where no line says so
    """
    known = [each for each in items if (at := each.day or created.get(each.id, "")) <= day and (at or each.until)]
    return [each._replace(until="", by="") if each.until[:10] > day else each for each in known]


def resolved(found: Sequence[Scored], kinds: Collection[str] = ()) -> list[Scored]:
    """Return the lines, those that a newer one corrects marked as such; the newer stands before the older.

    found   the best first
    kinds   what the question asks for
    """
    after: dict[str, Scored] = {}
    standing = [each for each in found if not each.item.until and each.at]
    for newer in found[:MOST_COMPARED]:
        if newer.item.until or not newer.at:
            continue
        older = [e for e in standing if is_older(e, newer) and e.item.id not in after]
        if (gone := _corrected(newer, older)) is not None:
            after[gone.item.id] = newer
    marked = []
    for each in found:
        newest = after.get(each.item.id)
        marked.append(each if newest is None else each._replace(item=_past(each.item, newest)))
    return newest_first(_newer_first(_outdated(marked, kinds)), kinds)


def _outdated(found: Sequence[Scored], kinds: Collection[str]) -> list[Scored]:
    """Return the lines, those marked of which a newer one on the same matter tells a change.

    Nobody knows what of them still holds.
    """
    head = [each for each in found[:MOST_COMPARED] if not each.item.until and each.at]
    news = [each for each in head if tells_change(each.item.text)]
    pairs = followed([each.item.text for each in head], lambda a, b: head[a].at < head[b].at)
    beside = {(head[old].item.id, head[new].item.id) for old, new in pairs}
    known = {each.item.id for each in found}
    newer = {each.item.id: each.item.newer for each in found if each.item.newer in known}
    for new in sorted(news, key=lambda each: each.at):
        for old in head:
            is_one = (old.item.id, new.item.id) in beside or _give_the_same(old, new, kinds)
            if is_older(old, new) and is_one and new.relevance >= AS_MUCH * old.relevance:
                newer[old.item.id] = new.item.id
    return [each._replace(newer=newer.get(each.item.id, "")) for each in found]


def tells_change(text: str) -> bool:
    """Return whether a line says by its words that something is otherwise than it was."""
    return bool(says(text).cues & correction.CHANGES) or cues.gives(CHANGE, text)


def _give_the_same(old: Scored, new: Scored, kinds: Collection[str]) -> bool:
    """Return whether two lines with words of the question in common both give what it asks for: a day, a number."""
    wanted = [kind for kind in (WHEN, MANY) if kind in kinds]
    if not wanted or not set(old.has) & set(new.has):
        return False
    lines = [bearing.line(each.item.text) for each in (old, new)]
    return all(bearing.gives(kind, line, asked=frozenset()) for kind in wanted for line in lines)


def _corrected(newer: Scored, older: Sequence[Scored]) -> Scored | None:
    """Return which of some older lines a newer one takes the place of, None for none."""
    for each in older[:MOST_COMPARED]:
        old, new = each.item.text, newer.item.text
        is_told = each.item.id in newer.item.replaces
        if is_told or (compare(old, new).kind == SUPERSEDES and gate.opens(old, new)):
            return each
    if not correction.may_correct(newer.item.text):
        return None
    return correction.best(newer.item.text, ((each, each.item.text) for each in older))


def _past(item: Item, newer: Scored) -> Item:
    return item._replace(until=newer.at[:10], by=newer.item.id)


def _newer_first(found: Sequence[Scored]) -> list[Scored]:
    """Return the lines so that what took a line's place answers at least as well as that, and stands before it."""
    by_id = {each.item.id: each for each in found}
    lifted: dict[str, Scored] = {}
    for each in found:
        last, seen = each, {each.item.id}
        while (after := last.item.by or last.newer) in by_id and after not in seen:
            last = by_id[after]
            seen.add(last.item.id)
        if last is not each:
            has = lifted.get(last.item.id, last)
            lifted[last.item.id] = has._replace(
                relevance=max(has.relevance, each.relevance), confidence=max(has.confidence, each.confidence)
            )
    now = [lifted.get(each.item.id, each) for each in found]
    return sorted(now, key=lambda each: (-each.ranked, bool(each.item.until), bool(each.newer), each.item.id))
