"""Cron expressions: the minutes they hold, and what is none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.topics.triggers.schedule import DAYS, FIELDS, MONTHS, parse

FRIDAY = datetime(2026, 2, 27, 8, 30, tzinfo=UTC)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 12, 31))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("30 8 * * *", True),
        ("31 8 * * *", False),
        ("*/15 * * * *", True),
        ("*/7 * * * *", False),
        ("5-45/5 8-17 * * mon-fri", True),
        ("0,30 8 * feb FRI", True),
        ("30 8 * * 5", True),
        ("30 8 * * 0,7", False),
        ("30 8 27 * *", True),
        ("30 8 1 * 5", True),  # either day is enough when both are given
        ("30 8 27 * 1", True),
        ("30 8 1 * 1", False),
        ("30 8 */2 * 5", True),  # a star with a step still restricts: both must fit
        ("30 8 */2 * 1", False),
        ("30/10 8 * * *", True),
        ("@hourly", False),
    ],
)
def test_a_schedule_holds_its_minutes(text, holds):
    assert parse(text).holds(FRIDAY) is holds


@pytest.mark.parametrize("text", ["0 0 * * 0", "0 0 * * 7", "0 0 * * sun", "@weekly"])
def test_sunday_has_three_names(text):
    sunday = datetime(2026, 3, 1, tzinfo=UTC)

    assert parse(text).holds(sunday)
    assert not parse(text).holds(sunday + timedelta(days=1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has 0 fields"),
        ("0 8 * *", "has 4 fields"),
        ("0 8 * * * *", "has 6 fields"),
        ("60 8 * * *", "minute: '60' is not from 0 to 59"),
        ("0 24 * * *", "hour: '24'"),
        ("0 8 0 * *", "day of month: '0'"),
        ("0 8 * 13 *", "month: '13'"),
        ("0 8 * * 8", "day of week: '8'"),
        ("0 8 * * monday", "day of week: 'monday'"),
        ("10-5 8 * * *", "runs backwards"),
        ("*/0 8 * * *", "step '0'"),
        ("*/x 8 * * *", "step 'x'"),
        ("1, 8 * * *", "minute: ''"),
        ("-1 8 * * *", "minute: ''"),
        ("٣ 8 * * *", "minute: '٣'"),
        ("0 8 31 2,4 *", "no such day in that month"),
        ("9" * 5000 + " 8 * * *", "is not from 0 to 59"),
    ],
)
def test_what_is_no_schedule_says_where(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


@given(MOMENTS)
def test_five_stars_hold_every_minute(moment):
    assert parse("* * * * *").holds(moment)


@given(MOMENTS)
def test_the_schedule_that_is_written_of_a_moment_holds_it_and_no_neighbour(moment):
    schedule = parse(f"{moment.minute} {moment.hour} {moment.day} {MONTHS[moment.month - 1]} *")

    assert schedule.holds(moment)
    assert not schedule.holds(moment + timedelta(minutes=1))
    assert not schedule.holds(moment - timedelta(minutes=1))


@given(st.data(), st.sampled_from(range(5)))
def test_a_field_holds_what_its_text_says(data, place):
    field = FIELDS[place]
    low = data.draw(st.integers(field.low, field.high))
    high = data.draw(st.integers(low, field.high))
    step = data.draw(st.integers(1, 70))
    parts = ["*"] * 5
    parts[place] = f"{low}-{high}/{step}"
    if parts[2] != "*" and low > 29:
        return  # the thirtieth is in no February; parse() says so where no month has the day

    held = parse(" ".join(parts))[place]

    expected = set(range(low, high + 1, step))
    assert held == ({n % 7 for n in expected} if field.words == tuple(DAYS) else expected)
