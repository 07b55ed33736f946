"""Weeks and months of a journal: which day belongs to which, and which are over.  [autopoiesis §3.4, §8.4]

A week is ISO 8601's, Monday to Sunday, named 2026-W07. It belongs to the month that most of its days lie in, that of
its Thursday; so a month is some whole weeks, and every day is in one week and one month. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

DAY, WEEK = timedelta(days=1), timedelta(days=7)
THURSDAY = timedelta(days=3)


class Week(NamedTuple):
    """One week. first, last: its Monday and its Sunday"""

    name: str
    first: date

    @property
    def last(self) -> date:
        return self.first + WEEK - DAY

    @property
    def month(self) -> str:
        """Return the month that it belongs to."""
        return f"{self.first + THURSDAY:%Y-%m}"

    @property
    def days(self) -> list[str]:
        return [(self.first + n * DAY).isoformat() for n in range(7)]


class Month(NamedTuple):
    """One month. weeks: all that belong to it"""

    name: str
    weeks: tuple[Week, ...]

    @property
    def first(self) -> date:
        return self.weeks[0].first

    @property
    def last(self) -> date:
        return self.weeks[-1].last


def week(day: date) -> Week:
    """Return the week of a day.

    >>> week(date(2026, 1, 1)).name, week(date(2025, 12, 29)).month
    ('2026-W01', '2026-01')
    """
    year, number, weekday = day.isocalendar()
    return Week(f"{year:04d}-W{number:02d}", day - (weekday - 1) * DAY)


def named(name: str) -> Week | None:
    """Return the week of a name, None where there is none of that name.

    >>> named("2026-W07"), named("2026-W60"), named("2026-02")
    (Week(name='2026-W07', first=datetime.date(2026, 2, 9)), None, None)
    """
    found = compiled(r"(\d{4})-W(\d\d)").fullmatch(name)
    try:
        return week(date.fromisocalendar(int(found[1]), int(found[2]), 1)) if found else None
    except ValueError:
        return None


def month(name: str) -> Month:
    """Return a month by its name.

    >>> [each.name for each in month("2026-02").weeks]
    ['2026-W06', '2026-W07', '2026-W08', '2026-W09']
    """
    at = week(date.fromisoformat(f"{name}-01"))
    at = at if at.month == name else week(at.first + WEEK)
    found = list[Week]()
    while at.month == name:
        found.append(at)
        at = week(at.first + WEEK)
    return Month(name, tuple(found))


def ended_weeks(days: Iterable[date], today: date) -> list[Week]:
    """Return the weeks of some days that are over, the oldest first: on a Sunday evening there is more to come."""
    past = (day for day in days if day < today)  # the last week that a calendar has does not end
    return sorted({found for day in past if (found := week(day)).last < today}, key=lambda each: each.first)


def ended_months(weeks: Iterable[Week], today: date) -> list[Month]:
    """Return the months of some weeks that are over, the oldest first."""
    found = (month(name) for name in sorted({each.month for each in weeks if each.first < today}))
    return [each for each in found if each.last < today]
