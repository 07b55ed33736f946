"""The model's side of a task: prompt, budget, call, repair, schema, ledger.  [design §4]"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from koog.core import config, forgotten, prompt, schema
from koog.core import task as tasks
from koog.core.errors import ConfigError, KoogError, LLMUnusable, WorkspaceError
from koog.core.files import jsonfiles
from koog.core.model import client as llm
from koog.core.model import reading, usage
from koog.core.model.jsonrepair import extract
from koog.core.model.jsonvalue import JSONRepairError
from koog.core.model.reading import Read
from koog.core.task import Answer, Task
from koog.core.text.tokens import estimate

if TYPE_CHECKING:
    from koog.core.model.answer import Completion
    from koog.core.model.asking import Asking

G = TypeVar("G")
MODES = "structured.json"  # which response_format each endpoint was seen to accept


def answer(asking: Asking, task: Task[G], given: G) -> Answer:
    """Ask the model. Raises ConfigError, Refused (budget), LLMUnavailable, LLMUnusable."""
    text = prompt.load(task.prompt_file)
    gone = forgotten.of(asking.workspace)
    system, user = text.fill(**{name: gone.shown(value) for name, value in task.render(given).items()})
    asking.meta |= {"engine": "llm", "prompt": text.name}
    check_budget(asking, estimate(system) + estimate(user))
    entry: dict[str, Any] = {"command": asking.command, "task": task.name, "ok": False, "code": None}
    try:
        done = _call(asking, task, system, user)
        entry |= _cost(done, asked=system + user)
        _note(asking, done)
        understood = _understood(done, task, given)
        entry["ok"] = True
        put_out = max(done.completion_tokens or 0, estimate(done.text))
        return Answer(understood.value, "llm", done.model, understood.refused, put_out)
    except KoogError as e:
        entry["code"] = e.code
        raise
    finally:
        usage.record(asking.workspace, when=asking.now, entry=entry)


def check_budget(asking: Asking, prompt_tokens: int) -> None:
    """Raise Refused when the day's budget does not hold a call of about this many tokens."""
    limits = asking.settings.get("budget")
    if limits["tokensPerDay"] is None and limits["usdPerDay"] is None:
        return
    tokens, usd = usage.spent(asking.workspace, now=asking.now, zone=asking.zone)
    usage.check(
        tokens=tokens,
        usd=usd,
        coming=prompt_tokens,
        tokens_limit=limits["tokensPerDay"],
        usd_limit=limits["usdPerDay"],
    )


def _call(asking: Asking, task: Task[G], system: str, user: str) -> Completion:
    provider, script = asking.settings.get("provider"), asking.settings.script(task.route)
    key = key_for(asking, hint="set it, or use --engine builtin")
    endpoint = llm.Endpoint(base_url=provider["baseUrl"], api_key=key, structured=provider["structured"])
    route = llm.Route(
        model=script["model"],
        max_tokens=script["maxTokens"],
        timeout_s=script["timeout"],
        temperature=script["temperature"],
        fallback_models=tuple(provider["fallbackModels"]),
    )
    if task.words():  # plain text: a JSON mode would not let the model say a bare word
        return llm.chat(endpoint, route, system=system, user=user, deadline_s=asking.left_s())
    known = _modes(asking).get(provider["baseUrl"])
    done = llm.chat(
        endpoint,
        route,
        system=system,
        user=user,
        schema=task.answer_schema(),
        schema_name=task.name,
        known_mode=known,
        deadline_s=asking.left_s(),
    )
    if done.mode != known:
        _remember(asking, provider["baseUrl"], done.mode)
    return done


def key_for(asking: Asking, *, hint: str) -> str | None:
    """Return the provider's key, None where none is needed. Raises ConfigError, with the hint, where it is not set."""
    provider = asking.settings.get("provider")
    key = config.api_key(asking.settings)
    if key is None and (provider["apiKeyEnv"] or provider["apiKeyFile"]):
        raise ConfigError(f"no model key: {provider['apiKeyEnv'] or 'provider.apiKeyFile'} is not set", hint=hint)
    return key


def _modes(asking: Asking) -> dict[str, str]:
    try:
        modes = jsonfiles.loads(asking.workspace.cached(MODES) or "{}")
    except (WorkspaceError, ValueError):
        return {}
    return modes if isinstance(modes, dict) else {}


def _remember(asking: Asking, base_url: str, mode: str) -> None:
    """Keep the accepted mode: a cache in `.koog/`, so the worst a lost write costs is one more try."""
    if not asking.workspace.dry_run:
        with suppress(WorkspaceError):
            asking.workspace.cache(MODES, jsonfiles.pretty({**_modes(asking), base_url: mode}))


def _note(asking: Asking, done: Completion) -> None:
    """Add one call's figures to `_meta`: a command may ask more than once."""
    before = asking.meta.get("tokens") or {"prompt": 0, "completion": 0}
    asking.meta["model"] = done.model
    asking.meta["tokens"] = {
        "prompt": before["prompt"] + (done.prompt_tokens or 0),
        "completion": before["completion"] + (done.completion_tokens or 0),
    }
    asking.meta["ms"] = asking.meta.get("ms", 0) + done.ms


def _cost(done: Completion, *, asked: str) -> dict[str, Any]:
    """Return one call's figures for the ledger; estimated ones where the endpoint gave none: the budget counts them."""
    counted = {"promptTokens": done.prompt_tokens, "completionTokens": done.completion_tokens}
    if not done.reported:
        counted = {"promptTokens": estimate(asked), "completionTokens": estimate(done.text), "estimated": True}
    return {
        "model": done.model,
        **counted,
        "costUsd": done.cost_usd,
        "ms": done.ms,
        "attempts": done.attempts,
    }


def _understood(done: Completion, task: Task[G], given: G) -> Read:
    """Return what the model's text holds. Raises LLMUnusable."""
    if words := task.words():
        return Read(tasks.word(done.text, words), [])  # whole even where maxTokens cut it off: they may be one
    shape = task.answer_schema()

    def read(value: Any) -> Read:
        return reading.read(task.forms(value, given), shape)

    def is_one(value: Any) -> bool:
        try:
            return bool(read(value))
        except LLMUnusable:
            return False

    try:
        try:
            found = extract(done.text, accepts=lambda value: schema.problem(value, shape) is None)
        except JSONRepairError:
            found = extract(done.text, accepts=is_one)
    except JSONRepairError as e:
        raise _unusable(done.text, read) or LLMUnusable(f"no JSON in the answer: {e}", hint=tasks.AGAIN) from None
    if task.writes and (done.truncated or found.truncated):
        raise LLMUnusable(
            "the answer was cut off, and a cut answer may not change a document",
            hint=f"raise scripts.{task.route}.maxTokens",
        )
    return read(found.value)


def _unusable(text: str, read: Callable[[Any], Read]) -> LLMUnusable | None:
    """Return what keeps the best JSON of an answer from its schema, None when there is no JSON at all."""
    try:
        read(extract(text).value)
    except JSONRepairError:
        return None
    except LLMUnusable as e:
        return e
    return None
