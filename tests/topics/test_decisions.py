"""The log of gate decisions, and the gate's cache."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.files.workspace import Workspace
from koog.topics import decisions
from koog.topics.decisions import Decision
from tests.conftest import examples

NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
LOG = "memory/meta/topic-gate.jsonl"


def opened(root: Path, **given: bool) -> Workspace:
    (root / ".koog").mkdir(exist_ok=True)
    return Workspace(root=root, when=NOW, **given)


def decided(topic: str = "deploy", message: str = "m", **also: object) -> Decision:
    return Decision(NOW, message, topic, True, 0.28, True, engine="llm")._replace(**also)


def lines(root: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (root / LOG).read_text().splitlines()]


def test_a_decision_is_one_line_with_the_fields_of_the_design(tmp_path):
    decisions.record(opened(tmp_path), [decided()])

    assert lines(tmp_path) == [
        {
            "timestamp": "2026-02-28T12:00:00Z",
            "message_hash": "m",
            "topic_name": "deploy",
            "tier1_matched": True,
            "tier2_score": 0.28,
            "gate_result": True,
            "was_useful": None,
            "engine": "llm",
        }
    ]


def test_what_is_read_is_what_was_recorded_oldest_first(tmp_path):
    made = [
        decided(message="a"),
        decided(message="b", gate_result=None, engine=None),
        decided("travel", tier2_score=None),
    ]

    decisions.record(opened(tmp_path), made)

    assert decisions.read(opened(tmp_path)) == made


def test_feedback_is_the_same_line_once_more_and_holds(tmp_path):
    workspace = opened(tmp_path)
    decisions.record(workspace, [decided(), decided("travel")])

    decisions.record(workspace, [decided(was_useful=False)])

    assert len(lines(tmp_path)) == 3
    assert [(d.topic_name, d.was_useful) for d in decisions.read(workspace)] == [("travel", None), ("deploy", False)]


def test_deciding_about_the_same_message_again_forgets_no_feedback(tmp_path):
    workspace = opened(tmp_path)

    decisions.record(workspace, [decided(was_useful=True)])
    decisions.record(workspace, [decided(timestamp=NOW + timedelta(hours=1))])

    assert [d.was_useful for d in decisions.read(workspace)] == [True]


@pytest.mark.parametrize(
    "line",
    [
        b'{"timestamp": "2026-02-28T12:0',
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"timestamp": "soon", "message_hash": "m", "topic_name": "t", "tier1_matched": true, "tier2_score": 0.1, '
        b'"gate_result": true}',
        b'{"timestamp": "2026-02-28T12:00:00Z", "message_hash": "m", "topic_name": "t", "tier1_matched": true, '
        b'"tier2_score": 7, "gate_result": true}',
        b'{"timestamp": "2026-02-28T12:00:00Z", "message_hash": 1, "topic_name": "t", "tier1_matched": true, '
        b'"tier2_score": 0.1, "gate_result": true}',
        b'{"timestamp": "2026-02-28T12:00:00Z", "message_hash": "m", "topic_name": "t", "tier1_matched": true, '
        b'"tier2_score": 0.1, "gate_result": "yes"}',
    ],
)
def test_a_line_that_is_no_decision_is_passed_over(tmp_path, line):
    workspace = opened(tmp_path)
    decisions.record(workspace, [decided(message="a")])
    with (tmp_path / LOG).open("ab") as file:
        file.write(line + b"\n")
    decisions.record(workspace, [decided(message="b")])

    assert [d.message_hash for d in decisions.read(workspace)] == ["a", "b"]


def test_the_last_decision_about_a_topic_is_found_or_that_about_one_message():
    made = [decided(message="a"), decided(message="b"), decided("travel", message="c")]

    assert decisions.latest(made, "deploy", None) == made[1]
    assert decisions.latest(made, "deploy", "a") == made[0]
    assert decisions.latest(made, "deploy", "c") is None


def test_a_log_that_has_become_large_loses_its_older_half(tmp_path):
    workspace = opened(tmp_path)
    many = decisions.LARGE // 200
    decisions.record(workspace, [decided(message=f"m{n}" + "x" * 60) for n in range(many)])

    decisions.record(workspace, [decided(message="last")])

    left = decisions.read(workspace)
    assert decisions.LARGE / 3 < (tmp_path / LOG).stat().st_size < decisions.LARGE
    assert left[-1].message_hash == "last"
    assert left[0].message_hash != "m0" + "x" * 60


def test_a_dry_run_logs_and_keeps_nothing(tmp_path):
    workspace = opened(tmp_path, dry_run=True)

    decisions.record(workspace, [decided()])
    decisions.keep(workspace, {"k": "yes"})

    assert not (tmp_path / LOG).exists()
    assert decisions.cached(opened(tmp_path)) == {}


def test_the_cache_keeps_the_newest_answers(tmp_path):
    workspace = opened(tmp_path)

    decisions.keep(workspace, {f"k{n}": "no" for n in range(decisions.MOST_CACHED + 1)})

    kept = decisions.cached(workspace)
    assert len(kept) == decisions.MOST_CACHED
    assert "k0" not in kept


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"k": 1}', '{"k": "maybe"}'])
def test_a_cache_that_cannot_be_read_is_an_empty_one(tmp_path, text):
    workspace = opened(tmp_path)
    (tmp_path / ".koog" / decisions.CACHE).write_text(text)

    assert decisions.cached(workspace) == {}


def test_a_message_is_told_apart_by_its_first_500_characters():
    assert decisions.message_hash("a" * 500 + "b") == decisions.message_hash("a" * 500 + "c")
    assert decisions.message_hash("a" * 499 + "b") != decisions.message_hash("a" * 499 + "c")


@settings(deadline=None, max_examples=examples(40))
@given(message=st.text(), topic=st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_message_has_a_hash_and_any_topic_a_line(message, topic, tmp_path_factory):
    workspace = opened(tmp_path_factory.mktemp("w"))
    made = decided(topic, decisions.message_hash(message))

    decisions.record(workspace, [made])

    assert decisions.read(workspace) == [made]
