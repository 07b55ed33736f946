"""A limit of time for regular expressions that a person wrote and nobody has proved.

CPython looks for signals while it matches, so that a timer can interrupt even a pattern that
would take years. The timer counts this process's own computing time: a busy machine makes
no pattern late, and the wall-clock timer of a hook stays its own.
"""

from __future__ import annotations

import re
import signal
import threading
from types import TracebackType
from typing import Any

BEAT_S = 0.05  # a pattern that runs through a whole beat is stopped: after one beat or two
MOST_BEATS = 10  # for all patterns on one message
WINDOW = 20_000  # characters searched at a stretch: within one, signals are looked at often enough
OVERLAP = 2_000  # a match longer than this may be missed where two windows of a long text meet


class TooLong(Exception):
    """A pattern was stopped or not tried; the message says which and why."""


class Stopwatch:
    """Searches with a time limit, within `with`; the handler and the timer that were there come back after it.

    Signals belong to the main thread. In another one a pattern that can backtrack for long is not
    tried, and a tame one sees the first `WINDOW` characters of the text.
    """

    def __init__(self) -> None:
        self._watched = threading.current_thread() is threading.main_thread()
        self._searches = 0  # begun so far
        self._searching = False
        self._last = 0  # the search that ran at the last beat
        self._beats = 0
        self._spent = 0  # beats that fell into a search
        self._before: tuple[Any, tuple[float, float]] | None = None

    def __enter__(self) -> Stopwatch:
        if self._watched:
            handler = signal.signal(signal.SIGVTALRM, self._beat)
            self._before = handler, signal.setitimer(signal.ITIMER_VIRTUAL, BEAT_S, BEAT_S)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._before:
            handler, (left, interval) = self._before
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, handler)
            if left:
                signal.setitimer(signal.ITIMER_VIRTUAL, max(left - self._beats * BEAT_S, 1e-6), interval)

    def search(self, pattern: re.Pattern[str], text: str, *, tame: bool) -> re.Match[str] | None:
        """Return the pattern's first match. Raises TooLong."""
        if not self._watched:
            if not tame:
                raise TooLong("not tried: it may take long, and only the main thread can stop it")
            return pattern.search(text[:WINDOW])
        if self._spent >= MOST_BEATS:
            raise TooLong(f"not tried: the patterns before it took {MOST_BEATS * BEAT_S * 1000:.0f} ms")
        self._searches += 1
        try:
            self._searching = True
            return pattern.search(text) if len(text) <= WINDOW else _in_windows(pattern, text)
        finally:
            self._searching = False

    def _beat(self, number: int, frame: object) -> None:  # noqa: ARG002  the signature of a handler
        self._beats += 1
        self._spent += self._searching
        if self._searching and self._last == self._searches:
            self._searching = False
            raise TooLong(f"stopped: it ran for more than {BEAT_S * 1000:.0f} ms")
        self._last = self._searches


def _in_windows(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return a match, looked for in windows: between two looks for signals CPython may walk all it sees 4,096 times."""
    for start in range(0, len(text) - OVERLAP, WINDOW - OVERLAP):
        found = pattern.search(text, start, start + WINDOW)
        if found and start + WINDOW < len(text):
            found = pattern.match(text, found.start())  # `$` means the end of the text, not of a window
        if found:
            return found
    return None
