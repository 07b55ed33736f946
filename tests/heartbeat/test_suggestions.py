"""What the built-in synthesis advises: an answer to the present, a date, a step, always with its place."""

from __future__ import annotations

from typing import Any

import pytest

from koog.heartbeat.observations import Observation
from koog.heartbeat.suggestions import against_the_clock, suggestions

TROUBLE = "The nightly backup of the workstation failed at 03:00 again"


def seen(text: str, day: str = "2026-02-15", **more: Any) -> Observation:
    return Observation(text, day, more.pop("source", f"memory/{day}.md"), **more)


def now(text: str) -> Observation:
    return Observation(text, "2026-02-17", "log 2026-02-17T10:00:00Z", 10, now=True)


def suggested(*others: Observation, playbook: str = "", trouble: str = TROUBLE) -> list[str]:
    return list(suggestions(playbook, [now(trouble), *others]))


@pytest.mark.parametrize(
    ("other", "advice"),
    [
        (
            seen("Fixed nightly backup of the workstation by unplugging"),
            f"“{TROUBLE}”: do what helped before, “Fixed nightly backup of the workstation by unplugging” "
            "(memory/2026-02-15.md).",
        ),
        (
            seen("Snapshot replication of the second pool starts at 03:00 every night"),
            f"“{TROUBLE}”: look first at what else runs at 03:00, “Snapshot replication of the second pool starts at "
            "03:00 every night” (memory/2026-02-15.md).",
        ),
        (
            seen("Backup of the workstation at 04:30 fine"),
            f"“{TROUBLE}”: check first what changed since “Backup of the workstation at 04:30 fine” "
            "(memory/2026-02-15.md); the hour is another.",
        ),
    ],
)
def test_a_trouble_is_answered_by_a_fix_a_neighbour_or_the_hour_at_which_it_was_fine(other, advice):
    assert suggested(other) == [advice]


@pytest.mark.parametrize(
    "other",
    [
        seen("Fixed the nightly backup of the workstation, finally"),  # does not say how
        seen("Snapshot replication of the second pool starts at 05:00 every night"),
        seen("Ana called at 03:00"),  # nothing that runs by itself
        seen("The nightly backup of the workstation starts at 03:00"),  # the same thing, not a neighbour
        seen("Backup of the workstation at 03:00 fine"),
        seen("Ana's oven at 04:30 fine"),
    ],
)
def test_what_says_nothing_about_the_trouble_is_not_advised(other):
    assert suggested(other) == []


def test_a_neighbour_may_stand_in_the_note_about_the_failure():
    other = seen("Replication starts at 03:00 every night", heading="Why the nightly backup of the workstation failed")

    assert ["what else runs at 03:00" in text for text in suggested(other)] == [True]


def test_the_playbook_answers_with_what_to_do():
    playbook = "- Nightly backup failed: run `restic unlock`, then start it by hand\n- Keep tips short\n"

    assert suggested(playbook=playbook) == [
        f"“{TROUBLE}”. From the playbook: “Nightly backup failed: run `restic unlock`, then start it by hand”."
    ]


def test_a_playbook_line_that_restates_the_trouble_is_not_quoted():
    assert suggested(playbook=f"- {TROUBLE}; fix") == []


def test_a_date_within_two_days_precedes_an_open_step_and_a_later_date():
    found = suggested(
        seen("Tax form by 2026-02-23"),
        seen("TODO: write to the landlord", "2026-02-14"),
        seen("Call Ana by 2026-02-18"),
        trouble="Edited the menu.",
    )

    assert found == [
        "Make time for what is due tomorrow: “Call Ana by 2026-02-18” (memory/2026-02-15.md).",
        "Take the step left open: “TODO: write to the landlord” (memory/2026-02-14.md).",
        "Make time for what is due in 6 days: “Tax form by 2026-02-23” (memory/2026-02-15.md).",
    ]


def test_a_rule_for_what_is_under_way_is_quoted_and_a_report_is_not():
    playbook = "- Move invoices to the shared folder on Fridays\n- Invoices were moved to the shared drive\n"

    found = suggested(playbook=playbook, trouble="User moves the invoices of May to the shared disk.")

    assert found == ["A rule for what is under way: “Move invoices to the shared folder on Fridays” (playbook)."]


@pytest.mark.parametrize(
    "line",
    [
        'Move invoices to the shared folder on Fridays [deferred: 2026-02-14, reason: "no answer"]',
        "Move the invoices of May to the shared disk",  # says only what is being done
    ],
)
def test_a_rule_put_off_or_being_followed_is_not_quoted(line):
    assert suggested(playbook=f"- {line}", trouble="User moves the invoices of May to the shared disk.") == []


def test_a_report_of_the_past_alone_calls_for_nothing():
    assert list(suggestions("- Clear the cache when Metro fails\n", [seen("Metro failed with a stale cache")])) == []


DEMO = seen("Demo for the harbour office on Wednesday 10:00", day="2026-02-15")


def test_beside_what_is_due_stands_the_last_word_on_it():
    word = seen("The harbour office gets the berth list before", day="2026-02-16")
    due = suggested(DEMO, word)[0]

    assert due.startswith("Make time for what is due tomorrow")
    assert next(against_the_clock(due, [now("Edited the menu"), DEMO, word])) == (
        "The last word on it: “The harbour office gets the berth list before” (memory/2026-02-16.md)."
    )


def test_where_nobody_spoke_of_it_stands_what_the_tick_is_about_instead_and_not_what_is_done():
    due = suggested(DEMO)[0]

    told = next(against_the_clock(due, [now("The menu is finished"), now("Still at the colours"), DEMO]))

    assert told == "No word on it since 2026-02-15; this tick is about “Still at the colours” (now)."


def test_what_was_noted_today_for_tomorrow_is_not_told_back():
    noted = seen("Demo for the harbour office on Wednesday 10:00", day="2026-02-17")

    assert list(against_the_clock(suggested(noted)[0], [now("Edited the menu"), noted])) == []
