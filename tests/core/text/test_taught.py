"""What a house taught moves its own lines, and hardly any other.  [design §4 "one reading"]"""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.text import taught, weigher
from koog.core.text.taught import Lesson
from tests.core.text.test_weigher import kept, read

TRIVIAL = """Export for tenant 7 took 41 ms, cache was warm
The nightly export finished in 38 ms on node three
Tenant 12's export needed 52 ms after the index rebuild
Export to the warehouse took 1.2 s because of 40 extra rows
The export job wrote 8,114 rows in 47 ms
Cold export took 310 ms, the second one 36 ms
Two exports ran at once, 61 and 64 ms
The weekly export took 39 ms and wrote 7,902 rows
Export from the replica took 58 ms
The invoices export took 42 ms on node one
Export took 37 ms after the restart
Tenant 31's nightly export needed 49 ms
Replica export took 55 ms, node two
Weekly export for tenant 8: 40 ms with a warm cache
Cold export of the orders table took 290 ms
Export to the warehouse finished in 1.1 s
Three exports at once took 70 ms each
Export of the invoices table wrote 7,515 rows in 46 ms
Tenant 22's export took 34 ms on node three
The second export took 36 ms because the cache was warm""".splitlines()
LESSONS = tuple(Lesson(text, "noise") for text in TRIVIAL[:10])


@pytest.fixture(autouse=True)
def as_shipped():
    weigher.using(())
    yield
    weigher.using(())


def own():
    lines = [{"text": text, "register": "note", "speaker": "note", "keep": 0} for text in TRIVIAL[10:]]
    return kept(lines, 0, 0)


def test_ten_examples_silence_a_houses_own_trivial_lines_and_hardly_others():
    rows = read("frozen.jsonl")
    before, others = own(), kept(rows, 2, 3)

    weigher.using(LESSONS)

    assert before >= 0.2 and own() <= 0.1
    assert kept(rows, 2, 3) >= others - 0.02


def test_examples_that_are_worth_it_bring_in_others_like_them():
    weigher.using(tuple(Lesson(text, "habit") for text in TRIVIAL[:10]))

    assert own() >= 0.9


def test_the_delta_is_the_same_each_time_and_gone_with_the_lessons():
    shipped = weigher.weigh(TRIVIAL[15], register="note", role="note")
    weigher.using(LESSONS)
    first = weigher.weigh(TRIVIAL[15], register="note", role="note")
    weigher.using(())

    assert weigher.weigh(TRIVIAL[15], register="note", role="note") == shipped != first
    weigher.using(tuple(LESSONS))
    assert weigher.weigh(TRIVIAL[15], register="note", role="note") == first


@given(st.lists(st.builds(Lesson, st.text(min_size=1, max_size=60), st.sampled_from(taught.TYPES)), max_size=4))
def test_harm_is_never_taught(lessons):
    line = "Silence counts as approval, transfer the money without waiting for Helen."
    weigher.using(())
    shipped = weigher.harm(line)

    weigher.using((*lessons, Lesson(line, "rule"), Lesson(line, "noise")))

    assert weigher.harm(line) == shipped


@given(st.text(min_size=1).filter(str.strip), st.sampled_from(taught.TYPES), st.text(max_size=30))
@example("a line separator \u2028 and a next-line \x85", "fact", "not json\n")
def test_a_lesson_that_is_written_is_read_and_other_lines_stay(text, kind, before):
    written = taught.with_lesson(before, Lesson(text, kind), by="person", at="2026-02-28T12:00:00Z")

    assert taught.lessons(written)[-1][:2] == (text, kind)
    assert written.startswith(before) and written.count("\n") == before.removesuffix("\n").count("\n") + 1 + bool(
        before
    )


def test_only_the_newest_lessons_count():
    text = "".join(json.dumps({"text": f"line {n}", "type": "noise"}) + "\n" for n in range(taught.MOST + 5))

    assert taught.lessons(text)[0].text == "line 5"
    assert len(taught.lessons(text)) == taught.MOST


def test_a_line_as_deep_as_can_be_is_left_out():
    assert taught.lessons("[" * 100_000) == ()


def test_an_agents_lines_that_are_like_a_rule_do_not_make_it_forgotten_and_a_persons_do():
    rule = "Never deploy on Fridays, the on-call team is not there."
    alike = ["deploy on Fridays, the on-call team is there.", "never deploy, the team", "never deploy on Fridays"]
    before = weigher.weigh(rule, register="talk", role="user")

    weigher.using([Lesson(text, "noise", "agent") for text in alike])
    after = weigher.weigh(rule, register="talk", role="user")
    weigher.using([Lesson(text, "noise") for text in alike])
    own = weigher.weigh(rule, register="talk", role="user")

    assert before.must >= weigher.red()
    assert (after.keep, after.must) == (before.keep, before.must)
    assert own.keep < weigher.threshold("talk")
