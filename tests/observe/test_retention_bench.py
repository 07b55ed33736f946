"""bench/retention.py measures what it says it measures."""

from __future__ import annotations

import pytest

from bench import retention


@pytest.mark.parametrize("name", retention.SETS)
def test_a_set_plants_over_two_hundred_facts_that_each_stand_in_their_own_saying(name):
    turns, facts = retention.conversation(name, 1)

    assert sum(f.kind in retention.RED for f in facts) >= 200
    assert all(f.keys and all(f.keys) for f in facts)
    assert all(any(f.stands_in(turn.text) for turn in turns) for f in facts)
    assert not any("{" in turn.text or "[" in turn.text for turn in turns if turn.role != "tool")


def test_the_two_sets_share_no_saying():
    seen, held_out = ({s for texts in retention.sayings(n).values() for s in texts} for n in retention.SETS)

    assert not seen & held_out


def test_a_seed_gives_the_same_talk_each_time_and_another_seed_another():
    assert retention.conversation("seen", 1) == retention.conversation("seen", 1)
    assert retention.conversation("seen", 1) != retention.conversation("seen", 2)


def test_a_fact_stands_only_where_all_of_it_stands():
    fact = retention.Fact("deadline", ("Amber Heron", "March 3"), "…")

    assert fact.stands_in("the amber  heron launch is on March 3")
    assert not fact.stands_in("the Amber Heron launch is soon")
