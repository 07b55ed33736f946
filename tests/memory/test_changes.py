"""A move, another job or number of somebody who is known: what stood there gives way, or is told to be in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core.run import Run
from koog.memory import remember
from koog.memory.store import core_memory
from koog.memory.wanted import Wanted

pytestmark = pytest.mark.usefixtures("workspace")


def told(*texts: str, **more: str) -> list[dict]:
    """Remember some things one after the other on a person's word; return what became of each."""
    found = []
    for minute, text in enumerate(texts):
        run = Run(now_text=f"2026-03-04T10:{minute:02}:00Z")
        kept, _ = remember.store_all(run, [Wanted(text, explicit=True, **more)], word=True, asks=False)
        found.append(kept[0].row)
    return found


def core() -> list[str]:
    return [memory.text for memory in core_memory.memories(Path("MEMORY.md").read_text())]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ana lives in Porto", "Ana moved to Braga last week"),
        ("Tobias works at Siemens", "Tobias started at Bosch on Monday"),
        ("Ana's phone number is 0151 2345678", "Ana has a new number: 0176 9988776"),
        ("Mein Bruder Jan wohnt in Kiel", "Jan ist nach Ulm gezogen"),
        ("Ma soeur Louise habite à Porto", "Louise a déménagé à Lyon"),
        ("Mi hermano Luis vive en Sevilla", "Luis se mudó a Cádiz"),
    ],
)
def test_a_new_value_takes_the_old_ones_place(older: str, newer: str) -> None:
    old, new = told(older, newer)

    assert new["replaced"] == [old["id"]]
    assert new["store"] in ("semantic", "core")


def test_what_says_two_things_stays_and_is_in_doubt() -> None:
    """The move says nothing of the hazelnuts: both lines stay, each names the other, in the entity and in the core."""
    old, new = told("Remember that my sister Ana lives in Porto and is allergic to hazelnuts", "Ana moved to Braga")

    assert new["against"] == [old["id"], old["coreId"]]
    assert new["replaced"] == []
    assert core() == ["my sister Ana lives in Porto and is allergic to hazelnuts", "Ana moved to Braga"]
    text = Path(new["path"]).read_text()
    assert text.count("dc:against=") == 2
    assert "~~" not in text


def test_the_same_words_in_the_core_give_way_with_the_fact() -> None:
    """What is always needed stands twice, as a fact and in the core: else the agent would go on reading the old one."""
    (old,) = told("Omar is allergic to peanuts")
    (new,) = told("Omar eats nuts again", replaces=old["id"])

    assert old["coreId"]
    assert new["replaced"] == [old["id"], old["coreId"]]
    assert core() == ["Omar eats nuts again"]


@pytest.mark.parametrize(
    "newer",
    [
        "Ana might move to Braga",
        "Ana thinks she moved to Braga too early",
        "Ana's brother moved to Faro",
        "Tom moved to Faro",
        "Ana moved the piano to Faro",
        "Ana was in Faro last week",
        "Ana moved to May",
    ],
)
def test_what_is_no_move_of_hers_changes_nothing(newer: str) -> None:
    _, new = told("Ana lives in Porto", newer)

    assert (new["replaced"], new["against"]) == ([], [])


def test_teams_are_no_homes() -> None:
    """Where nobody can tell whether it is a place, both stay."""
    old, new = told("Ana lives in Porto", "Ana moved to Sales")

    assert (new["replaced"], new["against"]) == ([], [old["id"]])


def test_one_who_speaks_of_himself_moves_in_the_core() -> None:
    old, new = told("I live in Lisbon", "I moved to Braga last week")

    assert (old["store"], new["store"]) == ("core", "core")
    assert new["replaced"] == [old["id"]]
    assert core() == ["I moved to Braga last week"]


def test_the_fact_gives_way_with_the_same_words_in_the_core() -> None:
    (old,) = told("Omar is allergic to peanuts")
    (new,) = told("Omar eats peanuts again", replaces=old["coreId"])

    assert new["replaced"] == [old["coreId"], old["id"]]
    assert "~~Omar is allergic to peanuts~~" in Path(old["path"]).read_text()


def test_of_two_people_of_one_name_neither_is_told_to_have_moved() -> None:
    *_, new = told("Ana Ruiz is from Madrid", "Ana Kovac is from Split", "Ana moved to Braga")

    assert (new["replaced"], new["against"]) == ([], [])


def test_what_seems_to_tell_a_change_names_what_it_is_beside() -> None:
    """Nobody knows what of the older line still holds: it stays as it is, and whoever asked is told of it."""
    old, new = told(
        "Lotte has her tennis lesson on Wednesdays at 16:15, her coach is called Marlous",
        "change at the tennis club: Lotte has another coach for her lesson now, Anouk",
    )

    assert (new["replaced"], new["against"]) == ([], [old["id"]])
    assert "dc:against" not in next(line for line in Path(old["path"]).read_text().splitlines() if "Marlous" in line)


def test_an_episode_names_what_it_is_beside_too() -> None:
    (old,) = told("Lotte has her tennis lesson on Wednesdays at 16:15", store="semantic", entity="Lotte")
    (new,) = told("Yesterday we moved the tennis lesson to Thursdays at 17:00", confidence="low")

    assert old["id"] in new["against"] + new["replaced"]


def test_a_weekday_alone_takes_nothing_back() -> None:
    _, new = told(
        "Martin has the spare key and looks in on Tuesdays and Fridays",
        "Scratch the overnight wait in our releases, it is one hour now. Still not on Fridays!",
    )

    assert new["replaced"] == []
