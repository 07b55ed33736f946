"""The built-in condenser: what says the same is joined, what is newer stays, and a month tells what tells most.

It asks for the same operations as a model would, and is held to the same laws.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import compare, pairs
from koog.core.text.says import says
from koog.core.text.voices import PERSON, USER
from koog.knowledge import joy, placing, rating
from koog.knowledge.condensing import laws, shortening, value
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.laws import DROP, LEAST, MERGE, MONTH, PROMOTE, REWRITE
from koog.knowledge.layout import DECISIONS, LESSONS
from koog.memory.names import mentions
from koog.memory.store import ids
from koog.observe import reflection_laws
from koog.sessions.labels import NONE

LEAVES = 0.371  # of a month's characters: what tells most for its length
LASTS = 0.4  # how likely a line has to be something that lasts, to go into its project's notes
WAITING = {ids.slug(DECISIONS): "decisions", ids.slug(LESSONS): "lessons"}  # topics of what MEMORY.md had no room for
CHANGES = 0.35  # how much a line that tells a change must not be lost, to stand where what it changes does
WEIGHTY = 0.8  # how much a person's line must not be lost, so that it lasts whatever it is
LASTING = ("decision", "lesson", "fact", "procedure")


class CondenseInput(NamedTuple):
    """What is put to an engine: lines of one project or group, numbered from 1, in order of their days.

    projects  slugs that have files
    changing  lines that seem to change what stands among the decisions and lessons
    elsewhere sources of what other files tell of these days
    """

    period: str
    lines: tuple[Said, ...]
    projects: Collection[str] = frozenset()
    changing: Collection[Said] = frozenset()
    elsewhere: Collection[str] = frozenset()


def answer(given: CondenseInput) -> dict[str, Any]:
    """Return the operations."""
    gone = dict[int, int]()
    joined = list(_joined(given.lines, gone))
    operations: list[dict[str, Any]] = [
        {"op": DROP, "lines": [old + 1], "newer": new + 1, "reason": f"replaced on {given.lines[new].day}"}
        for old, new in sorted(gone.items())
    ]
    if given.period == MONTH:
        return {"operations": [*operations, *_month(given, _units(given.lines, joined, gone))]}
    touched = {n for group in joined for n in group}.union(gone)
    left = [n for n in range(len(given.lines)) if n not in touched]
    return {"operations": [*map(_merged, joined), *operations, *_promoted(given, left)]}


def _merged(group: Sequence[int]) -> dict[str, Any]:
    return {"op": MERGE, "lines": [n + 1 for n in group], "reason": "says the same"}


def _units(lines: Sequence[Said], joined: Sequence[Sequence[int]], gone: Collection[int]) -> dict[int, Sequence[int]]:
    """Return the fullest of lines that say the same → all of them; a line by itself → that alone."""
    found = {max(group, key=lambda n: (len(lines[n].text), n)): group for group in joined}
    inside = {n for group in joined for n in group}
    return found | {n: [n] for n in range(len(lines)) if n not in inside and n not in gone}


def _joined(lines: Sequence[Said], gone: dict[int, int]) -> Iterator[list[int]]:
    """Yield the lines that say the same, the longest first; gone: takes those that a newer one replaces."""
    same: dict[int, set[int]] = defaultdict(set)
    for i, j in compare.candidates([each.text for each in lines]):
        found = compare.compare(lines[i].text, lines[j].text, same_voice=lines[i].trust == lines[j].trust)
        if found.kind in compare.JOINS and not reflection_laws.lost(*_fuller(lines[i].text, lines[j].text)):
            same[i].add(j)
            same[j].add(i)
        elif found.kind == compare.SUPERSEDES and lines[i].day <= lines[j].day:
            gone[i] = j
    free = {n for n in same if n not in gone}
    for n in sorted(free, key=lambda n: (-len(lines[n].text), n)):
        group = sorted({n, *same[n]} & free)
        if n in free and len(group) > 1:
            free.difference_update(group)
            yield group


def _fuller(a: str, b: str) -> tuple[str, str]:
    return (a, b) if len(a) >= len(b) else (b, a)


def _month(given: CondenseInput, units: Mapping[int, Sequence[int]]) -> Iterator[dict[str, Any]]:
    """Yield what shortens lines and lets the least telling ones go, until the month is as short as it is to be."""
    lines = given.lines
    room = LEAVES * sum(len(each.text) for each in lines)
    least = LEAST[MONTH] * laws.words([lines[n] for group in units.values() for n in group])
    homes = sorted(units)
    short = {n: _short(lines[n]) if len(units[n]) == 1 else lines[n].text for n in homes}
    grave, since = {n for n in homes if value.is_grave(lines[n])}, _since(lines, homes)
    for old in sorted(since):
        grave |= {since[old]} if old in grave else set()
    told = [lines[n].saying(short[n]) for n in homes]
    place = {n: at for at, n in enumerate(homes)}
    ranked = value.ranked(told, given.elsewhere, {place[old]: place[new] for old, new in since.items()})
    kept = set[int]()
    for n in sorted((homes[at] for at in ranked), key=lambda n: n not in grave):
        is_left = room < len(short[n]) and least <= 0
        if n not in grave and (is_left or since.get(n, n) not in {n, *kept}):
            yield {"op": DROP, "lines": [m + 1 for m in units[n]], "reason": "others tell more for their length"}
            continue
        kept.add(n)
        room -= len(short[n])
        least -= laws.words([lines[m] for m in units[n]]) if len(units[n]) > 1 else len(short[n].split())
        if len(units[n]) > 1:
            yield _merged(units[n])
        elif short[n] != lines[n].text:
            yield {"op": REWRITE, "lines": [n + 1], "text": short[n], "reason": "without what says nothing"}


def _since(lines: Sequence[Said], homes: Sequence[int]) -> dict[int, int]:
    """Return line → a later one of the same matter with another value, or that tells a change: it is not told without.

    What stands in brackets alone is the label of a thing, which says nothing of what holds.
    """

    def is_older(i: int, j: int) -> bool:
        old, new = lines[homes[i]], lines[homes[j]]
        return old.day < new.day and new.trust in (old.trust, PERSON)

    found = compare.followed([lines[n].text for n in homes], is_older)
    return {homes[i]: homes[j] for i, j in found if _is_changed(lines[homes[i]].text, lines[homes[j]].text)}


def _is_changed(old: str, new: str) -> bool:
    if compiled(placing.ASIDE).fullmatch(new):
        return False
    is_other_value = bool(pairs.seen(says(old), says(new)).apart)
    return is_other_value or pairs.tells_change(new) or reflection_laws.are_alike(old, new)


def _short(said: Said) -> str:
    """Return a line in fewer of its words; one of a person's own hand, or that must never be lost, as it is."""
    return shortening.shortened(said) if said.source and not value.is_grave(said) else said.text


def _promoted(given: CondenseInput, left: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield what goes where it belongs: what waited for room in MEMORY.md, and what lasts of a project."""
    for n in left:
        said = given.lines[n]
        if to := WAITING.get(ids.slug(said.topic)):
            yield {"op": PROMOTE, "lines": [n + 1], "to": to, "reason": "it waited for room"}
        elif ids.slug(said.topic) in given.projects:
            if _lasts(said):
                yield {"op": PROMOTE, "lines": [n + 1], "to": "project", "reason": "it lasts"}
        elif said.label == NONE and (to := _core(said, said in given.changing)):
            yield {"op": PROMOTE, "lines": [n + 1], "to": to, "reason": "it must not be lost"}


def _core(said: Said, is_changing: bool) -> str:
    """Return where a line goes that must not be lost, "" for any other: by its weight, or as it tells a change.

    Without the change what was said before it would be taken for what holds. What stands in brackets alone says nothing
    of what holds.
    """
    is_change = said.trust == PERSON and (is_changing or pairs.tells_change(said.text))
    if value.must(said) < (CHANGES if is_change else WEIGHTY):
        return ""
    if compiled(placing.ASIDE).fullmatch(said.text) or joy.is_joy(said.text):
        return ""
    kind = _rated(said).best
    return "" if kind == "event" else "lessons" if kind == "lesson" else "decisions"


def _lasts(said: Said) -> bool:
    rated = _rated(said)
    is_likely = rated.best in LASTING and rated.odds[rated.best] >= LASTS
    return said.trust == PERSON and (is_likely or value.must(said) >= WEIGHTY)


def _rated(said: Said) -> rating.Rated:
    return rating.rate(said.text, USER, mentions.found(said.text), today=date.fromisoformat(said.day))
