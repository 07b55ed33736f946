"""Waiting until something happens in folders, until a moment, or until the process is told to end.

The folders are watched, not the files: files are renamed, rotated and made anew. An
event says only that it is time to look; what is missed in an overflow is seen at the
next look. Waiting wakes up a few times a second and does nothing then.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any, TypeVar

from koog.core.files import outside

T = TypeVar("T")

STEP_MS = 250  # between two looks at the signals; what follows one another faster is one event
TOGETHER_MS = 1000  # the longest time for which events are gathered
WAKE_MS = 500


class Stop:
    """Whether the process was told to end, by SIGTERM or SIGINT.

    While `working`, the signal also interrupts what is being done, as ^C would.
    """

    def __init__(self) -> None:
        self.asked = False
        self.working = False

    def is_set(self) -> bool:
        return self.asked

    def receive(self, _signum: int, _frame: FrameType | None) -> None:
        first, self.asked = not self.asked, True
        if first and self.working:
            raise KeyboardInterrupt

    def during(self, work: Callable[[], T]) -> T | None:
        """Do the work; return what it returned, None when it was told to end before or meanwhile."""
        try:
            try:
                self.working = True
                return None if self.asked else work()
            finally:
                self.working = False
        except KeyboardInterrupt:
            return None


@contextmanager
def signals() -> Iterator[Stop]:
    """Yield what SIGTERM and SIGINT set; afterwards they mean what they meant before."""
    stop = Stop()
    before = {number: signal.signal(number, stop.receive) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Alarm(AbstractContextManager["Alarm"]):
    """The folders that are watched at this moment."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.watched: frozenset[tuple[str, int, int]] = frozenset()
        self.changes: Any = None

    def __exit__(self, *_: object) -> None:
        self._close()

    def watch(self, folders: frozenset[str]) -> bool:
        """Watch these folders, and those they lie in for new ones; return whether that differs from before.

        A folder that was removed and made again is another one. Raises OSError when
        the system watches no more.
        """
        near = folders | {os.path.dirname(folder) for folder in folders}  # noqa: PTH120  paths are texts here
        there = frozenset(found for folder in near if (found := _identity(folder)))
        if there == self.watched:
            return False
        self._close()
        self.watched = there
        if there:
            import watchfiles

            self.changes = watchfiles.watch(
                *sorted(path for path, _, _ in there),
                watch_filter=None,
                debounce=TOGETHER_MS,
                step=STEP_MS,
                stop_event=self.stop,
                rust_timeout=WAKE_MS,
                yield_on_timeout=True,
                recursive=False,
                ignore_permission_denied=True,
            )
            try:
                next(self.changes, None)  # only now does it watch; whoever asked for it looks after this anyway
            except OSError:
                self._close()
                raise
        return True

    def wait(self, seconds: float) -> bool:
        """Return True when something changed, False after so many seconds or when the process is to end."""
        until = time.monotonic() + seconds
        while not self.stop.asked and (left := until - time.monotonic()) > 0:
            if self.changes is None:
                time.sleep(min(left, STEP_MS / 1000))
            elif self._changed():
                return True
        return False

    def _changed(self) -> bool:
        """Return whether something happened within half a second. Where watching broke off, the next `watch` begins."""
        try:
            found = next(self.changes, None)
        except (OSError, RuntimeError):
            found = None
        if found is None:
            self._close()
        return bool(found)

    def rest(self, seconds: float) -> None:
        """Let so many seconds pass, whatever happens in the folders; `wait` knows of it afterwards."""
        until = time.monotonic() + seconds
        while not self.stop.asked and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, STEP_MS / 1000))

    def _close(self) -> None:
        if self.changes is not None:
            self.changes.close()
        self.changes, self.watched = None, frozenset()


def _identity(folder: str) -> tuple[str, int, int] | None:
    """Return what tells a folder from one made anew, None when it is gone or its name is no text."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        return None
    info = outside.info(folder)
    return (folder, info.st_dev, info.st_ino) if info else None
