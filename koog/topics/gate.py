"""Tier 3: one cheap question a topic, "is it relevant to this message?", answered yes or no.  [autopoiesis §5]

The same message and topic are asked once: the answers are kept in `.koog/topic-gate.json`, by
what the gate saw, so that a topic that was edited is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import ConfigError, KoogError, LLMUnavailable, LLMUnusable, Refused
from koog.core.named import NamedTuple
from koog.core.task import Task
from koog.topics import decisions, gate_rules
from koog.topics.gate_rules import GateInput

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.topics.topics import Topic
    from koog.topics.triggers.matcher import Fired

DESCRIPTION_CHARS = 200
MOST_ASKED = 10  # calls of a model a message: a pattern such as "the" in a hundred topics must not become a bill

TASK = Task(
    file=Path(__file__),
    route="topic_gate",
    rules=gate_rules.answer,
    render=lambda given: {
        "topic": given.topic,
        "description": given.description,
        "message": given.message,
    },
    writes=False,
)


FAILURES = (ConfigError, LLMUnavailable, LLMUnusable, Refused)


class Gate(NamedTuple):
    """What came of the gate.

    reason   "gate-yes", "gate-no", "gate-failed" or "not-asked"
    asked    an engine was asked now
    cached   the answer is an earlier one
    engine   "llm" or "builtin", None where nobody was asked
    """

    reason: str
    asked: bool = False
    cached: bool = False
    engine: str | None = None

    @property
    def answer(self) -> str | None:
        """Return "yes" or "no", None without an answer."""
        return {"gate-yes": "yes", "gate-no": "no"}.get(self.reason)


class Gatekeeper:
    """The gate of one message.

    failure   the error of the last topic that could not be decided, None when all could
    """

    def __init__(self, run: Run, message: str, *, ask: bool) -> None:
        self.run = run
        self.message = message[: decisions.MESSAGE_CHARS]
        self.may_ask = ask
        self.failure: KoogError | None = None
        self._asked = 0
        self._new: dict[str, str] = {}

    @cached_property
    def message_hash(self) -> str:
        return decisions.message_hash(self.message)

    @cached_property
    def engine(self) -> str:
        """Return who would be asked. Raises ConfigError for a key that cannot be read."""
        return "llm" if self.run.asker.uses_model else "builtin"

    @cached_property
    def _cache(self) -> dict[str, str]:
        return decisions.cached(self.run.workspace)

    def decide(self, topic: Topic, fired: Sequence[Fired]) -> Gate:
        """Return the gate's answer about one topic, from the cache, an engine or nobody."""
        if not _is_told(self.run, topic):
            return Gate("not-asked")
        if self.failure and not isinstance(self.failure, LLMUnusable):
            return Gate("gate-failed")  # the next call would only wait for the same failure
        given = question(topic, fired, self.message)
        try:
            if known := self._cache.get(self._key(given, self.engine)):
                return Gate(f"gate-{known}", cached=True, engine=self.engine)
            if not self.may_ask or (self.engine == "llm" and self._asked == MOST_ASKED):
                return Gate("not-asked")
            self._asked += 1
            answer = self.run.ask(TASK, given)
        except FAILURES as e:
            self.failure = e
            self.run.warnings.append(f"topic gate, {topic.name}: {e.code}, so it does not activate: {e.message}")
            return Gate("gate-failed", asked=True)
        self._new[self._key(given, answer.engine)] = answer.value
        return Gate(f"gate-{answer.value}", asked=True, engine=answer.engine)

    def keep(self) -> None:
        """Write the new answers to the cache."""
        if self._new:
            decisions.keep(self.run.workspace, {**self._cache, **self._new})

    def _key(self, given: GateInput, engine: str) -> str:
        seen = (given.description, given.instructions, *given.matched)
        return f"{self.message_hash} {decisions.digest(*seen)} {engine} {given.topic}"


def _is_told(run: Run, topic: Topic) -> bool:
    """Return whether the reader may hear of a topic: what is kept for another project is in no question of his."""
    from koog.sessions import audience
    from koog.sessions.audience import Seen

    return audience.current(run).file(topic.path) is not Seen.HIDDEN


def question(topic: Topic, fired: Sequence[Fired], message: str) -> GateInput:
    """Return what the gate is given: of the description its beginning, and the title where there is none."""
    return GateInput(
        topic=topic.name,
        description=(topic.description or topic.title)[:DESCRIPTION_CHARS],
        instructions=topic.instructions,
        matched=tuple(each.what for each in fired),
        message=message,
    )
