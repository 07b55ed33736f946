"""What one source says and another says otherwise: two years of one boat, two days of one wedding. Pure.

The values have to be of one kind (values.py). What the same source says at two
times is no contradiction: it has seen something new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.consolidate import value_words, values
from koog.core.lazy_regex import compiled
from koog.core.text.compare import TELLING, common
from koog.core.text.of_self import is_of_speaker
from koog.core.text.says import Says, is_of_letter, is_of_relay, is_of_source, is_of_voice, says

SOURCE, PAST, SELF = "source", "past", "<self>"
BOTH = 2
THINGS = 2  # that a line shares with hearsay
WORD = r"[^\W_]+"
OWNER = r"[^\W_]+(?:['’]s\b)?"  # a word, and that something is his
PART = r"[.!?;:,()。！？；：，、—–]"
PRONOUNS = frozenset("he she they it er sie es él ella ellos il elle ils".split())  # anybody


def things(said: Says) -> frozenset[str]:
    """Return what a line speaks of, without who speaks, the words for saying and for what somebody did.

    >>> sorted(things(says("Ada says she found a coin")))
    ['ada', 'coin']
    """
    named = said.ideas | said.names | said.maybe
    words = set(compiled(WORD).findall(said.text)) if PAST in said.cues else ()
    did = frozenset[str]().union(*(says(word).ideas for word in words if PAST in says(word).cues))
    return frozenset(
        each
        for each in named - did - {SELF} - PRONOUNS
        if not is_of_source(each) and not compiled(value_words.MONEYS).fullmatch(each)
    )


def is_told(said: Says) -> bool:
    """Return whether a line tells what somebody else says: "I say yes" does not."""
    found = [told[-1] for told in _tellers(said.text) if told]
    return SOURCE in said.cues and not (found and all(is_of_speaker(each) for each in found))


def is_same(older: Says, newer: Says) -> bool:
    """Return whether one source says both: one is called as the other is, or as what the other line begins with.

    Both may begin with it: with its name, or where a line does not say who tells it with what may be one.
    """
    one, two = sources(older.text), sources(newer.text)
    named = older.names | newer.names | (frozenset() if one and two else older.maybe | newer.maybe)
    if any(map(tells, opener(older.text) & opener(newer.text) & named)):
        return True
    ones, twos = (*one, opener(older.text)), (*two, opener(newer.text))
    return any(a <= b for a in one for b in twos) or any(b <= a for b in two for a in ones)


def differs(older: Says, newer: Says) -> bool:
    """Return whether a source gives another value of one thing than another line does, a source's or not.

    Where one alone is hearsay, more has to tell that both are of one thing. What is counted tells nothing of that, nor
    does a word that many lines have: two prices are both in euros, and "all" and "only" are said of anything.
    """
    told = is_told(older) + is_told(newer)
    pairs = [pair for pair in values.apart(older.text, newer.text) if pair[0].kind != values.MONTH]
    if not pairs or is_same(older, newer) or told == 0 or (told < BOTH and PAST in newer.cues):
        return False
    counted = frozenset[str]().union(*(each.parts for pair in pairs for each in pair))
    shared = {each for each in things(older) & things(newer) - counted if tells(each)}
    if told == BOTH:
        return bool(shared - (_named(older) & _named(newer)))
    return len(shared) >= THINGS


def _named(said: Says) -> frozenset[str]:
    return said.names | said.maybe


def tells(word: str) -> bool:
    """Return whether a word is of few lines, of whatever memory, and not for the telling."""
    return common().get(word, 1.0) >= TELLING and not is_for_telling(word)


def is_for_telling(word: str) -> bool:
    """Return whether a word is for telling something, and says nothing of what."""
    return is_of_relay(word) or is_of_voice(word) or is_of_source(word)


def apart(older: Says, newer: Says) -> bool:
    """Return whether each gives a value of a kind of which the other has another one."""
    return any(values.apart(older.text, newer.text))


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
