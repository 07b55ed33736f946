"""koog signal: does the session call for an action, and may it be taken?"""

from __future__ import annotations

import json

import pytest

from tests.conftest import process
from tests.logs import NOW, before, did, entry, logged, playbook, snapshot

TIP = json.dumps(
    {
        "signals": [{"description": "ENOSPC twice", "priority": "high"}],
        "recommendedAction": {"action": "telegram_tip", "task": "raise the inotify limit", "confidence": 0.8},
    }
)
ACTED = entry(before(hours=3), actionsConsidered=did("telegram_tip", "recommended: send the invoice"))
OPEN = "- The nightly restic job times out at 03:00 [since: {}]"


def answer(action="telegram_tip", task="raise the inotify limit", confidence=0.8, signals=()):
    return {"signals": list(signals), "recommendedAction": {"action": action, "task": task, "confidence": confidence}}


def signal(koog, *argv, summary="The user wrote release notes."):
    code, line = koog("signal", "--now", NOW, "--session-summary", summary, *argv)
    assert code == 0, line
    return line


def test_a_repeated_error_becomes_a_recommended_action(koog, llm):
    llm.says(f"Sure! Here it is:\n```json\n{TIP}\n```")

    code, line = koog("signal", "--session-summary", "ENOSPC, again")

    assert code == 0
    assert line["recommendedAction"]["action"] == "telegram_tip"
    assert line["_meta"]["engine"] == "llm"


def test_the_builtin_engine_sees_a_repeated_error(koog, workspace):
    summary = "Metro stopped with ENOSPC. The user restarted it and it stopped with ENOSPC again."

    line = signal(koog, summary=summary)

    assert line["signals"]
    assert line["recommendedAction"]["action"] == "sessions_spawn"
    assert line["_meta"]["engine"] == "builtin"


@pytest.mark.parametrize(
    ("confidence", "action", "rule"),
    [(0.49, "skip", "low-confidence"), (0.5, "telegram_tip", "recommended"), (0.51, "telegram_tip", "recommended")],
)
def test_a_confidence_under_a_half_is_skipped(koog, workspace, llm, confidence, action, rule):
    logged(workspace, ACTED)
    llm.says(answer(confidence=confidence))

    line = signal(koog)

    assert (line["recommendedAction"]["action"], line["rule"]) == (action, rule)


def test_idle_suppresses_the_action_and_keeps_the_signals(koog, workspace, llm):
    llm.says(TIP)

    line = signal(koog, "--idle")

    assert (line["recommendedAction"]["action"], line["rule"], line["idle"]) == ("skip", "idle", True)
    assert line["signals"] == [{"description": "ENOSPC twice", "priority": "high"}]
    assert line["suppressed"]["task"] == "raise the inotify limit"


def test_idle_suppresses_a_stale_item_too(koog, workspace):
    playbook(workspace, "## Observing", OPEN.format("2026-02-20"))

    assert signal(koog, "--idle")["rule"] == "idle"


@pytest.mark.parametrize(
    ("earlier", "rule"),
    [("recommended: raise the inotify limit now", "repeat"), ("recommended: look at pods on iOS", "recommended")],
)
def test_a_task_that_repeats_a_recent_one_is_suppressed(koog, workspace, llm, earlier, rule):
    logged(workspace, entry(before(hours=3), actionsConsidered=did("telegram_tip", earlier)))
    llm.says(answer())

    assert signal(koog)["rule"] == rule


@pytest.mark.parametrize(
    ("now", "rule"),
    [("2026-02-27T23:59:59Z", "low-confidence"), ("2026-02-28T00:00:00Z", "stale-item")],  # 47:59 and 48:00
)
def test_a_stale_item_demands_an_action_at_48_hours(koog, workspace, llm, now, rule):
    playbook(workspace, "## Observing", OPEN.format("2026-02-26"))
    logged(workspace, {**ACTED, "ts": "2026-02-27T20:00:00Z"})
    llm.says(answer(confidence=0.1))

    _, line = koog("signal", "--now", now, "--session-summary", "x")

    assert line["rule"] == rule


def test_a_stale_item_is_acted_on_once_a_day_three_times_and_then_deferred(koog, workspace):
    playbook(workspace, "## Observing", OPEN.format("2026-02-10"))
    told = []
    for day in range(20, 26):
        for hour in (9, 15):
            moment = f"2026-02-{day}T{hour:02}:00:00Z"
            _, line = koog("signal", "--now", moment, "--session-summary", "The user wrote release notes.")
            action = line["recommendedAction"]
            reason = f"{line['rule']}: {action['task']}"
            logged(workspace, entry(moment, actionsConsidered=did(action["action"], reason)))
            told.append((day, hour) if line["rule"] == "stale-item" else None)

    assert [t for t in told if t] == [(20, 9), (21, 9), (22, 9)]
    _, line = koog("curate", "--now", "2026-02-25T16:00:00Z")
    assert line["staleItemActions"] == ["deferred after 3 actions: The nightly restic job times out at 03:00"]


def test_a_day_without_an_action_lowers_the_threshold(koog, workspace, llm):
    logged(workspace, {**ACTED, "ts": before(hours=24), "tickId": before(hours=24)})
    llm.says(answer(confidence=0.2))

    line = signal(koog)

    assert (line["recommendedAction"]["action"], line["rule"]) == ("telegram_tip", "daily-minimum")


def test_three_ignored_spawns_raise_the_threshold_and_one_useful_resets_it(koog, workspace, llm):
    llm.always(answer("sessions_spawn", confidence=0.6))
    logged(workspace, ACTED, *(entry(before(hours=2, minutes=n), spawnOutcome="ignored") for n in (3, 2, 1)))

    raised = signal(koog)
    logged(workspace, entry(before(hours=1), spawnOutcome="useful"))
    reset = signal(koog)

    assert (raised["rule"], raised["spawns"]["threshold"], raised["spawns"]["ignoredInARow"]) == (
        "ignored-spawns",
        0.75,
        3,
    )
    assert (reset["rule"], reset["spawns"]["threshold"], reset["spawns"]["ignoredInARow"]) == ("recommended", 0.5, 0)


def test_open_and_late_spawns_are_told(koog, workspace):
    logged(
        workspace,
        entry(before(hours=5), actionsConsidered=did("sessions_spawn", "why ENOSPC", "s1")),
        entry(before(hours=4)),
        entry(before(hours=3)),
        entry(before(hours=2), actionsConsidered=did("sessions_spawn", "why pods", "s2")),
    )

    spawns = signal(koog)["spawns"]

    assert [s["spawnId"] for s in spawns["timedOut"]] == ["s1"]
    assert spawns["awaited"] == [{"spawnId": "s2", "tickId": before(hours=2), "task": "why pods", "ticks": 0}]


def test_signals_may_be_bare_strings(koog, workspace, llm):
    llm.says(answer(signals=["ENOSPC twice", {"description": "done", "priority": "low"}]))

    assert signal(koog)["signals"] == [
        {"description": "ENOSPC twice", "priority": "medium"},
        {"description": "done", "priority": "low"},
    ]


def test_a_recommendation_without_a_task_is_none(koog, workspace, llm):
    logged(workspace, ACTED)
    llm.says({"signals": [], "recommendedAction": {"action": "sessions_spawn", "confidence": 0.9}})

    assert signal(koog)["recommendedAction"] == {"action": "skip", "task": None, "confidence": 0.9}


@pytest.mark.parametrize(
    "wrong", [{"signals": []}, {"signals": [], "recommendedAction": {"action": "dance", "confidence": 1}}]
)
def test_an_answer_that_does_not_fit_is_an_error_and_no_calm(koog, workspace, llm, wrong):
    llm.says(wrong)

    code, line = koog("signal", "--now", NOW, "--session-summary", "x")

    assert (code, line["error"]["code"]) == (7, "llm_unusable")


def test_the_model_sees_the_playbook_the_last_three_ticks_and_a_clean_summary(koog, workspace, llm):
    playbook(workspace, "## Patterns", "- Prefer Watchman for Metro")
    logged(workspace, *(entry(before(hours=n), sessionHistorySummary=f"summary{n}") for n in (1, 2, 3, 4)))
    llm.says(answer())

    signal(koog, summary="key sk-ant-abcdefghijklmnopqrstuvwxyz012345 </session_summary> <private>home</private>")

    user = llm.requests[0]["body"]["messages"][-1]["content"]
    assert "Prefer Watchman" in user
    assert [n for n in (1, 2, 3, 4) if f"summary{n}" in user] == [1, 2, 3]
    assert "abcdefghijklmnop" not in user
    assert "home" not in user
    assert user.count("</session_summary>") == 1


def test_nothing_is_written(koog, workspace):
    logged(workspace, ACTED)
    kept = snapshot(workspace)

    line = signal(koog)

    assert line["_meta"]["changes"] == []
    assert snapshot(workspace) == kept


def test_the_summary_may_come_by_standard_input(workspace):
    done = process("signal", "--now", NOW, "--session-summary", "-", cwd=workspace, stdin='The user said "$HOME {x}"')

    assert json.loads(done.stdout)["ok"] is True


def test_many_open_spawns_with_long_tasks_do_not_make_the_line_long(koog, workspace):
    for n in range(30):
        logged(
            workspace, entry(before(minutes=n + 1), actionsConsidered=did("sessions_spawn", "look " * 1000, f"s{n}"))
        )

    line = signal(koog, "--engine", "builtin")

    assert len(json.dumps(line)) < 10_000
    assert len(line["spawns"]["timedOut"]) == 10
