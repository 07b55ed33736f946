"""Which names of a line are places that somebody may live at.  [moltbot §8.2]

The tagger knows most; "San José" and "Cádiz" look to it as a person's name does, and who has moved there has moved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from koog.core.lazy_regex import compiled
from koog.core.text import slots
from koog.core.text.signs import may_be_wide
from koog.memory.names.mentions import PERSON, PLACE
from koog.sessions.person import is_ordinary

ENGLISH = r"(?i)\b(?:moved|relocated)\b"  # one moves to teams and to tools; the words of other languages are of homes


def places(text: str, named: Iterable[tuple[str, str]], *, people: Collection[str] = ()) -> list[str]:
    """Return the places that a line names, and where it says somebody moved.

    named    its names, each with its kind
    people   those of them that are known as somebody's

    >>> places("Me mudé a Cádiz", [("Cádiz", "person")]), places("We moved to Zoom", [("Zoom", "tool")])
    (['Cádiz'], [])
    """
    kinds = dict(named)
    found = [name for name, kind in kinds.items() if kind == PLACE and not is_ordinary(name.casefold())]
    for each in slots.told(text):
        kind = kinds.get(each.value, "" if compiled(ENGLISH).search(text) or may_be_wide(text) else PERSON)
        is_named = kind == PERSON and each.value not in people and not each.value.endswith(("’s", "'s"))
        is_within = any(name in each.value.split() for name in found)
        if each.slot == slots.HOME and (is_named or is_within or _is_placed(each.value, kinds)):
            found.append(each.value)
    return list(dict.fromkeys(found))


def _is_placed(value: str, kinds: dict[str, str]) -> bool:
    return slots.is_placed(value) and kinds.get(value, PLACE) in (PLACE, PERSON)
