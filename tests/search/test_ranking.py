"""The arithmetic of a search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.search import ranking
from koog.search.query import Day
from koog.search.ranking import Place, Term

scores = st.dictionaries(st.integers(1, 50), st.floats(0, 1), min_size=1, max_size=20)


def places(count: int, *, sections: int = 1) -> dict[int, Place]:
    """Return passages 1 to count, spread evenly over the sections of one file."""
    each = -(-count // sections)
    return {id: Place(1, (id - 1) // each, "", None, 10, asks=False) for id in range(1, count + 1)}


def term(word: str, *ids: int, weight: float = 1.0, headings: tuple[int, ...] = ()) -> Term:
    return Term(word, weight, len(ids), ((1.0, list(ids)),), headings)


def best(found: dict[int, float]) -> list[int]:
    return sorted(found, key=lambda id: (-found[id], id))


# --- words


def test_a_rarer_word_weighs_more_and_none_weighs_less_than_nothing():
    weights = [ranking.weight(1000, matches) for matches in (0, 1, 10, 500, 1000, 2000)]

    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_candidates_are_those_with_the_weightiest_words():
    rare, common = term("nas", 7, weight=5.0), term("note", 1, 2, 3, 7, weight=1.0)

    assert ranking.candidates([common, rare], 2) == [7, 1]


def test_many_matches_of_a_common_word_add_no_candidates_beyond_the_bound():
    rare = term("nas", *range(ranking.ENOUGH), weight=5.0)
    common = term("note", *range(ranking.ENOUGH, 3 * ranking.ENOUGH), weight=1.0)

    assert max(ranking.candidates([common, rare], 10_000)) < ranking.ENOUGH


def test_a_passage_is_found_by_the_word_of_the_one_before_it():
    found = ranking.keyword([term("camping", 2)], places(4), ranking.links(places(4)))

    assert best(found) == [2, 3, 4, 1]


def test_two_words_in_neighbours_beat_one_word_twice_as_far_away():
    spot = places(20)
    found = ranking.keyword([term("dog", 5), term("park", 6), term("lake", 15)], spot, ranking.links(spot))

    assert best(found)[:2] == [6, 5]


def test_neighbours_end_with_their_section():
    spot = places(4, sections=2)

    found = ranking.keyword([term("camping", 2)], spot, ranking.links(spot))

    assert set(found) == {1, 2}


def test_a_word_of_the_heading_counts_less_than_one_of_the_text():
    spot = places(9, sections=3)
    found = ranking.keyword([term("metro", 2, headings=(5,))], spot, ranking.links(spot))

    assert found[2] > found[5] > 0


def test_who_spoke_is_no_word_of_the_heading():
    spot = {1: Place(1, 1, "Ana", None, 10, asks=False)}

    assert ranking.keyword([term("ana", headings=(1,))], spot, ranking.links(spot)) == {}


def test_nothing_to_look_at_is_nothing_found():
    assert ranking.keyword([term("metro", 2)], {}, {}) == {}
    assert ranking.scaled({}) == {}


# --- who and when


@pytest.mark.parametrize(
    ("date", "day", "told"),
    [
        ("2023-05-03", Day(2023, 5, 3), 1.0),
        ("2023-05-05", Day(2023, 5, 3), 1.0),
        ("2023-05-06", Day(2023, 5, 3), 0.5),
        ("2023-05-13", Day(2023, 5, 3), 0.5),
        ("2023-05-14", Day(2023, 5, 3), 0.0),
        ("2023-05-02", Day(2023, 5, 3), 0.5),
        ("2023-05-01", Day(2023, 5, 3), 0.0),
        ("2022-05-03", Day(2023, 5, 3), 0.0),
        ("2022-05-03", Day(None, 5, 3), 1.0),
        ("2023-05-31", Day(2023, 5, None), 1.0),
        ("2023-06-09", Day(2023, 5, None), 0.3),
        ("2023-06-10", Day(2023, 5, None), 0.0),
        ("2024-01-02", Day(2023, 12, None), 0.3),
        ("2024-01-02", Day(None, 12, 31), 1.0),
        (None, Day(2023, 5, 3), 0.0),
    ],
)
def test_things_are_told_on_their_day_or_soon_after(date, day, told):
    assert ranking.told_of(day, date) == told


def test_a_query_that_names_a_speaker_prefers_what_that_one_said():
    said = {
        1: Place(1, 1, "Ana", None, 9, asks=False),
        2: Place(1, 1, "Ben", None, 9, asks=False),
        3: Place(1, 1, "Ana", None, 9, asks=True),
    }

    found = ranking.boosts(said, words=("ana", "dog"), day=None)

    assert found[1] > found[3] > found[2] == 0.0


# --- two lists to one


@given(scores, st.floats(0, 1))
def test_both_fusions_keep_every_passage_between_0_and_1(found, share):
    other = {id: 1 - score for id, score in found.items()}

    for fusion in ranking.FUSIONS.values():
        fused = fusion(found, other, share)
        assert fused.keys() == found.keys()
        assert all(-1e-9 <= score <= 1 + 1e-9 for score in fused.values())


@given(scores)
def test_a_share_of_nothing_leaves_the_order_of_the_words(found):
    other = {id: 1 - score for id, score in found.items()}

    assert best(ranking.weighted(found, other, 0.0)) == best(found)
    assert best(ranking.reciprocal(found, other, 0.0)) == best(found)


def test_reciprocal_rank_fusion_asks_for_ranks_alone():
    near, far = {1: 0.9, 2: 0.89, 3: 0.1}, {1: 0.9, 2: 0.2, 3: 0.1}
    other = {1: 0.1, 2: 0.9, 3: 0.5}

    assert ranking.reciprocal(near, other, 0.4) == ranking.reciprocal(far, other, 0.4)
    assert ranking.weighted(near, other, 0.4) != ranking.weighted(far, other, 0.4)


@given(scores)
def test_scaled_scores_reach_1_and_keep_their_order(found):
    scaled = ranking.scaled(found)

    assert max(scaled.values()) == 1.0
    assert min(scaled.values()) >= 0.0
    assert all(scaled[a] <= scaled[b] for a in found for b in found if found[a] < found[b])


# --- age


@given(st.floats(0, 1), st.floats(-1000, 1e6))
def test_age_takes_three_hundredths_at_most(score, age):
    assert score * (1 - ranking.MOST_DECAY) <= ranking.decayed(score, age) <= score


def test_age_decides_between_equals_and_not_against_the_better():
    assert ranking.decayed(0.5, 0) > ranking.decayed(0.5, 30) > ranking.decayed(0.5, 3000)
    assert ranking.decayed(0.52, 36_500) > ranking.decayed(0.5, 0)
