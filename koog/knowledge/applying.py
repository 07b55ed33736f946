"""What an extraction found, put on disk: files, facts of entities and the cursor in one step.  [autopoiesis §8.3]

A person's or project's facts go into the entity's own file through the memory's writer, everything else into the
knowledge files; what stands in one is not written into another. What MEMORY.md has no room for, or what of it is not
the person's own, stands in reference/decisions.md and lessons.md. What is made to steer, and what a group says, waits
in the journal: no file takes it that an agent goes by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from koog.core import proposals
from koog.core.refused import Refusal, refusal
from koog.core.text import trust
from koog.core.text.statement import PERSON, TALK
from koog.knowledge import core_sections, documents, filing, journal, layout, lists, sources, targets
from koog.knowledge.core_sections import BESIDE, Caps
from koog.knowledge.extractor import REMEMBER, KnowledgeChange
from koog.knowledge.filing import New
from koog.knowledge.layout import ACTIVE, CONTEXT, DECISIONS, HISTORY, INDEX, LESSONS, MEMORY, STATE, Layout
from koog.knowledge.placing import EXTRACTORS
from koog.knowledge.there import There
from koog.memory.store import entities, ids
from koog.memory.store.line import Line
from koog.memory.store.writing import Place, Writer
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.proposals import Proposal
    from koog.core.run import Run
    from koog.memory.names.known import Known


class Found(NamedTuple):
    """One change that the turns bear out.

    extractor  who proposed it
    text       its words as they may be written; day: when that was said; source: session:line
    trust      who is behind it
    whole      all that was said in its turn
    """

    change: KnowledgeChange
    extractor: str
    text: str
    day: str
    time: str
    source: str
    trust: str
    label: Label
    whole: str = ""


class Written(NamedTuple):
    """One line that was written: into which file, under which heading."""

    extractor: str
    path: str
    section: str
    text: str
    source: str
    label: Label


@dataclass
class Applied:
    """What became of an extraction."""

    written: list[Written] = field(default_factory=list)
    refused: list[tuple[Label, Refusal]] = field(default_factory=list)
    known: int = 0


class Applying:
    """Puts what was found into its files; nothing is on disk before the door's block ends."""

    def __init__(self, run: Run, door: Door, names: Known, where: Layout) -> None:
        self.run, self.door, self.names, self.layout = run, door, names, where
        self.done = Applied()
        self.caps = Caps.of(run)
        self._memory = Writer(run, door, names, Place(NONE, run.today, "00:00"))
        self._new: dict[str, list[tuple[Found, New]]] = {}
        self._said: list[str] = []
        self._projects: dict[str, str] = {}
        self._people: dict[str, str] = {}
        self._newest = ""  # day on which something was said of any of them
        self._there = There(run.workspace.files, where)

    def put(self, found: Sequence[Found], held_back: Sequence[Proposal]) -> Applied:
        """Stage all of it."""
        near = filing.Near([each.text for each in found])
        for each in found:
            self._take(each, near)
        while self._new:  # the journal last: what another file has no room for waits there
            self._file(min(self._new, key=lambda path: (self._kind(path) == "journal", path != MEMORY)))
        self._lists()
        self._memory.flush()
        proposals.stage(self.door, held_back, command="extract", when=self.run.now)
        return self.done

    # --- where each goes

    def _take(self, found: Found, near: filing.Near) -> None:
        if found.extractor in EXTRACTORS:  # they read the same; a package's own writes what it was made for
            if filing.is_known(found.text, self._said, near):
                self.done.known += 1
                return
            self._said.append(found.text)
        change = found.change
        if change.action == REMEMBER:
            if not self._remember(found):
                self._wait(found, targets.OPEN)
        elif self._may_not_hold(found):
            self._wait(found, change.section.lower())
        elif change.path == MEMORY and found.trust != PERSON:
            self._beside_memory(found)
        else:
            self._stage(found, self._path(found), change.section)

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
        values = [(documents.SOURCE, found.source)] + ([("trust", found.trust)] if found.trust != PERSON else [])
        is_dated = found.change.is_dated and self._kind(path) != "journal"
        if self._kind(path) == "journal":
            values = [*values, (documents.DAY, found.day)]
        new = New(section, found.text, found.day, found.label, tuple(values), is_dated)
        self._new.setdefault(path, []).append((found, new))

    def _kind(self, path: str) -> str:
        return "journal" if path == self.layout.journal else self.layout.kind(path)

    # --- facts of entities

    def _remember(self, found: Found) -> bool:
        """Put a fact into its entity's file; False where nobody can tell whose it is."""
        change = found.change
        meant = self.names.meant(change.entity, change.of, about=(found.text,))
        if meant.is_open or not ids.slug(change.entity):
            return False
        id_ = meant.id or ids.entity(change.of, change.entity)
        writer = self._writer(found)
        writer.entity(id_, change.entity)
        if filing.is_known(found.text, list(self._beside(id_))):
            self.done.known += 1
            return True
        values = {documents.SOURCE: found.source} | ({"trust": found.trust} if found.trust != PERSON else {})
        stored = writer.fact(id_, Line(found.text, found.label, {**values, documents.DAY: found.day}))
        if stored.created:
            self.done.written.append(self._written(found, stored.path, entities.FACTS))
        else:
            self.done.known += 1
        return True

    def _beside(self, id_: str) -> Iterable[str]:
        """Yield what the knowledge files say of an entity."""
        kind, _, name = id_.partition("--")
        paths = {
            "person": [f"{self.layout.people}/{name}.md"],
            "project": [self.layout.project(name, f) for f in (CONTEXT, layout.PROGRESS, layout.NOTES)],
        }.get(kind, [f"{self.layout.reference}/{name}.md"])
        for path in map(self._there.path, paths):
            yield from filing.texts(self.door.text(path) or "", path)

    def _held(self, path: str) -> list[str]:
        """Return what stands elsewhere of what a knowledge file is about: the memory's facts, what has no room."""
        if path == MEMORY:
            beside = map(self.layout.beside, BESIDE)
            return [each for other in beside for each in filing.texts(self.door.text(other) or "", other)]
        id_ = self._entity_of(path)
        text = self.door.text(self.run.workspace.in_memory(entities.path(id_))) if id_ else None
        return [fact.line.text for fact in entities.read(text or "", id_, "").facts() if not fact.line.is_past]

    def _entity_of(self, path: str) -> str:
        kind, stem = self._kind(path), path.rpartition("/")[2].removesuffix(".md")
        if kind == "person":
            return f"person--{ids.slug(stem)}"
        return (
            f"project--{ids.slug(path.split('/')[-2])}"
            if kind.startswith("project_") and kind != "project_index"
            else ""
        )

    def _writer(self, found: Found) -> Writer:
        """Return the memory's writer, as of where and when something was said."""
        self._memory.place = Place(found.label, found.day, found.time)
        return self._memory

    # --- files

    def _file(self, path: str) -> None:
        rows = self._new.pop(path)
        held = self._held(path)
        near = filing.Near([new.text for _, new in rows], held)
        fresh = [(found, new) for found, new in rows if not filing.is_known(new.text, held, near)]
        self.done.known += len(rows) - len(fresh)
        if not fresh:
            return
        edit, standing = self._edit(path, fresh), self.door.text(path) or ""
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
                path, lambda text: ready if text == standing else edit(text).text, summary=_summary(made.added)
            )

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

    def _edit(self, path: str, rows: Sequence[tuple[Found, New]]) -> Callable[[str], filing.Filed]:
        """Return how a file gets some lines more, whatever it holds by then."""
        new = [each for _, each in rows]
        today, first, kind = self.run.today, rows[0][0], self._kind(path)
        if path == MEMORY:
            return lambda text: _with(core_sections.filed(text, new, self.caps), core_sections.with_count, today)
        order = layout.SECTIONS.get(kind, ())
        if kind == "journal":
            sessions = list(dict.fromkeys(each.session for found, _ in rows for each in sources.parse(found.source)))
            return lambda text: journal.filed(text, path, new, day=first.day, sessions=sessions)
        title = first.change.title

        def edit(text: str) -> filing.Filed:
            made = filing.filed(text or self._begun(path, kind, title, first), path, new, order=order)
            newest = max((each.day for each in made.added), default="")
            return made._replace(text=documents.with_updated(made.text, newest))

        return edit

    def _begun(self, path: str, kind: str, title: str, found: Found) -> str:
        """Return a new file, with a link to the entity whose facts stand in the memory."""
        named = {"project_context": f"{title} — Architecture Context", "project_progress": f"{title} — Progress"}
        text = layout.new(kind, title=named.get(kind, title), today=found.day, **found.change.head)
        id_ = self._entity_of(path)
        return f"{text}\nFacts: [[{id_}]]\n" if id_ and kind in ("person", "project_context") else text

    # --- lists

    def _note(self, path: str, found: Found) -> None:
        """Keep that something was said of a project or person, and that the memory knows them by name."""
        id_ = self._entity_of(path)
        if not id_:
            return
        self._newest = max(self._newest, found.day)
        name = found.change.title or id_.partition("--")[2]
        self._writer(found).entity(id_, name)
        if id_.startswith("person--"):
            self._people[name] = path
        else:
            self._projects[id_.partition("--")[2]] = self.layout.project(path.split("/")[-2], CONTEXT)

    def _lists(self) -> None:
        today = self._newest
        if self._projects:
            rows = [lists.row(slug, self._text(path), path, STATE, DECISIONS) for slug, path in self._projects.items()]
            path = f"{self.layout.projects}/{ACTIVE}"
            self.door.edit(path, lambda text: lists.active(text, rows, today), summary=f"{len(rows)} active")
        if self._people:
            people = [lists.row(name, self._text(path), path, HISTORY) for name, path in self._people.items()]
            path = f"{self.layout.people}/{INDEX}"
            self.door.edit(path, lambda text: lists.index(text, people, today), summary=f"{len(people)} named")

    def _text(self, path: str) -> str:
        return self.door.text(path) or ""

    def _written(self, found: Found, path: str, section: str) -> Written:
        return Written(found.extractor, path, section, found.text, found.source, found.label)


def _with(made: filing.Filed, head: Callable[[str, str], str], today: str) -> filing.Filed:
    return made._replace(text=head(made.text, today)) if made.added else made


def _summary(added: Sequence[New]) -> str:
    """Return what was done to a file, without its words: these must be forgettable."""
    sections = ", ".join(dict.fromkeys(each.section for each in added))
    return f"{len(added)} {'line' if len(added) == 1 else 'lines'}: {sections}"
