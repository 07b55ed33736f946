"""`<!-- key: value -->`: a number in a Markdown file that people can read."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.text import comments

AROUND = st.text(st.sampled_from("ab\n #-<>!:"))


@pytest.mark.parametrize(
    "text",
    [
        "<!-- key: value -->",
        "<!--key:value-->",
        "<!--\tkey : value\t-->",
        "a\n<!-- key: value --> b",
        "<!-- key:\nvalue\n-->",
    ],
)
def test_a_value_is_read_however_the_comment_is_spaced(text):
    assert comments.get(text, "key") == "value"


@pytest.mark.parametrize(
    "text", ["", "key: value", "<!-- keys: value -->", "<!-- a-key: value -->", "<!-- key value -->", "<!-- key: v"]
)
def test_what_is_no_such_comment_has_no_value_and_is_not_changed(text):
    assert comments.get(text, "key") is None
    assert comments.put(text, "key", "new") is None


def test_the_first_of_several_counts():
    text = "<!-- key: 1 -->\n<!-- key: 2 -->\n"

    assert comments.get(text, "key") == "1"
    assert comments.put(text, "key", "new") == "<!-- key: new -->\n<!-- key: 2 -->\n"


def test_a_key_is_no_pattern():
    assert comments.get("<!-- axb: 1 -->", "a.b") is None
    assert comments.get("<!-- a.b: 1 -->", "a.b") == "1"


def test_a_backslash_in_a_value_is_a_backslash():
    assert comments.put("<!-- key: 1 -->", "key", r"\1 \g<0>") == r"<!-- key: \1 \g<0> -->"


@given(before=AROUND, after=AROUND, value=st.text(st.sampled_from("ab ->\n")))
@example(before="", after="", value="-->")
@example(before="", after="", value="--->")
@example(before="", after="", value="---->")
@example(before="", after="", value="a-")
def test_a_value_can_neither_end_its_comment_early_nor_change_what_stands_around(before, after, value):
    text = before.replace("<!--", "") + comments.comment("key", "old") + after

    changed = comments.put(text, "key", value)

    assert changed is not None
    assert changed.endswith(after)
    assert changed.startswith(before.replace("<!--", ""))
    told = comments.get(changed, "key")
    assert told is not None
    assert told.replace(" ", "") == value.strip().replace(" ", "")
