"""What an extraction may write in MEMORY.md: `Key Decisions` and `Lessons Learned`, and no more than is left.

The four blocks come first: the two sections have at most four fifths of the file's cap together, and only what the
blocks leave free of it, whether a talk or a week leaves it. What does not fit any more stands elsewhere and waits.
[autopoiesis §2.2, §8.4, design §3]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core.named import NamedTuple
from koog.core.text import tokens
from koog.core.text.edits import Refused
from koog.knowledge import documents, filing
from koog.knowledge.filing import Filed, New
from koog.knowledge.layout import DECISIONS, LESSONS, MEMORY
from koog.memory.store import core_memory
from koog.memory.store.sections import Sections

if TYPE_CHECKING:
    from koog.core.run import Run

SECTIONS = (DECISIONS, LESSONS)
ORDER = (*core_memory.TITLES.values(), *SECTIONS)
SHARE = 4 / 5  # of the cap: what is remembered finds room before the sections have given way
BESIDE = {DECISIONS: "Decisions", LESSONS: "Lessons"}  # section → title of the file for the rest
FULL = "MEMORY.md has no room for it"


class Caps(NamedTuple):
    """What MEMORY.md may have: in all, and lines."""

    tokens: int
    lines: int

    @property
    def sections(self) -> int:
        """Return how many tokens the two sections may have together."""
        return int(self.tokens * SHARE)

    @classmethod
    def of(cls, run: Run) -> Caps:
        return cls(int(run.settings.get("memory.coreTokens")), int(run.settings.get("knowledge.memoryLines")))


def filed(text: str, new: Sequence[New], caps: Caps) -> Filed:
    """Return MEMORY.md with those of some lines that there is room for; the later ones are left out first."""
    text = text or core_memory.new(caps.tokens)
    added, refused = list[New](), list[Refused]()
    for each in new:
        done = filing.filed(text, MEMORY, [each], order=ORDER)
        if done.added and is_over(done.text, caps):
            refused.append(Refused(each.text, FULL))
            continue
        text = done.text
        added += done.added
        refused += done.refused
    return Filed(text, tuple(added), tuple(refused))


def is_over(text: str, caps: Caps) -> bool:
    """Return whether MEMORY.md has more than it may: in all, or in the two sections."""
    whole = core_memory.size(text, caps.tokens)
    return whole.tokens > caps.tokens or whole.lines > caps.lines or used(text) > caps.sections


def used(text: str) -> int:
    """Return how many tokens the two sections have."""
    found = Sections(text, MEMORY)
    return sum(tokens.estimate(found.body(title)) for title in SECTIONS)


def with_count(text: str, today: str) -> str:
    """Return MEMORY.md whose head, where it has one, says when it was written and how many lines it has."""
    if "line_count" not in documents.values(text):
        return documents.with_head(text, updated=today) if documents.values(text) else text
    return documents.with_head(text, updated=today, line_count=core_memory.size(text, 0).lines)
