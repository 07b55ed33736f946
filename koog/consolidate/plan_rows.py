"""Rows of a plan, and where they go in a file: in the plan's order, whichever of them is approved first.

So a plan approved in parts gives what it gives at once. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from koog.consolidate.plan import CORE, OPPOSE, Operation, Plan
from koog.core.named import NamedTuple
from koog.core.text.untrusted import visible
from koog.memory.store import entities, episodes
from koog.memory.store import line as lines
from koog.memory.store.core_memory import TITLES
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections

Edit = Callable[[str], str]
OF = "of"  # in a line's comment: the memories that it was made of
MOST_OF = 5  # of them
CHANGED = ", with changes"  # behind the reflection in the log of accesses: the words are a person's own


class Misfit(Exception):
    """Why an operation cannot be applied to what stands there now."""


class Step(NamedTuple):
    """One file that an operation changes, and how."""

    path: str
    edit: Edit


class Place(NamedTuple):
    """A plan's moment, and where its files lie.

    memory  the memory folder's path of a name
    most    memory.coreTokens
    """

    plan: Plan
    memory: Callable[[str], str]
    most: int

    def later(self, op: Operation) -> frozenset[str]:
        """Return the figures of the lines of one heading that stand below an operation's in the plan."""
        at = next((n for n, each in enumerate(self.plan.operations) if each.id == op.id), len(self.plan.operations))
        same = [e for e in self.plan.operations[at + 1 :] if (e.file, e.anchor) == (op.file, op.anchor)]
        rows = [each.after for each in same] + [each.before for each in same if each.name and each.kind == OPPOSE]
        return frozenset(line(row).hash for row in rows if row)

    def episode(self) -> str:
        """Return the file of the plan's day."""
        return self.memory(episodes.path(self.plan.day))


def line(row: str) -> Line:
    """Return the line that a row is, with its mark or without."""
    return lines.read(row.removeprefix("- "))


def shown(text: str) -> str:
    """Return a row's words as a person sees them: no comment, no mark."""
    return " ".join(visible(line(text).text).split())


def with_item(text: str, op: Operation, at: Place) -> str:
    """Return a text with an operation's row under its heading."""
    order = tuple(TITLES.values()) if op.kind == CORE else entities.ORDER
    return with_row(text, op.file, op.anchor, op.after or "", order, at.later(op))


def with_row(text: str, path: str, title: str, row: str, order: tuple[str, ...], below: frozenset[str]) -> str:
    """Return a text with a bullet more, before the first of some others, else the last of its section."""
    found = Sections(text, path)
    first = next((i for i in found.items(title) if lines.read(i.text).hash in below), None)
    if first is None:
        return found.with_item(title, row, order=order)
    return "\n".join((*found.rows[: first.row], f"- {row}", *found.rows[first.row :]))
