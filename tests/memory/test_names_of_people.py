"""Names: a title is none, what is no name names nobody, and a place is not the organization that is called so, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core.run import Run
from koog.memory import remember
from koog.memory.names import mentions
from koog.memory.wanted import Wanted
from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")


def about(*texts: str) -> list[str | None]:
    """Remember some facts one by one; return of each the entity that it is about."""
    run = Run(now_text="2026-03-04T10:00:00Z")
    wanted = [Wanted(text, store="semantic") for text in texts]
    rows = [remember.store_all(run, [each], word=True, asks=False)[0][0].row for each in wanted]
    return [row["entities"][0]["id"] if row["entities"] else None for row in rows]


@pytest.mark.parametrize(
    ("texts", "people"),
    [
        (
            ("My doctor is Dr. Weber", "My new dentist is Dr. Hahn", "My vet is Dr. Kim"),
            ("dr-weber", "dr-hahn", "dr-kim"),
        ),
        (
            ("Mr. Smith runs the bakery", "Mr. Jones owns the garage", "Mrs. Smith teaches piano", "Mr. Smith is back"),
            ("mr-smith", "mr-jones", "mrs-smith", "mr-smith"),
        ),
        (("Frau Meier ist die Lehrerin", "Herr Meier ist der Hausmeister"), ("frau-meier", "herr-meier")),
        (("Señor Ruiz es el portero", "Señora Ruiz es la dentista"), ("señor-ruiz", "señora-ruiz")),
        (("Mr. Lee fixes bikes", "Ms. Lee sells flowers"), ("mr-lee", "ms-lee")),
        (("Dr. Weber is my doctor", "Weber has moved her practice"), ("dr-weber", "dr-weber")),
        (("Ana Ruiz likes tea", "Frau Ruiz mag Hunde"), ("ana-ruiz", "ana-ruiz")),
    ],
)
def test_people_who_share_a_title_are_not_one(texts: tuple[str, ...], people: tuple[str, ...]) -> None:
    assert about(*texts) == [f"person--{each}" for each in people]


def test_a_place_is_not_the_organization_that_begins_with_its_name() -> None:
    run = Run(now_text="2026-03-04T10:00:00Z")
    texts = (
        "Halde Logistics delivers on Tuesdays",
        "Our holiday in Halde was too short",
        "Halde is lovely in spring",
        "Wir waren in Halde wandern",
        "Halde delivers late",
    )
    rows = [remember.store_all(run, [Wanted(text)], word=True, asks=False)[0][0].row for text in texts]

    ids = [each["id"] for row in rows for each in row["entities"]]
    assert [id_ for id_ in ids if id_] == ["organization--halde-logistics"] * 2
    assert [row["entities"][0]["type"] for row in rows] == ["organization", *["place"] * 3, "organization"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Woah, nice!", []),
        ("Sadly Rex died", ["Rex"]),
        ("Well Peter is late", ["Peter"]),
        ("Luckily Ana found the keys", ["Ana"]),
        ("Honestly Ben is right", ["Ben"]),
        ("Will Peter come?", ["Peter"]),
        ("Will Park lives in Hull", ["Will Park", "Hull"]),
        ("Mark Rose paints", ["Mark Rose"]),
        ("Grace Hall sings in the choir", ["Grace Hall"]),
        ("Mark the date", []),
        ("Molly Reed sings", ["Molly Reed"]),
        ("Luckily I caught her before noon", []),
        ("Admittedly, it rained", []),
        ("Leider regnet es", []),
        ("Sally called before noon", ["Sally"]),
        ("The pup is called 'Scout' and eats", ["Scout"]),
    ],
)
def test_what_begins_a_sentence_is_a_name_where_it_is_one(text: str, names: list[str]) -> None:
    found = mentions.found(text)

    assert [each.name for each in found] == names
    assert {each.kind for each in found if " " in each.name} <= {"person"}


def test_a_link_of_somebody_whom_memory_md_names_whole_is_his(koog: Koog) -> None:
    koog("remember", "My wife is Rosa Lind")

    code, line = koog("remember", "Rosa works at Lumen")

    assert code == 0
    assert [(row["from"], row["to"]) for row in line["relations"]] == [("person--rosa-lind", "organization--lumen")]
    assert not Path("memory/graph/entities/concept--rosa.md").exists()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Vera Weber lives in Porto", "Ana Weber lives in Graz"),
        ("Marie Dupont habite à Lyon", "Paul Dupont habite à Nice"),
        ("Ana Ruiz lives in Porto", "Juan Ruiz called about the keys"),
        ("My doctor is Dr. Weber", "Ana Weber called about the invoice"),
    ],
)
def test_two_of_one_family_name_are_two(first: str, second: str) -> None:
    one, two = about(first, second)

    assert one != two and None not in (one, two)


def test_behind_a_title_a_family_name_is_that_of_who_is_known() -> None:
    one, two = about("Vera Weber lives in Porto", "Mrs. Weber called about the keys")

    assert one == two
