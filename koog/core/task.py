"""A task: one question of judgement, one schema for its answer, two engines behind it.  [design §4]

`llm` asks any OpenAI-compatible endpoint; `builtin` is deterministic, offline and
free. Either answer is checked by the same schema, and after that by the task's
own rules, which live with its command: laws live in code, prompts only ask.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from koog.core import schema
from koog.core.errors import KoogError, LLMUnusable

G = TypeVar("G")


@dataclass(repr=False, eq=False)
class Task(Generic[G]):
    """Where a task's parts lie.

    file     the command's file: `<verb>.prompt.md` and `<verb>.schema.json` are its siblings
    route    the name under `scripts` in koog-config.json
    rules    the built-in engine's answer
    render   the same input as texts, for the prompt file
    writes   a document changes by the answer, so one that was cut off is not good enough
    """

    file: Path
    route: str
    rules: Callable[[G], Any]
    render: Callable[[G], dict[str, str]]
    writes: bool = True
    verb: str | None = None

    @property
    def name(self) -> str:
        return self.verb or self.file.stem

    @property
    def prompt_file(self) -> Path:
        return self.file.with_name(f"{self.name}.prompt.md")

    def answer_schema(self) -> schema.Schema:
        return schema.definition(self.file.with_name(f"{self.name}.schema.json"), "answer")


class Answer(NamedTuple):
    """A checked answer, and who gave it."""

    value: dict[str, Any]
    engine: str
    model: str | None = None


def checked(value: Any, shape: schema.Schema) -> dict[str, Any]:
    """Return a model's value without the keys nobody asked for. Raises LLMUnusable when it does not fit."""
    slim = schema.prune(value, shape)
    if wrong := schema.problem(slim, shape):
        raise LLMUnusable(f"the answer does not fit its schema: {wrong}", hint="once more, then skip this step")
    return dict(slim)


def builtin(task: Task[G], given: G) -> dict[str, Any]:
    """Return the built-in engine's answer. A misfit is koog's own bug."""
    value = task.rules(given)
    if wrong := schema.problem(value, task.answer_schema()):
        raise KoogError(f"{task.name}: the built-in engine broke its own schema: {wrong}")
    return dict(value)
