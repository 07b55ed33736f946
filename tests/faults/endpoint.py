"""An endpoint that answers every request in one broken way, on a raw socket.

Unlike tests/fakes/model.py it never tires: how often koog asks is koog's affair here.
"""

from __future__ import annotations

import json
import socket
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

Fault = Callable[[socket.socket], None]
SMALL = 64 * 1024


class Endpoint:
    """The server. `requests`: (headers in lower case, body) of each; `sent`: bytes a client took of a flood."""

    def __init__(self, fault: Fault) -> None:
        self.requests: list[tuple[str, str]] = []
        self.done = threading.Event()
        self._fault = fault
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._listen, daemon=True)]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self._threads:
            thread.join(10)

    def _listen(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                self._threads.append(threading.Thread(target=self._serve, args=(client,), daemon=True))
                self._threads[-1].start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client:  # a client that hangs up is what some tests are about
            head, body = _request(client)
            self.requests.append((head, body))
            self._fault(client)


def _request(client: socket.socket) -> tuple[str, str]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += client.recv(SMALL) or b"\r\n\r\n"
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(h[15:]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += client.recv(SMALL)
    return head.decode("latin-1").lower().replace("authorization: bearer", "authorization: Bearer"), body.decode()


def http(status: int, body: bytes | str = b"", *headers: str, length: int | None = None) -> bytes:
    """Return a whole response; `length` is what Content-Length says in place of the truth."""
    raw = body.encode() if isinstance(body, str) else body
    told = len(raw) if length is None else length
    head = [f"HTTP/1.1 {status} Told", f"Content-Length: {told}", "Connection: close", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + raw


def says(content: object, *, finish: str = "stop", **message: Any) -> bytes:
    """Return a chat completion with this content."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return http(200, json.dumps({"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 5}}))


def sending(data: bytes) -> Fault:
    return lambda client: client.sendall(data)


def silent(client: socket.socket) -> None:
    """Take the request and never answer."""
    client.recv(1)


def reset(client: socket.socket) -> None:
    """Begin a body and reset the connection in it."""
    client.sendall(http(200, '{"choices": [', length=500))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def drip(client: socket.socket) -> None:
    """Send the body one byte a second: no single read ever times out."""
    client.sendall(http(200, "", length=500).replace(b"\r\n\r\n", b"\r\n\r\n{"))
    client.settimeout(1)
    while True:
        try:
            if client.recv(1) == b"":
                return
        except TimeoutError:
            client.sendall(b" ")


def flood(megabytes: int) -> Fault:
    """Send a body of so many MB, or as much of it as is taken."""

    def send(client: socket.socket) -> None:
        client.sendall(http(200, b"", length=megabytes << 20))
        for _ in range(megabytes * 16):
            client.sendall(b" " * SMALL)

    return send


def bomb(megabytes: int) -> bytes:
    """Return a gzip body that unpacks to so many MB of spaces."""
    packer = zlib.compressobj(wbits=31)
    packed = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(megabytes)) + packer.flush()
    return http(200, packed, "Content-Encoding: gzip", "Content-Type: application/json")
