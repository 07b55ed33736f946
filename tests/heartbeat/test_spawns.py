"""What became of the spawned subagents, counted over ticks.  [sinain §6.3]"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat import spawns, ticks
from tests.conftest import examples
from tests.logs import ODD_ENTRY, before, did, tick

OUTCOMES = ("useful", "ignored", "error", "timeout")  # sinain §6.3


def after(*told):
    """Return the state after ticks, in order of time: "spawn:ID", an outcome, or "" for a tick with neither."""
    entries = []
    for n, word in enumerate(told):
        kind, _, name = word.partition(":")
        more = {"actionsConsidered": did("sessions_spawn", "find it", name or None)} if kind == "spawn" else {}
        outcome = {"outcome": kind, "spawnId": name or None} if kind in OUTCOMES else None
        entries.append(tick(before(hours=len(told) - n), spawnOutcome=outcome, **more))
    return spawns.track(list(reversed(entries)))


@pytest.mark.parametrize(("quiet", "awaited", "late"), [(0, 1, 0), (1, 1, 0), (2, 1, 0), (3, 0, 1), (9, 0, 1)])
def test_a_spawn_without_a_result_for_three_ticks_has_timed_out(quiet, awaited, late):
    found = after("spawn:a", *[""] * quiet)

    assert (len(found.awaited), len(found.timed_out)) == (awaited, late)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_outcome_closes_the_spawn_it_names(outcome):
    found = after("spawn:a", "spawn:b", f"{outcome}:b")

    assert [s.id for s in found.awaited] == ["a"]


def test_an_outcome_without_a_name_closes_the_oldest():
    assert [s.id for s in after("spawn:a", "spawn:b", "useful").awaited] == ["b"]


def test_an_outcome_for_a_spawn_nobody_knows_closes_none():
    assert [s.id for s in after("spawn:a", "useful:x").awaited] == ["a"]


def test_a_spawn_without_an_id_is_known_by_its_tick():
    found = after("spawn").awaited[0]

    assert found.id == found.tick_id == before(hours=1)


def test_a_tip_is_no_spawn():
    assert spawns.track([tick(before(hours=1), actionsConsidered=did("telegram_tip", "x"))]).awaited == ()


@pytest.mark.parametrize(
    ("outcomes", "ignored", "threshold"),
    [
        ([], 0, 0.5),
        (["ignored", "ignored"], 2, 0.5),
        (["ignored", "ignored", "ignored"], 3, 0.75),
        (["ignored"] * 5, 5, 0.75),
        (["ignored", "ignored", "useful", "ignored"], 1, 0.5),
        (["ignored", "ignored", "ignored", "useful"], 0, 0.5),  # one useful resets
        (["ignored", "error", "ignored", "timeout", "ignored"], 3, 0.75),  # neither says what the user wants
    ],
)
def test_three_ignored_raise_the_threshold_and_one_useful_resets_it(outcomes, ignored, threshold):
    found = after(*outcomes)

    assert (found.ignored, found.threshold) == (ignored, threshold)


def test_a_bare_word_is_an_outcome():
    entries = [tick(before(hours=h), spawnOutcome="ignored") for h in (1, 2, 3)]

    assert spawns.track(entries).threshold == 0.75


@settings(deadline=None, max_examples=examples(100))
@given(st.lists(ODD_ENTRY, max_size=5))
def test_whatever_a_log_holds_a_spawn_is_awaited_or_late_and_never_both(rows):
    found = spawns.track(ticks.join(rows).entries)

    assert all(s.age < 3 for s in found.awaited)
    assert all(s.age >= 3 for s in found.timed_out)
