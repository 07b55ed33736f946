"""What a tick sees without an agent: a summary, whether anybody is there, an id."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from koog.heartbeat import session
from tests.logs import NOW, before, entry, logged, note

MOMENT = datetime.fromisoformat(NOW)


def touched(path, ago):
    """Give a file a modification time so long before NOW."""
    when = (MOMENT - ago).timestamp()
    os.utime(path, (when, when))


def tick(koog, *argv):
    code, line = koog("tick", "--now", NOW, *argv)
    assert code == 0, line
    return line


def test_the_summary_is_made_of_todays_notes(koog, workspace):
    note(workspace, "2026-02-28.md", "# Saturday\n- Metro stopped with ENOSPC\n- Restarted it\n")
    note(workspace, "2026-02-27.md", "- Yesterday's news\n")

    assert tick(koog, "--active")["sessionSummary"] == "Metro stopped with ENOSPC. Restarted it."


def test_the_latest_sentences_of_a_long_day_are_what_counts(koog, workspace):
    note(workspace, "2026-02-28.md", "".join(f"- Step {n} of the day.\n" for n in range(40)))

    told = tick(koog, "--active")["sessionSummary"]

    assert told.endswith("Step 39 of the day.")
    assert "Step 3 " not in told


def test_what_an_earlier_tick_told_is_not_told_again(koog, workspace):
    path = note(workspace, "2026-02-28.md", "- Metro stopped with ENOSPC\n")
    first = tick(koog, "--active")
    path.write_text("- Metro stopped with ENOSPC\n- The limit is raised, it runs again\n")

    second = tick(koog, "--active")

    assert first["sessionSummary"] == "Metro stopped with ENOSPC."
    assert second["sessionSummary"] == "The limit is raised, it runs again."


def test_where_nothing_is_new_it_says_since_when_and_signals_nothing(koog, workspace):
    note(workspace, "2026-02-28.md", "- Metro stopped with ENOSPC\n")
    logged(workspace, entry(before(hours=2), sessionHistorySummary="Metro stopped with ENOSPC."))

    line = tick(koog, "--active")

    assert line["sessionSummary"] == f"Nothing new since the last tick, {before(hours=2)}."
    assert line["signals"] == []


def test_without_anything_it_says_so_and_signals_nothing(koog, workspace):
    line = tick(koog, "--active")

    assert (line["sessionSummary"], line["signals"]) == ("Nothing is written yet.", [])


def test_private_blocks_and_secrets_are_not_in_it(koog, workspace):
    note(
        workspace,
        "2026-02-28.md",
        "- Wrote notes\n<private>- the party</private>\n- key sk-ant-abcdefghijklmnopqrstuvwxyz012345\n",
    )

    told = tick(koog, "--active")["sessionSummary"]

    assert "party" not in told
    assert "abcdefghijklmnop" not in told


@pytest.mark.parametrize(("minutes", "idle"), [(0, False), (29, False), (30, False), (31, True), (600, True)])
def test_half_an_hour_without_a_written_note_is_idle(koog, workspace, minutes, idle):
    touched(note(workspace, "2026-02-28.md", "- Wrote notes\n"), timedelta(minutes=minutes))

    assert tick(koog)["idle"] is idle


def test_a_workspace_without_notes_is_idle(koog, workspace):
    assert tick(koog)["idle"] is True


@pytest.mark.parametrize(("name", "idle"), [("2026-02-28.md", False), ("2026-02-27.md", True)])
def test_before_the_files_own_times_a_note_of_that_day_counts_as_activity(koog, workspace, name, idle):
    touched(note(workspace, name, "- Wrote notes\n"), timedelta(days=-200))

    assert tick(koog)["idle"] is idle


@pytest.mark.parametrize(("flag", "idle"), [("--idle", True), ("--active", False)])
def test_the_agents_word_goes_before_the_files(koog, workspace, flag, idle):
    touched(note(workspace, "2026-02-28.md", "- Wrote notes\n"), timedelta(minutes=0 if idle else 600))

    assert tick(koog, flag)["idle"] is idle


def test_a_note_that_leads_outside_does_not_keep_the_gate_open(koog, workspace, tmp_path):
    (tmp_path / "elsewhere.md").write_text("- a person's vault\n")
    (workspace / "memory/2026-02-28.md").symlink_to(tmp_path / "elsewhere.md")
    note(workspace, "2026-02-28-more.md", "- Wrote the release notes\n")

    line = tick(koog)

    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert line["sessionSummary"] == "Wrote the release notes."
    assert any("2026-02-28.md leads outside" in w for w in line["_meta"]["warnings"])


@pytest.mark.parametrize(
    ("taken", "tick_id"), [(set(), NOW), ({NOW}, f"{NOW}-2"), ({NOW, f"{NOW}-2"}, f"{NOW}-3"), ({"x"}, NOW)]
)
def test_a_tick_is_known_by_its_second_and_a_number_when_that_is_taken(taken, tick_id):
    assert session.tick_id(MOMENT.astimezone(UTC), taken) == tick_id


def test_notes_of_days_to_come_do_not_hide_todays(koog, workspace):
    note(workspace, "2026-02-28.md", "- Metro stopped with ENOSPC\n")
    for day in range(1, 9):
        note(workspace, f"2026-03-0{day}.md", "- A day to come\n")

    assert tick(koog, "--active")["sessionSummary"] == "Metro stopped with ENOSPC."
