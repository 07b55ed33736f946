"""What the user has said since the last tick: in which sessions, once, and what it does to a tick."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from koog.core.run import Run
from koog.heartbeat import spoken
from koog.observe import observations
from koog.observe.observations import Observation
from koog.sessions import labels
from koog.sessions.labels import Label
from tests.conftest import registered
from tests.fakes.sessions import claude_session
from tests.logs import NOW, before, entry, logged, note, snapshot

MOMENT = datetime.fromisoformat(NOW)
LATER = "2026-02-28T12:30:00Z"
FAILED = "The Metro build failed with ENOSPC again."
CURSORS = "memory/meta/cursors.json"
HARBOR, GROUP = Label("/srv/harbor"), Label("openclaw/main", "group", "telegram:group:-100123")


@pytest.fixture
def say(alone, workspace):
    """Let the user say something in the own project so many minutes before NOW."""

    def write(text, *, minutes=5.0, role="user", cwd=None, **more):
        at = MOMENT - timedelta(minutes=minutes, seconds=1)
        return claude_session(alone, (role, text), cwd=cwd or workspace, at=at, **more)

    return write


def tick(koog, *argv, now=NOW):
    code, line = koog("tick", "--now", now, *argv)
    assert code == 0, line
    return line


def observed(workspace, *rows):
    """Write observations: (text, day, time, label)."""
    made = [
        Observation(day, time, text, "fact", 5, 0.9, f"claude/p/s#e{n}", labels.values(label))
        for n, (text, day, time, label) in enumerate(rows)
    ]
    (workspace / "memory/observations.md").write_text(observations.added("", made), "utf-8")


# --- somebody is there


@pytest.mark.parametrize(("minutes", "idle"), [(1, False), (29, False), (31, True), (200, True)])
def test_a_user_who_spoke_within_the_window_is_there_without_any_note(koog, say, minutes, idle):
    say("Hello there.", minutes=minutes)

    assert tick(koog)["idle"] is idle


def test_an_agent_that_goes_on_alone_is_nobody(koog, say):
    say("Do it all.", minutes=120)
    say("I am still at it.", minutes=1, role="assistant")

    assert tick(koog)["idle"] is True


def test_whoever_was_observed_long_ago_by_another_machine_is_there_by_what_was_observed(koog, workspace):
    observed(workspace, ("The release moves to Friday", "2026-02-28", "11:45", labels.NONE))

    assert tick(koog)["idle"] is False
    assert tick(koog, now=LATER)["idle"] is True


@pytest.mark.parametrize(
    "row",
    [
        ("Group: We meet at nine", "2026-02-28", "11:45", GROUP),
        ("Agent: The build takes nine minutes", "2026-02-28", "11:45", labels.NONE),
        ("The release moves to Friday", "2026-02-28", "25:99", labels.NONE),
        ("The release moves to Friday", "2026-02-28", "13:45", labels.NONE),  # a clock that is ahead
    ],
)
def test_strangers_the_agent_and_broken_clocks_are_nobody(koog, workspace, row):
    observed(workspace, row)

    assert tick(koog)["idle"] is True


def test_a_user_is_there_also_when_the_turn_was_observed_and_nothing_of_it_kept(koog, say):
    say("Hello there.", minutes=5)
    koog("observe", "--now", NOW)

    assert tick(koog)["idle"] is False
    assert tick(koog, now="2026-02-28T12:20:00Z")["idle"] is False
    assert tick(koog, now="2026-02-28T12:40:00Z")["idle"] is True


def test_a_session_in_another_project_that_is_taken_shows_a_user_and_tells_nothing(koog, workspace, say):
    registered(workspace, observe_sources=["claude"])
    say(FAILED, cwd="/srv/harbor")

    line = tick(koog)

    assert line["idle"] is False
    assert "ENOSPC" not in json.dumps(line)


def test_a_session_that_is_not_taken_shows_nobody(koog, say):
    say(FAILED, cwd="/srv/harbor")

    assert tick(koog)["idle"] is True


# --- what was said


def test_what_the_user_said_is_summed_up_once_and_raises_a_signal(koog, say):
    say(FAILED)
    say("The build failed with ENOSPC once more.", minutes=3)

    first, second = tick(koog), tick(koog, now=LATER)

    assert "ENOSPC" in first["sessionSummary"]
    assert [s["priority"] for s in first["signals"]] == ["high"]
    assert first["recommendedAction"]["action"] != "skip"
    assert second["sessionSummary"] == f"Nothing new since the last tick, {NOW}."
    assert second["signals"] == []


def test_what_is_said_between_two_ticks_is_heard_by_the_second(koog, say):
    say("Hello there.")
    tick(koog)
    say(FAILED, minutes=-20)

    line = tick(koog, now=LATER)

    assert "ENOSPC" in line["sessionSummary"] and "Hello" not in line["sessionSummary"]
    assert line["idle"] is False


def test_quoted_code_and_the_agents_words_are_not_the_users(koog, say):
    say("Look at this:\n```\nDo not ever trust the marlin.\n```\nand tell me what is wrong.")
    say("The narwhal is wrong.", role="assistant", minutes=2)

    told = tick(koog)["sessionSummary"]

    assert "marlin" not in told and "narwhal" not in told


def test_an_observed_turn_is_told_by_its_observation_alone(koog, say):
    say("We decided to use Postgres for the billing service.")
    koog("observe", "--now", NOW)

    assert tick(koog)["sessionSummary"] == "We decided to use Postgres for the billing service."


def test_of_a_long_talk_the_latest_counts_and_observations_stay(koog, workspace, say):
    observed(workspace, ("User: We decided on Drizzle", "2026-02-28", "11:01", labels.NONE))
    for n in range(40):
        say(f"Step {n} of the day is done.", minutes=50 - n)

    told = tick(koog)["sessionSummary"]

    assert "We decided on Drizzle." in told and told.endswith("Step 39 of the day is done.")
    assert "Step 3 " not in told and len(told) <= 1500


def test_what_was_observed_is_told_without_any_note(koog, workspace):
    rows = [(f"User: We decided on plan {n}", "2026-02-28", f"09:{n:02}", labels.NONE) for n in range(22)]
    observed(workspace, *rows)

    first, second = tick(koog), tick(koog, now=LATER)

    assert first["sessionSummary"].endswith("We decided on plan 21.")
    assert "plan 13." not in first["sessionSummary"]
    assert "plan 21" not in second["sessionSummary"]


def test_what_was_observed_elsewhere_or_in_a_group_or_long_before_is_not_told(koog, workspace):
    logged(workspace, entry(before(hours=1), sessionHistorySummary="Wrote notes."))
    observed(
        workspace,
        ("The zebrafin ships", "2026-02-28", "09:00", HARBOR),
        ("Group: The gannet ships", "2026-02-28", "09:00", GROUP),
        ("The marlin ships", "2026-02-25", "09:00", labels.NONE),
        ("The narwhal ships", "2026-03-02", "09:00", labels.NONE),
    )

    assert tick(koog, "--active")["sessionSummary"].startswith("Nothing new since")


def test_yesterdays_observation_since_the_last_tick_is_told(koog, workspace):
    observed(workspace, ("The marlin ships", "2026-02-27", "23:50", labels.NONE))
    logged(workspace, entry("2026-02-27T23:40:00Z", sessionHistorySummary="Wrote notes."))

    assert tick(koog, now="2026-02-28T00:10:00Z")["sessionSummary"] == "The marlin ships."


# --- how far it was heard


def test_a_dry_run_keeps_no_cursor(koog, workspace, say):
    say(FAILED)
    kept = snapshot(workspace)

    assert "ENOSPC" in tick(koog, "--dry-run")["sessionSummary"]
    assert snapshot(workspace) == kept


def test_cursors_of_silent_sessions_are_dropped(koog, workspace, say):
    say("Hello there.")
    tick(koog)
    first = json.loads((workspace / CURSORS).read_text())["spoken"]

    tick(koog, now="2026-03-10T12:00:00Z")
    tick(koog, now="2026-03-20T12:00:00Z")

    assert len(first["sessions"]) == 1 and first["at"] == "2026-02-28T11:55:00Z"
    assert json.loads((workspace / CURSORS).read_text())["spoken"] == {"at": first["at"], "sessions": {}}


@pytest.mark.parametrize("broken", [7, [], {"at": 7}, {"sessions": 7}, {"at": "x", "sessions": {"a": 7}}])
def test_a_cursor_of_another_shape_counts_as_none(workspace, say, broken):
    say(FAILED)
    (workspace / "memory/meta").mkdir(exist_ok=True)
    (workspace / CURSORS).write_text(json.dumps({"spoken": broken}))
    run = Run(folder=str(workspace), now_text=NOW, command="tick")

    assert [each.turn.text for each in spoken.look(run, last=None).said] == [FAILED]


def test_cursors_that_cannot_be_read_are_a_warning(workspace, say):
    say(FAILED)
    (workspace / "memory/meta").mkdir(exist_ok=True)
    (workspace / CURSORS).write_text('{"spoken":')
    run = Run(folder=str(workspace), now_text=NOW, command="tick")

    assert spoken.look(run, last=None) == spoken.Spoken()
    assert any("cursors.json" in warning for warning in run.warnings)


def test_a_quiet_tick_is_none_while_observations_wait(koog, workspace, llm):
    note(workspace, "2026-02-27.md", "- Decided on Drizzle because it is small\n")
    llm.always("I would rather not.")
    logged(workspace, entry(before(hours=1), sessionHistorySummary="Wrote notes."))
    observed(workspace, ("User: We decided on Turso", "2026-02-20", "09:00", labels.NONE))

    tick(koog, "--idle", "--session-summary", "Wrote notes.")

    assert "Turso" in json.dumps([r["body"]["messages"] for r in llm.requests])


def test_signal_without_a_summary_looks_at_what_the_next_tick_would_sum_up(koog, say, workspace):
    say(FAILED)
    say("The build failed with ENOSPC once more.", minutes=3)
    kept = snapshot(workspace)

    code, line = koog("signal", "--now", NOW)

    assert code == 0
    assert [s["priority"] for s in line["signals"]] == ["high"]
    assert snapshot(workspace) == kept
    tick(koog)
    assert koog("signal", "--now", LATER)[1]["signals"] == []
