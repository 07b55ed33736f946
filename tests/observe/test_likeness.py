"""Which lines say the same, and which take another's place."""

from __future__ import annotations

import pytest

from koog.observe import likeness
from koog.observe.observations import Observation


def seen(text, *, mark=8, day="2026-02-20", time="09:00"):
    return Observation(day, time, text, "fact", mark, 0.8, "s#a")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("We deploy Harbor with the new script on staging", "We deploy Harbor with a new script on staging", True),
        ("User: The tests of the importer passed again", "The tests of the importer passed again", True),
        (
            "The build of the importer in the new room finished quickly this time",
            "The build of the importer in the new room finished fast this time",
            True,
        ),
        ("Staging listens on port 4100", "Staging listens on port 4200", False),
        ("When the import to Graz fails, call the vendor", "When the import to Turin fails, call the vendor", False),
        ("The nightly import to the warehouse ran", "The nightly import to the warehouse never ran", False),
        ("Restart the worker before the update", "Restart the worker after the update", False),
        ("Review on Tuesday with the whole team", "Review on Friday with the whole team", False),
        ("Mika prefers long mails over short chats", "Mika prefers short chats over long mails", False),
        ("Tests passed", "The disk is full", False),
    ],
)
def test_two_yellow_lines_are_duplicates_when_they_differ_in_no_word_that_counts(a, b, same):
    assert likeness.duplicate(seen(a, mark=5), seen(b, mark=5)) is same


def test_a_red_line_is_a_duplicate_only_of_one_that_says_every_word_of_it():
    short, long = seen("Deploys go out on Tuesdays"), seen("Deploys go out on Tuesdays at noon", mark=5)

    assert likeness.duplicate(short, long)
    assert not likeness.duplicate(
        seen("Deploys of it go out weekly on Tuesdays"), seen("Deploys go out on Tuesdays daily")
    )


@pytest.mark.parametrize(
    ("old", "new", "yes"),
    [
        ("Harbor deploys go out on Tuesdays", "Harbor deploys moved to Friday", True),
        ("The Harbor launch is on March 3", "User: The Harbor launch was pushed back to March 17", True),
        ("We use Redis for Harbor sessions", "Harbor no longer uses Redis for sessions", True),
        ("We use Redis for Harbor sessions", "Harbor sessions moved from Redis to Postgres", True),
        ("The Harbor launch is on March 3", "The Harbor launch is on March 17", False),  # nothing says that it changed
        ("The Harbor launch is on March 3", "The Meadow launch moved to March 17", False),
        (
            "I want us on Bazel instead of the old setup for Harbor",
            "I want us on Bazel instead of the old setup for Wharf",
            False,
        ),
        ("Never push to the Harbor main branch without review", "The Harbor wiki moved to the new server", False),
        ("Harbor deploys go out on Tuesdays", "Lena moved to Graz", False),
    ],
)
def test_a_newer_line_supersedes_when_it_says_that_the_same_thing_changed(old, new, yes):
    assert likeness.supersedes(seen(new, day="2026-02-25"), seen(old)) is yes
    assert not likeness.supersedes(seen(old), seen(new, day="2026-02-25"))


@pytest.mark.parametrize(
    ("a", "b", "is_older"),
    [
        (("2026-02-20", "09:00"), ("2026-02-20", "09:01"), True),
        (("2026-02-20", "09:00"), ("2026-02-20", "09:00"), False),
        (("2026-02-20", ""), ("2026-02-20", "09:00"), False),
        (("2026-02-20", "23:00"), ("2026-02-21", ""), True),
        (("", "09:00"), ("2026-02-21", "09:00"), False),
        (("2026-02-21", "09:00"), ("2026-02-20", "10:00"), False),
    ],
)
def test_older_is_what_day_and_time_say_and_never_a_guess(a, b, is_older):
    assert likeness.older(seen("x", day=a[0], time=a[1]), seen("x", day=b[0], time=b[1])) is is_older


def test_pairs_are_those_that_share_two_content_words_or_all_of_one():
    lines = [seen(t) for t in ("harbor deploy script", "harbor deploy", "harbor logo", "tea", "green tea leaves")]

    assert likeness.pairs(lines) == [(0, 1), (3, 4)]
