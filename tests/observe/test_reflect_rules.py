"""The built-in reflector's choices; what it may do is test_reflection.py's."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.observe import reflect_rules
from koog.observe.observations import Observation
from koog.observe.reflect_rules import ReflectInput, main_clause

TODAY = date(2026, 2, 28)
BUILD = "The build of the importer finished in the new room"


def seen(text, *, mark=5, day="2026-02-20", time="09:00"):
    return Observation(day, time, text, "fact", mark, 0.8, "s#a")


def asked(*lines):
    return [(o["op"], o["lines"]) for o in reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]]


def settled(*lines):
    return [(o["op"], o["lines"]) for o in reflect_rules.settled(lines, TODAY)]


@pytest.mark.parametrize(("day", "goes"), [("2026-02-20", True), ("2026-02-21", False), ("", False)])
def test_a_green_line_goes_when_it_is_over_seven_days_old_by_its_own_date(day, goes):
    assert settled(seen("Tests passed", mark=2, day=day)) == ([("remove", [1])] if goes else [])


def test_lines_that_stand_there_twice_are_joined_without_asking_anybody():
    assert settled(seen("Tests passed"), seen("Lena likes tea"), seen("tests  passed.")) == [("merge", [1, 3])]


def test_a_superseded_line_goes_first_and_names_the_newer_one():
    old, new = (
        seen("Harbor deploys go out on Tuesdays", mark=8),
        seen("Harbor deploys moved to Friday", mark=8, day="2026-02-25"),
    )

    (operation,) = reflect_rules.answer(ReflectInput((old, new, *others(4)), TODAY))["operations"]

    assert (operation["op"], operation["lines"], operation["newer"]) == ("remove", [1], 2)
    assert operation["reason"] == "superseded on 2026-02-25: Harbor deploys moved to Friday"


def test_near_repeats_are_joined_with_the_first_of_them():
    assert asked(seen(BUILD), seen(f"{BUILD} again"), seen(f"{BUILD} today"), *others(3)) == [("merge", [1, 2, 3])]


def test_old_yellow_lines_of_one_day_are_joined_when_they_are_nearly_the_same():
    a, b = "Looked at the importer and its slow queries", "Looked at the importer and its odd queries"

    assert asked(seen(a, day="2026-01-05"), seen(b, day="2026-01-05"), *others(2)) == [("merge", [1, 2])]
    assert asked(seen(a, day="2026-01-05"), seen(b, day="2026-01-06"), *others(2)) == []
    assert asked(seen(a), seen(b), *others(2)) == []


@pytest.mark.parametrize(
    ("day", "mark", "shortened"), [("2026-01-28", 5, True), ("2026-01-29", 5, False), ("2025-01-28", 8, False)]
)
def test_a_yellow_line_over_thirty_days_old_becomes_its_main_clause(day, mark, shortened):
    line = seen("Moved the nightly backup to the new disk, because the old one made a noise", mark=mark, day=day)

    assert (asked(line) != []) is shortened


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Moved the nightly backup elsewhere (the old disk made a noise)", "Moved the nightly backup elsewhere"),
        ("Mika rewrote the slow importer query; it had no index", "Mika rewrote the slow importer query"),
        ("It failed, because the disk was full", "It failed, because the disk was full"),  # too short without
        ("Moved the nightly backup elsewhere, because port 4100 was taken", None),  # a number would be lost
        ('Mika said "the nightly backup moved elsewhere, because of noise" again', None),  # inside a quotation
        ("Moved the nightly backup elsewhere", None),
    ],
)
def test_the_main_clause_keeps_numbers_quotations_and_what_is_short(text, short):
    assert main_clause(text) == (short or text)


@given(
    st.lists(
        st.sampled_from(
            ["disk", "backup", "moved", "importer", ", because", ";", "—", "(old)", "4100", '"x"', ". ", "which"]
        )
    )
)
def test_a_main_clause_has_no_shorter_one(parts):
    once = main_clause(" ".join(parts))

    assert main_clause(once) == once


def test_a_reflection_leaves_a_good_part_even_where_each_line_supersedes_the_one_before():
    lines = tuple(seen(f"Harbor status is now at step {n}", day=f"2026-02-{n:02}") for n in range(1, 25))

    operations = reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]

    assert len(operations) == 18  # of 24: a quarter stands


def others(n):
    return [
        seen(text, mark=8) for text in ("Lena likes tea", "Disk full in Graz", "Ask Mika first", "Budget is 900")[:n]
    ]
