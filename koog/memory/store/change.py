"""What a line changes of what is known of somebody: "Ana moved to Braga" where she lives in Porto.  [moltbot §8.2]

Beside compare and correction, which go by the words that two lines share: here it is the slot (core/text/slots.py) of
one person that both fill. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import first_person, himself, holder, slots
from koog.core.text.slots import HOME, WORK, Told
from koog.memory.names.mentions import PERSON
from koog.memory.store import ids
from koog.memory.store import line as lines
from koog.memory.store.line import Line

ME = "me"  # who speaks
BY = r"\bby\s+\Z"
STAYING = (f"{ids.EPISODE}:", f"{ids.PROCEDURE}:")


class Change(NamedTuple):
    """What a new line is to others, by their ids.

    replaced  it takes their place
    against   one of the two may not hold: both stay, and name each other
    beside    of the same matter it seems to tell a change: it alone names them, since often both hold
    """

    replaced: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def facts(self) -> list[str]:
        """Return the ids of all facts among them."""
        return [id_ for id_ in (*self.replaced, *self.against) if id_.startswith(f"{ids.FACT}:")]

    @property
    def named(self) -> tuple[str, ...]:
        """Return the ids of what it stands beside, however surely."""
        return tuple(dict.fromkeys((*self.against, *self.beside)))

    @property
    def open(self) -> Change:
        """Return it as one that settles nothing: the lines are told beside each other."""
        return Change(beside=tuple(dict.fromkeys((*self.replaced, *self.named))))

    def told(self, line: Line) -> Line:
        """Return a line with what it changes, as its comment says it."""
        ids_ = {lines.REPLACES: self.replaced, lines.AGAINST: self.named}
        return line.with_values(**{name: ";".join(found) for name, found in ids_.items() if found})

    @property
    def core(self) -> Change:
        """Return the part of it that is of core memory."""
        both = (self.replaced, self.against)
        return Change(*(tuple(id_ for id_ in found if id_.startswith(f"{ids.CORE}:")) for found in both))

    @property
    def kept(self) -> Change:
        """Return the part of it that the older lines do not say themselves, since they stay as they were written."""
        replaced, against = (
            tuple(id_ for id_ in found if id_.startswith(STAYING)) for found in (self.replaced, self.against)
        )
        return Change(replaced, against, self.beside)


NOTHING = Change()


class Filled(NamedTuple):
    """A slot and whose it is: an entity's id, or ME."""

    of: str
    told: Told


def filled(text: str, names: Mapping[str, str], *, default: str = "") -> list[Filled]:
    """Return the slots that a line fills and whose they are; of nobody who is known, none.

    names     names in it → the entity that is meant; "" for one that is not known
    default   whose they are where it names nobody: "Lives in Lisbon"
    """
    text = first_person.own(text)
    found = (
        (_subject(text, told, names, default), told) for told in slots.told(text) if not _is_person(text, told, names)
    )
    return [Filled(of, told) for of, told in found if of]


def _is_person(text: str, told: Told, names: Mapping[str, str]) -> bool:
    """Return whether a workplace is somebody: "hired by Ana"."""
    is_by = told.slot == WORK and compiled(BY).search(text, 0, text.find(told.value, told.start))
    return bool(is_by) and names.get(told.value, "").startswith(f"{PERSON}--")


def _subject(text: str, told: Told, names: Mapping[str, str], default: str) -> str:
    """Return whose the words are that fill a slot; "" for somebody of whom nothing is known."""
    people = [name for name in names if name.casefold() != told.value.casefold()]
    whose = holder.before(text, told.start, people=people)
    if whose is None:
        tells_his = himself.tells_move(text, [told.value]) or himself.tells_home(text)
        is_his = told.slot == HOME and not default and tells_his
        return ME if is_his else default
    if whose.kind == holder.SPEAKER:
        return ME
    his = [name for name in people if holder.folded(name) <= whose.names]
    return names[max(his, key=len)] if his else ""


def changed(new: Iterable[Filled], older: Iterable[tuple[str, Iterable[Filled]]], *, places: Iterable[str]) -> Change:
    """Return what some slots change.

    older    id and slots of each line that holds
    places   names in the new line that are a place's: who moved to what is none has perhaps changed teams
    """
    replaced, against = list[str](), list[str]()
    known = {name.casefold() for name in places}
    of = {(each.of, each.told.slot): each.told for each in new}
    for id_, there in older:
        for each in there:
            now = of.get((each.of, each.told.slot))
            if now is None or not slots.is_another(each.told.value, now.value, slot=now.slot):
                continue
            is_place = now.slot != HOME or now.value.casefold() in known
            if each.of == ME and not is_place:
                continue  # "we moved to Slack"
            is_sure = now.is_new and each.told.is_alone and is_place
            (replaced if is_sure else against).append(id_)
    return Change(tuple(dict.fromkeys(replaced)), tuple(dict.fromkeys(id_ for id_ in against if id_ not in replaced)))
