"""The life of a fixable item: since, acted on, deferred.  [sinain §4.6]"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from koog.heartbeat import stale
from koog.playbook import item
from tests.logs import before, did, tick

OPEN = item.parse("- The nightly restic job times out at 03:00 [since: 2026-02-20]")
OTHER = item.parse("- The login test fails on Fridays [since: 2026-02-19]")
TAGGED = datetime(2026, 2, 20, tzinfo=UTC)
NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
TASK = "stale-item: Resolve, open since 2026-02-20: The nightly restic job times out at 03:00"


def acted(*hours, task=TASK):
    """Return ticks, newest first, that acted on the item so many hours before NOW."""
    return [tick(before(hours=h), actionsConsidered=did("sessions_spawn", task)) for h in sorted(hours)]


@pytest.mark.parametrize(("age", "due"), [("47:59", False), ("48:00", True), ("48:01", True)])
def test_an_item_is_due_at_48_hours(age, due):
    hours, minutes = map(int, age.split(":"))

    found = stale.due([OPEN], [], now=TAGGED + timedelta(hours=hours, minutes=minutes))

    assert (found is not None) is due


@pytest.mark.parametrize(("since_last", "due"), [("23:59", False), ("24:00", True)])
def test_the_next_action_on_an_item_comes_a_day_after_the_last(since_last, due):
    hours, minutes = map(int, since_last.split(":"))

    found = stale.due([OPEN], acted(hours + minutes / 60), now=NOW)

    assert (found is not None) is due


@pytest.mark.parametrize(("taken", "due"), [(0, True), (1, True), (2, True), (3, False), (4, False)])
def test_after_three_actions_there_is_none_any_more(taken, due):
    found = stale.due([OPEN], acted(*[24 * (n + 1) for n in range(taken)]), now=NOW)

    assert (found is not None) is due
    assert found is None or found.actions == taken


def test_the_oldest_item_comes_first():
    found = stale.due([OPEN, OTHER], [], now=NOW)

    assert found.item == OTHER


def test_an_item_that_had_its_action_today_lets_the_next_one_pass():
    found = stale.due([OPEN, OTHER], acted(2, task="The login test fails on Fridays"), now=NOW)

    assert found.item == OPEN


@pytest.mark.parametrize(
    "line",
    [
        "- The nightly restic job times out",
        '- The nightly restic job times out [deferred: 2026-02-20, reason: "x"]',
        '- The job times out [since: 2026-02-20] [deferred: 2026-02-21, reason: "x"]',
        "- The nightly restic job times out [since: 2026-02-31]",
    ],
)
def test_an_untagged_a_deferred_and_a_misdated_item_are_never_due(line):
    assert stale.due([item.parse(line)], [], now=NOW) is None


def test_only_actions_since_the_tag_and_about_the_item_count():
    entries = [*acted(24), *acted(48, task="Research GPX export"), *acted(24 * 9)]

    assert len(stale.actions_on(OPEN, entries)) == 1


def test_an_action_that_was_weighed_and_left_does_not_count():
    left = {**did("sessions_spawn", TASK)[0], "chosen": False}

    assert stale.actions_on(OPEN, [tick(before(hours=24), actionsConsidered=[left])]) == []


@pytest.mark.parametrize(("taken", "exhausted"), [(2, False), (3, True)])
def test_three_actions_exhaust_an_item_that_still_stands(taken, exhausted):
    assert stale.exhausted(OPEN, acted(*[24 * (n + 1) for n in range(taken)])) is exhausted


def test_the_deferred_tag_takes_the_place_of_the_first_one():
    found = stale.deferred(OPEN, today=date(2026, 2, 28)).render()

    assert found == (
        '- The nightly restic job times out at 03:00 [deferred: 2026-02-28, reason: "3 actions without resolution"]'
    )
