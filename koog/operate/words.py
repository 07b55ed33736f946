"""Times, shares and sums as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from koog.core import clock

SPARKS = "▁▂▃▄▅▆▇█"
FULL, EMPTY = "█", "░"
UNITS = (("week", 7 * 24 * 60), ("day", 24 * 60), ("h", 60), ("min", 1))


def span(length: timedelta) -> str:
    """Return how long, in the largest unit that leaves at least two of it, or one below a minute's end.

    >>> [span(timedelta(minutes=m)) for m in (0, 12, 119, 120, 2879, 2880, 30000)]
    ['under 1 min', '12 min', '119 min', '2 h', '47 h', '2 days', '2 weeks']
    """
    minutes = int(length.total_seconds() // 60)
    for unit, size in UNITS:
        if minutes >= 2 * size or (unit == "min" and minutes):
            plural = "s" if len(unit) > 3 or unit == "day" else ""
            return f"{minutes // size} {unit}{plural if minutes // size > 1 else ''}"
    return "under 1 min"


def ago(ts: str | None, now: datetime) -> str:
    """Return how long ago a moment of a reply was.

    >>> ago("2026-02-28T11:48:00Z", clock.parse_now("2026-02-28T12:00:00Z"))
    '12 min ago'
    """
    moment = clock.parse(ts)
    if moment is None:
        return "–"
    return f"{span(now - moment)} ago" if moment <= now else f"in {span(moment - now)}"


def bar(share: float, *, width: int = 10) -> str:
    """Return a share from 0 to 1 as a bar; what is over is cut, and more than nothing is seen.

    >>> bar(0.5, width=4), bar(0.01, width=4), bar(3, width=4)
    ('██░░', '█░░░', '████')
    """
    filled = min(width, max(round(share * width), 1 if share > 0 else 0))
    return FULL * filled + EMPTY * (width - filled)


def spark(values: Sequence[float | None]) -> str:
    """Return shares from 0 to 1 as one character each, a point where there is none.

    >>> spark([0, 0.5, 1, None])
    '▁▅█·'
    """
    return "".join("·" if v is None else SPARKS[min(int(v * len(SPARKS)), len(SPARKS) - 1)] for v in values)


def number(value: float) -> str:
    """Return a sum with its thousands set apart.

    >>> number(1234567)
    '1,234,567'
    """
    return f"{value:,}"


def count(value: int, noun: str) -> str:
    """Return how many of something.

    >>> count(1, "note"), count(2000, "note")
    ('1 note', '2,000 notes')
    """
    return f"{number(value)} {noun}{'' if value == 1 else 's'}"


def dollars(value: float) -> str:
    """Return dollars, with more digits where they are few.

    >>> dollars(0), dollars(0.0123), dollars(1234.5)
    ('$0', '$0.0123', '$1,234.50')
    """
    return "$0" if value == 0 else f"${value:,.4f}" if value < 1 else f"${value:,.2f}"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
