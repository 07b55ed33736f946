"""What a house's own people taught the weigher: a few lines in memory/taught.jsonl, and the small delta that they make.

A line is {"text", "type", "by", "at"}; it is undone by deleting it. The delta moves `keep`, `must` and the type of what
is like the lines, never `harm`: nobody teaches that an attack is a rule.  [design §4 "one reading"]
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from math import copysign, inf
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.tree import Tree

FILE = "taught.jsonl"  # in the memory folder
NOISE, PERSON, AGENT = "noise", "person", "agent"
TYPES = ("rule", "preference", "decision", "goal", "habit", "fact", "event", "error", "fix", NOISE)
MOST_READ = 1_000_000  # characters of the file, from its end
MOST = 100  # lessons that count, the newest: the delta stays small
COMMON = 32.0  # lines: a slot that is in so many of the shipped ones does not give way; a house's own words are new
VOICES = (("talk", "user"), ("talk", "assistant"), ("note", "note"))
ROUNDS = 3
STEP = 1.0  # the most by which one lesson moves `keep` in one round
TYPE_STEP = 4.0  # and a type's score, which only decides among types
TYPE_LEAD = 0.5
LEAST_PULL = 0.05  # a sentence of common words alone is hardly moved
LEAD = 2.5  # by how much a taught line is to pass the bar, so that those like it pass it as well


class Lesson(NamedTuple):
    """One line that was taught: its text, its type or "noise", and by whom: person or agent."""

    text: str
    type: str
    by: str = PERSON


Groups = Sequence[tuple[Sequence[int], float]]


class Seen(NamedTuple):
    """A sentence as the weigher sees it: its groups of slots, column → score, and column → the score that is the bar.

    Of a type, the bar is by how much it has to lead for it to be told.
    """

    groups: Groups
    scores: dict[str, float]
    bars: dict[str, float]


Delta = dict[str, dict[int, float]]  # column → slot → what is added to the slot's weight


def add(delta: Delta, scores: dict[str, float], groups: Groups) -> None:
    """Add what was taught to the scores of a sentence."""
    for name, weights in delta.items():
        scores[name] += sum(share * sum(weights[slot] for slot in slots if slot in weights) for slots, share in groups)


def learned(taught: Sequence[Lesson], seen: Callable[[str, str, str], Seen], *, known: bytes) -> Delta:
    """Return the delta of some lessons: a few small steps for each that does not come out as taught.

    seen   (text, register, role) → the sentence as it is weighed without what was taught
    known  slot → how common it is
    """
    delta: Delta = defaultdict(lambda: defaultdict(float))
    sentences = []
    for lesson in taught:
        for voice in VOICES:
            sentence = seen(lesson.text, *voice)
            sentences.append((lesson, sentence, _moves(sentence.groups, known)))
    for _ in range(ROUNDS):
        for lesson, sentence, moves in sentences:
            scores = dict(sentence.scores)
            add(delta, scores, sentence.groups)
            for name, least, most in _aims(lesson, sentence.bars, scores):
                missing = max(0.0, least - scores[name]) + min(0.0, most - scores[name])
                _step(delta[name], moves, missing, TYPE_STEP if name in TYPES else STEP)
    return {name: dict(weights) for name, weights in delta.items() if weights}


def _aims(lesson: Lesson, bars: dict[str, float], scores: dict[str, float]) -> list[tuple[str, float, float]]:
    """Return the columns that a lesson moves, and between which scores they are to come."""
    if lesson.type == NOISE:
        return [(name, -inf, bars[name] - LEAD) for name in ("keep", "must")]
    best = max(scores[name] for name in TYPES[:-1] if name != lesson.type)
    return [("keep", bars["keep"] + LEAD, inf), (lesson.type, best + bars[lesson.type] + TYPE_LEAD, inf)]


def _moves(groups: Groups, known: bytes) -> list[tuple[int, float, float]]:
    """Return of each slot what it counts in the score, and how far it gives way."""
    return [(slot, share, share * max(0.0, 1 - known[slot] / COMMON)) for slots, share in groups for slot in slots]


def _step(weights: dict[int, float], moves: list[tuple[int, float, float]], missing: float, most: float) -> None:
    """Move the weights so that the score moves by what is missing, at most by one step."""
    pull = sum(share * move for _, share, move in moves)
    if not missing or not pull:
        return
    size = copysign(min(most, abs(missing)), missing) / max(pull, LEAST_PULL)
    for slot, _, move in moves:
        weights[slot] += size * move


def lessons(text: str) -> tuple[Lesson, ...]:
    """Return the newest lessons of a taught.jsonl, the newest last; what is no lesson is left out."""
    found = (lesson for line in reversed(text[-MOST_READ:].split("\n")) if (lesson := _lesson(line)))
    return tuple(islice(found, MOST))[::-1]


def of(workspace: Tree, warnings: list[str]) -> tuple[Lesson, ...]:
    """Return what the people of a workspace taught; nothing, with a warning, when that cannot be read."""
    try:
        return lessons(workspace.text(workspace.in_memory(FILE)) or "")
    except WorkspaceError as e:
        warnings.append(e.message)
        return ()


def with_lesson(text: str, lesson: Lesson, *, by: str, at: str) -> str:
    """Return a taught.jsonl with one lesson more; what was taught of the same sentence before is taken out."""
    lines = text.removesuffix("\n").split("\n") if text else []
    kept = [line for line in lines if (was := _lesson(line)) is None or was.text != lesson.text]
    new = {"text": lesson.text, "type": lesson.type, "by": by, "at": at}
    return "".join(f"{line}\n" for line in (*kept, json.dumps(new, ensure_ascii=False)))


def is_lesson(value: object) -> bool:
    """Return whether a line's value teaches something: {"text", "type"}."""
    text, kind = (value.get("text"), value.get("type")) if isinstance(value, dict) else (None, None)
    return isinstance(text, str) and bool(text.strip()) and kind in TYPES


def _lesson(line: str) -> Lesson | None:
    try:
        has = json.loads(line)
    except (ValueError, RecursionError):
        return None
    by = PERSON if is_lesson(has) and has.get("by") == PERSON else AGENT
    return Lesson(has["text"], has["type"], by) if is_lesson(has) else None
