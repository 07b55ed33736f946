"""Who may say what a text says: the people in it, and whose name stands before its colon though none was seen. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from koog.core.text import speaker
from koog.memory.names.mentions import PERSON
from koog.sessions.person import is_ordinary, languages

# First names that are ordinary words too: before a colon they are names.
ALSO_NAMES = frozenset("claire clara rose aurore luz paz sol mark jun will august hope joy jasmin iris felicia".split())


def of(text: str, named: Iterable[tuple[str, str]]) -> list[str]:
    """Return their names. named: the names in the text, each with its kind

    >>> of("Claire : je pars", []), of("Allergies: I eat no nuts", []), of("Bonn: I like it", [("Bonn", "place")])
    (['Claire'], [], [])
    """
    known = dict(named)
    people = [name for name, kind in known.items() if kind == PERSON]
    word = speaker.label(text)
    is_word = not word or is_ordinary(word.lower()) or bool(languages(word.lower()))
    if word and word not in known and (word.lower() in ALSO_NAMES or not is_word):
        people.append(word)
    return people
