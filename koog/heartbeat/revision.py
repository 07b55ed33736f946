"""One curation as a function of the body: operations, standing, lifecycle, laws, and the real difference.

Pure, so that it can be done again on what a person saved meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from koog.core.refused import Refusal
from koog.core.text.measures import overlap, repeats
from koog.heartbeat import laws, operations, stale, standing
from koog.heartbeat.operations import ESTABLISHED, Operation
from koog.heartbeat.parts import Parts, uncovered
from koog.heartbeat.sightings import Sighting
from koog.heartbeat.whose import OWN
from koog.playbook import item
from koog.playbook.item import Item
from koog.sessions.labels import Label


@dataclass(frozen=True)
class Plan:
    """Everything that was decided before the lock was taken.

    entries      normalized ticks, newest first: they hold the actions on stale items
    heard        outputs with a score that was not counted yet
    seen_again   mined texts that may repeat a pattern
    contradicted lines that an observation disagrees with
    sighted      lines that a note says again
    max_lines    None where the limit is kept for all projects together
    """

    operations: tuple[Operation, ...]
    directive: str
    today: date
    entries: tuple[dict[str, Any], ...] = ()
    heard: tuple[standing.Heard, ...] = ()
    seen_again: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    sighted: tuple[Sighting, ...] = ()
    max_lines: int | None = 50
    max_deferred: int = 5


@dataclass(frozen=True)
class Revision:
    """The new body and what is true of it compared with the old one.

    elsewhere   how many lines of projects that are not told of were added, pruned, promoted or rewritten
    """

    body: tuple[str, ...]
    added: list[str]
    pruned: list[str]
    promoted: list[str]
    rewritten: list[dict[str, str]]
    stale_item_actions: list[str]
    refused: list[Refusal]
    proposals: list[str]
    elsewhere: int = 0

    @property
    def changed(self) -> int:
        return len(self.added) + len(self.pruned) + len(self.promoted) + len(self.rewritten)


def revise(before: Sequence[str], plan: Plan) -> Revision:
    """Return the curated body of these lines."""
    applied = operations.apply(before, plan.operations)
    # What was heard and seen moves a line before the laws look at it: a high score protects a pattern as
    # long as the evidence holds, and one that is put back comes back as it stands now.
    stands = {line: moved(line, plan) for line in before}
    body, actions = _lifecycle(before, [stands.get(line, line) for line in applied.body], plan)
    done = laws.enforce(
        [stands[line] for line in before],
        body,
        directive=plan.directive,
        max_lines=plan.max_lines,
        max_deferred=plan.max_deferred,
        today=plan.today,
    )
    left = _texts(done.body)
    actions += [f"dropped, the oldest deferred: {t}" for t in _deferred(body) if t not in left]
    return Revision(
        body=tuple(done.body),
        stale_item_actions=actions,
        refused=applied.refused + done.refused,
        proposals=applied.proposals,
        **_difference(before, done.body),
    )


def revise_parts(before: Sequence[str], plans: Mapping[Label, Plan], parts: Parts) -> Revision:
    """Return the body with the lines of each label curated by its own plan; what the own reader may hear is told.

    plans   with one for OWN; what has no plan is left as it stands. The line limit is the one thing that is for all.
    """
    if parts.is_one(before) and set(plans) == {OWN}:
        return revise(before, plans[OWN])
    body, made = list(before), dict[Label, Revision]()
    for label, plan in plans.items():
        covered, under = parts.covered(body, label)
        made[label] = revise(covered, replace(plan, max_lines=None))
        body = uncovered(made[label].body, under)
    own, plan = made[OWN], plans[OWN]
    if plan.max_lines is not None:
        # Which text was the weakest is told of the own lines alone.
        done = laws.limited(before, laws.Enforced(body, []), plan.max_lines, plan.today)
        mine = set(_texts(parts.of(own.body, OWN)))
        own = replace(own, refused=own.refused + [row for row in done.refused if row["text"] in mine])
        body = done.body
    told = replace(own, body=tuple(body), **_difference(parts.told(before), parts.told(body)))
    every = replace(told, **_difference(before, body))
    return replace(told, elsewhere=max(0, every.changed - told.changed))


def _difference(before: Sequence[str], after: Sequence[str]) -> dict[str, Any]:
    """Return what was added, pruned, promoted and rewritten between two bodies."""
    old, new = _texts(before), _texts(after)
    gone, come = [t for t in old if t not in new], [t for t in new if t not in old]
    pairs = _pairs(gone, come)
    promoted = _established(after) - _established(before)
    return {
        "added": [t for t in come if t not in pairs.values()],
        "pruned": [t for t in gone if t not in pairs],
        "promoted": [t for t in new if t in promoted and t in old],
        "rewritten": [{"from": a, "to": b} for a, b in pairs.items()],
    }


def moved(line: str, plan: Plan) -> str:
    """Return a line with its score as the evidence of a curation has it."""
    found = item.parse(line)
    if not found:
        return line
    after = standing.moved(
        found,
        heard=plan.heard,
        seen_again=plan.seen_again,
        contradicted=plan.contradicted,
        sighted=plan.sighted,
        harsh=plan.directive == "aggressive_prune",
    )
    return line if after == found else after.render()


def _lifecycle(before: Sequence[str], body: Sequence[str], plan: Plan) -> tuple[list[str], list[str]]:
    """Tag new fixable items, defer those that three actions did not solve, release what was solved or proved good."""
    known = laws.items(before)
    lines, actions = [], []
    for line in body:
        found = item.parse(line)
        after, told = _aged(found, known, plan) if found else (None, None)
        lines.append(after.render() if after and after != found else line)
        if told:
            actions.append(told)
    return lines, actions


def _aged(found: Item, known: Sequence[Item], plan: Plan) -> tuple[Item, str | None]:
    unchanged = any(found.text == i.text for i in known)
    is_open = bool(found.since or found.deferred)
    if is_open and (found.score or 0.0) > standing.SIGHTED_MOST:  # only outcomes lift it so high
        return stale.released(found), f"proven: {found.text}"
    if is_open and not unchanged and not found.fixable:
        return stale.released(found), f"resolved: {found.text}"
    if found.since and not unchanged:  # its 48 hours start again
        return replace(found, since=plan.today.isoformat()), f"changed, open again: {found.text}"
    if found.since and not found.deferred and stale.exhausted(found, plan.entries):
        return stale.deferred(found, today=plan.today), f"deferred after {stale.MAX_ACTIONS} actions: {found.text}"
    if not unchanged and not found.since and not found.deferred and found.fixable:
        return replace(found, since=plan.today.isoformat()), f"open since today: {found.text}"
    return found, None


def _pairs(gone: Sequence[str], come: Sequence[str]) -> dict[str, str]:
    """Return old text → new text for the lines that were put in other words."""
    pairs: dict[str, str] = {}
    for old in gone:
        free = [text for text in come if text not in pairs.values()]
        if (best := max(free, key=lambda text: overlap(old, text), default="")) and repeats(old, best):
            pairs[old] = best
    return pairs


def _texts(body: Sequence[str]) -> list[str]:
    return [i.text for i in laws.items(body)]


def _deferred(body: Sequence[str]) -> list[str]:
    return [i.text for i in laws.items(body) if i.deferred]


def _established(body: Sequence[str]) -> set[str]:
    lines = list(body)
    return {
        found.text
        for i, line in enumerate(lines)
        if (found := item.parse(line)) and operations.section_of(lines, i).lower() == ESTABLISHED.lower()
    }
