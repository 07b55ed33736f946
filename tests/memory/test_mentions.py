"""Names in a text: found where they stand, each once; known ones in any case; figures on a life that taught nothing."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.memory.names import mentions, tagger
from tests.conftest import examples

LIFE = Path(__file__).with_name("life_dev.jsonl")
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            [*"„“(（）).:!?–'’ \n", "Ana", "Ruiz", "ana", "GitHub", "k8s", "张薇", "さん", "の", "Straße", "é"]
        ),
        max_size=40,
    ).map("".join),
)


def test_names_are_found_as_often_as_they_were() -> None:
    """Of seven months of a life by another hand: F1 of the name, of name and kind; which one a line is about."""
    right = kind = told = there = about = lines = 0
    for row in map(json.loads, LIFE.read_text("utf-8").splitlines()):
        named = mentions.found(row["text"])
        wanted = {e.get("as", e["name"]): e["type"] for e in row["entities"]}
        right += sum(each.name in wanted for each in named)
        kind += sum(wanted.get(each.name) == each.kind for each in named)
        told, there = told + len(named), there + len(wanted)
        if wanted:
            lines += 1
            about += [each.name for each in mentions.main_first(named)[:1]] == list(wanted)[:1]

    assert 2 * right / (told + there) >= 0.75
    assert 2 * kind / (told + there) >= 0.52
    assert about / lines >= 0.58


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("My sister Ana moved to Lisbon", ["Ana", "Lisbon"]),
        ("Meine Schwester Birgit wohnt in Kassel", ["Birgit", "Kassel"]),
        ("Mi hermana Lucía vive en Sevilla", ["Lucía", "Sevilla"]),
        ("Ma sœur Clémence habite à Nantes", ["Clémence", "Nantes"]),
        ("我妹妹王芳住在成都", ["王芳", "成都"]),
        ("妹の美咲は福岡に住んでいる", ["美咲", "福岡"]),
        ("Der Vertrag liegt im Schrank, und am Dienstag kommt der Handwerker", []),
        ("Please answer first and explain after, on Mondays too", []),
        ("Researching flights now", []),
        ("Ming wants the report", ["Ming"]),
    ],
)
def test_a_name_is_known_in_six_languages(text: str, names: list[str]) -> None:
    assert [each.name for each in mentions.found(text)] == names


def test_a_known_name_is_found_in_any_case_and_keeps_its_kind() -> None:
    (atlas,) = mentions.found("we moved ATLAS", {"Atlas": "project--atlas"})

    assert (atlas.name, atlas.kind, atlas.at) == ("ATLAS", "project", 9)


def test_a_longer_name_is_another_than_the_known_one() -> None:
    known = {"Ana": "person--ana"}

    assert [m.name for m in mentions.found("Ana Ruiz signs the contract", known)] == ["Ana Ruiz"]
    assert [m.name for m in mentions.found("the banana is from ana", known)] == ["ana"]


def test_the_whole_name_stands_for_its_beginning_in_one_text() -> None:
    named = mentions.found("There's a second Stefan here, Stefan Ahlers from accounting")

    assert [m.name for m in named] == ["Stefan Ahlers"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Stefan from accounting wants the bill", ["accounting"]),
        ("With Stefan (the CTO one) we agreed", ["cto"]),
        ("Buchhaltungs-Stefan schon wieder", ["buchhaltungs"]),
        ("Stefan", []),
        ("Stefan likes tea", []),
    ],
)
def test_what_stands_beside_a_name_tells_who_is_meant(text: str, words: list[str]) -> None:
    assert mentions.beside(text, "Stefan") == words


@settings(max_examples=examples(300), deadline=None)
@given(text=TEXTS, known=st.dictionaries(st.text(max_size=8), st.sampled_from(tagger.KINDS), max_size=3))
def test_every_name_stands_in_the_text_once_and_in_order(text: str, known: dict[str, str]) -> None:
    named = mentions.found(text, known)

    assert all(text[m.at : m.at + len(m.name)] == m.name and m.name for m in named)
    assert all(m.kind in tagger.KINDS and 0 <= m.main <= 1 for m in named)
    assert [m.at for m in named] == sorted({m.at for m in named})
    assert len({m.name.casefold() for m in named}) == len(named)


def test_the_weights_are_small() -> None:
    assert tagger.WEIGHTS.stat().st_size <= 150_000


def test_a_long_text_takes_as_long_as_its_sentences() -> None:
    line = "Wei Zhang in our Shenzhen office owns the vessel-tracking feed. "

    def seconds(times: int) -> float:
        tries = []
        for _ in range(3):
            start = time.process_time()
            mentions.found(line * times)
            tries.append(time.process_time() - start)
        return min(tries)

    assert seconds(320) < 20 * seconds(40) + 0.05


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The meter (our CM-700d) lies before it is warm", ["CM-700d"]),
        ("we now live in Domat/Ems", ["Domat/Ems"]),
        ("after each run copy the card to the NAS and wipe it", ["NAS"]),
        ("i carry an EpiPen because of wasps", ["EpiPen"]),
        ("nobody touches srv-paris-07 this week", ["srv-paris-07"]),
        ("save this one: /home/levan/docs/report.pdf", []),
        ("DO NOT EVER DO THAT AGAIN", []),
        ("he is on the 24-hour shift", []),
    ],
)
def test_the_writing_of_a_word_tells_a_name(text: str, names: list[str]) -> None:
    assert [
        each.name for each in mentions.found(text, {"Levan": "person--levan"} if "levan" in text else None)
    ] == names
