"""Which entities there are and how they are called; a name → the entity that it means.  [moltbot §6, §17.1]"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text.speaker import TITLES
from koog.memory.names import mentions, reading
from koog.memory.names.entries import Entries, Fits, Name, in_order
from koog.memory.names.spelling import NEAR, SURE, WORD, alike, key
from koog.memory.store import ids
from koog.sessions.person import is_ordinary

if TYPE_CHECKING:
    from koog.core.files.listing import Listing
    from koog.core.run import Run

# What is said of places alone, behind a name that may be an organization's: "Halde is lovely in spring".
LIKE_PLACE = (
    r" (?:is|was|looks|ist|war|es|era|est|était) (?:\w+ ){0,2}(?:lovely|beautiful|pretty|rainy|sunny|snowy|foggy"
    r"|crowded|schön|verregnet|neblig|überlaufen|precios[oa]|bonit[oa]|lluvios[oa]|belle?|pluvieu(?:x|se))\b"
)
FEW = 8  # texts: for more of them it is worth to put the words of all names together first
PERSON, ORGANIZATION, PLACE = mentions.PERSON, mentions.ORGANIZATION, mentions.PLACE


class Candidate(NamedTuple):
    """An entity that may be the one that is meant. alike: 0 to 1"""

    id: str
    label: str
    alike: float


class Meant(NamedTuple):
    """What a name means: an entity's id, None for a new one; others that may be meant; whether nobody can tell."""

    id: str | None
    candidates: tuple[Candidate, ...] = ()
    is_open: bool = False


class Known:
    """The entities of a workspace by their names; each way to look them up is made when it is first asked for."""

    def __init__(self, entries: Mapping[str, Name]) -> None:
        self.entries = entries if isinstance(entries, Entries) else dict(entries)
        self._looked = 0
        self._has_learned = False

    def learn(self, name: Name) -> None:
        """Know one more entity, or one by other names, whose file is not written yet."""
        if isinstance(self.entries, Entries):
            self.entries.add(name)
        else:
            self.entries[name.id] = name
        self._has_learned = True
        made = vars(self)
        made.pop("words", None)
        for said in filter(None, name.keys):
            words = said.split()
            parts = _parts(said) if name.type == PERSON else set()
            ends = {"_by_end": {words[0], *parts}, "_by_word": parts or set(words)}
            ends |= {"by_name": {said}, "by_part": parts}
            for word in (words if said.isascii() else ("", *words)) if "_by_any" in made else ():
                self._by_any.setdefault(word, set()).add(name.id)
            if name.type != PERSON and len(words) > 1 and "by_head" in made:
                self.by_head.setdefault(words[-1], set()).add(name.id)
            for index, at in ends.items():
                for word in at if index in made else ():
                    _into(made[index], word, name.id)
                if index.startswith("_") and index in made and not said.isascii():
                    _into(made[index], "", name.id)

    def _sorted(self, found: Iterable[Name]) -> list[Name]:
        """Return entities in their order."""
        return sorted(found, key=in_order) if self._has_learned else list(found)

    @cached_property
    def _places(self) -> dict[str, int]:
        """Return the place of each entity among all."""
        return {id_: at for at, id_ in enumerate(self.entries)}

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Return a whole name → the entities that are called so."""
        found: dict[str, list[str]] = {}
        for each in self.entries.values():
            for said in each.keys:
                _into(found, said, each.id)
        return found

    @cached_property
    def by_head(self) -> dict[str, set[str]]:
        """Return the last word of what is no person → the entities that have it behind others: "planner"."""
        found: dict[str, set[str]] = {}
        for each in self.entries.values():
            for said in each.keys if each.type != PERSON else ():
                words = said.split()
                if len(words) > 1:
                    found.setdefault(words[-1], set()).add(each.id)
        return found

    @cached_property
    def by_part(self) -> dict[str, list[str]]:
        """Return a first or last name → the people who have it."""
        found: dict[str, list[str]] = {}
        for each in self.entries.values():
            for said in each.keys if each.type == PERSON else ():
                for part in _parts(said):
                    _into(found, part, each.id)
        return found

    @cached_property
    def _by_end(self) -> dict[str, list[str]]:
        """Return the first word of a name, of people the last too → as `_by_word`: made in a third of the time."""
        found = defaultdict[str, list[str]](list)
        for each in self.entries.values():
            for said in filter(None, each.keys):
                first, _, rest = said.partition(" ")
                found[first].append(each.id)
                if rest and each.type == PERSON:
                    found[rest[rest.rfind(" ") + 1 :]].append(each.id)
                    if first in TITLES:
                        found[rest.partition(" ")[0]].append(each.id)
                if not said.isascii():
                    found[""].append(each.id)
        return found

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """Return the words with which a name in a text may be found → the entities; "": of all texts.

        Of a name that has to stand there whole it is the word that fewest names have.
        """
        found: dict[str, list[str]] = {}
        count = Counter(word for each in self.entries.values() for said in each.keys for word in said.split())
        for each in self.entries.values():
            for said in filter(None, each.keys):
                rarest = min(said.split(), key=lambda word: count[word])
                for word in _parts(said) if each.type == PERSON else {rarest, _led(said, each.type) or rarest}:
                    found.setdefault(word, []).append(each.id)
                if not said.isascii():
                    found.setdefault("", []).append(each.id)
        return found

    @cached_property
    def _by_any(self) -> dict[str, set[str]]:
        """Return each word of a name → the entities that have it; "": those with other than ASCII in a name."""
        found: dict[str, set[str]] = {}
        for each in self.entries.values():
            for said in filter(None, each.keys):
                for word in said.split() if said.isascii() else ("", *said.split()):
                    found.setdefault(word, set()).add(each.id)
        return found

    def meant(self, name: str, kind: str, *, about: Sequence[str] = ()) -> Meant:
        """Return which entity a name means.

        about   other words that are said with it: of two people of one first name they tell which
        """
        exact = self.called(key(name))
        same = [id_ for id_ in exact if id_.startswith(f"{kind}--")] or exact
        if len(same) == 1:
            if kind == PERSON and self._others(name, same[0]):  # another has that first name: nobody is mixed up
                return self._by_part(name, about)
            return Meant(same[0])
        if same:
            return Meant(None, self._rows((id_, 1.0) for id_ in same), is_open=True)
        if kind == PERSON and len(key(name).split()) == 1:
            return self._by_part(name, about)
        if len(headed := self._headed(key(name)) or (set() if kind == PLACE else self._brand(key(name)))) == 1:
            return Meant(next(iter(headed)))
        near = sorted(self._near(name, kind), key=lambda c: (-c.alike, c.id))
        if near and near[0].alike >= SURE and (len(near) == 1 or near[1].alike < SURE):
            return Meant(near[0].id, tuple(near[1:3]))
        return Meant(None, tuple(near[:3]))

    def called(self, name: str) -> list[str]:
        """Return the entities that are called just so. name: as names are looked up"""
        if not name or not self._are_few:
            return self.by_name.get(name, [])
        return [each.id for each in self._fitting(name.split()[:1], lambda said, _: said == name)]

    def people(self, word: str) -> list[Name]:
        """Return the people of whom a word is the first or last name."""
        if not self._are_few:
            return self._sorted(self.entries[id_] for id_ in self.by_part.get(word, ()))
        return self._fitting((word,), lambda said, kind: kind == PERSON and word in _parts(said))

    def having(self, words: Set[str]) -> list[Name]:
        """Return the entities that have one of some words in a name, in their order."""
        return self._fitting(words, lambda said, _: not words.isdisjoint(said.split()))

    @cached_property
    def words(self) -> Set[str]:
        """Return the words of all names, and what is none."""
        if isinstance(self.entries, Entries) and not self.entries.are_read:
            return self.entries.words
        return {word for each in self.entries.values() for said in each.keys for word in said.split()}

    def _headed(self, word: str) -> set[str]:
        """Return what by_head has of a word."""
        if not self._are_few:
            return self.by_head.get(word, set())
        found = self._fitting((word,), lambda said, kind: kind != PERSON and said.split()[1:][-1:] == [word])
        return {each.id for each in found}

    def _brand(self, word: str) -> set[str]:
        """Return the organizations of whose names of several words one is the first."""
        found = self._fitting((word,), lambda said, kind: _led(said, kind) == word)
        return {each.id for each in found}

    def _fitting(self, words: Collection[str], fits: Fits, *, wide: bool = False) -> list[Name]:
        """Return the entities that have a name that fits, in their order; such a name has one of some words.

        wide   or other than ASCII in it
        """
        if isinstance(self.entries, Entries) and not self.entries.are_read:
            return self.entries.fitting(words, fits, wide=wide)
        among = {id_ for word in (*words, *("",) * wide) for id_ in self._by_any.get(word, ())}
        found = [e for e in map(self.entries.__getitem__, among) if any(fits(said, e.type) for said in e.keys)]
        return self._sorted(found) if self._has_learned else sorted(found, key=lambda e: self._places[e.id])

    @property
    def _are_few(self) -> bool:
        """Return whether only those are read that are asked for."""
        return isinstance(self.entries, Entries) and not self.entries.are_read

    def within(self, text: str) -> dict[str, str]:
        """Return the names in a text that mean known entities, each with the entity's id.

        Beside whole names: one of a person's names, what a thing is with its article: "the planner", and the first
        word of an organization's name, which stands for it where nobody is called so: "Halde" of "Halde Logistics", but
        not in "a week in Halde". Behind another title a last name is another's: "Mrs. Smith" is not Mr. Smith.
        """
        if not self.entries:  # MEMORY.md mostly names nobody of a line
            return {}
        row = compiled(WORD).findall(unicodedata.normalize("NFKC", text))
        folded = [word.casefold() for word in row]
        words, whole = set(folded), " ".join(folded)
        capitals = {low for word, low in zip(row, folded, strict=True) if word[0].isupper()}
        found: dict[str, str] = {}
        led: dict[str, list[str]] = {}
        for each in self._likely(words):
            for name, said in zip(each.names, each.keys, strict=True):
                if said and (set(said.split()) <= words or (not said.isascii() and said in whole)):
                    found[name] = each.id
                elif each.type == PERSON:
                    for part in _parts(said) & words:
                        is_one = part in capitals or not is_ordinary(part)
                        if is_one and not _is_otherwise_titled(part, each, folded):
                            found.setdefault(part, each.id)
                elif (first := _led(said, each.type)) and first in capitals and not is_ordinary(first):
                    _into(led, first, each.id)
        for word, ids_ in led.items():
            same = [name for name in found if name.casefold() == word]
            are_places = all(found[name].startswith(f"{PLACE}--") for name in same)
            if len(ids_) == 1 and are_places:
                id_ = (same and found[same[0]]) or ids.entity(PLACE, word) if _is_place(text, word) else ids_[0]
                found |= dict.fromkeys(same or [word], id_)
        for article, word in pairwise(folded):
            headed = self._headed(word) if article in ids.ARTICLES - ids.INDEFINITE else set()
            if len(headed) == 1 and (word not in capitals or is_ordinary(word)):
                found.setdefault(word, next(iter(headed)))
        return found

    def _likely(self, words: Set[str]) -> list[Name]:
        """Return the entities of which a text with these words may have a name, in their order."""
        self._looked += 1
        if self._are_few:
            return self._fitting(words, lambda said, kind: _may_stand(said, kind, words), wide=True)
        found = self._by_end if self._looked <= FEW else self._by_word
        likely = {id_ for word in ("", *words) for id_ in found.get(word, ())}
        if self._has_learned:
            return self._sorted(self.entries[id_] for id_ in likely)
        return [self.entries[id_] for id_ in sorted(likely, key=self._places.__getitem__)]

    def _by_part(self, name: str, about: Sequence[str]) -> Meant:
        part = key(name)
        found = self.people(part)
        if len(found) == 1:
            return Meant(found[0].id)
        if not found:
            return Meant(None)
        said = {word for text in about for word in key(text).split()} - {part}
        fits = [(len(said & {w for n in e.names for w in key(n).split()}), e) for e in found]
        best = max(score for score, _ in fits)
        chosen = [e for score, e in fits if score == best]
        if best and len(chosen) == 1:
            return Meant(chosen[0].id)
        return Meant(None, self._rows((e.id, 0.5) for e in found), is_open=True)

    def _others(self, name: str, id_: str) -> tuple[Candidate, ...]:
        """Return the people who have the first name too, where it is all that was said."""
        if len(key(name).split()) > 1:
            return ()
        first = key(name)
        return self._rows(
            (e.id, 0.5)
            for e in self._fitting((first,), lambda said, kind: kind == PERSON and said.split()[:1] == [first])
            if e.id != id_ and key(e.label).split()[:1] == [first]
        )

    def _near(self, name: str, kind: str) -> Iterable[Candidate]:
        for each in self.entries.values():
            if (each.type == PERSON) != (kind == PERSON):
                continue
            score = max((alike(name, other) for other in each.names), default=0.0)
            if score >= NEAR:
                yield Candidate(each.id, each.label, round(score, 2))

    def _rows(self, found: Iterable[tuple[str, float]]) -> tuple[Candidate, ...]:
        return tuple(Candidate(id_, self.entries[id_].label, score) for id_, score in found)


def _into(found: dict[str, list[str]], word: str, id_: str) -> None:
    them = found.setdefault(word, [])
    if id_ not in them:
        them.append(id_)


def _may_stand(said: str, kind: str, words: Set[str]) -> bool:
    """Return whether a text with these words may have a name: it says nothing of one that is written without blanks."""
    parts = said.split()
    if kind == PERSON and not words.isdisjoint(_parts(said)):
        return True
    if kind == ORGANIZATION and parts and parts[0] in words:
        return True
    return (bool(parts) and all(part in words for part in parts)) or not said.isascii()


def _parts(name: str) -> set[str]:
    """Return a person's first and last name: many people have the same title.

    >>> sorted(_parts("dr anna weber"))
    ['anna', 'weber']
    """
    words = name.split()
    words = [word for word in words if word not in TITLES] or words
    return {words[0], words[-1]} if words else set()


def _is_otherwise_titled(part: str, person: Name, said: Sequence[str]) -> bool:
    """Return whether a name of a person stands in a text, of which these are the words, only behind others' titles."""
    own = {word for each in person.keys for word in each.split()} & TITLES
    before = [said[at - 1] if at else "" for at, word in enumerate(said) if word == part]
    return bool(own) and all(word in TITLES - own for word in before)


def _is_place(text: str, word: str) -> bool:
    """Return whether a word in a text, which may stand for an organization, is the name of a place there."""
    if personal(rf"\b{re.escape(word)}{LIKE_PLACE}", re.IGNORECASE).search(text):
        return True
    return any(each.name.casefold() == word and each.kind == PLACE for each in mentions.found(text))


def _led(said: str, kind: str) -> str:
    """Return the first word of an organization's name of several, which alone may stand for the whole; "" for none."""
    first, _, rest = said.partition(" ")
    return first if rest and kind == ORGANIZATION else ""


def load(run: Run, looked: Listing | None = None) -> Known:
    """Return the entities that there are. looked: the look at their folder, where somebody has just taken one"""
    return Known(reading.every(run, looked))
