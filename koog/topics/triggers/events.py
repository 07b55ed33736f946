"""What reaches koog without being a message: a webhook's call, a scheduler's tick.  [autopoiesis §4.4]"""

from __future__ import annotations

from datetime import datetime, tzinfo

from koog.core import clock
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple

WEBHOOK, CRON = "webhook", "cron"


class Event(NamedTuple):
    """One event.

    type            "webhook" or "cron"
    source, event   a webhook's: "email", "new_message"
    moment          a tick's, in the user's zone
    """

    type: str
    source: str = ""
    event: str = ""
    moment: datetime | None = None


def read_event(text: str, *, now: datetime, zone: tzinfo) -> Event:
    """Return the event of a JSON text. Raises ValueError with a sentence that says what is wrong.

    {"source": "email", "event": "new_message"} is a webhook's; {"type": "cron", "at": "2026-02-28T08:00:00Z"}
    a tick's, at this moment when `at` is not given. Keys that are not read here are a payload and do no harm.
    """
    try:
        value = jsonfiles.loads(text)
    except ValueError as e:
        raise ValueError(f"no JSON: {e}") from None
    if not isinstance(value, dict):
        raise ValueError("an event is a JSON object")
    kind = value.get("type") or (WEBHOOK if "source" in value else CRON if "at" in value else None)
    if kind == WEBHOOK:
        source, event = value.get("source"), value.get("event") or ""
        if not isinstance(source, str) or not source.strip() or not isinstance(event, str):
            raise ValueError('a webhook names its source and event: {"source": "email", "event": "new_message"}')
        return Event(WEBHOOK, source=source, event=event)
    if kind == CRON:
        moment = clock.parse(value["at"]) if "at" in value else now
        if moment is None:
            raise ValueError(f"at: {value['at']!r} is no ISO 8601 time")
        return Event(CRON, moment=moment.astimezone(zone))
    raise ValueError('the type of an event is "webhook" or "cron"')
