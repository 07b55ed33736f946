"""Whatever the clock does: the days are the user's, no tick is lost or counted twice, tomorrow is left alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.conftest import git, registered
from tests.faults.contract import run
from tests.logs import LOGS, NOW, PLAYBOOK, note

SUMMARY = "Nothing in particular."


def tick(workspace, now, *argv):
    """Run one tick at a moment and return its line; its gate must close."""
    ended = run("tick", "--now", now, "--engine", "builtin", *argv, cwd=workspace)
    assert ended.code == 0
    assert ended.line["degraded"] == []
    assert ended.line["receipt"]
    return ended.line


def logged(workspace):
    """Return (file's day, tickId) of every tick in the logs, in the order of the days, put away or not."""
    found = []
    for path in sorted((workspace / LOGS).rglob("*.jsonl"), key=lambda path: path.stem):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        found += [(path.stem, row["tickId"]) for row in rows if "_type" not in row]
    return found


@pytest.fixture
def zone(operator):
    return lambda name: operator.configure(timezone=name)


def test_a_clock_that_was_ahead_and_went_back_loses_nothing_and_counts_nothing_from_the_future(workspace):
    registered(workspace, git_backup="all")
    note(workspace, "2026-02-27.md", "- Decided on Drizzle instead of Prisma\n")
    ahead = tick(workspace, "2027-02-28T12:00:00Z", "--idle", "--session-summary", SUMMARY)

    back = [tick(workspace, f"2026-02-28T1{n}:00:00Z", "--idle", "--session-summary", SUMMARY) for n in (2, 3)]
    again = tick(workspace, "2027-03-01T12:00:00Z", "--idle", "--session-summary", SUMMARY)

    assert ahead["minedSources"] == ["2026-02-27.md"]
    assert [line["minedSources"] for line in back] == [[], []]
    assert back[0]["effectiveness"]["outputs"] == 0
    assert [day for day, _ in logged(workspace)] == ["2026-02-28", "2026-02-28", "2027-02-28", "2027-03-01"]
    assert len({tick_id for _, tick_id in logged(workspace)}) == 4
    assert again["tickId"] == "2027-03-01T12:00:00Z"
    assert git(workspace, "status", "--porcelain") == ""
    assert git(workspace, "log", "--format=%cI", "-1").startswith("2027-03-01")


def test_a_real_clock_behind_the_files_own_times_is_no_obstacle(workspace):
    (workspace / PLAYBOOK).write_text("<!-- mining-index: 2031-01-01 -->\n- Prefer small commits\n")
    note(workspace, "2031-01-01.md", "- Decided in the future\n")

    ended = run("tick", "--engine", "builtin", "--idle", "--session-summary", SUMMARY, cwd=workspace)

    assert ended.code == 0
    assert ended.line["degraded"] == []
    assert ended.line["minedSources"] == []
    assert ended.line["tickId"][:10] == datetime.now(UTC).date().isoformat()


def test_an_entry_dated_ahead_of_the_clock_is_logged_now(workspace):
    ended = run(
        "log",
        *("--now", NOW, "--entry"),
        json.dumps({"ts": "2026-03-28T12:00:00Z", "tickId": "ahead", "feedbackScores": None, "actionsConsidered": []}),
        cwd=workspace,
    )

    assert ended.line["ok"]
    assert logged(workspace) == [("2026-02-28", "ahead")]
    assert any("ahead of the clock" in warning for warning in ended.line["_meta"]["warnings"])


# The last Sundays of March and October 2026 in Zurich: 01:00 UTC is the change.
GAP = ["2026-03-29T00:30:00Z", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"]
OVERLAP = ["2026-10-25T00:30:00Z", "2026-10-25T00:59:59Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z"]


@pytest.mark.parametrize("moments", [GAP, OVERLAP], ids=["the hour that is not", "the hour that is twice"])
def test_every_tick_around_a_change_of_the_clocks_is_one_entry(moments, workspace, zone):
    zone("Europe/Zurich")
    day = moments[0][:10]
    note(workspace, f"{day}.md", "- Decided on Drizzle instead of Prisma\n")

    told = [tick(workspace, moment, "--idle", "--session-summary", SUMMARY) for moment in moments]

    assert [tick_id for _, tick_id in logged(workspace)] == moments
    assert [line["minedSources"] for line in told] == [[f"{day}.md"], [], [], []]
    assert [line["tickId"] for line in told] == moments


DAYS = {  # zone, moment: the user's day then
    ("UTC", "2026-02-28T23:59:59Z"): "2026-02-28",
    ("UTC", "2026-03-01T00:00:00Z"): "2026-03-01",
    ("UTC", "2028-02-28T23:59:59Z"): "2028-02-28",
    ("UTC", "2028-02-29T00:00:00Z"): "2028-02-29",
    ("UTC", "2027-01-01T00:00:00Z"): "2027-01-01",
    ("Europe/Zurich", "2026-03-29T21:59:59Z"): "2026-03-29",
    ("Europe/Zurich", "2026-03-29T22:00:00Z"): "2026-03-30",
    ("Europe/Zurich", "2026-10-25T22:30:00Z"): "2026-10-25",
    ("Pacific/Kiritimati", "2026-12-31T09:59:59Z"): "2026-12-31",
    ("Pacific/Kiritimati", "2026-12-31T10:00:00Z"): "2027-01-01",
    ("Etc/GMT+12", "2027-01-01T11:59:59Z"): "2026-12-31",
    ("Etc/GMT+12", "2027-01-01T12:00:00Z"): "2027-01-01",
}


@pytest.mark.wide(4)
@pytest.mark.parametrize(("where", "moment"), DAYS, ids=lambda value: value)
def test_a_tick_sums_up_the_notes_of_the_users_day(where, moment, workspace, zone):
    zone(where)
    day = datetime.fromisoformat(DAYS[where, moment])
    for days, word in ((-1, "yesterday"), (0, "today"), (1, "tomorrow")):
        note(workspace, f"{(day + timedelta(days)).date()}.md", f"- Decided on the plan of {word} for the garden\n")

    line = tick(workspace, moment, "--active")

    assert "plan of today" in line["sessionSummary"]
    assert "yesterday" not in line["sessionSummary"]
    assert "tomorrow" not in line["sessionSummary"]
    assert logged(workspace) == [(moment[:10], moment)]  # logs are named by UTC, wherever the user is


def test_a_module_is_made_of_the_notes_of_the_users_week(workspace, zone):
    zone("Pacific/Kiritimati")
    for day in ("2026-12-31", "2027-01-01"):  # a pattern has to be in two places
        note(workspace, f"{day}.md", "- Decided to clear the metro cache when the metro bundler stalls\n")

    ended = run(
        *("module", "extract", "metro", "--domain", "metro bundler"),
        *("--now", "2026-12-31T10:30:00Z", "--engine", "builtin"),
        cwd=workspace,
    )

    assert ended.line["ok"], ended.err
    assert "metro cache" in (workspace / "modules/metro/patterns.md").read_text("utf-8")


def test_two_ticks_around_midnight_are_in_two_files_and_the_second_knows_the_first(workspace):
    note(workspace, "2026-12-31.md", "- The build failed with ENOSPC\n")
    first = tick(workspace, "2026-12-31T23:59:59Z", "--active")

    second = tick(workspace, "2027-01-01T00:00:00Z", "--active")

    assert [day for day, _ in logged(workspace)] == ["2026-12-31", "2027-01-01"]
    assert "ENOSPC" in first["sessionSummary"]
    assert second["sessionSummary"] == f"Nothing new since the last tick, {first['tickId']}."


@pytest.mark.parametrize(
    "moment", ["2027-02-29T12:00:00Z", "2026-02-30", "2026-12-31T24:30:00Z", "tomorrow", "9999-01-01"]
)
def test_a_moment_that_does_not_exist_is_a_wrong_call(moment, workspace):
    assert run("tick", "--now", moment, cwd=workspace).error == "usage"


def test_the_budget_of_a_day_ends_with_the_users_day(workspace, zone, operator, llm):
    operator.configure(timezone="Pacific/Kiritimati", budget={"tokensPerDay": 60_000})
    (workspace / "memory/meta").mkdir()
    row = {"ts": "2026-12-31T09:59:00Z", "promptTokens": 60_000, "completionTokens": 0}
    (workspace / "memory/meta/usage.jsonl").write_text(json.dumps(row) + "\n")
    llm.says({"signals": [], "recommendedAction": {"action": "skip", "task": None, "confidence": 0.9}})

    asked = [
        run("signal", "--now", moment, "--session-summary", SUMMARY, cwd=workspace)
        for moment in ("2026-12-31T09:59:59Z", "2026-12-31T10:00:00Z")
    ]

    assert [ended.error for ended in asked] == ["refused", None]
