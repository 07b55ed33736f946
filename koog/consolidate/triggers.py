"""When a reflection is due, and since when: by schedule, at a session's end, by what came since.  [moltbot §10.1]

One a day by itself, one at a time, and none while another waits for a person's word; by hand whenever somebody asks.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from koog.consolidate import pending_plan, survey
from koog.consolidate.decided import NAME, Decided
from koog.core import clock
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.run import Run


class Trigger(StrEnum):
    """What sets a reflection off."""

    SCHEDULED = "scheduled"
    SESSION_END = "session-end"
    MANUAL = "manual"
    THRESHOLD = "threshold"


class Standing(NamedTuple):
    """How it stands with reflections.

    unread   episodes that no reflection has seen
    after    consolidate.afterEpisodes
    last     when the last one looked at everything
    waiting  the id of the one that waits for a word, since when; one of questions alone holds nothing up
    """

    unread: int
    after: int
    last: datetime | None
    waiting: str | None
    since: datetime | None
    today: bool


def look(run: Run) -> Standing:
    """Return how it stands."""
    known = Decided(run.workspace.text(run.workspace.in_memory(NAME)))
    days = [each.day for each in survey.told(run)]  # no other than a reflection reads: what is gone is not unread
    plan = pending_plan.load(run)
    return Standing(
        known.unread(days),
        run.settings.get("consolidate.afterEpisodes"),
        clock.parse(known.last.ts),
        plan.id if plan and plan.is_open else None,
        clock.parse(plan.made) if plan and plan.is_open else None,
        known.last.day == run.today,
    )


def not_now(run: Run, trigger: Trigger) -> str:
    """Return why a reflection is not due by what set it off, "" when it is."""
    if trigger == Trigger.MANUAL:
        return ""
    found = look(run)
    if found.waiting:
        return f"{found.waiting} waits for a person's word"
    if found.today:
        return "one was made today: koog consolidate run makes another"
    if trigger == Trigger.THRESHOLD and found.unread < found.after:
        return f"{found.unread} of {found.after} episodes since the last one"
    return ""


def due(run: Run, found: Standing) -> Trigger | None:
    """Return by what a reflection is due at this moment, None where it is not: nothing new, nothing to sleep on."""
    if not found.unread or found.waiting or found.today:
        return None
    if found.unread >= found.after:
        return Trigger.THRESHOLD
    hour = str(run.settings.get("consolidate.schedule") or "")
    return Trigger.SCHEDULED if hour and f"{run.now.astimezone(run.zone):%H:%M}" >= hour else None


def upcoming(run: Run) -> str:
    """Return the next moment of consolidate.schedule, in the user's zone, "" where none is set."""
    hour, _, minute = str(run.settings.get("consolidate.schedule") or "").partition(":")
    if not hour:
        return ""
    here = run.now.astimezone(run.zone)
    at = here.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
    return f"{at if at > here else at + timedelta(days=1):%Y-%m-%d %H:%M}"
