"""What a day has cost so far, read from a ledger that many programs append to."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from koog.core.errors import Refused
from koog.core.files.workspace import Workspace
from koog.core.model import usage

NOW = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)


@pytest.fixture
def spent(tmp_path):
    """Return the day's sum of a ledger of these lines."""

    def read(*lines: object, zone=UTC, now: datetime = NOW) -> tuple[int, float]:
        path = tmp_path / "ws/memory/meta/usage.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
        return usage.spent(Workspace(tmp_path / "ws"), now=now, zone=zone)

    return read


def call(ts: str, prompt: object = 10, completion: object = 1, cost: object = 0.25) -> dict[str, object]:
    return {"ts": ts, "promptTokens": prompt, "completionTokens": completion, "costUsd": cost}


def test_no_ledger_is_nothing_spent(tmp_path):
    assert usage.spent(Workspace(tmp_path), now=NOW, zone=UTC) == (0, 0.0)


def test_the_calls_of_today_are_added_up(spent):
    assert spent(call("2026-02-28T00:00:00Z"), call("2026-02-28T12:00:00Z", cost=None)) == (22, 0.25)


@pytest.mark.parametrize(
    ("ts", "counts"),
    [
        ("2026-02-27T14:59:59Z", False),
        ("2026-02-27T15:00:00Z", True),
        ("2026-02-28T14:59:59Z", True),
        ("2026-02-28T15:00:00Z", False),
    ],
)
def test_today_is_a_day_of_the_users_calendar(spent, ts, counts):
    tokens, _ = spent(call(ts), zone=ZoneInfo("Asia/Tokyo"))

    assert tokens == (11 if counts else 0)


def test_lines_out_of_order_hide_no_others(spent):
    """`--now` of a test or a backfill puts an older moment behind today's calls."""
    assert spent(call("2026-02-28T11:00:00Z"), call("2020-01-01T00:00:00Z"), call("2030-01-01T00:00:00Z"))[0] == 11


@pytest.mark.parametrize(
    "line",
    [
        "",
        '{"ts": "2026-02-28T11:0',
        "null",
        "[]",
        "{}",
        '{"ts": null}',
        '{"ts": 5, "promptTokens": 5}',
        '{"ts": "yesterday"}',
        '{"ts": "2026-02-28T11:00:00Z", "promptTokens": "many"}',
        '{"ts": "2026-02-28T11:00:00Z", "promptTokens": [1]}',
        '{"ts": "2026-02-28T11:00:00Z", "costUsd": {}}',
    ],
)
def test_a_torn_or_foreign_line_is_passed_over(spent, line):
    assert spent(call("2026-02-28T10:00:00Z"), line, call("2026-02-28T11:00:00Z"))[0] == 22


@pytest.mark.parametrize(
    ("tokens", "coming", "limit", "refused"),
    [(0, 100, 100, False), (0, 101, 100, True), (99, 1, 100, False), (100, 0, 100, False), (100, 1, 100, True)],
)
def test_tokens_may_reach_their_limit_and_not_pass_it(tokens, coming, limit, refused):
    assert refuses(tokens=tokens, usd=0.0, coming=coming, tokens_limit=limit, usd_limit=None) is refused


@pytest.mark.parametrize(("usd", "limit", "refused"), [(0.99, 1.0, False), (1.0, 1.0, True), (0.0, 0, True)])
def test_money_that_has_reached_its_limit_is_spent(usd, limit, refused):
    """What a call will cost is not known before, so the call that passes the limit is the last."""
    assert refuses(tokens=10**9, usd=usd, coming=10**9, tokens_limit=None, usd_limit=limit) is refused


def test_without_limits_nothing_is_refused():
    assert not refuses(tokens=10**9, usd=1e9, coming=10**9, tokens_limit=None, usd_limit=None)


def test_an_endpoint_that_counts_no_tokens_does_not_get_around_the_budget(koog, workspace, llm, monkeypatch):
    ask = ("signal", "--session-summary", "Metro stopped again. " * 100)
    llm.says({"signals": [], "recommendedAction": {"action": "skip", "task": None, "confidence": 0}}, usage=None)
    assert koog(*ask)[0] == 0
    (entry,) = [json.loads(line) for line in (workspace / "memory/meta/usage.jsonl").read_text().splitlines()]
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", str(2 * entry["promptTokens"]))

    code, line = koog(*ask)

    assert entry["estimated"] is True
    assert entry["promptTokens"] > 500 and entry["completionTokens"] > 0
    assert (code, line["error"]["message"][:7]) == (5, "budget:")


def refuses(**figures) -> bool:
    try:
        usage.check(**figures)
    except Refused as e:
        assert e.message.startswith("budget: ")
        return True
    return False
