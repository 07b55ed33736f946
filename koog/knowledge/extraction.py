"""One run of extractors over transcripts: piece by piece asked, judged, written; each piece in one step.  [§8.3]

An extractor whose answer cannot be used, or is mostly dropped, waits in that transcript until the next run, and the
others go on; after three such answers what stands of the last one is all that comes of the piece. Nothing is written
while an engine thinks.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.knowledge import cursors, layout, reading, sources, there
from koog.knowledge.applying import Applying
from koog.knowledge.cursors import Done
from koog.knowledge.extractor import Extractor, Talk
from koog.knowledge.found import Applied
from koog.knowledge.hearing import Asked, Hearing
from koog.memory.names import known
from koog.memory.store import entities
from koog.observe import material
from koog.observe.material import Part

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.knowledge.reading import Read
    from koog.knowledge.transcripts.listing import Listed
    from koog.sessions.turn import Turn


TRIES = 3


class Late(Exception):
    """The deadline has passed, and what is left waits for the next run. Never raised out of this slice."""


class Extraction:
    """The extractors of one run, and what came of them."""

    def __init__(
        self, run: Run, extractors: Sequence[Extractor], *, until: float, again: bool = False, is_anew: bool = False
    ) -> None:
        """again: also what was read before; is_anew: into a memory that does not have what transcripts taught it"""
        self.run, self.extractors, self.until, self.again, self.is_anew = run, extractors, until, again, is_anew
        self.layout = layout.of(NO_NOTES if run.notes_root else run.workspace.own_notes)
        self.done = Applied()
        self.read: list[tuple[Read, int, int]] = []
        self.proposals = self.waiting = self.remaining = 0
        self.hearing = Hearing(run, self.done)

    def starts(self, read: Read) -> dict[int, list[Extractor]]:
        """Return turn → the extractors that go on there; those that are through are left out."""
        told, found = cursors.load(self.run.workspace), dict[int, list[Extractor]]()
        for each in self.extractors:
            start = 0 if self.again else told.done(read.path, each.name).turns
            if start < len(read.turns):
                found.setdefault(start, []).append(each)
        return dict(sorted(found.items()))

    def maybe_due(self, found: Sequence[Listed]) -> list[Listed]:
        """Return the transcripts that have to be read to know whether something of them is new."""
        known, names = cursors.load(self.run.workspace), [each.name for each in self.extractors]
        return [each for each in found if self.again or not known.is_whole(each.path, names)]

    def is_due(self, read: Read) -> bool:
        """Return whether something of a transcript is new to an extractor."""
        return bool(self.starts(read)) or self._has_moved(read) != 0 or bool(self._unclosed(read))

    def _unclosed(self, read: Read) -> dict[str, Done]:
        """Return the extractors that took all of a transcript before it ended, and how far they are."""
        told = cursors.load(self.run.workspace)
        rows = {each: told.done(read.path, each.name) for each in self.extractors if read.has_ended}
        return {
            each.name: Done(row.turns, row.version or each.version, whole=True)
            for each, row in rows.items()
            if row.turns >= len(read.turns) and not row.whole
        }

    def _has_moved(self, read: Read) -> int:
        """Return by how many lines a transcript has moved down since something was taken of it."""
        was = cursors.load(self.run.workspace).lasting.get(read.path)
        return read.head - was if isinstance(was, int) else 0

    def of(self, read: Read) -> None:
        """Extract one transcript. Raises Late, and what asking raises but for answers that cannot be used."""
        before, turns = len(self.done.written), 0
        if by := self._has_moved(read):
            self._move(read, by)
        try:
            for start, extractors in self.starts(read).items():
                left = list(extractors)
                heard, lines = material.tail(read.turns[:start]), reading.Lines(read)
                for part in material.parts(read.turns[start:], heard):
                    if time.monotonic() >= self.until:
                        raise Late
                    through = _through(read, part, start)
                    turns = max(turns, through - start)
                    left = self._part(read, lines.of(part), left, through=through)
                    if not left:
                        break
            if unclosed := self._unclosed(read):
                self._close(read, unclosed)
        finally:
            self.read.append((read, turns, len(self.done.written) - before))

    def _close(self, read: Read, done: Mapping[str, Done]) -> None:
        with self.run.workspace.writing() as door:
            door.edit(
                self.run.workspace.in_memory(cursors.NAME),
                lambda text: cursors.moved(text, read.path, done),
                summary=f"extracted {read.path}",
            )

    def _part(self, read: Read, part: Part, extractors: Sequence[Extractor], *, through: int) -> list[Extractor]:
        """Ask all about one piece and write what came of it; return who goes on with the next one.

        through   the turns that are done when it is

        Raises Late, and what asking raises but for answers that cannot be used; what was answered before is written.
        """
        talk = self._talk(read, part)
        asked, stopped = self.hearing.all(extractors, talk, read)
        is_last_try = cursors.load(self.run.workspace).tries(read.path) + 1 >= TRIES
        taken = [(e, a) for e, a in asked if a is not None and (a.is_usable or is_last_try)]
        if len(taken) < len(asked) and not is_last_try:
            self.waiting += len(asked) - len(taken)
            self._count(read)
        if is_last_try:
            taken += [(e, Asked()) for e, a in asked if a is None]
        if taken:
            self._write(read, talk, taken, through)
        if stopped:
            if time.monotonic() >= self.until:
                raise Late from stopped
            raise stopped
        return [each for each, _ in taken]

    def _talk(self, read: Read, part: Part) -> Talk:
        zone, names = self.run.zone, known.load(self.run)
        return Talk(
            self._told(part.turns),
            self.layout,
            names,
            before=self._told(part.before),
            zone=zone,
            today=part.turns[0].at.astimezone(zone).date() if part.turns else self.run.now.astimezone(zone).date(),
            projects=there.project_names(self.run, self.layout, names),
            project=read.project,
        )

    def _told(self, turns: Sequence[Turn]) -> tuple[Turn, ...]:
        """Return turns without what was forgotten: no engine sees it, and it does not come back from a transcript."""
        gone = forgotten.of(self.run.workspace)
        return tuple(turn._replace(text=gone.shown(turn.text)) for turn in turns)

    def _write(self, read: Read, talk: Talk, taken: Sequence[tuple[Extractor, Asked]], through: int) -> None:
        found = [each for _, asked in taken for each in asked.found]
        held = [each for _, asked in taken for each in asked.proposals]
        whole = read.has_ended and through == len(read.turns)
        done = {each.name: Done(through, each.version, whole) for each, _ in taken}
        workspace = self.run.workspace
        with workspace.writing() as door:
            door.edit(
                workspace.in_memory(cursors.NAME),
                lambda text: cursors.moved(text, read.path, done, lasting=None if read.has_ended else read.head),
                summary=f"extracted {read.path}",
            )
            applied = Applying(self.run, door, talk.names, self.layout, is_anew=self.is_anew).put(found, held)
        self.done.written += applied.written
        self.done.refused += applied.refused
        self.done.known += applied.known
        self.proposals += len(held)

    def _move(self, read: Read, by: int) -> None:
        """Let the lines that name this transcript name where it says so now."""
        workspace = self.run.workspace
        folders = (*self.layout, workspace.in_memory(entities.FOLDER))
        paths = [layout.MEMORY, *(path for each in folders for path in reading.below(workspace.files, each))]
        with workspace.writing() as door:
            for path in paths:
                if sources.names(door.text(path) or "", read.session):
                    door.edit(path, lambda text: sources.moved(text, read.session, by), summary="sources moved")
            door.edit(
                workspace.in_memory(cursors.NAME),
                lambda text: cursors.moved(text, read.path, {}, lasting=None if read.has_ended else read.head),
                summary=f"sources of {read.path} moved",
            )

    def _count(self, read: Read) -> None:
        """Note that an answer about a transcript could not be used, so that it waits, but not for ever."""
        workspace = self.run.workspace
        path = workspace.in_memory(cursors.NAME)
        times = cursors.load(workspace).tries(read.path) + 1
        self.run.warnings.append(f"an answer about {read.path} cannot be used: it is asked about again")
        with workspace.writing() as door:
            door.edit(path, lambda text: cursors.counted(text, read.path, times), summary="an answer was dropped")


def _through(read: Read, part: Part, start: int) -> int:
    """Return how many turns of a transcript are done when a piece is: of one that is long it may be no whole turn."""
    return next((n for n, turn in enumerate(read.turns, 1) if turn.id == part.last), start)


def pending(run: Run, extractors: Sequence[Extractor]) -> list[Listed]:
    """Return the transcripts whose session has ended and of which something was not extracted yet, the oldest first.

    By what is noted of them; one is read only where its mode does not tell that it has ended.
    """
    work = Extraction(run, extractors, until=float("inf"))
    return reading.ended(run, work.maybe_due(reading.listed(run)))
