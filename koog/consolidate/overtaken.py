"""Which episodes tell what has become of a line that still holds: they are told beside it, and not put away.

The older line is known as recall knows it: by the newer one's comment, or since that tells a change of the same matter.
None is ended for it: who joined a gym or moved to another editor is told of in the words of who works or lives
elsewhere now. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from koog.consolidate import taken_back
from koog.consolidate.matters import is_speaker
from koog.consolidate.survey import Said, Survey
from koog.core.text import slots
from koog.core.text.compare import followed
from koog.core.text.says import says
from koog.memory.answering.replaced import tells_change
from koog.memory.store import gate, ids
from koog.memory.store.line import Line


@lru_cache(maxsize=1)  # each of a night's operations asks
def by(survey: Survey) -> frozenset[str]:
    """Return the ids of the episodes that are newer than a line which holds."""
    held = {*survey.every, *(f"{ids.PROCEDURE}:{name}" for name in survey.procedures)} - survey.hidden
    found = {new.id for new in survey.episodes if any(_is_older(survey, old, new) for old in held & {*new.against})}
    pairs = ((old, new) for old, new in _pairs(survey) if new.id not in found)
    return frozenset(found | {new.id for old, new in pairs if _is_told(old, new) or _replaces(survey, old, new)})


def _is_older(survey: Survey, old: str, new: Said) -> bool:
    """Return whether a line was told before another; True where nobody knows when."""
    return old not in survey.every or survey.every[old].day <= new.day


def _pairs(survey: Survey) -> Iterator[tuple[Said, Said]]:
    """Yield the facts and lines of MEMORY.md, each with the later episodes that may tell what has become of it."""
    about: dict[str, list[Said]] = defaultdict(list)
    for fact in survey.facts.values():
        about[fact.entity].append(fact)
    core = list(survey.core_lines.values())
    for new in survey.episodes:
        if not (tells_change(new.text) or slots.told(new.text)):
            continue
        entities = dict.fromkeys((*new.entities, *survey.names.within(new.text).values()))
        for old in (*core, *(fact for id_ in entities for fact in about.get(id_, ()))):
            is_earlier = "" < old.day <= new.day and old.label == new.label
            own = says(survey.entities[old.entity].label).ideas if old.entity in survey.entities else frozenset[str]()
            if is_earlier and _have_in_common(old.text, new.text, own) and Line(old.text).hash != Line(new.text).hash:
                yield old, new


def _have_in_common(old: str, new: str, own: frozenset[str]) -> bool:
    """Return whether two lines may be of one matter: by a word, or by what one has one at a time.

    own   the words of the name of whom the older is a fact: all of his facts have them
    """
    shared = (says(old).ideas & says(new).ideas) - own
    return not all(map(is_speaker, shared)) or bool(_slots(old) & _slots(new))


@lru_cache(maxsize=4096)
def _slots(text: str) -> frozenset[str]:
    return frozenset(each.slot for each in slots.told(text))


def _is_told(old: Said, new: Said) -> bool:
    """Return whether recall tells a line as newer than another."""
    is_of_one = tells_change(new.text) and bool(followed([old.text, new.text], lambda a, b: a < b))
    return is_of_one and gate.opens(old.text, new.text)


def _replaces(survey: Survey, old: Said, new: Said) -> bool:
    """Return whether a line says otherwise what a fact says: by its words, or of what one has one at a time."""
    if taken_back.supersedes(old, new):
        return True
    anew = {each.slot for each in slots.told(new.text) if each.is_new} & {each.slot for each in slots.told(old.text)}
    name = survey.entities[old.entity].label if old.entity in survey.entities else ""
    return bool(anew) and slots.are_apart(old.text, new.text, of=(name, ""))
