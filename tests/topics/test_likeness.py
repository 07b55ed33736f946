"""Tier 2: the four measures, a topic's own threshold and mood."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.text.measures import cosine, document_frequency, jaccard, stems
from koog.core.text.sentiment import NOTABLE, valence
from koog.topics.likeness import MEASURES, Scorer
from koog.topics.topic_file import Topic

MAIL = "When a new email arrives: classify it, draft a reply, archive spam from the inbox."
REVIEW = "Read the diff of the pull request, check the tests and the error handling, comment on lines."
DEPLOY = "Tag the release, deploy to staging, watch the error rate, roll back when it rises."
WORDS = "email inbox deploy staging diff tests the a of release spam spam".split()
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def topic(name: str, instructions: str, **keys: object) -> Topic:
    return Topic(name, f"topics/{name}.md", "", "", instructions, **keys)  # type: ignore[arg-type]


def known(measure: str) -> Scorer:
    texts = {"mail": MAIL, "review": REVIEW, "deploy": DEPLOY}
    return Scorer([topic(name, text, similarity=measure) for name, text in texts.items()])


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("could you draft a reply to the email in my inbox", "mail"),
        ("check the diff of that pull request", "review"),
        ("please deploy the release to staging", "deploy"),
    ],
)
def test_a_text_is_most_like_the_topic_it_is_about(measure, text, nearest):
    scores = known(measure).scores(text)

    assert max(scores, key=lambda name: scores[name]) == nearest
    assert scores[nearest] > 0


@pytest.mark.parametrize("measure", ["tfidf", "bm25", "ngram"])
def test_a_text_about_a_topic_passes_the_default_threshold_and_another_does_not(measure):
    scores = known(measure).scores("draft a reply to the email and archive the spam")

    assert scores["mail"] >= 0.3
    assert scores["deploy"] < 0.3


def test_trigrams_forgive_misspellings_that_words_do_not():
    text = "emial inboxx classfy replly archve"

    assert known("ngram").scores(text)["mail"] > 0.1
    assert known("tfidf").scores(text)["mail"] == 0.0


@pytest.mark.parametrize("measure", MEASURES)
@given(a=TEXTS, b=TEXTS, query=st.one_of(TEXTS, st.text(max_size=20)))
@example(a="", b="", query="")
def test_a_score_lies_between_nothing_and_one(measure, a, b, query):
    scores = Scorer([topic("a", a, similarity=measure), topic("b", b, similarity=measure)]).scores(query)

    assert set(scores) == {"a", "b"}
    assert all(0.0 <= score <= 1.0 for score in scores.values())


@pytest.mark.parametrize("measure", ["tfidf", "jaccard", "ngram"])
@given(a=TEXTS, b=TEXTS)
def test_two_texts_are_as_like_in_either_order(measure, a, b):
    scorer = Scorer([topic("a", a, similarity=measure), topic("b", b, similarity=measure)])

    assert scorer.scores(topic("a", a).said)["b"] == pytest.approx(scorer.scores(topic("b", b).said)["a"])


@pytest.mark.parametrize("measure", ["tfidf", "jaccard", "ngram"])
@given(text=TEXTS)
def test_a_topic_is_wholly_like_its_own_text(measure, text):
    one = topic("one", text, similarity=measure)

    assert Scorer([one]).scores(one.said)["one"] == pytest.approx(
        1.0 if stems(text) or (text and measure == "ngram") else 0.0
    )


@given(a=TEXTS, b=TEXTS, c=TEXTS)
def test_the_index_agrees_with_the_plain_measures(a, b, c):
    topics = [topic("a", a), topic("b", b), topic("c", c)]
    profiles = {t.name: t.said for t in topics}
    frequency = document_frequency(profiles.values())

    tfidf = Scorer(topics).scores(profiles["c"])
    shared = Scorer([t._replace(similarity="jaccard") for t in topics]).scores(profiles["c"])

    for name, text in profiles.items():
        assert tfidf[name] == pytest.approx(cosine(profiles["c"], text, frequency=frequency, documents=3))
        assert shared[name] == pytest.approx(jaccard(profiles["c"], text))


def test_repeating_a_word_raises_bm25_less_each_time():
    once, twice, often = (Scorer([topic("t", "mail " * n + "x y z", similarity="bm25")]) for n in (1, 2, 20))

    scores = [scorer.scores("mail")["t"] for scorer in (once, twice, often)]

    assert scores == sorted(scores)
    assert scores[1] - scores[0] < scores[0]
    assert scores[2] < 1


def test_a_rare_word_says_more_than_a_common_one():
    topics = [topic("a", "shared rare"), topic("b", "shared"), topic("c", "shared other")]

    scores = Scorer(topics).scores("rare")

    assert scores["a"] > Scorer(topics).scores("shared")["a"]
    assert scores["b"] == 0.0


def test_a_topic_speaks_by_title_description_and_keywords_too():
    one = Topic("t", "topics/t.md", "Invoices", "Chasing payments", "Do it.", keywords=("overdue", "ledger"))

    for word in ("invoice", "payment", "overdue", "ledger"):
        assert Scorer([one]).scores(f"the {word} please")["t"] > 0


def test_only_the_named_topics_are_scored_and_each_as_among_all():
    scorer = known("tfidf")
    text = "draft a reply to the email about the error rate"

    assert scorer.scores(text, ["mail"]) == {"mail": scorer.scores(text)["mail"]}
    assert scorer.scores(text, []) == {}


def test_the_end_of_a_very_long_text_is_not_looked_at():
    assert known("tfidf").scores("word " * 200_000 + MAIL)["mail"] == 0.0


# --- mood

ANGRY = "This is terrible, I am furious!!!"
GLAD = "Wonderful, thank you so much!"


@pytest.mark.parametrize(
    ("sentiment", "text", "reached"),
    [
        ("negative", ANGRY, True),
        ("negative", GLAD, False),
        ("positive", GLAD, True),
        ("positive", ANGRY, False),
        ("any", ANGRY, True),
        ("any", GLAD, True),
        ("any", "The port is 4100.", False),
        (-0.5, ANGRY, True),
        (-0.99, ANGRY, False),
        (0.5, GLAD, True),
        (0.5, ANGRY, False),
        (None, ANGRY, False),
    ],
)
def test_a_mood_reaches_the_topic_that_asks_for_it(sentiment, text, reached):
    score = Scorer([topic("escalation", "Page the person on call.", sentiment=sentiment)]).scores(text)["escalation"]

    assert score == (pytest.approx(abs(valence(text))) if reached else 0.0)


def test_the_mood_never_lowers_a_likeness():
    plain, moody = topic("a", MAIL), topic("b", MAIL, sentiment="negative")

    scores = Scorer([plain, moody]).scores("draft a reply to the email")

    assert scores["a"] == pytest.approx(scores["b"])


@pytest.mark.parametrize(
    "text",
    [
        "This is terrible, it fails AGAIN!!!",
        "I am really annoyed. The third outage this week and nobody answers!",
        "THIS IS BROKEN AND I HATE IT",
        "Das ist furchtbar, schon wieder kaputt!",
        "well, that was the worst deploy ever :(",
        "I liked it at first, but it is useless and ugly",
        "not good, not helpful, not happy",
        "😡😡",
    ],
)
def test_an_unhappy_text_is_seen(text):
    assert valence(text) <= -NOTABLE


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, works great!",
        "Not bad at all, thanks",
        "perfect 👍",
        "It was slow, but now it is excellent",
        "Genial, gracias",
    ],
)
def test_a_happy_text_is_seen(text):
    assert valence(text) >= NOTABLE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "please fix the bug in main.py",
        "The build failed with error 3, see the log",
        "can you review the PR?",
        "`terrible horrible awful`",
        "```\nhate hate hate\n```",
        "https://example.org/horrible/awful",
        "no problem",
    ],
)
def test_a_plain_text_has_no_notable_mood(text):
    assert abs(valence(text)) < NOTABLE


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("that is bad", "that is very bad"),
        ("that is a bit bad", "that is bad"),
        ("that is bad", "that is BAD"),
        ("that is bad", "that is bad!!!"),
        ("that is bad", "that is horrible"),
    ],
)
def test_words_around_a_word_raise_and_lower_it(weaker, stronger):
    assert valence(stronger) < valence(weaker) < 0


def test_what_comes_after_but_counts_more():
    assert valence("the tests are bad, but the docs are good") > valence("the docs are good, but the tests are bad")


@given(
    st.one_of(st.text(), st.lists(st.sampled_from("not very bad good HATE love but ! 😡 . the".split())).map(" ".join))
)
def test_a_mood_lies_between_minus_one_and_one(text):
    assert -1.0 <= valence(text) <= 1.0
