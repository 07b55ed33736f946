"""Whether two lines say the same in two languages: by what every language writes alike.  [design §4 "one reading"]

Words are compared within a language only (core/text/compare.py). What is told twice on one day, once in each of two, is
found by its names and figures: all of them are the same, there are some, and both deny or neither does. Pure.
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled
from koog.core.text import features, negation
from koog.core.text.says import says

ENOUGH = 2  # names and figures that both have, a name among them
LONGER = 2.5  # times: what is so much longer says more
NAME = r"[^\W\d_][\w.+#]*"


def is_said_again(one: str, other: str, *, is_one_day: bool) -> bool:
    """Return whether two lines of one day say the same in two languages.

    >>> is_said_again("We decided to use Postgres for Apollo", "Wir nehmen Postgres für Apollo", is_one_day=True)
    True
    >>> is_said_again("We decided to use Postgres for Apollo", "Wir nehmen Redis für Apollo", is_one_day=True)
    False
    """
    if not is_one_day or features.tongue(one) == features.tongue(other):
        return False
    if max(len(one), len(other)) > LONGER * min(len(one), len(other)):
        return False
    a, b = _names(one), _names(other)
    figures = says(one).numbers.keys(), says(other).numbers.keys()
    # Nouns of German have capitals, too: the language with fewer of them tells which are names.
    few, many = sorted((a, b), key=len)
    is_same = few <= many and figures[0] == figures[1]
    is_much = bool(few) and len(few) + len(figures[0]) >= ENOUGH
    return is_same and is_much and negation.is_denied(one) == negation.is_denied(other)


def _names(text: str) -> frozenset[str]:
    """Return the words with a capital, without those that only begin a sentence."""
    first = compiled(r"\W*(?:" + NAME + ")?").match(text)
    rest = text[first.end() :] if first else text
    return frozenset(each.casefold() for each in compiled(NAME).findall(rest) if each != each.lower())
