"""koog watch: observe while people talk, after so many new entries.  [openclaw-memory, Reactive Watcher; design §2]

Reads   the hosts' sessions; memory/meta/cursors.json
Writes  what `observe` writes; .koog/watch.lock
Asks    what `observe` asks

This command is a stream: a line for each event, until SIGTERM or ^C. Entries are counted
by the readers. What an event of the file system does not tell is found by looking again
after a while. The workspace is locked only while something is written.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from koog.core import clock, machine, reply
from koog.core.errors import KoogError, UsageError, WorkspaceError
from koog.core.reply import Reply, Stream
from koog.core.run import Run
from koog.observe import alarm, cursors, news
from koog.observe.alarm import Alarm, Stop
from koog.observe.news import Tally
from koog.sessions import place, taken

SCHEMA = "koog.watch/1"
RESCAN_S = 60.0
LOOK_SHARE = 20  # a look takes at most a twentieth of the time
QUIET_S, LONGEST_QUIET_S = 0.5, 30.0  # between two looks that found nothing, doubled each time

Line = dict[str, Any]


def watch(
    ctx: typer.Context,
    source: Annotated[str, typer.Option(metavar="auto|openclaw|claude|codex|PATH", help="Whose sessions.")] = "auto",
    once: Annotated[bool, typer.Option("--once", help="Look once, observe if it is time, end.")] = False,
    seconds: Annotated[float | None, typer.Option("--for", metavar="SECONDS", help="End after so long.")] = None,
    rescan: Annotated[float, typer.Option(metavar="SECONDS", help="Look again, also when nothing is seen.")] = RESCAN_S,
) -> Stream:
    """Watch the hosts' sessions and observe after enough new entries; a line for each event, until SIGTERM."""
    run: Run = ctx.obj
    if not (math.isfinite(rescan) and rescan >= 1):
        raise UsageError(f"--rescan {rescan} is not one second or more", hint=f"--rescan {RESCAN_S:g}")
    if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
        raise UsageError(f"--for {seconds} is no number of seconds", hint="--for 60")
    return Stream(_lines(run, source, seconds=0 if once else seconds, rescan_s=rescan))


def _lines(run: Run, source: str, *, seconds: float | None, rescan_s: float) -> Iterator[Line]:
    """Yield the events. Raises Busy when another one watches for this workspace."""
    with _alone(run), alarm.signals() as stop, Alarm(stop) as folders:
        watcher = Watcher(
            run=run,
            source=source,
            stop=stop,
            alarm=folders,
            tally=Tally(lambda: taken.sessions(fresh(run), source), is_ended=stop.is_set),
            entries=int(run.settings.get("observe.watchEntries")),
            cooldown_s=float(run.settings.get("observe.watchCooldownSeconds")),
            until=math.inf if seconds is None else time.monotonic() + seconds,
            rescan_s=rescan_s,
        )
        yield watcher.event("started")
        yield from watcher.events()
        yield watcher.event("stopped")


def _alone(run: Run) -> AbstractContextManager[Any]:
    if run.dry_run:
        return nullcontext()
    return run.workspace.locked("watch.lock", wait_s=0, what="the watch of this workspace")


@dataclass
class Watcher:
    """One watch, from `started` to `stopped`.

    entries      so many new ones are observed
    cooldown_s   between two runs of `observe`, whether the first one failed or not
    until        the moment of time.monotonic() at which it ends
    rescan_s     it looks again after so long, also when nothing is seen to have changed
    last         the moment at which `observe` was run last
    told_wait    whether it was told that this cooldown keeps entries waiting
    failure      what the last look failed with, so that it is told once
    told_deaf    whether it was told that the folders cannot be watched
    looked       whether it knows the folders of the start
    quiet_s      the least time to the next look
    """

    run: Run
    source: str
    stop: Stop
    alarm: Alarm
    tally: Tally
    entries: int
    cooldown_s: float
    until: float
    rescan_s: float
    last: float = -math.inf
    told_wait: bool = False
    failure: str | None = None
    told_deaf: bool = False
    looked: bool = False
    quiet_s: float = QUIET_S

    def events(self) -> Iterator[Line]:
        called = True
        while not self.stop.asked:
            begun, before = time.monotonic(), self._seen()
            yield from self._look(called=called)
            took_s, news = time.monotonic() - begun, self._seen() != before
            ends = time.monotonic() >= self.until
            if not ends and (yield from self._arm()):
                called = False
                continue  # something may have come between the look and the watching
            yield from self._observe_in_time()
            if ends:
                return
            self._rest(took_s, in_vain=called and not news)
            called = self.alarm.wait(self._patience())

    def _seen(self) -> tuple[int, frozenset[str]]:
        return self.tally.entries, self.tally.folders

    def event(self, name: str, *, meta: Line | None = None, **more: Any) -> Line:
        """Return the line of an event; all of them have the same keys."""
        now = self._fresh().now
        words = {
            "folders": len(self.tally.folders),
            "sessions": self.tally.sessions,
            "entries": self.tally.entries,
            "waitSeconds": None,
            "observed": None,
        }
        said = Reply(SCHEMA, event=name, ts=clock.iso(now), **words | more)
        return reply.success(said, meta or self._fresh().meta())

    def _failed(self, error: KoogError) -> Line:
        told = self.event("error")
        return {"ok": False, **{k: v for k, v in told.items() if k not in ("ok", "_meta")}} | {
            "error": reply.failure(error, {})["error"],
            "_meta": told["_meta"],
        }

    def _fresh(self) -> Run:
        """Return a run of its own for what is done now: its clock, settings and warnings are not those of the start."""
        return fresh(self.run)

    # Looking

    def _look(self, *, called: bool) -> Iterator[Line]:
        """Count what waits.

        called   something has happened in the folders that are watched
        """
        before = self._seen()
        try:
            self.stop.during(self._count)
        except KoogError as e:
            yield from self._failed_look(e)
            return
        except Exception as e:
            yield from self._failed_look(_bug(e))
            return
        self.failure = None
        moved = self.tally.folders != before[1] or (not called and self.tally.entries != before[0])
        if moved and self.looked:
            yield self.event("rescanned")
        self.looked = True
        if self.tally.entries > before[0]:
            yield self.event("entries")

    def _count(self) -> None:
        run = self._fresh()
        observed = cursors.load(run.workspace)
        self.tally.look(observed, since=news.began(observed, run.now))

    def _failed_look(self, error: KoogError) -> Iterator[Line]:
        if error.message != self.failure:
            self.failure = error.message
            yield self._failed(error)

    def _arm(self) -> Generator[Line, None, bool]:
        """Watch the folders that the sessions lie in now; return whether those are others than before."""
        try:
            changed = self.alarm.watch(self.tally.folders)
        except (OSError, RuntimeError) as e:  # the system's limit of watches; the looks go on
            if not self.told_deaf:
                self.told_deaf = True
                yield self._failed(WorkspaceError(f"cannot watch: {e}", hint=machine.hint("watches")))
            return False
        self.told_deaf = False
        return changed

    # Observing

    def _observe_in_time(self) -> Iterator[Line]:
        """Observe when enough entries wait and the last run was long enough ago."""
        if self.stop.asked or self.tally.entries < self.entries:
            self.told_wait = False  # somebody else has observed them: nothing waits for the cooldown's end
            return
        if (left := self._cooldown_left()) > 0:
            if not self.told_wait:
                self.told_wait = True
                yield self.event("skipped-cooldown", waitSeconds=math.ceil(left))
            return
        self.last, self.told_wait = time.monotonic(), False
        run = self._fresh()
        try:
            done = self.stop.during(lambda: _observed(run, self.source))
        except KoogError as e:
            yield self._failed(e)
            return
        except Exception as e:
            yield self._failed(_bug(e))
            return
        if done is not None:
            yield from self._look(called=True)
            yield self.event("observed", meta=run.meta(), observed=done)

    def _cooldown_left(self) -> float:
        return self.last + self.cooldown_s - time.monotonic()

    def _patience(self) -> float:
        """Return for how many seconds nothing is to be done unless something happens."""
        left = min(self.rescan_s, self.until - time.monotonic())
        return min(left, max(self._cooldown_left(), 0.0)) if self.told_wait else left

    def _rest(self, took_s: float, *, in_vain: bool) -> None:
        """Wait before the next look: by how long the last one took, and longer each time that it was in vain.

        Other programs write into these folders too, and reading a database may.
        """
        self.quiet_s = min(2 * self.quiet_s, LONGEST_QUIET_S) if in_vain else QUIET_S
        pause = max(min(LOOK_SHARE * took_s, LONGEST_QUIET_S), self.quiet_s)
        self.alarm.rest(min(pause, self._patience()))


def fresh(run: Run) -> Run:
    """Return a run with the same options that has read nothing yet, nor knows where repositories were."""
    place.project.cache_clear()
    return replace(run, warnings=[], meta_extra={})


def _observed(run: Run, source: str) -> Line:
    """Observe what is new; return the reply's keys."""
    from koog.observe import observe

    done = observe.work(run, source=source)
    run.finish()
    return done


def _bug(error: Exception) -> KoogError:
    import traceback

    traceback.print_exc()
    if isinstance(error, OSError):
        return WorkspaceError(str(error))
    return KoogError(f"{type(error).__name__}: {error}", hint="a bug in koog: report it with stderr")
