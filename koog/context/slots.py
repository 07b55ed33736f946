"""What goes where: the fixed slots P0 and P1 and the topics' P2, each within its room.  [autopoiesis §6.2, §6.3]

Filled by priority, and shown in the order of assembly.KINDS. Beyond the seed the effective playbook and the
observations are P1 too: each as large as the core memory, and both together half of what the seed's own sources leave.
Nothing of P0 and P1 depends on the message: it is the beginning that a provider's cache holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from koog.context import budget
from koog.context.assembly import MISSES, Part
from koog.context.budget import Amount
from koog.context.pieces import Piece
from koog.context.texts import OBSERVATIONS, Texts
from koog.core.errors import KoogError
from koog.core.run import Run

if TYPE_CHECKING:
    from koog.topics.topics import Topic

# Why something is in the text or not.
TAKEN, BUDGET, SLOT_FULL, BELOW_CUT = "taken", "budget", "slot-full", "below-cut"
INCLUDED, MISSING, UNREADABLE, PRIVATE = "already-included", "missing", "unreadable", "private-session"
INACTIVE, INACTIVE_MODULE = "inactive-topic", "inactive-module"

MAIN, GROUP = "main", "group"
IDENTITY_FOLDER = "knowledge/identity"
IDENTITY_FILES = ("SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md")
IDENTITY_NAMES = ("soul", "user", "rules", "agents", "tools")  # of the folder's files, in this order; others behind
CORE_MEMORY = ("MEMORY.md", "knowledge/memory/MEMORY.md")
JOURNAL_FOLDER = "knowledge/journal"
PROJECTS = "knowledge/projects/_active.md"
PROJECTS_KB = 1
# Categories of the search that only the person's own sessions see: told in private, or made of what was.
PRIVATE_KINDS = ("memory", "observation", "episode", "conversation", "vault")
MARKS = ("🔴", "🟡")  # of observations, the most important first


class Row(NamedTuple):
    """One thing that was considered: a file, or a passage where there is a score."""

    kind: str
    path: str
    lines: str
    taken: bool
    why: str
    score: float | None = None


class Contents:
    """The parts of one context and what room is left, in quarters of a token."""

    def __init__(self, run: Run, *, room: int, session: str) -> None:
        self.run, self.session, self.left = run, session, max(0, room)
        self.texts = Texts(run)
        self.parts: list[Part] = []
        self.rows: list[Row] = []

    def put(self, part: Part, room: Amount, order: Sequence[int] | None = None, *, misses: int = MISSES) -> Amount:
        """Fill a part by this order within a room and what is left; return what it added, and note in it why no more.

        A part that is put again grows.
        """
        wanted = range(len(part.pieces)) if order is None else order
        used = part.take(wanted, Amount(min(room.quarters, self.left), room.size), misses=misses)
        self.left -= used.quarters
        if part not in self.parts:
            self.parts.append(part)
        part.why = TAKEN if part.chosen.issuperset(wanted) else self._short_of(part, wanted)
        return used

    def not_taken(self, kind: str, path: str, why: str) -> None:
        self.rows.append(Row(kind, path, "", False, why))

    def is_private(self, path: str) -> bool:
        """Return whether this session must not see a file."""
        return self.session == GROUP and self.category(path) in PRIVATE_KINDS

    @cached_property
    def active_modules(self) -> frozenset[str]:
        """Return the folders of the modules that somebody has read and activated; none where nobody can tell."""
        from koog.playbook import stack

        workspace = self.run.workspace
        try:
            return frozenset(workspace.in_modules(name) for name, _ in stack.merged(workspace))
        except KoogError:  # the playbook's part has told it
            return frozenset()

    def is_inactive_module(self, path: str) -> bool:
        """Return whether a file is a module's that does not count: suspended, or imported and not yet read."""
        return self.category(path) == "module" and path.rpartition("/")[0] not in self.active_modules

    def pieces(self, path: str) -> Sequence[Piece]:
        """Return a file's pieces; of the effective playbook those that koog computes, whatever its file says."""
        playbook = self.playbook
        return playbook.pieces if playbook and playbook.path == path else self.texts.pieces(path)

    @property
    def playbook(self) -> Part | None:
        """Return the effective playbook's part, None when it is empty or could not be read."""
        return next((part for part in self.parts if part.kind == "playbook"), None)

    def category(self, path: str) -> str | None:
        """Return what the search takes a file for, None when it does not cover it."""
        return self.texts.roots.category(path)

    def included(self, path: str) -> set[int]:
        """Return the indices of a file's pieces that some part has."""
        return set().union(*(part.chosen for part in self.parts if part.path == path))

    def kb(self, key: str) -> Amount:
        """Return the room of a slot by its key in the config, `context.*Kb`."""
        return budget.kilobytes(self.run.settings.get(f"context.{key}"), quarters=self.left)

    def _short_of(self, part: Part, wanted: Iterable[int]) -> str:
        missing = part.amount(part.chosen.union(wanted)).minus(part.amount())
        return SLOT_FULL if missing.quarters <= self.left else BUDGET


# P0


def identity(contents: Contents) -> None:
    """Who the agent is and how it works: always there, cut at passages with a warning when it is too long."""
    room = contents.kb("identityKb")
    cut = []
    for path in _identity_files(contents):
        if pieces := contents.texts.pieces(path):
            part = Part("identity", path, pieces)
            room = room.minus(contents.put(part, room))
            if part.why != TAKEN:
                cut.append(path)
    if cut:
        contents.run.warnings.append(f"identity does not fit its room and is cut: {', '.join(cut)}")


def _identity_files(contents: Contents) -> list[str]:
    def rank(name: str) -> tuple[int, str]:
        stem = name.removesuffix(".md").lower()
        return (IDENTITY_NAMES.index(stem) if stem in IDENTITY_NAMES else len(IDENTITY_NAMES)), name

    names = contents.run.workspace.names(IDENTITY_FOLDER, ".md")
    return [f"{IDENTITY_FOLDER}/{name}" for name in sorted(names, key=rank)] or list(IDENTITY_FILES)


# P1


def session(contents: Contents) -> None:
    """What every session begins with: core memory, journal, projects; then playbook and observations."""
    _memory(contents)
    _journal(contents)
    _put_file(contents, "projects", PROJECTS, budget.kilobytes(PROJECTS_KB, quarters=contents.left))
    extra = Amount(int(contents.left * budget.EXTRA_SHARE), contents.kb("memoryKb").size)
    used = _playbook(contents, extra)
    _observations(contents, Amount(extra.quarters - used.quarters, extra.size))


def _memory(contents: Contents) -> None:
    path = next((path for path in CORE_MEMORY if contents.texts.exists(path)), None)
    if path and contents.is_private(path):
        contents.not_taken("memory", path, PRIVATE)
    elif path:
        _put_file(contents, "memory", path, contents.kb("memoryKb"))


def _journal(contents: Contents) -> None:
    """Take today's notes first and of each its end: what was written last. Yesterday's are shown before them."""
    today = date.fromisoformat(contents.run.today)
    days = [today, today - timedelta(days=1)]
    room = contents.kb("journalKb")
    shown: list[Part] = []
    for paths in (_of_day(contents, day) for day in days):
        parts = [Part("journal", path, pieces) for path in paths if (pieces := contents.texts.pieces(path))]
        for part in parts:
            room = room.minus(contents.put(part, room, range(len(part.pieces) - 1, -1, -1)))
        shown = parts + shown
    contents.parts = [part for part in contents.parts if part not in shown] + shown


def _of_day(contents: Contents, day: date) -> list[str]:
    """Return the paths of a day's journal, else of its daily notes."""
    journal = f"{JOURNAL_FOLDER}/{day}.md"
    return [journal] if contents.texts.exists(journal) else _daily_notes(contents, day)


def _daily_notes(contents: Contents, day: date) -> list[str]:
    """Return the paths of a day's notes: the note itself, then those with a slug."""
    workspace = contents.run.workspace
    names = [n for n in workspace.names(workspace.memory, ".md") if n == f"{day}.md" or n.startswith(f"{day}-")]
    return [workspace.in_memory(name) for name in sorted(names, key=lambda name: (name != f"{day}.md", name))]


def _playbook(contents: Contents, room: Amount) -> Amount:
    from koog.playbook import document, stack

    workspace = contents.run.workspace
    path = workspace.in_memory(document.EFFECTIVE)
    try:
        text = stack.effective(workspace)
    except KoogError as e:
        contents.run.warnings.append(f"playbook: {e.message}")
        contents.not_taken("playbook", path, UNREADABLE)
        return Amount()
    return _put_pieces(contents, Part("playbook", path, contents.texts.of(text, path=path)), room)


def _observations(contents: Contents, room: Amount) -> None:
    path = contents.run.workspace.in_memory(OBSERVATIONS)
    if contents.is_private(path):
        contents.not_taken("observations", path, PRIVATE)
        return
    pieces = contents.texts.pieces(path)
    newest_first = range(len(pieces) - 1, -1, -1)
    order = sorted(newest_first, key=lambda i: _importance(pieces[i]))
    _put_pieces(contents, Part("observations", path, pieces), room, order)


def _importance(piece: Piece) -> int:
    return next((rank for rank, mark in enumerate(MARKS) if mark in piece.text), len(MARKS))


# P2


class Subscribed(NamedTuple):
    """What became of one of a topic's subscriptions."""

    path: str
    why: str


def topics(contents: Contents, active: Sequence[Topic]) -> dict[str, list[Subscribed]]:
    """Put in what active topics say and what they subscribe to, most important first; return it by topic."""
    room = contents.kb("topicKb")
    found = {}
    for topic in active:
        own = room.size if topic.max_context_kb is None else min(room.size, int(topic.max_context_kb * budget.KB))
        left = Amount(room.quarters, own)
        used = _put_pieces(contents, Part("topic", topic.path, contents.texts.pieces(topic.path), of=topic.name), left)
        rows = []
        for path in dict.fromkeys(topic.subscriptions):
            why, added = _subscription(contents, topic, path, left.minus(used))
            rows.append(Subscribed(path, why))
            used = used.plus(added)
        found[topic.name] = rows
        room = room.minus(used)
    return found


def _subscription(contents: Contents, topic: Topic, path: str, room: Amount) -> tuple[str, Amount]:
    why = _unusable(contents, path)
    pieces = [] if why else contents.texts.pieces(path)
    order = [i for i in range(len(pieces)) if i not in contents.included(path)]
    if why or (pieces and not order):
        why = why or INCLUDED
        contents.not_taken("subscription", path, why)
        return why, Amount()
    part = Part("subscription", path, pieces, of=topic.name)
    used = _put_pieces(contents, part, room, order)
    return part.why, used


def _unusable(contents: Contents, path: str) -> str | None:
    own = contents.texts.own_name(path)  # `./MEMORY.md`, or a link to it, is MEMORY.md
    if contents.is_private(own):
        return PRIVATE
    if contents.is_inactive_module(own):
        return INACTIVE_MODULE
    if contents.texts.exists(path):
        return None
    return UNREADABLE if path in contents.texts.unreadable else MISSING


def _put_file(contents: Contents, kind: str, path: str, room: Amount) -> Amount:
    return _put_pieces(contents, Part(kind, path, contents.texts.pieces(path)), room)


def _put_pieces(contents: Contents, part: Part, room: Amount, order: Sequence[int] | None = None) -> Amount:
    return contents.put(part, room, order) if part.pieces else Amount()
