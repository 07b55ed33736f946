"""Which action may be taken: idle, stale item, daily minimum, then the filters.  [sinain §4.3, §6.3, §6.4]"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from koog.heartbeat import actions, spawns
from koog.playbook import item
from tests.logs import before, did, tick

NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
STALE = item.parse("- The nightly restic job times out [since: 2026-02-20]")
TASK = "raise the inotify limit for Metro"
ACTED = tick(before(hours=3), actionsConsidered=did("telegram_tip", "send the invoice"))
REPEATED = tick(before(hours=3), actionsConsidered=did("telegram_tip", f"recommended: {TASK}"))
DAY_OLD = tick(before(hours=24))
SIGNALS = [{"description": "quiet", "priority": "low"}, {"description": "ENOSPC twice", "priority": "high"}]


def decide(
    action="telegram_tip",
    task=TASK,
    confidence=0.8,
    *,
    signals=(),
    idle=False,
    items=(),
    entries=(ACTED,),
    threshold=0.5,
):
    return actions.decide(
        {"action": action, "task": task, "confidence": confidence},
        signals=signals,
        idle=idle,
        items=items,
        entries=entries,
        spawns=spawns.Spawns((), (), 0, threshold),
        now=NOW,
    )


@pytest.mark.parametrize(
    ("idle", "stale", "acted", "confidence", "repeated", "rule"),
    [
        # idle goes first
        (True, True, False, 0.9, False, "idle"),
        (True, False, True, 0.9, False, "idle"),
        # then a stale item, over the daily minimum and both filters
        (False, True, False, 0.9, False, "stale-item"),
        (False, True, True, 0.1, True, "stale-item"),
        # then the daily minimum, over both filters
        (False, False, False, 0.1, False, "daily-minimum"),
        (False, False, False, 0.9, False, "recommended"),  # it needs no help
        # then confidence, then repetition
        (False, False, True, 0.1, True, "low-confidence"),
        (False, False, True, 0.9, True, "repeat"),
        (False, False, True, 0.9, False, "recommended"),
    ],
)
def test_the_rules_in_their_order(idle, stale, acted, confidence, repeated, rule):
    entries = [*(e for e, there in ((ACTED, acted), (REPEATED, repeated)) if there), DAY_OLD]

    found = decide(confidence=confidence, idle=idle, items=[STALE] if stale else [], entries=entries)

    assert found.rule == rule
    assert (found.action == "skip") is (rule in ("idle", "low-confidence", "repeat"))


@pytest.mark.parametrize(("confidence", "action"), [(0.49, "skip"), (0.5, "telegram_tip"), (0.51, "telegram_tip")])
def test_a_confidence_under_a_half_is_skipped(confidence, action):
    assert decide(confidence=confidence).action == action


@pytest.mark.parametrize(
    ("action", "confidence", "rule"),
    [
        ("sessions_spawn", 0.74, "ignored-spawns"),
        ("sessions_spawn", 0.75, "recommended"),
        ("telegram_tip", 0.6, "recommended"),  # ignored spawns say nothing about tips
    ],
)
def test_after_ignored_spawns_the_next_spawn_needs_more(action, confidence, rule):
    assert decide(action, confidence=confidence, threshold=0.75).rule == rule


@pytest.mark.parametrize(
    ("earlier", "repeats"),
    [
        ("alpha bravo charlie", True),  # all of the shorter
        ("alpha bravo charlie delta xray", True),  # 4 of 5
        ("alpha bravo charlie xray yankee", False),  # 3 of 5 is 60%, not over it
        ("xray yankee zulu", False),
    ],
)
def test_a_task_that_shares_over_sixty_percent_of_its_words_is_a_repeat(earlier, repeats):
    entries = [tick(before(hours=3), actionsConsidered=did("telegram_tip", earlier))]

    assert actions.repeats("alpha bravo charlie delta echo", entries, now=NOW) is repeats


@pytest.mark.parametrize(("hours", "rule"), [(23.9, "repeat"), (24, "recommended")])
def test_a_task_may_come_again_after_a_day(hours, rule):
    again = tick(before(hours=hours), actionsConsidered=did("telegram_tip", TASK))

    assert decide(entries=[again]).rule == rule


def test_what_was_weighed_and_left_is_not_repeated_by_doing_it():
    left = {**did("telegram_tip", TASK)[0], "chosen": False}

    assert decide(entries=[ACTED, tick(before(hours=3), actionsConsidered=[left])]).rule == "recommended"


@pytest.mark.parametrize(("hours", "rule"), [(23.99, "low-confidence"), (24, "daily-minimum"), (30, "daily-minimum")])
def test_a_day_without_an_action_takes_the_best_there_is(hours, rule):
    last = tick(before(hours=hours), actionsConsidered=did("telegram_tip", "send the invoice"))

    assert decide(confidence=0.1, entries=[last]).rule == rule


@pytest.mark.parametrize("entries", [[], [tick(before(hours=23.9))]])
def test_before_a_day_has_gone_by_nothing_is_done_for_the_sake_of_it(entries):
    assert decide(confidence=0.1, entries=entries).rule == "low-confidence"
    assert decide("skip", None, 0.0, signals=SIGNALS, entries=entries).rule == "no-signal"


def test_a_day_without_an_action_makes_a_tip_of_the_weightiest_signal():
    found = decide("skip", None, 0.0, signals=SIGNALS, entries=[DAY_OLD])

    assert (found.action, found.task, found.rule) == ("telegram_tip", "ENOSPC twice", "daily-minimum")


def test_a_day_without_an_action_and_without_a_signal_is_skipped():
    assert decide("skip", None, 0.0, entries=[DAY_OLD]).rule == "no-signal"


@pytest.mark.parametrize("task", [None, "", "   "])
def test_an_action_without_a_task_is_none(task):
    assert decide("sessions_spawn", task).rule == "no-signal"


def test_a_stale_item_becomes_a_spawn_that_names_it_and_since_when():
    found = decide(items=[STALE])

    assert found.action == "sessions_spawn"
    assert found.task == "Resolve, open since 2026-02-20: The nightly restic job times out"
    assert found.suppressed == {"action": "telegram_tip", "task": TASK, "confidence": 0.8}


def test_what_a_rule_sets_aside_is_told_and_skipping_sets_nothing_aside():
    assert decide(idle=True).suppressed == {"action": "telegram_tip", "task": TASK, "confidence": 0.8}
    assert decide("skip", None, 0.0, idle=True).suppressed is None
    assert decide().suppressed is None


@pytest.mark.parametrize(
    ("task", "rule"),
    [
        ("Find root cause for: disk quota exceeded on the runner", "recommended"),
        ("Find root cause for: ECONNRESET in the upload worker again", "repeat"),
        ("Debug: ECONNRESET", "repeat"),
    ],
)
def test_another_error_is_no_repeat_for_the_words_that_every_task_has(task, rule):
    earlier = tick(before(hours=3), actionsConsidered=did("sessions_spawn", "Find root cause for: ECONNRESET"))

    assert decide("sessions_spawn", task, entries=(earlier,)).rule == rule
