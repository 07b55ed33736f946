"""Files under edit: what a command is to put into the stores, staged file by file and written at once.

Of one file all changes are one edit, a function of its text: what a person saves meanwhile is kept, and what is to be
remembered is put into that. Audit lines and commits name ids and never the words: these must be forgettable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from koog.core.clock import iso
from koog.core.errors import Busy
from koog.core.named import NamedTuple
from koog.core.text import compare as comparing
from koog.core.text.compare import SAME
from koog.core.text.says import says
from koog.memory.fading import accesses
from koog.memory.store import changes, episodes, gate, ids
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.files.record import Cause
    from koog.core.run import Run
    from koog.memory.store.change import Change

Op = Callable[[str], str]
MOST_NAMED = 3  # ids in a summary


class Stored(NamedTuple):
    """What became of one thing.

    id         where it is now; of one that was known already, that one's
    created    whether anything was written for it
    replaced   ids of lines that it takes the place of
    against    ids of lines that do not go with it: both stay, and the entity asks which holds
    """

    id: str
    store: str
    path: str
    created: bool
    replaced: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    @property
    def fades(self) -> str:
        """Return the id of what fades: of a fact its entity."""
        id_ = ids.parse(self.id)
        return f"{ids.ENTITY}:{id_.entity}" if id_.kind == ids.FACT else self.id

    def with_more(self, other: Stored | None) -> Stored:
        """Return it with what else gave way to it, or stands against it."""
        if other is None:
            return self
        replaced, against = (
            tuple(dict.fromkeys((*mine, *more)))
            for mine, more in ((self.replaced, other.replaced), (self.against, other.against))
        )
        return self._replace(replaced=replaced, against=against)


class Place(NamedTuple):
    """Where and when something is said: its label, the user's day and minute."""

    label: Label
    day: str
    time: str


class Draft:
    """One file under edit: as it was read, as it is to be, and what leads from the one to the other."""

    def __init__(self, base: str, now: str) -> None:
        self.base, self.now = base, now
        self.ops: list[Op] = []
        self.ids: list[str] = []

    def apply(self, op: Op, id_: str) -> None:
        self.now = op(self.now)
        self.ops.append(op)
        self.ids.append(id_)

    def becomes(self, made: str, id_: str) -> None:
        """Make it one whole text, because something was taken out of it that is put elsewhere.

        Of a text that somebody saves meanwhile, something else would have to be taken out: `edit` is Busy then.
        """
        self.now = made
        self.ops.append(_saved)
        self.ids.append(id_)

    def edit(self, text: str) -> str:
        """Return a file's text with all that was done, also where somebody has saved it meanwhile."""
        return self.now if text == self.base else reduce(lambda t, op: op(t), self.ops, text)


class Drafts:
    """The files that are to change; nothing is written before `flush`."""

    def __init__(self, run: Run, door: Door, place: Place, *, cause: Cause | None = None) -> None:
        self.run, self.door, self.place, self.cause = run, door, place, cause
        self._files: dict[str, Draft] = {}
        self._grown: dict[str, list[Episode]] = {}
        self._accesses: list[str] = []
        self._changes: list[str] = []

    def in_memory(self, name: str) -> str:
        return self.run.workspace.in_memory(name)

    def file(self, path: str) -> Draft:
        """Return a file under edit, read once."""
        if path not in self._files:
            text = self.door.text(path) or ""
            self._files[path] = Draft(text, text)
        return self._files[path]

    def append(self, path: str, entry: Episode) -> None:
        """Let an episode be added to its day's file."""
        self._grown.setdefault(path, []).append(entry)

    def access(self, id_: str, *, store: str, base: float | None, why: str) -> None:
        """Note that something was written, where `base` is its first relevance, or that it was spoken of."""
        op = accesses.WRITE if base is not None else accesses.ACCESS
        self._accesses.append(accesses.line(iso(self.run.now), id_, op=op, store=store, base=base, why=why))

    def change(self, by: str, change: Change) -> None:
        """Note what a new line changes of lines that stay as they were written."""
        at = iso(self.run.now)
        for how, found in zip(changes.HOWS, change.kept, strict=True):
            self._changes += [changes.row(at, old, by, how) for old in found]

    def may_replace(self, old: Line) -> bool:
        """Return whether a line gives way by its id: of another place's only to the workspace's own."""
        return self.place.label in (NONE, old.label)

    def flush(self) -> None:
        """Stage all of it at the door."""
        for path, file in self._files.items():
            if file.ops:
                self.door.edit(path, file.edit, summary=_named(file.ids), cause=self.cause)
        for path, added in self._grown.items():
            is_new = self.door.text(path) is None
            text = "".join(f"\n{each.raw}" for each in added)
            head = episodes.header(added[0].day) if is_new else ""
            self.door.append(path, head + text, summary=_named([each.id for each in added]), cause=self.cause)
        if self._changes:
            path = self.in_memory(changes.FILE)
            self.door.append(path, "".join(self._changes), summary=f"{len(self._changes)} changes", cause=self.cause)
        if self._accesses:
            path = self.in_memory(accesses.FILE)
            self.door.append(path, "".join(self._accesses), summary=f"{len(self._accesses)} accesses", cause=self.cause)


def whole(made: str) -> Op:
    """Return what makes a file that is not there."""
    return lambda text: text or made


def compared(older: Line, newer: Line) -> str:
    """Return what a line is to one that stands there; lines of different places say nothing of each other, and those
    of different holders are two things.
    """
    if older.label != newer.label:
        return comparing.UNRELATED
    if older.hash == newer.hash:
        return SAME
    if not says(older.text).ideas & says(newer.text).ideas:
        return comparing.UNRELATED
    kind = comparing.compare(older.text, newer.text).kind
    is_apart = kind in (comparing.DISTINCT, comparing.UNRELATED)
    return kind if is_apart or gate.opens(older.text, newer.text) else comparing.DISTINCT


def _saved(_: str) -> str:
    raise Busy("the file was saved meanwhile", hint="try again")


def _named(found: Sequence[str]) -> str:
    """Return what a change is called: the ids, of many how many there are."""
    named = list(dict.fromkeys(found))
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"remembered {', '.join(named[:MOST_NAMED])}{more}"
