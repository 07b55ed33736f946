"""koog topic list, activate, deactivate, stats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import git
from tests.topics.topic_files import DEPLOY, put, topic_file

NOW, LATER = "2026-02-28T12:00:00Z", "2026-02-28T12:31:00Z"
FILE = "memory/meta/active-topics.json"
LOG = "memory/meta/topic-gate.jsonl"


@pytest.fixture
def topics(workspace: Path) -> Path:
    put(
        workspace,
        "deployment",
        topic_file(**DEPLOY, subscriptions="[knowledge/procedures/deploy.md, knowledge/gone.md]"),
    )
    put(workspace, "travel", topic_file(triggers=['{type: pattern, match: "flight"}'], priority="low"))
    (workspace / "knowledge/procedures").mkdir(parents=True)
    (workspace / "knowledge/procedures/deploy.md").write_text("# Deploy\n")
    return workspace


def decide(workspace: Path, topic: str, score: float, **also: object) -> None:
    """Append a decision to the log, as another day's check has left it."""
    path = workspace / LOG
    path.parent.mkdir(parents=True, exist_ok=True)
    row = {
        "timestamp": "2026-02-27T08:00:00Z",
        "message_hash": f"{topic}{score}",
        "topic_name": topic,
        "tier1_matched": True,
        "tier2_score": score,
        "gate_result": None,
        "was_useful": None,
        "engine": None,
    }
    with path.open("a") as file:
        file.write(json.dumps({**row, **also}) + "\n")


# --- list


def test_a_workspace_without_topics_has_an_empty_list(koog):
    code, line = koog("topic", "list")

    assert (code, line["topics"], line["total"], line["next"], line["problems"]) == (0, [], 0, None, [])


def test_a_topic_is_listed_with_what_it_subscribes_to_and_what_of_that_is_missing(koog, topics):
    _, line = koog("topic", "list")

    assert line["topics"][0] == {
        "name": "deployment",
        "path": "topics/deployment.md",
        "description": "Deploying the service to production and rolling back.",
        "priority": "medium",
        "activation": "gated",
        "triggers": 1,
        "subscriptions": ["knowledge/procedures/deploy.md", "knowledge/gone.md"],
        "missing": ["knowledge/gone.md"],
        "active": False,
        "until": None,
        "by": None,
    }
    assert [row["name"] for row in line["topics"]] == ["deployment", "travel"]


def test_a_broken_topic_is_a_problem_by_file_and_line_and_the_others_are_listed(koog, topics):
    put(topics, "broken", "---\ntype: topic\ntriggers:\n  - type: pattern\npriority: sometimes\n---\n\n# Broken\n")

    code, line = koog("topic", "list")

    assert (code, line["total"]) == (0, 2)
    assert {p["file"] for p in line["problems"]} == {"topics/broken.md"}
    assert 5 in [p["line"] for p in line["problems"]]


def test_a_thousand_topics_are_listed_page_by_page_in_short_lines(koog, workspace):
    for n in range(1000):
        put(workspace, f"topic-{n:04}", topic_file(triggers=["{type: mention, match: someone}"], description="d" * 300))

    _, first = koog("topic", "list", "--limit", "100")
    _, second = koog("topic", "list", "--limit", "5", "--offset", str(first["next"]))

    assert len(json.dumps(first)) < 10_000
    assert (first["total"], first["_meta"]["truncated"], len(second["topics"])) == (1000, True, 5)
    rows = [row["name"] for row in first["topics"] + second["topics"]]
    assert rows == [f"topic-{n:04}" for n in range(len(rows))]


# --- activate, deactivate


def test_activating_lasts_and_is_one_commit(koog, topics):
    code, line = koog("--now", NOW, "topic", "activate", "deployment")
    _, listed = koog("--now", "2027-01-01T00:00:00Z", "topic", "list")

    assert (code, line["changed"], line["until"]) == (0, True, None)
    assert line["active"] == [{"name": "deployment", "since": NOW, "until": None, "by": "manual"}]
    assert (listed["topics"][0]["active"], listed["topics"][0]["by"]) == (True, "manual")
    assert git(topics, "log", "-1", "--format=%s") == f"[CREATE] {FILE} — activated topic deployment without an end"


def test_activating_again_changes_nothing(koog, topics):
    koog("--now", NOW, "topic", "activate", "deployment")

    code, line = koog("--now", LATER, "topic", "activate", "deployment")

    assert (code, line["changed"]) == (0, False)


def test_an_activation_for_minutes_ends(koog, topics):
    _, line = koog("--now", NOW, "topic", "activate", "travel", "--minutes", "30")
    _, listed = koog("--now", LATER, "topic", "list")

    assert line["until"] == "2026-02-28T12:30:00Z"
    assert listed["topics"][1]["active"] is False


def test_an_unknown_topic_is_not_found_with_the_nearest_name(koog, topics):
    code, line = koog("topic", "activate", "deploymnt")

    assert (code, line["error"]["code"]) == (4, "not_found")
    assert "deployment" in f"{line['error']['message']} {line['error']['hint']}"
    assert not (topics / FILE).exists()


def test_deactivating_takes_it_out_and_again_changes_nothing(koog, topics):
    koog("--now", NOW, "topic", "activate", "deployment")

    _, first = koog("--now", NOW, "topic", "deactivate", "deployment")
    code, second = koog("--now", NOW, "topic", "deactivate", "deployment")

    assert (first["changed"], first["active"]) == (True, [])
    assert (code, second["changed"]) == (0, False)


def test_an_active_topic_whose_file_is_gone_can_be_deactivated(koog, topics):
    koog("topic", "activate", "travel")
    (topics / "topics/travel.md").unlink()

    code, line = koog("topic", "deactivate", "travel")
    unknown, _ = koog("topic", "deactivate", "travel")

    assert (code, line["changed"]) == (0, True)
    assert unknown == 4


def test_a_dry_run_activates_nothing(koog, topics):
    code, line = koog("--dry-run", "topic", "activate", "deployment")

    assert (code, line["changed"], line["active"][0]["name"]) == (0, True, "deployment")
    assert not (topics / FILE).exists()


# --- stats


def test_a_topic_that_nothing_was_decided_about_has_zeros(koog, topics):
    _, line = koog("topic", "stats")

    assert (line["decisions"], line["total"]) == (0, 2)
    assert line["topics"][0] == {
        "name": "deployment",
        "threshold": 0.2,
        "decisions": 0,
        "fired": 0,
        "dropped": 0,
        "gateYes": 0,
        "gateNo": 0,
        "useful": 0,
        "useless": 0,
        "precision": None,
        "proposals": [],
    }


def test_the_log_is_counted_and_a_better_threshold_proposed_but_not_applied(koog, topics):
    for score in (0.2, 0.22, 0.24, 0.26):
        decide(topics, "deployment", score, gate_result=True, was_useful=False, engine="llm")
    for score in (0.4, 0.5, 0.6, 0.7):
        decide(topics, "deployment", score, gate_result=True, was_useful=True, engine="llm")
    before = (topics / "topics/deployment.md").read_text()

    code, line = koog("topic", "stats")

    row = line["topics"][0]
    assert (code, row["fired"], row["useful"], row["useless"], row["precision"]) == (0, 8, 4, 4, 0.5)
    assert [(p["key"], p["now"], p["then"]) for p in row["proposals"]] == [("similarity_threshold", None, 0.33)]
    assert (topics / "topics/deployment.md").read_text() == before


def test_a_topic_that_is_gone_has_its_counts_and_no_proposal(koog, topics):
    for n in range(8):
        decide(topics, "gone", 0.3 + n / 100, gate_result=False, engine="llm")

    _, line = koog("topic", "stats")

    assert (line["topics"][0]["name"], line["topics"][0]["gateNo"]) == ("gone", 8)
    assert (line["topics"][0]["threshold"], line["topics"][0]["proposals"]) == (None, [])


def test_the_stats_of_a_thousand_topics_are_a_short_line_with_a_next(koog, topics):
    for n in range(1000):
        decide(topics, f"gone-{n:04}", 0.3, gate_result=False)

    _, line = koog("topic", "stats", "--limit", "1000")

    assert len(json.dumps(line)) < 10_000
    assert (line["total"], line["next"]) == (1002, len(line["topics"]))
