"""Whether two lines say the same in two languages: by what every language writes alike.  [design §4 "one reading"]

Words are compared within a language only (core/text/compare.py). What is told twice on one day, once in each of two, is
found by its names, figures and days: all of them are the same, there are some, both are of one type, and both deny or
neither does. German writes every noun with a capital, so that a line of it may have more of them than names. Pure.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import dates, features, negation, weigher
from koog.core.text.features import HAN, KANA
from koog.core.text.says import says
from koog.core.text.voices import TALK, USER
from koog.sessions import person

ENOUGH = 2  # names, figures and days that both have, a name among them
LONGER = 2.5  # times: what is so much longer says more
LEAD = 1.5  # times as many small words of one language as of the next, or nobody can tell which it is
NAME = r"[^\W\d_](?:[\w+#]|\.(?=\w))*"
NOUNS = "german"  # its nouns have capitals, too


def is_said_again(one: str, other: str, *, day: str) -> bool:
    """Return whether two lines say the same in two languages.

    day   on which both were said

    >>> is_said_again("Wir nehmen Postgres für Apollo", "Usamos Postgres para Apollo.", day="2026-02-18")
    True
    >>> is_said_again("We decided to use Postgres for Apollo", "Wir nehmen Hades für Apollo", day="2026-02-18")
    False
    """
    if max(len(one), len(other)) > LONGER * min(len(one), len(other)):
        return False
    tongue, other_tongue = language(one), language(other)
    if not (tongue and other_tongue) or tongue == other_tongue:
        return False
    a, b = _names(one, other), _names(other, one)
    is_same = a == b or (tongue == NOUNS and a >= b) or (other_tongue == NOUNS and b >= a)
    figures, days = says(one).numbers.keys(), _days(one, day)
    is_much = bool(a & b) and len(a & b) + len(figures | days) >= ENOUGH
    if not (is_same and is_much) or figures != says(other).numbers.keys() or days != _days(other, day):
        return False
    return negation.is_denied(one) == negation.is_denied(other) and _type(one) == _type(other)


@lru_cache(maxsize=1024)  # a line is compared with many
def language(text: str) -> str:
    """Return the language of a line by its small words, "" where that is not sure.

    >>> language("Wir nehmen Postgres für Apollo"), language("Usamos Postgres para Apollo"), language("Apollo!")
    ('german', 'spanish', '')
    """
    if (wide := features.tongue(text)) in (HAN, KANA):
        return wide
    found = Counter[str]()
    for word in compiled(NAME).findall(text):
        known = person.languages(word.casefold())
        found.update(dict.fromkeys(known, 1 / len(known)) if known else {})
    best, next_ = (*found.most_common(2), ("", 0.0), ("", 0.0))[:2]
    return best[0] if best[1] > LEAD * next_[1] else ""


def _names(text: str, other: str) -> frozenset[str]:
    """Return the words with a capital; one that only begins a sentence where the other line has it, too."""
    words = compiled(NAME).findall(text)
    also = {each.casefold() for each in compiled(NAME).findall(other) if each != each.lower()}
    first = {each.casefold() for each in words[:1]} & also
    return frozenset(each.casefold() for each in words[1:] if each != each.lower()) | first


def _days(text: str, said: str) -> set[str]:
    """Return the days that a text names."""
    return {each.day.isoformat() for each in dates.found(text, date.fromisoformat(said)) if each.exact}


def _type(text: str) -> str:
    return weigher.weigh(text, register=TALK, role=USER).type
