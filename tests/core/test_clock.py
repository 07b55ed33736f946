"""The one clock: `--now`, UTC on the wire, the user's zone for days."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core import clock
from koog.core.errors import ConfigError, UsageError

NOON = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-02-28T12:00:00Z", NOON),
        ("2026-02-28T14:00:00+02:00", NOON),
        ("2026-02-28T12:00", NOON),
        ("2026-02-28 12:00:00", NOON),
        ("20260228T120000Z", NOON),
        ("2026-02-28", datetime(2026, 2, 28, tzinfo=UTC)),
        ("2026-02-28T12:00:00.250Z", NOON + timedelta(milliseconds=250)),
    ],
)
def test_an_iso_time_is_a_moment_in_utc(text, moment):
    found = clock.parse_now(text)

    assert found == moment
    assert found.tzinfo is UTC


def test_a_time_without_an_offset_is_utc_wherever_the_machine_stands(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert clock.parse_now("2026-02-28T12:00") == NOON
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


@pytest.mark.parametrize("text", ["", "now", "yesterday", "2026-02-30", "28.02.2026", "1772280000", "2026-02-28T25:00"])
def test_what_is_no_time_is_a_wrong_call(text):
    with pytest.raises(UsageError, match="--now"):
        clock.parse_now(text)


def test_without_now_it_is_now():
    before = datetime.now(UTC)

    assert before <= clock.parse_now(None) <= datetime.now(UTC)


@pytest.mark.parametrize(
    "value", [None, 5, 1.5, True, [], {}, "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]
)
def test_whatever_a_file_holds_in_a_times_place_is_no_error(value):
    assert clock.parse(value) is None


@given(
    st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1)),
    st.integers(min_value=-14 * 60, max_value=14 * 60),
)
def test_any_moment_comes_back_from_the_wire_to_the_second(naive, minutes):
    moment = naive.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=minutes)))

    text = clock.iso(moment)

    assert text.endswith("Z")
    assert clock.parse(text) == moment


def test_a_day_is_read_or_not():
    assert clock.parse_day("2026-02-28") == date(2026, 2, 28)
    assert clock.parse_day("2026-02-30") is None
    assert clock.parse_day("2026-02-28-slug") is None


def test_a_zone_is_known_by_its_name():
    assert clock.zone("UTC") is UTC
    assert NOON.astimezone(clock.zone("Asia/Kathmandu")).isoformat() == "2026-02-28T17:45:00+05:45"


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../../etc/passwd", "/etc/localtime", "Europe", "a\0b"])
def test_an_unknown_zone_is_a_config_error(name):
    with pytest.raises(ConfigError, match="timezone"):
        clock.zone(name)


def test_the_users_day_is_not_always_utcs(koog, workspace, monkeypatch):
    """A note of tomorrow in UTC is today's for a person further east, and so is mined with its date."""
    monkeypatch.setenv("KOOG_TIMEZONE", "Asia/Tokyo")
    (workspace / "memory/2026-03-01.md").write_text("- Decided to pin the versions of all pods\n")

    _, line = koog("--now", "2026-02-28T16:00:00Z", "mine")

    assert line["minedSources"] == ["2026-03-01.md"]
    assert "2026-03-01" in (workspace / "memory/sinain-playbook.md").read_text().split("\n", 1)[0]
