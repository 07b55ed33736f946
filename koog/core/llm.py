"""One chat call to an OpenAI-compatible endpoint: the package's only network I/O.  [design.md §4, "The model client"]

    chat        one call: models in order, JSON modes downwards, tries, one deadline
    _Call       what the tries of one call share
    _judge      status and body of an answer → nothing, or the error it means
    _post       one request in a thread that the deadline can cut off
    _Line       the connection of that request, as seen from the other thread

`requests` times single reads, so a server that sends one byte a second never times
out. Each request therefore runs in a thread of its own: when the time is up the
caller leaves, and the socket is shut down under the thread, which ends it. Below a
Session lies the transport adapter, and that is what is used: it follows no
redirect, keeps no cookie and reads no .netrc, so none of these can be left on.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from koog.core.errors import ConfigError, KoogError, LLMUnavailable, LLMUnusable

if TYPE_CHECKING:
    import socket

    from requests.adapters import HTTPAdapter
    from urllib3.response import BaseHTTPResponse

MODES = ("json_schema", "json_object", "none")  # strictest first; an endpoint falls down this list
TRIES = 3
MAX_BODY = 8 * 1024 * 1024  # bytes, on the wire and again after decompression
EXCERPT = 200  # characters of a foreign text in a message
CONNECT_S = 10.0  # a host that does not pick up by then is worth a second try
LEAVE_S = 0.2  # how long a cut-off thread may take to close its socket before we go on without it
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
    call = _Call(endpoint=endpoint, url=_target(endpoint.base_url), total_s=total_s, ends=started + total_s)
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
        except _Failed as failed:
            failures.append((model, failed.error))
            continue
        ms = round((time.monotonic() - started) * 1000)
        return _completion(data, asked=model, mode=mode, attempts=call.attempts, ms=ms)
    raise _first_of(failures)


class _Failed(Exception):
    """This model did not answer. again: the same request may do better; wait_s: seconds asked for first."""

    def __init__(self, error: KoogError, *, again: bool = False, wait_s: float = 0.0) -> None:
        super().__init__(error.message)
        self.error, self.again, self.wait_s = error, again, wait_s


@dataclass
class _Call:
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
                return _judge(answer, key=self.endpoint.api_key), mode
            except _Failed as failed:
                failures += 1
                if not failed.again or failures == TRIES:
                    raise
                self._pause(failed, failures=failures)

    def _try(self, payload: dict[str, Any], *, mode: str) -> _Answer:
        seconds = self.ends - time.monotonic()
        if seconds <= 0:
            raise _Failed(LLMUnavailable(f"no time left to ask {payload['model']}: the deadline of the call is over"))
        self.attempts += 1
        outcome, started = "failed", time.monotonic()
        try:
            body = json.dumps(payload).encode()
            answer = _post(self.url, headers=_headers(self.endpoint.api_key), body=body, seconds=seconds)
            outcome = f"HTTP {answer.status}, {len(answer.body)} bytes"
            return answer
        except TimeoutError:
            raise _Failed(LLMUnavailable(f"no answer within {self.total_s:g} s (timeout)")) from None
        except ConnectionError as error:
            why = _excerpt(str(error), self.endpoint.api_key)
            raise _Failed(LLMUnavailable(f"no connection to the model: {why}"), again=True) from None
        finally:
            if os.environ.get("KOOG_DEBUG") == "1":
                ms = (time.monotonic() - started) * 1000
                where = self.url.partition("?")[0]
                sys.stderr.write(f"koog: POST {where} model={payload['model']} mode={mode}: {outcome}, {ms:.0f} ms\n")

    def _pause(self, failed: _Failed, *, failures: int) -> None:
        """Wait before the next try, or give up now when the wait would outlast the deadline."""
        import random

        step_s = min(1.0, self.total_s / 50) * 2 ** (failures - 1)  # a short deadline leaves room for short waits only
        wait_s = max(failed.wait_s, step_s * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
        left_s = self.ends - time.monotonic()
        if wait_s >= left_s:
            message = f"{failed.error.message}; the next try is due in {wait_s:.1f} s, {max(left_s, 0):.1f} s are left"
            raise _Failed(LLMUnavailable(message))
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


# --- what an answer means


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


def _judge(answer: _Answer, *, key: str | None) -> dict[str, Any]:
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
    raise _error_for(status, answer.headers, said=_excerpt(text, key), key=key)


def _error_for(status: int, headers: Mapping[str, str], *, said: str, key: str | None) -> KoogError | _Failed:
    told = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if status in (408, 429) or status >= 500:
        kind = "rate limited" if status == 429 else "the model's server failed"
        return _Failed(LLMUnavailable(f"{kind}, {told}"), again=True, wait_s=_retry_after(headers))
    if status == 402:
        return _Failed(LLMUnavailable(f"no credit left, {told}", hint="top up the account, or name a cheaper model"))
    if status == 404:
        return _Failed(ConfigError(f"model or baseUrl not found, {told}", hint="check models and provider.baseUrl"))
    if status in (401, 403):
        return ConfigError(f"the API key was not accepted, {told}", hint="check the variable that apiKeyEnv names")
    if status < 400:
        where = _excerpt(headers.get("Location", ""), key)
        return ConfigError(f"baseUrl redirects, HTTP {status} to {where!r}: not followed", hint="set the final address")
    why = "is too large for" if status == 413 else "was refused by"
    return LLMUnusable(f"the request {why} the model's server, {told}")


def _completion(data: dict[str, Any], *, asked: str, mode: str, attempts: int, ms: int) -> Completion:
    """Return the first choice of a chat completion; LLMUnusable where it is not a finished text."""
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise LLMUnusable(f"{asked} answered without a choice")
    finish = choice.get("finish_reason")
    text = _text(message.get("content"))
    if refusal := message.get("refusal"):
        raise LLMUnusable(f"{asked} refused: {_excerpt(str(refusal), None)}")
    if finish in ("content_filter", "error"):
        raise LLMUnusable(f"{asked} was stopped before it had answered (finish_reason {finish})")
    if message.get("tool_calls") or message.get("function_call"):
        raise LLMUnusable(f"{asked} called a tool instead of answering")
    if not text.strip():
        spent = ": maxTokens were spent before the answer began" if finish == "length" else ""
        raise LLMUnusable(f"{asked} answered with nothing{spent}")
    named, usage = data.get("model"), data.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    prompt_tokens, completion_tokens = _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))
    return Completion(
        text=text,
        model=_excerpt(named, None) if isinstance(named, str) and named.strip() else asked,
        truncated=finish == "length",
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=_money(counts.get("cost")),
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


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _money(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _not_json(answer: _Answer, *, key: str | None) -> LLMUnusable:
    start = answer.body.decode("utf-8", "replace")
    if start.lstrip().startswith("<"):
        return LLMUnusable(f"HTTP {answer.status} with an HTML page, not an answer", hint="check provider.baseUrl")
    return LLMUnusable(f"HTTP {answer.status} without a JSON object: {_excerpt(start, key) or 'an empty body'}")


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


def _excerpt(text: str, key: str | None) -> str:
    """Return the start of a foreign text on one line: without the key, other secrets and control characters."""
    from koog.core.untrusted import redact_secrets, visible

    text = visible(text)
    if key:
        text = text.replace(key, "[redacted:key]")
    line = " ".join(redact_secrets(text[: 8 * EXCERPT]).split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


# --- the wire


def _target(base_url: str) -> str:
    """Return the address of the chat call; ConfigError for what is no address or carries a password."""
    from urllib.parse import urlsplit

    hint = "set provider.baseUrl, for example https://openrouter.ai/api/v1"
    try:
        parts = urlsplit(base_url.strip())
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError("provider.baseUrl is not an http or https address", hint=hint)
    if "@" in parts.netloc:
        raise ConfigError("provider.baseUrl carries a user or password", hint="put the key where apiKeyEnv says")
    return parts._replace(path=parts.path.rstrip("/") + "/chat/completions", fragment="").geturl()


def _headers(key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    headers |= {"Accept-Encoding": "gzip", "User-Agent": "koog"}
    if not key:
        return headers
    if not re.fullmatch(r"[!-~]+", key):
        raise ConfigError("the API key holds a space, a line break or a letter outside ASCII", hint="copy it again")
    return headers | {"Authorization": f"Bearer {key}"}


class _Line:
    """The connection of one request, which another thread can cut.

    Either side may come first: `hold` looks for an earlier cut after it has stored the
    socket, `cut` for a socket after it has set the flag, so one of them shuts it down.
    """

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._cut = False

    def hold(self, connected: socket.socket) -> None:
        self._socket = connected
        if self._cut:
            self.cut()

    def cut(self) -> None:
        self._cut = True
        if self._socket is not None:
            with suppress(OSError):  # the thread closed it first
                self._socket.shutdown(2)


def _post(url: str, *, headers: dict[str, str], body: bytes, seconds: float) -> _Answer:
    """Send one request and return the whole answer, or raise TimeoutError after `seconds`, whatever the server does.

    Raises ConnectionError (worth another try), ConfigError, LLMUnusable. A thread that hangs where no
    socket exists yet (DNS) is left behind: it is a daemon, and finds its line cut.
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    line, box = _Line(), SimpleQueue[_Answer | Exception]()

    def work() -> None:
        try:
            box.put(_exchange(line, url, headers=headers, body=body, seconds=seconds))
        except Exception as error:
            box.put(error)

    thread = Thread(target=work, name="koog-llm", daemon=True)
    thread.start()
    try:
        result = box.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    finally:
        line.cut()  # also on ^C; after a finished answer nothing is left to cut
        thread.join(LEAVE_S)
    if isinstance(result, Exception):
        raise result
    return result


def _exchange(line: _Line, url: str, *, headers: dict[str, str], body: bytes, seconds: float) -> _Answer:
    import requests
    from urllib3.exceptions import HTTPError

    verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
    times = (min(CONNECT_S, seconds), seconds + 1)  # the caller's own clock ends a read first
    try:
        request = requests.Request("POST", url, headers=headers, data=body).prepare()
        proxies = {} if _is_loopback(url) else requests.utils.get_environ_proxies(url)
        with (
            closing(_adapter(line)) as adapter,
            closing(adapter.send(request, stream=True, timeout=times, verify=verify, proxies=proxies)) as response,
        ):
            return _Answer(response.status_code, response.headers, _read(response.raw))
    except (requests.exceptions.InvalidURL, UnicodeError):
        raise ConfigError("provider.baseUrl or the proxy is not a usable address") from None
    except (requests.RequestException, HTTPError, OSError) as error:
        raise ConnectionError(_why(error)) from None


def _adapter(line: _Line) -> HTTPAdapter:
    """Return a transport whose connections report their socket to the line."""
    from requests.adapters import HTTPAdapter

    class Adapter(HTTPAdapter):
        def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
            pool: Any = super().get_connection_with_tls_context(*args, **kwargs)

            class Connection(pool.ConnectionCls):  # type: ignore[misc]
                def connect(self) -> None:
                    super().connect()
                    line.hold(self.sock)

            pool.ConnectionCls = Connection
            return pool

    return Adapter()


def _read(raw: BaseHTTPResponse) -> bytes:
    """Return the body, decompressed here because a library may inflate a bomb before it can be counted."""
    import zlib

    too_large = LLMUnusable(f"the answer is larger than {MAX_BODY >> 20} MB")
    parts, size = [], 0
    for part in raw.stream(64 * 1024, decode_content=False):
        parts.append(part)
        size += len(part)
        if size > MAX_BODY:
            raise too_large
    body = b"".join(parts)
    encoding = raw.headers.get("Content-Encoding", "").strip().lower()
    if encoding in ("", "identity") or not body:
        return body
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise LLMUnusable(f"the answer is compressed in a way nobody asked for ({_excerpt(encoding, None)})")
    inflater = zlib.decompressobj(wbits=47)  # 32 + 15: gzip or zlib, as the header says
    try:
        body = inflater.decompress(body, MAX_BODY + 1)
    except zlib.error:
        raise LLMUnusable("the answer's compression is broken") from None
    if len(body) > MAX_BODY:
        raise too_large
    if not inflater.eof:
        raise ConnectionError("the compressed answer was cut short")
    return body


def _is_loopback(url: str) -> bool:
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _why(error: BaseException) -> str:
    """Return the innermost cause in a few words; the outer ones repeat the whole request."""
    while inner := error.__cause__ or error.__context__:
        error = inner
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
