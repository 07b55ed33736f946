"""One run of extractors over transcripts: piece by piece asked, judged, written; each piece in one step.  [§8.3]

An extractor whose answer cannot be used, or is mostly dropped, waits in that transcript until the next run, and the
others go on; after three such answers what stands of the last one is all that comes of the piece. Nothing is written
while an engine thinks.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from koog.core import forgotten
from koog.core.errors import LLMUnusable
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.refused import refusal
from koog.core.text.trust import PERSONS_OWN
from koog.knowledge import cursors, layout, reading, sources, there
from koog.knowledge.applying import Applying
from koog.knowledge.cursors import Done
from koog.knowledge.extractor import Extractor, KnowledgeChange, Talk
from koog.knowledge.found import Applied, Found
from koog.memory.names import known
from koog.memory.store import entities
from koog.observe import material
from koog.observe.judgement import Judge
from koog.observe.material import Part

if TYPE_CHECKING:
    from koog.core.proposals import Proposal
    from koog.core.run import Run
    from koog.core.task import Answer, Task
    from koog.knowledge.reading import Read
    from koog.knowledge.transcripts.listing import Listed
    from koog.sessions.turn import Turn


TRIES = 3
LONG, SOME = 1.0, 400  # an answer longer than so many times what was said, and some characters, is none


class Late(Exception):
    """The deadline has passed, and what is left waits for the next run. Never raised out of this slice."""


@dataclass
class Asked:
    """What one extractor said of one piece. is_usable: most of it stands in what was said"""

    found: list[Found] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    is_usable: bool = True


class Extraction:
    """The extractors of one run, and what came of them."""

    def __init__(self, run: Run, extractors: Sequence[Extractor], *, until: float, again: bool = False) -> None:
        self.run, self.extractors, self.until, self.again = run, extractors, until, again
        self.layout = layout.of(NO_NOTES if run.notes_root else run.workspace.own_notes)
        self.done = Applied()
        self.read: list[tuple[Read, int, int]] = []
        self.proposals = self.waiting = self.remaining = 0
        self.failure: LLMUnusable | None = None

    def starts(self, read: Read) -> dict[int, list[Extractor]]:
        """Return turn → the extractors that go on there; those that are through are left out."""
        told, found = cursors.load(self.run.workspace), dict[int, list[Extractor]]()
        for each in self.extractors:
            start = 0 if self.again else told.done(read.path, each.name).turns
            if start < len(read.turns):
                found.setdefault(start, []).append(each)
        return dict(sorted(found.items()))

    def may_be_due(self, listed: Listed) -> bool:
        """Return whether a transcript has to be read to know whether something of it is new."""
        known = cursors.load(self.run.workspace)
        return self.again or not all(known.done(listed.path, each.name).whole for each in self.extractors)

    def is_due(self, read: Read) -> bool:
        """Return whether something of a transcript is new to an extractor."""
        return bool(self.starts(read)) or self._has_moved(read) != 0

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
                heard = material.tail(read.turns[:start])
                for part in material.parts(read.turns[start:], heard):
                    if time.monotonic() >= self.until:
                        raise Late
                    turns = max(turns, _through(read, part) - start)
                    left = self._part(read, part, left)
                    if not left:
                        break
        finally:
            self.read.append((read, turns, len(self.done.written) - before))

    def _part(self, read: Read, part: Part, extractors: Sequence[Extractor]) -> list[Extractor]:
        """Ask all about one piece and write what came of it; return who goes on with the next one."""
        talk = self._talk(read, part)
        asked = [(each, self._ask(each, talk, read)) for each in extractors]
        through = _through(read, part)
        is_last_try = cursors.load(self.run.workspace).tries(read.path) + 1 >= TRIES
        taken = [(e, a) for e, a in asked if a is not None and (a.is_usable or is_last_try)]
        if len(taken) < len(asked) and not is_last_try:
            self.waiting += len(asked) - len(taken)
            self._count(read)
        if is_last_try:
            taken += [(e, Asked()) for e, a in asked if a is None]
        if taken:
            self._write(read, talk, taken, through)
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

    def _ask(self, extractor: Extractor, talk: Talk, read: Read) -> Asked | None:
        """Return what an extractor says of a piece, None where the answer cannot be used."""
        if not talk.turns:
            return Asked()
        answers: list[Answer] = []

        def ask(task: Task[Talk], given: Talk) -> Answer:
            answers.append(self.run.ask(task, given))
            return answers[-1]

        try:
            changes = list(extractor.extract(talk, ask))
            _check_length(changes, talk)
        except LLMUnusable as e:  # of this extractor and piece alone
            self.failure = self.failure or e
            return None
        is_quoted = bool(answers) and all(each.engine == "builtin" for each in answers)
        return self._judged(extractor, changes, talk, read, quoted=is_quoted, answers=answers)

    def _judged(
        self,
        extractor: Extractor,
        changes: Sequence[KnowledgeChange],
        talk: Talk,
        read: Read,
        *,
        quoted: bool,
        answers: Sequence[Answer],
    ) -> Asked:
        judge = Judge(talk.turns, key=read.session, zone=talk.zone, quoted=quoted, label=read.label, before=talk.before)
        asked, unread = Asked(), sum(len(each.refused) for each in answers)
        rows, gone = len(changes) + unread, forgotten.of(self.run.workspace)
        for change in changes:
            if wrong := self._misplaced(change, talk):
                self.done.refused.append((read.label, refusal(change.content, wrong)))
                unread += 1
                continue
            done = judge.of(_row(change))
            unread += done.unread
            asked.proposals += [each for each in done.proposals if not gone.holds(each.content)]
            self.done.refused += [(read.label, row) for row in done.refused]
            for seen in (each for each in done.observations if not gone.holds(each.text)):
                source = sources.of(seen, talk.turns, change, read.session)
                is_lowered = seen.type != change.kind and change.kind in PERSONS_OWN
                placed = _as_fact(change, talk) if is_lowered else change
                told = (extractor.name, seen.text, seen.day, seen.time, source, seen.trust, read.label)
                asked.found.append(Found(placed, *told, sources.turn_of(seen, talk.turns).text))
        self.done.refused += [(read.label, row) for each in answers for row in each.refused]
        asked.is_usable = 2 * unread <= rows
        return asked

    def _misplaced(self, change: KnowledgeChange, talk: Talk) -> str:
        """Return why a change has no place, "" where it has one: only knowledge files, by names that stay in them."""
        if not 0 <= change.turn <= len(talk.turns):
            return "it rests on no turn"
        if not change.content:
            return "it says nothing"
        if change.action == "remember":
            return "" if change.entity else "it is of nobody"
        path = change.path
        parts = path.split("/")
        if any(part in ("", ".", "..") or part.startswith(".") for part in parts) or not change.section.strip():
            return "no such place"
        kind = "journal" if path == talk.layout.journal else talk.layout.kind(path)
        if kind in ("", "project_index", "person_index") or (kind == "memory" and change.section not in ALLOWED):
            return "no such place"
        return ""

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
            applied = Applying(self.run, door, talk.names, self.layout).put(found, held)
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


ALLOWED = (layout.DECISIONS, layout.LESSONS)  # sections of MEMORY.md


def _through(read: Read, part: Part) -> int:
    """Return how many turns of a transcript are done when a piece is."""
    return next(n for n, turn in enumerate(read.turns, 1) if turn.id == part.last)


def _row(change: KnowledgeChange) -> dict[str, Any]:
    return {
        "text": change.content,
        "turn": change.turn or None,
        "with": list(change.also),
        "type": change.kind,
        "importance": change.importance,
        "confidence": change.confidence,
    }


def _as_fact(change: KnowledgeChange, talk: Talk) -> KnowledgeChange:
    """Return a change whose speaker cannot set it: what an agent calls a rule is a line of the journal."""
    return change._replace(path=talk.layout.journal, section="general", action="append", kind="fact")


def _check_length(changes: Iterable[KnowledgeChange], talk: Talk) -> None:
    """Raise LLMUnusable for an answer that says more than was said."""
    said = sum(len(turn.text) for turn in (*talk.before, *talk.turns))
    told = sum(len(each.content) for each in changes)
    if told > LONG * said + SOME:
        raise LLMUnusable(f"the answer has {told} characters about {said}: more than was said", hint="koog extract")


def pending(run: Run, extractors: Sequence[Extractor]) -> list[Listed]:
    """Return the transcripts whose session has ended and of which something was not extracted yet, the oldest first.

    By what is noted of them, without reading one.
    """
    work = Extraction(run, extractors, until=float("inf"))
    return [each for each in reading.listed(run) if each.has_ended and work.may_be_due(each)]
