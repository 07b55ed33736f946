"""Two accounts of one thing that nobody else speaks of: who pays for the skylight, how the ropes are greased. Pure.

Values that can be compared are for hearsay.py. Where words alone differ, more has to tell that both answer one
question: each is another source's, and a word that tells something stands in these two lines and in no other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from koog.consolidate import hearsay
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.text.compare import TELLING, common
from koog.core.text.of_self import is_of_speaker
from koog.core.text.pairs import IS
from koog.core.text.says import is_of_letter, is_of_relay, is_of_source, says
from koog.memory.store.ids import ARTICLES
from koog.sessions.labels import Label

TAKES_BACK = frozenset(("moved", "wrong", "rather", "over"))
THINGS = 2  # that both speak of
TWO = 2  # lines that have the word: these, and no other
SENTENCE = r"[.!?:。！？：]"
CLASS = ("<", "#")  # how an idea begins that is of many words, or a number


def found(lines: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield every two lines by which two sources tell otherwise of one thing, in order of time; one label each."""
    once = {(each.label, each.text): each for each in sorted(lines, key=lambda s: (s.day, s.id), reverse=True)}
    by_word: dict[tuple[Label, str], list[Said]] = defaultdict(list)
    count = counted(once.values())
    for each in reversed(once.values()):
        if any(_told(each.text)):
            for word in _words(each):
                by_word[word].append(each)
    pairs = {tuple(told): None for word, told in by_word.items() if count[word] == len(told) == TWO}
    yield from ((older, newer) for older, newer in pairs if differs(older, newer, count))


def counted(lines: Iterable[Said]) -> Counter[tuple[Label, str]]:
    """Return in how many texts of a label each word stands."""
    once = {(each.label, each.text): each for each in lines}
    return Counter(word for each in once.values() for word in _words(each))


def _words(each: Said) -> set[tuple[Label, str]]:
    said = says(each.text)
    return {(each.label, word) for word in said.ideas | said.names}


def differs(older: Said, newer: Said, count: Counter[tuple[Label, str]]) -> bool:
    """Return whether two lines are two accounts of one thing. count: in how many lines of a label a word stands"""
    a, b = says(older.text), says(newer.text)
    if older.day >= newer.day or a.words == b.words or b.cues & TAKES_BACK:
        return False
    one, two = _told(older.text), _told(newer.text)
    if not (any(one) and any(two) and (one[0] or two[0])) or is_of_one(older.text, newer.text):
        return False
    shared = frozenset(each for each in hearsay.things(a) & hearsay.things(b) if not is_of_relay(each))
    named = (a.names | a.maybe) & (b.names | b.maybe)
    asked = (each for each in shared - named if not each.startswith(CLASS))
    only = (each for each in asked if count[newer.label, each] <= TWO and common().get(each, 1.0) >= TELLING)
    return len(shared) >= THINGS and any(only)


def is_of_one(text: str, other: str) -> bool:
    """Return whether one source tells both, or whose word the one is stands in the other, by all that he is called.

    >>> is_of_one("Imhof says the hall is free", "Imhof rang, he gives me two weeks")
    True
    """
    one, two = (hearsay.called(compiled(hearsay.OWNER).findall(each.casefold())) for each in (text, other))
    return any(each <= two for each in hearsay.sources(text)) or any(each <= one for each in hearsay.sources(other))


def _told(text: str) -> tuple[bool, bool]:
    """Return whether a line tells what another says, and whether it passes on what he said or wrote.

    "The log signed" is no word of anybody's; "a memo from the dean" at the beginning is one. Who passes it on is told
    first: "vaccines out, time written on the door" passes on nothing.
    """
    words = compiled(hearsay.WORD).findall(text.casefold())
    first = len(compiled(hearsay.WORD).findall(compiled(SENTENCE).split(text, maxsplit=1)[0]))
    says_so, passes_on = False, bool(words) and is_of_relay(words[0])
    for at, (before, word) in enumerate(pairwise(words)):
        is_noun = before in ARTICLES
        if is_of_speaker(before) or compiled(IS).fullmatch(before):
            continue  # his own word, or nobody's: "the courier is called Wes"
        is_first = at + 1 < first
        says_so |= not is_noun and (is_of_source(word) or (is_first and is_of_letter(word)))
        passes_on |= is_first and (not is_noun or at == 0) and is_of_relay(word)
    return says_so, passes_on
