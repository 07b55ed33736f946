"""What goes into one context: its parts, the room that is left, and why something is in it or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from koog.context import budget
from koog.context.assembly import MISSES, Part
from koog.context.texts import Texts
from koog.core.errors import KoogError
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.core.text import trust
from koog.core.text.shares import Amount, Piece
from koog.search import origins

# Why something is in the text or not.
TAKEN, BUDGET, SLOT_FULL, BELOW_CUT = "taken", "budget", "slot-full", "below-cut"
INCLUDED, MISSING, UNREADABLE = "already-included", "missing", "unreadable"
PRIVATE, OTHER, WITHHELD = "private-session", "other-project", "withheld"
INACTIVE, INACTIVE_MODULE = "inactive-topic", "inactive-module"


class Row(NamedTuple):
    """One thing that was considered: a file, or a passage where there is a score."""

    kind: str
    path: str
    lines: str
    taken: bool
    why: str
    score: float | None = None


class Contents:
    """The parts of one context and what room is left, in units of a token."""

    def __init__(self, run: Run, *, room: int) -> None:
        self.run, self.left = run, max(0, room)
        self.texts = Texts(run)
        self.parts: list[Part] = []
        self.rows: list[Row] = []

    def put(self, part: Part, room: Amount, order: Sequence[int] | None = None, *, misses: int = MISSES) -> Amount:
        """Fill a part by this order within a room and what is left; return what it added, and note in it why no more.

        A part that is put again grows. What steers is withheld, unless a person is behind it or has let it in.
        """
        wanted = range(len(part.pieces)) if order is None else order
        had, before = set(part.chosen), part.amount()
        part.take(wanted, Amount(min(room.units, self.left), room.size), misses=misses)
        is_whole = part.silent.union(part.chosen).issuperset(wanted)
        category = self.category(part.path)
        if category not in origins.APPROVED:
            kind = trust.KEPT if {part.kind, category} & origins.KEPT else trust.SHOWN
            part.withhold(part.chosen - had, kind=kind)
        used = part.amount().minus(before)
        self.left -= used.units
        if part not in self.parts:
            self.parts.append(part)
        part.why = TAKEN if is_whole else self._short_of(part, wanted)
        return used

    def not_taken(self, kind: str, path: str, why: str) -> None:
        self.rows.append(Row(kind, path, "", False, why))

    @property
    def is_group(self) -> bool:
        return self.texts.who.is_group

    def left_out(self, kind: str, path: str) -> str:
        """Note that the reader is not told a file, or not all of it; return why. A group does not learn which one."""
        row = Row(kind, "", "", False, PRIVATE) if self.is_group else Row(kind, path, "", False, OTHER)
        if row not in self.rows:
            self.rows.append(row)
        return row.why

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
        """Return the indices of a file's pieces that some part has, or withholds, by whatever name it has the file."""
        own = self.texts.own_name
        parts = [part for part in self.parts if part.path == path or own(part.path) == own(path)]
        return set().union(*(part.chosen | part.silent for part in parts))

    def kb(self, key: str) -> Amount:
        """Return the room of a slot by its key in the config, `context.*Kb`."""
        return budget.kilobytes(self.run.settings.get(f"context.{key}"), units=self.left)

    def _short_of(self, part: Part, wanted: Iterable[int]) -> str:
        missing = part.amount(part.chosen.union(wanted)).minus(part.amount())
        return SLOT_FULL if missing.units <= self.left else BUDGET
