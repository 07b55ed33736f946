"""What of a week goes where it lasts: to the decisions and lessons, and to the notes of projects.  [autopoiesis §8.4]

Of decisions and lessons only those that the workspace's own person has said; what weighs most of them stands in
MEMORY.md (settling). Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import log

from koog.core.text import pairs, trust, weigher
from koog.core.text.voices import PERSON, TALK, USER
from koog.knowledge import documents, filing, layout
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.core_sections import BESIDE
from koog.knowledge.filing import New
from koog.knowledge.layout import DECISIONS, LESSONS
from koog.memory.store import line as lines
from koog.memory.store.entry import Entry
from koog.sessions.labels import NONE

SECTION = {"decisions": DECISIONS, "lessons": LESSONS}
FADES = 0.001  # of a day: what was decided counts half after two years
LEAST, CORRECTS = 0.01, 0.5  # the least weight; what a line that puts another right, or tells a change, weighs more


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


def weight(entry: Entry) -> float:
    """Return how much a line of MEMORY.md counts beside others, whatever day it is: that falls for all alike."""
    if entry.line.is_past:
        return -1e9
    must = weigher.weigh(entry.text, register=TALK, role=USER).must
    must += CORRECTS if lines.REPLACES in entry.line.values or pairs.tells_change(entry.text) else 0.0
    day = lines.day(entry.day)
    return log(max(must, LEAST)) + FADES * (day or date.min).toordinal()


def beside(text: str, path: str, found: Sequence[New], *, title: str) -> tuple[str, list[New]]:
    """Return the decisions or lessons with some lines more, and which of them stand there now. title: the section"""
    begun = text or layout.new("reference", title=BESIDE[title], today=max((each.day for each in found), default=""))
    return _filed(text, begun, path, found)


def notes(text: str, path: str, found: Sequence[New], *, slug: str, name: str) -> tuple[str, list[New]]:
    """Return a project's notes with some lines more, and which of them stand there now."""
    day = max((each.day for each in found), default="")
    begun = text or layout.new("project_notes", title=name, today=day, project=slug)
    return _filed(text, begun, path, found)


def _filed(text: str, begun: str, path: str, found: Sequence[New]) -> tuple[str, list[New]]:
    done = filing.filed(begun, path, found)
    refused = {each.line for each in done.refused if each.reason != filing.KNOWN}
    held = [each for each in found if each.text not in refused]
    if not done.added:
        return text, held
    return documents.with_updated(done.text, max(each.day for each in done.added)), held
