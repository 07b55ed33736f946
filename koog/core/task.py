"""A task: one question of judgement, one schema for its answer, two engines behind it.  [design §4]

`llm` asks any OpenAI-compatible endpoint; `builtin` is deterministic, offline and
free. Either answer is checked by the same schema, and after that by the task's
own rules, which live with its command: laws live in code, prompts only ask. A
model's is read generously first, row by row (core/model/reading.py).

An answer is an object, or one word of a closed set: then its schema is an `enum`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from koog.core import schema
from koog.core.errors import KoogError, LLMUnusable
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.refused import Refusal

G = TypeVar("G")
AGAIN = "once more, then skip this step"
LETTERS = compiled(r"[^\W_]+")


@dataclass(repr=False, eq=False)
class Task(Generic[G]):
    """Where a task's parts lie.

    file     the command's file: `<verb>.prompt.md` and `<verb>.schema.json` are its siblings
    route    the name under `scripts` in koog-config.json
    rules    the built-in engine's answer
    render   the same input as texts, for the prompt file
    writes   a document changes by the answer, so one that was cut off is not good enough
    forms    a model's JSON in a form of the task's own → as the schema has it; what it does not know it leaves
    """

    file: Path
    route: str
    rules: Callable[[G], Any]
    render: Callable[[G], dict[str, str]]
    writes: bool = True
    forms: Callable[[Any, G], Any] = lambda value, _: value
    verb: str | None = None

    @property
    def name(self) -> str:
        return self.verb or self.file.stem

    @property
    def prompt_file(self) -> Path:
        return self.file.with_name(f"{self.name}.prompt.md")

    def answer_schema(self) -> schema.Schema:
        return schema.definition(self.file.with_name(f"{self.name}.schema.json"), "answer")

    def words(self) -> list[str]:
        """Return the words of which the answer is one, in lower case; [] where it is an object."""
        return list(self.answer_schema().get("enum", []))


class Answer(NamedTuple):
    """A checked answer, and who gave it: an object, or the word itself.

    refused   the rows of it that could not be understood
    tokens    that a model has put out for it, whatever of them was the answer
    """

    value: Any
    engine: str
    model: str | None = None
    refused: Sequence[Refusal] = ()
    tokens: int = 0


def word(text: str, words: Sequence[str]) -> str:
    """Return the word that a model's text is, in whatever case and marks. Raises LLMUnusable for anything else.

    The beginning of just one word is that word: of one token, some models get no further than the Y of YES.

    >>> word(' **"Yes."** ', ["yes", "no"]), word("Y", ["yes", "no"])
    ('yes', 'yes')
    """
    match LETTERS.findall(text.lower()):
        case [said]:
            meant = [said] if said in words else [known for known in words if known.startswith(said)]
            if len(meant) == 1:
                return meant[0]
    raise LLMUnusable(f"the answer is not one of {', '.join(words)}: {text[:40]!r}", hint=AGAIN)


def builtin(task: Task[G], given: G) -> Any:
    """Return the built-in engine's answer. A misfit is koog's own bug."""
    value = task.rules(given)
    if wrong := schema.problem(value, task.answer_schema()):
        raise KoogError(f"{task.name}: the built-in engine broke its own schema: {wrong}")
    return value
