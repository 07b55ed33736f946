"""What a person types → what is looked for.  [autopoiesis §7; issue 5, "any input is safe"]

    parse       a text → its words, and the day that it names
    literal     a word → an FTS5 expression that finds it and can be nothing else

A query is text, never SQL or FTS5 syntax. Pure.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.measures import STOPWORDS
from koog.core.text.words import runs, spaced

# Beside the stopwords of notes: what questions are made of, and what FTS5 leaves of "don't" and "we'll".
OF_QUESTIONS = frozenset("did does do many might much kind likely type whose d ll m re s t ve".split())
OF_OTHERS = frozenset(  # what notes and questions in German, Spanish, French and Korean are made of
    """
    aber als auf aus bei beim bis da das dass dem der des du ein eine einem einen einer er es für haben hatte ich
    ihr im ist kann mein meine mich mir nach oder sich sie sind soll und uns unser unsere viel viele vom von
    waren wann warum welche welchem welchen welcher welches wem wen wer werden wie wird wir wo wohin womit woher
    wurde wurden zu zum zur como con cuál cuándo cuánto cuánta cuántos cuántas cómo de dónde donde el ella en
    era eran esta este está fue ha han hay las le lo los mi mis nos para por porque que quién qué se ser si sus
    un una y a-t-elle a-t-il au aux avec c ce ces cet cette combien dans elle est et il ils j je l les leur leurs
    lui ma mes mon n ne notre nous ou où pas pourquoi qu quand quel quelle quelles quels qui quoi sa ses sont sur ta
    une était 가 거 건 걸 것 게 그 나 내 너 뭐 뭐가 뭐야 무슨 무엇 몇 누가 누구 어느 어디 어디서 어디에 어떤 어떻게
    언제 언제야 얼마 얼마나 얼마야 왜 우리 있어 있지 했어 했지 이 저 좀
    """.split()
)
# Words of either, which count unless the query has some of the others: a hat, the MIT license.
OF_OTHERS_OR_ENGLISH = frozenset("al bin comment del den die hat la man mit par pour son su war".split())
# Of scripts without blanks: letters that join the words or ask, and with them every pair that is not of one word.
JOINING = frozenset("的了吗呢吧嘛啊么什哪谁怎几是在把被はをがにでへとのもかねよ")
KANA = re.compile("[\u3040-\u309f]{2}")  # is an ending far more often than it is a word
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
    joining = OF_OTHERS if OF_OTHERS.isdisjoint(found) else OF_OTHERS | OF_OTHERS_OR_ENGLISH
    content = tuple(word for word in found if word not in joining and _is_content(word))
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
    if word.isascii():
        return word not in STOPWORDS and word not in OF_QUESTIONS and (len(word) > 1 or not word.isalpha())
    return (
        word not in STOPWORDS and word not in OF_QUESTIONS and JOINING.isdisjoint(word) and KANA.fullmatch(word) is None
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
