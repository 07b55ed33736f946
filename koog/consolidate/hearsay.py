"""What one source says and another says otherwise: two years of one boat, two days of one wedding. Pure.

The values have to be of one shape: a moment of a day, a year, a count of one thing. What the same source says at two
times is no contradiction: it has seen something new.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled, personal
from koog.core.text.of_self import is_of_speaker
from koog.core.text.says import NUMBER, Says, is_of_letter, is_of_source, says
from koog.sessions.labels import Label

SOURCE, PAST, SELF = "source", "past", "<self>"
BOTH = 2
COUNT = "count"
THINGS = 2  # that a line shares with hearsay
YEAR = r"(?:1[89]|20)\d\d"
WORD = r"[^\W_]+"
OWNER = r"[^\W_]+(?:['’]s\b)?"  # a word, and that something is his
PART = r"[.!?;:,()。！？；：，、—–]"
PRONOUNS = frozenset("he she they it er sie es él ella ellos il elle ils".split())  # anybody
FEW = 12  # lines of hearsay: what more of them speak of tells nothing


def pairs(lines: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield every two lines with a value each that tell what somebody says of one thing; one label each.

    What many of them speak of makes no two of them be of one thing.
    """
    told = [each for each in sorted(lines, key=lambda s: (s.day, s.id)) if is_told(says(each.text))]
    index: dict[tuple[Label, str], list[int]] = defaultdict(list)
    for at, each in enumerate(told):
        if says(each.text).numbers:
            for thing in things(says(each.text)):
                index[each.label, thing].append(at)
    found = {pair for places in index.values() if len(places) <= FEW for pair in combinations(places, 2)}
    yield from ((told[a], told[b]) for a, b in sorted(found))


def things(said: Says) -> frozenset[str]:
    """Return what a line speaks of, without who speaks, the words for saying and for what somebody did.

    >>> sorted(things(says("Ada says she found a coin")))
    ['ada', 'coin']
    """
    named = said.ideas | said.names | said.maybe
    words = set(compiled(WORD).findall(said.text)) if PAST in said.cues else ()
    did = frozenset[str]().union(*(says(word).ideas for word in words if PAST in says(word).cues))
    return frozenset(each for each in named - did - {SELF} if not is_of_source(each))


def is_told(said: Says) -> bool:
    """Return whether a line tells what somebody else says: "I say yes" does not."""
    found = [told[-1] for told in _tellers(said.text) if told]
    return SOURCE in said.cues and not (found and all(is_of_speaker(each) for each in found))


def is_same(older: Says, newer: Says) -> bool:
    """Return whether one source says both: one is called as the other is, or as what the other line begins with."""
    one, two = sources(older.text), sources(newer.text)
    ones, twos = (*one, opener(older.text)), (*two, opener(newer.text))
    return any(a <= b for a in one for b in twos) or any(b <= a for b in two for a in ones)


def differs(older: Says, newer: Says) -> bool:
    """Return whether a source gives another value of one thing than another line does, a source's or not.

    Where one alone is hearsay, more has to tell that both are of one thing. What is counted tells nothing of that: two
    prices are both in euros.
    """
    told = is_told(older) + is_told(newer)
    shared = (things(older) & things(newer)) - (_counted(older) & _counted(newer) if told == BOTH else frozenset())
    least = {0: len(shared) + 1, 1: THINGS, BOTH: 1}[told]
    return len(shared) >= least and apart(older, newer, is_sure=told < BOTH) and not is_same(older, newer)


def _counted(said: Says) -> frozenset[str]:
    """Return what a line counts: the words behind its numbers."""
    return frozenset(word for mark, word in zip(said.marks, said.words[1:], strict=False) if mark == NUMBER)


def apart(older: Says, newer: Says, *, is_sure: bool = False) -> bool:
    """Return whether each has a value of a shape that the other has another one of. is_sure: of one count at that"""
    left, right = (older.numbers.keys() - newer.numbers.keys(), newer.numbers.keys() - older.numbers.keys())
    return any(_comparable(older, one, newer, two, is_sure=is_sure) for one in left for two in right)


def _comparable(older: Says, one: str, newer: Says, two: str, *, is_sure: bool) -> bool:
    if _shape(one) != _shape(two):
        return False
    if _shape(one) != COUNT:
        return True
    a, b = older.numbers[one], newer.numbers[two]
    return (bool(a & b) or (not is_sure and not (a and b))) and not _is_name(older, one) and not _is_name(newer, two)


def _is_name(said: Says, number: str) -> bool:
    """Return whether a number only says which one is meant: "plot 27"."""
    behind = personal(rf"([^\W\d_]+)[ #.]+{re.escape(number)}(?![\w.,:]*\d)").search(said.text)
    return behind is not None and not says(behind[1]).ideas.isdisjoint(said.numbers[number])


def _shape(number: str) -> str:
    return "time" if ":" in number else "year" if compiled(YEAR).fullmatch(number) else COUNT


def sources(text: str) -> frozenset[frozenset[str]]:
    """Return who or what says so, each as what it is called by: the words of the clause before the word for saying.

    Of "he says" it is what the line begins by naming.

    >>> [sorted(each) for each in sources("Noor's note on the van says so")], [*sources("Imhof is in. He says no")]
    ([["noor's", 'note', 'van']], [frozenset({'imhof'})])
    """
    found = (opener(text) if not told or told[-1] in PRONOUNS else called(told) for told in _tellers(text))
    return frozenset(filter(None, found))


def opener(text: str) -> frozenset[str]:
    """Return what a line begins by naming: its words up to the first that tells nothing by itself.

    >>> sorted(opener("Dad is sorry, he'd read it")), sorted(opener("Imhof's tuner rang"))
    (['<kin0>'], ["imhof's", 'rang', 'tuner'])
    """
    found = list[str]()
    for word in compiled(OWNER).findall(compiled(PART).split(text.casefold().strip(), maxsplit=1)[0]):
        ideas = called([word])
        if found and not ideas:
            break
        found += ideas
    return frozenset(found)


def called(words: Sequence[str]) -> frozenset[str]:
    """Return what some words stand for; of whom something is, that it is his: Imhof's wife is not Imhof."""
    ideas = (says(word).ideas | says(word).names for word in words if not _is_owner(word))
    return frozenset(word for word in words if _is_owner(word)).union(*ideas)


def _is_owner(word: str) -> bool:
    return word[-2:-1] in ("'", "’")


def _tellers(text: str) -> Iterator[list[str]]:
    """Yield the words before each word for saying: those of its clause, else of the one before it."""
    before = list[str]()
    for clause in compiled(PART).split(text.casefold()):
        words = compiled(OWNER).findall(clause)
        for at, word in enumerate(words):
            if is_of_source(word) or is_of_letter(word):
                yield words[:at] or before
        before = words or before
