"""Where a line of the playbook comes from: `FILE:LINE`, with the day behind it where the file's name has none. Pure.

memory/2026-02-17.md:14              a note
memory/observations.md:31 2026-02-28 what was observed on that day: the file's lines move
memory/observations.md:31 2026-02-28 by person: the person said it; of what nothing says so an agent wrote it down
"""

from __future__ import annotations

from koog.core import clock
from koog.core.text.voices import AGENT

BY = " by "


def cited(place: str, day: str, *, trust: str = AGENT) -> str:
    """Return a place as a playbook line's comment has it.

    >>> cited("memory/observations.md:31", "2026-02-28", trust="person")
    'memory/observations.md:31 2026-02-28 by person'
    """
    told = f"{place} {day}" if clock.parse_day(day) and not _of_name(place) else place
    return told if trust == AGENT else f"{told}{BY}{trust}"


def of_agent(source: str | None) -> str | None:
    """Return a source without the person who is behind what stands there: an agent has worded it anew."""
    return source.partition(BY)[0] if source else source


def place(source: str) -> str:
    """Return the `FILE:LINE` of a source, without a day."""
    return source.partition(" ")[0]


def day(source: str | None) -> str:
    """Return the day of a source, YYYY-MM-DD: the one behind it, else the one its file is called by; "" for none.

    >>> day("memory/2026-02-17.md:14"), day("memory/observations.md:31 2026-02-28"), day("MEMORY.md:2")
    ('2026-02-17', '2026-02-28', '')
    """
    told = (source or "").partition(BY)[0].rpartition(" ")[2]
    return told if clock.parse_day(told) else _of_name(place(source or ""))


def _of_name(place: str) -> str:
    name = place.rpartition("/")[2][:10]
    return name if clock.parse_day(name) else ""
