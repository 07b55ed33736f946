"""Whether somebody has to look: what is wrong, in short sentences. What merely waits is no problem."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from koog.core import clock

PUSHED_WITHIN = timedelta(days=1)
RECENT = timedelta(days=1)
ALERTED = timedelta(days=7)  # for so long an alert is told
FIRST_WITHIN = timedelta(days=1)


def problems(
    keys: dict[str, Any],
    *,
    now: datetime,
    begun: datetime | None,
    cron_at: datetime | None,
    unread: int,
    alerts: Sequence[dict[str, str]] = (),
) -> list[str]:
    """Return what is wrong by a reply's keys.

    begun     when the workspace was made
    cron_at   when a shell last wrote to cron.err
    unread    how many parts of the workspace could not be read
    alerts    what was found wrong with the audit log: `ts` and `message`
    """
    last, git = keys["lastTick"], keys["git"] or {}
    ran = clock.parse(last["ts"]) if last else None
    waiting = {row["what"]: clock.parse(row["since"]) for row in keys["due"]}
    unpushed = waiting.get("unpushed")
    steps = ", ".join(last["degraded"]) if last else ""
    failed = _failed(keys["failures"], since=max(ran or now - RECENT, now - RECENT))
    found = (
        (last and "tick" in waiting, "the heartbeat is overdue"),
        (not last and begun and now - begun > FIRST_WITHIN, "no tick has ever run here"),
        (steps, f"the last tick was degraded: {steps}"),
        (failed, failed),
        ("budget" in waiting, "the day's budget is used up"),
        (keys["effectivenessAlert"], "fewer than two in five outputs were good"),
        (git.get("hindrance"), f"git takes no commit: {git.get('hindrance')}"),
        (unpushed and now - unpushed > PUSHED_WITHIN, "commits have waited for a push for over a day"),
        (cron_at and now - cron_at < RECENT, "cron wrote errors within the last day"),
        (told := _alerted(alerts, since=now - ALERTED), told),
        (told := _changed(keys["alerts"]), told),
        (unread, f"{unread} part{'s' if unread > 1 else ''} could not be read: see the warnings"),
    )
    return [words for holds, words in found if holds]


def _alerted(alerts: Sequence[dict[str, str]], *, since: datetime) -> str:
    """Return the newest alert since a moment, "" for none."""
    recent = [row for row in alerts if (moment := clock.parse(row.get("ts"))) and moment >= since]
    return recent[-1]["message"][:200] if recent else ""


def _changed(alerts: Sequence[dict[str, Any]]) -> str:
    """Return which critical files nobody has acknowledged, "" for none."""
    names = ", ".join(row["path"] for row in alerts[:5])
    return f"changed, and not acknowledged: {names} (koog audit alerts)" if names else ""


def _failed(failures: Sequence[dict[str, str]], *, since: datetime) -> str:
    """Return the newest failure after the last tick: an older one was made good by it. "" for none."""
    for row in failures:
        moment = clock.parse(row["ts"])
        if row["code"] != "degraded" and moment and moment >= since:
            return f"koog {row['command']} failed: {row['message'][:120]}"
    return ""
