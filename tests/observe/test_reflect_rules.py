"""The built-in reflector's choices; what it may do is test_reflection.py's."""

from __future__ import annotations

from datetime import date

import pytest

from koog.observe import reflect_rules
from koog.observe.observations import Observation
from koog.observe.reflect_rules import ReflectInput

TODAY = date(2026, 2, 28)
BUILD = "The build of the importer finished in the new room"


def seen(text, *, mark=5, day="2026-02-20", time="09:00"):
    return Observation(day, time, text, "fact", mark, 0.8, "s#a")


def asked(*lines):
    return [(o["op"], o["lines"]) for o in reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]]


def settled(*lines):
    found = [*reflect_rules.doubled(lines), *reflect_rules.expired(lines, TODAY)]
    return [(o["op"], o["lines"]) for o in found]


@pytest.mark.parametrize(("day", "goes"), [("2026-02-20", True), ("2026-02-21", False), ("", False)])
def test_a_green_line_goes_when_it_is_over_seven_days_old_by_its_own_date(day, goes):
    assert settled(seen("Tests passed", mark=2, day=day)) == ([("remove", [1])] if goes else [])


def test_lines_that_stand_there_twice_are_joined_without_asking_anybody():
    assert settled(seen("Tests passed"), seen("Lena likes tea"), seen("tests  passed.")) == [("merge", [1, 3])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Harbor deploys go out on Tuesdays", "Harbor deploys moved to Friday"),
        ("We use Redis for Harbor sessions", "Harbor no longer uses Redis for sessions"),
        ("Die Ablage liegt auf dem Server Kestrel", "Die Ablage liegt jetzt auf dem Server Osprey"),
        ("El puerto de pruebas es el 4100", "El puerto de pruebas ya no es el 4100, ahora es el 4200"),
        ("On déploie le mardi", "On ne déploie plus le mardi, c'est le jeudi maintenant"),
        ("周会在周二。", "周会改到周四了。"),
    ],
)
@pytest.mark.parametrize("marks", [(8, 8), (8, 5), (5, 8)])
def test_a_correction_replaces_what_it_corrects_whatever_the_two_weigh(old, new, marks):
    lines = (seen(f"User: {old}", mark=marks[0]), seen(f"User: {new}", mark=marks[1], day="2026-02-25"), *others(4))

    (operation,) = reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]

    assert (operation["op"], operation["lines"], operation["newer"]) == ("remove", [1], 2)
    assert operation["reason"].startswith("superseded on 2026-02-25: ")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User: Use tabs", "User: I moved the browser tabs to the left monitor"),
        ("User: Never push to the Harbor main branch without review", "User: The Harbor wiki moved to the new server"),
        ("User: The Harbor launch is on March 3", "User: The Meadow launch moved to March 17"),
        ("User: Server 1 has 16 GB", "User: Server 2 has 16 GB"),
        ("User: Alice likes tea", "User: Bob likes tea"),
    ],
)
def test_what_speaks_of_something_else_replaces_nothing_and_is_joined_with_nothing(a, b):
    lines = (seen(a), seen(b, day="2026-02-25"))

    assert [op for op, _ in asked(*lines) if op != "link"] == []


def test_repeats_are_joined_with_the_one_that_says_most():
    (operation,) = asked(seen(BUILD), seen(f"{BUILD} at 09:30"), seen(f"{BUILD}, again"), *others(3))

    assert operation == ("merge", [1, 2, 3])


@pytest.mark.parametrize("mark", [2, 5, 8])
def test_no_line_is_cut(mark):
    line = seen(
        "We use Redis, but now for sessions only, because the old one made a noise", mark=mark, day="2024-01-28"
    )

    assert asked(line) == []


def test_a_reflection_leaves_a_good_part_even_where_each_line_supersedes_the_one_before():
    lines = tuple(seen(f"Harbor deploys moved to slot {n}", day=f"2026-02-{n:02}") for n in range(1, 25))

    operations = reflect_rules.answer(ReflectInput(lines, TODAY))["operations"]

    assert len([o for o in operations if o["op"] == "remove"]) == 18  # of 24: a quarter stands


def others(n):
    return [
        seen(text, mark=8) for text in ("Lena likes tea", "Disk full in Graz", "Ask Mika first", "Budget is 900")[:n]
    ]


MILL = (
    "User: My flour comes from the Brodersen mill, forty sacks each fortnight",
    "User: Ostermann's flour is here, and the sacks are smaller than those of the mill",
)


def followed(*texts):
    lines = [seen(text, day=f"2026-02-{n + 1:02}")._replace(source=f"s{n}#a") for n, text in enumerate(texts)]
    return [o["lines"] for o in reflect_rules.followed(lines)]


@pytest.mark.parametrize(("others", "pairs"), [(5, True), (6, False)])
def test_lines_of_which_many_are_alike_are_no_pairs(others, pairs):
    walks = [f"User: I walked {n} km to the lake with Ada" for n in range(others + 1)]

    *found, of_mill = followed(*walks, *MILL)

    assert bool(found) is pairs
    assert of_mill == [others + 2, others + 3]


@pytest.mark.parametrize(("others", "pairs"), [(5, True), (6, False)])
def test_a_line_that_is_like_many_is_paired_with_no_unlike_one(others, pairs):
    alike = [f"{MILL[0]} in year {n}" for n in range(others)]

    found = followed(*alike, *MILL)

    assert ([others + 1, others + 2] in found) is pairs
