"""koog topic check: the three tiers from outside, outputs, events and feedback.  [autopoiesis §4, §5]"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git, process
from tests.core.test_frugal_imports import imported
from tests.topics.topic_files import DEPLOY, put, topic_file

NOW, SOON, LATER = "2026-02-28T12:00:00Z", "2026-02-28T12:29:00Z", "2026-02-28T12:31:00Z"
MESSAGE = "Deploy version 2.3 to production and watch the error rate in staging"
ACTIVE, LOG = "memory/meta/active-topics.json", "memory/meta/topic-gate.jsonl"
PYTHON = {
    "triggers": ['{type: pattern, match: "print [a-z]", scope: output, correction_hint: "Use Python 3: print(x)"}'],
    "body": "# Python 3\n\nWrite Python 3 only.\n",
}
EMAIL = {
    "triggers": ["{type: webhook, source: email, event: new_message}", '{type: cron, schedule: "0 8 * * *"}'],
    "body": "# Email triage\n\nSort new mail.\n",
}


def reasons(line: dict[str, Any]) -> dict[str, str]:
    return {row["name"]: row["reason"] for row in line["topics"]}


def check(koog: Any, *argv: str, now: str = NOW) -> dict[str, Any]:
    code, line = koog("--now", now, "topic", "check", *argv)
    assert code == 0, line
    return line


# --- a message


def test_a_topic_without_its_words_in_the_message_stays_quiet(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY))

    line = check(koog, "--text", "What is for lunch?")

    assert line["topics"] == [
        {
            "name": "deployment",
            "priority": "medium",
            "activation": "gated",
            "tier1": {"matched": False, "triggers": ["pattern: not in the text"]},
            "tier2": {"score": None, "threshold": 0.2, "method": None},
            "tier3": None,
            "active": False,
            "reason": "no-pattern",
        }
    ]
    assert (line["active"], line["messageHash"]) == ([], None)
    assert not (workspace / LOG).exists()


def test_a_topic_that_fires_says_what_matched_and_how_like_it_is(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY, activation="auto"))

    line = check(koog, "--text", MESSAGE)

    (row,) = line["topics"]
    assert (row["reason"], row["active"], row["tier3"]) == ("auto", True, None)
    assert row["tier1"] == {"matched": True, "triggers": ["pattern: found 'Deploy'"]}
    assert row["tier2"]["method"] == "tfidf"
    assert 0.15 <= row["tier2"]["score"] <= 1
    assert line["active"] == ["deployment"]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"activation": "auto", "similarity_threshold": 0.99}, "below-threshold"),
        ({"activation": "auto", "priority": "critical", "similarity_threshold": 0.99}, "critical"),
        ({"activation": "manual"}, "manual-only"),
        ({"activation": "manual", "priority": "critical"}, "manual-only"),
        ({"priority": "critical"}, "critical"),
        ({"priority": "high"}, "high-confidence"),
        ({"priority": "high", "similarity_threshold": 0.99}, "below-threshold"),
        ({"priority": "medium"}, "gate-yes"),
        ({"priority": "low"}, "gate-yes"),
    ],
    ids=str,
)
def test_activation_and_priority_decide_whether_the_gate_is_needed(koog, workspace, keys, reason):
    put(workspace, "deployment", topic_file(**DEPLOY, **keys))

    line = check(koog, "--text", MESSAGE)

    assert reasons(line) == {"deployment": reason}


@pytest.mark.parametrize(
    ("priority", "reason"), [("critical", "critical"), ("high", "gate-no"), ("medium", "dropped"), ("low", "dropped")]
)
def test_a_word_in_passing_activates_only_what_is_critical(koog, workspace, priority, reason):
    pattern = ['{type: pattern, match: "deploy|parachute"}']
    put(workspace, "deployment", topic_file(**{**DEPLOY, "triggers": pattern, "priority": priority}))

    line = check(koog, "--text", "By the way, my cousin was making parachutes for a living")

    assert reasons(line) == {"deployment": reason}


def test_what_is_active_already_needs_no_reason_and_asks_nobody(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY, activation="manual"))
    koog("--now", NOW, "topic", "activate", "deployment")

    line = check(koog, "--text", "What is for lunch?")

    assert reasons(line) == {"deployment": "already-active"}
    assert line["active"] == ["deployment"]


def test_a_message_activates_nothing_beyond_itself(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY, activation="auto"))

    check(koog, "--text", MESSAGE)

    assert reasons(check(koog, "--text", "What is for lunch?")) == {"deployment": "no-pattern"}
    assert not (workspace / ACTIVE).exists()


def test_without_the_gate_only_its_earlier_answers_count(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY))

    before = check(koog, "--text", MESSAGE, "--no-gate")
    check(koog, "--text", MESSAGE)
    after = check(koog, "--text", MESSAGE, "--no-gate")

    assert (reasons(before), reasons(after)) == ({"deployment": "not-asked"}, {"deployment": "gate-yes"})


def test_a_log_that_cannot_be_written_is_a_warning(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY))
    (workspace / LOG).mkdir(parents=True)

    line = check(koog, "--text", MESSAGE)

    assert line["active"] == ["deployment"]
    assert any("not logged" in warning for warning in line["_meta"]["warnings"])


def test_the_most_important_comes_first(koog, workspace):
    for name, priority in (("a", "low"), ("b", "critical"), ("c", "high"), ("d", "medium")):
        put(workspace, name, topic_file(**DEPLOY, priority=priority))

    line = check(koog, "--text", MESSAGE)

    assert line["active"] == ["b", "c", "d", "a"]


def test_a_broken_topic_is_a_problem_and_the_others_are_decided(koog, workspace):
    put(workspace, "deployment", topic_file(**DEPLOY))
    put(workspace, "broken", "---\ntriggers: [\n---\n")

    line = check(koog, "--text", MESSAGE)

    assert reasons(line) == {"deployment": "gate-yes"}
    assert [p["file"] for p in line["problems"]] == ["topics/broken.md"]


@pytest.mark.parametrize("text", ["", " ", "\n", "\x00", "'\"; DROP TABLE", "🙂" * 1000, "\u202e\ufeff"])
def test_any_text_is_a_message(koog, workspace, text):
    put(workspace, "deployment", topic_file(**DEPLOY))

    assert reasons(check(koog, "--text", text)) == {"deployment": "no-pattern"}


def test_a_message_comes_by_standard_input_too(workspace):
    put(workspace, "deployment", topic_file(**DEPLOY, activation="auto"))

    done = process("topic", "check", "--text", "-", cwd=workspace, stdin=MESSAGE)

    assert json.loads(done.stdout)["active"] == ["deployment"]


def test_a_thousand_topics_of_which_all_fire_are_a_short_line(koog, workspace):
    for n in range(1000):
        put(workspace, f"topic-{n:04}-{'x' * 60}", topic_file(**DEPLOY, activation="auto"))

    line = check(koog, "--text", MESSAGE)

    assert len(json.dumps(line)) < 10_000
    assert (line["considered"], line["listed"]) == (1000, len(line["topics"]))
    assert sum(line["reasons"].values()) == 1000
    assert line["_meta"]["truncated"] is True


def test_of_many_topics_only_those_that_fired_are_listed(koog, workspace):
    for n in range(30):
        put(workspace, f"quiet-{n}", topic_file(triggers=["{type: pattern, match: nowhere}"]))
    put(workspace, "deployment", topic_file(**DEPLOY))

    line = check(koog, "--text", MESSAGE)

    assert reasons(line) == {"deployment": "gate-yes"}
    assert (line["considered"], line["listed"], line["reasons"]["no-pattern"]) == (31, 1, 30)
    assert "truncated" not in line["_meta"]


def test_a_message_that_ends_at_tier_1_imports_nothing_of_the_others(workspace):
    put(workspace, "deployment", topic_file(**DEPLOY))

    modules = imported("topic", "check", "--text", "What is for lunch?", cwd=workspace)

    assert not modules & {"koog.topics.likeness", "koog.topics.gate", "koog.core.ask", "hashlib"}


def test_a_check_without_a_model_imports_none_of_its_side(workspace):
    put(workspace, "deployment", topic_file(**DEPLOY))

    modules = imported("topic", "check", "--text", MESSAGE, cwd=workspace)

    assert not modules & {
        "requests",
        "koog.core.model.client",
        "koog.core.model.engine",
        "numpy",
        "apsw",
        "jsonschema",
        "git",
    }


# --- the agent's own words


def test_an_output_trigger_corrects_and_is_active_for_the_next_turns(koog, workspace):
    put(workspace, "python", topic_file(**PYTHON))

    line = check(koog, "--text", "def f():\n    print x\n", "--direction", "output")

    assert [(c["topic"], c["hint"]) for c in line["corrections"]] == [("python", "Use Python 3: print(x)")]
    assert reasons(line) == {"python": "correction"}
    assert reasons(check(koog, "--text", "go on", now=SOON)) == {"python": "already-active"}
    assert reasons(check(koog, "--text", "go on", now=LATER)) == {"python": "no-pattern"}


def test_an_output_trigger_is_quiet_about_the_users_words(koog, workspace):
    put(workspace, "python", topic_file(**PYTHON))

    line = check(koog, "--text", "print x", "--direction", "input")

    assert (reasons(line), line["corrections"]) == ({"python": "no-pattern"}, [])


def test_a_correction_again_makes_it_last_longer(koog, workspace):
    put(workspace, "python", topic_file(**PYTHON))
    check(koog, "--text", "print x", "--direction", "output")

    line = check(koog, "--text", "print y", "--direction", "output", now=SOON)

    assert reasons(line) == {"python": "correction"}
    assert json.loads((workspace / ACTIVE).read_text())["topics"]["python"]["until"] == "2026-02-28T12:59:00Z"


def test_a_manual_topic_corrects_only_while_it_is_active(koog, workspace):
    put(workspace, "python", topic_file(**PYTHON, activation="manual"))

    before = check(koog, "--text", "print x", "--direction", "output")
    koog("--now", NOW, "topic", "activate", "python")
    after = check(koog, "--text", "print x", "--direction", "output")

    assert (reasons(before), before["corrections"]) == ({"python": "manual-only"}, [])
    assert [c["topic"] for c in after["corrections"]] == ["python"]


def test_a_dry_run_activates_nothing(koog, workspace):
    put(workspace, "python", topic_file(**PYTHON))

    code, line = koog("--dry-run", "topic", "check", "--text", "print x", "--direction", "output")

    assert (code, [c["path"] for c in line["_meta"]["changes"]]) == (0, [ACTIVE])
    assert not (workspace / ACTIVE).exists()


# --- events


def test_a_webhook_activates_whom_it_names_for_a_while(koog, workspace):
    put(workspace, "email", topic_file(**EMAIL))
    event = {"type": "webhook", "source": "email", "event": "new_message"}

    line = check(koog, "--event", json.dumps(event))

    assert reasons(line) == {"email": "event"}
    assert line["topics"][0]["tier1"]["triggers"][0] == "webhook: found 'email: new_message'"
    assert reasons(check(koog, "--text", "hm", now=SOON)) == {"email": "already-active"}
    assert reasons(check(koog, "--text", "hm", now=LATER)) == {"email": "no-pattern"}
    assert json.loads((workspace / ACTIVE).read_text())["topics"]["email"]["by"] == "event"


@pytest.mark.parametrize("event", [{"type": "webhook", "source": "github", "event": "push"}, {"type": "cron"}], ids=str)
def test_another_event_activates_nothing(koog, workspace, event):
    put(workspace, "email", topic_file(**EMAIL))

    line = check(koog, "--event", json.dumps(event))

    assert reasons(line) == {"email": "no-pattern"}
    assert not (workspace / ACTIVE).exists()


def test_a_schedule_activates_at_its_minute(koog, workspace):
    put(workspace, "email", topic_file(**EMAIL))

    now = check(koog, "--event", '{"type": "cron"}', now="2026-02-28T08:00:30Z")
    given = check(koog, "--event", '{"type": "cron", "at": "2026-02-28T08:00:00Z"}', now="2026-02-28T23:00:00Z")

    assert (reasons(now), reasons(given)) == ({"email": "event"}, {"email": "event"})


def test_an_event_never_activates_a_manual_topic(koog, workspace):
    put(workspace, "email", topic_file(**EMAIL, activation="manual"))

    line = check(koog, "--event", '{"type": "webhook", "source": "email", "event": "new_message"}')

    assert reasons(line) == {"email": "manual-only"}


def test_the_text_of_an_event_goes_through_the_tiers(koog, workspace):
    put(workspace, "email", topic_file(**EMAIL))
    put(workspace, "deployment", topic_file(**DEPLOY))
    event = {"type": "webhook", "source": "email", "event": "new_message", "text": MESSAGE}

    line = check(koog, "--event", json.dumps(event))

    assert reasons(line) == {"email": "event", "deployment": "gate-yes"}
    assert list(json.loads((workspace / ACTIVE).read_text())["topics"]) == ["email"]


@pytest.mark.parametrize(
    "event",
    [
        "",
        "{",
        "[]",
        "null",
        '"cron"',
        "{}",
        '{"type": "alarm"}',
        '{"type": "webhook"}',
        '{"type": "cron", "at": "soon"}',
        '{"type": "cron", "text": 5}',
        '{"type": "webhook", "source": 1}',
    ],
)
def test_a_wrong_event_is_a_wrong_call(koog, event):
    code, line = koog("topic", "check", "--event", event)

    assert (code, line["error"]["code"]) == (2, "usage")


def test_a_link_a_file_and_a_person_are_meant_without_a_word_in_common(koog, workspace):
    triggers = {
        "link": "{type: url, match: example.org/board}",
        "file": "{type: glob, match: '*.lock'}",
        "person": "{type: mention, match: '@ada'}",
        "pattern": "{type: pattern, match: 'https?://example.org/\\w+'}",
    }
    for name, trigger in triggers.items():
        put(workspace, name, topic_file(triggers=[trigger], priority="low"))

    line = check(koog, "--text", "can you look at https://example.org/board with @ada? poetry.lock changed")

    assert {row["name"]: (row["tier2"]["score"], row["reason"]) for row in line["topics"]} == dict.fromkeys(
        triggers, (1.0, "gate-yes")
    )


def test_a_drop_is_logged_so_that_a_threshold_can_be_proposed(koog, workspace):
    put(workspace, "deployment", topic_file(**{**DEPLOY, "priority": "low"}))
    for n in range(8):
        assert reasons(check(koog, "--text", f"soldiers deploy {n} parachutes")) == {"deployment": "dropped"}

    _, line = koog("topic", "stats")

    (row,) = line["topics"]
    assert (row["decisions"], row["fired"], row["dropped"]) == (8, 0, 8)
    assert [(p["key"], p["then"]) for p in row["proposals"]] == [("priority", "medium")]


# --- feedback


def decided(koog: Any, workspace: Path) -> dict[str, Any]:
    put(workspace, "deployment", topic_file(**DEPLOY))
    return check(koog, "--text", MESSAGE)


def logged(workspace: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (workspace / LOG).read_text().splitlines()]


def test_feedback_is_appended_to_the_last_decision_about_a_topic(koog, workspace):
    hashed = decided(koog, workspace)["messageHash"]

    line = check(koog, "--useful", "yes", "--topic", "deployment")

    assert line["feedback"] == {"topic": "deployment", "messageHash": hashed, "useful": True, "changed": True}
    assert [row["was_useful"] for row in logged(workspace)] == [None, True]
    (row,) = koog("topic", "stats")[1]["topics"]
    assert (row["decisions"], row["useful"], row["precision"]) == (1, 1, 1.0)


def test_the_same_feedback_again_changes_nothing_and_another_word_holds(koog, workspace):
    decided(koog, workspace)
    check(koog, "--useful", "yes", "--topic", "deployment")

    again = check(koog, "--useful", "yes", "--topic", "deployment")
    other = check(koog, "--useful", "no", "--topic", "deployment")

    assert (again["feedback"]["changed"], other["feedback"]["changed"]) == (False, True)
    assert koog("topic", "stats")[1]["topics"][0]["useless"] == 1


@pytest.mark.parametrize("by", ["text", "hash"])
def test_feedback_finds_its_decision_by_the_message_or_its_hash(koog, workspace, by):
    hashed = decided(koog, workspace)["messageHash"]
    check(koog, "--text", "Please deploy to staging, then production; watch the error rate")
    told = ("--text", MESSAGE) if by == "text" else ("--message-hash", hashed)

    line = check(koog, "--useful", "no", "--topic", "deployment", *told)

    assert line["feedback"]["messageHash"] == hashed


@pytest.mark.parametrize("told", [(), ("--text", "another message")], ids=["no decision", "not about that message"])
def test_feedback_about_what_was_never_decided_is_not_found(koog, workspace, told):
    if told:
        decided(koog, workspace)
    else:
        put(workspace, "deployment", topic_file(**DEPLOY))

    code, line = koog("topic", "check", "--useful", "yes", "--topic", "deployment", *told)

    assert (code, line["error"]["code"]) == (4, "not_found")


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("--text", "x", "--event", "{}"),
        ("--useful", "yes"),
        ("--topic", "x", "--text", "x"),
        ("--useful", "maybe", "--topic", "x"),
        ("--useful", "yes", "--topic", "x", "--event", "{}"),
        ("--message-hash", "x", "--text", "x"),
        ("--event", '{"type": "cron"}', "--direction", "output"),
        ("--text", "x", "--direction", "sideways"),
    ],
    ids=str,
)
def test_options_that_do_not_belong_together_are_a_wrong_call(koog, argv):
    code, line = koog("topic", "check", *argv)

    assert (code, line["error"]["code"]) == (2, "usage")


# --- the log in git


def test_the_log_makes_no_commit_of_its_own_and_goes_into_the_next(koog, workspace):
    decided(koog, workspace)
    before = git(workspace, "rev-parse", "HEAD")
    check(koog, "--text", MESSAGE + " now")
    assert git(workspace, "rev-parse", "HEAD") == before

    koog("topic", "activate", "deployment")

    assert LOG in git(workspace, "show", "--name-only", "--format=", "HEAD").splitlines()
