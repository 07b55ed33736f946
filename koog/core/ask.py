"""One question to the engine that the settings choose: prompt, budget, call, repair, schema, ledger.  [design §4]"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any, TypeVar

from koog.core import config, jsonfiles, llm, prompt, schema, usage
from koog.core import task as tasks
from koog.core.errors import ConfigError, KoogError, LLMUnavailable, LLMUnusable
from koog.core.jsonrepair import JSONRepairError, extract
from koog.core.task import Answer, Task
from koog.core.tokens import estimate
from koog.core.workspace import Workspace

G = TypeVar("G")
MODES = "structured.json"  # which response_format each endpoint was seen to accept


@dataclass
class Asker:
    """What asking needs, and what it leaves for `_meta`."""

    settings: config.Settings
    workspace: Workspace
    command: str
    now: datetime
    zone: tzinfo
    warnings: list[str] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    deadline_s: float | None = None

    def ask(self, task: Task[G], given: G) -> Answer:
        """Return a checked answer.

        A failing endpoint becomes the built-in engine's answer only when the
        config says `"fallback": "builtin"`, and then `_meta` says so.

        Raises ConfigError, Refused (budget), LLMUnavailable, LLMUnusable.
        """
        engine = self.settings.get("engine")
        if engine == "builtin" or (engine == "auto" and not config.wants_model(self.settings)):
            return self._builtin(task, given, "builtin")
        try:
            return self._model(task, given)
        except (LLMUnavailable, LLMUnusable) as e:
            if self.settings.get("fallback") != "builtin":
                raise
            self.warnings.append(f"{task.name}: {e.code}, answered by the built-in engine: {e.message}")
            return self._builtin(task, given, "builtin-fallback")

    def _builtin(self, task: Task[G], given: G, engine: str) -> Answer:
        self.meta["engine"] = engine
        return Answer(tasks.builtin(task, given), "builtin")

    def _model(self, task: Task[G], given: G) -> Answer:
        text = prompt.load(task.prompt_file)
        system, user = text.fill(**task.render(given))
        shape = task.answer_schema()
        self.meta |= {"engine": "llm", "prompt": text.name}
        self._check_budget(estimate(system) + estimate(user))
        entry: dict[str, Any] = {"command": self.command, "task": task.name, "ok": False, "code": None}
        try:
            done = self._call(task, system, user, shape)
            entry |= _cost(done)
            self._note(done)
            value = _understood(done, task, shape)
            entry["ok"] = True
            return Answer(value, "llm", done.model)
        except KoogError as e:
            entry["code"] = e.code
            raise
        finally:
            usage.record(self.workspace, when=self.now, entry=entry)

    def _check_budget(self, prompt_tokens: int) -> None:
        limits = self.settings.get("budget")
        if limits["tokensPerDay"] is None and limits["usdPerDay"] is None:
            return
        tokens, usd = usage.spent(self.workspace, now=self.now, zone=self.zone)
        usage.check(
            tokens=tokens,
            usd=usd,
            coming=prompt_tokens,
            tokens_limit=limits["tokensPerDay"],
            usd_limit=limits["usdPerDay"],
        )

    def _call(self, task: Task[G], system: str, user: str, shape: schema.Schema) -> llm.Completion:
        provider, script = self.settings.get("provider"), self.settings.script(task.route)
        key = config.api_key(self.settings)
        if key is None and (provider["apiKeyEnv"] or provider["apiKeyFile"]):
            raise ConfigError(
                f"no model key: {provider['apiKeyEnv'] or 'provider.apiKeyFile'} is not set",
                hint="set it, or use --engine builtin",
            )
        endpoint = llm.Endpoint(base_url=provider["baseUrl"], api_key=key, structured=provider["structured"])
        route = llm.Route(
            model=script["model"],
            max_tokens=script["maxTokens"],
            timeout_s=script["timeout"],
            temperature=script["temperature"],
            fallback_models=tuple(provider["fallbackModels"]),
        )
        known = self._modes().get(provider["baseUrl"])
        done = llm.chat(
            endpoint,
            route,
            system=system,
            user=user,
            schema=shape,
            schema_name=task.name,
            known_mode=known,
            deadline_s=self.deadline_s,
        )
        if done.mode != known:
            self._remember(provider["baseUrl"], done.mode)
        return done

    def _modes(self) -> dict[str, str]:
        try:
            modes = jsonfiles.loads(self.workspace.private(MODES).read_bytes())
        except (OSError, ValueError):
            return {}
        return modes if isinstance(modes, dict) else {}

    def _remember(self, base_url: str, mode: str) -> None:
        """Keep the accepted mode: a cache in `.koog/`, so the worst a lost write costs is one more try."""
        if not self.workspace.dry_run:
            self.workspace.cache(MODES, jsonfiles.pretty({**self._modes(), base_url: mode}))

    def _note(self, done: llm.Completion) -> None:
        """Add one call's figures to `_meta`: a command may ask more than once."""
        before = self.meta.get("tokens") or {"prompt": 0, "completion": 0}
        self.meta["model"] = done.model
        self.meta["tokens"] = {
            "prompt": before["prompt"] + (done.prompt_tokens or 0),
            "completion": before["completion"] + (done.completion_tokens or 0),
        }
        self.meta["ms"] = self.meta.get("ms", 0) + done.ms


def _cost(done: llm.Completion) -> dict[str, Any]:
    return {
        "model": done.model,
        "promptTokens": done.prompt_tokens,
        "completionTokens": done.completion_tokens,
        "costUsd": done.cost_usd,
        "ms": done.ms,
        "attempts": done.attempts,
    }


def _understood(done: llm.Completion, task: Task[G], shape: schema.Schema) -> dict[str, Any]:
    """Return the value that the model's text holds. Raises LLMUnusable."""
    try:
        found = extract(done.text, accepts=lambda v: schema.problem(schema.prune(v, shape), shape) is None)
    except JSONRepairError as e:
        raise LLMUnusable(f"no JSON in the answer: {e}", hint="once more, then skip this step") from None
    if task.writes and (done.truncated or found.truncated):
        raise LLMUnusable(
            "the answer was cut off, and a cut answer may not change a document",
            hint=f"raise scripts.{task.route}.maxTokens",
        )
    return tasks.checked(found.value, shape)
