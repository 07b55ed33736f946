"""What of a week goes where it lasts: the two sections of MEMORY.md, and the notes of projects.  [autopoiesis §8.4]

MEMORY.md gets what the workspace's own person has said, what weighs most; what has no room any more goes to the
archive, and a new line for which there is none stays in its week. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import log
from typing import NamedTuple

from koog.core.text import trust, weigher
from koog.core.text.statement import PERSON, TALK, USER
from koog.knowledge import core_sections, documents, filing, layout
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.core_sections import ORDER, SECTIONS, Caps
from koog.knowledge.documents import Entry
from koog.knowledge.filing import New
from koog.knowledge.layout import ACCUMULATED, DECISIONS, LESSONS, MEMORY
from koog.knowledge.pruning import shelf
from koog.knowledge.pruning.shelf import Leaving
from koog.memory.store import core_memory
from koog.memory.store import line as lines
from koog.sessions.labels import NONE

SECTION = {"decisions": DECISIONS, "lessons": LESSONS}
FADES = 0.005  # of a day: what was decided counts half after 139 days
LEAST, CORRECTS = 0.01, 0.5  # the least weight; what a line that puts another right weighs more


class Core(NamedTuple):
    """MEMORY.md and its archive afterwards; the new lines that are in it; the older ones that made room."""

    text: str
    archive: str
    added: tuple[New, ...]
    left: tuple[Entry, ...]


def new(said: Said, section: str, *, is_dated: bool = True) -> New:
    """Return a line of a week as a line of another file."""
    values = tuple((k, v) for k, v in said.values.items() if k != documents.DAY)
    return New(section, said.text, said.day, said.label, values, is_dated)


def may_stand_in_core(said: Said) -> bool:
    """Return whether a line may stand in MEMORY.md, by which an agent goes in every session.

    Only what the person has said of this workspace's own project may.
    """
    if said.label != NONE or said.trust != PERSON or not said.source:
        return False
    return trust.verdict(said.text, said.trust, register=TALK, kind=trust.PATTERN) == trust.TAKEN


def core(text: str, archive: str, found: Sequence[New], caps: Caps, *, today: str) -> Core:
    """Return MEMORY.md with some lines more, as far as they weigh more than what has to make room for them.

    today   what the archive says of when
    """
    begun = text or core_memory.new(caps.tokens)
    left, known = list(found), set[int]()
    while left:
        made, added = begun, list[New]()
        for each in left:
            done = filing.filed(made, MEMORY, [each], order=ORDER)
            made = done.text
            added += done.added
            known |= {id(each)} if any(row.reason == filing.KNOWN for row in done.refused) else set()
        gone = _making_room(made, caps)
        hashes = {each.line.hash for each in gone}
        without = [each for each in left if each not in added or each.line().hash not in hashes]
        if len(without) == len(left):
            done_text, kept = shelf.put_away(made, archive, list(map(_leaving, gone)), of=MEMORY, today=today)
            held = tuple(each for each in left if id(each) in known or each in added)
            return Core(done_text, kept, held, tuple(gone))
        left = without
    return Core(text, archive, (), ())


def _making_room(text: str, caps: Caps) -> list[Entry]:
    """Return the lines of koog's own in the two sections that have to go so that the caps hold: what weighs least."""
    own = [each for each in documents.entries(text, MEMORY, *SECTIONS) if filing.is_koogs(each)]
    gone = list[Entry]()
    for each in sorted(own, key=weight):
        if not core_sections.is_over(documents.without(text, gone), caps):
            break
        gone.append(each)
    return gone


def weight(entry: Entry) -> float:
    """Return how much a line of MEMORY.md counts beside others, whatever day it is: that falls for all alike."""
    if entry.line.is_past:
        return -1e9
    must = weigher.weigh(entry.text, register=TALK, role=USER).must
    must += CORRECTS if lines.REPLACES in entry.line.values else 0.0
    day = lines.day(entry.day)
    return log(max(must, LEAST)) + FADES * (day or date.min).toordinal()


def _leaving(entry: Entry) -> Leaving:
    return Leaving(entry.section, entry.item.row, entry.item.end)


def notes(text: str, path: str, found: Sequence[New], *, slug: str, name: str) -> tuple[str, list[New]]:
    """Return a project's notes with some lines more, and which of them stand there now."""
    day = max((each.day for each in found), default="")
    begun = text or layout.new("project_notes", title=name, today=day, project=slug)
    done = filing.filed(begun, path, found, order=(ACCUMULATED,))
    refused = {each.line for each in done.refused if each.reason != filing.KNOWN}
    held = [each for each in found if each.text not in refused]
    if not done.added:
        return text, held
    before = str(documents.values(done.text).get("updated", ""))[:10]
    return documents.with_head(done.text, updated=max(before, *(each.day for each in done.added))), held
