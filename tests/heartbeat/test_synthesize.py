"""koog synthesize: a message worth sending, or a skip that says why."""

from __future__ import annotations

import json
import time

import pytest

from tests.conftest import process
from tests.logs import LOGS, NOW, before, entry, lines, logged, note, playbook, said, snapshot

TIP = "Raise the inotify limit before Metro starts"
INSIGHT = "Both ENOSPC stops came within an hour after switching branches"
USAGE = "memory/meta/usage.jsonl"


def synthesize(koog, *argv, now=NOW):
    code, line = koog("synthesize", "--now", now, *argv)
    assert code == 0, line
    return line


def answer(suggestion=TIP, insight=INSIGHT):
    return {"skip": False, "suggestion": suggestion, "insight": insight}


@pytest.fixture
def ticked(workspace):
    """A workspace whose gate was closed a minute ago."""
    logged(workspace, entry(before(minutes=1)))
    return workspace


def test_without_a_logged_tick_it_is_refused(koog, workspace):
    code, line = koog("synthesize", "--now", NOW)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "koog log" in line["error"]["hint"]


def test_a_good_answer_is_sent_and_logged_under_its_tick(koog, ticked, llm):
    llm.says(answer())

    line = synthesize(koog)

    assert (line["skip"], line["suggestion"], line["insight"]) == (False, TIP, INSIGHT)
    assert line["totalChars"] == len(TIP) + len(INSIGHT)
    assert lines(ticked)[-1] == {
        "_type": "output",
        "tickId": before(minutes=1),
        "ts": NOW,
        "output": {"suggestion": TIP, "insight": INSIGHT},
        "skipped": False,
        "skipReason": None,
        "failed": None,
    }


def test_of_a_note_of_many_megabytes_the_end_is_read_with_care_and_the_rest_passed_over(koog, ticked, llm):
    rows = "- the kiln was opened at noon, the glaze had run, all of it again\n" * 300_000
    note(ticked, f"{NOW[:10]}.md", rows + "- password: hunter2hunter2\n- the theodolite came back\n")
    llm.says(answer())
    started = time.process_time()

    synthesize(koog)

    assert time.process_time() - started < 2  # all of its 20 MB take three seconds
    (request,) = llm.requests
    sent = json.dumps(request)
    assert "the theodolite came back" in sent and "hunter2" not in sent


@pytest.mark.parametrize(("chars", "sent"), [(498, 498), (499, 499), (500, 499), (501, 499)])
def test_the_message_stays_under_500_characters(koog, ticked, llm, chars, sent):
    llm.says(answer("t" * 300, "i" * (chars - 300)))

    line = synthesize(koog)

    assert (line["skip"], line["totalChars"]) == (False, sent)
    assert line["insight"].endswith("…") is (chars > 499)


def test_a_cut_that_leaves_too_little_of_the_insight_skips(koog, ticked, llm):
    llm.says(answer("t" * 450, "i" * 200))

    line = synthesize(koog)

    assert (line["skip"], line["suggestion"], line["insight"], line["totalChars"]) == (True, None, None, 0)
    assert "under 50 characters" in line["skipReason"]


@pytest.mark.parametrize(
    "given",
    [answer(insight=""), answer(suggestion=None), {"skip": False}, answer(insight=f"{TIP}, as said"), {"skip": True}],
)
def test_half_a_message_or_the_same_twice_is_skipped(koog, ticked, llm, given):
    llm.says(given)

    assert synthesize(koog)["skip"] is True


@pytest.mark.parametrize(("days", "skip"), [(1, True), (6, True), (8, False)])
def test_a_repeat_of_the_last_weeks_outputs_is_skipped(koog, ticked, llm, days, skip):
    logged(ticked, entry(before(days=days), output=said("Before Metro starts, raise the inotify limit", "Other words")))
    llm.says(answer())

    line = synthesize(koog)

    assert line["skip"] is skip
    assert not skip or "repeats a recent output" in line["skipReason"]


def test_an_insight_that_the_playbook_says_already_is_skipped(koog, ticked, llm):
    playbook(ticked, "## Patterns", f"- {INSIGHT} (score: 0.7)")
    llm.says(answer())

    assert "obvious" in synthesize(koog)["skipReason"]


@pytest.mark.parametrize("engine", ["llm", "builtin"])
def test_a_skip_names_the_files_that_were_examined_and_is_logged_with_its_reason(koog, ticked, llm, engine):
    note(ticked, "2026-02-27.md", "- Wrote the release notes\n")
    if engine == "llm":
        llm.says({"skip": True, "skipReason": "nothing new"})

    line = synthesize(koog, "--engine", engine)

    assert line["skip"] is True
    assert {f"{LOGS}/2026-02-28.jsonl", "memory/2026-02-27.md", "memory/sinain-playbook-effective.md"} <= set(
        line["examined"]
    )
    for path in line["examined"]:
        assert path in line["skipReason"]
    row = lines(ticked)[-1]
    assert (row["output"], row["skipped"], row["skipReason"]) == (None, True, line["skipReason"])


def test_a_second_call_does_not_send_again_and_asks_nobody(koog, ticked, llm):
    llm.says(answer())
    synthesize(koog)
    kept = snapshot(ticked)

    line = synthesize(koog)

    assert line["skip"] is True
    assert "has its output already" in line["skipReason"]
    assert len(llm.requests) == 1
    assert snapshot(ticked) == kept


def test_after_a_skip_a_second_call_may_still_speak(koog, ticked, llm):
    llm.says({"skip": True, "skipReason": "nothing"}).says(answer())
    synthesize(koog)

    assert synthesize(koog)["skip"] is False


def test_the_feedback_of_the_next_tick_sees_the_output(koog, ticked, llm):
    llm.says(answer())
    synthesize(koog)
    logged(
        ticked,
        entry("2026-02-28T12:30:00Z", sessionHistorySummary="The user raised the inotify limit, so Metro starts"),
        entry("2026-02-28T12:40:00Z"),
        entry("2026-02-28T12:50:00Z"),
    )

    _, line = koog("feedback", "--now", "2026-02-28T12:51:00Z", "--engine", "builtin")

    assert line["feedbackScores"]["scored"] == [{"tickId": before(minutes=1), "score": 0.5, "source": "derived"}]


def test_an_output_after_midnight_still_belongs_to_its_tick(koog, workspace, llm):
    logged(workspace, entry("2026-02-28T23:59:00Z"))
    llm.says(answer())

    synthesize(koog, now="2026-03-01T00:00:10Z")

    assert lines(workspace, "2026-03-01")[0]["tickId"] == "2026-02-28T23:59:00Z"
    assert "has its output already" in synthesize(koog, now="2026-03-01T00:00:20Z")["skipReason"]


def test_the_output_is_joined_to_the_newest_tick(koog, ticked, llm):
    logged(ticked, entry(before(hours=3)))
    llm.says(answer())

    assert synthesize(koog)["tickId"] == before(minutes=1)


def test_a_secret_does_not_leave_in_a_message(koog, ticked, llm):
    llm.says(answer("Rotate sk-ant-abcdefghijklmnopqrstuvwxyz012345 today"))

    line = synthesize(koog)

    assert line["suggestion"] == "Rotate [redacted:anthropic] today"


def test_the_model_sees_three_days_of_notes_and_ticks_and_none_before(koog, ticked, llm):
    for day in (24, 25, 28):
        note(ticked, f"2026-02-{day}.md", f"- note of day {day}\n")
    logged(ticked, *(entry(before(days=n), sessionHistorySummary=f"tick {n} days ago") for n in (2, 4)))
    llm.says({"skip": True, "skipReason": "nothing"})

    synthesize(koog)

    user = llm.requests[0]["body"]["messages"][-1]["content"]
    assert [d for d in (24, 25, 28) if f"note of day {d}" in user] == [25, 28]
    assert [n for n in (2, 4) if f"tick {n} days ago" in user] == [2]


@pytest.mark.parametrize(
    "changes", ['{"added": ["Use Watchman"]}', '{"ok": true, "changes": {"added": ["Use Watchman"]}}']
)
def test_the_curators_changes_are_taken_bare_or_as_its_whole_line(koog, ticked, llm, changes):
    llm.says({"skip": True, "skipReason": "nothing"})

    synthesize(koog, "--curator-changes", changes)

    user = llm.requests[0]["body"]["messages"][-1]["content"]
    assert user.split("<changes>")[1].split("</changes>")[0].strip() == '{"added":["Use Watchman"]}'


@pytest.mark.parametrize("text", ["", "[]", "not json"])
def test_changes_that_are_none_are_a_usage_error(koog, ticked, text):
    code, line = koog("synthesize", "--now", NOW, "--curator-changes", text)

    assert (code, line["error"]["code"]) == (2, "usage")


def test_without_them_the_ticks_own_changes_are_taken(koog, workspace, llm):
    logged(workspace, entry(NOW, playbookChanges={"added": ["Use Watchman"], "pruned": [], "promoted": []}))
    llm.says({"skip": True, "skipReason": "nothing"})

    synthesize(koog)

    assert "Use Watchman" in llm.requests[0]["body"]["messages"][-1]["content"]


@pytest.mark.parametrize("how", ["status", "misfit", "cut"])
def test_a_failed_call_writes_nothing(koog, ticked, llm, how):
    kept = snapshot(ticked)
    {
        "status": lambda: llm.fails(401),
        "misfit": lambda: llm.says({"mood": "good"}),
        "cut": lambda: llm.says('{"skip": false, "suggestion": "Raise', finish="length"),
    }[how]()

    code, _ = koog("synthesize", "--now", NOW)

    assert code in (3, 6, 7)
    assert snapshot(ticked, without=[USAGE]) == kept


def test_the_builtin_engine_says_both_halves_or_why_not_on_a_real_month(koog, sample):
    logged(sample, entry("2026-02-28T11:00:00Z", sessionHistorySummary="The e2e login test failed again on Friday"))

    line = synthesize(koog)

    assert line["_meta"]["engine"] == "builtin"
    if line["skip"]:
        assert "memory/2026-02-27.md" in line["skipReason"]
    else:
        assert 0 < line["totalChars"] == len(line["suggestion"]) + len(line["insight"]) < 500


def test_the_changes_may_come_by_standard_input(workspace):
    logged(workspace, entry(NOW))

    done = process(
        "synthesize", "--now", NOW, "--curator-changes", "-", cwd=workspace, stdin='{"changes": {"added": []}}'
    )

    assert json.loads(done.stdout)["ok"] is True


def test_a_note_that_cannot_be_read_is_a_warning_and_is_not_called_examined(koog, ticked):
    (ticked.parent / "elsewhere.md").write_text("- a person's vault\n")
    (ticked / "memory/2026-02-28.md").symlink_to("../../elsewhere.md")
    note(ticked, "2026-02-27.md", "- Wrote the release notes\n")

    line = synthesize(koog)

    assert "memory/2026-02-27.md" in line["examined"]
    assert "memory/2026-02-28.md" not in line["examined"]
    assert any("2026-02-28.md leads outside" in w for w in line["_meta"]["warnings"])
