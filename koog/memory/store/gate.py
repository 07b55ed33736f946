"""May one line take another's place, or stand against it: the one gate of all that replace.  [moltbot §8.2]

Compare, correction and changed each say by signs of their own that a newer line changes an older one. Whether it can at
all is asked here, of each of them: both must be told of the same holder (core/text/holder.py), or of one role that
goes from one to another (core/text/roles.py); what is denied must be what the older line says; who has moved lives
elsewhere, and is else what he was; and of health only he who has it takes something back, in so many words. By slots
(change.py) two lines are of one holder already, by the same reading. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import first_person, himself, holder, kinds, roles, slots
from koog.core.text.holder import Holder
from koog.core.text.says import says
from koog.memory.names import mentions
from koog.memory.names.mentions import PERSON, PLACE

APPOINTMENT = r"\b(?:appointments?|termine?|cita|rendez-vous|rdv)\b|预约|予約"
KEPT = 4096  # lines whose names are not looked for twice


def opens(older: str, newer: str, about: Collection[str] = ()) -> bool:
    """Return whether a newer line may take an older one's place, or stand against it.

    about   ideas, as says.py has them, of the thing of which the newer says that it is over: whoever else is told of
            there has nothing to do with it, nor has what else is denied; none: all that both lines have

    >>> opens("I'm allergic to cats", "My son is no longer allergic to cats")
    False
    >>> opens("I live in Zurich", "I no longer live in Bern"), opens("Ben sings", "Ben moved to Braga")
    (False, False)
    >>> opens("My dentist is Dr Imhof", "I cancelled the appointment with my dentist Dr Imhof")
    False
    >>> opens("I live in Zurich", "I no longer live in Zurich"), opens("Ben lives in Faro", "Ben moved to Braga")
    (True, True)
    >>> opens("Ana is head of the choir", "Since May Ben is head of the choir"), opens("Ana has asthma", "Ben has it")
    (True, False)
    """
    older, newer = first_person.own(older), first_person.own(newer)
    if kinds.is_of_health(older) and not (kinds.is_of_health(newer) and is_surely_of_one(older, newer, about)):
        return False
    if roles.is_handed(older, newer):
        return True
    if roles.are_two(older, newer):
        return False
    if _is_appointment(newer) and not _is_appointment(older):  # with whom it is, is who he was
        return False
    if about:
        return is_of_one(older, newer, about)
    return is_of_one(older, newer) and not _is_move_alone(older, newer) and not _tells_other(older, newer)


def _is_appointment(text: str) -> bool:
    return compiled(APPOINTMENT, re.IGNORECASE).search(text) is not None


def is_of_one(older: str, newer: str, about: Collection[str] = ()) -> bool:
    """Return whether two lines may be told of the same holder; True where nobody can tell. about: as in opens()"""
    named = [people(text) for text in (older, newer)]
    one, other = _holders(older, newer, about)
    if not holder.are_two(one, other):
        return True
    return holder.names_him(newer, one, people=named[1]) or holder.names_him(older, other, people=named[0])


def is_surely_of_one(older: str, newer: str, about: Collection[str] = ()) -> bool:
    """Return whether two lines are told of the same holder; False where nobody can tell.

    >>> is_surely_of_one("I work for Siemens", "I have left Siemens"), is_surely_of_one("I sing", "The choir is over")
    (True, False)
    """
    found = _holders(older, newer, about)
    return None not in found and is_of_one(older, newer, about)


def _holders(older: str, newer: str, about: Collection[str]) -> list[Holder | None]:
    """Return of whom each of two lines tells it. What both name tells none from the other."""
    shared = frozenset(about) or says(older).ideas & says(newer).ideas - {"<self>"}
    own, theirs = people(older), people(newer)
    alone = [name for name in own if name not in theirs], [name for name in theirs if name not in own]
    if all(alone):
        own, theirs = alone
    one = holder.of(older, shared, people=own)
    return [one, holder.of(newer, shared, people=theirs, is_by_itself=bool(about))]


def _tells_other(older: str, newer: str) -> bool:
    """Return whether a line denies what the older one does not say, and gives nothing anew that this gives."""
    given = {each.slot for each in slots.told(newer)} & {each.slot for each in slots.told(older)}
    return not given and holder.tells_other(older, newer)


def _is_move_alone(older: str, newer: str) -> bool:
    """Return whether a line tells of a move, and the older one of no home and no place of whoever has moved."""
    moved = next((each for each in slots.told(newer) if each.slot == slots.HOME and each.is_new), None)
    if moved is None:
        return False
    a, b = says(older), says(newer)
    who = frozenset({"<self>"}).union(*(says(name).ideas for name, _ in _named(newer) if name != moved.value))
    if (a.ideas & b.ideas) - a.names - a.maybe - b.names - b.maybe - who or a.ideas & says(moved.value).ideas:
        return False  # more is told of the same than who it is
    if himself.tells_home(older) or any(each.slot == slots.HOME for each in slots.told(older)):
        return False
    return not any(kind == PLACE for _, kind in _named(older))


def people(text: str) -> list[str]:
    """Return the names of people in a line."""
    return [name for name, kind in _named(text) if kind == PERSON]


@lru_cache(maxsize=KEPT)
def _named(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((each.name, each.kind) for each in mentions.found(text))
