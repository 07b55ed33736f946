"""Transcripts as they are written: several in one step, each with how far its session was taken.  [autopoiesis §8.2]

What is put on a page waits in memory until `flush`, which writes pages and ledger as one transaction over the raw root
and the workspace. An open page only grows. The last thing that is done to it replaces it once, its frontmatter made
whole and its body byte for byte, and closes it to everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.files import raw_root
from koog.core.git import conversations
from koog.knowledge import cursors
from koog.knowledge.transcripts import changes, format, ledger, naming
from koog.knowledge.transcripts.format import Head, Last, Turn
from koog.knowledge.transcripts.ledger import Open
from koog.sessions.turn import Cursor, Spent

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run

FULL_CHARS = 16 << 20  # of one transcript: what follows begins another, since koog reads no file of any size
WAITING_CHARS = 4 << 20  # in memory, until they are written
WAITING_PAGES = 200
NOTHING = Spent()


@dataclass
class Page:
    """One transcript at work.

    key    of the session
    open   what the ledger says of it
    head   of one that is new; of one that ends what its frontmatter gets beside what stands there
    text   what waits to be written, and of how many turns
    size   characters, about
    """

    key: str
    open: Open
    head: Head | None = None
    text: list[str] = field(default_factory=list)
    turns: int = 0
    size: int = 0
    ends: datetime | None = None
    told: Head = field(default_factory=Head)

    @property
    def is_full(self) -> bool:
        return self.size >= FULL_CHARS

    def put(self, turns: Sequence[Turn], spent: Spent = NOTHING) -> None:
        """Put turns on it, as they can be written."""
        text, last = format.written(turns, self.open.last)
        at = turns[-1].at if turns else self.open.at
        self.open = self.open._replace(at=at, last=last, spent=self.open.spent + spent)
        self.text.append(text)
        self.turns += len(turns)
        self.size += len(text)


class Pages:
    """The transcripts of one workspace. Only under the lock that whoever takes sessions holds, or for one command."""

    def __init__(self, run: Run) -> None:
        run.workspace.make_raw()
        self.run, self.workspace = run, run.workspace
        self.ledger = ledger.load(self.workspace)
        self.changes = changes.Changes(self.workspace)
        self.waiting: list[Page] = []
        self.cursors: dict[str, Cursor] = {}
        self.ended: list[str] = []

    def of(self, key: str) -> Page | None:
        """Return the open transcript of a session, None where there is none, or somebody has taken it away."""
        known = self.ledger.open.get(key)
        if known is None:
            return None
        info = self.workspace.transcripts.info(raw_root.inner(known.path))
        if not self.workspace.exists(known.path) or raw_root.has_ended(info):
            return None
        page = Page(key, known, size=self.workspace.size(known.path) or 0)
        self.waiting.append(page)
        return page

    def begin(self, key: str, head: Head, *, past: int = 0) -> Page:
        """Begin a transcript. Raises WorkspaceError where a hundred are called the same.

        past   how much has changed in its first minute before
        """
        for number in range(1, 100):
            path = naming.path(head.label, head.started, head.session, head.topic, number=number)
            if not self.workspace.exists(path) and all(page.open.path != path for page in self.waiting):
                opened = Open(path, head.started, Last(head.started.date()), past=past)
                page = Page(key, opened, head, [format.begun(head)])
                self.waiting.append(page)
                return page
        raise WorkspaceError(f"{path} and a hundred others are there", hint="look at them")

    def name(self, page: Page, topic: str) -> None:
        """Let an open transcript that was begun without a topic be called by one; any other keeps its name.

        So does one of which something was extracted: how far that is goes by the name.
        """
        if page.open.path in cursors.load(self.workspace).transcripts:
            return
        for number in range(1, 100):
            path = naming.renamed(page.open.path, topic, number=number)
            if path == page.open.path or not self.workspace.exists(path):
                break
        if path == page.open.path or self.workspace.exists(path):
            return
        with self.workspace.writing() as door:
            door.move(page.open.path, path, summary="its topic is known")
            page.open = page.open._replace(path=path)
            self._note(door, [page])

    def end(self, page: Page, at: datetime | None = None, *, told: Head | None = None) -> None:
        """Let a transcript end with what is on it. at: when; by default with its last turn"""
        page.ends = at or page.open.at
        page.told = told or page.told

    @property
    def is_heavy(self) -> bool:
        """Return whether enough waits to be written."""
        waiting = [page for page in self.waiting if page.text or page.ends]
        return len(waiting) >= WAITING_PAGES or sum(map(_size, waiting)) >= WAITING_CHARS

    def flush(self) -> None:
        """Write what waits, all of it or nothing. Raises WorkspaceError, Busy."""
        pages = [page for page in self.waiting if page.text or page.ends]
        if not pages and not self.cursors:
            return
        self.run.commits.hold(resting=True)
        try:
            with self.workspace.writing() as door:
                for page in pages:
                    self._write(door, page)
                self._note(door, pages)
        finally:
            self.run.commits.release()
        self.ended += [page.open.path for page in pages if page.ends]
        self.waiting = [page for page in self.waiting if not page.ends]
        for page in self.waiting:
            page.head, page.text, page.turns = None, [], 0
        self.cursors = {}

    def keep(self) -> list[str]:
        """Commit what has ended, in the transcripts' own repository; return the commits' short hashes."""
        return conversations.keep(self.run.commits, slug=self._slug)

    def _slug(self, path: str) -> str:
        return naming.slug_of(path, self.workspace.text(path) or "")

    def _write(self, door: Door, page: Page) -> None:
        path, text = page.open.path, "".join(page.text)
        if text:
            many = f"{page.turns} {'turn' if page.turns == 1 else 'turns'}"
            door.append(path, text, summary=many if page.turns else "a session begins")
        if page.ends:
            whole = self._whole(format.read(door.text(path) or ""), page)
            slug = naming.slug_of(path, f"session_id: {format.value(whole.session)}")
            door.edit(path, lambda t: format.ended(t, whole), summary=f"ended: {slug}", mode=raw_root.ENDED)

    def _whole(self, found: format.Transcript, page: Page) -> Head:
        """Return the frontmatter of a transcript that ends."""
        head, told, spent = found.head, page.told, page.open.spent
        end = max([page.ends or head.started, head.started, *(turn.at for turn in found.turns)])
        changed = [] if head.label.is_group else self._changed(page, found, end)
        return head._replace(
            ended=end,
            model=told.model or spent.model or head.model,
            channel=told.channel or head.channel,
            topic=told.topic or head.topic or naming.topic(found.turns),
            tags=tuple(dict.fromkeys((*head.tags, *told.tags))) or naming.tags(found.turns),
            tokens_in=told.tokens_in or spent.tokens_in,
            tokens_out=told.tokens_out or spent.tokens_out,
            knowledge_changes=changes.told(changed),
        )

    def _changed(self, page: Page, found: format.Transcript, end: datetime) -> list[changes.Changed]:
        """Return what changed meanwhile: what the audit log tells, and what somebody said that he has done."""
        logged = self.changes.between(found.head.started, end)[page.open.past :]
        return sorted([*logged, *changes.reported(found.turns)], key=lambda row: row.at)

    def _note(self, door: Door, pages: Sequence[Page]) -> None:
        opened = {page.key: None if page.ends else page.open for page in pages}
        ended = {page.key for page in pages if page.ends}
        moved = {key: ledger.slim(c) if key in ended else c for key, c in self.cursors.items()}
        door.edit(
            self.workspace.in_memory(ledger.NAME),
            lambda text: ledger.changed(text, opened=opened, cursors=moved),
            summary=_summary(pages),
        )


def _size(page: Page) -> int:
    return sum(map(len, page.text))


def _summary(pages: Sequence[Page]) -> str:
    turns = sum(page.turns for page in pages)
    return f"{turns} {'turn' if turns == 1 else 'turns'} taken" if pages else "nothing new"
