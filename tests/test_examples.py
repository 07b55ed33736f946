"""A property takes the same examples in every run of the tests, and new ones when asked."""

from __future__ import annotations

import os
import subprocess
import sys

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
