"""What values a line gives, each of one kind: a span, how often, an amount, a day, a time, a must, whose something is.

Two lines about one thing cannot both hold where each gives another value of one kind. Values are brought to one
measure, so that "12 months" and "a year" are no two. Six languages. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.core.text import dates
from koog.core.text.says import NUMBERS, bare, is_of_source, says

SPAN, RHYTHM, AMOUNT, DAY, TIME, YEAR, MUST, MAY, OWNER, BEARER = (
    "span",
    "rhythm",
    "amount",
    "day",
    "time",
    "year",
    "must",
    "may",
    "owner",
    "bearer",
)
MEASURED = (SPAN, RHYTHM)
COUNTED_KINDS = (*MEASURED, AMOUNT)
DUTIES_OF = (MUST, MAY)
FAR = 6  # two spans of which one is so many times the other are of two things
NEAR = 1.1  # two spans that differ by less are one: four weeks and a month
ALONE = ""  # what an amount counts of which nothing says so: "180 a child"
MONEY = "money"
MEASURES = frozenset(
    "% kg kilo kilos g grams gram gramm mg t tons tonnes l litre litres liter liters litros ml cl cm mm m metre metres meter "
    "meters metros mètres km miles mile feet foot ft inch inches degrees degree grad grados degrés bar volt volts watt watts "
    "kw kwh amp amps mbit gb mb tb percent prozent".split()
)  # a number before one of these is a measure, whatever word stands before it
LEAST_ALONE = 10  # a smaller number alone is anything
NOON = 12 * 60

# How many days: words for it.
UNITS = """
    0.0007 minute minutes min mins minuten minuto minutos 分钟 分間
    0.0417 hour hours hrs stunde stunden hora horas heure heures 小时 時間
    1 day days tag tage tagen día días jour jours 天 日 日間
    7 week weeks woche wochen semana semanas semaine semaines 周 星期 週 週間
    14 fortnight fortnights
    30.4 month months monat monate monaten mes meses mois 个月 か月 ヶ月 ヵ月
    91.3 quarter quarters quartal trimestre trimestres
    365 year years yr yrs winter winters summer summers jahr jahre jahren año años an ans année années 年 年間
"""
RHYTHMS = """
    1 daily täglich diario diaria diariamente quotidien quotidienne
    7 weekly wöchentlich semanal semanalmente hebdomadaire
    14 fortnightly biweekly quincenal
    30.4 monthly monatlich mensual mensualmente mensuel mensuelle
    91.3 quarterly vierteljährlich trimestral trimestriel trimestrielle
    182.5 half-yearly halbjährlich semestral semestriel semestrielle
    365 yearly annual annually jährlich anual anualmente annuel annuelle annuellement
    730 biennial bienal biennal
"""
SPOKEN = """
    0.5 half_a half_an ein_halbes medio media un_demi une_demi 半
    1 a an one ein eine einem einen einer un una une uno 一
"""
ORDINALS = """
    2 other second zweite zweites zweiten
    3 third dritte drittes dritten
"""
TIMES = """
    1 once einmal una_vez une_fois
    2 twice zweimal
    3 thrice dreimal
"""


def _table(rows: str) -> dict[str, float]:
    split = (row.split() for row in rows.strip().splitlines())
    return {word.replace("_", " "): float(value) for value, *words in split for word in words}


def _any(words: dict[str, float]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


ARTICLES = frozenset("a an ein eine einem einen einer un una une".split())
UNIT_OF, RHYTHM_OF, TIMES_OF, SPOKEN_OF, NTH_OF = map(_table, (UNITS, RHYTHMS, TIMES, SPOKEN, ORDINALS))
COUNT_OF = {**{word: float(n) for word, n in NUMBERS.items()}, **SPOKEN_OF}
B = r"(?<![^\W_\u3040-\u9fff])"  # a word's beginning, and its end; scripts without blanks have none
E = r"(?![^\W\d_\u3040-\u9fff])"
N = rf"(?:\d+(?:[.,]\d+)?|{_any(COUNT_OF)}(?:-(?:{_any(COUNT_OF)}))?)"
COUNT = rf"(?P<n>{B}(?<![-.,/:]){N}(?![-.,/:]\d))"
UNIT = rf"(?P<unit>{_any(UNIT_OF)}){E}"
EVERY = rf"(?:{B}(?:every|each|alle|jede[nmsr]?|cada|(?:tous|toutes) les|chaque)\s|每隔?|毎)"
PER = r"(?:\s(?:an?|per|each|every|im|pro|in der|am|al|por|a la|par)\s|/)"
OFTEN = (
    rf"{EVERY}(?:(?:{COUNT}|(?P<nth>{_any(NTH_OF)}))\s?)?{UNIT}",
    rf"{B}(?:(?P<once>{_any(TIMES_OF)})|{COUNT}\s?(?:times?|mal|veces|fois)){PER}{UNIT}",
    rf"(?:{COUNT}[- ]?)?(?P<adjective>{_any(RHYTHM_OF)})(?!\w)",
    rf"{COUNT}?(?P<unit>年|个月|か月|ヶ月|周|週間?|天|日)(?:[にへ])?(?P<times>{N})[次回度]",
    rf"{COUNT}(?P<unit>年|个月|か月|ヶ月|周|週間?|天|日)ごと",
)
FOR = rf"{B}(?:for|within|least|lasts?|takes?|another|für|binnen|por|durante|pendant|sous|dans)\s\Z"  # before "a week"
LASTS = rf"{COUNT}[-\s]?(?:working |business )?{UNIT}"
SIGN = r"[€£$¥]"
PRICE = rf"{SIGN}\s?(?P<n>\d+(?:[.,]\d+)*)"
COUNTED = rf"{COUNT}\s?(?P<what>%|{SIGN}|[^\W\d_]+)?"
MONEYS = r"[€£$¥]|pounds?|quid|euros?|dollars?|bucks|francs?|franken|yen|yuan|libras?|dólar(?:es)?|元|円|块"
MONTH = rf"(?P<month>{dates.MONTH})"
DATED = (
    rf"{B}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of |de )?{MONTH}\b",
    rf"{B}{MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:])",
    r"(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号號]",
)
CLOCKS = (
    rf"{B}(?P<h>\d{{1,2}}):(?P<m>\d\d)(?:\s?(?P<half>[ap])\.?m)?",
    rf"{B}(?P<h>\d{{1,2}})(?:[.h](?P<m>\d\d))?\s?(?P<half>[ap])\.?m\b",
    rf"{B}(?P<h>\d{{1,2}})(?:[.h](?P<m>\d\d))?\s?(?:uhr|heures)\b",
    rf"{B}(?P<h>\d{{1,2}})\s?[点點時时](?:(?P<m>\d\d)分)?(?!間)",
)
YEARS = r"(?<![\d.,€£$])(?:1[89]|20)\d\d(?![\d.,:]*\d)"
DUTIES = (
    r"\b(?:no (?:obligation|need|duty)|(?:do|does|did)(?:n't| not) (?:have|need) to|needn't|need not"
    r"|(?:not|isn't|aren't) (?:required|obliged|liable|necessary|needed|mandatory|compulsory)|exempt(?:ed)?|optional"
    r"|voluntary|(?:muss|müssen|musst|brauchst?|brauchen) (?:\w+ ){0,3}nicht|nicht (?:verpflichtet|nötig)|befreit"
    r"|keine (?:pflicht|verpflichtung)|freiwillig|no (?:teng[oa]|tienen?) que|no hace falta|no hay que"
    r"|no (?:hay|teng[oa]|tiene) (?:ninguna )?obligación|exent[oa]s?|voluntari[oa]|pas besoin"
    r"|pas (?:obligé|obligatoire)\w*|aucune obligation|exemptée?s?|dispensée?s?|facultati(?:f|ve)s?)\b"
    r"|不用|不必|无需|没有义务|不需要|必要(?:は)?な[いく]|義務はな",
    r"\b(?:ha(?:ve|s|d) to|must(?!n)|needs? to|(?:is|are|am|be|being|i'm) (?:required|obliged|liable)|obligatory"
    r"|mandatory|compulsory|muss|müssen|musst|verpflichtet|pflicht|teng[oa] que|tienen? que|hay que|obligatori[oa]"
    r"|obligad[oa]s?|(?:doi[st]|doivent) \w+(?:er|ir|re|oir)|il faut|obligatoires?|obligée?s?)\b"
    r"|必须|必須|有义务|なければなら|義務があ",
)
LEAVES = (
    r"\b(?:(?:not|isn't|aren't|never) (?:allowed|permitted|safe to)|must(?:n't| not)|forbidden|banned|prohibited"
    r"|off limits|nicht erlaubt|verboten|(?:darf|dürfen) (?:\w+ ){0,3}(?:nicht|kein\w*)|prohibid[oa]s?|no se puede"
    r"|no está permitido|interdite?s?|défendue?s?|pas (?:permis|autorisé)\w*)\b|禁止|不许|不可以|てはいけない",
    r"\b(?:(?:is|are|am|'re|'m) (?:allowed|permitted|fine to|safe to)|darf|dürfen|erlaubt|se puede|está permitido"
    r"|on peut|est (?:permis|autorisé)e?)\b|可以|允许|てもいい|てよい",
)
WHO = r"(?P<who>[^\W\d_][\w'-]*)"
THE = r"(?:the |our |my |der |die |das |dem |den |des |el |la |los |las |le |les |l'|un |a )?"
OWNERS = (
    rf"\b{WHO} owns\b",
    rf"\b(?:owned by|belongs? to|property of) {THE}{WHO}",
    rf"\bgehör(?:t|en) {THE}{WHO}",
    rf"\bpertenecen? (?:al |a ){THE}{WHO}",
    rf"\bappartien(?:t|nent) (?:à |aux? ){THE}{WHO}",
    r"属于(?P<who>[\u3400-\u9fff]{2,3})",
)
BEARERS = (
    rf"\b(?:down to|up to|falls? (?:on|to)|lies with|(?:paid|borne|covered) by|responsibility of) {THE}{WHO}",
    rf"\b{WHO} (?:pays|covers|has to pay|must pay|is (?:responsible|liable)|zahlt|bezahlt|übernimmt|trägt|paga|paie)\b",
    rf"\b(?:sache|aufgabe|zu lasten) (?:des|der|von) {THE}{WHO}",
    rf"\b(?:a cargo|por cuenta) del? {THE}{WHO}",
    rf"\bà la charge (?:du |de ){THE}{WHO}",
    r"由(?P<who>[\u3400-\u9fff]{2,3})(?:负责|承担|支付)",
)


class Value(NamedTuple):
    """A value.

    unit     what is counted, ALONE where nothing says so
    measure  days, minutes, a number, a word
    count    of a span how many of what it is told in
    """

    kind: str
    unit: str
    measure: float | str
    count: float = 0.0


@lru_cache(maxsize=4096)
def given(line: str) -> tuple[Value, ...]:
    """Return the values that a line gives.

    >>> [(v.kind, v.measure) for v in given("Service twice a year, 45 euro, by 21 March")]
    [('rhythm', 182.5), ('day', 321.0), ('amount', 45.0)]
    """
    text = bare(line).casefold()
    found = list[Value]()
    for kind, patterns in ((RHYTHM, OFTEN), (DAY, DATED), (TIME, CLOCKS), (SPAN, (LASTS,)), (YEAR, (YEARS,))):
        for pattern in patterns:
            for match in compiled(pattern).finditer(text):
                measure = _measured(kind, match)
                is_rate = kind == SPAN and match["n"] in ARTICLES and not compiled(FOR).search(text[: match.start()])
                if measure is not None and not is_rate:
                    found.append(Value(kind, "", measure, _number(match["n"]) if kind == SPAN else 0.0))
                    text = f"{text[: match.start()]}{'.' * len(match[0])}{text[match.end() :]}"
    found += _amounts(text)
    for kind, (no, yes) in ((MUST, DUTIES), (MAY, LEAVES)):
        said = [side for side, pattern in (("no", no), ("yes", yes)) if compiled(pattern).search(text)]
        found += [Value(kind, "", said[0])] if said else []
    for kind, patterns in ((OWNER, OWNERS), (BEARER, BEARERS)):
        who = (match["who"] for pattern in patterns for match in compiled(pattern).finditer(text))
        found += [Value(kind, "", min(ideas)) for each in who if (ideas := says(each).ideas)]
    return tuple(dict.fromkeys(found))


def apart(line: str, other: str) -> Iterator[tuple[Value, Value]]:
    """Yield the values of one kind and unit that two lines give otherwise; where both give one too, there is none."""
    ours, theirs = given(line), given(other)
    for kind in dict.fromkeys(each.kind for each in ours):
        one, two = ([v for v in side if v.kind == kind] for side in (ours, theirs))
        pairs = [(a, b) for a, b in product(one, two) if _is_of_one(a, b)]
        if not any(_is_same(a, b) for a, b in pairs) and not any(
            _is_said(a, other) or _is_said(b, line) for a, b in pairs
        ):
            yield from pairs


def agree(line: str, other: str) -> bool:
    """Return whether two lines give one value alike."""
    return any(a.kind == b.kind and _is_of_one(a, b) and _is_same(a, b) for a, b in product(given(line), given(other)))


def _is_of_one(a: Value, b: Value) -> bool:
    """Return whether two values of a kind count the same. What is counted alone may be money."""
    if a.kind in COUNTED_KINDS and max(a.measure, b.measure) > FAR * min(a.measure, b.measure):
        return False
    return a.unit == b.unit or {a.unit, b.unit} == {ALONE, MONEY}


def _is_said(value: Value, text: str) -> bool:
    """Return whether a text has the number of a span, of whatever: "my lines take 35 minutes, theirs stop at 20"."""
    return value.kind == SPAN and f"{value.count:g}" in says(text).numbers


def _is_same(a: Value, b: Value) -> bool:
    if isinstance(a.measure, str) or isinstance(b.measure, str):
        return a.measure == b.measure
    if a.kind in MEASURED:
        return max(a.measure, b.measure) < NEAR * min(a.measure, b.measure)
    return a.measure % NOON == b.measure % NOON if a.kind == TIME else a.measure == b.measure


def _number(text: str | None) -> float:
    """Return what a number in figures or words is; of none 1."""
    low = (text or "one").strip()
    if low[0].isdigit():
        return float(low.replace(",", "."))
    return COUNT_OF[low] if low in COUNT_OF else sum(COUNT_OF.get(part, 0.0) for part in low.split("-"))


def _measured(kind: str, match: re.Match[str]) -> float | None:
    part = match.groupdict()
    if kind == YEAR:
        return float(match[0])
    if kind == DAY:
        month = dates.MONTHS[part["month"]] if not part["month"].isdigit() else int(part["month"])
        return 100.0 * month + int(part["day"])
    if kind == TIME:
        hour = int(part["h"]) % 12 + 12 if part.get("half") == "p" else int(part["h"])
        return 60.0 * hour + int(part.get("m") or 0)
    if kind == SPAN:
        return _number(part["n"]) * UNIT_OF[part["unit"]] or None
    if part.get("adjective"):
        return _number(part["n"]) * RHYTHM_OF[part["adjective"]]
    unit = UNIT_OF[part["unit"]]
    if part.get("times"):
        return _number(part["n"]) * unit / (_number(part["times"]) or 1)
    if "once" in part:
        return unit / (TIMES_OF[part["once"]] if part["once"] else _number(part["n"]) or 1)
    return (NTH_OF[part["nth"]] if part.get("nth") else _number(part["n"])) * unit


def _amounts(text: str) -> Iterator[Value]:
    for match in compiled(PRICE).finditer(text):
        yield Value(AMOUNT, MONEY, _figure(match["n"]))
    text = compiled(PRICE).sub(".", text)
    for match in compiled(COUNTED).finditer(text):
        word, count = match["what"] or "", match["n"]
        is_money = compiled(MONEYS).fullmatch(word) is not None
        is_one = not count[0].isdigit() and count in SPOKEN_OF and SPOKEN_OF[count] >= 1
        if is_one or (word not in MEASURES and not is_money and _is_name(text[: match.start()])):
            continue  # "a", "second", "plot 27": no amount
        measure = _figure(count) if count[0].isdigit() else _number(count)
        if is_money:
            yield Value(AMOUNT, MONEY, measure)
        elif ideas := says(word).ideas if word not in COUNT_OF else ():
            yield Value(AMOUNT, min(ideas), measure)
        elif measure >= LEAST_ALONE and count[0].isdigit():
            yield Value(AMOUNT, ALONE, measure)


def _figure(text: str) -> float:
    """Return a number as it is written, with a thousand's mark or a fraction."""
    plain = re.sub(r"[.,](?=\d{3}\b)", "", text).replace(",", ".")
    return float(plain) if plain.count(".") < 2 else 0.0


def _is_name(before: str) -> bool:
    """Return whether a number behind some words only says which one is meant: "plot 27"."""
    word = compiled(r"([^\W\d_]+)[ #.]*\Z").search(before)
    return word is not None and bool(says(word[1]).ideas) and not is_of_source(word[1])
