"""`koog teach`: a person's own examples change what is kept, and only as long as they stand in memory/taught.jsonl."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from tests.statements.ground import NOW, House, holds

TAUGHT = "memory/taught.jsonl"
ROUTINE = [  # what this house writes down day by day, and nobody needs
    f"The barge {name} went through lock {n} at {7 + n % 9}:30 and owes {40 + n} euros."
    for n, name in enumerate("Anna Berta Clara Dora Emma Frieda Gerda Hanna Ida Jette".split())
]
LATER = "The barge Paula went through lock 21 at 16:30 and owes 45 euros."


def kept(house: House, scene: str, text: str) -> bool:
    house.session(scene, ("user", text), ("agent", "Okay."), at=NOW - timedelta(hours=1))
    house.observe()
    return bool(house.seen(scene))


def test_what_is_taught_stands_in_a_file_that_a_person_can_read(house: House) -> None:
    line = house.koog("teach", "We count the swans at low tide.", "--type", "rule")

    assert line["ok"]
    [row] = [json.loads(row) for row in house.text(TAUGHT).splitlines()]
    assert row["text"] == "We count the swans at low tide."
    assert row["type"] == "rule"


def test_what_is_taught_as_noise_is_kept_no_more_until_the_lines_are_deleted(house: House) -> None:
    """The house's own routine is a fact to everyone else."""
    assert kept(house, "before", LATER.replace("21", "22")), (
        "the line must be worth keeping without a word of the person"
    )
    for text in ROUTINE:
        house.typed("teach", text, "--type", "noise")

    assert not kept(house, "taught", LATER)
    (house.ws / TAUGHT).unlink()
    assert kept(house, "undone", LATER.replace("Paula", "Quirina"))


@pytest.mark.parametrize("is_deleted", [False, True])
def test_what_is_taught_as_a_rule_is_kept_as_long_as_its_line_stands(house: House, is_deleted: bool) -> None:
    text = "swans at low tide, herons at high"
    house.typed("teach", text, "--type", "rule")
    house.koog("teach", "We weigh the nets on Mondays.", "--type", "habit")
    if is_deleted:
        rows = house.text(TAUGHT).splitlines(keepends=True)
        (house.ws / TAUGHT).write_text("".join(row for row in rows if "swans" not in row))

    assert kept(house, "taught", text) is not is_deleted


def test_mining_heeds_what_is_taught(house: House) -> None:
    for text in ROUTINE:
        house.typed("teach", text, "--type", "noise")
    house.note("2026-02-26.md", f"- {LATER}\n- Decided: the lock keeper's house is let to Ruben from April on.\n")

    found = house.mine_all()

    assert [x for x in found if holds(x, ["Ruben"])], found
    assert not [x for x in found if holds(x, ["barge"])], found


def test_a_type_that_is_none_is_refused_and_nothing_is_written(house: House) -> None:
    """A promise that stays: today for another reason, as there is no such command."""
    called = house.called("teach", "We count the swans.", "--type", "poem")

    assert called.error == "usage", called.out
    assert not (house.ws / TAUGHT).exists()


def test_a_dry_run_teaches_nothing(house: House) -> None:
    house.koog("teach", "We count the swans.", "--type", "rule", "--dry-run")

    assert not (house.ws / TAUGHT).exists()


def test_teaching_is_one_commit(house: House) -> None:
    line = house.koog("teach", "We count the swans.", "--type", "rule")

    assert [change["path"] for change in line["_meta"]["changes"]] == [TAUGHT]


def test_a_line_of_the_file_that_is_damaged_is_passed_over(house: House) -> None:
    house.koog("teach", "We count the swans.", "--type", "rule")
    with (house.ws / TAUGHT).open("a") as file:
        file.write('{"text": "half a li\n\nnot json\n[1, 2]\n')

    assert kept(house, "still", "We decided that the swan count moves to the first Sunday of May.")
