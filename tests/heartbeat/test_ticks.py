"""playbook-logs: which rows are ticks, and how outputs and scores find theirs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat import ticks
from tests.conftest import examples
from tests.logs import NOW, ODD_ENTRY, before, entry, logged, said, tick


@pytest.mark.parametrize("kind", ["curation", "output", "score", "heartbeat-v0"])
def test_a_record_of_another_kind_is_no_tick(kind):
    log = ticks.join([{"_type": kind, "ts": NOW, "tickId": "a", "actionsConsidered": []}])

    assert log.entries == ()


def test_an_entry_without_a_kind_and_one_of_the_kind_tick_are_ticks():
    log = ticks.join([entry(before(hours=1)), {**entry(NOW), "_type": "tick"}])

    assert [e["tickId"] for e in log.entries] == [NOW, before(hours=1)]


@pytest.mark.parametrize(
    "line",
    ["null", "", "   ", "[1, 2]", '"text"', "{", '{"ts": "2026-02', "not json", "\0\0\0", "7", '{"a": \ud800}'],
)
def test_a_null_or_malformed_line_is_passed_over_and_its_neighbours_are_read(line):
    text = "\n".join([json.dumps(entry(before(hours=1))), line, json.dumps(entry(NOW))])

    assert [row["ts"] for row in ticks.rows(text)] == [before(hours=1), NOW]


@pytest.mark.parametrize("ts", [None, 7, "", "yesterday", "2026-13-01T00:00:00Z", {}])
def test_an_entry_without_a_time_is_no_tick(ts):
    assert ticks.normalize({**entry(NOW), "ts": ts}) is None


@pytest.mark.parametrize("ts", ["2026-02-28T13:00:00+01:00", "2026-02-28T12:00:00", "2026-02-28 12:00:00+00:00"])
def test_times_are_read_with_any_offset_and_kept_in_utc(ts):
    assert tick(ts)["ts"] == NOW


def test_a_tick_without_an_id_is_known_by_its_time():
    assert ticks.normalize({"ts": "2026-02-28T13:00:00+01:00"})["tickId"] == NOW


def test_an_entry_with_a_recommended_action_and_an_output_but_no_scores_is_read():
    old = {
        "ts": NOW,
        "recommendedAction": {"action": "telegram_tip", "task": "raise the limit", "confidence": 0.7},
        "output": {"skip": False, "suggestion": "Raise it", "insight": "Twice now"},
    }

    found = ticks.normalize(old)

    assert found["actionsConsidered"] == [
        {"action": "telegram_tip", "chosen": True, "spawnId": None, "reason": "raise the limit"}
    ]
    assert found["output"] == {"suggestion": "Raise it", "insight": "Twice now"}
    assert found["feedbackScores"] is None


def test_an_older_entry_that_recommended_skipping_took_no_action():
    found = ticks.normalize({"ts": NOW, "recommendedAction": {"action": "skip"}})

    assert ticks.chosen(found) == []


def test_nested_playbook_changes_are_lifted():
    found = tick(NOW, playbookChanges={"changes": {"added": ["x"]}, "playbookLines": 4})

    assert found["playbookChanges"] == {"added": ["x"]}


@pytest.mark.parametrize("output", [{"skip": True, "suggestion": "x"}, {}, "text", {"suggestion": "  "}, []])
def test_what_says_nothing_is_no_output(output):
    assert tick(NOW, output=output)["output"] is None


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("ENOSPC twice", {"description": "ENOSPC twice", "priority": "medium"}),
        ({"description": "x", "priority": "high"}, {"description": "x", "priority": "high"}),
        ({"description": "x", "priority": "urgent"}, {"description": "x", "priority": "medium"}),
        ({"description": 4}, None),
        ("  ", None),
        (None, None),
    ],
)
def test_a_signal_is_an_object_or_a_bare_string(value, found):
    assert ticks.signal(value) == found


def test_only_spawns_and_tips_that_were_chosen_are_actions():
    rows = [
        {"action": "skip", "chosen": True},
        {"action": "telegram_tip", "chosen": False},
        {"action": "sessions_spawn", "chosen": True},
    ]

    assert ticks.chosen(tick(NOW, actionsConsidered=rows)) == rows[2:]


def test_an_output_finds_its_tick_by_id_wherever_it_stands():
    output = {"_type": "output", "tickId": before(hours=2), "output": said("Raise it", "Twice")}

    log = ticks.join([output, entry(before(hours=2)), entry(before(hours=1))])

    assert [e["output"] for e in log.entries] == [None, said("Raise it", "Twice")]


def test_a_recorded_skip_leaves_the_output_of_the_entry_itself():
    log = ticks.join([entry(NOW, output=said("Raise it")), {"_type": "output", "tickId": NOW, "output": None}])

    assert log.entries[0]["output"] == said("Raise it")


def test_the_last_score_of_a_tick_counts_and_stays_within_one():
    rows = [{"_type": "score", "tickId": "a", "compositeScore": s} for s in (0.2, 7)]

    assert ticks.join([*rows, {"_type": "score", "tickId": "b", "compositeScore": -7}]).scores == {"a": 1.0, "b": -1.0}


@pytest.mark.parametrize("score", [None, "0.4", True, [0.4]])
def test_what_is_no_number_is_no_score(score):
    assert ticks.join([{"_type": "score", "tickId": "a", "compositeScore": score}]).scores == {}


@settings(deadline=None, max_examples=examples(150))
@given(st.lists(ODD_ENTRY, max_size=4))
def test_whatever_stands_in_a_log_the_entries_have_the_contracts_keys_and_types(rows):
    for found in ticks.join(rows).entries:
        assert set(found) == {*ticks.KEYS, "degraded"}
        assert all(set(s) == {"description", "priority"} for s in found["signals"])
        assert all(isinstance(a, dict) for a in found["actionsConsidered"])
        assert isinstance(ticks.text_of(found), str)


def test_feedback_reads_seven_days_and_no_more(koog, workspace):
    for days in (0, 6, 8):
        moment = before(days=days, hours=1)
        logged(
            workspace,
            entry(moment, output=said("Raise it")),
            {"_type": "score", "tickId": moment, "ts": moment, "compositeScore": 0.5},
        )

    _, line = koog("feedback", "--now", NOW)

    assert line["effectiveness"]["outputs"] == 2


def test_a_tick_from_the_future_is_not_seen(koog, workspace):
    logged(workspace, entry("2026-02-28T12:00:01Z", output=said("Raise it")))

    code, line = koog("synthesize", "--now", NOW)

    assert (code, line["error"]["code"]) == (5, "refused")


@given(st.lists(st.integers(0, 40 * 24 * 60), min_size=0, max_size=60, unique=True), st.integers(1, 20))
def test_a_window_has_the_newest_and_begins_at_the_same_entry_for_six_hours(minutes, least):
    entries = [tick(before(minutes=m)) for m in sorted(minutes)]

    shown = ticks.window(entries, least=least)

    assert shown[:least] == entries[:least]
    assert shown == entries[: len(shown)]
    if len(entries) > len(shown) >= least:
        oldest, left = shown[-1]["ts"], entries[len(shown)]["ts"]
        assert (oldest[:10], int(oldest[11:13]) // 6) != (left[:10], int(left[11:13]) // 6)


# --- a log that ran wild


def wild(count: int) -> str:
    """Return a day's log of so many ticks, oldest first."""
    times = [before(seconds=count - n) for n in range(count)]
    return "".join(json.dumps(entry(ts, tickId=f"{ts}-{n}")) + "\n" for n, ts in enumerate(times))


@pytest.mark.parametrize("more", [0, 1, 5])
def test_of_more_lines_than_a_day_has_the_newest_count(more):
    text = wild(ticks.MOST_LINES + more)

    assert ticks.newest(text) == "".join(text.splitlines(keepends=True)[more:])


def test_a_short_log_is_read_whole_also_when_its_last_line_is_torn():
    for text in ("", "\n", "a", "a\n", "a\nb", "\n\n\n"):
        assert ticks.newest(text) == text


def test_a_log_that_ran_wild_is_told_and_stops_no_command(koog, workspace):
    path = workspace / "memory/playbook-logs" / f"{NOW[:10]}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text(wild(ticks.MOST_LINES + 500))

    _, line = koog("status", "--now", NOW)
    assert sum(week["ticks"] for week in line["history"]) == ticks.MOST_LINES
    assert line["lastTick"]["receipt"]
    assert any(f"more than {ticks.MOST_LINES} lines" in told for told in line["_meta"]["warnings"])

    _, line = koog("doctor", "--now", NOW)
    assert any(f"more than {ticks.MOST_LINES} lines in a day" in row["message"] for row in line["findings"])

    first = json.loads(path.read_text().partition("\n")[0])
    code, line = koog("log", "--now", NOW, "--entry", json.dumps({**first, "idle": True}))
    assert line["error"]["message"].startswith(f"tick {first['tickId']} is logged already")  # though nobody counts it
    code, line = koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW)))
    assert (code, line["created"]) == (0, True)


@pytest.mark.parametrize("tick_id", ["früh", "日本", "plain"])
def test_an_odd_id_is_known_again_however_a_program_wrote_it(koog, workspace, tick_id):
    logged(workspace, json.dumps(entry(NOW, tickId=tick_id)))  # json.dumps escapes what is not ASCII

    code, line = koog("log", "--now", NOW, "--entry", json.dumps(entry(NOW, tickId=tick_id)))

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "is logged already" in line["error"]["message"]
