"""What a new line changes of what is known: of the entities that it names, and of core memory.  [moltbot §8.2]"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from koog.core.text import himself, slots
from koog.memory import changed, homes
from koog.memory.changed import LEAST
from koog.memory.names import speakers
from koog.memory.names.mentions import PLACE
from koog.memory.store import change, changes, gate, ids
from koog.memory.store.change import Change, Filled

if TYPE_CHECKING:
    from koog.memory.names.known import Meant
    from koog.memory.store.drafts import Stored
    from koog.memory.store.writing import Writer
    from koog.memory.whom import Named


def found(writer: Writer, text: str, meant: list[Named]) -> Change:
    """Return which lines of the same place a new one takes the place of, or stands against."""
    names = {name: _who(name, kind, each) for name, kind, each in meant if kind != PLACE} | writer.names.within(text)
    new = change.filled(text, names)
    is_anothers = himself.tells_of_relative(text) or is_said_by_another(text, meant)
    if any(each.of == change.ME for each in new) and is_anothers:
        new = [each for each in new if each.of != change.ME]
    known = [name for name, _, each in meant if each.id]
    places = homes.places(text, [(name, kind) for name, kind, _ in meant], people=known)
    if himself.tells_home(text):  # what one lives in is a place, whatever it looks like
        places += [each.told.value for each in new if (each.of, each.told.slot) == (change.ME, slots.HOME)]
    told = change.changed(new, _older(writer, new, names), places=places) if new else Change()
    return told if any(told) else Change(against=_homes(writer, text, meant, places))


def is_said_by_another(text: str, meant: list[Named]) -> bool:
    """Return whether its "I" is not the user's: it changes nothing of his."""
    return himself.is_anothers(text, speakers.of(text, ((name, kind) for name, kind, _ in meant)))


def _homes(writer: Writer, text: str, meant: list[Named], places: list[str]) -> tuple[str, ...]:
    """Return the lines of core memory that say of who speaks that he lives elsewhere: one has one home at a time."""
    if not places or not himself.tells_home(text) or is_said_by_another(text, meant):
        return ()
    told = ((each.id, each.line) for each in writer.core.entries() if each.line.label == writer.place.label)
    return tuple(
        id_
        for id_, line in told
        if himself.tells_home(line.text) and not any(_is_in(line.text, name) for name in places)
    )


def _is_in(text: str, place: str) -> bool:
    """Return whether a line that tells a home tells of a place: "New York" is not in York."""
    homes = [each.value for each in slots.told(text) if each.slot == slots.HOME]
    if any(not slots.is_another(home, place, slot=slots.HOME) for home in homes):
        return True
    return place in (text.replace(homes[0], "") if homes else text)


def _who(name: str, kind: str, each: Meant) -> str:
    """Return who a name is, also where only core memory knows of them; "" where nobody can tell."""
    return "" if each.is_open or not ids.slug(name) else each.id or ids.entity(kind, name)


def _older(writer: Writer, new: list[Filled], names: dict[str, str]) -> Iterator[tuple[str, list[Filled]]]:
    """Yield the lines that may be about the same people, with the slots that they fill."""
    for id_ in dict.fromkeys(each.of for each in new if each.of in writer.names.entries):
        for fact in writer.graph.held(id_):
            if fact.line.label == writer.place.label:
                yield fact.id, change.filled(fact.line.text, writer.names.within(fact.line.text), default=id_)
    for entry in writer.core.entries():
        if entry.line.label == writer.place.label:
            yield entry.id, change.filled(entry.line.text, names | writer.names.within(entry.line.text))


def anywhere(writer: Writer, text: str, meant: list[Named]) -> Change:
    """Return which line of any store a new one changes, by all that speaks for it; with what says the same elsewhere.

    It takes the place of one that says little but the value that is another now; of a longer one nobody knows what
    holds still, and of two of one name nobody knows which is meant.
    """
    named = dict.fromkeys([*(each.id for _, _, each in meant if each.id), *writer.names.within(text).values()])
    core = [(each.id, each.line) for each in writer.core.entries()]
    held, total = writer.holding.near(text, named, core)
    likely = changed.likely(text, [each.text for each in held], total=total)
    found = [each for each in likely if each.sure >= LEAST and gate.opens(held[each.at].text, text)]
    if found:
        gone = changes.of(writer.run)
        found = [each for each in found if not gone.replaced(held[each.at].id)]
    if not found or is_said_by_another(text, meant):
        return Change()
    best = held[found[0].at]
    if himself.tells_of_relative(text) and himself.tells_who(best.text):
        return Change()
    same = tuple(each.id for each in held if each.text == best.text)
    if any(each.is_open for _, _, each in meant):
        return Change(beside=same)
    return changed.of(found[0], best.text, text, same, told=best.day)


def twins(writer: Writer, stored: Stored, meant: list[Named]) -> list[str]:
    """Return the facts that say in the same words what gave way in core memory."""
    gone = {id_.rpartition(":")[2] for id_ in stored.replaced}
    known = [each.id for _, _, each in meant if each.id and each.id in writer.names.entries]
    facts = (fact for id_ in known for fact in writer.graph.held(id_))
    return [fact.id for fact in facts if fact.line.hash in gone and fact.line.label == writer.place.label]


def elsewhere(writer: Writer, change: Change, stored: Stored, *, is_asked: bool) -> Change:
    """Return what a line that was put elsewhere is to core memory.

    What stands there in the same words as a fact that gave way gives way too. What it seems to change there is seen in
    every conversation: where somebody asked for it, it is to be seen beside that.
    """
    gone = {id_.rpartition(":")[2] for id_ in stored.replaced}
    label = writer.place.label
    core = writer.core.entries()
    replaced = [each.id for each in core if gone and each.line.hash in gone and each.line.label == label]
    beside = tuple(id_ for id_ in change.beside if is_asked and id_.startswith(f"{ids.CORE}:"))
    return change._replace(replaced=(*change.replaced, *replaced)).core._replace(beside=beside)
