"""Things are put into their stores, a portion at a time where others may wait for the workspace.  [moltbot §8.2]"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import Busy, KoogError, NotFound, Refused, UsageError
from koog.core.named import NamedTuple
from koog.memory import anew, keeping
from koog.memory.keeping import Kept
from koog.memory.names import known
from koog.memory.store import core_memory
from koog.memory.store.writing import Writer
from koog.memory.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from koog.core.files.door import Door
    from koog.core.run import Run
    from koog.core.task import Answer
    from koog.memory.names.known import Known
    from koog.memory.store.drafts import Place

    Routed = tuple[Wanted, Answer]
    Route = Callable[[Wanted, Known, str], Routed]

PORTION, PORTION_S = 1000, 2.0  # rows, and seconds, with the workspace locked: then others get at it
ASKED = 20  # rows for which a model is asked before they are stored: so many answers can be lost
PAUSE_S = 0.1  # between two portions: who waits for the lock looks every 0.02 s, and would hardly ever find it free
PATIENCE = 6  # times that a later portion waits for the workspace: what is stored already is not to be given up for it


class Left(NamedTuple):
    """A row of a batch that was refused: its number from 1, what it says, and why."""

    number: int
    text: str
    why: str


class Storing:
    """One call: each thing finds what those before it leave, as if they had been told one by one.

    run         is to act as whoever tells them
    route       says where a thing belongs; where that asks a model, it does so with the workspace open
    may         whether what was forgotten comes back with a thing
    left        takes what is refused, and the rest goes on, a portion a step; None: it is one step, or nothing
    then        stages what is to happen in the same step
    """

    def __init__(
        self,
        run: Run,
        route: Route,
        *,
        place: Place,
        prune: bool,
        asks_model: bool,
        may: Callable[[Wanted], bool],
        left: list[Left] | None,
        then: Callable[[Door, list[Kept]], None] | None,
    ) -> None:
        self._run, self._route, self._place, self._prune = run, route, place, prune
        self._asks_model, self._may, self._left, self._then = asks_model, may, left, then
        self._answered: deque[tuple[Wanted, Routed | None]] = deque()  # for what a model has said where it belongs
        self._failed: KoogError | None = None  # since when it says no more
        self._own = set[str]()  # ids that this call has put

    def stored(self, wanted: list[Wanted]) -> list[Kept]:
        """Store some things; return what became of each.

        Raises Refused, UsageError and NotFound for the first that cannot be, where nothing takes it; and what hinders
        the rest: what is stored then stays, and the same call again goes on with that.
        """
        waiting, done, portion = deque(wanted), list[Kept](), self._portion
        while True:
            try:
                done += portion(waiting)
                if self._failed:
                    raise self._failed
            except KoogError as e:
                if done:
                    e.message += f" ({len(done)} of {len(wanted)} are stored)"
                    e.hint = e.hint or "the same call again goes on with the rest"
                raise
            if not (waiting or self._answered):
                return done
            portion = self._later

    def _later(self, waiting: deque[Wanted]) -> list[Kept]:
        """Store the next portion, also where others have the workspace for longer. Raises Busy."""
        for _ in range(PATIENCE):
            time.sleep(PAUSE_S)
            with suppress(Busy):
                return self._portion(waiting)
        return self._portion(waiting)

    def _portion(self, waiting: deque[Wanted]) -> list[Kept]:
        """Store what is waiting, or as much of it as others can wait for. Raises Busy with all of it still waiting."""
        if self._asks_model and not self._answered:
            self._ask(waiting)
        with self._run.workspace.writing() as door:
            # Others may have written since the last portion.
            names, gone = known.load(self._run), forgotten.of(self._run.workspace)
            writer, back, kept = Writer(self._run, door, names, self._place), anew.Back(gone), list[Kept]()
            for each, routed in self._next(waiting):
                with self._leaving(each):  # what a row leaves is known when the next one is routed
                    thing, answer = routed or self._route(each, names, writer.core.text)
                    kept.append(self._kept(writer, thing, answer, back))
            writer.flush()
            anew.revive(self._run, door, [each.stored for each in kept], back)
            if self._then:
                self._then(door, kept)
        return kept

    def _next(self, waiting: deque[Wanted]) -> Iterator[tuple[Wanted, Routed | None]]:
        """Take the rows of a portion from those that wait."""
        begun, count = time.monotonic(), 0
        while waiting or self._answered:
            if self._left is not None and (count == PORTION or time.monotonic() - begun > PORTION_S):
                return
            if self._asks_model and not self._answered:
                return
            count += 1
            yield self._answered.popleft() if self._answered else (waiting.popleft(), None)

    def _ask(self, waiting: deque[Wanted]) -> None:
        """Ask a model where the next things belong. Raises what it fails with, where it has answered nothing before."""
        names, core = known.load(self._run), self._run.workspace.text(core_memory.FILE) or ""
        most = len(waiting) if self._left is None else ASKED
        while waiting and len(self._answered) < most:
            each = waiting.popleft()
            try:
                with self._leaving(each):
                    self._answered.append((each, self._route(each, names, core)))
            except KoogError as e:
                if self._left is None or not self._answered:
                    raise
                self._failed = e
                return

    def _kept(self, writer: Writer, thing: Wanted, answer: Answer, back: anew.Back) -> Kept:
        """Put one thing into its store."""
        may = self._may(thing)
        back.lift((thing.text, str(answer.value["summary"])), may=may)
        made = keeping.kept(
            writer,
            thing,
            answer.value,
            prune=self._prune,
            earlier=None if self._left is None else self._own,
            is_barred=None if may else back.is_hidden,
        )
        if may:
            back.take(made.stored)
        if made.stored.created:
            self._own.add(made.stored.id)
        self._own.update(each.id for each in writer.episodes.added[-2:])  # what it took the place of in MEMORY.md, too
        return made

    @contextmanager
    def _leaving(self, wanted: Wanted) -> Iterator[None]:
        """Note a thing that is refused, where there is a list for it."""
        try:
            yield
        except (Refused, UsageError, NotFound) as e:
            if self._left is None:
                raise
            self._left.append(Left(wanted.number, wanted.text, e.message))
