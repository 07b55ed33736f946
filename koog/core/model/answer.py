"""What an answer of a model's server means: a completion, or the error it stands for. No I/O.  [design.md §4]

judge        status and body → the JSON object, or the error it means
completion   that object → its first choice as a Completion
count, money a figure of its `usage`, None where it is no such figure
without      the answer as if the server had not repeated the key
excerpt      a foreign text, fit for a message
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from koog.core.errors import ConfigError, KoogError, LLMUnavailable, LLMUnusable

EXCERPT = 200  # characters of a foreign text in a message
KEY_CHARS = 12  # a shorter "key" is a placeholder for a local server, such as "ollama", and may be any word


@dataclass(frozen=True)
class Response:
    """One HTTP answer, its body decompressed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Completion:
    """What came back.

    model      as the endpoint names it, else as asked
    truncated  the answer hit max_tokens: it may never replace a document
    cost_usd   where the endpoint says so (OpenRouter), else None
    ms         wall-clock milliseconds of the call, waits included
    attempts   requests sent, for all models and modes
    mode       the JSON mode that worked; worth remembering only if a schema was sent
    reported   the endpoint gave both token counts
    """

    text: str
    model: str
    truncated: bool
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    ms: int
    attempts: int
    mode: str
    reported: bool


class Failed(Exception):
    """This model did not answer. again: the same request may do better; wait_s: seconds asked for first."""

    def __init__(self, error: KoogError, *, again: bool = False, wait_s: float = 0.0) -> None:
        super().__init__(error.message)
        self.error, self.again, self.wait_s = error, again, wait_s


def without(answer: Response, key: str | None) -> Response:
    """Return an answer without the key: what a server repeats would end in the log, the playbook and git."""
    if not key or len(key) < KEY_CHARS:
        return answer
    body = answer.body
    for form in {key, json.dumps(key)[1:-1], key.replace("/", "\\/")}:  # as it is, and as JSON may spell it
        body = body.replace(form.encode(), b"[redacted:key]")
    return Response(answer.status, answer.headers, body)


def judge(answer: Response, *, key: str | None) -> dict[str, Any]:
    """Return the answer's JSON object if it holds a choice; raise what it means otherwise.

    OpenRouter reports a provider's failure as HTTP 200 with an `error` object: its code
    counts as the status.
    """
    data = _object(answer.body)
    status, problem = answer.status, data.get("error") if data else None
    if 200 <= status < 300:
        code = problem.get("code") if isinstance(problem, dict) else None
        if not problem:
            if data is None:
                raise _not_json(answer, key=key)
            return data
        status = code if isinstance(code, int) and 400 <= code < 600 else 400
    said = problem.get("message") if isinstance(problem, dict) else problem
    text = said if isinstance(said, str) else answer.body.decode("utf-8", "replace")
    raise _error_for(status, answer.headers, said=excerpt(text, key), key=key)


def _error_for(status: int, headers: Mapping[str, str], *, said: str, key: str | None) -> KoogError | Failed:
    told = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if status in (408, 429) or status >= 500:
        kind = "rate limited" if status == 429 else "the model's server failed"
        return Failed(LLMUnavailable(f"{kind}, {told}"), again=True, wait_s=_retry_after(headers))
    if status == 402:
        return Failed(LLMUnavailable(f"no credit left, {told}", hint="top up the account, or name a cheaper model"))
    if status == 404:
        return Failed(ConfigError(f"model or baseUrl not found, {told}", hint="check models and provider.baseUrl"))
    if status in (401, 403):
        return ConfigError(f"the API key was not accepted, {told}", hint="check the variable that apiKeyEnv names")
    if status < 400:
        where = excerpt(headers.get("Location", ""), key)
        return ConfigError(f"baseUrl redirects, HTTP {status} to {where!r}: not followed", hint="set the final address")
    why = "is too large for" if status == 413 else "was refused by"
    return LLMUnusable(f"the request {why} the model's server, {told}")


def completion(data: dict[str, Any], *, asked: str, mode: str, attempts: int, ms: int) -> Completion:
    """Return the first choice of a chat completion; LLMUnusable where it is not a finished text."""
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise LLMUnusable(f"{asked} answered without a choice")
    finish = choice.get("finish_reason")
    text = _text(message.get("content"))
    if refusal := message.get("refusal"):
        raise LLMUnusable(f"{asked} refused: {excerpt(str(refusal), None)}")
    if finish in ("content_filter", "error"):
        raise LLMUnusable(f"{asked} was stopped before it had answered (finish_reason {finish})")
    if message.get("tool_calls") or message.get("function_call"):
        raise LLMUnusable(f"{asked} called a tool instead of answering")
    if not text.strip():
        spent = ": maxTokens were spent before the answer began" if finish == "length" else ""
        raise LLMUnusable(f"{asked} answered with nothing{spent}")
    named, usage = data.get("model"), data.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    prompt_tokens, completion_tokens = count(counts.get("prompt_tokens")), count(counts.get("completion_tokens"))
    return Completion(
        text=text,
        model=excerpt(named, None) if isinstance(named, str) and named.strip() else asked,
        truncated=finish == "length",
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=money(counts.get("cost")),
        ms=ms,
        attempts=attempts,
        mode=mode,
        reported=prompt_tokens is not None and completion_tokens is not None,
    )


def _text(content: object) -> str:
    """Return a message's content as text: a string, or the joined text parts of a list."""
    if isinstance(content, list):
        parts = [part["text"] for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        return ""
    return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a pair cannot be written


def count(value: object) -> int | None:
    """Return a number of tokens."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def money(value: object) -> float | None:
    """Return an amount in US dollars."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _not_json(answer: Response, *, key: str | None) -> LLMUnusable:
    start = answer.body.decode("utf-8", "replace")
    if start.lstrip().startswith("<"):
        return LLMUnusable(f"HTTP {answer.status} with an HTML page, not an answer", hint="check provider.baseUrl")
    return LLMUnusable(f"HTTP {answer.status} without a JSON object: {excerpt(start, key) or 'an empty body'}")


def _retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds of a Retry-After header (a number or a date), 0.0 where it is missing or makes no sense.

    A date is read against the answer's own Date, so that a wrong clock on either side does no harm.
    """
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    value = headers.get("Retry-After", "").strip()
    try:
        if re.fullmatch(r"\d{1,9}(\.\d*)?", value):
            return float(value)
        now = parsedate_to_datetime(headers["Date"]) if "Date" in headers else datetime.now(UTC)
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):  # not a date; one date with a zone and one without; year 10000
        return 0.0


def excerpt(text: str, key: str | None) -> str:
    """Return the start of a foreign text on one line: without the key, other secrets and control characters."""
    from koog.core.text.secrets import redact_secrets
    from koog.core.text.untrusted import visible

    text = visible(text)
    if key:
        text = text.replace(key, "[redacted:key]")
    line = " ".join(redact_secrets(text[: 8 * EXCERPT]).split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"
