"""sinain-playbook.md: taken apart and put together again byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.playbook import document
from koog.playbook.document import Document

BLOCKS = st.lists(
    st.sampled_from(
        [
            "<!-- a: 1 -->",
            "<!-- over\nlines -->",
            "- a bullet",
            "## Head",
            "",
            "  ",
            "prose",
            "<!--",
            "-->",
            "\t<!-- b --> ",
        ]
    )
    | st.text(max_size=8),
    max_size=9,
).flatmap(lambda lines: st.sampled_from(["\n".join(lines), "\n".join(lines) + "\n"]))


@given(st.text() | BLOCKS)
@example("")
@example("\n")
@example("- a")
@example("<!-- a -->")
@example("- a\n<!-- b -->")
@example("a\u2028b\x85c\r\nd")
def test_the_parts_of_any_text_joined_are_the_text(text):
    assert document.parse(text).render() == text


@given(st.text() | BLOCKS)
def test_the_body_neither_begins_nor_ends_with_a_blank_or_a_comment_line(text):
    body = document.parse(text).body

    assert not body or (body[0].strip(" \t") and body[-1].strip(" \t"))
    assert all("\n" not in line for line in body)


BULLET = st.text(alphabet=st.characters(exclude_characters="\n<->"), min_size=1, max_size=9).map(lambda t: f"- {t}.")


@given(st.text() | BLOCKS, st.lists(BULLET, min_size=1, max_size=4).map(tuple))
def test_another_body_leaves_what_stands_around_it(text, body):
    old = document.parse(text)

    new = old.with_body(body).render()

    again = document.parse(new)
    assert new.startswith(old.header)
    assert new.endswith(old.footer)
    assert again.body == body


TEXT = """<!-- mining-index: 2026-02-17,2026-02-16 -->
<!-- over
two lines -->

# Playbook

- a <!-- from: x:1 -->
<!-- inside -->
- b

<!-- effectiveness: outputs=8 -->

"""


def test_comments_and_blanks_at_either_end_are_no_body():
    found = document.parse(TEXT)

    assert found.header == "<!-- mining-index: 2026-02-17,2026-02-16 -->\n<!-- over\ntwo lines -->\n\n"
    assert found.body == ("# Playbook", "", "- a <!-- from: x:1 -->", "<!-- inside -->", "- b")
    assert found.footer == "\n<!-- effectiveness: outputs=8 -->\n\n"


def test_a_body_without_a_last_line_end_keeps_it_so():
    assert document.parse("- a\n- b").with_body(("- a",)).render() == "- a"


def test_a_header_without_a_line_end_gets_one_before_a_body():
    assert document.parse("<!-- a -->").with_body(("- b",)).render() == "<!-- a -->\n- b\n"


def test_an_emptied_body_leaves_header_and_footer():
    assert document.parse("<!-- a -->\n- b\n<!-- c -->\n").with_body(()).render() == "<!-- a -->\n<!-- c -->\n"


@pytest.mark.parametrize(
    ("text", "at_end", "changed"),
    [
        ("<!-- k: 1 -->\n- a\n", True, "<!-- k: 2 -->\n- a\n"),
        ("- a\n<!--k:1-->\n- b\n", True, "- a\n<!-- k: 2 -->\n- b\n"),
        ("- a\n", True, "- a\n<!-- k: 2 -->\n"),
        ("- a", True, "- a\n<!-- k: 2 -->\n"),
        ("- a\n", False, "<!-- k: 2 -->\n- a\n"),
        ("", True, "<!-- k: 2 -->\n"),
    ],
)
def test_a_comment_is_set_where_it_stands_or_added_at_its_end(text, at_end, changed):
    assert document.set_comment(text, "k", "2", at_end=at_end) == changed


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (TEXT, ["2026-02-17", "2026-02-16"]),
        ("<!-- mining-index:  -->", []),
        ("<!-- mining-index: x, 2026-02-17 ,2026 -->", ["2026-02-17"]),
        ("no comment", []),
    ],
)
def test_the_mining_index_is_the_dates_of_its_comment(text, days):
    assert document.mining_index(text) == days


@pytest.mark.parametrize(("body", "lines"), [((), 0), (("# a", "", "  ", "- b", "\t"), 2), (("a",) * 51, 51)])
def test_blank_lines_do_not_count_towards_the_limit(body, lines):
    assert document.content_lines(body) == lines


def test_the_empty_playbook_has_the_four_sections_and_both_comments():
    found = document.parse(document.EMPTY)

    assert [line[3:] for line in found.body if line.startswith("## ")] == [
        "Established",
        "Patterns",
        "Preferences",
        "Observing",
    ]
    assert document.mining_index(found.header) == []
    assert "effectiveness:" in found.footer
    assert Document(found.header, found.body, found.footer).render() == document.EMPTY
