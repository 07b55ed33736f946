"""Links between two observations: each kind by what makes it one, and by what looks like one and is none."""

from __future__ import annotations

from typing import Any

import pytest

from koog.heartbeat.connections import connections
from koog.heartbeat.observations import Observation


def seen(text: str, day: str = "2026-02-15", **more: Any) -> Observation:
    return Observation(text, day, more.pop("source", f"memory/{day}.md"), **more)


def tick(ts: str, text: str, **more: Any) -> Observation:
    return Observation(text, ts[:10], f"log {ts}", int(ts[11:13]) if len(ts) > 10 else None, **more)


def now(text: str) -> Observation:
    return tick("2026-02-17T10:00:00Z", text, now=True)


def links(*observed: Observation, playbook: str = "", changes: Any = None) -> list[str]:
    return connections(playbook=playbook, changes=changes or {}, seen=observed)


# --- failures ---


def test_what_was_called_gone_and_is_back_is_the_strongest_link():
    found = links(now("Metro stopped with ENOSPC again"), seen("No ENOSPC since, two fixes", "2026-02-17"))

    assert found == [
        "Called settled, yet back: “No ENOSPC since, two fixes” (memory/2026-02-17.md), and then “Metro stopped with "
        "ENOSPC again” (now)."
    ]


@pytest.mark.parametrize(
    "others",
    [
        [seen("No ECONNRESET since, two fixes")],
        [seen("ENOSPC should be fixed by Friday")],
        [seen("No ENOSPC since, two fixes", kept=True), tick("2026-02-18T10:00:00Z", "ENOSPC is gone")],
    ],
)
def test_another_failure_a_wish_or_a_later_claim_makes_no_return(others):
    failure = tick("2026-02-17T10:00:00Z", "Metro stopped with ENOSPC again")

    assert not any("yet back" in text for text in links(failure, *others))


@pytest.mark.parametrize(
    ("line", "linked"),
    [
        ("Run `pod update` before every build", True),
        ("Never run `pod update` before a build", False),
        ("Pod updates take an hour", False),
    ],
)
def test_the_playbook_advising_what_came_before_the_failure_is_a_link(line, linked):
    found = links(now("The build failed after pod update."), playbook=f"- {line}")

    expected = (
        f"The playbook advises what came before the failure: “{line}”; “The build failed after pod update” (now)."
    )
    assert found == ([expected] if linked else [])


@pytest.mark.parametrize(("clock", "linked"), [("03:00", True), ("03:30", False)])
def test_what_runs_at_the_minute_of_a_failure_is_a_link(clock, linked):
    found = links(now("Upload failed at 03:00"), seen(f"Replication starts at {clock} every night"))

    expected = (
        f"Both at {clock}: “Replication starts at {clock} every night” (memory/2026-02-15.md), and “Upload failed at "
        "03:00” (now)."
    )
    assert found == ([expected] if linked else [])


def test_a_failure_that_was_settled_since_has_no_neighbour_worth_telling():
    found = links(
        seen("Upload of photos failed at 03:00", "2026-02-14"),
        seen("Replication starts at 03:00 every night", "2026-02-13"),
        seen("Upload of photos: solved", "2026-02-16"),
    )

    assert found == []


def test_the_same_error_after_the_same_cause_is_a_link():
    found = links(
        now("The dev server died with ENOSPC after switching branches."),
        seen("ENOSPC from the watcher after switching branches"),
    )

    assert found == [
        "Twice the same after switching branches: “ENOSPC from the watcher after switching branches” "
        "(memory/2026-02-15.md) and “The dev server died with ENOSPC after…” (now)."
    ]


def test_the_same_error_of_two_days_at_the_same_hour_is_a_link():
    found = links(
        tick("2026-02-17T22:10:00Z", "The nightly sync failed: ECONNRESET."),
        tick("2026-02-15T23:40:00Z", "ECONNRESET from the mail server."),
    )

    assert found == [
        "Same error, same time of day (23h and 22h UTC): “ECONNRESET from the mail server” (tick of 2026-02-15) and "
        "“The nightly sync failed: ECONNRESET” (tick of 2026-02-17)."
    ]


@pytest.mark.parametrize("ts", ["2026-02-15T20:40:00Z", "2026-02-17T22:40:00Z", "2026-02-15"])
def test_an_error_that_merely_returns_is_no_link(ts):
    assert links(tick("2026-02-17T22:10:00Z", "Sync failed: ECONNRESET."), tick(ts, "ECONNRESET from mail")) == []


# --- the playbook against what came later ---


def test_a_line_that_a_later_note_says_no_to_is_a_link():
    found = links(
        seen("Decision: never `pod update` before a build", "2026-02-12"),
        playbook="- Run `pod update` before a build\n",
    )

    assert found == [
        "The playbook still says “Run `pod update` before a build” (playbook), against “Decision: never `pod update` "
        "before a build” (memory/2026-02-12.md)."
    ]


def test_a_refusal_that_was_given_up_later_is_a_link():
    playbook = "- Ana: I don't want Watchman on this machine <!-- from: memory/2026-02-03.md:5 -->"

    assert links(seen("Ana changed her mind: installed Watchman"), playbook=playbook) == [
        "Once “Ana: I don't want Watchman on this machine” (2026-02-03), by now “Ana changed her mind: installed "
        "Watchman” (memory/2026-02-15.md): the line is out of date."
    ]


@pytest.mark.parametrize(
    ("line", "later"),
    [
        ("Run `pod update` before a build [since: 2026-02-20]", "Decision: never `pod update` before a build"),
        ("Run `pod install` before a build", "Decision: never `pod update` before a build"),
        ("Never run `pod update` before a build", "Decision: never `pod update` before a build, again"),
        ("Ana: I don't want Watchman here", "Watchman crawls all files"),
        ("Ana: I don't want Watchman here", "I do not like Watchman either, bought nothing"),
        ("Ana: I don't want it", "Ana bought it after all"),
    ],
)
def test_an_older_another_or_an_agreeing_observation_overrules_nothing(line, later):
    assert links(seen(later), playbook=f"- {line}") == []


def test_a_date_on_a_weekday_with_a_ban_is_a_link():
    found = links(now("Lunch."), seen("GPX export by 2026-02-20"), playbook="- No deployments on Fridays after noon\n")

    assert found == [
        "2026-02-20 is a Friday: “GPX export by 2026-02-20” (memory/2026-02-15.md) meets “No deployments on Fridays "
        "after noon” (playbook)."
    ]


@pytest.mark.parametrize(
    ("day", "line", "linked"),
    [
        ("2026-02-21", "No messages on weekends", True),
        ("2026-02-19", "No deployments on Fridays after noon", False),
        ("2026-02-20", "Fridays are for reading", False),
        ("2026-02-20", "The test was red, goes out later, because no deployments on Friday", False),
    ],
)
def test_only_a_ban_on_that_weekday_collides(day, line, linked):
    found = links(now("Lunch."), seen(f"GPX export by {day}"), playbook=f"- {line}")

    assert bool(found) is linked


def test_a_wish_whose_date_has_come_near_is_a_link_of_one_person():
    plan = seen("Next week I have a meeting on schools and roads", "2026-02-17", speaker="Ben")
    wish = "I'm passionate about better schools and roads"

    assert links(plan, seen(wish, speaker="Ben")) == [
        f"A wish and its date: Ben: “{wish}” (memory/2026-02-15.md), and ahead “Next week I have a meeting on "
        "schools…”."
    ]
    assert links(plan, seen(wish, speaker="Ana")) == []
    assert links(plan, seen("Better schools and roads cost money", speaker="Ben")) == []


def test_a_pattern_added_now_that_answers_an_earlier_failure_is_a_link():
    found = links(
        now("Edited the menu."),
        seen("The photo import died with ENOSPC halfway", "2026-02-12"),
        changes={"added": ["Check the disk for ENOSPC on a new machine"]},
    )

    assert found == [
        "Learned now: “Check the disk for ENOSPC on a new machine”. It answers an earlier failure: “The photo import "
        "died with ENOSPC halfway” (memory/2026-02-12.md)."
    ]


@pytest.mark.parametrize(
    ("added", "day"),
    [
        ("Fix: the photo import died with ENOSPC", "2026-02-12"),
        ("Check the disk for ENOSPC on a new machine", "2026-02-17"),
        ("The disk of a new machine has ENOSPC too", "2026-02-12"),
    ],
)
def test_a_restatement_a_report_or_a_pattern_of_the_same_day_answers_nothing(added, day):
    failure = seen("The photo import died with ENOSPC halfway", day)

    assert links(now("Edited the menu."), failure, changes={"added": [added]}) == []


@pytest.mark.parametrize(("day", "linked"), [("2026-02-16", True), ("2026-02-14", False)])
def test_an_item_put_off_whose_topic_came_back_is_a_link(day, linked):
    playbook = '- Move invoices to the shared folder on Fridays [deferred: 2026-02-14, reason: "no answer"]'

    found = links(seen("Invoices of January moved to the shared folder late", day), playbook=playbook)

    assert [text[:24] for text in found] == (["Put off on 2026-02-14: “"] if linked else [])


# --- rare terms ---

FILLER = [seen(text, "2026-02-10") for text in "Lunch Walk Violin Garden Market Train Tea Rain".split()]


def test_a_rare_name_links_a_reason_with_a_refusal():
    found = links(
        seen("Metro needs 50 s, since it crawls all files without Watchman", "2026-02-16"),
        seen("I don't want Watchman on this machine", "2026-02-03", kept=True),
        *FILLER,
    )

    assert found == [
        "Watchman links two things: “I don't want Watchman on this machine” (memory/2026-02-03.md), and “Metro needs "
        "50 s, since it crawls all files without Watchman” (memory/2026-02-16.md)."
    ]


@pytest.mark.parametrize(
    "reason",
    [
        "Slow start, because 66 MB are read on Monday",  # units and days are no terms
        "Slow start, because of the machine",  # an everyday word
        "Slow start of Watchman on Monday",  # no reason given
    ],
)
def test_words_in_common_are_no_link(reason):
    other = seen("I don't want Watchman to take 66 MB on this machine on Monday", "2026-02-03")

    assert links(seen(reason, "2026-02-16"), other, *FILLER) == []


def test_what_touches_the_present_comes_first():
    found = links(
        now("The build failed after pod update."),
        seen("Metro stopped with ENOSPC", "2026-02-16"),
        seen("No ENOSPC since, two fixes", "2026-02-14"),
        playbook="- Run `pod update` before every build",
    )

    assert [text.split(" ")[0] for text in found] == ["The", "Called"]
