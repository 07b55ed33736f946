"""Whose what a line tells is, in six languages."""

from __future__ import annotations

import pytest

from koog.core.text import holder
from koog.core.text.holder import KIN, NAMED, SPEAKER, THIRD
from koog.core.text.says import says


@pytest.mark.parametrize(
    ("text", "people", "kind", "relation"),
    [
        ("I'm allergic to cats", [], SPEAKER, ""),
        ("My flat is in Rome", [], SPEAKER, ""),
        ("Our old CI runs on Jenkins", [], SPEAKER, ""),
        ("My wife and I moved to Braga", [], SPEAKER, ""),
        ("I live with my sister", [], SPEAKER, ""),
        ("My dentist is Dr. Hahn", [], SPEAKER, "doctor"),
        ("The doctor told me I'm well", [], SPEAKER, ""),
        ("My son is no longer allergic", [], KIN, "son"),
        ("Mum is on warfarin", [], KIN, "mother"),
        ("My goddaughter is no longer allergic", [], KIN, "godchild"),
        ("Our hairdresser is vegan now", [], KIN, "hairdresser"),
        ("Mein Bekannter wohnt jetzt in Ulm", [], KIN, "bekannter"),
        ("Mon parrain n'est plus végane", [], KIN, "godparent"),
        ("My flat is no longer damp", [], SPEAKER, ""),
        ("The neighbour's kid is ill", [], KIN, "child"),
        ("We visited my parents, who moved to Leeds", [], SPEAKER, ""),
        ("Ana's younger sister lives in Faro", ["Ana"], KIN, "sister"),
        ("Ana's number is 0171 5555555", ["Ana"], NAMED, ""),
        ("She no longer speaks Dutch", [], THIRD, ""),
        ("Meine große Schwester ist krank", [], KIN, "sister"),
        ("Meine Großmutter ist krank", [], KIN, "grandmother"),
        ("Mein Sohn ist krank", [], KIN, "son"),
        ("Jans Schwester wohnt in Ulm", ["Jan"], KIN, "sister"),
        ("Die Schwester von Jan wohnt in Ulm", ["Jan"], KIN, "sister"),
        ("Oma nimmt Ramipril", [], KIN, "grandmother"),
        ("Unsere Wohnung ist klein", [], SPEAKER, ""),
        ("Mi hermano ya no es vegano", [], KIN, "brother"),
        ("La hermana de Luis vive en Cádiz", ["Luis"], KIN, "sister"),
        ("Ya no vivo en Lima", [], SPEAKER, ""),
        ("Ma sœur est végétarienne", [], KIN, "sister"),
        ("Le frère de Louise habite à Paris", ["Louise"], KIN, "brother"),
        ("On a déménagé à Lyon", [], SPEAKER, ""),
        ("我儿子过敏", [], KIN, "son"),
        ("安娜的妹妹住在北京", ["安娜"], KIN, "sister"),
        ("我住在上海", [], SPEAKER, ""),
        ("息子はアレルギーです", [], KIN, "son"),
        ("田中さんの妹は京都に住んでいます", ["田中"], KIN, "sister"),
        ("私は東京に住んでいます", [], SPEAKER, ""),
    ],
)
def test_who_holds_what_is_told(text: str, people: list[str], kind: str, relation: str) -> None:
    found = holder.of(text, people=people)

    assert found
    assert (found.kind, found.relation) == (kind, relation)


@pytest.mark.parametrize(
    "text", ["The server is slow", "Standup is at 9:30", "My boss moved our meeting to Friday", "在庫は三つです"]
)
def test_of_whom_nobody_can_tell(text: str) -> None:
    assert holder.of(text) is None


@pytest.mark.parametrize(
    ("text", "words", "people", "kind", "names"),
    [
        ("We visited my parents, who moved to Leeds", "moved", [], KIN, set()),
        ("Ana works with Bob and lives in Porto", "lives", ["Ana", "Bob"], NAMED, {"ana"}),
        ("Ben has Ana's old number; his new number is 12345", "number is", ["Ana", "Ben"], NAMED, {"ben"}),
        ("I saw Ana yesterday, she moved to Braga", "moved", ["Ana"], NAMED, {"ana"}),
        ("Ana and I moved to Faro", "moved", ["Ana"], SPEAKER, set()),
        ("My sister Eva moved to Pisa", "moved", ["Eva"], KIN, {"eva"}),
    ],
)
def test_whose_the_words_are_that_begin_at_a_place(
    text: str, words: str, people: list[str], kind: str, names: set[str]
) -> None:
    found = holder.before(text, text.index(words), people=people)

    assert found
    assert (found.kind, set(found.names)) == (kind, names)


def test_the_part_that_is_asked_after_tells_whose_it_is() -> None:
    text = "My wife is allergic to nuts, and I have asthma"

    assert holder.of(text, says("nuts").ideas) == holder.Holder(KIN, relation="wife")
    assert holder.of(text, says("asthma").ideas) == holder.Holder(SPEAKER)
    found = holder.of("My sister is Ana and has asthma", says("asthma").ideas)
    assert found
    assert found.kind == KIN


@pytest.mark.parametrize(
    ("one", "other", "are_two"),
    [
        ("Mum is vegan", "My mother is vegan", False),
        ("My son is vegan", "My daughter is vegan", True),
        ("My daughter Lena is vegan", "My daughter Kim is vegan", True),
        ("My dentist is Dr. Weber", "My dentist is on leave", False),
        ("My brother is vegan", "She is vegan", False),
        ("I'm vegan", "She is vegan", True),
    ],
)
def test_two_holders_are_told_apart(one: str, other: str, *, are_two: bool) -> None:
    assert holder.are_two(holder.of(one), holder.of(other)) == are_two


@pytest.mark.parametrize(
    ("older", "newer", "is_other"),
    [
        ("I live in Zurich", "I no longer live in Bern", True),
        ("I work at Lumen", "I don't work at Nine any more", True),
        ("Ana likes tea", "Ana is no longer in accounting", True),
        ("Ich wohne in Zürich", "Ich wohne nicht mehr in Bern", True),
        ("J'habite à Zurich", "Je n'habite plus à Berne", True),
        ("Vivo en Sevilla", "Ya no vivo en Cádiz", True),
        ("我住在上海", "我不再住在北京", True),
        ("Ich habe Asthma", "Ich habe kein Asthma mehr", False),
        ("I have asthma since childhood", "I no longer suffer from asthma", False),
        ("The server is called atlas", "It is called borealis, not atlas", False),
        ("Standup is at 9:30", "Standup is at 10:15, no more 9:30", False),
        ("我对青霉素过敏", "我对青霉素不再过敏", False),
    ],
)
def test_what_is_denied_is_what_the_older_line_says(older: str, newer: str, *, is_other: bool) -> None:
    assert holder.tells_other(older, newer) == is_other
