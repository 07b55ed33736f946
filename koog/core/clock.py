"""The one clock: `--now` sets it, a zone reads it. UTC on the wire, the user's zone for days.  [design §4]"""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo

from koog.core.errors import ConfigError, UsageError

FIRST_YEAR, LAST_YEAR = 1970, 9998  # weeks before and after have a date in every zone, and git knows them
LAST_SECOND = int(datetime(LAST_YEAR, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp())


def parse_now(text: str | None) -> datetime:
    """Return the moment of `--now` (ISO 8601; without an offset it is UTC), or the real one. Raises UsageError."""
    if text is None:
        return datetime.now(UTC)
    moment = parse(text)
    if moment is None:
        raise UsageError(f"--now {text!r} is not an ISO 8601 time", hint="--now 2026-02-28T12:00:00Z")
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise UsageError(f"--now {text!r} lies outside the years {FIRST_YEAR} to {LAST_YEAR}")
    return moment


def parse(text: object) -> datetime | None:
    """Return the UTC moment of an ISO 8601 text, or None: files hold all kinds of things where a time should be."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def parse_day(text: str) -> date | None:
    """Return the calendar day of YYYY-MM-DD, or None."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def iso(moment: datetime) -> str:
    """Return RFC 3339 in UTC, to the second.

    >>> iso(datetime(2026, 2, 28, 12, tzinfo=UTC))
    '2026-02-28T12:00:00Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def of_epoch(seconds: float) -> datetime:
    """Return the UTC moment of so many seconds since 1970; what git and file systems hold may be of any year.

    >>> iso(of_epoch(10**12)), iso(of_epoch(-5))
    ('9998-12-31T23:59:59Z', '1970-01-01T00:00:00Z')
    """
    return datetime.fromtimestamp(min(max(seconds, 0), LAST_SECOND), UTC)


def zone(name: str) -> tzinfo:
    """Return a time zone by its IANA name. Raises ConfigError for one that is unknown here."""
    if name == "UTC":
        return UTC  # the common case loads no zone database
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"timezone: no zone {name!r}", hint="an IANA name such as Europe/Zurich") from None
