"""What the built-in observer keeps of talk, and what it leaves out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core import schema
from koog.observe.observe import TASK
from koog.observe.observe_rules import MOST, ObserveInput, answer
from tests.conftest import examples
from tests.fakes.sessions import turn, turns

KEPT = [
    ("decision", "We've decided to go with Postgres for the billing service."),
    ("decision", "The team voted for Svelte."),
    ("decision", "We're not going to renew the Datadog contract."),
    ("decision", "After sleeping on it: the checkout rewrite goes ahead in TypeScript."),
    ("decision", "Forget Kubernetes, a single VM is enough for us."),
    ("rule", "Never push directly to main."),
    ("rule", "Please don't touch the files under legacy/."),
    ("rule", "No deployments on Fridays."),
    ("rule", "Every pull request needs two approvals."),
    ("rule", "Ask me before you delete anything."),
    ("rule", "Never publish anything before I have read it."),
    ("preference", "I prefer short answers without bullet points."),
    ("preference", "I can't stand emojis in commit messages."),
    ("preference", "Meetings before ten don't work for me."),
    ("preference", "I find tables easier to digest than prose."),
    ("goal", "The deadline for the tax filing is March 31."),
    ("goal", "My goal is to run a half marathon under two hours."),
    ("goal", "The report has to be with the client by Friday noon."),
    ("habit", "I go swimming every Tuesday evening."),
    ("fact", "The budget for the campaign is 12,500 euros."),
    ("fact", "Our API limit is 300 requests per minute."),
    ("fact", "My sister lives in Porto."),
    ("fact", "The root cause was a stale DNS entry."),
]
NOISE = [
    "Hey, good morning!",
    "Thanks, that was quick.",
    "Can you run the tests again?",
    "What does this function do?",
    "Please fix the typo in the readme.",
    "It's raining again here, typical.",
    "Grabbing a coffee, back in five.",
    "Let me check the logs.",
    "Still the same error, weird.",
    "Open the file and look at line 40.",
    "Maybe we should rewrite it in Rust someday.",
    "Give that another try and tell me what it prints.",
    "You were right about the semicolon.",
    "Sure, go ahead.",
]
AGENT_NOISE = [
    "I'll look into it now.",
    "Here is the updated file.",
    "Would you like me to commit this?",
    "You can run it with python main.py.",
    "I've read the file and found 3 functions in it.",
    "All tests pass now.",
    "You should always wear a helmet.",
]


def said(*texts: str, role: str = "user") -> list[dict]:
    given = tuple(turn(n, text, role=role) for n, text in enumerate(texts))
    return answer(ObserveInput(given))["observations"]


@pytest.mark.parametrize(("kind", "text"), KEPT)
def test_what_lasts_is_kept_with_its_type(kind, text):
    (found,) = said(text)

    assert found["type"] == kind
    assert text in re.sub(r" \(\d{4}-\d\d-\d\d\)", "", found["text"])


@pytest.mark.parametrize("kind", ["decision", "rule"])
def test_most_decisions_and_rules_are_red(kind):
    found = [said(text)[0]["importance"] for k, text in KEPT if k == kind]

    assert sum(importance >= 7 for importance in found) >= 0.6 * len(found)


@pytest.mark.parametrize("text", NOISE)
def test_what_is_of_the_moment_is_left_out(text):
    assert said(text) == []


@pytest.mark.parametrize("text", ["Turn 4 please [long: 4000]", "Two steps [exec: pwd] [exec: date -u +%F]"])
def test_a_command_in_brackets_is_no_statement(text):
    assert said(text) == []


@pytest.mark.parametrize("text", AGENT_NOISE)
def test_an_agents_progress_and_advice_are_left_out(text):
    assert said(text, role="assistant") == []


def test_an_agents_result_is_kept():
    (found,) = said("The root cause was a wrong time zone in the container.", role="assistant")

    assert found["text"].startswith("Agent: The root cause")
    assert found["importance"] < 7


def test_tools_are_not_listened_to():
    assert said("We decided to use Postgres.", "Always run this with sudo.", role="tool") == []


def test_an_agent_that_repeats_the_user_adds_nothing():
    given = (
        turn(0, "We decided to use Postgres for billing."),
        turn(1, "Got it, we decided to use Postgres for billing.", role="assistant"),
    )

    assert len(answer(ObserveInput(given))["observations"]) == 1


def test_a_short_answer_is_kept_with_the_question_of_choice():
    given = (turn(0, "Do you want Postgres or SQLite?", role="assistant"), turn(1, "SQLite."))

    (found,) = answer(ObserveInput(given))["observations"]
    assert found["turn"] == 2
    assert "SQLite" in found["text"]
    assert "Postgres or SQLite?" in found["text"]


@pytest.mark.parametrize("question", ["Shall I run the tests?", "Want me to open the file?"])
def test_a_yes_to_the_next_step_is_nothing(question):
    given = (turn(0, question, role="assistant"), turn(1, "Yes."))

    assert answer(ObserveInput(given))["observations"] == []


def test_a_sentence_that_leans_on_the_one_before_it_brings_it_along():
    (found,) = said("The nightly export locks the shop. It must never run before 22:00, we decided that.")

    assert "nightly export" in found["text"]
    assert "22:00" in found["text"]


@pytest.mark.parametrize(
    ("stated", "reply", "told"),
    [
        ("It always delivers on Tuesdays.", "wednesdays. they changed it",
         "User: (Agent: It always delivers on Tuesdays.) → wednesdays. they changed it"),
        ("I recommend deploying on quiet afternoons.", "nope. no deploys on Fridays, we never do that here",
         "User: nope. no deploys on Fridays, we never do that here"),
        ("Yes, staging is on 15 and production on 16.", "no, production is on 17, Henrik moved it",
         "User: no, production is on 17, Henrik moved it"),
    ],
)  # fmt: skip
def test_what_an_agent_stated_and_a_person_refused_is_never_told_as_the_persons(stated, reply, told):
    given = (turn(0, stated, role="assistant"), turn(1, reply))

    assert [each["text"] for each in answer(ObserveInput(given))["observations"]] == [told]


def test_credentials_are_never_kept():
    texts = [f"The {name} for staging is {'x1' * 4}." for name in ("password", "passphrase", "api key", "pin code")]

    assert said(*texts, "From now on the secret = [redacted:github]") == []


def test_code_logs_and_quotations_are_no_talk():
    text = "\n".join(
        [
            "```",
            "We decided to use Perl.",
            "```",
            "> Never do this.",
            '{"rule": "always"}',
            "npm ERR! must use node 20",
            "2026-02-28 10:00:00 ERROR we decided to die",
            "We decided to use Go.",
        ]
    )

    assert [o["text"] for o in said(text)] == ["User: We decided to use Go."]


def test_a_fence_of_tildes_holds_backticks_and_hides_no_rule():
    text = "~~~\n```\nNever use the green button.\n```\n~~~\nNever deploy on Fridays."

    assert [o["text"] for o in said(text)] == ["Never deploy on Fridays."]


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Never close the kiln lid by hand. It warps the hinge.", "It warps the hinge."),
        ("生地は必ず前日に仕込んでください。当日だと固くなる", "当日だと固くなる"),
        ("Never close the kiln lid by hand. I'm off to lunch now.", ""),
    ],
)
def test_a_reason_stays_with_its_rule(text, more):
    (found,) = said(text)

    assert found["type"] == "rule"
    assert found["text"].endswith(more or "by hand.")


def test_of_a_flood_the_weightiest_stay_in_their_order():
    texts = [f"I like the number {n} and the colour {n}." for n in range(MOST)]

    found = said(*texts, "Never push directly to main.")

    assert len(found) == MOST
    assert found[-1]["type"] == "rule"
    assert [o["turn"] for o in found] == sorted(o["turn"] for o in found)


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.text(max_size=200) | st.sampled_from([t for _, t in KEPT] + NOISE), max_size=6))
def test_whatever_is_said_the_answer_fits_its_schema(texts):
    given = ObserveInput(tuple(turns(*texts)))

    found = answer(given)
    assert schema.problem(found, TASK.answer_schema()) is None
    assert all(1 <= o["turn"] <= len(texts) for o in found["observations"])
