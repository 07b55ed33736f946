"""What a person types → what is looked for.  [autopoiesis §7; issue 5, "any input is safe"]

    parse       a text → its words, and the day that it names
    literal     a word → an FTS5 expression that finds it and can be nothing else

A query is text, never SQL or FTS5 syntax. Pure.
"""

from __future__ import annotations

from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.core.text import dates
from koog.core.text.measures import STOPWORDS
from koog.core.text.words import runs, spaced

# Beside the stopwords of notes: what questions are made of, and what FTS5 leaves of "don't" and "we'll".
OF_QUESTIONS = frozenset("did does do many might much kind likely type whose d ll m re s t ve".split())
MOST_WORDS = 400  # distinct ones that are looked at; a message of a page has fewer
DATED_WITHIN = 10_000  # characters from the beginning in which a day is looked for
LONGEST_WORD = 100  # characters; what is longer is no word of a note
DAY_NAMED = (
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?(?: of| de)? )?(?P<month>{dates.MONTH})\b\.?"
    r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:(?:,| de| del)? (?P<year>\d{4})\b)?"
)
DAY_WIDE = r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?"
DAY_WRITTEN = r"(?<![\d-])(\d{4})-(\d\d)(?:-(\d\d))?(?![\d-])"


class Day(NamedTuple):
    """A day or month that a query names; None for what it leaves open."""

    year: int | None
    month: int
    day: int | None


class Query(NamedTuple):
    """The words that are looked for, lower case, each once, in the order of the text; the day it names."""

    words: tuple[str, ...]
    day: Day | None


def parse(text: str) -> Query:
    """Return what a text asks for. Stopwords count only where there is nothing else.

    >>> parse("What did Ana's sister buy?").words, parse("what is it").words, parse('"*" OR ^(NEAR')
    (('ana', 'sister', 'buy'), ('what', 'is', 'it'), Query(words=('near',), day=None))
    """
    found: dict[str, None] = {}
    for match in compiled(r"[^\W_]+(?:['’`][^\W_]+)*").finditer(text):
        word = match[0].lower().replace("’", "'").replace("`", "'").removesuffix("'s")
        found |= dict.fromkeys(part for part in _parts(word) if len(part) <= LONGEST_WORD)
        if len(found) >= MOST_WORDS:
            break
    content = tuple(word for word in found if _is_content(word))
    # Its expression takes longer to compile than all else here, and few queries name a day.
    dated = not dates.MONTHS.keys().isdisjoint(found) or any(word[0].isdigit() for word in found)
    return Query(content or tuple(found), named_day(text[:DATED_WITHIN]) if dated else None)


def _parts(word: str) -> list[str]:
    """Return a word as it is; what is written without blanks in pairs of letters, of which a text has some or all."""
    parts = []
    for run, unspaced in runs(word[:MOST_WORDS]):
        parts += [run[at : at + 2] for at in range(max(1, len(run) - 1))] if unspaced else [run]
    return parts


def _is_content(word: str) -> bool:
    return (
        word not in STOPWORDS
        and word not in OF_QUESTIONS
        and (len(word) > 1 or not word.isalpha() or not word.isascii())
    )


def literal(word: str) -> str:
    """Return the FTS5 string of a word: quoted, so that it is never syntax.

    >>> literal("near"), literal("o'clock"), literal('a"b')
    ('"near"', '"o\\'clock"', '"a""b"')
    """
    return '"' + spaced(word).replace('"', '""') + '"'


def named_day(text: str) -> Day | None:
    """Return the first day or month that a text names. A month alone must be capitalised: "may" and "march" are verbs.

    >>> named_day("who came on May 3, 2023?"), named_day("in early March"), named_day("what may it be")
    (Day(year=2023, month=5, day=3), Day(year=None, month=3, day=None), None)
    """
    if written := compiled(DAY_WRITTEN).search(text):
        return _possible(int(written[1]), int(written[2]), int(written[3]) if written[3] else None)
    if wide := compiled(DAY_WIDE).search(text):
        year, day = wide["year"], wide["day"]
        return _possible(int(year) if year else None, int(wide["month"]), int(day) if day else None)
    for named in compiled(f"(?i){DAY_NAMED}").finditer(text):
        day, year = named["before"] or named["after"], named["year"]
        if not (day or year) and not (named["month"][0].isupper() and named.start()):
            continue
        if not (month := dates.MONTHS.get(named["month"].casefold())):
            continue  # "ſeptember", which is taken for September where cases are not told apart
        return _possible(int(year) if year else None, month, int(day) if day else None)
    return None


def _possible(year: int | None, month: int, day: int | None) -> Day | None:
    return Day(year, month, day) if 1 <= month <= 12 and (day is None or 1 <= day <= 31) else None
