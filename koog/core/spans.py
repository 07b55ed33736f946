"""What an option says of time: a moment to go back to, seconds after which nothing more begins."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from koog.core import clock
from koog.core.errors import UsageError
from koog.core.lazy_regex import compiled

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def since(text: str | None, now: datetime) -> datetime | None:
    """Return the moment of `--since`: ISO 8601, or a span before now; None without one. Raises UsageError."""
    if text is None:
        return None
    span = compiled(r"(\d{1,5})([mhdw])").fullmatch(text)
    moment = now - timedelta(**{UNITS[span[2]]: int(span[1])}) if span else clock.parse(text)
    if moment is None:
        raise UsageError(f"--since {text!r} is neither a time nor a span", hint="--since 2h, --since 2026-02-28")
    return moment


def check_deadline(seconds: float | None, *, usual: float) -> None:
    """Raise UsageError for a `--deadline` that is no number of seconds. usual: for the hint"""
    if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
        raise UsageError(f"--deadline {seconds} is no number of seconds", hint=f"--deadline {usual:g}")
