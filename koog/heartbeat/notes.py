"""The daily note as the miner's engines see it: plain text with its place in the workspace.  [sinain §4.5]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from koog.core.named import NamedTuple


class Told(NamedTuple):
    """What is known of one line of a file that has lines of many days: of observations.md.

    day, time   when it was said; time is "" where nobody knows
    mark        how much it matters: 🔴, 🟡 or 🟢
    trust       who is behind it, as a Statement has it
    kind        what it was observed as: a rule, a decision, …
    voice       user, assistant, "" where it names none
    words       what was said: all of one observation is one thought
    """

    day: str
    time: str
    mark: str
    trust: str
    kind: str = "fact"
    voice: str = ""
    words: str = ""


@dataclass(frozen=True)
class Note:
    """A daily note, or the part of it that is to be read now.

    path        relative to the workspace, "memory/2026-02-17.md"
    date        YYYY-MM-DD, from the file name; of observations that of the newest
    text        private blocks and secrets already removed; line breaks as in the file
    first_line  the file's line number of the text's first line, from 1
    told        the file's line number → what is known of that line by itself; {} for a note
    """

    path: str
    date: str
    text: str
    first_line: int = 1
    told: Mapping[int, Told] = field(default_factory=dict)

    def day_at(self, line: int) -> str:
        """Return the day of a line of the file."""
        return self.told[line].day if line in self.told else self.date

    def trust_at(self, line: int) -> str | None:
        """Return who is behind a line where that is known of each by itself; None where its words have to say it."""
        return self.told[line].trust if line in self.told else None
