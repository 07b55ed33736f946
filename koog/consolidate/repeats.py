"""What was said again goes to where it is known for good: a fact of an entity, or a procedure.  [moltbot §10.3]

Of a matter that was spoken of on several days the line that says most of what is said again is promoted. Where a newer
line takes an older one back, only what was said since counts, and what stands of the old in an entity or in MEMORY.md
gives way. Where two lines are at odds, both are kept, and a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations
from typing import Any

from koog.consolidate import accounts, taken_back, telling, two_things, unsettled, values
from koog.consolidate.about import Subject, Subjects
from koog.consolidate.drafts import Drafts
from koog.consolidate.endings import Ending
from koog.consolidate.matters import Found, Matter, Pair, ideas
from koog.consolidate.plan import Operation
from koog.consolidate.survey import Said, Survey
from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.core.text import kinds, replies, trust, worth
from koog.core.text.of_self import answers
from koog.core.text.pairs import seen
from koog.core.text.says import says
from koog.core.text.statement import Statement
from koog.core.text.voices import AGENT, NOTE, PERSON, USER
from koog.memory import remember_rules, router
from koog.memory.names import mentions
from koog.memory.store import episodes, gate, ids
from koog.memory.store.line import Line
from koog.memory.store.memories import PROCEDURAL
from koog.memory.store.procedures import Procedure

DAYS = 2  # on which a thing has to be spoken of
THINGS, AGAIN = 3, 0.3  # what two days have in common at least; so much of the line
COVERED = 0.75  # of what is said again: so much of it is known already
ODD = 0.18  # likeness of two lines that may be at odds
STEPS = 3  # of a procedure that are told again in their order
NAME_CHARS = 60
ABOUT = 0.8  # of what a line says that is said again: a later one says as much
BACK = 12  # lines of one matter before one that it may take back
WAY = 0.2  # odds of a procedure, from which on steps are steps
WORD = r"\w+"
SHOWN_CHARS = 100  # of the line that takes another one back


Odd = dict[str, set[str]]


def apart(lines: Sequence[Said]) -> list[tuple[Said, Said]]:
    """Return every two lines by which two sources tell one thing otherwise, of a third that joins in the first two."""
    found, seen = [], set[str]()
    for older, newer in sorted(accounts.found(lines), key=lambda pair: (pair[1].day, pair[1].id, pair[0].day)):
        if seen.isdisjoint((older.text, newer.text)):
            found.append((older, newer))
            seen.update((older.text, newer.text))
    return found


def standing(survey: Survey) -> Odd:
    """Return the figures of each line of an entity → of those against which it stands."""
    odd = Odd()
    for fact in survey.facts.values():
        for other in fact.against:
            odd.setdefault(Line(fact.text).hash, set()).add(other.rpartition(":")[2])
    return odd


def proposed(
    survey: Survey, found: Found, drafts: Drafts, pairs: Sequence[tuple[Said, Said]] = ()
) -> Iterator[Operation]:
    """Yield what the matters of a workspace give. pairs: lines by which two sources tell one thing otherwise"""
    subjects, odd = Subjects(survey), standing(survey)
    asked = {each.text for pair in pairs for each in pair}
    for matter in found.matters:
        if len(matter.lines) > 1:
            yield from _of(survey, matter, drafts, subjects, odd, asked)
    for pair in found.pairs:
        yield from _of_pair(survey, pair, drafts, subjects, odd)
    for older, newer in pairs:
        if ids.PROCEDURE in (older.id.partition(":")[0], newer.id.partition(":")[0]):
            continue  # no line can be put beside one of its steps: a person is asked
        matter = Matter((older, newer), dict.fromkeys(ideas(older.text) & ideas(newer.text), 1.0))
        yield from _at_odds(older, newer, drafts, subjects.of(matter), odd)


def ended(survey: Survey, found: Sequence[Ending], drafts: Drafts) -> Iterator[Operation]:
    """Yield the end of what stands in entities and in MEMORY.md, and speaks of what is over.

    That `remember` has put a line beside another, about the same thing, keeps neither from being over; that the two
    are at odds does: a person is asked. What none of the entities is about goes to one that is.
    """
    disputed = {each.id for pair in unsettled.found(survey) for each in pair} if found else set[str]()
    for ending in found:
        standing = [each._replace(against=()) for each in ending.older if each.id not in disputed]
        yield from _replaced(survey, standing, [ending.newer], drafts, is_sure=True)


def is_kept(text: str) -> bool:
    """Return whether a line is worth keeping by what it says, and not by its having been said.

    A list of what was done or talked of one day, minutes or a diary, is none.
    """
    return compiled(telling.STEPS).search(text) is None and worth.is_kept(Statement(text=text, role=USER, trust=PERSON))


def is_told(said: Said) -> bool:
    """Return whether a line says something: a question, or what is asked to be done now, holds of nothing."""
    return not replies.asks(said.text) or replies.is_standing_wish(said.text)


def _of(
    survey: Survey, matter: Matter, drafts: Drafts, subjects: Subjects, odd: Odd, asked: Set[str]
) -> Iterator[Operation]:
    """Yield what the lines of a matter give. asked: texts of those of which a person is asked which of two holds"""
    standing = [s for s in matter.lines if s.id in survey.facts or s.id in survey.core_lines]
    heard = [s for s in matter.lines if s.id not in survey.facts and s.id not in survey.core_lines]
    replaced = list(_replaced(survey, standing, matter.lines, drafts))
    if replaced:
        yield from replaced
        return
    live = _since_change(heard)
    if found := _procedure(survey, matter, live):
        yield _kept(*found, live, drafts)
        return
    pairs = combinations(matter.lines, 2) if matter.days <= DAYS else ()
    if odds := next(((a, b) for a, b in pairs if taken_back.at_odds(a, b)), None):
        yield from _at_odds(*odds, drafts, subjects.of(matter), odd)
        return
    if standing and max(matter.coverage(s.text) for s in standing) >= COVERED:
        return
    is_changed = len(live) < len(heard)
    if heard and (len({s.day for s in live}) >= DAYS or is_changed):
        live = [each for each in live if each.text not in asked]
        yield from _promoted(matter, live, drafts, subjects, is_changed=is_changed)


def _of_pair(survey: Survey, pair: Pair, drafts: Drafts, subjects: Subjects, odd: Odd) -> Iterator[Operation]:
    """Yield what two lines give: the end of what both speak of, or what is at odds."""
    older, newer = pair.older, pair.newer
    is_right_now = pair.alike >= ODD and taken_back.corrects(older, newer)
    if is_right_now or taken_back.leaves(older, newer, pair.shared):
        if older.id in survey.facts or older.id in survey.core_lines:
            yield from _replaced(survey, [older], [newer], drafts, is_sure=True)
    elif pair.alike >= ODD and taken_back.at_odds(older, newer):
        matter = Matter((older, newer), dict.fromkeys(pair.shared, 1.0))
        yield from _at_odds(older, newer, drafts, subjects.of(matter), odd)


def _since_change(heard: Sequence[Said]) -> list[Said]:
    """Return the lines from the last one on that took an earlier one back."""
    start = 0
    for at, newer in enumerate(heard):
        if any(taken_back.supersedes(older, newer) for older in heard[max(start, at - BACK) : at]):
            start = at
    return list(heard[start:])


def _replaced(
    survey: Survey, standing: Sequence[Said], lines: Sequence[Said], drafts: Drafts, *, is_sure: bool = False
) -> Iterator[Operation]:
    """Yield what takes the place of lines that stand in entities and in MEMORY.md; of what harms nobody forgets.

    A line takes one place alone, and none among the facts of an entity that it does not name: then it goes to one that
    it is about.

    lines     those of which a newer one may take one back
    is_sure   it does
    """
    named = {each.id for each in lines} if is_sure else set[str]()
    told, untold = set(survey.every_known), dict[str, tuple[Said, Said]]()
    more: dict[str, Any] = {"confidence": episodes.HIGH, "weight": 3.0}
    found = ((old, _taken_back_by(old, lines, is_sure=is_sure)) for old in standing)
    pairs = [(old, newer, _is_about(survey, newer, old.entity)) for old, newer in found if newer]
    for old, newer, is_about in sorted(pairs, key=lambda pair: (not pair[2], not pair[0].entity)):
        if any(id_ in survey.every and id_ not in named for id_ in old.against):
            continue  # it is at odds with another line: a person is asked which of the two holds
        why = f"taken back on {newer.day}: “{clip(newer.text, SHOWN_CHARS)}”"
        block = next((e.block for e in survey.core if e.id == old.id), "")
        if old.entity and is_about and newer.id not in told:
            yield drafts.replaced(old, [newer], reason=why, **more)
            told.add(newer.id)
        elif old.entity:
            yield drafts.ended(old, newer, reason=why, **more)
            untold[newer.id] = (old, newer)
        elif block and newer.id not in told:
            yield drafts.core(block, [newer], old=old, reason=why, **more)
            told.add(newer.id)
        elif block:
            yield drafts.demoted(old, block, newer, reason=why, **more)
    subjects = Subjects(survey)
    for old, newer in (pair for id_, pair in untold.items() if id_ not in told):
        shared = dict.fromkeys(ideas(old.text) & ideas(newer.text), 1.0)
        if subject := subjects.of(Matter((newer, newer), shared)):  # whom the older line names is not asked
            yield drafts.fact(subject.id, subject.name, [newer], reason=f"it is so since {newer.day}", **more)


def _taken_back_by(old: Said, lines: Sequence[Said], *, is_sure: bool) -> Said | None:
    """Return the newest line that takes an older one back; of health none does, but by the person's own word."""
    if not old.day or kinds.is_of_health(old.text):
        return None
    later = (each for each in reversed(lines) if each.day > old.day)
    return next((each for each in later if is_sure or taken_back.supersedes(old, each)), None)


def _is_about(survey: Survey, said: Said, entity: str) -> bool:
    """Return whether a line names an entity, so that it may stand among its facts."""
    names = survey.entities[entity].names if entity in survey.entities else ()
    words = {word for name in names for word in compiled(WORD).findall(name.casefold())}
    own = ideas(said.text)
    named = (word for word in words if any(not each.startswith("<") for each in says(word).ideas & own))
    return next(named, None) is not None or any(name in said.text for name in names if says(name).wide)


def _at_odds(a: Said, b: Said, drafts: Drafts, subject: Subject | None, odd: Odd) -> Iterator[Operation]:
    """Yield both sides of what cannot both hold. odd: figures of a line → of those with which it is known to be so"""
    one, other = Line(a.text).hash, Line(b.text).hash
    if other in odd.get(one, ()) or one in odd.get(other, ()):
        return
    odd.setdefault(one, set()).add(other)
    if not (_may_stand(b) and (a.entity or _may_stand(a))):
        return  # a person is asked about the two as they were heard
    if a.entity or (subject and not a.id.startswith(ids.CORE)):
        why = f"at odds with what was said on {a.day}"
        yield drafts.opposed(a, b, subject, reason=why, confidence=episodes.LOW, weight=2.6)


def _may_stand(said: Said) -> bool:
    """Return whether a line may become one of an entity: who reads it there must not take it for an order."""
    return trust.verdict(said.text, AGENT, register=NOTE, kind="fact") == trust.TAKEN


def _kept(told: Said, made: Procedure, live: Sequence[Said], drafts: Drafts) -> Operation:
    days = len({s.day for s in live})
    said = [*(s for s in live if s is not told), told]
    return drafts.procedure(made, said, reason=f"the same steps on {days} days", weight=2 + days / 10)


def _promoted(
    matter: Matter, live: Sequence[Said], drafts: Drafts, subjects: Subjects, *, is_changed: bool
) -> Iterator[Operation]:
    """Yield the line that says most of what is said again. is_changed: of what was told before it is otherwise now"""
    worthy = [s for s in live if is_kept(s.text) and not answers(s.text)]
    if not worthy:
        return
    told = _newest(matter, worthy)
    live = [s for s in live if s is told or _is_of_one(s.text, told.text)]
    days = len({s.day for s in live})
    if days < DAYS and not is_changed:
        return
    things, share = matter.again(told.text)
    if days == DAYS and (things < THINGS or share < AGAIN):
        return  # two letters share a word or two, and say two things
    if all(idea.startswith(("#", "<")) for idea in matter.common):
        return  # a number and a word for a kind are no matter
    is_surest = days > DAYS or any(s.source == episodes.EXPLICIT for s in live)
    if subject := subjects.of(matter._replace(lines=tuple(live))):
        yield drafts.fact(
            subject.id,
            subject.name,
            [*(s for s in live if s is not told), told],
            reason=f"said on {days} days, {live[0].day} to {live[-1].day}"
            if days > 1
            else f"it is so since {told.day}",
            confidence=episodes.HIGH if is_surest else episodes.MEDIUM,
            weight=1.0 + min(days, 10) / 5 + matter.coverage(told.text),
        )


def _newest(matter: Matter, worthy: Sequence[Said]) -> Said:
    """Return the line that says most of what is said again, or a later one with about as much and another value."""
    told = matter.fullest(worthy)
    least = ABOUT * matter.coverage(told.text)
    return max(
        (s for s in worthy if s is told or (matter.coverage(s.text) >= least and _is_otherwise(s, told))),
        key=lambda s: s.day,
    )


def _is_otherwise(newer: Said, older: Said) -> bool:
    return newer.day > older.day and any(values.apart(older.text, newer.text))


def _is_of_one(text: str, told: str) -> bool:
    """Return whether a line tells of what another one does: of the same person, day, dose, where both say of which."""
    if seen(says(text), says(told)).begins_otherwise:
        return False
    is_apart = any(one.kind == values.AMOUNT and one.unit for one, _ in values.apart(text, told))
    return not is_apart and not two_things.are_two(text, told, is_alone=True) and gate.is_of_one(text, told)


def _procedure(survey: Survey, matter: Matter, live: Sequence[Said]) -> tuple[Said, Procedure] | None:
    """Return the way in which something is done, and who told it best, where the same steps were told again."""
    listed = [(s, remember_rules.steps(s.text)) for s in live]
    again = {
        s.id for (s, a), (t, b) in combinations(listed, 2) if s.day != t.day and _same(a, b, matter) for s in (s, t)
    }
    told = [(s, found) for s, found in listed if s.id in again and _is_way(survey, s.text)]
    if not told:
        return None
    said, found = max(told, key=lambda pair: (round(matter.coverage(pair[0].text), 1), len(pair[1]), pair[0].day))
    begun = min(told, key=lambda pair: (-round(matter.coverage(remember_rules.trigger(pair[0].text)), 1), pair[0].day))
    trigger = remember_rules.trigger(begun[0].text)  # who tells it again says no more than that he does
    name = ids.slug(trigger)[:NAME_CHARS].strip("-") or ids.of_words(said.text)
    return said, Procedure(name, trigger, tuple(found))


def _is_way(survey: Survey, text: str) -> bool:
    """Return whether a text may be how something is done: two letters have sentences in common, too."""
    return router.rate(text, mentions.found(text), today=survey.today).odds[PROCEDURAL] >= WAY


def _same(one: Sequence[str], other: Sequence[str], matter: Matter) -> bool:
    """Return whether two lists of steps have several in common, in one order."""
    weighed = [[ideas(step) & matter.weights.keys() for step in steps] for steps in (one, other)]
    reach = [0] * (len(weighed[1]) + 1)  # the longest run of common steps, as far as each step of the other list
    for step in weighed[0]:
        before = list(reach)
        for at, theirs in enumerate(weighed[1], 1):
            reach[at] = max(before[at], reach[at - 1], before[at - 1] + bool(step & theirs))
    return reach[-1] >= STEPS
