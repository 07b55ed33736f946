"""Which topics are active beyond one message, as their file has it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from koog.core.errors import WorkspaceError
from koog.core.files.workspace import Workspace
from koog.topics import active

NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
LATER = NOW + timedelta(minutes=30)


def in_file(tmp_path: Path, text: str) -> Workspace:
    (tmp_path / "memory/meta").mkdir(parents=True)
    (tmp_path / "memory" / active.NAME).write_text(text)
    return Workspace(root=tmp_path)


def test_nothing_is_active_where_there_is_no_file(tmp_path):
    assert active.current(Workspace(root=tmp_path), NOW) == []


def test_an_activation_by_hand_lasts_and_a_second_one_changes_nothing(tmp_path):
    text = active.by_hand("deploy", now=NOW, until=None)("")

    again = active.by_hand("deploy", now=LATER, until=None)(text)

    assert again == text
    assert json.loads(text) == {
        "version": 1,
        "topics": {"deploy": {"since": "2026-02-28T12:00:00Z", "until": None, "by": "manual"}},
    }
    (found,) = active.current(in_file(tmp_path, text), NOW + timedelta(days=999))
    assert (found.name, found.since, found.until, found.by) == ("deploy", NOW, None, "manual")


def test_what_set_itself_off_ends_at_its_moment(tmp_path):
    text = active.by_itself(["a", "b"], by="output", now=NOW, until=LATER)("")
    workspace = in_file(tmp_path, text)

    assert [a.name for a in active.current(workspace, LATER - timedelta(seconds=1))] == ["a", "b"]
    assert active.current(workspace, LATER) == []


def test_a_second_time_lengthens_and_never_shortens():
    first = active.by_itself(["a"], by="event", now=NOW, until=LATER)("")

    longer = active.by_itself(["a"], by="output", now=NOW, until=LATER + timedelta(minutes=5))(first)
    shorter = active.by_itself(["a"], by="output", now=NOW, until=NOW + timedelta(minutes=1))(longer)

    assert json.loads(longer)["topics"]["a"]["until"] == "2026-02-28T12:35:00Z"
    assert json.loads(longer)["topics"]["a"]["by"] == "event"
    assert shorter == longer


def test_what_a_person_activated_without_an_end_gets_none_from_an_output():
    by_hand = active.by_hand("a", now=NOW, until=None)("")

    assert active.by_itself(["a"], by="output", now=NOW, until=LATER)(by_hand) == by_hand


def test_a_person_can_take_the_end_from_what_an_output_activated():
    by_itself = active.by_itself(["a"], by="output", now=NOW, until=LATER)("")

    (row,) = json.loads(active.by_hand("a", now=NOW, until=None)(by_itself))["topics"].values()

    assert (row["until"], row["by"]) == (None, "manual")


def test_what_has_ended_leaves_the_file_with_the_next_change():
    text = active.by_itself(["old"], by="event", now=NOW, until=LATER)("")

    text = active.by_hand("new", now=LATER, until=None)(text)

    assert list(json.loads(text)["topics"]) == ["new"]


def test_ending_what_is_not_active_changes_nothing():
    text = active.by_hand("a", now=NOW, until=None)("")

    assert active.ended("b", now=NOW)(text) == text
    assert json.loads(active.ended("a", now=NOW)(text))["topics"] == {}


@pytest.mark.parametrize("text", ["", "null", "[]", '{"topics": []}', '{"topics": {"a": 1, "b": {"since": "x"}}}'])
def test_what_says_no_moment_is_not_active(tmp_path, text):
    assert active.current(in_file(tmp_path, text), NOW) == []


def test_an_end_that_is_no_moment_is_no_activation_without_an_end(tmp_path):
    text = '{"topics": {"a": {"since": "2026-02-28T12:00:00Z", "until": "soon"}}}'

    assert active.current(in_file(tmp_path, text), NOW) == []


def test_a_torn_file_is_an_error_that_says_how_to_get_it_back(tmp_path):
    with pytest.raises(WorkspaceError, match=r"active-topics\.json") as raised:
        active.current(in_file(tmp_path, '{"topics": {'), NOW)

    assert raised.value.hint == "git checkout -- memory/meta/active-topics.json"
