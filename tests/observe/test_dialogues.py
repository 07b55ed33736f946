"""Ten dialogues of ten houses, in six languages: what a careful person writes down of them, and what would be wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from koog.core.text.measures import stems
from koog.observe.observe_rules import ObserveInput, answer
from tests.fakes.sessions import turn

DIALOGUES = [json.loads(row) for row in Path(__file__).with_name("dialogues.jsonl").read_text("utf-8").splitlines()]
WIDE = "[\u3040-\u30ff\u3400-\u9fff]"
DENIES = r"(?i)\b(?:not?|never|nicht|kein\w*|pas|nunca)\b|n't|不|ない|じゃなく"


def words(text: str) -> set[str]:
    pairs = {run[i : i + 2] for run in re.findall(f"{WIDE}+", text) for i in range(max(1, len(run) - 1))}
    return pairs | {stem for stem in stems(text) if not re.search(WIDE, stem)}


def share(of: str, line: str) -> float:
    return len(words(of) & words(line)) / len(words(of))


def kept(dialogue: dict[str, Any]) -> list[str]:
    given = tuple(turn(n, each["text"], role=each["role"]) for n, each in enumerate(dialogue["turns"]))
    return [found["text"] for found in answer(ObserveInput(given))["observations"]]


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[f"{n}-{d['lang']}" for n, d in enumerate(DIALOGUES, 1)])
def test_what_was_settled_in_a_dialogue_stands_in_one_line_each(dialogue):
    lines = kept(dialogue)

    held = [each for each in dialogue["keep"] if any(share(each, line) >= 0.5 for line in lines)]
    assert len(held) >= len(dialogue["keep"]) - 1, set(dialogue["keep"]) - set(held)


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[f"{n}-{d['lang']}" for n, d in enumerate(DIALOGUES, 1)])
def test_no_line_tells_what_was_refused_quoted_or_drafted(dialogue):
    lines = kept(dialogue)

    tells = [line for line in lines if any(share(each, line) >= 0.5 for each in dialogue["keep"])]
    wrong = [(each, line) for each in dialogue["not"] for line in lines if share(each, line) >= 0.7]
    assert [(e, line) for e, line in wrong if line not in tells and not re.search(DENIES, line)] == []
