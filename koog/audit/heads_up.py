"""What a session is told first: critical files that were changed, a log that is not koog's.  [moltbot §12.5]"""

from __future__ import annotations

from datetime import timedelta

from koog.audit import alerts
from koog.core import clock
from koog.core.errors import KoogError
from koog.core.files import seal
from koog.core.run import Run

DAYS = 7  # for so long an alert about the log is told
MOST = 5


def lines(run: Run) -> list[str]:
    """Return one line for each alert that nobody has acknowledged, or why koog cannot say. Nothing is written."""
    since = run.now - timedelta(days=DAYS)
    try:
        rows = alerts.standing(run, deep=False)
        told = [row for row in seal.alerts(run.workspace) if (ts := clock.parse(row.get("ts"))) and ts > since]
    except (KoogError, OSError) as e:
        why = e.message if isinstance(e, KoogError) else e.strerror
        return [f"koog cannot say whether critical files or its log were changed: {why}"]
    files = [row for row in rows if row["path"] != alerts.LOG]
    found = [f"{row['says']} ({_who(row)}; `koog audit alerts` shows what)" for row in files[:MOST]]
    now = [row["says"] for row in rows if row["path"] == alerts.LOG]
    return [*found, *(now or [row["message"] for row in told[-1:]])]


def _who(row: dict[str, object]) -> str:
    return "nobody has approved it" if row["kind"] == alerts.INTEGRITY else "changed outside koog"
