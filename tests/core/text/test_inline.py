"""koog/core/text/inline.py: the words are left, the markup goes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text.inline import plain

CASES = """
**Use** tabs => Use tabs
__Use__ *tabs* and _never_ spaces => Use tabs and never spaces
我们**决定**使用 => 我们决定使用
[Postgres](https://x.org/a_(b) "t") is it => Postgres is it
[[Page|the page]] and [[Other]] => the page and Other
![a photo](x.png) of it => a photo of it
~~MySQL~~ Postgres => Postgres
run `a **b** _c_` now => run `a **b** _c_` now
snake_case_name and __init__.py stay => snake_case_name and __init__.py stay
2 * 3 * 4 and *.py and **/*.md => 2 * 3 * 4 and *.py and **/*.md
***all*** of it[^1] => all of it
[ ] is a box, a [tag] is none => [ ] is a box, a [tag] is none
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_markup_goes(case: str) -> None:
    text, words = case.split(" => ")
    assert plain(text) == words


@given(st.text())
def test_letters_and_figures_are_only_lost_where_they_are_struck_or_a_target(text: str) -> None:
    if "~~" not in text and "](" not in text and "[" not in text and "<" not in text:
        assert [c for c in plain(text) if c.isalnum()] == [c for c in text if c.isalnum()]


@pytest.mark.parametrize("unit", ["*", "**a", "_", "_a ", "[", "[a", "[a](", "[[", "`", "`a", "~~", "~~a", "<br", "!["])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    begun = time.process_time()
    plain(unit * (200_000 // len(unit)))
    assert time.process_time() - begun < 4
