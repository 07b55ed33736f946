"""A property takes the same examples in every run of the tests, and new ones when asked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import conftest

PROPERTY = """
import tests.conftest
from hypothesis import given, strategies as st

@given(st.integers())
def prints(number):
    print(number)

prints()
"""


def drawn(**env: str) -> str:
    """Return what one property draws in a run with these variables."""
    surroundings = {name: value for name, value in os.environ.items() if name != "CI"} | env
    command = [sys.executable, "-c", PROPERTY]
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True).stdout


def test_a_property_takes_the_same_examples_here_as_in_ci_and_new_ones_for_whoever_asks():
    usual = drawn()

    assert usual
    assert drawn(CI="true") == usual
    assert drawn(KOOG_EXAMPLES="new") != usual
    assert drawn(KOOG_FUZZ="9") != usual


def test_of_a_wide_table_some_rows_are_tried_and_all_for_whoever_asks(request, monkeypatch):
    def items(name):
        return [pytest.Function.from_parent(request.node.parent, name=f"{name}[{n}]", callobj=drawn) for n in range(9)]

    row, narrow = items("wide"), items("narrow")
    for item in row:
        item.add_marker(pytest.mark.wide(3))

    monkeypatch.setattr(conftest, "NEW_EXAMPLES", False)
    assert conftest.rows_left_out([*row, *narrow]) == {*row} - {row[0], row[4], row[8]}
    assert conftest.rows_left_out(row[1:3]) == set()  # asked for by name

    monkeypatch.setattr(conftest, "NEW_EXAMPLES", True)
    assert conftest.rows_left_out([*row, *narrow]) == set()
