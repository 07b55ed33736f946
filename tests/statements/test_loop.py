"""What was observed reaches the heartbeat: tick, mine, signal and idleness read it as they read notes; deadlines."""

from __future__ import annotations

import json
from datetime import timedelta

from tests.statements.ground import NOW, House, holds

TALK = (
    ("user", "We decided that the lighthouse tours start at Pier 6 from April on."),
    ("agent", "Okay."),
    ("user", "Never sell more than 18 tickets for one lighthouse tour."),
    ("agent", "Okay."),
    ("user", "I prefer the bookings as one table, sorted by boat."),
    ("agent", "Okay."),
)
FAILING = (
    ("user", "the gauge importer fails again with ETIDE42: connection refused by the buoy"),
    ("agent", "Okay."),
    ("user", "ETIDE42 again, that's the third time this week"),
    ("agent", "Okay."),
)


def test_a_tick_with_new_observations_tells_of_them(house: House) -> None:
    house.session("tours", *TALK, at=NOW - timedelta(hours=1))
    assert house.observe()["added"]

    line = house.koog("tick", "--no-push")

    assert "Nothing is written" not in line["sessionSummary"]
    assert holds(line["sessionSummary"], ["lighthouse"])


def test_the_next_tick_does_not_tell_them_again(house: House) -> None:
    """A promise that stays, once they are told."""
    house.session("tours", *TALK, at=NOW - timedelta(hours=1))
    house.observe()
    house.koog("tick", "--no-push")

    line = house.koog("tick", "--no-push", now=NOW + timedelta(minutes=30))

    assert "lighthouse" not in line["sessionSummary"]


def test_what_was_observed_is_mined_and_becomes_the_playbook_with_its_place(house: House) -> None:
    house.session("tours", *TALK, at=NOW - timedelta(hours=3))
    house.observe()

    mined = house.koog("mine")
    found = mined["newPatterns"] + mined["preferences"]
    assert [x for x in found if holds(x, ["18 tickets"])], mined
    assert {row["file"] for row in mined["evidence"]} == {"memory/observations.md"}
    assert {row["trust"] for row in mined["evidence"]} == {"person"}
    house.tick_all()

    assert holds(house.playbook(), ["pier 6", "18 tickets", "sorted by boat"])


def test_what_was_mined_of_the_observations_is_not_mined_again(house: House) -> None:
    """A promise that stays, once they are mined."""
    house.session("tours", *TALK, at=NOW - timedelta(hours=3))
    house.observe()
    house.koog("mine")

    again = house.koog("mine")

    assert again["newPatterns"] == again["preferences"] == []


def test_what_is_observed_later_is_mined_later(house: House) -> None:
    house.session("tours", *TALK[:2], at=NOW - timedelta(hours=3))
    house.observe()
    house.koog("mine")
    house.session("tours", *TALK[2:4], at=NOW - timedelta(hours=2))
    house.observe()

    again = house.koog("mine")

    found = again["newPatterns"] + again["preferences"]
    assert [x for x in found if holds(x, ["18 tickets"])], again
    assert not [x for x in found if holds(x, ["pier 6"])], again


def test_an_error_that_was_talked_about_is_a_signal(house: House) -> None:
    house.session("buoy", *FAILING, at=NOW - timedelta(minutes=20))
    house.observe()

    line = house.koog("tick", "--active", "--no-push")

    assert [x for x in line["signals"] if "ETIDE42" in x["description"]], (line["sessionSummary"], line["signals"])


def test_who_talked_five_minutes_ago_is_there(house: House) -> None:
    house.session("tours", *TALK, at=NOW - timedelta(minutes=6), apart_s=10)
    house.observe()

    assert house.koog("tick", "--no-push")["idle"] is False


def test_who_talked_hours_ago_is_not(house: House) -> None:
    """A promise that stays."""
    house.session("tours", *TALK, at=NOW - timedelta(hours=5))
    house.observe()

    assert house.koog("tick", "--no-push")["idle"] is True


def test_a_note_alone_is_told_and_mined_as_ever(house: House) -> None:
    """A promise that stays."""
    house.note("2026-02-28.md", "- Decided: the lighthouse shop closes at six.\n")

    line = house.koog("tick", "--idle", "--no-push")

    assert holds(line["sessionSummary"], ["lighthouse shop"])
    assert holds(house.playbook(), ["lighthouse shop"])


def test_what_stands_in_a_note_and_in_an_observation_is_one_playbook_line(house: House) -> None:
    house.note("2026-02-27.md", "- We decided that the lighthouse tours start at Pier 6 from April on.\n")
    house.session("tours", *TALK[:2], at=NOW - timedelta(hours=3))
    house.observe()

    house.tick_all()

    assert len([row for row in house.text("memory/sinain-playbook.md").splitlines() if "Pier 6" in row]) == 1


def test_mining_past_its_deadline_leaves_all_for_the_next_time(house: House) -> None:
    house.note("2026-02-27.md", "- Decided: the lighthouse shop closes at six.\n" * 3)
    house.note("2026-02-26.md", "# Log\n\n" + "- 12:04:11 the gauge reads 4.11 m\n" * 3_000)

    line = house.koog("mine", "--deadline", "0")

    assert line["minedSources"] == line["newPatterns"] == []
    assert line["remaining"] >= 1
    assert [x for x in house.mine_all() if holds(x, ["lighthouse shop"])]


def test_a_deadline_that_is_no_number_is_refused(house: House) -> None:
    called = house.called("mine", "--deadline", "soon")

    assert called.error == "usage", called.out
    assert house.called("mine", "--deadline", "nan").error == "usage"
    assert "deadline" in json.dumps(house.called("mine", "--deadline", "-1").line)
