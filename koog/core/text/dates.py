"""Dates and days in words, in six languages: which calendar days a text names.  [design §4 "one reading"]

    found     a text and the day on which it was said → the days it names, with their places
    has_day   whether it names any

What names no single day ("every Friday", "les vendredis", "freitags") is left out. Pure; linear in the text's length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = """
    january jan januar jänner enero ene janvier janv; february feb februar febrero février févr;
    march mar märz mär marzo mars; april apr abril abr avril avr; may mai mayo; june jun juni junio juin;
    july jul juli julio juillet juil; august aug agosto ago août; september sept sep septiembre setiembre septembre;
    october oct oktober okt octubre octobre; november nov noviembre novembre;
    december dec dezember dez diciembre dic décembre déc
"""
WEEKDAY_NAMES = """
    monday montag lunes lundi; tuesday dienstag martes mardi; wednesday mittwoch miércoles mercredi;
    thursday donnerstag jueves jeudi; friday freitag viernes vendredi; saturday samstag sonnabend sábado samedi;
    sunday sonntag domingo dimanche
"""
LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # of the months
MONTHS = {name: n for n, names in enumerate(MONTH_NAMES.split(";"), 1) for name in names.split()}
WEEKDAYS = {name: n for n, names in enumerate(WEEKDAY_NAMES.split(";")) for name in names.split()}
NUMBERS = {
    word: n
    for n, words in enumerate(
        """
        a an one ein eine einem einer un una une 一 1; two zwei dos deux 两 二 2; three drei tres trois 三 3;
        four vier cuatro quatre 四 4; five fünf cinco cinq 五 5; six sechs seis 六 6; seven sieben siete sept 七 7;
        eight acht ocho huit 八 8; nine neun nueve neuf 九 9; ten zehn diez dix 十 10
        """.split(";"),
        1,
    )
    for word in words.split()
}
TENS = ("", "十", *(f"{ten}十" for ten in "二三四五六七八九"))
WIDE_NUMBERS = {
    ten + one: 10 * t + n for t, ten in enumerate(TENS) for n, one in enumerate(("", *"一二三四五六七八九"))
}
WIDE_NUMBERS["两"] = 2
WIDE_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
WIDE_DAYS = {"一": 0, "月": 0, "二": 1, "火": 1, "三": 2, "水": 2, "四": 3, "木": 3, "五": 4, "金": 4, "六": 5, "土": 5}
WIDE_DAYS |= {"日": 6, "天": 6}
NEAR = {
    **dict.fromkeys("today tonight heute hoy aujourd'hui aujourd’hui 今天 今日 本日 今晚".split(), 0),
    **dict.fromkeys("tomorrow morgen mañana demain 明天 明日 明晚".split(), 1),
    **dict.fromkeys(("übermorgen", "pasado mañana", "après-demain", "后天", "後天", "明後日", "あさって"), 2),
    "day after tomorrow": 2,
    **dict.fromkeys("yesterday gestern ayer hier 昨天 昨日".split(), -1),
    **dict.fromkeys("vorgestern anteayer avant-hier 前天 一昨日 おととい".split(), -2),
}
PARTS = "früh morgen vormittag mittag nachmittag abend nacht"  # "Dienstagabend" is one word
HINTS = frozenset(
    """
    ago week weeks month months monat monats monate monaten mes meses mois woche wochen semana semanas semaine semaines
    day days tag tage tagen día días jour jours weekend wochenende fin ende monatsende end late night mañana demain
    après hier avant anteayer aujourd
    """.split()
) | {word for names in (MONTHS, WEEKDAYS, NEAR) for name in names for word in name.replace("-", " ").split()}
HINTS |= {day + part for day in WEEKDAYS if day.endswith(("tag", "woch")) for part in PARTS.split()}

WIDE = "\u3000"  # from here on, words are written without blanks
MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
WEEKDAY = "|".join(WEEKDAYS)
COUNT = r"\d{1,3}|" + "|".join(sorted((n for n in NUMBERS if not n.isdigit()), key=len, reverse=True))
YEAR = r"(?:(?:,| de| del)? (?P<year>\d{4})\b(?!:))?"
UNIT = r"(?P<unit>days?|tage?n?|días?|jours?|weeks?|wochen?|semanas?|semaines?|months?|monate?n?|mes(?:es)?|mois)"
WIDE_COUNT = r"(?:[二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
WIDE_YEAR = r"(?P<year>\d{4}|[〇零一二三四五六七八九]{4})年"
WIDE_MONTH = r"(?<![\d一二三四五六七八九十])(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月"
WIDE_DAY = rf"(?P<day>\d{{1,2}}|{WIDE_COUNT})"
# Said of the day before: what only a date has before it, so that "1/2" and "24/7" are none.
BEFORE = (
    r"(?:\b(?:on|by|until|till|before|after|since|from|due|for|am|bis|vom|zum|ab|seit|vor|el|del|hasta|para|le|du|au"
    r"|avant|d'ici)\s)"
)
# A text that plans: a date without a year lies ahead then.
PLANS = (
    r"(?i)\b(?:will|by|until|before|due|deadline|plan\w*|schedul\w*|next|going to|goes out|remind|appointment|must"
    r"|should|(?:has|have|need|decided|agreed|want|wants) to|wird|werden|bis|vor dem|fällig|soll|geplant"
    r"|muss|va[ns]? a|hasta|antes|vence|debe|avant|d'ici|doit|sera|prévu\w*)\b|将|要|之前|截止|まで|予定"
)
# Of the clause in which a date stands: it speaks of what is, so that the date lies ahead …
IS = (
    r"(?i)\b(?:is|are|am|(?:i|we|you|they|it|that)['’](?:m|re|s)|starts?|begins?|ends?|opens?|leaves?|ist|sind|beginnt|endet"
    r"|startet|findet|kommt|est|sont|commence\w*|es|son|empieza\w*|comienza\w*)\b|是|です|开始"
)
# … or of what was, so that it lies behind; German verbs end their clause, and "ist geschlossen" is a state …
WAS = (
    r"(?i)\b(?:was|were|had|did|met|went|came|got|gave|made|took|said|sent|told|began|broke|bought|born|since|ago"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )[a-z]{2,30}[^\Waeiou]ed|war|waren|wurden?|hatten?|gab|kam|ging|seit|était|étaient"
    r"|fut|avait|depuis|(?:ai|as|a|avons|avez|ont|suis|sommes) \w+(?:é|ée?s|i[st]?|u)"
    r"|(?:est|sont) (?:parti|arriv|ven|all|né)\w*|fue|fueron|era|estaba|había"
    r"|(?:ha|han|he|hemos) \w+[aio]do|\w{2,30}(?:ó|aron|ieron))\b"
    r"|[了過过已]|ました"
    r"|だった"
    r"|\b(?:hat|habe|haben|ist|sind|bin)\b(?:[^,.;:!?]|(?<=\d)\.){1,60}\s(?!ge(?:schlossen|öffnet|sperrt|bucht))"
    r"(?-i:[a-zäöü])\w{2,30}(?:t|en)(?=\s*(?:\Z|[,.;:!?]))"
)
# … or of what was settled for a day, which may lie on either side.
SETTLED = r"(?i)\b(?:to|for|zum|auf|für|au|pour|para|al)\b|到|至|定|改|推迟|提前|に(?:変更|延期|移|決|なり)"
CLAUSE = r"[,;:!?，；：！？。、()\n]|(?<!\d)\.\s"
FRENCH = r"(?i)\b(?:le|la|les|nous|est|était|avec|pour|sur|été|avons|j'ai|on a|il|elle|et|a)\b"
DAY_FIRST = (
    r"(?i)\b(?:der|die|das|und|ist|wir|am|bis|nicht|el|los|las|es|para|hasta|del|con|le|les|est|nous|avant|pour|du|au"
    r"|et)\b"
)
# With "on Friday" in one clause, it is said of every Friday.
GENERAL = (
    r"(?i)\b(?:never|always|usually|normally|generally|(?:recommend|suggest|advise|avoid|prefer|against|stop)\w* \w+ing"
    r"|nie|niemals|immer|stets|grundsätzlich|nunca|jamás|siempre|jamais|toujours)\b|从不|从来|总是|一律|永远|いつも|決して"
)
ON_DAY = r"(?i)(?:on|am|el) (?!next|coming|próximo)"
# A text in which "16.3." at a sentence's end is a day and not a version, and a version in such a text.
GERMAN = (
    r"(?i)\b(?:der|das|den|dem|und|ist|wir|nicht|ich|zum|vom|im|mit|von|für|uhr)\b"
    r"|\b(?:bis|ab|am|seit|(?:ein|nein),?) \d"
)
DAY_IS = r"(?i)(?:\b(?:am|bis|zum|vom|seit|den|der|el|le|au|du)\s|\A\W*)\Z"
VERSION_IS = r"(?i)\b(?:auf|version|release|v)\s\Z"
# A day whose month was named before it: "on December 3; no, the 4th".
ORDINAL = (
    r"(?i)(?<!not )(?<!nicht )(?<!no )(?<!pas )(?:\bthe (?P<en>\d{1,2})(?:st|nd|rd|th)"
    r"(?=\s*(?:[.,;:!?)→]|\Z|(?:is|was|not|instead|at|rather|and|then|works|please)\b))"
    r"|\b(?:der|den|am|bis|zum|vom) (?P<de>\d{1,2})\.(?=\s*(?:[,;:!?)→]|\Z|(?-i:[a-zäöü])))"
    r"|\b(?:el|le) (?P<es>\d{1,2})(?=\s*(?:[.,;!?)→](?!\d)|\Z|(?:no|pas|et|y|est|es|à|a)\b))"
    r"|(?<![\d月第])(?<!不是)(?P<zh>\d{1,2})[日号](?![线楼机]))"
)


class Day(NamedTuple):
    """A day that a text names.

    start, end   its place in the text
    exact        it is this day, not just about then ("next week" has a first day, and is not due on it)
    text         the words
    """

    start: int
    end: int
    day: date
    exact: bool
    text: str


Found = tuple[date, bool] | None
Reader = Callable[[re.Match[str], date], Found]


def found(text: str, said: date) -> list[Day]:
    """Return the days that a text names, in its order; of a range both ends.

    said   the day on which it was said: a date without a year is the coming one where plans are made and of what is
           ("the wedding is on 12 June"), the past one of what was, else the nearest

    >>> [str(d.day) for d in found("by Friday, am 3. März, dans deux semaines, 明天", date(2026, 2, 18))]
    ['2026-02-20', '2026-03-03', '2026-03-04', '2026-02-19']
    """
    signs = _signs(text)
    taken: list[Day] = []
    told = bytearray(len(text) + 1) if signs else bytearray()  # 1 where a day is told already
    for sign, pattern, reader in READERS:
        for match in compiled(pattern).finditer(text) if sign in signs else ():
            if 1 in told[match.start() : match.end()]:
                continue
            try:
                read = reader(match, said)
            except (ValueError, OverflowError, LookupError):  # no day of the calendar; "ſeptember" is no month
                continue
            if read:
                told[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                taken.append(Day(match.start(), match.end(), *read, match[0].strip()))
                taken += _first_of_range(match, read[0])
    return sorted([*taken, *_of_month_before(text, sorted(taken), told)] if taken else taken)


def has_day(text: str) -> bool:
    """Return whether a text names a day.

    >>> has_day("ship it by Friday"), has_day("every Friday"), has_day("on port 5432")
    (True, False, False)
    """
    return bool(found(text, date(2000, 1, 1)))


def coming(said: date, weekday: int) -> date:
    """Return the next such weekday after a day; 0 is Monday."""
    return said + timedelta(days=(weekday - said.weekday() - 1) % 7 + 1)


def _signs(text: str) -> set[str]:
    """Return which kinds of readers can find anything: most sentences name no day, and this is quicker to see."""
    signs = set()
    words = set(compiled(r"[^\W\d_]+").findall(text.lower()))
    if not HINTS.isdisjoint(words):
        signs.add("word")
    if compiled(r"\d").search(text):
        signs.add("digit")
    if not text.isascii() and compiled(r"[日月周週天曜期拜おあ号晚]").search(text):
        signs.add("wide")
    return signs


def _first_of_range(match: re.Match[str], last: date) -> Iterator[Day]:
    """Yield the first day of "3–5 March", whose month stands at its last; of "28 – 2 March" it is the one before."""
    first = int(match.groupdict().get("first") or 0)
    end = last if first <= last.day else last.replace(day=1) - timedelta(days=1)
    if 1 <= first <= _length(end.year, end.month):
        day = end.replace(day=first)
        yield Day(match.start("first"), match.end("first"), day, True, match["first"])


def _of_month_before(text: str, taken: list[Day], told: bytearray) -> Iterator[Day]:
    """Yield the days of which only the number is said, of the month that was named last."""
    dated = [each for each in taken if compiled(r"\d").search(each.text)]
    ends = [each.end for each in dated]
    for match in compiled(ORDINAL).finditer(text) if dated else ():
        at = bisect_left(ends, match.start())
        if not at or 1 in told[match.start() : match.end()]:
            continue
        month = dated[at - 1].day
        if day := _made(month.year, month.month, _int(match[match.lastgroup or 0])):
            yield Day(match.start(), match.end(), day, True, match[0].strip())


def _dotted(match: re.Match[str], said: date) -> Found:
    """Read 16.3. as a day; without a year, and where the dot may be a full stop, it may be a version."""
    if match["year"] is None and compiled(r"\s*(?:\Z|[\n→]|(?-i:[A-ZÄÖÜ]))").match(match.string, match.end()):
        before = match.string[max(0, match.start() - 10) : match.start()]
        is_day = _says(match.string, GERMAN) or compiled(DAY_IS).search(before)
        if not is_day or compiled(VERSION_IS).search(before):
            return None
    return _of_month(match, said)


def _iso(match: re.Match[str], _said: date) -> Found:
    return date(*(_int(match[part]) for part in ("year", "month", "day"))), True


def _of_month(match: re.Match[str], said: date) -> Found:
    return _dated(match, said, _month(match["month"]), _int(match["day"])), True


def _numeric(match: re.Match[str], said: date) -> Found:
    """Read 5/3 as the text's language has it: the month first in English, the day first in German, Spanish, French."""
    a, b = int(match["a"]), int(match["b"])
    day_first = a > 12 or (b <= 12 and _says(match.string, DAY_FIRST))
    day, month = (a, b) if day_first else (b, a)
    return _dated(match, said, month, day), True


def _whole_month(match: re.Match[str], said: date) -> Found:
    """Read "in March", "end of March", 月底: its first or last day."""
    groups = match.groupdict()
    month = groups.get("month") or ""
    this = said.replace(day=1)
    first = _dated(match, this, _month(month), 1) if month else this
    return (first.replace(day=_length(first.year, first.month)) if groups.get("ends") else first), False


def _dated(match: re.Match[str], said: date, month: int, day: int) -> date:
    year = match.groupdict().get("year")
    if year:
        return date(_int(year) + (2000 if len(year) == 2 else 0), month, day)
    days = [d for y in (-1, 0, 1, 2, 3, 4) if (d := _made(said.year + y, month, day))]
    if not days:
        raise ValueError("no such day")
    ahead, behind = _tense(match)
    if ahead != behind:
        days = [d for d in days if (d >= said if ahead else d <= said)] or days
    return min(days, key=lambda d: (abs((d - said).days), d < said))


def _tense(match: re.Match[str]) -> tuple[bool, bool]:
    """Return whether what is said of a date lies ahead, and whether it lies behind; both or none when it is unclear."""
    if _says(match.string, PLANS):
        return True, False
    is_so, was, settled = (_in_clause(match, pattern) for pattern in (IS, WAS, SETTLED))
    return (is_so and not was) or (was and settled), was


def _in_clause(match: re.Match[str], pattern: str) -> bool:
    """Return whether something stands in the clause of a day."""
    text = match.string
    marks, places = _places(text, CLAUSE), _places(text, pattern)
    first, last = bisect_left(marks, match.start()), bisect_left(marks, match.end())
    begin, stop = marks[first - 1] if first else 0, marks[last] if last < len(marks) else len(text)
    return bisect_left(places, begin) < bisect_left(places, stop)


@lru_cache(16)
def _places(text: str, pattern: str) -> list[int]:
    return [found.start() for found in compiled(pattern).finditer(text)]


def _month(name: str) -> int:
    return MONTHS[name.casefold()] if name.casefold() in MONTHS else _int(name)


def _int(figures: str) -> int:
    """Return a number that is written in figures, also in Chinese ones: 25, 二十五, 二〇二六."""
    return WIDE_NUMBERS.get(figures) or int(figures.translate(WIDE_DIGITS))


@lru_cache(8)  # a text with many dates is asked once
def _says(text: str, pattern: str) -> bool:
    return bool(compiled(pattern).search(text))


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _near(match: re.Match[str], said: date) -> Found:
    word = match["near"].casefold()
    if word == "hier" and not _says(match.string, FRENCH):
        return None  # "here" in German
    return said + timedelta(days=NEAR[word]), True


def _counted(match: re.Match[str], said: date) -> Found:
    count = match["n"].casefold()
    n = NUMBERS.get(count) or _int(count)
    back = -1 if match.groupdict().get("back") else 1
    unit = match["unit"].lower()
    if unit[0] in "dtj天日":
        return said + timedelta(days=back * n), True
    if unit[0] in "w周週星" or unit.startswith("sem"):
        return said + timedelta(weeks=back * n), True
    month = said.year * 12 + said.month - 1 + back * n
    year, number = divmod(month, 12)
    return date(year, number + 1, min(said.day, _length(year, number + 1))), False


def _length(year: int, month: int) -> int:
    """Return how many days a month has; `calendar` has this too, and costs a start as much as the largest module here.

    >>> _length(2024, 2), _length(1900, 2), _length(2000, 2), _length(2026, 9)
    (29, 28, 29, 30)
    """
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return LENGTHS[month - 1] + (month == 2 and is_leap)


def _weekday(match: re.Match[str], said: date) -> Found:
    groups = match.groupdict()
    if compiled(ON_DAY).match(match[0]) and _in_clause(match, GENERAL):
        return None
    wanted = WEEKDAYS[match["day"].casefold()]
    day = coming(said, wanted)
    return (day - timedelta(weeks=1) if groups.get("back") and day - said <= timedelta(7) else day), True


def _wide_weekday(match: re.Match[str], said: date) -> Found:
    """Read 周五, 下周五, 来週の金曜: the week that is named, else the coming day."""
    wanted, week = WIDE_DAYS[match["day"]], match["week"] or ""
    if not week and _in_clause(match, GENERAL):
        return None
    if not week:
        return coming(said, wanted), True
    monday = said - timedelta(days=said.weekday())
    weeks = {"下": 1, "来": 1, "來": 1, "上": -1, "先": -1}.get(week[0], 0)
    return monday + timedelta(weeks=weeks, days=wanted), True


def _span(match: re.Match[str], said: date) -> Found:
    """Read "next week", "this weekend", "next month", "end of the week" as their first or last day, about."""
    kind = match.lastgroup
    if kind == "weekend":
        return coming(said, 5), False
    if kind == "week":
        return coming(said, 0), False
    if kind == "friday":
        return said + timedelta(days=(4 - said.weekday()) % 7), False
    return (said.replace(day=1) + timedelta(days=32)).replace(day=1), False


# sign, pattern, reader: the earlier ones win where two would read the same place.
READERS: tuple[tuple[str, str, Reader], ...] = (
    ("digit", r"(?<![\d-])(?P<year>\d{4})([-/.])(?P<month>\d\d?)\2(?P<day>\d\d?)(?![\d-])", _iso),
    ("wide", WIDE_YEAR + r"(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月" + WIDE_DAY + "[日号號]?", _iso),
    ("wide", WIDE_MONTH + r"(?P<day>\d{1,2})[日号號]?", _of_month),
    ("wide", WIDE_MONTH + WIDE_DAY + "[日号號]", _of_month),
    (
        "wide",
        r"(?:(?P<year>\d{4})年)?(?<!\d)(?:(?P<month>\d{1,2})月|(?<![\d下来上])月)(?P<ends>底|末)",
        _whole_month,
    ),
    (
        "word",
        rf"(?i)(?<![\d.:-])(?:(?P<first>\d{{1,2}})\.?(?:st|nd|rd|th)? ?(?:[-–—]|to|bis|und|al?|au|y|et|and) ?)?"
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?(?: of| de)? ?(?P<month>{MONTH})\b\.?{YEAR}",
        _of_month,
    ),
    ("word", rf"(?i)\b(?P<month>{MONTH})\b\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:]\d|\d| ?%){YEAR}", _of_month),
    ("digit", r"(?<![\d./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>\d{4}|\d\d)(?![\d/])", _numeric),
    ("digit", rf"(?i){BEFORE}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})(?![\d/.]\d|\d)", _numeric),
    ("digit", r"(?<![\d.])(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\.(?:(?P<year>\d{4}|\d\d)(?!\d)|(?!\d))", _dotted),
    (
        "word",
        r"(?i)\b(?P<ends>end of|late|ende|a finales de|(?:a )?fin(?:es)? de|fin)(?: del? mes de)?"
        rf" (?P<month>{MONTH})\b\.?{YEAR}",
        _whole_month,
    ),
    (
        "word",
        r"(?i)\b(?P<ends>end of (?:the|this) month|month['’]s end|monatsende|ende des monats|fin de mes|fin du mois)\b",
        _whole_month,
    ),
    (
        "word",
        r"(?i)\b(?:in|im|en|since|until|by|from|seit|bis|ab|desde|hasta|depuis|avant|early|mid|anfang|mitte|début|mi)"
        rf"[ -](?:early |late |mid-?)?(?-i:(?P<month>[A-Za-zà-ÿÀ-Ý]{{3,12}}))\b{YEAR}(?! \d)",
        lambda m, said: _whole_month(m, said) if m["month"].lower() in MONTHS and _is_name(m) else None,
    ),
    (
        "word",
        r"(?i)(?<!guten )(?<!am )(?<!jeden )(?<!\bla )(?<!\besta )(?<!\blas )(?<!\w)(?P<near>"
        + "|".join(sorted((n for n in NEAR if n[0] < WIDE), key=len, reverse=True))
        + r")(?![a-zà-ÿ-])",
        _near,
    ),
    ("wide", f"(?P<near>{'|'.join(n for n in NEAR if n[0] >= WIDE)})", _near),
    ("word", rf"(?i)\b(?:in|en|dentro de|dans|within) (?P<n>{COUNT}) {UNIT}\b", _counted),
    ("word", rf"(?i)\b(?P<n>{COUNT}) {UNIT} (?P<back>ago)\b", _counted),
    ("word", rf"(?i)\b(?P<back>vor|hace|il y a) (?P<n>{COUNT}) {UNIT}\b", _counted),
    (
        "wide",
        # "十五日之前" is before the 15th, "3月前" before March: no count.
        rf"(?<![\d一二三四五六七八九十百月])(?P<n>\d{{1,3}}|{WIDE_COUNT})(?:个|個|[ヶケかカヵ])?"
        r"(?P<unit>天|日(?![之以])|周|週間?|星期|(?<=[个個ヶケかカヵ])月)(?:之|以)?(?:后|後|(?P<back>前))",
        _counted,
    ),
    (
        "word",
        r"(?i)\b(?:by|before|until|till|due|on|for|from|this|next|(?P<back>last)|am|für|bis|bis zum|vor|ab|diesen"
        r"|kommenden|nächsten|el|este|próximo|hasta|antes del|ce|d['’]ici|avant|pour)\s(?:próximo |coming |next )?"
        rf"(?P<day>{WEEKDAY})(?:\b|(?=(?:{PARTS.replace(' ', '|')})\b))(?!s)"
        r"(?! (?:mornings|afternoons|evenings|nights)\b)",
        _weekday,
    ),
    ("word", rf"(?i)\b(?P<back>letzten|vergangenen)\s(?P<day>{WEEKDAY})\b", _weekday),
    ("word", rf"(?i)\b(?P<day>{WEEKDAY}) (?:prochain|que viene|(?P<back>dernier|pasado))\b", _weekday),
    (
        "wide",
        r"(?<![每毎])(?P<week>[下上本这這今来來先](?:个|個)?)?(?:周|週|星期|礼拜|禮拜)の?"
        r"(?P<day>[一二三四五六日天月火水木金土])(?:曜日?)?",
        _wide_weekday,
    ),
    ("wide", r"(?<!毎週)(?<!毎)(?P<week>)(?P<day>[月火水木金土日])曜日?", _wide_weekday),
    (
        "word",
        r"(?i)\b(?:(?P<weekend>(?:this|next) weekend|(?:dieses|nächstes) wochenende"
        r"|(?:este|el próximo) fin de semana|ce week-?end)"
        r"|(?P<week>next week|nächste[rn]? woche|(?:la )?próxima semana|la semana que viene|la semaine prochaine)"
        r"|(?P<friday>end of (?:the|this) week|ende der woche|fin de la semana|fin de (?:la )?semaine)"
        r"|(?P<month>next month|nächsten monat|(?:el )?próximo mes|el mes que viene|le mois prochain))\b",
        _span,
    ),
    (
        "wide",
        r"(?P<week>下(?:个|個)?(?:周|週|星期|礼拜)|来週)|(?P<weekend>周末|週末)|(?P<month>下(?:个|個)?月|来月)",
        _span,
    ),
)


def _is_name(match: re.Match[str]) -> bool:
    """Return whether a month's name is no other word: "may" and "march" are verbs, "mar" and "sep" begin others."""
    name = match["month"]
    return (len(name) > 3 and (name[0].isupper() or name.lower() not in ("march", "mars", "july"))) or name in (
        "May",
        "Mai",
    )
