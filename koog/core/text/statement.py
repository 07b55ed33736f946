"""What somebody said in one sentence: the one shape that every slice selects from.  [design §4 "one reading"]

    Statement   text, who said it, how far that is to be trusted, where it stands; and what it is worth

What it is worth is weighed when it is asked for, and once: who only wants the words does not pay for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from koog.core.text import weigher
from koog.core.text.voices import NOTE, TALK
from koog.core.text.weigher import Weighed


@dataclass(frozen=True)
class Statement:
    """One sentence that somebody said or wrote down.

    text      its words, without list mark, clock time and emphasis
    role      user, assistant, tool; note: a note's own voice
    trust     person, agent, tool, quoted (fenced, pasted, cited), imported
    speaker   a name, where one is told, else ""
    source    the file's path, or session#entry
    line      of the source, from 1; 0 when it has none
    turn      counts bullets, paragraphs and turns: equal for the sentences of one
    heading   the nearest heading above, or ""
    trace     it is the last error line of a code block or a stack trace
    leans     the sentences that it needs to be understood, in their order: what was asked, what was proposed
    reply     how it answers what it leans on: yes, no, value, on; "" when it leans on its speaker's own words
    to        whose word it answers: person, agent; "" when it answers none
    day       YYYY-MM-DD on which it was said, "" when unknown
    project, scope   where it was said, as labels have it
    """

    text: str
    role: str
    trust: str
    speaker: str = ""
    source: str = ""
    line: int = 0
    turn: int = 0
    heading: str = ""
    trace: bool = False
    leans: tuple[str, ...] = ()
    reply: str = ""
    to: str = ""
    day: str = ""
    project: str = ""
    scope: str = ""

    @property
    def register(self) -> str:
        return NOTE if self.role == NOTE else TALK

    @property
    def told(self) -> str:
        """Return it in words that can be understood alone: what it leans on, what it says."""
        return (" → " if self.reply else " ").join((*self.leans, self.text))

    def told_within(self, most: int) -> str:
        """Return what `told` does, without the first of what it leans on as long as it has more characters."""
        first = 0
        while first < len(self.leans) and len(replace(self, leans=self.leans[first:]).told) > most:
            first += 1
        return replace(self, leans=self.leans[first:]).told

    @cached_property
    def weighed(self) -> Weighed:
        return weigher.weigh(self.text, register=self.register, role=self.role)

    @property
    def type(self) -> str:
        return self.weighed.type

    @property
    def weight(self) -> float:
        """Return how likely a careful person would write it down, 0 to 1."""
        return self.weighed.keep
