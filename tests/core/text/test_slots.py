"""Two lines that give one person two homes, jobs, numbers or addresses, in six languages."""

from __future__ import annotations

import pytest

from koog.core.text import slots


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana lives in Porto", "Ana moved to Braga"),
        ("Bob works at Acme", "Bob joined Globex"),
        ("Ana works at Lumen", "Ana works at Nine"),
        ("Ana's phone number is +351 912 345 678", "Ana's number: +351 911 111 111"),
        ("Ana's mail is ana@x.example", "Ana's mail is ana@y.example"),
        ("Ana Ruiz lives in Porto", "Ana moved to Braga"),
        ("User's sister Ana lives in Rome", "Ana moved to Pisa"),
        ("The user lives in Berlin", "I moved to Rome"),
        ("Ana wohnt in Hamburg", "Ana ist nach Köln gezogen"),
        ("El usuario vive en Sevilla", "El usuario se mudó a Granada"),
        ("Ana habite à Lyon", "Ana a déménagé à Paris"),
        ("安娜住在上海", "安娜搬到北京了"),
        ("アナは東京に住んでいる", "アナは大阪に引っ越した"),
    ],
)
def test_two_values_of_one_person_are_apart(one, other):
    assert slots.are_apart(one, other)
    assert slots.are_apart(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana lives in Porto", "Ana lives in Porto Campanhã"),
        ("Ana lives in Porto", "Bob lives in Braga"),
        ("Ana's brother lives in Porto", "Ana lives in Braga"),
        ("Die Schwester von Ana wohnt in Bonn", "Ana ist nach Köln gezogen"),
        ("Ana works at Lumen", "Ana's sister works at Nine"),
        ("Ana works with Bob", "Ana works with Carl"),
        ("Ana lives in Porto with Bob", "Bob lives in Faro"),
        ("Ana used to live in Rome", "Ana lives in Pisa"),
        ("Ana n'habite plus à Lyon", "Ana habite à Paris"),
        ("Ana lives in Porto", "Ana works at Porto Labs"),
        ("Send invoices to bill@x.example", "Send the report to ana@x.example"),
        ("Before, Ana lived in Porto and now lives in Braga", "I live in Rome"),
    ],
)
def test_what_is_of_two_people_or_holds_no_more_is_not(one, other):
    assert not slots.are_apart(one, other)
    assert not slots.are_apart(other, one)


def test_whom_a_line_without_a_name_is_about_is_told_beside_it():
    assert slots.are_apart("Lives in Rome", "Moved to Pisa", of=("Ana", "Ana Ruiz"))
    assert not slots.are_apart("Lives in Rome", "Lives in Pisa", of=("Ana", "Bob"))


def test_the_month_of_may_is_no_doubt():
    assert [(t.value, t.is_new) for t in slots.told("Ilse works for Bosch since May")] == [("Bosch", True)]
    assert slots.told("Ilse may move to Linz") == slots.told("She may have moved to Linz") == []
    assert slots.are_apart("Ilse works at Voest now", "Ilse works for Bosch since May")


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Paris time for meetings",
        "I moved to Table Lisbon",
        "We moved to Frankfurt as AWS region",
        "I dreamt we moved to Paris",
        "We moved to Porto for the summer",
        "Wir sind für den Sommer nach Porto gezogen",
        "Ich habe geträumt, wir sind nach Paris gezogen",
        "Nos mudamos a Oporto para el verano",
        "On a déménagé à Paris pour l'été",
        "我们搬到杭州过夏天",
        "夏の間、私たちは京都に引っ越しました",
        "I started Spanish with Duolingo",
        "Ana started with Chapter 3",
        "We hired a designer at Nine",
        "Ich habe bei Regen angefangen",
    ],
)
def test_what_is_no_home_and_no_workplace_fills_no_slot(text):
    assert slots.told(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I moved to Braga some time ago", "Braga"),
        ("I moved to Porto for work", "Porto"),
        ("Lena moved to Rotterdam", "Rotterdam"),  # it begins as a colour does, in some language
        ("Lena ist nach Grünwald gezogen", "Grünwald"),
        ("Ana started at Siemens on Monday", "Siemens"),
        ("Ana started a new job at Nine", "Nine"),
        ("Ana started as a nurse with Bupa", "Bupa"),
        ("Ana was hired by Siemens", "Siemens"),
        ("Ich habe bei Bosch angefangen", "Bosch"),
    ],
)
def test_what_is_told_plainly_fills_one(text, value):
    assert [(each.value, each.is_new) for each in slots.told(text)] == [(value, True)]
