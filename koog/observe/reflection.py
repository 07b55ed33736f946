"""What is done to the observations: operations on their lines, as far as the laws allow.  [design §4, §5]

A reflector never hands back a document. It asks to remove, merge or rewrite lines, each
with a reason; every operation is anchored to the *text* of its lines, so that it
can be done on what stands in the file when the lock is held: lines that came in
meanwhile are none of its business and stay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from koog.core.errors import Refused
from koog.core.lazy_regex import compiled
from koog.core.text.untrusted import clean
from koog.observe import observations, reflection_laws
from koog.observe.judgement import IN_GROUP
from koog.observe.observations import Line, Observation

LEAST_LEFT = 0.2  # share of the words that an answer must leave
LINES = {"remove": (1, 1000), "merge": (2, 1000), "rewrite": (1, 1)}  # least, most


class Operation(NamedTuple):
    """One operation, anchored.

    lines   whole lines of the file, without their ends
    newer   the line that stands in their place, for a removal that has one
    text    of a rewrite; of a merge None takes the text of the line that says most
    """

    op: str
    lines: tuple[str, ...]
    reason: str
    newer: str | None = None
    text: str | None = None


@dataclass
class Reflected:
    """The new text, and what is true of it compared with the old one."""

    text: str
    dropped: list[dict[str, str]] = field(default_factory=list)
    merged: list[dict[str, Any]] = field(default_factory=list)
    rewritten: list[dict[str, str]] = field(default_factory=list)
    kept: list[dict[str, str]] = field(default_factory=list)
    made: list[tuple[list[Observation], Observation]] = field(default_factory=list)  # of which lines which was made


@dataclass(eq=False)
class _Slot:
    """One line of the file: what it was and what it becomes; None when it goes."""

    before: Line
    after: Observation | None
    by: Operation | None = None

    @property
    def row(self) -> str:
        return self.before.raw.rstrip("\r\n")


_Rows = Mapping[str, Sequence[_Slot]]  # a line without its end → where it stands in the file


def anchor(raw: Sequence[Mapping[str, Any]], rows: Sequence[str]) -> tuple[list[Operation], list[dict[str, str]]]:
    """Return the operations with the text of their lines, and those that name lines there are not.

    rows   what the engine saw as line 1, 2, …
    """
    found, refused = [], []
    for given in raw:
        numbers = list(dict.fromkeys(given["lines"]))
        newer = given.get("newer")
        least, most = LINES[given["op"]]
        known = all(1 <= n <= len(rows) for n in [*numbers, *([newer] if newer else [])])
        if not known or not least <= len(numbers) <= most or newer in numbers:
            refused.append(_told(f"lines {numbers}", f"{given['op']}: no such lines"))
            continue
        found.append(
            Operation(
                op=given["op"],
                lines=tuple(rows[n - 1] for n in numbers),
                reason=" ".join(str(given.get("reason") or "").split()),
                newer=rows[newer - 1] if newer else None,
                text=given.get("text"),
            )
        )
    return found, refused


def check(operations: Sequence[Operation], rows: Sequence[str]) -> None:
    """Raise Refused for an answer that would leave more words than there are, or under a fifth of them."""
    before = sum(map(observations.words, rows))
    taken: set[str] = set()
    gone = come = 0
    for operation in operations:
        fresh = [row for row in operation.lines if row not in taken]
        taken.update(fresh)
        gone += sum(map(observations.words, fresh))
        if operation.op == "merge":
            come += observations.words(operation.text or max(operation.lines, key=len))
        elif operation.op == "rewrite":
            come += observations.words(operation.text or "")
    after = before - gone + come
    if after > before:
        raise Refused(f"reflect: the answer would leave {after} words of {before}: more than there were")
    if after < LEAST_LEFT * before:
        raise Refused(f"reflect: the answer would leave {after} words of {before}: under a fifth")


def reflect(text: str, operations: Sequence[Operation], *, today: date) -> Reflected:
    """Return the text after the operations that the laws allow."""
    slots = [_Slot(line, line.seen) for line in observations.lines(text)]
    rows: dict[str, list[_Slot]] = defaultdict(list)
    for slot in slots:
        if slot.before.seen:
            rows[slot.row].append(slot)
    done = Reflected(text)
    for operation in operations:
        _apply(operation, rows, done, today)
    changed = [slot for slot in slots if slot.by]
    if changed:
        done.text = _rendered(slots)
    _tell(changed, done)
    return done


# --- operations


def _apply(operation: Operation, rows: _Rows, done: Reflected, today: date) -> None:
    found = _places(operation.lines, rows)
    if found is None:
        done.kept.append(_told(operation.lines[0], f"{operation.op}: the line changed meanwhile"))
        return
    if operation.op == "remove":
        _remove(operation, found, rows, done, today)
        return
    old = [slot.before.seen for slot in found if slot.before.seen]
    text = observations.plain(clean(operation.text or ""))
    if text and old[0].label.is_group:  # it stays somebody's word in a group
        text = IN_GROUP + text.removeprefix(IN_GROUP)
    if operation.op == "merge":
        new, why = reflection_laws.joined(text, old, today=today)
    else:
        new, why = reflection_laws.rewritten(text, old[0], today=today)
    if new is None:
        done.kept += [_told(slot.row, f"{operation.op}: {why}") for slot in found]
        return
    home = reflection_laws.home(old)
    for i, slot in enumerate(found):
        slot.by, slot.after = operation, new if i == home else None
    done.made.append((old, new))


def _places(lines: Sequence[str], rows: _Rows) -> list[_Slot] | None:
    """Return the untouched observations with these texts, equal ones each its own; None when one is missing."""
    found: list[_Slot] = []
    for line in lines:
        at = next((s for s in rows.get(line, ()) if not s.by and s not in found), None)
        if at is None:
            return None
        found.append(at)
    return found


def _remove(operation: Operation, found: list[_Slot], rows: _Rows, done: Reflected, today: date) -> None:
    """Remove lines, each if the laws let it go.

    The newer line need not stand itself: it can only be joined with another or go for a still newer one,
    because a 🟢 line that goes by age leaves no older 🟢 line, and for one nothing weightier goes.
    """
    newer = rows.get(operation.newer or "")
    by = newer[0].before.seen if newer else None
    for slot in found:
        old = slot.before.seen
        if old is None:
            continue
        if why := reflection_laws.why_not_remove(old, by, today=today):
            done.kept.append(_told(slot.row, f"remove: {why}"))
        else:
            slot.by, slot.after = operation, None


# --- the text, and what happened to it


def _rendered(slots: Sequence[_Slot]) -> str:
    """Return the file: a line that did not change byte for byte, a day that was emptied without its heading."""
    rows: list[str] = []
    for group in _groups(slots):
        left = [s for s in group if s.after or not s.by]
        emptied = len(left) < len(group) and not any(s.before.raw.strip() for s in left[1:])
        if not (emptied and _is_heading(group[0])):
            rows += map(_row, left)
    return "".join(rows)


def _groups(slots: Sequence[_Slot]) -> list[list[_Slot]]:
    groups: list[list[_Slot]] = [[]]
    for slot in slots:
        if _is_heading(slot):
            groups.append([])
        groups[-1].append(slot)
    return [g for g in groups if g]


def _is_heading(slot: _Slot) -> bool:
    return bool(compiled(observations.DATE).match(slot.before.raw))


def _row(slot: _Slot) -> str:
    if slot.after is None or slot.after == slot.before.seen:
        return slot.before.raw
    end = slot.before.raw[len(slot.row) :]
    return observations.written(slot.after) + end


def _tell(changed: Sequence[_Slot], done: Reflected) -> None:
    """Note what became of each line that an operation touched."""
    told: set[int] = set()
    for slot in changed:
        operation = slot.by
        if operation is None:
            continue
        if operation.op == "remove":
            done.dropped.append(_told(slot.row, operation.reason))
        elif operation.op == "rewrite" and slot.after and slot.before.seen:
            texts = {"from": slot.before.seen.text, "to": slot.after.text}
            done.rewritten.append({**texts, "reason": operation.reason})
        elif operation.op == "merge" and id(operation) not in told:
            told.add(id(operation))
            parts = [s for s in changed if s.by is operation]
            into = next(s.after.text for s in parts if s.after)
            lines = [s.before.seen.text for s in parts if s.before.seen]
            done.merged.append({"lines": lines, "into": into, "reason": operation.reason})


def _told(row: str, reason: str) -> dict[str, str]:
    seen = observations.lines(row)[:1]
    shown = f"{seen[0].seen.mark} {seen[0].seen.text}" if seen and seen[0].seen else row
    return {"line": shown, "reason": reason}
