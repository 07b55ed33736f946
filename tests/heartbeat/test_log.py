"""koog log: the gate. What it asks for, what it gives a receipt for, what it refuses."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT, git, process
from tests.logs import LOGS, NOW, before, did, entry, lines, logged, said, snapshot

TODAY = f"{LOGS}/2026-02-28.jsonl"
CONTRACT = (
    "ts tickId idle sessionHistorySummary signals actionsConsidered spawnOutcome feedbackScores effectivenessRate "
    "effectivenessAlert curateDirective minedSources miningFindings playbookChanges staleItemActions output skipped "
    "skipReason"
).split()


def log(koog, value, *argv, now=NOW):
    return koog("log", "--now", now, "--entry", value if isinstance(value, str) else json.dumps(value), *argv)


def test_an_entry_is_appended_and_the_receipt_lets_the_heartbeat_end(koog, workspace):
    code, line = log(koog, entry(NOW))

    assert code == 0
    assert line["receipt"].startswith(f"{NOW}#")
    assert (line["tickId"], line["path"], line["created"], line["heartbeat"]) == (NOW, TODAY, True, "HEARTBEAT_OK")
    assert [row["tickId"] for row in lines(workspace)] == [NOW]


def test_the_line_in_the_log_has_every_key_of_the_contract(koog, workspace):
    log(koog, entry(NOW))

    assert set(CONTRACT) <= set(lines(workspace)[0])


def test_the_entry_is_committed_alone(koog, workspace):
    (workspace / "other.md").write_text("a person's file\n")

    log(koog, entry(NOW))

    assert set(git(workspace, "show", "--name-only", "--format=", "HEAD").splitlines()) == {
        TODAY,
        "memory/meta/audit.log",
    }
    assert git(workspace, "status", "--porcelain") == "?? other.md"


def test_the_entry_of_the_skill_is_whole(koog, workspace):
    text = (ROOT / "skills/sinain-hud/HEARTBEAT.md").read_text("utf-8")
    block = text.split("```json\n")[1].split("```")[0]

    code, line = log(koog, block)

    assert code == 0, line
    assert set(CONTRACT) <= set(json.loads(block))


@pytest.mark.parametrize("missing", ["feedbackScores", "actionsConsidered"])
def test_the_scores_and_the_actions_considered_are_asked_for(koog, workspace, missing):
    value = entry(NOW)
    del value[missing]

    code, line = log(koog, value)

    assert (code, line["error"]["code"]) == (2, "usage")
    assert missing in line["error"]["message"]
    assert not (workspace / TODAY).exists()


@pytest.mark.parametrize(
    "more",
    [
        {"feedbackScore": {}},
        {"actionsConsidered": [{"action": "dance", "chosen": True}]},
        {"actionsConsidered": [{"action": "skip"}]},
        {"actionsConsidered": {}},
        {"signals": [{"priority": "high"}]},
        {"spawnOutcome": "great"},
        {"curateDirective": "prune"},
        {"effectivenessRate": 1.5},
        {"ts": "yesterday"},
        {"tickId": "with spaces"},
        {"tickId": "../x"},
        {"idle": "no"},
    ],
)
def test_an_unknown_key_or_a_value_of_the_wrong_kind_is_refused(koog, workspace, more):
    code, line = log(koog, {**entry(NOW), **more})

    assert (code, line["error"]["code"]) == (2, "usage")
    assert not (workspace / TODAY).exists()


@pytest.mark.parametrize("text", ["", "not json", "[]", "null", '"text"', '{"ts": "\\ud800"}'])
def test_what_is_no_json_object_is_a_usage_error(koog, workspace, text):
    code, line = log(koog, text)

    assert (code, line["error"]["code"]) == (2, "usage")


def test_the_time_is_filled_in_and_the_id_must_be_there(koog, workspace):
    value = {"tickId": "t1", "feedbackScores": None, "actionsConsidered": []}

    assert log(koog, value)[0] == 0
    assert log(koog, {k: v for k, v in value.items() if k != "tickId"})[0] == 2

    assert [row["ts"] for row in lines(workspace)] == [NOW]


def test_an_average_is_logged_with_the_outputs_it_is_of(koog, workspace):
    """Without them it would be taken for the score of the tick before, again and again."""
    logged(workspace, entry(before(hours=1), output=said("Raise the limit", "Twice this week")))
    assert koog("feedback", "--now", NOW, "--scores", json.dumps({before(hours=1): 0.9}))[0] == 0
    value = entry(NOW, feedbackScores={"avg": 0.9, "high": [], "low": []})

    assert log(koog, value)[0] == 0
    assert log(koog, value)[1]["created"] is False

    told = lines(workspace)[-1]["feedbackScores"]
    assert told["scored"] == [{"tickId": before(hours=1), "score": 0.9, "source": "host"}]


def test_a_chosen_action_names_its_task(koog):
    chosen = {"action": "telegram_tip", "chosen": True, "reason": "it helps"}

    code, line = log(koog, entry(NOW, actionsConsidered=[chosen]))

    assert code == 2
    assert "task" in line["error"]["message"]


def test_the_same_entry_again_gets_the_same_receipt_and_writes_nothing(koog, workspace):
    value = entry(NOW, sessionHistorySummary="x")
    _, first = log(koog, value)
    kept = snapshot(workspace)

    code, second = log(koog, value)

    assert code == 0
    assert (second["receipt"], second["created"]) == (first["receipt"], False)
    assert second["_meta"]["changes"] == []
    assert snapshot(workspace) == kept


def test_the_same_entry_again_a_minute_later_without_its_time_is_the_same(koog, workspace):
    value = {"tickId": "a", "feedbackScores": None, "actionsConsidered": []}
    _, first = log(koog, value)

    _, second = log(koog, value, now="2026-02-28T12:01:00Z")

    assert second["receipt"] == first["receipt"]


def test_the_same_entry_again_after_midnight_is_the_same(koog, workspace):
    value = {"tickId": "a", "feedbackScores": None, "actionsConsidered": []}
    _, first = log(koog, value, now="2026-02-28T23:59:30Z")

    _, second = log(koog, value, now="2026-03-01T00:00:30Z")

    assert (second["receipt"], second["created"]) == (first["receipt"], False)
    assert lines(workspace, "2026-03-01") == []


@pytest.mark.parametrize(
    "more",
    [
        {"idle": True},
        {"sessionHistorySummary": "other"},
        {"spawnOutcome": "useful"},
        {"actionsConsidered": did("skip", "x")},
    ],
)
def test_another_entry_under_a_tick_that_is_logged_is_refused(koog, workspace, more):
    log(koog, entry(NOW))
    kept = snapshot(workspace)

    code, line = log(koog, {**entry(NOW), **more})

    assert (code, line["error"]["code"]) == (5, "refused")
    assert snapshot(workspace) == kept


def test_secrets_and_private_blocks_do_not_reach_the_log(koog, workspace):
    secret = "sk-ant-abcdefghijklmnopqrstuvwxyz012345"
    value = entry(
        NOW,
        sessionHistorySummary=f"the key is {secret} <private>at home</private>",
        signals=[f"leaked {secret}"],
        actionsConsidered=did("telegram_tip", f"rotate {secret}"),
        feedbackScores={"avg": None, "high": [f"{secret}"], "low": []},
    )

    code, _ = log(koog, value)

    text = (workspace / TODAY).read_text("utf-8")
    assert code == 0
    assert secret not in text
    assert "at home" not in text
    assert text.count("[redacted:anthropic]") == 4


def test_a_receipt_of_an_entry_with_a_secret_comes_again(koog, workspace):
    value = entry(NOW, sessionHistorySummary="the key is sk-ant-abcdefghijklmnopqrstuvwxyz012345")

    assert log(koog, value)[1]["receipt"] == log(koog, value)[1]["receipt"]


def test_signals_may_be_bare_strings(koog, workspace):
    log(koog, entry(NOW, signals=["ENOSPC twice", {"description": "tests pass", "priority": "low"}]))

    assert lines(workspace)[0]["signals"] == [
        {"description": "ENOSPC twice", "priority": "medium"},
        {"description": "tests pass", "priority": "low"},
    ]


def test_null_stands_for_what_does_not_apply(koog, workspace):
    nothing = dict.fromkeys(
        ["sessionHistorySummary", "signals", "minedSources", "playbookChanges", "staleItemActions", "output", "ts"]
    )

    code, line = log(koog, {**entry(NOW), **nothing})

    assert code == 0, line


@pytest.mark.parametrize(("quiet", "filled"), [(2, None), (3, {"spawnId": "s1", "outcome": "timeout"})])
def test_a_spawn_that_nobody_reported_on_for_three_ticks_is_logged_as_timed_out(koog, workspace, quiet, filled):
    logged(workspace, entry(before(hours=5), actionsConsidered=did("sessions_spawn", "find it", "s1")))
    logged(workspace, *(entry(before(hours=4 - n)) for n in range(quiet)))

    log(koog, entry(NOW))

    assert lines(workspace)[-1]["spawnOutcome"] == filled


def test_a_timeout_that_koog_filled_in_makes_no_other_entry_of_it(koog, workspace):
    logged(workspace, entry(before(hours=5), actionsConsidered=did("sessions_spawn", "find it", "s1")))
    logged(workspace, *(entry(before(hours=n)) for n in (4, 3, 2)))
    _, first = log(koog, entry(NOW))

    code, second = log(koog, entry(NOW))

    assert (code, second["receipt"]) == (0, first["receipt"])


def test_an_outcome_that_the_agent_reports_is_kept(koog, workspace):
    logged(workspace, entry(before(hours=5), actionsConsidered=did("sessions_spawn", "find it", "s1")))
    logged(workspace, *(entry(before(hours=n)) for n in (4, 3, 2)))

    log(koog, entry(NOW, spawnOutcome={"spawnId": "s1", "outcome": "useful"}))

    assert lines(workspace)[-1]["spawnOutcome"] == {"spawnId": "s1", "outcome": "useful"}


def module(workspace, name="rn", status="active", keywords=("metro",), patterns=("*.gradle",)):
    """Add a module with triggers to the registry."""
    folder = workspace / "modules" / name
    folder.mkdir()
    manifest = {
        "id": name,
        "name": name,
        "description": "d",
        "version": "1.0.0",
        "priority": {"default": 50, "range": [0, 100]},
        "triggers": {"keywords": list(keywords), "filePatterns": list(patterns)},
        "locked": False,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "patterns.md").write_text("- a pattern\n")
    path = workspace / "modules/module-registry.json"
    registry = json.loads(path.read_text())
    registry["modules"][name] = {
        "status": status,
        "priority": 50,
        "activatedAt": None,
        "lastTriggered": None,
        "locked": False,
    }
    path.write_text(json.dumps(registry))


def last_triggered(workspace, name="rn"):
    return json.loads((workspace / "modules/module-registry.json").read_text())["modules"][name]["lastTriggered"]


@pytest.mark.parametrize(
    ("more", "hit"),
    [
        ({"sessionHistorySummary": "Metro stopped again"}, True),
        ({"signals": ["metro is slow"]}, True),
        ({"sessionHistorySummary": "edited android/app/build.gradle"}, True),
        ({"sessionHistorySummary": "the metronome is loud"}, False),
        ({}, False),
    ],
)
def test_a_module_whose_triggers_occur_in_what_the_tick_saw_is_marked(koog, workspace, more, hit):
    module(workspace)

    _, line = log(koog, entry(NOW, **more))

    assert line["triggered"] == (["rn"] if hit else [])
    assert last_triggered(workspace) == (NOW if hit else None)


def test_a_suspended_module_is_not_triggered(koog, workspace):
    module(workspace, status="suspended")

    _, line = log(koog, entry(NOW, sessionHistorySummary="Metro stopped again"))

    assert (line["triggered"], last_triggered(workspace)) == ([], None)


def test_a_malformed_registry_does_not_keep_the_gate_open(koog, workspace):
    (workspace / "modules/module-registry.json").write_text('{"version": 1')

    code, line = log(koog, entry(NOW))

    assert (code, line["heartbeat"]) == (0, "HEARTBEAT_OK")
    assert any("triggers not looked at" in w for w in line["_meta"]["warnings"])


def test_a_torn_last_line_does_not_swallow_the_entry(koog, workspace):
    path = workspace / TODAY
    path.parent.mkdir(parents=True)
    path.write_text('{"ts": "2026-02-28T11:00:00Z", "tick')

    log(koog, entry(NOW))

    assert [json.loads(text)["tickId"] for text in path.read_text().splitlines()[1:]] == [NOW]


def test_an_entry_from_the_future_is_put_at_the_present_so_that_step_five_finds_it(koog, workspace):
    code, line = log(koog, entry("2026-02-28T12:04:00Z"))

    assert code == 0
    assert lines(workspace)[0]["ts"] == NOW
    assert any("2026-02-28T12:04:00Z" in w for w in line["_meta"]["warnings"])
    assert koog("synthesize", "--now", NOW)[1]["tickId"] == "2026-02-28T12:04:00Z"


def test_a_dry_run_gives_the_same_receipt_and_writes_nothing(koog, workspace):
    kept = snapshot(workspace)

    _, dry = log(koog, entry(NOW), "--dry-run")

    assert snapshot(workspace) == kept
    assert log(koog, entry(NOW))[1]["receipt"] == dry["receipt"]


def test_the_entry_may_come_by_standard_input(workspace):
    done = process("log", "--now", NOW, "--entry", "-", cwd=workspace, stdin=json.dumps(entry(NOW)))

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["heartbeat"] == "HEARTBEAT_OK"
    assert [row["tickId"] for row in lines(workspace)] == [NOW]
