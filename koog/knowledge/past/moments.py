"""What a person calls a point of the past: a day, a time, a span, a tag, a branch, a commit.  [autopoiesis §3.4, §3.6]

2026-02-01           when that day had ended, in the user's zone; `today`, `yesterday`
2026-02-01T09:00Z    that moment
2h, 3d, 1w           so long ago
memory/daily/2026-02-01, daily/2026-02-01, milestone/launch, before/rewrite       a tag
extract/v2, explore/idea      a branch
4f0c1d2              a commit of the history
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from koog.audit.history import History
from koog.core import clock
from koog.core.errors import NotFound, UsageError
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.run import Run

SPANS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
PLACES = ("refs/tags/memory/", "refs/tags/", "refs/heads/")
TODAY, YESTERDAY, NOW, HEAD = "today", "yesterday", "now", "HEAD"


class Point(NamedTuple):
    """A point of the past. commit: None for before the first one; named: as it is called in a reply"""

    commit: str | None
    named: str


def point(run: Run, past: History, text: str) -> Point:
    """Return what a person means. Raises UsageError for what is no point, NotFound for what there is not."""
    words = text.strip()
    if words in (NOW, HEAD):
        return Point(past.head, words)
    moment = at(words, now=run.now, zone=run.zone)
    if moment is not None:
        return Point(past.at(moment), clock.iso(moment))
    if commit := _named(past, words) or past.found(words):
        return Point(commit, words)
    if compiled(r"[0-9a-f]{7,64}|.+/.+").fullmatch(words):
        raise NotFound(f"there is no {text!r} in this history", hint="koog history show DAY, or a tag of memory/")
    hint = "2026-02-01, 2026-02-01T09:00Z, 2d, yesterday, memory/daily/2026-02-01, a commit"
    raise UsageError(f"{text!r} is no day, no time and no commit", hint=hint)


def at(text: str, *, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the last second of what a text calls a time; None for what is none.

    >>> clock.iso(at("2026-02-01", now=datetime(2026, 2, 8, tzinfo=UTC), zone=UTC))
    '2026-02-01T23:59:59Z'
    """
    if span := compiled(r"(\d{1,5})([mhdw])").fullmatch(text):
        return _ago(now, timedelta(**{SPANS[span[2]]: int(span[1])}))
    today = now.astimezone(zone).date()
    days = {TODAY: today, YESTERDAY: today - timedelta(days=1)}
    if day := days.get(text) or clock.parse_day(text):
        return end_of(day.isoformat(), zone)
    return clock.parse(text) if compiled(r"\d{4}-.*").fullmatch(text) else None


def end_of(day: str, zone: tzinfo) -> datetime:
    """Return the last second of a day; of an hour that a clock shows twice the later one."""
    date = clock.parse_day(day)
    if date is None or date.year >= clock.LAST_YEAR or date.year <= clock.FIRST_YEAR:
        raise UsageError(f"{day}: nothing is known of that year")
    following = datetime.combine(date + timedelta(days=1), time(), zone)
    return following.astimezone(UTC) - timedelta(seconds=1)


def begin_of(day: str, zone: tzinfo) -> datetime:
    """Return the last second before a day."""
    date = clock.parse_day(day)
    if date is None:
        raise UsageError(f"{day!r} is no day")
    return end_of((date - timedelta(days=1)).isoformat(), zone)


def _ago(now: datetime, span: timedelta) -> datetime:
    try:
        moment = now - span
    except OverflowError:
        moment = None
    if moment is None or moment.year < clock.FIRST_YEAR:
        raise UsageError(f"nothing is known of {span.days} days ago")
    return moment


def _named(past: History, words: str) -> str | None:
    """Return the commit of a tag or branch, None where there is none of that name."""
    refs = past.git.refs
    found = next((sha for place in PLACES if (sha := refs.resolve(f"{place}{words}"))), None)
    if found is None:
        return None
    said = past.git.objects.get(f"{found}^{{commit}}", "commit")
    if said is None:
        raise NotFound(f"{words} names no commit that this clone has", hint="git fetch --unshallow")
    return past.git.objects.name("commit", said)
