"""What of a question a line has: its words in one form or another, its names, what kind of answer it gives. Pure.

A word is had as it is written, in another form, as the same idea in one of six languages, or as a part of a longer one
("Termin" in "Zahnarzttermin").
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import dates, words
from koog.core.text.measures import STOPWORDS, stem
from koog.core.text.says import says
from koog.memory.answering import cues, thesaurus
from koog.memory.answering.question import MANY, WHEN, WHERE, WHO, WHY
from koog.search import irregular

SAME, IDEA, PART, BEGUN, ALIKE = 1.0, 0.85, 0.7, 0.6, 0.6  # of a word
LEAST_PART, LEAST_BEGUN = 4, 5  # letters that two words share
MOST_OF = 0.55  # of the longer word that a shared beginning has to be
CAPITAL = r"\b[A-ZÀ-ÖØ-Þ][^\W_]+"
CLOCK = r"\b\d{1,2}(?::\d\d| ?(?:am|pm|uhr|h)\b)|\d{1,2}[点時时]"


class Line:
    """A line as questions are compared with it; what few questions need is looked at when one does.

    tokens   its words, lower case, and their stems
    """

    def __init__(self, text: str) -> None:
        self.text = text
        told = {word.lower().replace("’", "'").removesuffix("'s") for word in words.tokens(text)}
        told |= {part for word in told if not word.isalnum() for part in compiled(r"[^\W_]+").findall(word)}
        self.tokens = frozenset(told | {stem(word) for word in told})

    @cached_property
    def ideas(self) -> frozenset[str]:
        return says(self.text).ideas

    @cached_property
    def things(self) -> frozenset[int]:
        """Return what its words may stand for, by the thesaurus."""
        found = frozenset[int]().union(*map(thesaurus.things, self.tokens))
        return found if self.text.isascii() else found | thesaurus.within(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """Return its words that may be names, lower case: those with a capital."""
        found = (word.casefold() for word in compiled(CAPITAL).findall(self.text))
        return frozenset(word for word in found if word not in STOPWORDS)

    @property
    def has_number(self) -> bool:
        return bool(says(self.text).numbers)

    @property
    def has_day(self) -> bool:
        """Return whether it names a day or an hour."""
        if dates.has_day(self.text) or compiled(CLOCK).search(self.text.lower()):
            return True
        return "weekday" in says(self.text).kinds


@lru_cache(maxsize=4096)
def line(text: str) -> Line:
    """Return a line as questions are compared with it."""
    return Line(text)


@lru_cache(maxsize=1024)
def _forms(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return how a word may stand in a line: it and its stem and irregular forms; its ideas."""
    forms = {word, stem(word), *irregular.forms(word), *map(stem, irregular.forms(word))}
    return frozenset(forms), frozenset(idea for idea in says(word).ideas if idea.startswith("<"))


@lru_cache(maxsize=65536)
def has(word: str, of: Line) -> float:
    """Return how far a line has a word of a question, 0 to 1.

    >>> [has(word, line("Zahnarzttermin am Dienstag, 10:00")) for word in ("zahnarzttermin", "termin", "auto")]
    [1.0, 0.7, 0.0]
    """
    forms, ideas = _forms(word)
    if forms & of.tokens:
        return SAME
    if ideas and ideas & of.ideas:
        return IDEA
    if akin := max((_akin(word, other) for other in of.tokens), default=0.0):
        return akin
    things = thesaurus.things(word)
    return ALIKE if things and things & of.things else 0.0


def names(word: str, of: Line) -> float:
    """Return whether a line has a word that is a name: as it is written, and in no other form."""
    return SAME if word in of.tokens else 0.0


def _akin(word: str, other: str) -> float:
    short, long = sorted((word, other), key=len)
    if not (short.isalpha() and long.isalpha()) or len(short) < LEAST_PART:
        return 0.0
    if long.endswith(short) or (long.startswith(short) and len(long) - len(short) > 2):
        return PART
    size = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return BEGUN if size >= LEAST_BEGUN and size >= MOST_OF * len(long) else 0.0


def gives(kind: str, of: Line, *, asked: frozenset[str]) -> bool | None:
    """Return whether a line gives what a kind asks for; None for a kind by which nobody can tell.

    asked   names of the question
    """
    if kind == WHEN:
        return of.has_day
    if kind == MANY:
        return of.has_number
    if kind == WHY:
        return cues.gives(WHY, of.text)
    if kind in (WHO, WHERE):
        return bool(of.names - asked)
    return None
