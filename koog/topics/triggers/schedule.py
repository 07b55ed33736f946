"""Cron expressions of five fields, held against a moment.  Pure.  [autopoiesis §4.4]"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from koog.core.named import NamedTuple

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "sun mon tue wed thu fri sat".split()
SHORT = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}


class Field(NamedTuple):
    """One of the five fields: its name, its lowest and highest number, and words for the numbers."""

    name: str
    low: int
    high: int
    words: tuple[str, ...] = ()


FIELDS = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day of month", 1, 31),
    Field("month", 1, 12, tuple(MONTHS)),
    Field("day of week", 0, 7, tuple(DAYS)),  # 7 is Sunday too
)
LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # days of the months


class Schedule(NamedTuple):
    """The numbers that each field allows; either_day: a moment needs to fit only one of the two fields of days."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]  # 0 is Sunday
    either_day: bool

    def holds(self, moment: datetime) -> bool:
        """Return whether the minute of a moment is in the schedule; the moment is read in its own zone."""
        by_date = moment.day in self.days
        by_weekday = moment.isoweekday() % 7 in self.weekdays
        return (
            moment.minute in self.minutes
            and moment.hour in self.hours
            and moment.month in self.months
            and ((by_date or by_weekday) if self.either_day else (by_date and by_weekday))
        )


@lru_cache(maxsize=1024)
def parse(text: str) -> Schedule:
    """Return the schedule of a cron expression. Raises ValueError that names the field.

    As cron has it: when both fields of days are restricted, either is enough; `*` (also with a
    step) restricts nothing; steps, ranges, lists, names and `@daily` and its like are known.

    >>> parse("0 8 * * mon-fri").holds(datetime(2026, 2, 27, 8, 0))
    True
    """
    parts = SHORT.get(text.strip().lower(), text).split()
    if len(parts) != len(FIELDS):
        raise ValueError(f"{text!r} has {len(parts)} fields: minute, hour, day, month and weekday make 5")
    minutes, hours, days, months, weekdays = (_numbers(part, f) for part, f in zip(parts, FIELDS, strict=True))
    free = [parts[i].startswith("*") for i in (2, 4)]
    if free[1] and not any(day <= LONGEST[month - 1] for day in days for month in months):
        raise ValueError(f"{text!r}: no such day in that month")
    weekdays = frozenset(day % 7 for day in weekdays)
    return Schedule(minutes, hours, days, months, weekdays, either_day=not any(free))


def _numbers(text: str, field: Field) -> frozenset[int]:
    found: set[int] = set()
    for part in text.lower().split(","):
        span, slash, step = part.partition("/")
        every = int(step) if step.isascii() and step.isdigit() else 0 if slash else 1
        if not every:
            raise ValueError(f"{field.name}: step {step!r} is no number above 0")
        low, dash, high = span.partition("-")
        if span == "*":
            first, last = field.low, field.high
        else:
            first = _number(low, field)
            last = _number(high, field) if dash else field.high if slash else first
        if first > last:
            raise ValueError(f"{field.name}: {span!r} runs backwards")
        found.update(range(first, last + 1, every))
    return frozenset(found)


def _number(text: str, field: Field) -> int:
    if text in field.words:
        return field.words.index(text) + field.low
    if not (text.isascii() and text.isdigit() and field.low <= int(text[:4]) <= field.high):
        raise ValueError(f"{field.name}: {text!r} is not from {field.low} to {field.high}")
    return int(text)
