"""koog.core.git.titles: a commit's title says what git shows."""

from __future__ import annotations

import pytest

from koog.core.files.record import Change
from koog.core.git.titles import once, verbs


@pytest.mark.parametrize(
    ("action", "kind", "true"),
    [
        ("EDIT", "A", "CREATE"),
        ("APPEND", "A", "CREATE"),
        ("CREATE", "M", "EDIT"),
        ("DELETE", "M", "EDIT"),
        ("APPEND", "M", "APPEND"),
        ("DECAY", "M", "DECAY"),
        ("EDIT", "D", "DELETE"),
        ("CREATE", "D", "DELETE"),
    ],
)
def test_a_verb_is_true(action, kind, true):
    assert [c.action for c in verbs([Change(action, "a", "x")], {"a": kind})] == [true]


def test_a_move_is_one_where_both_sides_show_it_and_else_two_changes():
    move = Change("RENAME", "a", "moved", "b")

    assert verbs([move], {"a": "D", "b": "A"}) == [move]
    assert [(c.action, c.path) for c in verbs([move], {"b": "A"})] == [("CREATE", "b")]
    assert [(c.action, c.path) for c in verbs([move], {"a": "D", "b": "M"})] == [("DELETE", "a"), ("EDIT", "b")]


def test_what_stayed_out_is_not_told():
    changes = [Change("EDIT", "secret", "x"), Change("EDIT", "open", "y")]

    assert [c.path for c in verbs(changes, {"open": "M", "log": "M"})] == ["open"]
    assert [(c.action, c.path, c.summary) for c in verbs(changes[:1], {"log": "M"})] == [("APPEND", "log", "x")]


def test_appended_and_edited_is_edited():
    told = once(
        [
            Change("APPEND", "a", "one"),
            Change("EDIT", "a", "two"),
            Change("APPEND", "b", "x"),
            Change("APPEND", "b", "y"),
        ]
    )

    assert [(c.action, c.summary) for c in told] == [("EDIT", "one; two"), ("APPEND", "x; y")]
