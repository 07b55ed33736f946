"""What is done to the observations: operations on their lines, as far as the laws allow.  [design §4, §5]

A reflector asks to remove, merge, rewrite or link lines, each with a reason; core/text/edits.py anchors and does that.
Lines that came in meanwhile are none of its business and stay. Where the file is over its limit, whole lines yield.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date
from sys import maxsize
from typing import Any

from koog.core.errors import Refused
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import edits
from koog.core.text.edits import Edit, Edits, Slot
from koog.core.text.observation import OF_AGENT
from koog.core.text.untrusted import clean
from koog.observe import observations, reflection_laws
from koog.observe.judgement import IN_GROUP
from koog.observe.observations import Line, Observation
from koog.sessions.labels import NONE, Label

LEAST_LEFT = 0.2  # share of the words that an answer must leave
ROOM = 0.9  # share of the limit that a file over it is brought under: not every new line is to make others go
LINES = {"remove": (1, maxsize), "merge": (2, maxsize), "rewrite": (1, 1), "link": (2, 2)}  # least, most
YIELD = "yield"  # asked by nobody: what goes because the file is over its limit

Operation = Edit


class Told(NamedTuple):
    """One thing that was done, or not done.

    kind   dropped, merged, rewritten, linked, kept
    label  whose line it is, or who was asked about
    row    as the reply has it
    """

    kind: str
    label: Label
    row: dict[str, Any]


@dataclass
class Reflected:
    """The new text, what is true of it compared with the old one, and of which lines which was made."""

    text: str
    told: list[Told] = field(default_factory=list)
    made: list[tuple[list[Observation], Observation]] = field(default_factory=list)

    def then(self, other: Reflected, told: Iterable[Told] = ()) -> Reflected:
        """Return what was done with what was done to its text afterwards. told: what was not even tried"""
        return Reflected(other.text, [*self.told, *told, *other.told], self.made + other.made)

    def rows(self, kind: str, heard: AbstractSet[Label] | None = None) -> list[dict[str, Any]]:
        """Return what was done of one kind. heard: only of these"""
        return [t.row for t in self.told if t.kind == kind and (heard is None or t.label in heard)]


def anchor(raw: Sequence[Mapping[str, Any]], lines: Sequence[Observation]) -> tuple[list[Operation], list[Told]]:
    """Return the operations with the text of their lines, and those that name lines there are not.

    lines   what the engine saw as line 1, 2, …: all of one project or group
    """
    found, refused = edits.anchor(raw, _rows(lines), kind=Operation, counts=LINES, what="lines")
    label = lines[0].label if lines else NONE
    return found, [Told("kept", label, {"line": line, "reason": why}) for line, why in refused]


def check(operations: Sequence[Operation], lines: Sequence[Observation]) -> None:
    """Raise Refused for an answer that would leave more words than there are, or under a fifth of them."""
    changing = [operation for operation in operations if operation.op != "link"]
    if why := edits.loss(changing, _rows(lines), size=observations.words, least=LEAST_LEFT):
        raise Refused(f"reflect: {why}")


def reflect(text: str, operations: Sequence[Operation], *, today: date) -> Reflected:
    """Return the text after the operations that the laws allow."""
    work = _work(text, today)
    laws = {"remove": work.remove, "merge": work.merge, "rewrite": work.rewrite, "link": work.link}
    work.lines.apply(operations, laws)
    return work.result()


def fitted(text: str, limit: int, *, today: date, may_yield: Callable[[Label], bool] = lambda _: True) -> Reflected:
    """Return a text over its limit of words without what weighs least and is not of this week, as far as needed.

    may_yield   whether the lines of a project may go
    """
    work = _work(text, today)
    if observations.words(text) > limit:
        work.fit(ROOM * limit, may_yield)
    return work.result()


def _rows(lines: Sequence[Observation]) -> list[str]:
    """Return by what lines are found again: with their days, or the same words of two days would be one line."""
    return [observations.written(o) for o in lines]


def _work(text: str, today: date) -> _Work:
    # What stands in a fence is no line of anybody's here: no operation finds it, and it does not yield.
    own = [line._replace(seen=None) if line.is_fenced else line for line in observations.lines(text)]
    lines = [(observations.written(line.seen) if line.seen else "", line) for line in own]
    work = _Work(Edits.of(lines), Reflected(text), today)
    above: Slot[Line] | None = None
    for slot in work.lines.slots:
        if slot.was.seen:
            above = slot
        elif above and not slot.was.is_fenced and slot.was.raw[:1] in (" ", "\t") and slot.was.raw.strip():
            work.below[above].append(slot)
        else:
            above = None
    return work


@dataclass
class _Work:
    """The lines under edit, and what is told of it: what each operation does, and when it is refused.

    below   the indented lines that a person wrote under one: they belong to it
    heirs   of a line that went for a newer one, which one that is
    """

    lines: Edits[Line]
    done: Reflected
    today: date
    below: defaultdict[Slot[Line], list[Slot[Line]]] = field(default_factory=lambda: defaultdict(list))
    heirs: dict[Slot[Line], Slot[Line]] = field(default_factory=dict)

    def result(self) -> Reflected:
        self._unlink()
        if any(slot.by for slot in self.lines.slots):
            self.done.text = _rendered(self.lines.slots)
        self.done.told += [_told("kept", line, why) for line, why in self.lines.refused]
        return self.done

    def merge(self, operation: Operation, found: Sequence[Slot[Line]]) -> None:
        """Join lines, those that the laws let be joined: the others stay beside them."""
        stays = found[reflection_laws.home(_observed(found))]
        for slot in found:
            if slot is not stays and slot in self.below:
                self._refuse(operation, slot, "more is written under it")
        found = [slot for slot in found if slot is stays or slot not in self.below]
        if len(found) == 1:
            return
        seen = _observed(found)
        text = _worded(operation, seen[0])
        new, refused = reflection_laws.joined(text, seen)
        for slot, why in zip(found, refused, strict=True):
            if why:
                self._refuse(operation, slot, why)
        joining = [slot for slot, why in zip(found, refused, strict=True) if not why]
        if new is None:
            return
        old = _observed(joining)
        home = joining[reflection_laws.home(old)]
        self.lines.join(operation, joining, home, _line(home, new))
        self._tell("merged", home, lines=[o.text for o in old], into=new.text, reason=operation.reason)
        self.done.made.append(([part.was.seen for part in home.parts if part.was.seen], new))

    def rewrite(self, operation: Operation, found: Sequence[Slot[Line]]) -> None:
        (slot,), (old,) = found, _observed(found)
        new, why = reflection_laws.rewritten(_worded(operation, old), old)
        if new is None:
            self._refuse(operation, slot, why)
            return
        self.lines.put(operation, slot, _line(slot, new))
        self._tell("rewritten", slot, **{"from": old.text, "to": new.text, "reason": operation.reason})
        self.done.made.append(([old], new))

    def remove(self, operation: Operation, found: Sequence[Slot[Line]]) -> None:
        """Remove lines, each if the laws let it go; what takes the place of one weighs as much from then on.

        The newer line need not stand itself: it can only have gone for a still newer one, or into another.
        """
        place = self.lines.place(operation.newer)
        by = place.now.seen if place else None
        for slot, old in zip(found, _observed(found), strict=True):
            if slot is place:
                continue  # the two were joined
            if why := reflection_laws.why_not_remove(old, by, today=self.today):
                self._refuse(operation, slot, why)
                continue
            self._drop(operation, slot, operation.reason)
            if place and by and reflection_laws.older(old, by):
                self.heirs[slot] = place
                self._inherit(operation, place, old.importance)

    def _inherit(self, operation: Operation, slot: Slot[Line], importance: int) -> None:
        """Let the line that holds in the end weigh as much as the one that it puts right."""
        while slot.gone and slot in self.heirs:
            slot = self.heirs[slot]
        o = slot.now.seen
        if o and not slot.gone and o.importance < importance:
            self.lines.put(slot.by or operation, slot, _line(slot, o._replace(importance=importance)))

    def link(self, operation: Operation, found: Sequence[Slot[Line]]) -> None:
        """Let two lines that may not both hold name each other: which of them does is for who reads them together."""
        seen = _observed(found)
        new = [reflection_laws.linked(o, other) for o, other in zip(seen, reversed(seen), strict=True)]
        if new != seen:
            for slot, o in zip(found, new, strict=True):
                self.lines.put(slot.by or operation, slot, _line(slot, o))
            self._tell("linked", found[0], lines=[o.text for o in seen], reason=operation.reason)

    def _unlink(self) -> None:
        """Let no line name one that was dropped: who follows the link would find nothing."""
        if not (gone := self._gone()):
            return
        for slot in self.lines.slots:
            o = None if slot.gone else slot.now.seen
            lost = [place for place in o.against if (o.label, place) in gone] if o else []
            if o and lost:
                by = slot.by or gone[o.label, lost[0]]
                self.lines.put(by, slot, _line(slot, reflection_laws.unlinked(o, lost)))

    def _gone(self) -> dict[tuple[Label, str], Operation]:
        """Return where nothing stands any more, and what has dropped it; what went into another line stands there."""
        gone: dict[tuple[Label, str], Operation] = {}
        standing = set[tuple[Label, str]]()
        for slot in self.lines.slots:
            o = None if slot.into else slot.now.seen
            own = [(o.label, place) for place in reflection_laws.places(o)] if o else []
            if not slot.gone:
                standing.update(own)
            elif slot.by:
                gone.update(dict.fromkeys(own, slot.by))
        return {place: by for place, by in gone.items() if place not in standing}

    def fit(self, most: float, may_yield: Callable[[Label], bool]) -> None:
        """Drop whole lines until the file is short enough: what weighs least first, of that the oldest."""
        free = [
            (o, slot)
            for slot in self.lines.slots
            if not slot.gone and (o := slot.now.seen) and may_yield(o.label) and reflection_laws.yields(o, self.today)
        ]
        left = observations.words(_rendered(self.lines.slots))
        for o, slot in sorted(free, key=lambda each: (each[0].importance, each[0].day, each[0].time)):
            if left <= most:
                break
            left -= sum(observations.words(each.now.raw) for each in (slot, *self.below.get(slot, [])))
            why = f"{o.mark} of {o.day}, and the file is over its limit"
            self._drop(Operation(YIELD, (slot.line,)), slot, why)

    def _drop(self, operation: Operation, slot: Slot[Line], why: str) -> None:
        below = self.below.get(slot, [])
        for each in (slot, *below):
            self.lines.drop(operation, each)
        self.done.told.append(_told("dropped", slot.now.raw, why, more=[each.was.raw for each in below]))

    def _refuse(self, operation: Operation, slot: Slot[Line], why: str) -> None:
        self.lines.refuse(operation, slot.line, why)

    def _tell(self, kind: str, slot: Slot[Line], **row: Any) -> None:
        label = slot.was.seen.label if slot.was.seen else NONE
        self.done.told.append(Told(kind, label, row))


def _observed(found: Sequence[Slot[Line]]) -> list[Observation]:
    return [slot.now.seen for slot in found if slot.now.seen]  # only observations can be named


def _worded(operation: Operation, first: Observation) -> str:
    """Return an engine's words as those of an observation; in a group they stay somebody's word."""
    text = observations.plain(asked := clean(operation.text or ""))
    if len(" ".join(asked.split())) > observations.MAX_TEXT or not text:
        return ""  # a line is never cut
    speaker = IN_GROUP if first.label.is_group else OF_AGENT if first.text.startswith(OF_AGENT) else ""
    return speaker + text.removeprefix(IN_GROUP).removeprefix(OF_AGENT)


def _line(slot: Slot[Line], new: Observation) -> Line:
    end = slot.was.raw[len(slot.was.raw.rstrip("\r\n")) :]
    return slot.was._replace(raw=observations.written(new) + end, seen=new)


# --- the text, and what happened to it


def _rendered(slots: Sequence[Slot[Line]]) -> str:
    """Return the file: a line that did not change byte for byte, a day that was emptied without its heading."""
    rows: list[str] = []
    for group in _groups(slots):
        left = [slot.now.raw for slot in group if not slot.gone]
        emptied = len(left) < len(group) and not any(raw.strip() for raw in left[1:])
        if not (emptied and _is_heading(group[0])):
            rows += left
    return "".join(rows)


def _groups(slots: Sequence[Slot[Line]]) -> list[list[Slot[Line]]]:
    groups: list[list[Slot[Line]]] = [[]]
    for slot in slots:
        if _is_heading(slot):
            groups.append([])
        groups[-1].append(slot)
    return [g for g in groups if g]


def _is_heading(slot: Slot[Line]) -> bool:
    return bool(compiled(observations.DATE).match(slot.was.raw))


def _told(kind: str, row: str, reason: str, *, more: Sequence[str] = ()) -> Told:
    (seen,) = observations.observations(row)
    shown = " ".join([seen.mark, seen.text, *(each.strip() for each in more)])
    return Told(kind, seen.label, {"line": shown, "reason": reason})
