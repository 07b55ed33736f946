"""Dates just ahead and steps still open, as people write them down."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.heartbeat.observations import Observation
from koog.heartbeat.upcoming import NEAR_DAYS, deadlines, forgotten, open_steps, today_of

TUESDAY = date(2026, 2, 17)


def seen(text: str, day: str = "2026-02-17", **more: Any) -> Observation:
    return Observation(text, day, more.pop("source", f"memory/{day}.md"), **more)


def due(*texts: str) -> list[tuple[str, str]]:
    return [(d.day.isoformat(), d.when(TUESDAY)) for d in deadlines([seen(t) for t in texts], TUESDAY)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tax form by 2026-02-20", [("2026-02-20", "due in 3 days")]),
        ("Tax form by 2026-02-17", [("2026-02-17", "due today")]),
        ("The report must be at Ana's tomorrow", [("2026-02-18", "due tomorrow")]),
        ("Fix goes out on Friday", [("2026-02-20", "due in 3 days")]),
        ("I will call Ana next Tuesday", [("2026-02-24", "due in 7 days")]),
        ("Next week I have a meeting", [("2026-02-23", "coming up")]),
        ("This weekend I'm planning to hike", [("2026-02-21", "coming up")]),
        ("Plan from 2026-02-16, done on 2026-02-19", []),
        ("Plan from 2026-02-16 to 2026-02-19", [("2026-02-19", "due in 2 days")]),
        ("Tax form by 2026-02-16", []),
        ("Die Abgabe ist bis Freitag fällig", [("2026-02-20", "due in 3 days")]),
        ("Am 20. Februar ist Abgabe", [("2026-02-20", "due in 3 days")]),
        ("Hay que pagar antes del viernes", [("2026-02-20", "due in 3 days")]),
        ("Il faut payer avant vendredi", [("2026-02-20", "due in 3 days")]),
        ("周五之前要提交报告", [("2026-02-20", "due in 3 days")]),
        ("レポートは2月20日まで", [("2026-02-20", "due in 3 days")]),
        ("Harbour master wants to see the calendar Thu 10:00", [("2026-02-19", "due in 2 days")]),
        ("Übergabe der Schlüssel Donnerstag 12 Uhr", [("2026-02-19", "due in 2 days")]),
        ("Die Liste muss bis Donnerstagabend raus", [("2026-02-19", "due in 2 days")]),
        ("Jonas asked for the prices, I said he gets it Wednesday", [("2026-02-18", "due tomorrow")]),
        ("El cliente pasó la revisión al viernes a las 12:00", [("2026-02-20", "due in 3 days")]),
        ("The Thu 10 build was slow", []),
        ("Tax form by 2026-03-30", []),
        ("On Friday I went to the market", []),
        ("Fridays are for reading, they will stay so", []),
        ("Sent the tax form, was due on 2026-02-20", []),
        ("Tax form by 2026-02-31", []),
    ],
)
def test_a_date_ahead_is_found_in_the_words_of_its_day(text, found):
    assert due(text) == found


def test_the_nearest_date_comes_first_and_the_window_ends_after_a_week():
    assert due("Tax by 2026-02-24", "Rent by 2026-02-18", "Trip on 2026-02-25") == [
        ("2026-02-18", "due tomorrow"),
        ("2026-02-24", f"due in {NEAR_DAYS} days"),
    ]


def test_a_date_whose_matter_was_reported_as_done_is_over():
    plan = seen("GPX export by 2026-02-20", "2026-02-15")

    assert deadlines([plan], TUESDAY)
    assert not deadlines([seen("GPX export by 2026-02-20 is shipped", "2026-02-16"), plan], TUESDAY)


@given(st.text(max_size=60), st.dates())
def test_no_words_and_no_day_make_the_reading_fail(text, day):
    deadlines([seen(f"{text} next week, tomorrow, by Friday, this weekend", day.isoformat())], day)


def test_today_is_the_day_of_the_newest_observation():
    assert today_of([seen("a", "2026-02-16"), seen("b", "2026-02-17"), seen("c", "2026-99-99")]) == TUESDAY
    assert today_of([]) is None


def test_a_step_reported_as_taken_is_no_longer_open():
    step = seen("Wrote the release notes, still need to send them to Ana", "2026-02-16")

    assert list(open_steps([step])) == [step]
    assert not list(open_steps([seen("Sent the release notes I wrote to Ana"), step]))


def test_a_step_named_again_but_not_taken_stays_open():
    step = seen("TODO: send the release notes to Ana", "2026-02-16")

    assert step in open_steps([seen("Ana asked to send the release notes"), step])


@pytest.mark.parametrize("more", [{"now": True}, {"speaker": "Ana"}])
def test_the_step_of_this_moment_and_of_a_talk_is_nobodys_reminder(more):
    assert not list(open_steps([seen("TODO: send the release notes to Ana", **more)]))


def test_an_event_that_was_moved_is_on_its_new_day_alone():
    first = seen("demo for the customer is Thursday 14:00", "2026-02-16")
    moved = seen("Udo moved the demo: Friday 11:30 instead of thursday", "2026-02-17")

    assert [(d.day.isoformat(), d.what) for d in deadlines([moved, first], TUESDAY)] == [("2026-02-20", moved)]
    assert deadlines([first], TUESDAY)[0].day.isoformat() == "2026-02-19"
    assert not deadlines([seen("The demo was cancelled"), first], TUESDAY)


@pytest.mark.parametrize(
    "text",
    [
        "call with Ilka: I promised her the sample CSV of the export",
        "told the pharmacy she'll get the list of the fridge runs from me",
        "Ich habe Ilka die Liste der Fahrten versprochen",
        "我答应了给她发清单",
    ],
)
def test_a_promise_is_a_step_whoever_said_it(text):
    promise = seen(text, "2026-02-15", speaker="Rosi")

    assert list(forgotten([promise], TUESDAY)) == [promise]
    assert not list(forgotten([seen(text)], TUESDAY))  # today's is not forgotten yet


def test_a_promise_kept_in_other_words_is_over():
    promise = seen("told the pharmacy (Frau Wyss) she'll get the list of the fridge runs from me", "2026-02-15")
    kept = Observation("The list of the fridge runs went to Frau Wyss", "2026-02-17", "log x", now=True)

    assert not list(forgotten([kept, promise], TUESDAY))


def test_an_open_box_waits_for_the_eve_of_what_it_is_for():
    box = seen("rotate the webhook secret on staging before the demo", "2026-02-13", box=" ")
    demo = seen("demo moved to Friday 11:30", "2026-02-16")

    assert not list(forgotten([demo, box], TUESDAY))
    assert list(forgotten([demo, box], date(2026, 2, 19))) == [box]
    assert not list(forgotten([seen("secret rotated yesterday evening [x]"), demo, box], date(2026, 2, 19)))
