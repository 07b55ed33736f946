"""A model for a host program: chat completions on a loopback port, streamed or whole, each request kept.

    with ChatModel() as model:
        …                          # the host's base URL is model.url
        model.requests[0]["messages"]

It answers every request with `ok N`, or with what `answer` returns for it; `/v1/models` lists its one model.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

NAME = "scripted"
Request = dict[str, Any]


class ChatModel:
    """The server and the bodies of what it was asked, in order."""

    def __init__(self, answer: Callable[[Request], str] | None = None) -> None:
        self.requests: list[Request] = []
        self.answer = answer
        self.prompt_tokens: int | None = None  # what it says that a request took; None: a quarter of its characters
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def hear(self, body: Request) -> str:
        """Keep a request, return the answer."""
        with self._lock:
            self.requests.append(body)
            number = len(self.requests)
        return self.answer(body) if self.answer else f"ok {number}"

    def usage(self, body: Request, text: str) -> dict[str, int]:
        asked = len(json.dumps(body)) // 4 if self.prompt_tokens is None else self.prompt_tokens
        said = max(1, len(text) // 4)
        return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ChatModel

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a gateway that is killed hangs up."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": NAME, "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        text = self.server.model.hear(body)
        usage = self.server.model.usage(body, text)
        whole = {"id": "c", "created": int(time.time()), "model": body.get("model", NAME)}
        if not body.get("stream"):
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            self._json({**whole, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        deltas = [({"role": "assistant", "content": text}, None), ({}, "stop")]
        for delta, finish in deltas:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            self._event({**whole, "object": "chat.completion.chunk", "choices": [choice]})
        self._event({**whole, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, value: Any) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")

    def _json(self, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the script prints one line."""
