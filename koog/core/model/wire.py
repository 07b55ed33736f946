"""One HTTP exchange with a deadline: the package's only network I/O.  [design.md §4, "The model client"]

    post        one request in a thread that the deadline can cut off
    _Line       the connection of that request, as seen from the other thread

`requests` times single reads, so a server that sends one byte a second never times
out. Each request therefore runs in a thread of its own: when the time is up the
caller leaves, and the socket is shut down under the thread, which ends it. Below a
Session lies the transport adapter, and that is what is used: it follows no
redirect, keeps no cookie and reads no .netrc, so none of these can be left on.
"""

from __future__ import annotations

import os
import re
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from koog.core.errors import ConfigError, LLMUnusable
from koog.core.model.answer import Response, excerpt

if TYPE_CHECKING:
    import socket

    from requests.adapters import HTTPAdapter
    from urllib3.response import BaseHTTPResponse

MAX_BODY = 8 * 1024 * 1024  # bytes, on the wire and again after decompression
CONNECT_S = 10.0  # a host that does not pick up by then is worth a second try
LEAVE_S = 0.2  # how long a cut-off thread may take to close its socket before we go on without it


def target(base_url: str, path: str = "/chat/completions", *, setting: str = "provider.baseUrl") -> str:
    """Return the address of a call; ConfigError, naming the setting, for what is no address or carries a password."""
    from urllib.parse import urlsplit

    hint = f"set {setting}, for example https://openrouter.ai/api/v1"
    try:
        parts = urlsplit(base_url.strip())
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"{setting} is not an http or https address", hint=hint)
    if "@" in parts.netloc:
        raise ConfigError(f"{setting} carries a user or password", hint="put the key where apiKeyEnv says")
    return parts._replace(path=parts.path.rstrip("/") + path, fragment="").geturl()


def headers_for(key: str | None) -> dict[str, str]:
    """Return the headers of a request with this API key; ConfigError for a key that no header can carry."""
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


def post(url: str, *, headers: dict[str, str], body: bytes, seconds: float) -> Response:
    """Send one request and return the whole answer, or raise TimeoutError after `seconds`, whatever the server does.

    Raises ConnectionError (worth another try), ConfigError, LLMUnusable. A thread that hangs where no
    socket exists yet (DNS) is left behind: it is a daemon, and finds its line cut.
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    line, box = _Line(), SimpleQueue[Response | Exception]()

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


def _exchange(line: _Line, url: str, *, headers: dict[str, str], body: bytes, seconds: float) -> Response:
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
            return Response(response.status_code, response.headers, _read(response.raw))
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

            class Connection(pool.ConnectionCls):  # type: ignore[misc]  # a class known at run time only
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
        raise LLMUnusable(f"the answer is compressed in a way nobody asked for ({excerpt(encoding, None)})")
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
