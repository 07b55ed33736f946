"""The built-in gate: what a person would say about a message beside a topic."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.topics import gate_rules
from koog.topics.gate_rules import GateInput
from tests.conftest import examples
from tests.topics.gate_pairs import TOPICS, TUNED, UNSEEN


def asked(topic: str, message: str) -> str:
    """Ask about a message with what the topic's pattern matches in it."""
    pattern, description, instructions = TOPICS[topic]
    matched = re.findall(rf"(?i)\b(?:{pattern})(?:s|ed|ing)?\b", message)
    return gate_rules.answer(GateInput(topic, description, instructions, tuple(matched), message))


def share(pairs: list[tuple[str, str, str]], wanted: str) -> float:
    """Return how many of the pairs with this answer get it."""
    mine = [(topic, message) for answer, topic, message in pairs if answer == wanted]
    return sum(asked(topic, message) == wanted for topic, message in mine) / len(mine)


def test_what_the_rules_were_made_on_is_answered_nearly_without_a_fault():
    assert share(TUNED, "yes") == 1.0
    assert share(TUNED, "no") >= 0.9


def test_what_they_were_not_made_on_is_answered_rightly_four_times_in_five():
    assert share(UNSEEN, "yes") >= 0.75
    assert share(UNSEEN, "no") >= 0.85


@pytest.mark.parametrize(
    "message",
    [
        "Don't deploy anything",
        "not about the deploy: what is for lunch?",
        "Never mind the deploy. Can you help me with my tax form?",
        "We deployed yesterday",
        "",
    ],
)
def test_what_denies_the_topic_or_only_mentions_it_is_no(message):
    assert asked("deployment", message) == "no"


@pytest.mark.parametrize(
    "message",
    [
        "Deploy to production",
        "why did the deploy take an hour",
        "what is the deploy waiting for",
        "not sure how to deploy this",
        "why don't we deploy now?",
        "deploy failed!!",
    ],
)
def test_what_asks_for_the_topic_is_yes_also_where_a_denial_stands_elsewhere(message):
    assert asked("deployment", message) == "yes"


def test_a_pattern_that_matched_no_word_leaves_it_to_the_topics_other_words():
    def said(message: str) -> str:
        return gate_rules.answer(
            GateInput("german", "Answer in the language of the message.", "Check the tests.", ("de",), message)
        )

    assert said("Bitte die tests im language file check") == "yes"
    assert said("Das Wetter ist schön heute") == "no"


@pytest.mark.parametrize(
    "message",
    [
        "thanks, great deploy!!",
        "which seat is best for a show of Deploy Towns?",
        "can you undeploy my parachute?",
    ],
)
def test_a_glad_word_another_name_and_the_end_of_another_word_ask_for_nothing(message):
    assert gate_rules.answer(GateInput("deployment", *TOPICS["deployment"][1:], ("deploy",), message)) == "no"


@settings(deadline=None, max_examples=examples(60))
@given(message=st.text(max_size=500), topic=st.sampled_from(sorted(TOPICS)))
def test_any_message_gets_one_of_the_two_words_and_the_same_one_again(message, topic):
    first = asked(topic, message)

    assert first in ("yes", "no")
    assert asked(topic, message) == first
