"""What has to leave MEMORY.md so that it keeps to its caps: lines of koog's own, the least lasting first.  [§8.5]

    replaced    what does not hold any more
    elsewhere   what a file of a project, a person or the week says as well
    least       of the two sections what weighs least; then of the blocks what `remember` lets go first, no pinned line

A line of a person's own hand stays, whatever the file has; then it stays over its cap. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from koog.core.named import NamedTuple
from koog.knowledge import core_sections, documents, filing
from koog.knowledge.condensing import promotion
from koog.knowledge.core_sections import SECTIONS, Caps
from koog.knowledge.layout import MEMORY
from koog.memory.store import core_memory
from koog.memory.store.entry import Entry
from koog.memory.store.sections import Sections

REPLACED, ELSEWHERE, LEAST = "a newer line took its place", "another file says so as well", "what weighs least"


class Going(NamedTuple):
    """One line that is to leave MEMORY.md, and why."""

    entry: Entry
    why: str


def going(text: str, caps: Caps, *, elsewhere: Sequence[str] = (), kept: Collection[str] = ()) -> list[Going]:
    """Return the lines that have to go. elsewhere: what other files say; kept: rows that have become a person's"""
    found = list[Going]()
    for each in _candidates(text, elsewhere, kept):
        if not core_sections.is_over(documents.without(text, [one.entry for one in found]), caps):
            break
        found.append(each)
    return found


def _candidates(text: str, elsewhere: Sequence[str], kept: Collection[str]) -> list[Going]:
    """Return koog's own lines, those first that go first, each once."""
    every, rows = list(documents.entries(text, MEMORY)), text.split("\n")
    own = [each for each in every if each.line.values and rows[each.item.row] not in kept]
    ours = [each for each in own if each.section in SECTIONS and filing.is_koogs(each)]
    order = [Going(each, REPLACED) for each in own if each.line.is_past]
    order += [Going(each, ELSEWHERE) for each in ours if filing.is_known(each.text, elsewhere)]
    order += [Going(each, LEAST) for each in sorted(ours, key=promotion.weight)]
    by_row = {each.item.row: each for each in own}
    blocks = list(core_memory.entries(Sections(text, MEMORY)))
    for block in core_memory.FIRST_OUT:
        mine = [each.item.row for each in blocks if each.block == block and each.item.row in by_row]
        order += [Going(by_row[row], LEAST) for row in mine]
    first = {each.entry.item.row: each for each in reversed(order)}
    return [each for each in order if first[each.entry.item.row] is each]
