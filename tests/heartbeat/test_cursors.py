"""memory/meta/cursors.json: read whatever stands there, keep what others wrote."""

from __future__ import annotations

import pytest

from koog.core.errors import WorkspaceError
from koog.heartbeat import cursors

FRESH = {"version": 1, "mine": {"files": {}, "pending": []}, "curate": {"counted": []}}


@pytest.mark.parametrize("text", [None, "", "  \n", "{}", "null", "[]", '{"mine": null, "curate": 3}'])
def test_without_cursors_there_are_fresh_ones(text):
    assert cursors.parse(text) == FRESH


def test_what_was_written_is_read_again():
    value = {
        "version": 1,
        "mine": {"files": {"memory/a.md": {"bytes": 3, "sha256": "x"}}, "pending": [{"newPatterns": ["a"]}]},
        "curate": {"counted": ["t"]},
    }

    assert cursors.parse(cursors.render(value)) == value


def test_keys_that_other_commands_keep_there_stay():
    value = cursors.parse('{"observe": {"a": 1}, "mine": {"later": 2}}')

    assert value["observe"] == {"a": 1}
    assert value["mine"]["later"] == 2


def test_a_file_that_is_no_json_is_named_with_the_way_to_get_it_back():
    with pytest.raises(WorkspaceError, match=r"meta/cursors\.json") as caught:
        cursors.parse('{"mine": ')

    assert caught.value.hint == "git checkout -- memory/meta/cursors.json"


@pytest.mark.parametrize(
    "text",
    [
        '{"mine": {"files": "abc"}}',
        '{"mine": {"files": [1]}}',
        '{"mine": {"pending": 7}}',
        '{"mine": {"pending": ["text", null]}}',
        '{"curate": {"counted": 7}}',
    ],
)
def test_a_part_of_another_shape_counts_as_empty(text):
    assert cursors.parse(text) == FRESH


def test_what_is_no_cursor_no_tick_id_and_too_deep_is_passed_over_or_named():
    value = cursors.parse(
        '{"mine": {"files": {"a": 5, "b": [1], "c": {"bytes": 3}}}, "curate": {"counted": [[1], {}, "t"]}}'
    )

    assert value["mine"]["files"] == {"c": {"bytes": 3}}
    assert value["curate"]["counted"] == ["t"]
    with pytest.raises(WorkspaceError, match="levels"):
        cursors.parse('{"later":' + "[" * 400 + "]" * 400 + "}")
