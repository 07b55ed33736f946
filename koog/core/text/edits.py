"""Operations on numbered lines: what an engine may ask of a text that it never hands back.  [design §4]

    anchor      what was asked, with the text of its lines: it finds them where a person has moved others meanwhile
    loss        why an answer would take too much, or bring more than there was
    Edits       the lines, with what became of each; the laws are a function for each operation

Merges come first, whatever the order. Who names a joined line then means what it was joined into: a removal for a
newer line takes that, and the duplicate does not stay behind. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from koog.core.named import NamedTuple

MERGE, REMOVE, LINK = "merge", "remove", "link"
CHANGED = "the line changed meanwhile"


@dataclass(frozen=True)
class Edit:
    """One operation.

    lines   whole lines, as the engine saw them
    newer   the line that stands in their place, for a removal that has one
    text    of a rewrite, an addition; of a merge None takes the text of one of its lines
    """

    op: str
    lines: tuple[str, ...]
    reason: str = ""
    newer: str | None = None
    text: str | None = None


class Refused(NamedTuple):
    """line: as it stood, or a text that names it"""

    line: str
    reason: str


T = TypeVar("T")
E = TypeVar("E", bound=Edit)


def anchor(
    raw: Sequence[Mapping[str, Any]],
    rows: Sequence[str],
    *,
    kind: type[E],
    counts: Mapping[str, tuple[int, int]],
    what: str,
    is_line: Callable[[str], object] = bool,
) -> tuple[list[E], list[Refused]]:
    """Return the operations with the text of their lines, and those that name lines there are not.

    rows     what the engine saw as line 1, 2, …
    counts   of each operation, how many lines it has, least and most; one of none has none, whatever it names
    is_line  whether a row may be touched at all
    """
    found, refused = list[E](), list[Refused]()
    named = {each.name for each in fields(kind)} - {"lines", "newer"}
    for given in raw:
        least, most = counts[given["op"]]
        single = [given["line"]] if given.get("line") is not None else []
        numbers = list(dict.fromkeys(given.get("lines") or single)) if most else []
        newer = given.get("newer")
        wanted = [*numbers, *([newer] if newer else [])]
        known = [rows[n - 1] for n in wanted if 1 <= n <= len(rows) and is_line(rows[n - 1])]
        if len(known) < len(wanted) or not least <= len(numbers) <= most or newer in numbers:
            refused.append(Refused(str(given.get("text") or f"lines {numbers}"), f"{given['op']}: no such {what}"))
            continue
        own = {name: given[name] for name in named & given.keys()}
        found.append(
            kind(
                **{**own, "reason": " ".join(str(given.get("reason") or "").split())},
                lines=tuple(known[: len(numbers)]),
                newer=known[-1] if newer else None,
            )
        )
    return found, refused


def loss(edits: Sequence[Edit], rows: Sequence[str], *, size: Callable[[str], int], least: float) -> str:
    """Return why an answer cannot be taken at its word, "" when it can: it would leave more, or under a share of it."""
    before, taken, after = sum(map(size, rows)), set[str](), 0
    for edit in edits:
        fresh = {line for line in edit.lines if line not in taken}
        taken |= fresh
        text = edit.text or (max(edit.lines, key=size) if edit.op == MERGE else "")
        after += (size(text) if edit.op != REMOVE else 0) - sum(map(size, fresh))
    after += before
    if after > before:
        return f"the answer would leave {after} words of {before}: more than there were"
    return f"the answer would leave {after} words of {before}: under {least:.0%}" if after < least * before else ""


@dataclass(eq=False)
class Slot(Generic[T]):
    """One line: as it stood, and what it says now.

    line   as engines saw it, "" for one that was added
    by     what touched it
    into   the line that says it now: it was joined with others
    parts  what stood there of what it says; empty when that is itself
    """

    line: str
    was: T
    now: T
    gone: bool = False
    by: Edit | None = None
    into: Slot[T] | None = None
    parts: list[Slot[T]] = field(default_factory=list)


@dataclass
class Edits(Generic[T]):
    """Lines under edit. A line is touched once; who names it again is told that it changed meanwhile."""

    slots: list[Slot[T]]
    refused: list[Refused] = field(default_factory=list)
    places: defaultdict[str, list[Slot[T]]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, lines: Iterable[tuple[str, T]]) -> Edits[T]:
        """Return lines as engines saw them, each with what it is."""
        made = cls([Slot(line, now, now) for line, now in lines])
        for slot in made.slots:
            made.places[slot.line].append(slot)
        return made

    @property
    def now(self) -> list[T]:
        return [slot.now for slot in self.slots if not slot.gone]

    def apply(self, edits: Sequence[E], laws: Mapping[str, Callable[[E, list[Slot[T]]], None]]) -> None:
        """Do the operations that find their lines; the law of each does it, or refuses."""
        for edit in sorted(edits, key=lambda each: each.op != MERGE):
            found = _found(edit, self.places)
            if found is None:
                self.refuse(edit, edit.lines[0], CHANGED)
            elif found or not edit.lines:
                laws[edit.op](edit, found)

    def place(self, line: str | None) -> Slot[T] | None:
        """Return where a line of the text is said now, or was when it went."""
        found = [_last(slot) for slot in self.places.get(line or "", ())] if line else []
        return next((slot for slot in found if not slot.gone), found[0] if found else None)

    def put(self, edit: Edit, slot: Slot[T], now: T) -> None:
        slot.by, slot.now = edit, now

    def drop(self, edit: Edit, slot: Slot[T]) -> None:
        slot.by, slot.gone = edit, True

    def join(self, edit: Edit, found: Sequence[Slot[T]], home: Slot[T], now: T) -> None:
        """Let one line stand for several, in the place of one of them."""
        home.parts = [part for slot in found for part in slot.parts or [slot]]
        for slot in found:
            self.drop(edit, slot)
            slot.into = home if slot is not home else None
        home.now, home.gone = now, False

    def insert(self, edit: Edit, at: int, rows: Sequence[T]) -> None:
        """Add lines before the one that stands at a place among those of `now`."""
        live = [n for n, slot in enumerate(self.slots) if not slot.gone]
        place = live[at] if at < len(live) else len(self.slots)
        self.slots[place:place] = [Slot("", row, row, by=edit) for row in rows]

    def refuse(self, edit: Edit, line: str, why: str) -> None:
        self.refused.append(Refused(line, f"{edit.op}: {why}"))


def _found(edit: Edit, places: Mapping[str, Sequence[Slot[T]]]) -> list[Slot[T]] | None:
    """Return what an operation's lines are now, equal ones each its own; None when one is missing.

    Without those that have gone where it wants them: into one line.
    """
    found: list[Slot[T]] = []
    for line in edit.lines:
        equal = [slot for slot in places.get(line, ()) if slot not in found]
        at = next((slot for slot in equal if not slot.by), None) or next((_last(s) for s in equal if _joined(s)), None)
        at = at or next((_last(slot) for slot in equal), None) if edit.op == LINK else at
        if at is None or (edit.op != LINK and (at.gone or (edit.op not in (MERGE, REMOVE) and at.by))):
            return None
        if at not in found and not at.gone:
            found.append(at)
    if edit.op in (MERGE, LINK):
        return found if len(found) > 1 else []
    is_joined = [slot for slot in found if slot.by and edit.op == REMOVE and not edit.newer]
    return [slot for slot in found if slot not in is_joined]


def _joined(slot: Slot[T]) -> bool:
    return slot.by is not None and slot.by.op == MERGE


def _last(slot: Slot[T]) -> Slot[T]:
    while slot.into:
        slot = slot.into
    return slot
