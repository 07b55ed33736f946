"""The arithmetic of an answer; a score looked up by halves; what a question shows by its words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.files import pieces
from koog.core.text import tokens
from koog.memory.answering import bearing, brief, cues, likeness, ranking, thesaurus
from koog.memory.answering.items import Item
from koog.memory.fading import decay_scores
from koog.memory.fading.decay_scores import Entry
from koog.search import embedding
from koog.search.wordllama import WordLlama
from koog.sessions.labels import Label

ONE = st.floats(0, 1)
WORDS = st.lists(st.tuples(st.floats(0.01, 10), ONE), min_size=1, max_size=8)


@given(WORDS)
def test_a_share_is_a_share_and_all_of_it_is_one(words):
    weights, shares = [w for w, _ in words], [s for _, s in words]

    share = ranking.covered(weights, shares)

    assert -1e-9 <= share <= 1 + 1e-9
    assert ranking.covered(weights, [1.0] * len(words)) == pytest.approx(1.0)


@given(WORDS, st.integers(0, 7))
def test_one_word_more_never_lessens_a_share(words, at):
    weights, shares = [w for w, _ in words], [s for _, s in words]
    more = [1.0 if n == at % len(words) else s for n, s in enumerate(shares)]

    assert ranking.covered(weights, more) >= ranking.covered(weights, shares) - 1e-9


@given(ONE, ONE, ONE)
def test_what_is_left_of_a_memory_decides_between_equals_and_buries_nothing(relevance, left, other):
    now, then = ranking.ranked(relevance, left), ranking.ranked(relevance, other)

    assert relevance * (1 - ranking.MOST_DECAY) - 1e-9 <= now <= relevance + 1e-9
    assert (now >= then) or left < other
    assert ranking.ranked(min(1.0, relevance + 0.1), 0.0) >= ranking.ranked(relevance, 1.0) or relevance > 0.9


@given(ONE, ONE)
def test_more_of_a_question_is_never_less_sure(share, other):
    low, high = sorted((share, other))

    assert 0 < ranking.confidence(low) <= ranking.confidence(high) < 1


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_word_tells_the_less_the_more_lines_have_it(total, having):
    assert ranking.weight(total, having) > ranking.weight(total, having + 1) > 0


def test_a_line_is_likened_by_itself_and_in_other_words():
    texts = {"a": "Our babysitter from August on is called Mirthe", "b": "The boiler was mended by a plumber"}
    lines = [Item(id_, "semantic", text, "a.md", 1, Label()) for id_, text in texts.items()]
    package = embedding.folder("wordllama")
    assert package is not None

    near = likeness.of(WordLlama(package), "Who will be minding the kids?", lines)

    assert near.of["a"] > near.of["b"] >= 0.0
    assert near.weight > 0
    assert likeness.of(None, "Who will be minding the kids?", lines) == ({}, 0.0)


def test_a_line_without_room_leaves_it_to_a_shorter_one():
    assert brief.fitted(["- a", "- b", "- " + "long " * 400, "- c"]) == "- a\n- b\n- c"


def test_of_a_sentence_that_does_not_fit_its_beginning_is_told():
    said = "Dad's surgery isn't on the 6th. It's 13 May now, be there at a quarter to seven with an empty stomach."

    assert (
        brief.telling(said, ("surgery",), 80)
        == "Dad's surgery isn't on the 6th. It's 13 May now, be there at a quarter to…"
    )


def entry(score: float) -> Entry:
    return Entry(
        store="episodic",
        base_relevance=1.0,
        created="2026-01-01T00:00:00Z",
        last_accessed="2026-01-01T00:00:00Z",
        access_count=1,
        type_weight=0.8,
        current_score=score,
        status="active",
        pinned=False,
    )


NAMES = st.text("abz019-陈é", min_size=1, max_size=6)


@given(st.dictionaries(NAMES, st.floats(0.01, 1), min_size=1, max_size=60), st.sets(NAMES, max_size=5))
def test_an_entry_is_found_by_halves_as_in_the_whole_file(scores, others):
    entries = {f"entity:person--{name}": entry(round(score, 3)) for name, score in scores.items()}
    text = decay_scores.render(entries, datetime(2026, 2, 1, tzinfo=UTC))
    wanted = {*entries, *(f"entity:person--{name}" for name in others)}

    found = decay_scores.some(pieces.of(text.encode()), wanted)

    whole = decay_scores.parse(text, "x")
    assert found is not None
    assert (found.updated, found.entries, found.broken) == (whole.updated, whole.entries, [])


def test_of_thousands_of_entries_each_is_found_by_halves():
    entries = {f"entity:person--{'x' * (n % 90)}{n}": entry(0.5) for n in range(1000)}
    data = decay_scores.render(entries, datetime(2026, 2, 1, tzinfo=UTC)).encode()
    looks = []

    found = decay_scores.some(
        pieces.Pieces(len(data), lambda at, size: looks.append(size) or data[at : at + size]),
        {*entries, "core:1", "entity:person--xx", "vault:z"},
    )

    assert found is not None and found.entries == entries and not found.broken
    looks.clear()
    decay_scores.some(pieces.Pieces(len(data), lambda at, size: looks.append(size) or data[at : at + size]), {"core:1"})
    assert sum(looks) < len(data) / 10


def test_another_file_is_read_as_a_whole_and_a_broken_entry_is_told():
    text = decay_scores.render({"core:1": entry(0.5), "core:2": entry(0.6)}, datetime(2026, 2, 1, tzinfo=UTC))

    assert decay_scores.some(pieces.of(text.replace("  ", " ").encode()), {"core:1"}) is None
    broken = decay_scores.some(
        pieces.of(text.replace('"access_count": 1', '"access_count": "x"', 1).encode()), {"core:1", "core:2"}
    )
    assert broken is not None
    assert (list(broken.entries), broken.broken) == (["core:2"], ["the entry of core:1 is broken"])


@pytest.mark.parametrize(
    ("kind", "line", "gives"),
    [
        ("when", "The dentist is on 4 May", True),
        ("when", "The dentist is Doctor Mogwai", False),
        ("many", "The rent is 610 a month", True),
        ("many", "The rent is too high", False),
        ("why", "Wir nehmen Postgres, weil Redis zu teuer war", True),
        ("why", "Wir nehmen Postgres", False),
        ("who", "it was Okafor", True),
        ("about", "anything", None),
    ],
)
def test_a_line_shows_what_it_gives(kind, line, gives):
    assert bearing.gives(kind, bearing.line(line), asked=frozenset()) is gives


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("termin", "Zahnarzttermin am Dienstag"),
        ("went", "we go there"),
        ("schrank", "it is in the cabinet"),
        ("发布", "we deploy on Fridays"),
        ("deploys", "the deploy is on Friday"),
        ("locked", "the neighbour has the spare key"),
        ("owe", "I lent my brother the money"),
        ("ausgesperrt", "el vecino tiene la llave"),
    ],
)
def test_a_word_is_had_in_another_form(word, line):
    assert 0 < bearing.has(word, bearing.line(line)) <= 1
    assert bearing.has("zeppelin", bearing.line(line)) == 0


def test_a_name_is_no_part_of_a_word():
    assert bearing.names("chen", bearing.line("das machen wir")) == 0


def test_every_cue_has_stems_and_can_be_compiled():
    for cue in cues._read():
        assert cue.stems and all(cue.stems)
        cue.compiled()


def test_a_short_beginning_stands_for_no_long_word():
    assert not thesaurus.things("computer") & thesaurus.things("comida")


@given(st.lists(st.text("aB 1.陈\u00e9-", min_size=1, max_size=300), min_size=3, max_size=12))
def test_a_brief_has_the_lines_that_have_room_together(rows):
    kept = []
    for row in rows:
        if len(kept) < 2 or tokens.estimate("\n".join([*kept, row])) <= brief.MOST_TOKENS:
            kept.append(row)

    assert brief.fitted(rows) == "\n".join(kept)
