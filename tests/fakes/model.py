"""A chat and embeddings endpoint on a free loopback port that says what it was told, in order.

    with FakeModel() as llm:
        llm.says({"signals": []}).fails(503).says("second answer")
        …                                # point a call, or a whole koog process, at llm.url
        assert llm.requests[0]["body"]["model"] == "small"

It is a real server, so status codes, timeouts, proxies and unclosed sockets are
real, and other processes can ask it. On the way out it fails the test when
something it was to say was never asked for, or when it was asked for more.
"""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

Sayable = Any  # a string, or anything that json.dumps takes
Usage = tuple[int, int] | None
Raw = bytes | Callable[[socket.socket], None]
POLL_S = 0.01  # how often the server looks whether it is to stop
PATHS = ("/v1/chat/completions", "/v1/embeddings")
NOTHING_LEFT = 400  # a status that no client tries again


class FakeModel:
    """The server, its script and what it heard. `requests` holds dicts with path, headers (lower-case names), body."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self._script: deque[Callable[[_Handler, dict[str, Any]], None]] = deque()
        self._always: Callable[[_Handler, dict[str, Any]], None] | None = None
        self._dimensions = 0
        self._unforeseen: list[str] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(POLL_S,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL, as provider.baseUrl wants it."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def says(self, answer: Sayable, *, finish: str = "stop", usage: Usage = (10, 5), model: str | None = None) -> Self:
        """Answer with a chat completion. usage: (prompt, completion) tokens; model: the name it gives itself."""
        self._script.append(lambda handler, asked: handler.complete(asked, answer, finish, usage, model))
        return self

    def fails(self, status: int, body: str | dict[str, Any] = "", headers: Mapping[str, str] | None = None) -> Self:
        """Answer with a status, a body (a dict is sent as JSON) and headers."""
        text = body if isinstance(body, str) else json.dumps(body)
        self._script.append(lambda handler, asked: handler.reply(status, text.encode(), headers or {}))
        return self

    def raw(self, answer: Raw) -> Self:
        """Send these bytes as the whole HTTP response, or let a function do as it likes with the socket."""
        self._script.append(lambda handler, asked: handler.send_raw(answer))
        return self

    def always(self, answer: Sayable | Callable[[dict[str, Any]], Sayable], *, usage: Usage = (10, 5)) -> Self:
        """Answer this to whatever is asked once the script is used up; a function gets the request."""

        def say(handler: _Handler, asked: dict[str, Any]) -> None:
            handler.complete(asked, answer(asked) if callable(answer) else answer, "stop", usage, None)

        self._always = say
        return self

    def embeds(self, dimensions: int = 16) -> Self:
        """Answer every embeddings call, once the script is used up: texts that share words have near vectors."""
        self._dimensions = dimensions
        return self

    def next_for(self, asked: dict[str, Any]) -> Callable[[_Handler, dict[str, Any]], None]:
        """Note a request and return how to answer it."""
        with self._lock:
            self.requests.append(asked)
            if self._script:
                return self._script.popleft()
            if self._dimensions and asked["path"].endswith("/embeddings"):
                return lambda handler, asked: handler.embed(asked, self._dimensions)
            if self._always:
                return self._always
            self._unforeseen.append(f"request {len(self.requests)} ({asked['path']})")
        return lambda handler, asked: handler.reply(NOTHING_LEFT, b"the fake model was told no more", {})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        if kind is None:  # the test's own failure comes first
            assert not self._unforeseen, f"asked for more than it was told: {', '.join(self._unforeseen)}"
            assert not self._script, f"{len(self._script)} answer(s) were never asked for"


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close waits for them, so no socket outlives the test
    model: FakeModel

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that hangs up is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # seconds; a client that connects and says nothing ends by itself

    server: _Server

    def do_POST(self) -> None:
        self.close_connection = True
        length = int(self.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        path = urlsplit(self.path).path  # a proxy is sent the whole address
        asked = {"path": self.path, "headers": headers, "body": json.loads(self.rfile.read(length))}
        if path not in PATHS:
            self.reply(404, f"the fake model answers {' and '.join(PATHS)}".encode(), {})
            return
        self.server.model.next_for(asked)(self, asked)

    def complete(self, asked: dict[str, Any], answer: Sayable, finish: str, usage: Usage, model: str | None) -> None:
        content = answer if isinstance(answer, str) else json.dumps(answer)
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}
        data: dict[str, Any] = {"object": "chat.completion", "choices": [choice]}
        data["model"] = model or asked["body"]["model"]
        if usage:
            data["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        self.reply(200, json.dumps(data).encode(), {"Content-Type": "application/json"})

    def embed(self, asked: dict[str, Any], dimensions: int) -> None:
        texts = asked["body"]["input"]
        rows = [{"object": "embedding", "index": n, "embedding": vector(t, dimensions)} for n, t in enumerate(texts)]
        data = {"object": "list", "model": asked["body"]["model"], "data": rows[::-1]}  # the order is the client's work
        data["usage"] = {"prompt_tokens": 7 * len(texts), "total_tokens": 7 * len(texts)}
        self.reply(200, json.dumps(data).encode(), {"Content-Type": "application/json"})

    def reply(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_raw(self, answer: Raw) -> None:
        if callable(answer):
            answer(self.connection)
        else:
            self.connection.sendall(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test output clean."""


def vector(text: str, dimensions: int) -> list[float]:
    """Return the sum of one vector for each word, the same for the same word in any test."""
    sums = [0.0] * dimensions
    for word in text.lower().split():
        numbers = hashlib.shake_128(word.encode("utf-8", "replace")).digest(dimensions)
        sums = [old + number - 127.5 for old, number in zip(sums, numbers, strict=True)]
    return sums
