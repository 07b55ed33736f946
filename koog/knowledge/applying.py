"""What an extraction found, put on disk: files, facts of entities and the cursor in one step.  [autopoiesis §8.3]

A person's or project's facts go into the entity's own file through the memory's writer, everything else into the
knowledge files; what stands in one is not written into another. What MEMORY.md has no room for, or what of it is not
the person's own, stands in reference/decisions.md and lessons.md. What is made to steer, and what a group says, waits
in the journal: no file takes it that an agent goes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from koog.core import proposals
from koog.core.refused import refusal
from koog.core.text import trust
from koog.core.text.voices import PERSON, TALK
from koog.knowledge import adding, core_sections, documents, entity_facts, filing, targets
from koog.knowledge.adding import Adding
from koog.knowledge.core_sections import BESIDE, Caps
from koog.knowledge.entity_facts import EntityFacts
from koog.knowledge.extractor import REMEMBER
from koog.knowledge.filing import New
from koog.knowledge.found import Applied, Found, Written
from koog.knowledge.layout import LESSONS, MEMORY, STEPS, Layout
from koog.knowledge.listed import Listed
from koog.knowledge.placing import EXTRACTORS
from koog.knowledge.pruning import shelf
from koog.knowledge.there import There
from koog.memory.store import entities, ids

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.proposals import Proposal
    from koog.core.run import Run
    from koog.memory.names.known import Known


class Applying:
    """Puts what was found into its files; nothing is on disk before the door's block ends."""

    def __init__(self, run: Run, door: Door, names: Known, where: Layout, *, is_anew: bool = False) -> None:
        """is_anew: whether the talk was read before, and what was remembered since is there already"""
        self.run, self.door, self.layout, self.is_anew = run, door, where, is_anew
        self.done = Applied()
        self._there = There(run.workspace.files, where)
        self._adding = Adding(where, Caps.of(run), run.today)
        self._entities = EntityFacts(run, door, names, self._there)
        self._listed = Listed(door, where)
        self._new: dict[str, list[tuple[Found, New]]] = {}
        self._said: list[Found] = []

    def put(self, found: Sequence[Found], held_back: Sequence[Proposal]) -> Applied:
        """Stage all of it."""
        near = filing.Near([each.text for each in found])
        for each in found:
            self._take(each, near)
        while self._new:  # the journal last: what another file has no room for waits there
            self._file(min(self._new, key=lambda path: (self._kind(path) == "journal", path != MEMORY)))
        self._listed.put()
        self._entities.flush()
        proposals.stage(self.door, held_back, command="extract", when=self.run.now)
        return self.done

    # --- where each goes

    def _take(self, found: Found, near: filing.Near) -> None:
        if found.extractor in EXTRACTORS:  # they read the same; a package's own writes what it was made for
            if self._is_told(found, near):
                self.done.known += 1
                return
            self._said.append(found)
        change = found.change
        if change.action == REMEMBER:
            self._remember(found)
        elif self._may_not_hold(found):
            self._wait(found, change.section.lower())
        elif change.path == MEMORY and found.trust != PERSON:
            self._beside_memory(found)
        else:
            self._stage(found, self._path(found), change.section)

    def _is_told(self, found: Found, near: filing.Near) -> bool:
        """Return whether something of this extraction says it already, be it in another language."""
        may = near.to(found.text)
        said = [each for each in self._said if may is None or each.text in may]
        if found.change.section == STEPS:  # of one list none says what another does
            said = [each for each in said if each.change.section != STEPS or each.source != found.source]
        return filing.is_known(found.text, [each.text for each in said]) or any(
            filing.is_told_twice(each.text, each.day, found.text, found.day) for each in said
        )

    def _path(self, found: Found) -> str:
        path = found.change.path
        return f"{path}/{found.day}.md" if path == self.layout.journal else self._there.path(path)

    def _may_not_hold(self, found: Found) -> bool:
        """Return whether a file that an agent goes by may not take a line as it stands."""
        change = found.change
        is_gone_by = change.path == MEMORY or change.section == LESSONS or self._kind(change.path) == "procedure"
        if not is_gone_by:
            return False
        if found.label.is_group:
            return True
        if trust.verdict(found.whole, PERSON, register=TALK, kind=trust.PATTERN) != trust.TAKEN:
            return True  # what stands beside words that override an agent's orders may be theirs
        return trust.verdict(found.text, found.trust, register=TALK, kind=trust.PATTERN) != trust.TAKEN

    def _beside_memory(self, found: Found) -> None:
        """Put a decision or lesson of no project where it is found, though no prompt has it."""
        change = found.change
        title, path = BESIDE[change.section], self.layout.beside(change.section)
        self._stage(found._replace(change=change._replace(path=path, title=title)), path, change.section)

    def _wait(self, found: Found, topic: str) -> None:
        """Let a line wait in the journal of its day."""
        self._stage(found, f"{self.layout.journal}/{found.day}.md", ids.slug(topic) or targets.OPEN)

    def _stage(self, found: Found, path: str, section: str) -> None:
        is_journal = self._kind(path) == "journal"
        values = (*found.values, (documents.DAY, found.day)) if is_journal else found.values
        is_dated = found.change.is_dated and not is_journal
        new = New(section, found.text, found.day, found.label, values, is_dated)
        self._new.setdefault(path, []).append((found, new))

    def _kind(self, path: str) -> str:
        return self._adding.kind(path)

    def _remember(self, found: Found) -> None:
        """Put a fact into its entity's file; where nobody can tell whose it is, it waits."""
        id_ = self._entities.meant(found)
        if not id_:
            self._wait(found, targets.OPEN)
            return
        stored = self._entities.put(id_, found)
        if stored and stored.created:
            self.done.written.append(self._written(found, stored.path, entities.FACTS))
        else:
            self.done.known += 1

    # --- files

    def _file(self, path: str) -> None:
        rows = self._new.pop(path)
        held, standing = self._held(path), self.door.text(path) or ""
        near = filing.Near([new.text for _, new in rows], [text for _, text in held], of=f"beside {path}")
        news = [new for _, new in rows]
        known = [n for n in news if filing.is_known(n.text, [t for day, t in held if self._was_said(day, n)], near)]
        # What it says stands elsewhere; where it puts right what stands here, it stands here, too.
        told = {id(new) for new in known} - {id(new) for new in filing.replacing(standing, path, known)}
        fresh = [(found, new) for found, new in rows if id(new) not in told]
        self.done.known += len(rows) - len(fresh)
        if not fresh:
            return
        edit = self._adding.edit(path, fresh)
        made = edit(standing)
        added = {id(new) for new in made.added}
        for found, new in fresh:
            if id(new) in added:
                self.done.written.append(self._written(found, path, new.section))
                self._note(path, found)
        for refused in made.refused:
            self._left(path, fresh, refused.line, refused.reason)
        if made.added:
            ready = made.text
            self.door.edit(
                path, lambda text: ready if text == standing else edit(text).text, summary=adding.summary(made.added)
            )
            self._outdate(path, made.added)

    def _outdate(self, path: str, added: Sequence[New]) -> None:
        """Cross out what new lines replace in a file of the same place that was put away: there it is found, too."""
        tree, (folder, _, _) = self.run.workspace, shelf.place(path).rpartition("/")
        for name in tree.names(folder, ".md") if self._kind(path) != "journal" else ():
            kept = f"{folder}/{name}"
            if shelf.home(kept, own=self.layout) == path and shelf.is_whole(self.door.text(kept) or ""):
                edit = partial(filing.crossed_out, path=kept, new=added)
                self.door.edit(kept, edit, summary="what a newer line replaces")

    def _held(self, path: str) -> list[tuple[str, str]]:
        """Return what stands elsewhere of what a knowledge file is about: since which day, "" always, and the words.

        It is what the memory knows as facts; of MEMORY.md what has no room there.
        """
        if path != MEMORY:
            return self._entities.said(path)
        beside = map(self.layout.beside, BESIDE)
        return [("", each) for other in beside for each in filing.texts(self.door.text(other) or "", other)]

    def _was_said(self, day: str, new: New) -> bool:
        """Return whether what is known since a day was known when something was said.

        Read anew, a talk of the same day counts as the earlier one: what was remembered of it came out of it.
        """
        return day < new.day or (day == new.day and not self.is_anew)

    def _note(self, path: str, found: Found) -> None:
        """Keep that something was said of a project or person, and that the memory knows them by name."""
        if id_ := entity_facts.of(self.layout, path):
            name = found.change.title or id_.partition("--")[2]
            self._entities.named(id_, name, found)
            self._listed.note(path, id_, name, found.day)

    def _left(self, path: str, rows: Sequence[tuple[Found, New]], text: str, reason: str) -> None:
        """Tell of a line that its file did not take; what has no room waits in the journal."""
        found = next(found for found, new in rows if new.text == text)
        if reason == core_sections.FULL:
            self._beside_memory(found)
        elif reason == filing.MANY and self._kind(path) != "journal":
            self._wait(found, found.change.section)
        elif reason == filing.KNOWN:
            self.done.known += 1
        else:
            self.done.refused.append((found.label, refusal(text, f"{path}: {reason}")))

    def _written(self, found: Found, path: str, section: str) -> Written:
        return Written(found.extractor, path, section, found.text, found.source, found.label)
