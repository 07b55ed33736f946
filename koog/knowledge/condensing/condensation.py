"""One run of the condenser: the weeks that are over, one after the other, then the months; each in one step.  [§8.4]

A step depends on what was said, and on what the steps before it left, never on the day on which it is made: late,
twice, or in any split of days comes to the same. A week whose day has changed since is made again, and so is its
month. An answer that cannot be used leaves its week for the next run; nothing is written while an engine thinks.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.core.errors import LLMUnusable, Refused
from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.named import NamedTuple
from koog.core.refused import Refusal
from koog.knowledge import layout, reading
from koog.knowledge.condense_rules import CondenseInput
from koog.knowledge.condensing import cursor, digests, gathering, laws, periods, review
from koog.knowledge.condensing.digests import Digest
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.lasting import Lasting
from koog.knowledge.condensing.laws import MONTH, WEEK, Outcome, Went
from koog.knowledge.condensing.periods import Month, Week
from koog.knowledge.cursors import NAME
from koog.knowledge.layout import MEMORY
from koog.knowledge.pruning import shelf, staging
from koog.knowledge.pruning.shelf import Leaving
from koog.memory.store.entry import Entry
from koog.sessions.labels import Label

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run
    from koog.core.task import Answer

Ask = Callable[[CondenseInput], "Answer"]
LEAST_LINES = 2  # of a project, for which a model is asked: it joins lines, and chooses among them


class Made(NamedTuple):
    """One week or month that was made: of how many files, and what became of its lines. path: "" for no file"""

    name: str
    path: str
    files: int
    before: tuple[int, int]  # lines and words
    after: tuple[int, int]


@dataclass
class Done:
    """What came of a run."""

    made: list[Made] = field(default_factory=list)
    went: list[Went] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    refused: list[tuple[Label, Refusal]] = field(default_factory=list)
    waiting: int = 0
    remaining: int = 0


class Condensation:
    """What one run has to work with, and what came of it."""

    def __init__(self, run: Run, ask: Ask, *, until: float) -> None:
        self.run, self.ask, self.until = run, ask, until
        self.layout = layout.of(NO_NOTES if run.notes_root else run.workspace.own_notes)
        self.done = Done()
        self.failure: LLMUnusable | Refused | None = None
        self.today = run.now.astimezone(run.zone).date()
        self._texts: dict[str, str] = {}
        self._lasting = Lasting(run, self.layout)

    # --- what is due

    def due_weeks(self) -> list[tuple[Week, list[tuple[str, str]], str]]:
        """Return the weeks that are over and not made of what their days say now: each with its journals by days."""
        found = gathering.days(self.run.workspace, self.layout.journal)
        made, gone = cursor.load(self.run.workspace).weeks, forgotten.of(self.run.workspace)
        due = []
        for week in periods.ended_weeks(map(date.fromisoformat, found), self.today):
            paths = [(day, path) for day in week.days for path in found.get(day, ())]
            digest = cursor.digest(part for day, path in paths for part in (day, gone.shown(self._text(path))))
            if made.get(week.name) != digest:
                due.append((week, paths, digest))
        return due

    def due_months(self) -> list[tuple[Month, str]]:
        """Return the months that are over and not made of what their weeks are now."""
        known = cursor.load(self.run.workspace)
        weeks = [week for week in map(periods.named, known.weeks) if week]
        due = []
        for month in periods.ended_months(weeks, self.today):
            digest = cursor.digest(f"{w.name} {known.weeks[w.name]}" for w in month.weeks if w.name in known.weeks)
            if known.months.get(month.name) != digest:
                due.append((month, digest))
        return due

    def _text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = self.run.workspace.text(path) or ""
        return self._texts[path]

    # --- weeks

    def weeks(self) -> None:
        """Make each week that is due; what has been extracted since the last one has its place in MEMORY.md, too."""
        due = self.due_weeks()
        for n, (week, paths, digest) in enumerate(due):
            if time.monotonic() >= self.until:
                self.done.remaining += len(due) - n
                break
            self._alone(week.name, partial(self._week, week, paths, digest))
        if not self._lasting.is_settled:
            self._alone(MEMORY, self._settle)

    def _settle(self) -> None:
        outcome = Outcome()
        with self.run.workspace.writing() as door:
            self._lasting.settle(door, outcome)
        self.done.went += outcome.went

    def _alone(self, name: str, make: Callable[[], None]) -> None:
        self.run.act_as(self.run.actor, trigger=f"koog condense {name}")
        try:
            with self.run.one_commit():
                make()
        except (LLMUnusable, Refused) as e:
            self.failure = self.failure or e
            self.done.waiting += 1
            self.run.warnings.append(f"{name} waits for the next run: {e.message}")

    def _week(self, week: Week, paths: list[tuple[str, str]], digest: str) -> None:
        gone = forgotten.of(self.run.workspace)
        said = [each for day, path in paths for each in gathering.read(self._text(path), path, day, gone)]
        file = digests.of_week(self.layout.journal, week)
        lines = gathering.in_order(self._untold(file, said))
        outcome = self._condensed(lines, WEEK, self._lasting.changing(lines, week.first.isoformat()))
        with self.run.workspace.writing() as door:
            kept = gathering.in_order([*outcome.kept, *self._lasting.put(door, outcome)])
            path = self._put(door, file, self._place(file), kept)
            self._note(door, cursor.WEEKS, week.name, digest)
        self._tell(week.name, path, len(paths), lines, kept, outcome)

    def _untold(self, file: Digest, said: list[Said]) -> list[Said]:
        """Return lines but those that a person has changed or taken out in the file that is there."""
        text = self.run.workspace.text(self._place(file))
        return digests.untold(text, said) if text else said

    def _place(self, file: Digest) -> str:
        put_away = shelf.place(file.path)
        return put_away if self.run.workspace.exists(put_away) else file.path

    # --- months

    def months(self) -> None:
        """Make each month that is due."""
        due = self.due_months()
        for n, (month, digest) in enumerate(due):
            if time.monotonic() >= self.until:
                self.done.remaining += len(due) - n
                return
            self._alone(month.name, partial(self._month, month, digest))
        if self.is_review_due():
            self._alone("what is stale", self._reviewed)

    def is_review_due(self) -> bool:
        """Return whether something of projects and people is stale that no month's making has put away."""
        text = self.run.workspace.text
        return any(self._stale(path, text(path) or "", self._ended) for path in self._reviewable())

    @property
    def _ended(self) -> date:
        """Return the last day of the last month that is over."""
        return periods.month(periods.week(self.today).month).weeks[0].first - periods.DAY

    def _reviewed(self) -> None:
        with self.run.workspace.writing() as door:
            self._review(door, self._ended)

    def _month(self, month: Month, digest: str) -> None:
        tree, gone = self.run.workspace, forgotten.of(self.run.workspace)
        files = {week.name: digests.of_week(self.layout.journal, week) for week in month.weeks}
        texts = {path: text for each in files.values() if (text := tree.text(path := self._place(each))) is not None}
        said = [each for path, text in texts.items() for each in digests.read(text, path) if not gone.holds(each.text)]
        file = digests.of_month(self.layout.journal, month)
        lines = gathering.in_order(self._untold(file, said))
        outcome = self._condensed(lines, MONTH, elsewhere=self._lasting.told())
        kept, moved = gathering.in_order(outcome.kept), dict[str, str]()
        with tree.writing() as door:
            made = self._put(door, file, file.path, kept)
            for path, text in texts.items():
                to = shelf.place(path)
                own = digests.has_own(text)  # a person's own lines stay where he has put them
                if not own and path != to and door.move(path, to, summary=f"{month.name} is made of it"):
                    moved[path] = to
            self._review(door, month.last)
            self._note(door, cursor.MONTHS, month.name, digest)
        self.done.moved += moved.items()
        outcome.went = [each._replace(to=each.to or moved.get(each.said.path, "")) for each in outcome.went]
        self._tell(month.name, made, len(texts), lines, kept, outcome)

    def _review(self, door: Door, last: date) -> None:
        """Put away what is stale in the files of projects and people."""
        for path in self._reviewable():
            found = self._stale(path, door.text(path) or "", last)
            if not found:
                continue
            to = staging.shelve(door, path, [leaving for leaving, _, _ in found], today=last.isoformat())
            for _, entry, why in found:
                said = Said(entry.section, entry.text, entry.day, entry.line.label, path=path)
                self.done.went.append(Went(said, to, why))

    def _reviewable(self) -> list[str]:
        files = self.run.workspace.files
        paths = [path for each in (self.layout.projects, self.layout.people) for path in reading.below(files, each)]
        return [path for path in paths if self.layout.kind(path) in review.KINDS]

    def _stale(self, path: str, text: str, last: date) -> list[tuple[Leaving, Entry, str]]:
        return list(review.stale(text, path, last, days=int(self.run.settings.get("knowledge.journalDays"))))

    # --- what both do

    def _condensed(
        self,
        lines: Sequence[Said],
        period: str,
        changing: frozenset[Said] = frozenset(),
        *,
        elsewhere: frozenset[str] = frozenset(),
    ) -> Outcome:
        """Return what an engine leaves of some lines, each project's and group's put to it on their own."""
        by: dict[Label, list[Said]] = defaultdict(list)
        for each in lines:
            by[each.label].append(each)
        slugs = frozenset(self._lasting.projects)
        whole = Outcome()
        for label, own in by.items():
            if self.run.asker.uses_model and len(own) < LEAST_LINES:
                whole.kept += own
                continue
            answer = self.ask(CondenseInput(period, tuple(own), slugs, changing, elsewhere))
            gone = forgotten.of(self.run.workspace)
            wanted = [each for each in answer.value["operations"] if not gone.holds(str(each.get("text") or ""))]
            found = laws.applied(wanted, own, period=period)
            whole.kept += found.kept
            whole.went += found.went
            whole.promoted += found.promoted
            self.done.refused += [(label, row) for row in (*answer.refused, *found.refused)]
        return whole

    def _put(self, door: Door, file: Digest, path: str, lines: Sequence[Said]) -> str:
        """Let a file have these lines; return its path, "" where there is nothing to say and so no file."""
        many = f"{len(lines)} {'line' if len(lines) == 1 else 'lines'}"
        door.edit(path, lambda text: digests.written(text, file, lines), summary=many)
        return path if door.text(path) else ""

    def _note(self, door: Door, kind: str, name: str, digest: str) -> None:
        path = door.workspace.in_memory(NAME)
        door.edit(path, lambda text: cursor.noted(text, kind, name, digest), summary=f"condensed {name}")

    def _tell(
        self, name: str, path: str, files: int, lines: Sequence[Said], kept: Sequence[Said], outcome: Outcome
    ) -> None:
        before, after = (len(lines), laws.words(lines)), (len(kept), laws.words(kept))
        self.done.made.append(Made(name, path, files, before, after))
        self.done.went += outcome.went
