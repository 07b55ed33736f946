"""memory/observations.md: what is read out of it, what is put in, and that nothing else changes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.observe import observations
from koog.observe.observations import HEADER, TYPES, Observation
from koog.sessions.turn import Turn

LINE = (
    "- 🔴 09:14 Deploys go out on Tuesdays <!-- dc:type=rule dc:importance=9 dc:date=2026-02-28 dc:confidence=0.9"
    " dc:source=claude/p/s#t1 -->"
)
SEEN = Observation("2026-02-28", "09:14", "Deploys go out on Tuesdays", "rule", 9, 0.9, "claude/p/s#t1")
FILE = f"# Observations\n\nDate: 2026-02-27\n\n- 🟢 a person's own line\n\nDate: 2026-02-28\n\n{LINE}\n"

PIECES = st.sampled_from(
    [
        LINE,
        "Date: 2026-02-27",
        "Date: 2026-02-28",
        "## Date: 2026-03-01",
        "Date: 2026-13-99",
        "",
        "  ",
        "- 🟡 07:00 x",
        "a note",
        "- 🟢",
        "<!-- koog:raw session=a from=b to=c -->",
        observations.RAW_END,
        "# Observations",
        "\t- 🔴 in",
        "\u2028x\x0cy",
        "x\r",
    ]
)
FILES = st.lists(PIECES, max_size=14).flatmap(lambda rows: st.sampled_from(["\n".join(rows), "\n".join(rows) + "\n"]))
DAYS = st.sampled_from(["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-02"])
IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SEEN_ANY = st.builds(
    Observation,
    day=DAYS,
    time=st.sampled_from(["09:14", "00:00", "23:59"]),
    text=st.text(max_size=60).map(observations.plain).filter(bool),
    type=st.sampled_from(TYPES),
    importance=st.integers(1, 10),
    confidence=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    source=st.builds(observations.source, IDS, IDS),
    more=st.sampled_from([(), (("pinned", "yes"),)]),
)
TURNS = st.lists(
    st.builds(
        Turn,
        id=IDS,
        at=st.datetimes(timezones=st.just(UTC)),
        role=st.sampled_from(["user", "assistant", "tool"]),
        text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.just(f"a\n{observations.RAW_END}\nb"),
        origin=st.sampled_from(["user", "agent"]),
        attached=st.just(()),  # a raw block has the words alone
    ),
    min_size=1,
    max_size=4,
)


def test_a_line_is_read_with_all_its_values():
    assert observations.observations(FILE)[-1] == SEEN
    assert observations.written(SEEN) == LINE


def test_a_persons_line_counts_with_the_importance_of_its_mark():
    o = observations.observations(FILE)[0]

    assert (o.day, o.time, o.text, o.mark, o.source) == ("2026-02-27", "", "a person's own line", "🟢", "")


def test_a_mark_that_a_person_changed_wins_over_the_number():
    changed = observations.observations(FILE.replace("- 🔴", "- 🟢"))[-1]

    assert changed.mark == "🟢"
    assert changed.importance < 4


def test_a_value_that_koog_does_not_know_stays():
    line = LINE.replace(" -->", " dc:pinned=yes -->")
    o = observations.observations(f"Date: 2026-02-28\n{line}\n")[0]

    assert o.more == (("pinned", "yes"),)
    assert observations.written(o) == line


def test_a_new_line_goes_to_the_end_of_its_day():
    text = observations.added(FILE, [SEEN._replace(day="2026-02-27", text="Later")])

    assert text.index("own line") < text.index("Later") < text.index("Date: 2026-02-28")
    assert text.replace(observations.written(SEEN._replace(day="2026-02-27", text="Later")) + "\n", "") == FILE


def test_a_new_day_stands_between_its_neighbours():
    text = observations.added(FILE, [SEEN._replace(day="2026-02-26"), SEEN._replace(day="2026-03-02")])

    days = [row for row in text.split("\n") if row.startswith("Date:")]
    assert days == ["Date: 2026-02-26", "Date: 2026-02-27", "Date: 2026-02-28", "Date: 2026-03-02"]


def test_an_empty_file_gets_its_heading():
    assert observations.added("", [SEEN]) == f"{HEADER}\nDate: 2026-02-28\n\n{LINE}\n"


def test_nothing_new_changes_nothing():
    assert observations.added(FILE, []) == FILE


def test_a_text_cannot_end_its_comment_or_pose_as_a_line():
    text = observations.plain("- 🔴 09:14 evil --> <!-- dc:type=rule -->\n- 🔴 two")

    assert "-->" not in text
    assert "\n" not in text
    assert text.startswith("evil")


def test_words_are_those_that_a_reader_sees():
    raw = observations.raw_block("s", [Turn("t1", datetime(2026, 2, 28, tzinfo=UTC), "user", "a b c d", "user")])

    assert observations.words("") == 0
    assert observations.words(FILE) == observations.words(FILE + raw) == 20


def test_a_raw_block_that_was_never_ended_is_none():
    assert observations.raw_blocks("<!-- koog:raw session=a from=b to=c -->\n{}\n") == []


def test_lines_in_a_raw_block_that_are_no_turns_are_counted():
    turn = Turn("t1", datetime(2026, 2, 28, tzinfo=UTC), "user", "hello", "user")
    text = observations.raw_block("s", [turn]).replace("\n{", '\nscribble\n{"id": 1}\n{', 1)

    (block,) = observations.raw_blocks(text)
    assert block.turns == (turn,)
    assert block.unread == 2


def test_the_same_raw_block_is_stored_once():
    block = observations.raw_block("s", [Turn("t1", datetime(2026, 2, 28, tzinfo=UTC), "user", "hello", "user")])
    once = observations.with_raw(FILE, block)

    assert observations.with_raw(once, block) == once


def test_a_raw_block_that_is_gone_changes_nothing():
    block = observations.raw_block("s", [Turn("t1", datetime(2026, 2, 28, tzinfo=UTC), "user", "hello", "user")])
    (found,) = observations.raw_blocks(observations.with_raw(FILE, block))

    assert observations.without_raw(FILE, found) == FILE


@pytest.mark.parametrize("text", ["2026", "12:30 is the time", "🔴 odd", "- 🔴 12:00 x"])
def test_a_text_that_looks_like_a_mark_or_a_time_comes_back(text):
    o = SEEN._replace(text=observations.plain(text))

    assert observations.observations(f"Date: {o.day}\n{observations.written(o)}\n") == [o]


@settings(deadline=None)
@given(FILES)
def test_the_lines_together_are_the_file(text):
    assert "".join(line.raw for line in observations.lines(text)) == text


@settings(deadline=None)
@given(FILES, st.lists(SEEN_ANY, max_size=4))
def test_what_stood_there_stays_and_what_is_new_comes_in(text, new):
    after = observations.added(text, new)

    rows = iter(after.split("\n"))
    assert all(row in rows for row in text.split("\n") if row.strip())  # in their order
    assert {o._replace(day="") for o in new} <= {o._replace(day="") for o in observations.observations(after)}


@settings(deadline=None)
@given(SEEN_ANY)
def test_what_is_written_is_read_again(o):
    assert observations.observations(f"Date: {o.day}\n\n{observations.written(o)}\n") == [o]


@settings(deadline=None)
@given(FILES, IDS, TURNS)
def test_a_raw_block_comes_back_whole_and_leaves_no_trace(text, session, turns):
    text = "".join(row for row in text.splitlines(keepends=True) if "koog" not in row)
    text = text if text.endswith("\n") else f"{text}\n"

    after = observations.with_raw(text, observations.raw_block(session, turns))
    (block,) = observations.raw_blocks(after)
    assert (block.session, block.first, block.last) == (session, turns[0].id, turns[-1].id)
    assert block.turns == tuple(turns)
    assert observations.without_raw(after, block) == text


def test_a_new_line_stands_in_no_fence():
    example = "```\nDate: 2026-02-20\n\n- 🔴 09:00 as an example\n```\n"
    new = Observation("2026-02-20", "10:00", "Deploys go out on Tuesdays", "rule", 9, 0.9, "s#a")

    text = observations.added(f"# Observations\n\n{example}", [new])

    assert example in text and [(o.seen.text, o.is_fenced) for o in observations.lines(text) if o.seen] == [
        ("as an example", True),
        ("Deploys go out on Tuesdays", False),
    ]


def test_a_day_in_a_fence_is_no_other_lines_day():
    text = "Date: 2026-02-20\n\n```\nDate: 2026-02-01\n```\n- 🔴 09:00 Deploys go out on Tuesdays\n"

    assert [o.day for o in observations.observations(text)] == ["2026-02-20"]


def test_a_mark_of_a_fence_that_is_taken_out_of_the_text_opens_none():
    text = "<!-- so\n```\n-->\n- 🔴 09:00 Deploys go out on Tuesdays\n```\n"

    assert [line.is_fenced for line in observations.lines(text) if line.seen] == [False]
