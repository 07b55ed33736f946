"""`koog usage`: the ledger summed up by command, model and day."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.errors import UsageError
from koog.operate import ledger, words
from koog.operate.usage import beginning, by, figures
from koog.operate.usage_view import sections
from tests.conftest import examples, process
from tests.logs import JSON, NOW, before

WHEN = datetime.fromisoformat(NOW)
LEDGER = "memory/meta/usage.jsonl"
DATED = "memory/meta/usage"
NOTHING = figures([])


@pytest.fixture
def usage(koog):
    """Return the reply of one sum at NOW."""

    def add_up(*argv: str) -> dict:
        code, line = koog("usage", "--now", NOW, *argv)
        assert code == 0, line
        return line

    return add_up


def call(ts: str = NOW, **more: object) -> dict:
    """Return a ledger line as koog writes it."""
    return {
        "ts": ts,
        "command": "tick",
        "task": "signal",
        "ok": True,
        "code": None,
        "model": "fast",
        "promptTokens": 100,
        "completionTokens": 10,
        "costUsd": 0.25,
        "ms": 40,
        "attempts": 1,
        **more,
    }


def ledge(workspace: Path, *rows: dict | str, name: str = LEDGER) -> Path:
    path = workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = (row if isinstance(row, str) else json.dumps(row, separators=(",", ":")) for row in rows)
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


# --- sums


def test_no_ledger_is_nothing_used(workspace, usage):
    line = usage()

    assert line["total"] == NOTHING
    assert (line["byCommand"], line["byModel"], line["byDay"], line["unreadable"]) == ([], [], [], 0)
    assert (line["since"], line["until"]) == ("2026-01-30T00:00:00Z", NOW)
    assert line["budget"] == {"tokensUsed": 0, "tokensPerDay": None, "usdUsed": 0, "usdPerDay": None}


def test_a_real_call_and_a_failed_one_are_counted(workspace, llm, koog, usage):
    llm.says({"interpretation": "Nothing was taken up."})
    koog("feedback", "--now", NOW)
    llm.fails(401)
    koog("feedback", "--now", NOW)

    line = usage()

    assert (line["total"]["calls"], line["total"]["failed"]) == (2, 1)
    assert line["total"]["promptTokens"] > 0
    assert [r["command"] for r in line["byCommand"]] == ["feedback"]
    assert line["byModel"][-1]["model"] is None
    assert line["budget"]["tokensUsed"] == line["total"]["promptTokens"] + line["total"]["completionTokens"]


def test_calls_are_summed_up_by_command_model_and_day_the_most_tokens_first(workspace, usage):
    ledge(
        workspace,
        call(before(days=1)),
        call(model="smart", command="mine", promptTokens=500, costUsd=0.5, estimated=True),
        call(ok=False, model=None, promptTokens=None, completionTokens=None, costUsd=None, ms=None),
    )

    line = usage()

    fast = {**NOTHING, "calls": 1, "promptTokens": 100, "completionTokens": 10, "usd": 0.25, "ms": 40}
    smart = {**fast, "promptTokens": 500, "estimatedCalls": 1, "usd": 0.5}
    failed = {**NOTHING, "calls": 1, "failed": 1}
    both = {**fast, "calls": 2, "failed": 1}
    assert line["total"] == {
        "calls": 3,
        "failed": 1,
        "promptTokens": 600,
        "completionTokens": 20,
        "estimatedCalls": 1,
        "usd": 0.75,
        "ms": 80,
    }
    assert line["byCommand"] == [{"command": "mine", **smart}, {"command": "tick", **both}]
    assert line["byModel"] == [{"model": "smart", **smart}, {"model": "fast", **fast}, {"model": None, **failed}]
    assert line["byDay"] == [
        {"day": "2026-02-27", **fast},
        {"day": "2026-02-28", **{**smart, "calls": 2, "failed": 1}},
    ]


def test_a_day_is_one_of_the_users_calendar(workspace, usage, monkeypatch):
    monkeypatch.setenv("KOOG_TIMEZONE", "Asia/Tokyo")
    ledge(workspace, call("2026-02-27T14:59:59Z"), call("2026-02-27T15:00:00Z"))

    assert [(r["day"], r["calls"]) for r in usage()["byDay"]] == [("2026-02-27", 1), ("2026-02-28", 1)]


def test_the_budget_is_that_of_status(workspace, koog, usage, monkeypatch):
    monkeypatch.setenv("KOOG_BUDGET_USD_PER_DAY", "2.5")
    ledge(workspace, call(), call(before(days=1)))
    _, status = koog("status", "--now", NOW)

    line = usage()

    assert line["budget"] == {"tokensUsed": 110, "tokensPerDay": None, "usdUsed": 0.25, "usdPerDay": 2.5}
    assert line["budget"] == status["budget"]


def test_nothing_is_written(workspace, usage):
    ledge(workspace, call())
    whole = {p: p.stat().st_mtime_ns for p in sorted(workspace.rglob("*"))}

    usage()

    assert {p: p.stat().st_mtime_ns for p in sorted(workspace.rglob("*"))} == whole


FIGURE = st.integers(0, 10**6)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), FIGURE, FIGURE, st.booleans()), max_size=20))
@settings(deadline=None)
def test_the_rows_of_each_kind_add_up_to_the_total(rows):
    calls = [
        ledger.Call(WHEN, command, model, prompt, completion, False, 0.5, 1, failed)
        for command, model, prompt, completion, failed in rows
    ]

    total = figures(calls)

    for name, key in (("command", lambda c: c.command), ("model", lambda c: c.model)):
        groups = by(calls, name, key)
        for figure in total:
            assert sum(g[figure] for g in groups) == pytest.approx(total[figure])


# --- since


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1d", "2026-02-28T00:00:00+01:00"),
        ("0d", "2026-02-28T00:00:00+01:00"),
        ("7d", "2026-02-22T00:00:00+01:00"),
        ("9999d", "1998-10-15T00:00:00+02:00"),
        ("2026-02-01", "2026-02-01T00:00:00+01:00"),
        ("2025-07-01", "2025-07-01T00:00:00+02:00"),
        ("2026-02-01T06:30:00Z", "2026-02-01T06:30:00+00:00"),
        ("2026-02-01T06:30:00+05:00", "2026-02-01T06:30:00+05:00"),
        (NOW, NOW),
    ],
)
def test_since_is_days_back_a_day_or_a_moment(text, moment):
    found = beginning(text, now=WHEN, zone=ZoneInfo("Europe/Zurich"))

    assert found == datetime.fromisoformat(moment)


@pytest.mark.parametrize("text", ["", "7", "d", "-1d", "7w", "12345d", "2026-13-01", "yesterday", "0001-01-01", "１d"])
def test_another_since_is_a_wrong_call(text):
    with pytest.raises(UsageError):
        beginning(text, now=WHEN, zone=UTC)


@pytest.mark.parametrize("text", ["2026-03-01", "2026-02-28T12:00:01Z"])
def test_a_since_that_lies_ahead_is_a_wrong_call(workspace, koog, text):
    code, line = koog("usage", "--now", NOW, "--since", text)

    assert code == 2
    assert "lies ahead" in line["error"]["message"]


def test_calls_before_since_and_after_now_do_not_count(workspace, usage):
    moments = ("2026-02-26T23:59:59Z", "2026-02-27T00:00:00Z", NOW, "2026-02-28T12:00:01Z")
    ledge(workspace, *map(call, moments))

    assert usage("--since", "2026-02-27")["total"]["calls"] == 2


def test_lines_out_of_order_are_found(workspace, usage):
    ledge(workspace, call(), call("2020-01-01T00:00:00Z"), call(before(days=2)))

    assert usage("--since", "3d")["total"]["calls"] == 2


def test_a_line_of_another_offset_counts_by_its_moment(workspace, usage):
    ledge(workspace, call("2026-01-31T23:30:00-05:00"), call("2026-02-01T04:00:00+05:00"))

    assert usage("--since", "2026-02-01T00:00:00Z")["byDay"][0]["calls"] == 1


# --- the months put away


def test_the_months_put_away_count_as_far_as_since_reaches(workspace, usage):
    for month in ("2025-12", "2026-01"):
        ledge(workspace, call(f"{month}-15T00:00:00Z"), call(f"{month}-31T23:30:00Z"), name=f"{DATED}/{month}.jsonl")
    ledge(workspace, call("2026-02-01T00:00:00Z"))
    ledge(workspace, "not of koog", name=f"{DATED}/readme.jsonl")

    assert usage("--since", "2026-02-01")["total"]["calls"] == 1
    assert usage("--since", "2026-01-31")["total"]["calls"] == 2
    assert usage("--since", "2025-12-01")["total"]["calls"] == 5


def test_a_month_in_the_users_zone_may_begin_in_the_file_before(workspace, usage, monkeypatch):
    monkeypatch.setenv("KOOG_TIMEZONE", "Asia/Tokyo")
    ledge(workspace, call("2026-01-31T15:00:00Z"), name=f"{DATED}/2026-01.jsonl")

    assert usage("--since", "2026-02-01")["byDay"][0]["day"] == "2026-02-01"


def test_a_month_before_since_is_not_opened(workspace, usage):
    ledge(workspace, name=f"{DATED}/2025-01.jsonl").unlink()
    (workspace / DATED / "2025-01.jsonl").symlink_to("/etc/hostname")  # to read it would be refused

    assert usage("--since", "7d")["total"]["calls"] == 0


def test_a_year_of_calls_is_summed_up_in_one_short_line(workspace, usage):
    moments = [WHEN - timedelta(hours=n) for n in range(365 * 24)]
    by_month: dict[str, list[dict]] = {}
    for moment in reversed(moments):
        by_month.setdefault(f"{moment:%Y-%m}", []).append(call(f"{moment:%Y-%m-%dT%H:%M:%SZ}"))
    for month, rows in by_month.items():
        ledge(workspace, *rows, name=LEDGER if month == "2026-02" else f"{DATED}/{month}.jsonl")

    month, year = usage(), usage("--since", "365d")

    assert month["total"]["calls"] == 29 * 24 + 13
    assert len(month["byDay"]) == 30
    assert "truncated" not in month["_meta"]
    assert year["total"]["calls"] == 364 * 24 + 13
    assert year["total"]["usd"] == 0.25 * (364 * 24 + 13)
    assert len(year["byDay"]) == 35
    assert year["byDay"][-1]["day"] == "2026-02-28"
    assert year["_meta"]["truncated"] is True
    assert len(json.dumps(year)) < 10_000


def test_of_many_models_the_greatest_are_told_and_the_line_stays_short(workspace, usage):
    ledge(workspace, *(call(model=f"{'m' * 70}-{n}", promptTokens=n) for n in range(1, 31)))

    line = usage()

    assert [r["promptTokens"] for r in line["byModel"]] == list(range(30, 15, -1))
    assert line["total"]["calls"] == 30
    assert line["_meta"]["warnings"] == ["byModel shows 15 of 30 rows; total has them all"]


# --- lines that are none


@pytest.mark.parametrize(
    "line",
    [
        '{"ts":"2026-02-28T11:00:00Z","promptTok',
        "[]",
        "null",
        "7",
        "{}",
        '{"ts":"soon"}',
        json.dumps({**call(), "ts": 7}),
        json.dumps({**call(), "promptTokens": "many"}),
        json.dumps({**call(), "promptTokens": -1}),
        json.dumps({**call(), "promptTokens": True}),
        json.dumps({**call(), "costUsd": 1e300}),
        json.dumps({**call(), "ms": [1]}),
        '{"ts":"2026-02-28T11:00:00Z","costUsd":1e999}',
    ],
)
def test_a_torn_or_foreign_line_is_counted_and_takes_no_other_with_it(workspace, usage, line):
    ledge(workspace, call(), line, call())

    reply = usage()

    assert reply["unreadable"] == 1
    assert reply["total"]["calls"] == 2


def test_blank_and_zeroed_lines_are_none_and_a_torn_end_is_one(workspace, usage):
    path = ledge(workspace, call(), "", "  ", call())
    path.write_bytes(b"\0\0\n" + path.read_bytes() + b"\xff\xfe\n" + b'{"ts":"2026-02-28T1')

    reply = usage()

    assert (reply["total"]["calls"], reply["unreadable"]) == (2, 2)


def test_names_of_another_kind_are_no_names(workspace, usage):
    ledge(workspace, call(command=["x"], model={"a": 1}))

    line = usage()

    assert (line["byCommand"][0]["command"], line["byModel"][0]["model"]) == (None, None)


@given(st.dictionaries(st.sampled_from(list(call())), JSON) | JSON)
@settings(max_examples=examples(150), deadline=None)
def test_whatever_stands_in_a_line_it_is_a_call_with_sound_figures_or_none(value):
    found = ledger.parse(json.dumps(value).encode())

    assert found is None or min(found.prompt, found.completion, found.usd, found.ms) >= 0


def test_a_ledger_that_is_no_file_is_a_failure_of_the_workspace(workspace, koog):
    (workspace / LEDGER).mkdir(parents=True)

    code, line = koog("usage")

    assert code == 8
    assert line["error"]["code"] == "workspace"


# --- for people


def test_a_person_sees_tables_of_80_columns(workspace):
    model = "anthropic/claude-sonnet-4.6"
    ledge(workspace, *(call(before(days=n), model=model, promptTokens=10**6 * n) for n in range(9)), "torn")

    done = process("usage", "--human", "--now", NOW, cwd=workspace)

    assert done.returncode == 0
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    assert not set(done.stdout) & set("{}\x1b")
    assert "By model" in done.stdout
    assert "36,000,000" in done.stdout
    assert "1 line of the ledger" in done.stdout


def test_a_person_sees_no_table_where_there_is_nothing(workspace, usage):
    keys = {k: v for k, v in usage().items() if k not in ("ok", "_meta")}

    shown = sections(keys)

    assert [s.title for s in shown] == [""]
    assert [row[0].text for row in shown[0].rows] == ["from", "calls", "tokens", "cost", "today"]


@given(st.floats(0, 10, allow_nan=False), st.integers(1, 40))
def test_a_bar_has_its_width_and_shows_whatever_is_more_than_nothing(share, width):
    drawn = words.bar(share, width=width)

    assert len(drawn) == width
    assert (words.FULL in drawn) is (share > 0)


@given(st.timedeltas(timedelta(0), timedelta(days=4000)))
def test_a_span_is_never_told_longer_than_it_is(length):
    told = words.span(length)
    count, unit = (*told.removeprefix("under ").split(), "")[:2]
    size = {"min": 60, "h": 3600, "day": 86400, "days": 86400, "week": 604800, "weeks": 604800}[unit]

    assert told.startswith("under") or 0 <= length.total_seconds() - int(count) * size < size


def test_a_moment_to_come_is_told_as_such_and_none_as_a_dash():
    assert words.ago("2026-02-28T13:30:00Z", WHEN) == "in 90 min"
    assert words.ago(None, WHEN) == "–"
