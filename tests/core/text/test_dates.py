"""koog/core/text/dates.py: days in six languages, seen from a Wednesday."""

from __future__ import annotations

import time
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import dates

SAID = date(2026, 2, 18)
EXACT = """
ship it on 2026-03-05|2026-03-05
on March 3rd, 2027|2027-03-03
3 March|2026-03-03
by 5/3|2026-05-03
next friday|2026-02-20
last Friday|2026-02-13
tomorrow|2026-02-19
the day after tomorrow|2026-02-20
in two weeks|2026-03-04
two days ago|2026-02-16
am 3. März|2026-03-03
am 5.3. ist Abgabe|2026-03-05
Abgabe ist am 5.3.|2026-03-05
the fair is 5.3. at ten|2026-03-05
5.3.|2026-03-05
I never sleep, so come on Friday, please|2026-02-20
never ship before Friday|2026-02-20
05.03.2027|2027-03-05
bis Freitag|2026-02-20
morgen früh|2026-02-19
übermorgen|2026-02-20
vor zwei Tagen|2026-02-16
le 3 mars|2026-03-03
le 1er avril|2026-04-01
vendredi prochain|2026-02-20
d'ici vendredi|2026-02-20
on l'a fait hier|2026-02-17
dans deux semaines|2026-03-04
il y a 3 jours|2026-02-15
hasta el 5/3|2026-03-05
3 de marzo de 2027|2027-03-03
el viernes|2026-02-20
mañana|2026-02-19
pasado mañana|2026-02-20
hace 2 semanas|2026-02-04
我们明天发布|2026-02-19
3月5日|2026-03-05
2027年3月5日|2027-03-05
周五之前|2026-02-20
下周五|2026-02-27
3天后|2026-02-21
金曜日まで|2026-02-20
来週の金曜日|2026-02-27
十二月十五日之前完成|2026-12-15
不对，是十二月十八日，不是十五日|2026-12-18
二〇二六年三月二十五日|2026-03-25
二十五天后|2026-03-15
3日前に直した|2026-02-15
今晚发布|2026-02-18
2週間後|2026-03-04
"""
ABOUT = """
next week|2026-02-23
this weekend|2026-02-21
end of March|2026-03-31
in March|2026-03-01
next month|2026-03-01
nächste Woche|2026-02-23
Ende März|2026-03-31
la semana que viene|2026-02-23
a finales de marzo|2026-03-31
la semaine prochaine|2026-02-23
fin mars|2026-03-31
下周|2026-02-23
月底|2026-02-28
来月|2026-03-01
"""
NONE = """
every Friday;on Fridays;freitags;jeden Freitag;los viernes;le vendredi;每周五;毎週金曜;port 5432 and 1.2.3;24/7 and 1/2
Guten Morgen;por la mañana;hier ist es;we march on;it may be;2026-02-30;version 3.11.2;10:30;at 5.3 seconds;a second
3月前;十五日之前;3 ſepſ ago;staging is on 15.8 and production on 16.3.;It runs 20.6. We like it;Staging ist auf 15.8.
the image is built on 16.3.
deploying on Friday afternoons tests it;never deploy on Friday;I recommend deploying on Friday;nie am Freitag ausliefern
siempre el viernes;我们周五从不发布;the 4th attempt;le 4;am 4.
"""


def pairs(lines: str) -> list[tuple[str, str]]:
    return [tuple(line.split("|")) for line in lines.strip().splitlines()]  # type: ignore[misc]


@pytest.mark.parametrize(("text", "day"), pairs(EXACT))
def test_a_day_is_found(text: str, day: str) -> None:
    (only,) = dates.found(text, SAID)
    assert (only.day.isoformat(), only.exact) == (day, True)


@pytest.mark.parametrize(("text", "day"), pairs(ABOUT))
def test_a_time_about_then_is_found(text: str, day: str) -> None:
    (only,) = dates.found(text, SAID)
    assert (only.day.isoformat(), only.exact) == (day, False)


@pytest.mark.parametrize("text", NONE.strip().replace("\n", ";").split(";"))
def test_what_names_no_day(text: str) -> None:
    assert dates.found(text, SAID) == [] and not dates.has_day(text)


def test_a_date_without_a_year_is_the_nearest_and_a_plan_lies_ahead() -> None:
    assert dates.found("We met on 20 December", SAID)[0].day == date(2025, 12, 20)
    assert dates.found("It is due on 20 December", SAID)[0].day == date(2026, 12, 20)
    assert dates.found("Am 20. Dezember muss es fertig sein", SAID)[0].day == date(2026, 12, 20)


AUTUMN = date(2026, 11, 22)
TENSES = """
my sister's wedding is on 12 June|2027-06-12
I'm off 12 June|2027-06-12
la rentrée est le 2 septembre|2027-09-02
Das Fest ist am 12. Mai|2027-05-12
Der Laden ist am 12. Mai geschlossen|2027-05-12
el examen es el 12 de mayo|2027-05-12
考试是三月五日|2027-03-05
締め切りは3月5日です|2027-03-05
we moved house on 12 March|2026-03-12
Wir sind am 12. März umgezogen|2026-03-12
Am 12. März haben wir das beschlossen|2026-03-12
on a signé le 12 mars|2026-03-12
lo cambió el 12 de marzo|2026-03-12
三月五日搬家了|2026-03-05
3月5日に引っ越しました|2026-03-05
the release moved to 12 January|2027-01-12
we decided to ship it on 12 June|2027-06-12
すみません、12月8日でした|2026-12-08
ミーティングは12月8日の15時に変更になりました|2026-12-08
会议改在12月8日了|2026-12-08
le rendez-vous a été déplacé au 4 mars|2027-03-04
10 January|2027-01-10
it will be done in November|2026-11-01
due end of November|2026-11-30
"""


@pytest.mark.parametrize(("text", "day"), pairs(TENSES))
def test_what_is_lies_ahead_and_what_was_lies_behind(text: str, day: str) -> None:
    assert [d.day.isoformat() for d in dates.found(text, AUTUMN)] == [day]


def test_each_clause_has_its_own_tense() -> None:
    found = dates.found("I was sick on 3 March, the exam is on 4 March", AUTUMN)
    assert [d.day for d in found] == [date(2026, 3, 3), date(2027, 3, 4)]


WORDS = [
    *dates.HINTS,
    *dates.NUMBERS,
    *dates.WIDE_NUMBERS,
    *"0123456789 /.-年月日号周前后之个ſıİK²٣①",
    "ago",
    "in ",
    "vor ",
]


@given(st.text(max_size=30) | st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), st.dates())
def test_no_text_raises(text: str, said: date) -> None:
    for each in (text, text.upper(), text.replace("s", "ſ").replace("k", "\u212a"), "".join(text.split())):
        dates.found(each, said)


@pytest.mark.parametrize("text", ["3 ſeptember ago", "in 3 ſept, ago", "on Friday, last ſunday", "ſeptember 3 in May"])
def test_a_letter_that_only_looks_like_another_raises_nothing(text: str) -> None:
    dates.found(text, SAID)


def test_a_range_gives_both_ends() -> None:
    assert [d.day.day for d in dates.found("Leave from 3 to 5 March", SAID)] == [3, 5]
    assert [d.day.day for d in dates.found("from 2026-03-03 to 2026-03-05", SAID)] == [3, 5]


@given(st.dates(date(1, 1, 1), date(9999, 12, 31)), st.text(max_size=20))
def test_an_iso_day_is_always_found_and_any_text_is_read(day: date, words: str) -> None:
    found = dates.found(f"x {day.isoformat()} {words}", SAID)
    assert any(d.day == day for d in found)
    dates.found(f"{words} next month, next Friday, in 99 weeks, vor 99 Jahren, 下周五 2月30日", day)


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 6))
def test_the_coming_weekday_is_one_to_seven_days_ahead(said: date, weekday: int) -> None:
    found = dates.coming(said, weekday)
    assert found.weekday() == weekday
    assert timedelta(1) <= found - said <= timedelta(7)


@given(st.lists(st.sampled_from([line for line, _ in pairs(EXACT)]), max_size=4))
def test_places_are_true_and_do_not_overlap(parts: list[str]) -> None:
    text = " ; ".join(parts)
    found = dates.found(text, SAID)
    assert all(d.text in text[d.start : d.end] for d in found)
    assert all(a.start < b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "unit",
    ["1", "1/", "1 ", "in ", "月", "mar ", "周", "3月5日", "by 3/5 ", "mañana ", "1. ", "on friday never "],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    begun = time.process_time()
    dates.found(unit * (100_000 // len(unit)), SAID)
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from 28 - 2 March", ["2026-02-28", "2026-03-02"]),
        ("vom 30. bis 2. April", ["2026-03-30", "2026-04-02"]),
        ("du 3 au 5 mars", ["2026-03-03", "2026-03-05"]),
        ("del 30 al 2 de marzo", ["2026-03-02"]),  # February has no 30th
    ],
)
def test_the_first_of_a_range_lies_before_its_last(text, days):
    assert [day.day.isoformat() for day in dates.found(text, date(2026, 2, 18))] == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("out on December 3 → sorry, it is on the 4th. the 3rd is the strike", ["12-03", "12-04", "12-03"]),
        ("Release ist am 3. Dezember → nein, am 4., nicht der 3.", ["12-03", "12-04"]),
        ("la feria es el 3 de diciembre → no, el 4", ["12-03", "12-04"]),
        ("c'est le 3 décembre → non, le 4, pas le 3", ["12-03", "12-04"]),
        ("12月3日发布 → 不对，4号，不是3号", ["12-03", "12-04"]),
        ("on 3 December the 4th attempt is due, am 3. Stock, the 31st. the 32nd.", ["12-03", "12-31"]),
        ("by Friday, the 4th", ["11-27"]),
    ],
)
def test_a_day_alone_is_of_the_month_that_was_named(text, days):
    assert [str(day.day)[5:] for day in dates.found(text, AUTUMN)] == days
