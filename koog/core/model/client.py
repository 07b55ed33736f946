"""One chat call to an OpenAI-compatible endpoint.  [design.md §4, "The model client"]

    chat        one call: models in order, JSON modes downwards, tries, one deadline
    Call        what the tries of one call share; core/model/embeddings.py makes its calls by it too

What goes over the wire is llm_wire's business, what comes back llm_answer's.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from koog.core.errors import KoogError, LLMUnavailable
from koog.core.model.answer import Completion, Failed, Response, completion, excerpt, judge, without
from koog.core.model.wire import headers_for, post, target

MODES = ("json_schema", "json_object", "none")  # strictest first; an endpoint falls down this list
TRIES = 3
MODE_COMPLAINT = re.compile(rb"response_?format|json_schema|json_object|structured.output|json.mode", re.IGNORECASE)


@dataclass(frozen=True)
class Endpoint:
    """Where to ask. structured: "auto" falls down MODES, one of MODES fixes it."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    structured: str = "auto"


@dataclass(frozen=True)
class Route:
    """How to ask for one task. timeout_s bounds the whole call: all tries, waits and models."""

    model: str
    max_tokens: int
    timeout_s: float
    temperature: float = 0.2
    fallback_models: tuple[str, ...] = ()


def chat(
    endpoint: Endpoint,
    route: Route,
    *,
    system: str,
    user: str,
    schema: dict[str, Any] | None = None,
    schema_name: str = "answer",
    known_mode: str | None = None,
    deadline_s: float | None = None,
) -> Completion:
    """Ask once and return the answer's text, unparsed.

    known_mode   the `mode` an earlier call to this endpoint returned
    deadline_s   seconds the caller has left, if fewer than route.timeout_s

    Raises LLMUnavailable (no answer: refused, timeout, DNS, 402, 429, 5xx), LLMUnusable
    (an answer nobody can use), ConfigError (key, model or baseUrl). The fallback models
    are asked after LLMUnavailable or a 404, each with its own tries, in the time left.
    """
    started = time.monotonic()
    total_s = route.timeout_s if deadline_s is None else min(route.timeout_s, deadline_s)
    call = Call(endpoint=endpoint, url=target(endpoint.base_url), total_s=total_s, ends=started + total_s)
    failures: list[tuple[str, KoogError]] = []
    for model in (route.model, *route.fallback_models):
        payload = {
            "model": model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "max_tokens": route.max_tokens,
            "temperature": route.temperature,
            "stream": False,
        }
        try:
            data, mode = call.ask(payload, formats=_formats(endpoint, schema, name=schema_name, known_mode=known_mode))
        except Failed as failed:
            failures.append((model, failed.error))
            continue
        ms = round((time.monotonic() - started) * 1000)
        return completion(data, asked=model, mode=mode, attempts=call.attempts, ms=ms)
    raise _first_of(failures)


@dataclass
class Call:
    """What the tries of one call share: the deadline (monotonic seconds) and the count."""

    endpoint: Endpoint
    url: str
    total_s: float
    ends: float
    attempts: int = 0

    def ask(self, payload: dict[str, Any], *, formats: list[tuple[str, dict[str, Any]]]) -> tuple[dict[str, Any], str]:
        """Return one model's answer and the JSON mode it came in; formats as from `_formats`."""
        failures = 0
        while True:
            mode, extra = formats[0]
            try:
                answer = self._try(payload | extra, mode=mode)
                if len(formats) > 1 and answer.status in (400, 422) and MODE_COMPLAINT.search(answer.body):
                    formats = formats[1:]
                    continue
                return judge(answer, key=self.endpoint.api_key), mode
            except Failed as failed:
                failures += 1
                if not failed.again or failures == TRIES:
                    raise
                self._pause(failed, failures=failures)

    def _try(self, payload: dict[str, Any], *, mode: str) -> Response:
        seconds = self.ends - time.monotonic()
        if seconds <= 0:
            raise Failed(LLMUnavailable(f"no time left to ask {payload['model']}: the deadline of the call is over"))
        self.attempts += 1
        outcome, started = "failed", time.monotonic()
        try:
            body = json.dumps(payload).encode()
            answer = post(self.url, headers=headers_for(self.endpoint.api_key), body=body, seconds=seconds)
            outcome = f"HTTP {answer.status}, {len(answer.body)} bytes"
            return without(answer, self.endpoint.api_key)
        except TimeoutError:
            raise Failed(LLMUnavailable(f"no answer within {self.total_s:g} s (timeout)")) from None
        except ConnectionError as error:
            why = excerpt(str(error), self.endpoint.api_key)
            raise Failed(LLMUnavailable(f"no connection to the model: {why}"), again=True) from None
        finally:
            if os.environ.get("KOOG_DEBUG") == "1":
                ms = (time.monotonic() - started) * 1000
                where = self.url.partition("?")[0]
                sys.stderr.write(f"koog: POST {where} model={payload['model']} mode={mode}: {outcome}, {ms:.0f} ms\n")

    def _pause(self, failed: Failed, *, failures: int) -> None:
        """Wait before the next try, or give up now when the wait would outlast the deadline."""
        import random

        step_s = min(1.0, self.total_s / 50) * 2 ** (failures - 1)  # a short deadline leaves room for short waits only
        wait_s = max(failed.wait_s, step_s * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
        left_s = self.ends - time.monotonic()
        if wait_s >= left_s:
            message = f"{failed.error.message}; the next try is due in {wait_s:.1f} s, {max(left_s, 0):.1f} s are left"
            raise Failed(LLMUnavailable(message))
        time.sleep(wait_s)


def _formats(
    endpoint: Endpoint, schema: dict[str, Any] | None, *, name: str, known_mode: str | None
) -> list[tuple[str, dict[str, Any]]]:
    """Return (mode, keys to add to the request) in the order to try. Without a schema: plain text only."""
    if schema is None:
        return [("none", {})]
    named = {"name": re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64], "strict": False, "schema": schema}
    formats: dict[str, dict[str, Any]] = {
        "json_schema": {"response_format": {"type": "json_schema", "json_schema": named}},
        "json_object": {"response_format": {"type": "json_object"}},
        "none": {},
    }
    if endpoint.structured != "auto":
        return [(endpoint.structured, formats[endpoint.structured])]
    first = MODES.index(known_mode) if known_mode in MODES else 0
    return [(mode, formats[mode]) for mode in MODES[first:]]


def _first_of(failures: list[tuple[str, KoogError]]) -> KoogError:
    """Return the configured model's error; what the others said is added to its message."""
    (_, error), *others = failures
    if not others:
        return error
    tail = "; ".join(f"{model}: {other.message}" for model, other in others)
    return type(error)(f"{error.message}; fallback models failed too: {tail}", hint=error.hint)
