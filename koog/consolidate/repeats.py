"""What was said again goes to where it is known for good: a fact of an entity, or a procedure.  [moltbot §10.3]

Of a matter that was spoken of on several days the line that says most of what is said again is promoted. Where a newer
line takes an older one back, only what was said since counts, and what stands of the old in an entity or in MEMORY.md
gives way. Where two lines are at odds, both are kept, and a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from koog.consolidate import taken_back
from koog.consolidate.about import Subjects
from koog.consolidate.drafts import Drafts
from koog.consolidate.matters import Matter, ideas
from koog.consolidate.plan import Operation
from koog.consolidate.survey import Said, Survey
from koog.core.text import replies
from koog.memory import remember_rules
from koog.memory.store import episodes, ids
from koog.memory.store.procedures import Procedure

DAYS = 2  # on which a thing has to be spoken of
COVERED = 0.75  # of what is said again: so much of it is known already
STEPS = 3  # of a procedure that are told again in their order
NAME_CHARS = 60


def proposed(survey: Survey, found: Sequence[Matter], drafts: Drafts) -> Iterator[Operation]:
    """Yield what the matters of a workspace give."""
    subjects = Subjects(survey)
    for matter in found:
        if len(matter.lines) > 1:
            yield from _of(survey, matter, drafts, subjects)


def is_told(said: Said) -> bool:
    """Return whether a line says something: a question, or what is asked to be done now, holds of nothing."""
    return not replies.asks(said.text) or replies.is_standing_wish(said.text)


def _of(survey: Survey, matter: Matter, drafts: Drafts, subjects: Subjects) -> Iterator[Operation]:
    standing = [s for s in matter.lines if s.id in survey.facts or s.id in survey.core_lines]
    heard = [s for s in matter.lines if s.id not in survey.facts and s.id not in survey.core_lines]
    replaced = list(_replaced(survey, standing, heard, drafts))
    if replaced or not heard:
        yield from replaced or _opposed(matter, standing, drafts)
        return
    odds = next(((a, b) for b in heard for a in (*standing, *heard) if _are_at_odds(a, b, matter)), None)
    if odds:
        yield from _at_odds(*odds, drafts, subjects, matter)
        return
    if standing and max(matter.coverage(s.text) for s in standing) >= COVERED:
        return
    live = _since_change(heard)
    if len({s.day for s in live}) >= DAYS or len(live) < len(heard):
        yield from _promoted(matter, live, drafts, subjects)


def _are_at_odds(a: Said, b: Said, matter: Matter) -> bool:
    return a.day < b.day and matter.days <= DAYS and taken_back.at_odds(a, b)


def _since_change(heard: Sequence[Said]) -> list[Said]:
    """Return the lines from the last one on that took an earlier one back."""
    start = 0
    for at, newer in enumerate(heard):
        if any(taken_back.supersedes(older, newer) for older in heard[start:at]):
            start = at
    return list(heard[start:])


def _replaced(survey: Survey, standing: Sequence[Said], heard: Sequence[Said], drafts: Drafts) -> Iterator[Operation]:
    """Yield what takes the place of lines that stand in entities and in MEMORY.md."""
    for old in standing:
        newer = [s for s in heard if old.day and s.day > old.day and taken_back.supersedes(old, s)][-1:]
        if not newer:
            continue
        more: dict[str, Any] = {"reason": f"taken back on {newer[0].day}", "confidence": episodes.HIGH, "weight": 3.0}
        if old.entity:
            yield drafts.replaced(old, newer, **more)
        elif block := next((e.block for e in survey.core if e.id == old.id), ""):
            yield drafts.core(block, newer, old=old, **more)


def _at_odds(a: Said, b: Said, drafts: Drafts, subjects: Subjects, matter: Matter) -> Iterator[Operation]:
    """Yield both sides of what cannot both hold."""
    subject = subjects.of(matter)
    if a.entity or (subject and not a.id.startswith(ids.CORE)):
        why = f"at odds with what was said on {a.day}"
        yield drafts.opposed(a, b, subject, reason=why, confidence=episodes.LOW, weight=2.6)


def _opposed(matter: Matter, standing: Sequence[Said], drafts: Drafts) -> Iterator[Operation]:
    """Yield facts of one entity that cannot both hold, and do not say so yet."""
    for a, b in pairwise(standing):
        if a.entity and a.entity == b.entity and a.id not in b.against and _are_at_odds(a, b, matter):
            yield drafts.opposed(a, b, None, reason="the two cannot both hold", confidence=episodes.LOW, weight=2.5)


def _promoted(matter: Matter, live: Sequence[Said], drafts: Drafts, subjects: Subjects) -> Iterator[Operation]:
    days = len({s.day for s in live})
    if found := _procedure(matter, live):
        told, made = found
        said = [*(s for s in live if s is not told), told]
        yield drafts.procedure(made, said, reason=f"the same steps on {days} days", weight=2 + days / 10)
        return
    told = matter.fullest(live)
    is_surest = days > DAYS or any(s.source == episodes.EXPLICIT for s in live)
    if subject := subjects.of(matter):
        yield drafts.fact(
            subject.id,
            subject.name,
            [*(s for s in live if s is not told), told],
            reason=f"said on {days} days" if days > 1 else f"as it is since {told.day}",
            confidence=episodes.HIGH if is_surest else episodes.MEDIUM,
            weight=1.0 + min(days, 10) / 5 + matter.coverage(told.text),
        )


def _procedure(matter: Matter, live: Sequence[Said]) -> tuple[Said, Procedure] | None:
    """Return the way in which something is done, and who told it best, where the same steps were told again."""
    listed = [(s, remember_rules.steps(s.text)) for s in live]
    again = {
        s.id for (s, a), (t, b) in combinations(listed, 2) if s.day != t.day and _same(a, b, matter) for s in (s, t)
    }
    told = [(s, found) for s, found in listed if s.id in again]
    if not told:
        return None
    said, found = max(told, key=lambda pair: (round(matter.coverage(pair[0].text), 1), len(pair[1]), pair[0].day))
    trigger = remember_rules.trigger(said.text)
    name = ids.slug(trigger)[:NAME_CHARS].strip("-") or ids.of_words(said.text)
    return said, Procedure(name, trigger, tuple(found))


def _same(one: Sequence[str], other: Sequence[str], matter: Matter) -> bool:
    """Return whether two lists of steps have several in common, in one order."""
    weighed = [[ideas(step) & matter.weights.keys() for step in steps] for steps in (one, other)]
    reach = [0] * (len(weighed[1]) + 1)  # the longest run of common steps, as far as each step of the other list
    for step in weighed[0]:
        before = list(reach)
        for at, theirs in enumerate(weighed[1], 1):
            reach[at] = max(before[at], reach[at - 1], before[at - 1] + bool(step & theirs))
    return reach[-1] >= STEPS
