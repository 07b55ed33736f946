"""A model on loopback for Claude Code and Codex: it says one sentence to whatever it is asked, and keeps every request.

Anthropic's Messages (`POST /v1/messages`) and OpenAI's Responses (`POST /v1/responses`), as streams.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SAID = "Understood."


class CodingModel:
    """The server's side: what was asked, in order.

    tokens       what a request of Codex is said to have cost; many make it compact
    is_thinking  requests are not answered: a session can be killed in the middle of its work
    """

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.tokens = 10
        self.is_thinking = False
        self.released = threading.Event()


@contextmanager
def serving() -> Iterator[tuple[CodingModel, str]]:
    """Serve a model; yield it and its address."""
    model = CodingModel()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield model, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        model.released.set()
        server.shutdown()


def _handler(model: CodingModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing on stderr."""

        def do_GET(self) -> None:
            self._send(b'{"data":[],"models":[]}')

        def do_HEAD(self) -> None:
            self._send(b"")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode("utf-8", "replace")
            path = self.path.partition("?")[0]
            if path == "/v1/messages":
                self._taken(body)
                self._stream(_messages(json.loads(body).get("model")))
            elif path.endswith("/responses"):
                self._taken(body)
                self._stream(_responses(model.tokens))
            else:
                self._send(b'{"input_tokens":10}')

        def _taken(self, body: str) -> None:
            model.requests.append(body)
            if model.is_thinking:
                model.released.wait(600)

        def _stream(self, events: list[dict[str, Any]]) -> None:
            rows = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            self._send("".join(rows).encode(), "text/event-stream")

        def _send(self, data: bytes, kind: str = "application/json") -> None:
            with suppress(OSError):  # a session that was killed reads nothing any more
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

    return Handler


def _messages(name: object) -> list[dict[str, Any]]:
    usage = {"input_tokens": 10, "output_tokens": 3}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": name, "content": []}
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]


def _responses(tokens: int) -> list[dict[str, Any]]:
    content = [{"type": "output_text", "text": SAID}]
    usage = {"input_tokens": tokens, "input_tokens_details": None, "output_tokens": 3, "output_tokens_details": None}
    return [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {
            "type": "response.output_item.done",
            "item": {"type": "message", "role": "assistant", "id": "msg_1", "content": content},
        },
        {"type": "response.completed", "response": {"id": "resp_1", "usage": {**usage, "total_tokens": tokens + 3}}},
    ]
