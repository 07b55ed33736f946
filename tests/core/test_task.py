"""A task: its parts by name, and one schema for both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core import task
from koog.core.errors import KoogError, LLMUnusable
from koog.core.task import Task
from tests.conftest import ROOT


def answers(value: object, *, verb: str | None = None) -> Task[None]:
    file = ROOT / "koog/heartbeat/feedback.py"
    return Task(file=file, route="feedback_analyzer", rules=lambda _: value, render=lambda _: {}, verb=verb)


def test_the_builtin_engines_answer_passes_the_same_schema():
    assert task.builtin(answers({"interpretation": "fine"}), None) == {"interpretation": "fine"}


def test_a_builtin_answer_that_does_not_fit_is_koogs_own_bug():
    with pytest.raises(KoogError, match="feedback: the built-in engine broke its own schema") as raised:
        task.builtin(answers({"interpretation": ""}), None)

    assert raised.value.code == "bug"


@pytest.mark.parametrize(
    "text",
    ["YES", "yes", "Yes.", '"yes"', "'Yes'", "**YES**", " \n yes\n", "`yes`", "(Yes!)", "“Yes”", "- yes", "YES\u200b"],
)
def test_one_word_is_understood_in_whatever_marks_and_case(text):
    assert task.word(text, ["yes", "no"]) == "yes"


@pytest.mark.parametrize("text", ["Y", " ye", "Y."])
def test_the_beginning_of_one_word_alone_is_that_word_where_the_only_token_ends_there(text):
    assert task.word(text, ["yes", "no"]) == "yes"
    with pytest.raises(LLMUnusable, match="not one of yes, yet"):
        task.word(text, ["yes", "yet"])


@pytest.mark.parametrize("text", ["yesterday", "Yes, because", "yes no", "YES or NO", "maybe", "…", "", "yes" * 2, "_"])
def test_what_is_more_or_less_than_one_of_the_words_is_unusable(text):
    with pytest.raises(LLMUnusable, match="not one of yes, no"):
        task.word(text, ["yes", "no"])


def test_a_long_text_without_a_word_is_read_in_one_go():
    with pytest.raises(LLMUnusable):
        task.word(". " * 1_000_000 + "a", ["yes", "no"])


def test_a_task_answers_in_one_word_where_its_schema_is_a_closed_set():
    gate = Task(file=ROOT / "koog/topics/gate.py", route="topic_gate", rules=lambda _: "yes", render=lambda _: {})

    assert gate.words() == ["yes", "no"]
    assert task.builtin(gate, None) == "yes"
    assert answers(None).words() == []


def test_a_task_finds_prompt_and_schema_beside_its_command_or_by_its_own_verb():
    assert answers(None).name == "feedback"
    assert answers(None).prompt_file.exists()
    assert answers(None, verb="signal").prompt_file.name == "signal.prompt.md"
    assert "recommendedAction" in answers(None, verb="signal").answer_schema()["properties"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("koog/*/*.prompt.md")), ids=lambda path: path.name)
def test_every_prompt_has_a_schema_with_an_answer_beside_it(path: Path):
    verb = path.name.removesuffix(".prompt.md")
    made = Task(file=path.with_name(f"{verb}.py"), route="", rules=lambda _: None, render=lambda _: {})

    assert made.answer_schema()["type"] == ("string" if made.words() else "object")
