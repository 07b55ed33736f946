"""One question to the engine that the settings choose.  [design §4]

The model's side (core/model/engine.py) is loaded only when a model is asked.
"""

from __future__ import annotations

from typing import TypeVar

from koog.core import config
from koog.core import task as tasks
from koog.core.errors import LLMUnavailable, LLMUnusable
from koog.core.model.asking import Asking
from koog.core.task import Answer, Task

G = TypeVar("G")


class Asker(Asking):
    """Asks the model or the built-in engine, as the settings say."""

    @property
    def uses_model(self) -> bool:
        """Return whether the settings send questions to a model. Raises ConfigError for a key that cannot be read."""
        engine = self.settings.get("engine")
        return engine == "llm" or (engine == "auto" and config.wants_model(self.settings))

    def ask(self, task: Task[G], given: G) -> Answer:
        """Return a checked answer.

        A failing endpoint becomes the built-in engine's answer only when the
        config says `"fallback": "builtin"`, and then `_meta` says so.

        Raises ConfigError, Refused (budget), LLMUnavailable, LLMUnusable.
        """
        if not self.uses_model:
            return self._builtin(task, given, "builtin")
        from koog.core.model import engine as model_engine

        try:
            return model_engine.answer(self, task, given)
        except (LLMUnavailable, LLMUnusable) as e:
            if self.settings.get("fallback") != "builtin":
                raise
            self.warnings.append(f"{task.name}: {e.code}, answered by the built-in engine: {e.message}")
            return self._builtin(task, given, "builtin-fallback")

    def _builtin(self, task: Task[G], given: G, engine: str) -> Answer:
        self.meta["engine"] = engine
        return Answer(tasks.builtin(task, given), "builtin")
