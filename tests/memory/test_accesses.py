"""The log of accesses: lines of any order, of any origin, and none of them lost."""

from __future__ import annotations

import json
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.memory.fading import accesses
from koog.memory.fading.accesses import NOTHING

AT = "2026-02-02T14:30:00Z"
ID = "episode:2026-02-02:14:30"

MOMENTS = st.datetimes().filter(lambda at: 1970 <= at.year <= 9998).map(lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ"))
LINES = st.builds(
    lambda at, id_, op, base: accesses.line(
        at, id_, op=op, store="episodic", base=base if op == "write" else None, why="x"
    ),
    MOMENTS,
    st.sampled_from(["core:0a1b2c3d", "entity:person--alex", "fact:person--alex:0a1b2c3d"]),
    st.sampled_from(accesses.OPS),
    st.sampled_from([0.5, 0.7, 1.0]),
)
FOREIGN = st.sampled_from(
    ['{"ts":"2026', "[]", "null", "# by hand", '{"ts":"2026-02-02T14:30:00Z","id":"core:1","op":"dream"}', '{"a":NaN}']
)


def folded(*lines: str) -> dict[str, accesses.Folded]:
    return accesses.fold(accesses.read("".join(lines)).accesses)


def of(op: str, at: str = AT, id_: str = ID, base: float | None = None) -> str:
    return accesses.line(at, id_, op=op, store="episodic", base=base, why="remember")


def test_a_line_is_as_the_format_says():
    line = of("write", base=1.0)

    assert line == f'{{"ts":"{AT}","id":"{ID}","op":"write","store":"episodic","base":1.0,"why":"remember"}}\n'
    assert "base" not in json.loads(of("access"))


def test_writes_and_accesses_count_and_the_first_and_the_last_are_known():
    later, last = "2026-02-05T08:00:00Z", "2026-02-09T08:00:00Z"

    found = folded(of("access", later), of("write", base=0.7), of("write", last, base=0.5), of("archive", "2026-03-01"))

    told = found[ID]
    assert (told.created, told.last, told.times, told.base) == (AT, last, 3, 0.7)


def test_the_last_word_on_pinning_and_archiving_holds():
    pinned = folded(of("unpin", "2026-02-03"), of("pin", "2026-02-04"))[ID]
    archived = folded(of("archive", "2026-02-04"), of("access", "2026-02-05"))[ID]
    restored = folded(of("restore", "2026-02-05"), of("archive", "2026-02-04"))[ID]
    again = folded(of("archive", "2026-02-04"), of("write", "2026-02-05", base=1.0))[ID]

    assert pinned.pinned[1] is True
    assert archived.archived[1] is True  # being spoken of does not bring back what the user forgot
    assert restored.archived[1] is False
    assert again.archived[1] is False


def test_what_is_said_of_a_fact_counts_for_its_entity_and_forgetting_it_does_not():
    fact = "fact:person--alex:0a1b2c3d"

    found = folded(of("write", id_=fact, base=1.0), of("access", id_=fact), of("archive", id_=fact))

    assert set(found) == {"entity:person--alex"}
    assert found["entity:person--alex"].times == 2
    assert found["entity:person--alex"].archived[1] is False


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('{"ts":"2026-02-02T14:30', "no JSON"),
        ("[1]", "no JSON object"),
        ('{"ts":"yesterday","id":"core:1","op":"access"}', '"ts"'),
        ('{"ts":"0001-01-01T00:00:00Z","id":"core:1","op":"access"}', '"ts"'),
        ('{"id":"core:1","op":"access"}', '"ts"'),
        (f'{{"ts":"{AT}","op":"access"}}', '"id"'),
        (f'{{"ts":"{AT}","id":"","op":"access"}}', '"id"'),
        (f'{{"ts":"{AT}","id":"{"x" * 301}","op":"access"}}', '"id"'),
        (f'{{"ts":"{AT}","id":"core:1","op":"dream"}}', '"op"'),
        (f'{{"ts":"{AT}","id":"core:1","op":"write","base":2}}', '"base"'),
        (f'{{"ts":"{AT}","id":"core:1","op":"write","base":true}}', '"base"'),
        (f'{{"ts":"{AT}","id":"core:1","op":"write","base":"high"}}', '"base"'),
        (f'{{"ts":"{AT}","id":"core:\udcff","op":"access"}}', "no JSON"),
    ],
)
def test_a_line_that_is_no_access_is_named_with_its_number_and_the_others_are_read(row, why):
    log = accesses.read(f"{of('access')}\n{row}\n{of('access')}")

    assert len(log.accesses) == 2
    assert [each.number for each in log.foreign] == [3]
    assert why in log.foreign[0].why


def test_a_moment_of_another_zone_is_the_same_moment():
    assert folded(of("access", "2026-02-02T15:30:00.250+01:00"))[ID].last == AT


def test_a_line_that_says_more_than_koog_knows_is_an_access_all_the_same():
    row = json.dumps({"ts": AT, "id": ID, "op": "access", "by": "a newer koog"})

    assert folded(row)[ID].times == 1


@given(st.lists(LINES, max_size=12).flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_the_order_of_lines_makes_no_difference(both):
    rows, mixed = both

    assert folded(*rows) == folded(*mixed)


@given(st.lists(LINES, max_size=12), st.integers(0, 12))
def test_it_makes_no_difference_in_how_many_parts_lines_are_folded(rows, cut):
    parts = [folded(*rows[:cut]), folded(*rows[cut:])]

    for id_, whole in folded(*rows).items():
        assert reduce(accesses.joined, (part.get(id_, NOTHING) for part in parts)) == whole


@given(st.lists(st.one_of(LINES, FOREIGN.map(lambda row: f"{row}\n")), max_size=12), st.lists(LINES, max_size=3))
def test_every_line_is_in_its_month_or_still_in_the_log(rows, meanwhile):
    text = "".join(rows)
    log = accesses.read(text)

    left = accesses.without(text + "".join(meanwhile), log.accesses)
    months = accesses.by_month(log.accesses)

    assert sorted([*left.splitlines(), *"".join(months.values()).splitlines()]) == sorted(
        row.rstrip("\n") for row in [*rows, *meanwhile]
    )
    assert all(json.loads(row)["ts"].startswith(month) for month, part in months.items() for row in part.splitlines())
    assert [each.why for each in accesses.read(left).foreign] == [each.why for each in log.foreign]


def test_of_two_lines_that_say_the_same_one_is_taken_and_the_one_that_came_meanwhile_stays():
    row = of("access")

    assert accesses.without(row + row, accesses.read(row).accesses) == row
    assert accesses.without(row, accesses.read(row).accesses) == ""
