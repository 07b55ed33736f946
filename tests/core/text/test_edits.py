"""Operations on numbered lines: anchored to the text, done once, merges first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.text import edits
from koog.core.text.edits import Edit, Edits
from tests.conftest import examples

COUNTS = {"merge": (2, 9), "remove": (1, 9), "rewrite": (1, 1), "add": (0, 0), "link": (2, 2)}
ROWS = ["one", "two", "", "two", "three"]


def anchored(*raw, rows=ROWS):
    return edits.anchor(raw, rows, kind=Edit, counts=COUNTS, what="line")


def do(*raw, now=None):
    """Do what was asked of ROWS on what stands there now; return the lines and the refusals."""
    lines = Edits.of((row, row) for row in (ROWS if now is None else now))
    laws = {
        "merge": lambda edit, found: lines.join(edit, found, found[0], edit.text or found[0].now),
        "remove": lambda edit, found: [lines.drop(edit, slot) for slot in found],
        "rewrite": lambda edit, found: lines.put(edit, found[0], edit.text),
        "link": lambda edit, found: [lines.put(slot.by or edit, slot, slot.now + "!") for slot in found],
        "add": lambda edit, _: lines.insert(edit, 1, [edit.text]),
    }
    found, refused = anchored(*raw)
    lines.apply(found, laws)
    return lines.now, [why for _, why in refused + lines.refused]


def ask(op, *lines, text=None, newer=None):
    return {"op": op, "lines": list(lines), "text": text, "newer": newer, "reason": " a\n b "}


@pytest.mark.parametrize(
    "raw",
    [ask("remove"), ask("remove", 0), ask("remove", 6), ask("remove", 3), ask("merge", 1), ask("merge", 1, 1),
     ask("rewrite", 1, 2), ask("remove", 1, newer=1), ask("remove", 1, newer=9)],
)  # fmt: skip
def test_what_names_no_line_or_another_number_of_them_is_refused(raw):
    assert anchored(raw)[0] == []
    assert anchored(raw)[1][0].reason == f"{raw['op']}: no such line"


def test_an_operation_carries_the_text_of_its_lines_and_its_reason_in_one_line():
    assert anchored(ask("remove", 1, newer=5))[0] == [Edit("remove", ("one",), "a b", "three")]
    assert anchored(ask("add", 4, text="new"))[0] == [Edit("add", (), "a b", None, "new")]


@pytest.mark.parametrize("order", [1, -1])
def test_what_names_a_joined_line_means_what_it_was_joined_into(order):
    assert do(*[ask("remove", 1, newer=5), ask("merge", 1, 2)][::order])[0] == ["", "two", "three"]
    assert do(*[ask("remove", 1), ask("merge", 1, 2)][::order])[0] == ["one", "", "two", "three"]
    assert do(*[ask("link", 1, 5), ask("merge", 1, 2)][::order])[0] == ["one!", "", "two", "three!"]
    assert do(ask("merge", 1, 2), ask("merge", 2, 5))[0] == ["one", "", "two"]


def test_equal_lines_have_places_of_their_own():
    assert do(ask("remove", 2), ask("remove", 4))[0] == ["one", "", "three"]
    assert do(ask("merge", 2, 4))[0] == ["one", "two", "", "three"]
    assert do(ask("merge", 2, 4), now=["two"]) == (["two"], ["merge: the line changed meanwhile"])


def test_a_line_that_changed_or_was_touched_is_not_touched_again():
    assert do(ask("rewrite", 1, text="1"), ask("remove", 1)) == (
        ["1", "two", "", "two", "three"],
        ["remove: the line changed meanwhile"],
    )
    assert do(ask("remove", 1), now=["One"]) == (["One"], ["remove: the line changed meanwhile"])


def test_a_line_is_added_before_the_one_at_that_place_whatever_has_gone():
    assert do(ask("remove", 1), ask("add", text="new"))[0] == ["two", "new", "", "two", "three"]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ([ask("remove", 1, 2)], ""),
        ([ask("remove", 1, 2, 5)], "the answer would leave 6 words of 15: under 50%"),
        ([ask("rewrite", 1, text="much too long")], ""),
        ([ask("rewrite", 1, text="a b c d e f g")], "the answer would leave 19 words of 15: more than there were"),
        ([ask("merge", 1, 2), ask("remove", 1)], ""),
    ],
)
def test_what_an_answer_takes_and_brings_is_counted_before_it_is_done(raw, why):
    rows = [f"{row} x y" if row else "" for row in ROWS]
    rows[3] = "four x y"
    found, _ = anchored(*raw, rows=[*rows, "six x y"])

    assert edits.loss(found, [*rows, "six x y"], size=lambda row: len(row.split()), least=0.5) == why


RAW = st.fixed_dictionaries(
    {
        "op": st.sampled_from(list(COUNTS)),
        "lines": st.lists(st.integers(0, 7), max_size=4),
        "newer": st.none() | st.integers(1, 7),
        "text": st.sampled_from(["x", "y"]),
    }
)


@settings(deadline=None, max_examples=examples(200))
@given(st.lists(RAW, max_size=6), st.lists(st.sampled_from([*ROWS, "mine"]), max_size=8))
def test_whatever_is_asked_nobodys_other_lines_are_touched(raw, now):
    done, _ = do(*raw, now=now)

    assert [row for row in done if row in ("", "mine")] == [row for row in now if row in ("", "mine")]
