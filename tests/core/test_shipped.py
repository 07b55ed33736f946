"""What koog ships: a long pattern goes on in the next row, so that a row of it can be read and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core import shipped

OF_PATTERNS = ("core/text/himself.txt", "memory/answering/cues.txt", "memory/trigger/triggers.txt")


def test_a_row_goes_on_in_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# a | b\none (?:x\n    |y )z\n    |\\|w\n\n    |other\n    two|three\n")

    assert shipped.rows(tmp_path / "a.txt") == ["# a | b", r"one (?:x|y )z|\|w", "|other", "    two|three", ""]


@pytest.mark.parametrize("name", OF_PATTERNS)
def test_no_row_of_a_file_of_patterns_is_longer_than_one_of_code(name: str) -> None:
    long = [row for row in shipped.text(shipped.PACKAGE / name).split("\n") if len(row) > 160]

    assert long == []
