"""What values a line gives, each of one kind: a span, an amount, a day, a must, whose something is, what it is made of.

Two lines about one thing cannot both hold where each gives another value of one kind. Values are brought to one
measure, so that "12 months" and "a year" are no two. Six languages. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from koog.consolidate import value_words as words
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.says import THOUSANDS, bare, is_of_source, is_of_voice, says

SPAN, RHYTHM, AMOUNT, DAY, TIME, YEAR = "span", "rhythm", "amount", "day", "time", "year"
MONTH, MUST, MAY, OWNER, BEARER = "month", "must", "may", "owner", "bearer"
STATE, MATERIAL, ORIGIN = "state", "material", "origin"
LASTING = (SPAN, RHYTHM)
COUNTED = (*LASTING, AMOUNT)
RIGHTS = (MUST, MAY)
OF_KINDS = (STATE, MATERIAL, ORIGIN)  # words, not figures
DATES = (DAY, MONTH)
FIGURES = ((RHYTHM, words.OFTEN), (DAY, words.DATED), (TIME, words.CLOCKS), (SPAN, words.LASTS), (YEAR, words.YEARS))
FAR = 6  # two counts of which one is so many times the other are of two things
NEAR = 1.1  # two spans that differ by less are one: four weeks and a month
ALONE = ""  # what an amount counts of which nothing says so: "180 a child"
MONEY, MINUS, PERCENT = "money", "minus", "%"
NO_WORDS = frozenset((ALONE, MONEY, MINUS, PERCENT, *words.STATES))  # units that no line has as a word
APOSTROPHE = r"(?<=\d)'(?=\d{3}(?!\d))"  # "41'300"
LEAST_ALONE = 10  # a smaller number alone is anything
NOON = 12 * 60


class Value(NamedTuple):
    """A value.

    unit     what is counted, ALONE where nothing says so
    measure  days, minutes, a number; of a day a hundred times its month and the day
    told     of a span how many, in the words of the line
    side     of a must and of a state "yes" or "no", of what is somebody's who he is, else a material or a place
    """

    kind: str
    unit: str
    measure: float
    told: float = 0.0
    side: str = ""

    @property
    def parts(self) -> frozenset[str]:
        """Return the words of it, as a line's ideas."""
        return frozenset((self.unit, self.side)) - {""}


@lru_cache(maxsize=4096)
def given(line: str) -> tuple[Value, ...]:
    """Return the values that a line gives.

    >>> [(v.kind, v.measure) for v in given("Service twice a year, 45 euro, by 21 March")]
    [('rhythm', 182.5), ('day', 321.0), ('amount', 45.0)]
    >>> [(v.kind, v.side) for v in given("Die Hecke gehört der Gemeinde, wir müssen sie schneiden")]
    [('must', 'yes'), ('owner', 'gemeind')]
    """
    text = compiled(APOSTROPHE).sub("", bare(line).casefold())
    found = list[Value]()
    for kind, patterns in FIGURES:
        for pattern in patterns:
            for match in compiled(pattern).finditer(text):
                value = _figured(kind, match, text[: match.start()])
                if value is not None:
                    found.append(value)
                    text = f"{text[: match.start()]}{'.' * len(match[0])}{text[match.end() :]}"
    months = says(text).kinds.get(MONTH, frozenset()) if all(each.kind != DAY for each in found) else frozenset[str]()
    found += [Value(MONTH, "", 0.0, side=each) for each in months]
    found += _amounts(text)
    for kind, (no, yes) in ((MUST, words.DUTIES), (MAY, words.LEAVES)):
        said = [side for side, pattern in (("no", no), ("yes", yes)) if compiled(pattern).search(text)]
        found += [Value(kind, "", 0.0, side=each) for each in said[:1]]
    for kind, names in ((OWNER, words.OWNERS), (BEARER, words.BEARERS), (ORIGIN, words.ORIGINS)):
        who = (match["who"] for pattern in names for match in compiled(pattern).finditer(text))
        found += [Value(kind, "", 0.0, side=min(ideas)) for each in who if (ideas := says(each).ideas)]
    found += _states(text)
    made = (match["material"] for match in compiled(words.MADE_OF).finditer(text))
    found += [Value(MATERIAL, "", 0.0, side=words.MATERIAL_OF[each]) for each in made]
    return tuple(dict.fromkeys(found))


def apart(line: str, other: str) -> Iterator[tuple[Value, Value]]:
    """Yield the values of one kind and unit that two lines give otherwise; of a kind that both give alike none."""
    ours, theirs = given(line), given(other)
    for kind in dict.fromkeys(each.kind for each in ours):
        one, two = ([v for v in side if v.kind == kind] for side in (ours, theirs))
        pairs = [(a, b) for a, b in product(one, two) if _is_of_one(a, b)]
        if not any(_is_same(a, b) or _is_said(a, other) or _is_said(b, line) for a, b in pairs):
            yield from pairs


def agree(line: str, other: str) -> bool:
    """Return whether two lines give one value alike."""
    return any(a.kind == b.kind and _is_of_one(a, b) and _is_same(a, b) for a, b in product(given(line), given(other)))


def _is_of_one(a: Value, b: Value) -> bool:
    """Return whether two values of a kind count the same. What is counted alone may be money."""
    if a.kind in COUNTED and max(a.measure, b.measure) > FAR * min(a.measure, b.measure):
        return False
    return a.unit == b.unit or {a.unit, b.unit} == {ALONE, MONEY}


def _is_said(value: Value, text: str) -> bool:
    """Return whether a text has the number of a span, of whatever: "my lines take 35 minutes, theirs stop at 20"."""
    return value.kind == SPAN and f"{value.told:g}" in says(text).numbers


def _is_same(a: Value, b: Value) -> bool:
    if a.kind in LASTING:
        return max(a.measure, b.measure) < NEAR * min(a.measure, b.measure)
    if a.kind == TIME:
        return a.measure % NOON == b.measure % NOON  # "5:40" may be after noon
    return (a.measure, a.side) == (b.measure, b.side)


def _figured(kind: str, match: re.Match[str], before: str) -> Value | None:
    """Return the value that a pattern has found, None where it is none. before: the text before it"""
    part = match.groupdict()
    if kind == YEAR:
        return Value(kind, "", float(match[0]))
    if kind == DAY:
        month = dates.MONTHS[part["month"]] if not part["month"].isdigit() else int(part["month"])
        return Value(kind, "", 100.0 * month + int(part["day"]))
    if kind == TIME:
        hour = int(part["h"]) % 12 + 12 if part.get("half") == "p" else int(part["h"])
        return Value(kind, "", 60.0 * hour + int(part.get("m") or 0))
    if kind == SPAN:
        is_rate = part["n"] in words.ARTICLES and not compiled(words.FOR).search(before)  # "two litres a day"
        days = _number(part["n"]) * words.UNIT_OF[part["unit"]]
        return Value(kind, "", days, _number(part["n"])) if days and not is_rate else None
    days = _every(part)
    return Value(kind, "", days) if days else None


def _every(part: dict[str, str | None]) -> float:
    """Return after how many days something comes again, as the parts of a pattern tell it."""
    if adjective := part.get("adjective"):
        return _number(part["n"]) * words.RHYTHM_OF[adjective]
    unit = words.UNIT_OF[part["unit"] or ""]
    if times := part.get("times"):
        return _number(part["n"]) * unit / (_number(times) or 1)
    if "once" in part:
        return unit / (words.TIMES_OF[part["once"]] if part["once"] else _number(part["n"]) or 1)
    nth = part.get("nth")
    return (words.NTH_OF[nth] if nth else _number(part["n"])) * unit


def _number(text: str | None) -> float:
    """Return what a number in figures or words is, with a thousand's mark or a fraction; of none 1."""
    low = (text or "one").strip()
    if low[0].isdigit():
        plain = re.sub(r"[.,](?=\d{3}\b)", "", low).replace(",", ".")
        return float(plain) if plain.count(".") < 2 else 0.0
    known = words.COUNT_OF
    return known[low] if low in known else sum(known.get(part, 0.0) for part in low.split("-"))


def _states(text: str) -> Iterator[Value]:
    """Yield in which of two states something is said to be: passed or failed, owned or hired."""
    for name, sides in words.STATES.items():
        for side, pattern in sides.items():
            if match := compiled(pattern).search(text):
                is_denied = compiled(words.NOT).search(text[: match.start()]) is not None
                yield Value(STATE, name, 0.0, side="no" if (side == "no") != is_denied else "yes")
                break


def _amounts(text: str) -> Iterator[Value]:
    """Yield what a text counts; papers in which something is said are counted anew each time: "three quotes"."""
    for match in compiled(words.MINUS).finditer(text):
        yield Value(AMOUNT, MINUS, _number(match["n"]))
    for match in compiled(words.PRICE).finditer(text):
        yield Value(AMOUNT, MONEY, _number(match["n"]))
    text = compiled(words.PRICE).sub(".", text)
    for match in compiled(words.COUNTED).finditer(text):
        word, count = match["what"] or "", match["n"]
        is_money = compiled(words.MONEYS).fullmatch(word) is not None
        is_one = words.SPOKEN_OF.get(count, 0.0) >= 1  # "a", "una"
        if (
            is_one
            or is_of_voice(word)
            or (word not in words.MEASURES and not is_money and _is_name(text[: match.start()], count))
        ):
            continue
        if is_money:
            yield Value(AMOUNT, MONEY, _number(count))
        elif word in words.PERCENT:
            yield Value(AMOUNT, PERCENT, _number(count))
        elif word not in words.COUNT_OF and (ideas := says(word).ideas):
            yield Value(AMOUNT, min(ideas), _number(count))
        elif count[0].isdigit() and _number(count) >= LEAST_ALONE:
            yield Value(AMOUNT, ALONE, _number(count))


def _is_name(before: str, count: str) -> bool:
    """Return whether a number behind some words only says which one is meant: "plot 27", not "deductible 5,000"."""
    if compiled(THOUSANDS).fullmatch(count):
        return False
    word = compiled(r"([^\W\d_]+)[ #.]*\Z").search(before)
    return word is not None and bool(says(word[1]).ideas) and not is_of_source(word[1])
