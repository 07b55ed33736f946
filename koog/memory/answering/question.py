"""A question, read: what it asks for, by which words, about whom.  [moltbot §11.1, §11.2]

    read      a question → its kinds, words, names, days
    Person    not a name alone: of two of one first name both may be meant, and the other words tell

Pure but for the names, which the caller has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from datetime import date

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.measures import STOPWORDS
from koog.memory.answering import cues
from koog.memory.names import spelling
from koog.memory.names.known import Known
from koog.search import query

WHEN, WHY, WHO, WHERE, MANY = "when", "why", "who", "where", "many"
HOW, LATEST, ABOUT, BEFORE, GENERAL = "how", "latest", "about", "before", "general"
KINDS = (WHEN, HOW, WHY, WHO, LATEST, ABOUT, GENERAL)  # as a reply names them, the first that fits
FUZZY = 0.55  # so alike a misspelt name is to the one that is meant
LEAST_LETTERS = 4  # of a name that may be misspelt


class Meant(NamedTuple):
    """An entity that a question may be about. alike: 1 where it is called just so; said: by which words it is named"""

    id: str
    label: str
    said: str
    alike: float


class Question(NamedTuple):
    """A question.

    kinds    what it shows that it asks for; none is a general one
    words    what is looked for, lower case, each once
    meant    the entities that it names, or may name
    named    words of it that are names, lower case: of those that are known, and of those that nobody knows
    days     days that it names
    """

    text: str
    kinds: frozenset[str]
    words: tuple[str, ...]
    meant: tuple[Meant, ...]
    named: frozenset[str]
    days: tuple[date, ...] = ()

    @property
    def kind(self) -> str:
        """Return the kind by which it is answered, as a reply names it."""
        return next((kind for kind in KINDS if kind in self.kinds), GENERAL)


def read(text: str, names: Known, *, today: date) -> Question:
    """Return what a question asks."""
    kinds, rest = cues.asked(text)
    words = query.parse(rest).words if query.parse(rest).words and rest.strip() else query.parse(text).words
    within = names.within(text)
    meant = tuple(_meant(text, names, within))
    said = {word for each in meant for word in spelling.key(each.said).split()}
    unknown = _unknown(text, rest, within) - said
    meant += tuple(_misspelt(unknown & set(words), names, {each.id for each in meant}))
    named = frozenset((said | unknown) & set(words))
    days = tuple(each.day for each in dates.found(text, today)) if dates.has_day(text) else ()
    return Question(text, kinds, tuple(dict.fromkeys(words)), meant, named, days)


def _unknown(text: str, rest: str, within: Mapping[str, str]) -> set[str]:
    """Return the words that look like names. rest: the text without the words that ask, of which each has a capital"""
    told = {word for name in within for word in spelling.key(name).split()}
    capitals = {word.casefold() for word in compiled(r"\b[A-Z]\w*").findall(rest)}
    if rest.isascii() and capitals - STOPWORDS <= told:
        return set()  # what is known needs no look: that takes a word list
    from koog.memory.names import mentions

    return {word for each in mentions.found(text, within) for word in spelling.key(each.name).split()}


def _meant(text: str, names: Known, within: Mapping[str, str]) -> list[Meant]:
    """Return the known entities of which a text has a name, longer names first; of a person one of his names does.

    within   the names in it, as names.within gives them
    """
    row = compiled(spelling.WORD).findall(unicodedata.normalize("NFKC", text))
    words = [word.casefold() for word in row]
    whole = f" {' '.join(words)} "
    found: dict[str, Meant] = {}
    whole_names = {word for name in within if f" {spelling.key(name)} " in whole for word in _more(name)}
    for name, id_ in sorted(within.items(), key=lambda pair: -len(pair[0])):
        if spelling.key(name) in whole_names and words.count(spelling.key(name)) < 2:
            continue  # "Ana" of "Ana Schmidt" is no other Ana
        found.setdefault(id_, Meant(id_, names.entries[id_].label, name, 1.0))
    full = {word for each in found.values() if f" {spelling.key(each.said)} " in whole for word in _more(each.said)}
    for word in set(words):
        if word in full:
            continue  # "Stefan" of "Stefan Ahlers"
        for entry in names.people(word):
            found.setdefault(entry.id, Meant(entry.id, entry.label, word, 1.0))
    return list(found.values())


def named_in(text: str, names: Known) -> list[Meant]:
    """Return the entities that a name means: those called just so, else those that are called so in part or nearly."""
    exact = names.called(spelling.key(text))
    if exact:
        return [Meant(id_, names.entries[id_].label, text, 1.0) for id_ in exact]
    words = frozenset(spelling.key(text).split())
    return _meant(text, names, names.within(text)) or _misspelt(words, names, ())


def _more(name: str) -> list[str]:
    words = spelling.key(name).split()
    return words if len(words) > 1 else []


def _misspelt(words: Collection[str], names: Known, taken: Collection[str]) -> list[Meant]:
    """Return the entities that may be meant by words that nobody is called by."""
    found = []
    for word in sorted(words):
        if len(word) < LEAST_LETTERS or not word.isalpha():
            continue
        near: dict[float, set[str]] = {}
        for part in names.words:
            if part[:1] == word[:1] and abs(len(part) - len(word)) <= 2:
                near.setdefault(spelling.alike(word, part), set()).add(part)
        for alike in sorted((each for each in near if each >= FUZZY), reverse=True):
            best = next((each for each in names.having(near[alike]) if each.id not in taken), None)
            if best:
                found.append(Meant(best.id, best.label, word, round(alike, 2)))
                break
    return found
