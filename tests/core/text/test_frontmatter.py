"""koog/core/text/frontmatter.py: a head is read, and written back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import frontmatter

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=30)
VALUES = st.dictionaries(
    WORDS.filter(bool),
    st.recursive(
        WORDS | st.integers() | st.booleans() | st.none() | st.text("a-.:#'\n \"", max_size=9), st.lists, max_leaves=4
    ),
    max_size=4,
)


@given(VALUES, st.text("a-.\n# ", max_size=20) | WORDS)
def test_a_head_is_read_as_it_was_written(values: dict[str, object], body: str) -> None:
    assert frontmatter.parse(frontmatter.render(values, body)) == (values, body)


@pytest.mark.parametrize("text", ["", "# A", "---", "--- \nnever closed", "text\n---\na: 1\n---\n"])
def test_a_text_without_a_head_is_all_body(text: str) -> None:
    assert frontmatter.parse(text) == ({}, text)
    assert frontmatter.read(text.split("\n")) == frontmatter.NO_HEAD


@pytest.mark.parametrize("head", ["a: [", "- a", "a", "a: b: c", "{" * 5000])
def test_a_head_that_is_no_yaml_is_refused_by_parse_and_passed_over_by_read(head: str) -> None:
    text = f"---\n{head}\n---\nbody"
    with pytest.raises(ValueError, match="frontmatter"):
        frontmatter.parse(text)
    assert frontmatter.read(text.split("\n")).lines == 3


def test_the_quick_scan_and_the_whole_reading_agree() -> None:
    text = "---\ntitle: 'Plan: B'\ndate: 2026-02-17\ntags:\n  - a\n  - b\n---\nbody"
    head, (values, body) = frontmatter.read(text.split("\n")), frontmatter.parse(text)
    assert (head.title, head.day, list(head.tags)) == (values["title"], str(values["date"]), values["tags"])
    assert (head.lines, body) == (7, "body")
