"""Arithmetic: which dates that somebody wrote down lie just ahead, and which steps are still open.  [sinain §4.7]"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from koog.core.text.measures import overlap, stems
from koog.heartbeat import synthesize_cues as cues
from koog.heartbeat.observations import Observation
from koog.heartbeat.signal_rules import open_step
from koog.heartbeat.troubles import clauses
from koog.playbook.texts import DAY

LAST_YEAR = 9999  # a week later there is no date
NEAR_DAYS = 7  # what is due later can wait for a later tick
REPEATS = 0.6  # of its words: a later sentence is about the same step


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
        named = [Due(d, o) for d in written(o)] or [Due(d, o, exact) for d, exact in meant(o)]
        ahead = [due for due in named if today <= due.day <= today + timedelta(days=NEAR_DAYS)]
        if ahead and not re.search(cues.DONE, o.text) and not is_taken(o.text, o, seen):
            found.append(min(ahead, key=lambda due: due.day))
    return sorted(found, key=lambda due: due.day)


def written(o: Observation) -> list[date]:
    return [d for text in re.findall(rf"\b{DAY}\b", o.text) if (d := parsed(text))]


def meant(o: Observation) -> Iterator[tuple[date, bool]]:
    """Yield the days that words such as "by Friday" or "next week" mean from the day they were said, exact or not."""
    said = parsed(o.day)
    if said is None or said.year >= LAST_YEAR or not re.search(cues.AHEAD, o.text):
        return
    if re.search(r"(?i)\btomorrow\b", o.text):
        yield said + timedelta(days=1), True
    for match in re.finditer(cues.BY_WEEKDAY, o.text):
        yield coming(said, cues.WEEKDAYS.index(match["day"].lower())), True
    if re.search(r"(?i)\bnext week\b", o.text):
        yield coming(said, 0), False
    if re.search(r"(?i)\b(?:this|next) weekend\b", o.text):
        yield coming(said, 5), False


def coming(said: date, weekday: int) -> date:
    """Return the next such weekday after a day; 0 is Monday."""
    return said + timedelta(days=(weekday - said.weekday() - 1) % 7 + 1)


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
        later.day >= o.day and later.source != o.source and overlap(step, later.text) > REPEATS
        and re.search(cues.DONE, later.text) and not any(open_step(c)[1] for c in clauses(later.text))
        for later in seen
    )  # fmt: skip
