"""Files in sections: what a person wrote stays, byte for byte, whatever is added."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.errors import WorkspaceError
from koog.memory.store import sections
from koog.memory.store.sections import Sections

ORDER = ("Identity", "Active Context", "Persona", "Critical Facts")
ROWS = st.sampled_from(
    [
        "",
        "# MEMORY.md",
        "## Identity",
        "## Persona",
        "## persona ##",
        "## My own",
        "### below",
        "- Name: Ana",
        "  - deeper",
        "  - said elsewhere <!-- dc:project=/srv/app -->",
        "  goes on",
        "* another mark",
        "1. numbered",
        "| a | b |",
        "```",
        "~~~",
        "    indented",
        "<!-- a comment -->",
        "<!-- one that",
        "goes on -->",
        "plain words",
        "> quoted",
        "tail\r",
    ]
)
TEXTS = st.lists(ROWS, max_size=25).map("\n".join)


def rows_in_order(rows: list[str], text: str) -> bool:
    """Return whether all rows stand in a text, one behind the other."""
    left = iter(text.split("\n"))
    return all(row in left for row in rows)


@given(text=TEXTS, title=st.sampled_from([*ORDER, "My own"]))
def test_a_line_more_leaves_every_other_where_it_was(text, title):
    before = Sections(text, "M.md")
    try:
        made = before.with_item(title, "something new")
    except WorkspaceError:
        assert "`" in text or "~" in text or "<!--" in text  # something above is open
        return

    after = Sections(made, "M.md")
    assert rows_in_order(text.split("\n") if text else [], made)
    assert [i.text for i in after.items(title)] == [*(i.text for i in before.items(title)), "something new"]
    added = len(made.split("\n")) - len(text.split("\n"))
    assert 1 <= added <= 5


@given(text=TEXTS)
def test_a_line_that_is_added_and_taken_out_leaves_the_lines_as_they_were(text):
    try:
        made = Sections(Sections(text, "M.md").with_item("Persona", "x"), "M.md")
    except WorkspaceError:
        return
    (*_, item) = made.items("Persona")

    left = made.without(item)

    assert [row for row in left.split("\n") if row.strip() and row != "## Persona"] == [
        row for row in text.split("\n") if row.strip() and row != "## Persona"
    ]


@given(text=TEXTS)
def test_a_mark_in_a_line_touches_no_other_row(text):
    found = Sections(text, "M.md")
    for section in found.sections:
        for item in found.items_of(section):
            made = found.marked(item, to="2026-03-04", by="fact:person--x:0a1b2c3d").split("\n")
            rows = text.split("\n")
            assert made[: item.row] == rows[: item.row]
            assert made[item.row + 1 :] == rows[item.row + 1 :]
            assert "dc:to=2026-03-04" in made[item.row]


@given(rows=st.lists(ROWS, max_size=15), cut=st.tuples(*[st.integers(0, 15)] * 2), put=st.lists(ROWS, max_size=3))
@example(rows=["## Identity", "- Name: Ana", "```", "# MEMORY.md"], cut=(2, 2), put=["~~~"])
@example(rows=["- Name: Ana", "", "    indented", "- Name: Ana"], cut=(0, 1), put=["plain words"])
def test_a_file_that_has_changed_is_read_as_if_it_had_never_been_read(rows, cut, put):
    first, last = sorted(cut)
    text = "\n".join([*rows[:first], *put, *rows[last:]])

    before = Sections("\n".join(rows), "M.md")
    assert len(before.entries) <= len(rows)  # they are read, and so carried along
    read_on = Sections(text, "M.md", before=before)

    anew = Sections(text, "M.md")
    assert (read_on.title, read_on.sections, read_on.entries) == (anew.title, anew.sections, anew.entries)
    items = [[list(each.items_of(section)) for section in each.sections] for each in (read_on, anew)]
    assert items[0] == items[1]


def test_of_a_file_that_has_grown_the_bullets_are_those_that_were_read():
    text = (
        "---\nupdated: 2026-02-16\n---\n# T\n\n## A\n" + "".join(f"- line {n}\n" for n in range(200)) + "\n## B\n- b\n"
    )
    before = Sections(text, "M.md")
    was = before.entries

    now = Sections(text.replace("02-16", "02-17"), "M.md", before=before)
    more = Sections(now.with_item("A", "new"), "M.md", before=now)

    assert now.entries == was and all(a is b for a, b in zip(now.entries, was, strict=True))
    assert [each.text for each in more.entries] == [*(f"line {n}" for n in range(200)), "new", "b"]
    assert all(a is b for a, b in zip(more.entries[:198], was[:198], strict=True))


def test_headings_in_fences_and_comments_are_none():
    text = "# T\n\n## A\n```\n## B\n```\n<!--\n## C\n-->\n- one\n\n## D\n- two\n"
    found = Sections(text, "M.md")

    assert ([s.title for s in found.sections], found.title) == (["A", "D"], "T")
    assert [item.text for item in found.items("a")] == ["one"]


def test_a_section_that_is_missing_is_made_where_it_belongs():
    text = "# T\n\n## Identity\n- a\n\n## Persona\n- b\n"

    made = Sections(text, "M.md").with_item("Active Context", "c", order=ORDER)

    assert made == "# T\n\n## Identity\n- a\n\n## Active Context\n- c\n\n## Persona\n- b\n"
    assert Sections("", "M.md").with_item("Persona", "x", order=ORDER) == "## Persona\n- x\n"


@pytest.mark.parametrize("opening", ["```", "~~~", "<!--"])
def test_nothing_is_hidden_below_something_that_is_open(opening):
    text = f"## Identity\n- a\n{opening}\nof a person's hand\n"
    if opening == "<!--":  # nothing closes it, so it hides nothing
        assert "- x" in Sections(text, "M.md").with_item("Identity", "x")
        return

    with pytest.raises(WorkspaceError) as error:
        Sections(text, "M.md").with_item("Identity", "x")

    assert error.value.message.startswith("M.md:4: ")


@given(st.text("#", min_size=1, max_size=4), st.sampled_from(" \t"), st.text("# \tab", max_size=9))
def test_the_words_of_a_heading_are_without_its_marks(marks, blank, words):
    row = f"{marks}{blank}{words}a{blank}{words}"
    plain = re.fullmatch(r"(#{1,2})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*", row)

    assert sections._heading(row) == (plain and (plain[1] == "#", plain[2]))
