"""Arithmetic: which dates that somebody wrote down lie just ahead, and which steps are still open.  [sinain §4.7]"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from koog.core.text import dates
from koog.core.text.measures import repeats, stems
from koog.heartbeat import synthesize_cues as cues
from koog.heartbeat.observations import Observation
from koog.heartbeat.signal_rules import open_step
from koog.heartbeat.troubles import clauses

NEAR_DAYS = 7  # what is due later can wait for a later tick


class Due(NamedTuple):
    day: date
    what: Observation
    exact: bool = True  # "next week" has a first day, and is not due on it

    def when(self, today: date) -> str:
        days = (self.day - today).days
        if not self.exact:
            return "coming up"
        return {0: "due today", 1: "due tomorrow"}.get(days, f"due in {days} days")


def today_of(seen: Sequence[Observation]) -> date | None:
    """Return the day of the newest observation; a tick has no clock of its own here."""
    days = [d for o in seen if (d := parsed(o.day))]
    return max(days, default=None)


def parsed(day: str) -> date | None:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


def deadlines(seen: Sequence[Observation], today: date | None) -> list[Due]:
    """Return what is due from today on within `NEAR_DAYS` and not reported as done, the nearest first."""
    if today is None:
        return []
    found = []
    for o in seen:
        ahead = [due for due in named(o, today) if 0 <= (due.day - today).days <= NEAR_DAYS]
        if ahead and not re.search(cues.DONE, o.text) and not is_taken(o.text, o, seen):
            found.append(min(ahead, key=lambda due: due.day))
    return sorted(found, key=lambda due: due.day)


def named(o: Observation, today: date) -> Iterator[Due]:
    """Yield the days that an observation names; a day in words such as "by Friday" only where something is planned."""
    for found in dates.found(o.text, parsed(o.day) or today):
        if re.search(r"\d", found.text) or re.search(dates.PLANS, o.text):
            yield Due(found.day, o, found.exact)


def open_steps(seen: Sequence[Observation]) -> Iterator[Observation]:
    """Yield what earlier ticks and notes left open and nobody took since, newest first."""
    for o in seen:
        if o.now or o.speaker:  # now: whoever reads this is at it; in a talk "still have to" is seldom a task
            continue
        for clause in clauses(o.text):
            step, count = open_step(clause)
            if count and len(set(stems(step))) > 1 and not is_taken(step, o, seen):
                yield o
                break


def is_taken(step: str, o: Observation, seen: Sequence[Observation]) -> bool:
    """Tell whether a later sentence reports the step as taken: its words again, with a word of being done."""
    return any(
        later.day >= o.day and later.source != o.source and repeats(step, later.text)
        and re.search(cues.DONE, later.text) and not any(open_step(c)[1] for c in clauses(later.text))
        for later in seen
    )  # fmt: skip
