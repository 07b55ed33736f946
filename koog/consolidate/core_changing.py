"""What an operation does to MEMORY.md and to the day's episodes, in which what gives way there is logged. Pure."""

from __future__ import annotations

from functools import partial

from koog.consolidate.plan import CORE, EPISODE, Operation, Plan
from koog.consolidate.plan_rows import Misfit, Place, Step, line, with_item
from koog.memory.store import core_memory, episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections


def steps(op: Operation, at: Place) -> list[Step]:
    """Change MEMORY.md; what gives way there is logged among the day's episodes."""
    found = [Step(core_memory.FILE, partial(_changed, op=op, at=at))]
    if op.before:
        values = {lines.UNTIL: at.plan.day} | ({lines.BY: f"{ids.CORE}:{line(op.after).hash}"} if op.after else {})
        past = Line(op.before, values=values if op.after else {})
        found.append(Step(at.episode(), partial(logged, said=past, at=at, op=op)))
    return found


def _changed(text: str, *, op: Operation, at: Place) -> str:
    present = list(core_memory.entries(Sections(text, core_memory.FILE)))
    said = line(op.after) if op.after else None
    if said and any(each.line.hash == said.hash for each in present):
        raise Misfit("it stands in MEMORY.md by now")
    if op.before is None:
        made = with_item(text or core_memory.new(at.most), op, at)
    else:
        old = next((e for e in present if e.id == op.target and e.line.text == op.before), None)
        if old is None:
            raise Misfit("the line has changed, or is gone")
        rows = text.split("\n")
        lead = rows[old.item.row][: len(rows[old.item.row]) - len(rows[old.item.row].lstrip())]
        put = [f"{lead}- {op.after}"] if op.after else []
        made = "\n".join((*rows[: old.item.row], *put, *rows[old.item.end :]))
    if core_memory.size(made, at.most).is_over and len(made) > len(text):
        raise Misfit("MEMORY.md has no room for it")
    return made


def logged(text: str, *, said: Line, at: Place, op: Operation) -> str:
    """Put an entry of the night behind a day's episodes, before those of operations that come later in the plan."""
    entry = Episode(
        at.plan.day, minute(at.plan, op), said, confidence=op.confidence, source=episodes.REFLECTION, type="fact"
    )
    text = text or episodes.header(at.plan.day)
    known = episodes.read(text, at.plan.day, "")
    if any(each.line.hash == said.hash and each.source == episodes.REFLECTION for each in known):
        return text
    below = {(o.before or line(o.after or "").text, minute(at.plan, o)) for o in _behind(op, at)}
    rows = text.split("\n")
    first = min((e.row for e in known if (e.line.text, e.time) in below and e.source == entry.source), default=None)
    if first is None:
        return f"{text if text.endswith(chr(10)) else text + chr(10)}\n{entry.raw}"
    return "\n".join((*rows[:first], *entry.raw.split("\n"), *rows[first:]))


def _behind(op: Operation, at: Place) -> list[Operation]:
    every = at.plan.operations
    here = next((n for n, each in enumerate(every) if each.id == op.id), len(every))
    return [each for each in every[here + 1 :] if each.kind in (CORE, EPISODE)]


def minute(plan: Plan, op: Operation) -> str:
    """Return at which minute an operation's entry is logged: each has its own, so that its id is known before.

    At the end of a day they share the last one.
    """
    here = next((n for n, each in enumerate(plan.operations) if each.id == op.id), 0)
    total = min(int(plan.time[:2]) * 60 + int(plan.time[3:]) + here, 24 * 60 - 1)
    return f"{total // 60:02d}:{total % 60:02d}"
