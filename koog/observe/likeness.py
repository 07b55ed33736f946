"""When one observation says what another says, or takes its place.  Pure: text in, answers out.

Word overlap is not enough to take a line out of a memory: "port 4100" and "port 4200",
"tabs over spaces" and "spaces over tabs", "with" and "without" share nearly all their
words. So order counts here, small words that turn a meaning count, and names and
numbers must be the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import dates, negation
from koog.core.text.measures import STOPWORDS, WORD, content_words, stem
from koog.core.text.words import tokens
from koog.observe.observations import HIGH, MEDIUM, Observation

# Words that carry nothing: two sentences that differ in these alone say the same.
FILLER = frozenset(
    """
    a an the this that these those i i'm i've we we're we've our my me us it it's its is are was were be been being
    am has have had having do does did of to in at for and so just then there here also please really very
    """.split()
)
# Words that turn a sentence: both texts have them, or neither.
TURNS = negation.WORDS | frozenset(
    """
    before after until till from off up down over under above below more less
    most least fewer only except unless all any every each other if when while instead rather first last both either
    """.split()
)
PARTS_OF_TIME = """
    mon tue wed thu fri sat sun today tomorrow tonight noon midnight morning afternoon evening week month year day
"""
CALENDAR = frozenset(PARTS_OF_TIME.split()) | dates.MONTHS.keys() | dates.WEEKDAYS.keys()
SAME = 0.85  # of two texts' words, in order: what is left is one word of seven
LOOSELY = 0.6  # two old 🟡 lines of one day
RANK = {HIGH: 2, MEDIUM: 1}

# What a line says when it puts something else in an older line's place.
CHANGED = (
    r"\b(?:no longer|not .{0,40}any ?more|instead of|reverted|back to|from now on|as of|turns out|correction|is over"
    r"|(?:mov|switch|chang|migrat|renam|updat)(?:ed|es|ing)? (?:\w+ ){0,3}?(?:to|from)"
    r"|now (?:is|are|has|uses?|runs?|on|at|in|owns?|lives?|goes|needs?)|(?:is|are|has|uses?|runs?|lives?) now"
    r"|resched\w+|postponed|(?:pushed|put) (?:back|off)|brought forward|cancel+ed|replac(?:ed|es|ing)|drop(?:ped|s)"
    r"|changed (?:my|his|her|their|our) minds?)\b"
)


@lru_cache(maxsize=8192)
def said(text: str) -> tuple[str, ...]:
    """Return a text's words in order, as stems, without those that carry nothing.

    >>> said("We deploy on Tuesdays, not on Fridays")
    ('deploy', 'on', 'tuesday', 'not', 'on', 'friday')
    """
    return tuple(stem(low) for _, low in _words(text) if low not in FILLER)


@lru_cache(maxsize=8192)
def fixed(text: str) -> frozenset[str]:
    """Return the words that may not differ between two texts that say the same: numbers, names, days, turning words."""
    found = set()
    for word, low in _words(text):
        named = word[0].isupper() and low not in STOPWORDS
        if low in TURNS or low in CALENDAR or named or not low.isalpha():
            found.add(stem(low))
    return frozenset(found - FILLER)


@lru_cache(maxsize=8192)
def facts(text: str) -> frozenset[str]:
    """Return a text's fixed words, without the one that has its capital from beginning the sentence."""
    text = _bare(text)
    first = WORD.search(text)
    if first and first[0].istitle():
        text = text.replace(first[0], first[0].lower(), 1)
    return fixed(text)


def holds(text: str, other: str) -> bool:
    """Return whether a text says all of another: each of its words in their order, and no turning word more.

    >>> holds("Deploys go out on Tuesdays at noon", "Deploys go out on Tuesdays")
    True
    >>> holds("Deploys never go out on Tuesdays", "Deploys go out on Tuesdays")
    False
    """
    if _turns(text) != _turns(other):
        return False
    words = iter(said(text))
    return all(word in words for word in said(other))


def alike(a: str, b: str, *, least: float = SAME) -> bool:
    """Return whether two texts say the same in nearly the same words.

    >>> alike("Staging listens on port 4100", "Staging listens on port 4200")
    False
    """
    if fixed(a) != fixed(b):
        return False
    left, right = said(a), said(b)
    needed = least * (len(left) + len(right)) / 2
    return bool(left and right) and min(len(left), len(right)) >= needed and _common(left, right) >= needed


def duplicate(a: Observation, b: Observation) -> bool:
    """Return whether one of two observations can go because the other says it; of a 🔴 line, every word."""
    for long, short in ((a, b), (b, a)):
        if said(short.text) and holds(long.text, short.text):
            return True
    return HIGH not in (a.mark, b.mark) and alike(a.text, b.text)


def older(a: Observation, b: Observation) -> bool:
    """Return whether the first was observed before the second: no where a day, or of one day a time, is not known."""
    if a.day != b.day:
        return "" < a.day < b.day
    return "" < a.time < b.time


def may_supersede(newer: Observation, old: Observation) -> bool:
    """Return whether a line can stand in an older one's place, if somebody says it does.

    It is newer, weighs as much and speaks of the same thing; of a 🔴 line's subject it names the greater part.
    """
    if not older(old, newer) or RANK.get(newer.mark, 0) < RANK.get(old.mark, 0):
        return False
    words = subject(old.text) or content_words(old.text)
    shared = words & content_words(newer.text)
    return len(shared) >= (max(min(2, len(words)), 0.6 * len(words)) if old.mark == HIGH else 1)


def supersedes(newer: Observation, old: Observation) -> bool:
    """Return whether a line says in its own words that something is no longer as an older one has it."""
    if not _tells_a_change(newer.text) or not may_supersede(newer, old):
        return False
    words = subject(old.text)
    shared = words & content_words(newer.text)
    # Without each of its names it may be the same sentence about something else: "on Bazel instead of … for Harbor".
    return len(shared) >= max(2, 0.6 * len(words)) and facts(old.text) & words <= shared


@lru_cache(maxsize=8192)
def subject(text: str) -> frozenset[str]:
    """Return what a text is about: its content words without numbers, days and turning words, which may change."""
    return frozenset(w for w in content_words(text) if w.isalpha() and w not in CALENDAR | TURNS)


def pairs(observations: Sequence[Observation]) -> list[tuple[int, int]]:
    """Return the places (i, j), i before j, of observations that share two content words, or all that one of them has.

    By an index of words, so that a file of thousands of lines is not compared line by line with itself.
    """
    seen: dict[str, list[int]] = {}
    sizes: list[int] = []
    found = []
    for j, o in enumerate(observations):
        words = content_words(o.text)
        sizes.append(len(words))
        shared: Counter[int] = Counter()
        for word in words:
            shared.update(seen.get(word, ()))
        found += [(i, j) for i, n in sorted(shared.items()) if n >= min(2, len(words), sizes[i])]
        for word in words:
            seen.setdefault(word, []).append(j)
    return found


def _bare(text: str) -> str:
    """Return a text without the word that says who said it."""
    return text.removeprefix("User: ").removeprefix("Agent: ").removeprefix("Group: ")


def _words(text: str) -> list[tuple[str, str]]:
    """Return a text's words in order, each as it stands and in lower case."""
    return [(word, word.lower().replace("’", "'")) for word in tokens(_bare(text))]


@lru_cache(maxsize=8192)
def _turns(text: str) -> tuple[str, ...]:
    return tuple(sorted(low for _, low in _words(text) if low in TURNS))


@lru_cache(maxsize=8192)
def _tells_a_change(text: str) -> bool:
    return bool(compiled(CHANGED, re.IGNORECASE).search(text))


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest run of words, gaps allowed, that both have in this order."""
    row = [0] * (len(b) + 1)
    for word in a:
        before = row[:]
        for j, other in enumerate(b, 1):
            row[j] = before[j - 1] + 1 if word == other else max(before[j], row[j - 1])
    return row[-1]
