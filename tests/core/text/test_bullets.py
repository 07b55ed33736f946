"""koog/core/text/bullets.py: every mark of a list is seen, and a row is written back as it was."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import bullets

ROWS = st.builds(
    lambda indent, mark, blank, box, text: f"{indent}{mark}{blank}{box}{text}",
    st.sampled_from(["", " ", "  ", "\t", "\u3000"]),
    st.sampled_from(["-", "*", "+", "•", "1.", "12)", "・", "3、"]),
    st.sampled_from([" ", "  ", "\t"]),
    st.sampled_from(["", "[ ] ", "[x] ", "[X]  ", "[y] "]),
    st.text(st.characters(exclude_characters="\n")),
)


@pytest.mark.parametrize("mark", ["-", "*", "+", "•", "1.", "23.", "1)", "・", "2、"])
def test_every_mark_is_seen(mark: str) -> None:
    found = bullets.parse(f"  {mark} Rotate the keys")
    assert found and (found.mark, found.text, found.column) == (mark, "Rotate the keys", 2)


@pytest.mark.parametrize(
    ("row", "box", "done"), [("- [ ] a", " ", False), ("1. [x] a", "x", True), ("• [X] a", "X", True)]
)
def test_a_checkbox_is_no_part_of_the_words(row: str, box: str, done: bool) -> None:
    found = bullets.parse(row)
    assert found and (found.box, found.is_done, found.text) == (box, done, "a")


@pytest.mark.parametrize(
    "row",
    [
        "",
        "-",
        "- ",
        "* * *",
        "- - -",
        "---",
        "-5 degrees",
        "*bold* word",
        "1.5 seconds",
        "2026. A year",
        "# - x",
        "a - b",
        "30. November ist Abgabe",
        "3. März",
        "1.Next",
    ],
)
def test_what_is_no_item(row: str) -> None:
    assert bullets.parse(row) is None


@given(ROWS | st.text(st.characters(exclude_characters="\n")))
def test_a_row_is_written_back_byte_for_byte(row: str) -> None:
    found = bullets.parse(row)
    if found:
        assert found.lead + found.text == row
        assert found.lead.startswith(found.indent + found.mark)


@pytest.mark.parametrize("unit", [" ", "- ", "-", "1", "1. ", "[", "- [x] ", "・"])
def test_hostile_rows_take_linear_time(unit: str) -> None:
    begun = time.process_time()
    bullets.parse(unit * 200_000)
    bullets.parse("-" + unit * 200_000)
    assert time.process_time() - begun < 2
