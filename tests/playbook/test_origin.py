"""Where a line of the playbook comes from, and of which day that is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.playbook import item, origin
from koog.playbook.texts import patterns

DAYS = st.dates().map(str)


@pytest.mark.parametrize(
    ("place", "cited"),
    [
        ("memory/2026-02-17.md:14", "memory/2026-02-17.md:14"),
        ("memory/2026-02-17-pods.md:2", "memory/2026-02-17-pods.md:2"),
        ("memory/observations.md:31", "memory/observations.md:31 2026-02-28"),
    ],
)
def test_a_place_has_its_day_behind_it_where_the_file_has_none(place, cited):
    assert origin.cited(place, "2026-02-28") == cited
    assert origin.place(cited) == place


@pytest.mark.parametrize("day", ["", "yesterday", "None"])
def test_what_is_no_day_is_not_put_behind_a_place(day):
    assert origin.cited("memory/observations.md:31", day) == "memory/observations.md:31"


@given(DAYS, st.integers(1, 10**6))
def test_a_line_of_the_playbook_keeps_place_and_day(day, line):
    source = origin.cited(f"memory/observations.md:{line}", day)
    row = item.Item("Deploys go out on Tuesdays", score=0.5, source=source).render()

    assert item.parse(row).source == source
    assert origin.day(item.parse(row).source) == day
    (pattern,) = patterns(row)
    assert (pattern.text, pattern.day, pattern.source) == ("Deploys go out on Tuesdays", day, "memory/observations.md")


def test_whose_word_it_is_stands_behind_the_place():
    source = origin.cited("memory/observations.md:31", "2026-02-28", trust="person")

    assert source == "memory/observations.md:31 2026-02-28 by person"
    assert (origin.place(source), origin.day(source)) == ("memory/observations.md:31", "2026-02-28")
    assert origin.day(origin.cited("memory/2026-02-17.md:4", "", trust="person")) == "2026-02-17"
    assert patterns(f"- Use pnpm <!-- from: {source} -->")[0].day == "2026-02-28"
