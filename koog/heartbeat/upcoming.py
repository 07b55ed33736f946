"""Arithmetic: which dates that somebody wrote down lie just ahead, and which steps are still open.  [sinain §4.7]"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.measures import repeats, stems
from koog.heartbeat import synthesize_cues as cues
from koog.heartbeat.observations import Observation, about
from koog.heartbeat.signal_rules import open_step
from koog.heartbeat.troubles import clauses

NEAR_DAYS = 7  # what is due later can wait for a later tick
EVE_DAYS = 1  # today and tomorrow: said now or too late
FORGOTTEN_DAYS = 2
LEAST_NAMED, FEW = 3, 0.4  # words that a report of a step shares with it


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
        if ahead and not is_off(o, seen):
            found.append(min(ahead, key=lambda due: due.day))
    return sorted(found, key=lambda due: due.day)


def is_off(o: Observation, seen: Sequence[Observation]) -> bool:
    """Tell whether what an observation plans is done, moved or called off."""
    is_done = re.search(cues.DONE, re.sub(cues.MOVED, " ", o.text))
    return bool(is_done) or is_taken(o.text, o, seen) or is_moved(o, seen)


def named(o: Observation, today: date) -> tuple[Due, ...]:
    """Return the days that an observation names; a day in words such as "by Friday" only where something is planned."""
    return _named(o, parsed(o.day) or today)


@lru_cache(maxsize=4096)  # each suggestion asks anew what is due
def _named(o: Observation, said: date) -> tuple[Due, ...]:
    return tuple(_days(o, said))


def _days(o: Observation, said: date) -> Iterator[Due]:
    is_moving, is_promised = re.search(cues.MOVED, o.text), re.search(cues.PROMISE, o.text)
    is_event = is_promised or re.search(cues.EVENT, o.text) or re.search(cues.AT_HOUR, o.text)
    found = dates.found(o.text, said)
    planned = is_event or re.search(dates.PLANS, o.text)
    for day in found:
        is_past = is_moving and re.search(cues.NO_MORE_ON, o.text[: day.start])
        if not is_past and (re.search(r"\d", day.text) or planned):
            yield Due(day.day, o, day.exact)
    if not is_event or found or (re.search(dates.WAS, o.text) and not is_moving and not is_promised):
        return
    for match in re.finditer(cues.ON_WEEKDAY, o.text):  # "demo: Friday 11:30"
        if not re.search(cues.NO_MORE_ON, o.text[: match.start()]):
            short = match["day"].lower()
            number = next(n for name, n in dates.WEEKDAYS.items() if name.startswith(short))
            yield Due(dates.coming(said, number), o)


def is_moved(o: Observation, seen: Sequence[Observation]) -> bool:
    """Tell whether a later sentence puts the same event on another day or calls it off."""
    event = events(o)
    if not event:
        return False
    own = days_of(o)
    return any(
        event & events(later) and tells_moved(later.text) and not own & days_of(later)  # else it says the same
        for later in after(o, seen)
    )


@lru_cache(maxsize=2048)
def tells_moved(text: str) -> bool:
    return bool(re.search(cues.MOVED, text))


@lru_cache(maxsize=2048)
def days_of(o: Observation) -> frozenset[date]:
    return frozenset(due.day for due in named(o, parsed(o.day) or date.min))


@lru_cache(maxsize=2048)
def events(o: Observation) -> frozenset[str]:
    """Return the words of an observation for what has a day of its own: demo, audit, exam."""
    return frozenset(match[0].lower() for match in re.finditer(cues.EVENT, o.text))


def open_steps(seen: Sequence[Observation]) -> Iterator[Observation]:
    """Yield what earlier ticks and notes left open or promised and nobody took since, newest first."""
    for o in seen:
        if o.now:  # whoever reads this is at it
            continue
        if o.box == " " or re.search(cues.PROMISE, o.text):
            if not is_taken(o.text, o, seen):
                yield o
            continue
        for clause in () if o.speaker or o.box else clauses(o.text):  # in a talk "still have to" is seldom a task
            step, count = open_step(clause)
            if count and len(set(stems(step))) > 1 and not is_taken(step, o, seen):
                yield o
                break


def forgotten(seen: Sequence[Observation], today: date | None) -> Iterator[Observation]:
    """Yield the open steps that nobody has spoken of for two days, or whose event is on today or tomorrow."""
    near, far = set[str](), set[str]()
    for due in deadlines(seen, today):
        (near if today and (due.day - today).days <= EVE_DAYS else far).update(events(due.what))
    for o in open_steps(seen):
        day = parsed(o.day)
        waits = today and day and (today - day).days >= FORGOTTEN_DAYS
        if events(o) & near or (waits and not events(o) & far):  # what is for the demo has time until its eve
            yield o


def is_taken(step: str, o: Observation, seen: Sequence[Observation]) -> bool:
    """Tell whether a later sentence reports the step as taken: its words again, with a word of being done."""
    return any(
        is_over(later) and tells_of(later.text, step) and not any(open_step(c)[1] for c in clauses(later.text))
        for later in after(o, seen)
    )


def is_over(o: Observation) -> bool:
    return o.box == "x" or tells_done(o.text)


@lru_cache(maxsize=2048)  # every open step is held against every sentence
def tells_done(text: str) -> bool:
    return bool(re.search(cues.DONE, text))


def tells_of(text: str, step: str) -> bool:
    """Tell whether a sentence speaks of what a step names: most words of the shorter, three, or two of its few."""
    named = about(re.split(cues.BEFORE, step)[0])
    shared = len(named & about(text))
    return repeats(step, text) or shared >= LEAST_NAMED or (shared > 1 and shared >= FEW * len(named))


def after(o: Observation, seen: Sequence[Observation]) -> Iterator[Observation]:
    """Yield what was said after an observation: on a later day, elsewhere, or further down in its note."""
    is_below = False
    for later in seen:
        if later.source != o.source:
            if later.now or later.day >= o.day:
                yield later
        elif is_below:
            yield later
        is_below = is_below or later == o
