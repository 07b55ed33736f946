from __future__ import annotations

import gzip
import json
import socket
import struct
import subprocess
import sys
import threading
import time
import tracemalloc
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from koog.core.errors import ConfigError, KoogError, LLMUnavailable, LLMUnusable
from koog.core.model.client import Endpoint, Route, chat
from tests.fakes.model import FakeModel

KEY = "-".join(("sk", "or", "v1", "0123456789abcdef" * 4))
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
QUICK = 0.4  # seconds: the deadline of tests that let it run out
BUSY = 9  # seconds that a machine with other work may add to it; what does not end by itself takes longer


@pytest.fixture
def llm():
    with FakeModel() as fake:
        yield fake


@pytest.fixture(autouse=True)
def no_proxy_of_this_machine(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ask(llm, *, key=KEY, structured="auto", timeout_s=20.0, fallback_models=(), url=None, **more):
    """Call `chat` with what most tests do not care about filled in."""
    endpoint = Endpoint(url or llm.url, key, structured)
    route = Route("small", max_tokens=100, timeout_s=timeout_s, fallback_models=fallback_models)
    return chat(endpoint, route, system="be brief", user="hello", **more)


def failure(kind: type[KoogError], llm, **more) -> str:
    """Call `chat`, insist on this kind of error and return its message."""
    with pytest.raises(kind) as caught:
        ask(llm, **more)
    assert KEY not in caught.value.message + str(caught.value.hint)
    return caught.value.message


def completion(**message) -> dict:
    return {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", **message}}]}


def http(body: bytes, *headers: str) -> bytes:
    head = ("HTTP/1.1 200 OK", f"Content-Length: {len(body)}", "Connection: close", *headers)
    return "\r\n".join((*head, "", "")).encode() + body


# --- one good call


def test_the_request_carries_the_prompt_the_route_and_the_key(llm):
    llm.says("hi")

    ask(llm)

    (asked,) = llm.requests
    assert asked["headers"]["authorization"] == f"Bearer {KEY}"
    assert asked["body"] == {
        "model": "small",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}],
        "max_tokens": 100,
        "temperature": 0.2,
        "stream": False,
    }


def test_the_completion_says_what_was_used(llm):
    llm.says("hi", usage=(12, 7), model="small-2026")

    got = ask(llm)

    assert (got.text, got.model, got.truncated) == ("hi", "small-2026", False)
    assert (got.prompt_tokens, got.completion_tokens, got.reported, got.cost_usd) == (12, 7, True, None)
    assert (got.attempts, got.mode) == (1, "none")
    assert 0 <= got.ms < 20_000


def test_an_endpoint_that_reports_no_usage_is_marked(llm):
    llm.says("hi", usage=None)

    got = ask(llm)

    assert (got.prompt_tokens, got.completion_tokens, got.reported) == (None, None, False)


@pytest.mark.parametrize("cost, expected", [(0.0125, 0.0125), (0, 0.0), (-1, None), ("free", None), (True, None)])
def test_a_cost_is_taken_only_where_it_is_one(llm, cost, expected):
    llm.fails(200, completion(content="hi") | {"usage": {"cost": cost, "prompt_tokens": "many"}})

    got = ask(llm)

    assert (got.cost_usd, got.prompt_tokens, got.reported) == (expected, None, False)


def test_an_answer_cut_at_max_tokens_is_marked_truncated(llm):
    llm.says("and then", finish="length")

    assert ask(llm).truncated


def test_content_in_parts_is_joined(llm):
    parts = [{"type": "text", "text": "one "}, {"type": "image"}, "odd", {"type": "text", "text": "two"}]
    llm.fails(200, completion(content=parts))

    assert ask(llm).text == "one two"


def test_half_a_surrogate_pair_in_an_answer_becomes_a_character_that_can_be_written(llm):
    llm.raw(http(b'{"choices":[{"message":{"content":"a\\ud800b"}}]}'))

    assert ask(llm).text == "a\N{REPLACEMENT CHARACTER}b"


def test_a_compressed_answer_is_read(llm):
    llm.raw(http(gzip.compress(json.dumps(completion(content="hi")).encode()), "Content-Encoding: gzip"))

    assert ask(llm).text == "hi"


def test_an_answer_in_chunks_is_read(llm):
    body = json.dumps(completion(content="hi")).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:5], body[5:]))
    llm.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunks + b"0\r\n\r\n")

    assert ask(llm).text == "hi"


def test_a_query_in_the_base_url_stays_behind_the_path(llm):
    llm.says("hi")

    ask(llm, url=llm.url + "/?api-version=2026-01-01")

    assert llm.requests[0]["path"] == "/v1/chat/completions?api-version=2026-01-01"


def test_a_local_server_without_a_key_gets_no_authorization(llm, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    llm.says("hi")

    ask(llm, key=None)

    assert "authorization" not in llm.requests[0]["headers"]


def test_a_netrc_never_replaces_the_key(llm, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine model.example login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", llm.url.removesuffix("/v1"))
    llm.says("hi")

    ask(llm, url="http://model.example/v1")

    assert llm.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"


def test_a_proxy_of_the_environment_is_used_for_other_hosts(llm, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", llm.url.removesuffix("/v1"))
    llm.says("through the proxy")

    got = ask(llm, url="http://model.example/v1")

    assert got.text == "through the proxy"
    assert llm.requests[0]["path"] == "http://model.example/v1/chat/completions"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(llm, monkeypatch, host):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    llm.says("direct")

    assert ask(llm, url=llm.url.replace("127.0.0.1", host)).text == "direct"


def test_no_cookie_is_sent_back(llm):
    llm.fails(503, headers={"Set-Cookie": "who=me", "Retry-After": "0"}).says("hi")

    ask(llm)

    assert "cookie" not in llm.requests[1]["headers"]


def test_a_debug_line_names_the_request_without_key_or_prompt(llm, monkeypatch, capsys):
    monkeypatch.setenv("KOOG_DEBUG", "1")
    llm.fails(500).says("the answer")

    ask(llm)

    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("mode=none: ")[2][:8] for line in lines] == ["HTTP 500", "HTTP 200"]
    assert all(line.startswith(f"koog: POST {llm.url}/chat/completions model=small") for line in lines)
    assert not any(text in line for line in lines for text in (KEY, "hello", "be brief", "the answer"))


def test_nothing_is_logged_without_debug(llm, capsys):
    llm.says("hi")

    ask(llm)

    assert capsys.readouterr() == ("", "")


# --- JSON modes


def test_a_schema_is_sent_as_response_format(llm):
    llm.says({"a": 1})

    got = ask(llm, schema=SCHEMA, schema_name="heartbeat.signal")

    assert got.mode == "json_schema"
    assert llm.requests[0]["body"]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "heartbeat_signal", "strict": False, "schema": SCHEMA},
    }


def test_an_endpoint_that_knows_no_schema_is_asked_for_an_object_and_then_for_text(llm):
    llm.fails(400, {"error": {"message": "response_format.type json_schema is not supported"}})
    llm.fails(422, {"error": {"message": "'messages' must contain the word json to use json_object"}})
    llm.says({"a": 1})

    got = ask(llm, schema=SCHEMA)

    formats = [asked["body"].get("response_format", {}).get("type") for asked in llm.requests]
    assert formats == ["json_schema", "json_object", None]
    assert (got.mode, got.attempts) == ("none", 3)


def test_falling_back_in_mode_uses_up_no_try(llm):
    llm.fails(400, "response_format?").fails(503).fails(503).says({"a": 1})

    got = ask(llm, schema=SCHEMA)

    assert (got.mode, got.attempts) == ("json_object", 4)


def test_a_known_mode_is_where_the_next_call_starts(llm):
    llm.says({"a": 1})

    got = ask(llm, schema=SCHEMA, known_mode="json_object")

    assert got.mode == "json_object"
    assert llm.requests[0]["body"]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "none"])
def test_a_fixed_mode_neither_falls_back_nor_yields_to_a_known_one(llm, structured):
    llm.fails(400, "response_format is not supported")

    failure(LLMUnusable, llm, schema=SCHEMA, structured=structured, known_mode="json_object")

    sent = llm.requests[0]["body"].get("response_format", {"type": "none"})
    assert sent["type"] == structured


def test_a_400_about_something_else_is_final(llm):
    llm.fails(400, {"error": {"message": "temperature is out of range"}})

    message = failure(LLMUnusable, llm, schema=SCHEMA)

    assert "HTTP 400: temperature is out of range" in message


# --- tries


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_passing_failure_is_tried_again(llm, status):
    llm.fails(status).says("hi")

    assert ask(llm).attempts == 2


def test_three_tries_are_the_end(llm):
    llm.fails(500).fails(502).fails(503, "down for repair")

    message = failure(LLMUnavailable, llm)

    assert "HTTP 503: down for repair" in message


def test_rate_limiting_is_named(llm):
    llm.fails(429).fails(429).fails(429, {"error": {"message": "slow down"}})

    message = failure(LLMUnavailable, llm)

    assert message == "rate limited, HTTP 429: slow down"


@pytest.mark.parametrize(
    "status, kind, words",
    [
        (400, LLMUnusable, "refused"),
        (401, ConfigError, "key"),
        (402, LLMUnavailable, "no credit"),
        (403, ConfigError, "key"),
        (404, ConfigError, "model or baseUrl"),
        (409, LLMUnusable, "refused"),
        (413, LLMUnusable, "too large"),
    ],
)
def test_a_lasting_failure_is_not_tried_again_and_names_its_status(llm, status, kind, words):
    llm.fails(status)

    message = failure(kind, llm)

    assert words in message
    assert f"HTTP {status}" in message


def test_a_retry_after_in_seconds_is_obeyed(llm):
    llm.fails(429, headers={"Retry-After": "1"}).says("hi")

    got = ask(llm)

    assert got.ms >= 1000


def test_a_retry_after_date_is_read_against_the_date_of_the_answer(llm):
    then = datetime(2001, 1, 1, 12, 0, 0, tzinfo=UTC)
    dates = {"Date": format_datetime(then, usegmt=True)}
    dates["Retry-After"] = format_datetime(then + timedelta(seconds=1), usegmt=True)
    head = "".join(f"{name}: {value}\r\n" for name, value in dates.items())
    llm.raw(f"HTTP/1.1 429 Slow\r\n{head}Content-Length: 0\r\n\r\n".encode()).says("hi")

    got = ask(llm)

    assert got.ms >= 1000


@pytest.mark.parametrize("value", ["-5", "nan", "1e999", "soon", "", "Mon, 99 Foo 2026 99:99:99 GMT"])
def test_a_retry_after_that_makes_no_sense_is_not_waited_for(llm, value):
    llm.fails(503, headers={"Retry-After": value}).says("hi")

    assert ask(llm).attempts == 2


def test_a_retry_after_beyond_the_deadline_ends_the_call_at_once(llm):
    llm.fails(429, headers={"Retry-After": "3600"})
    started = time.monotonic()

    message = failure(LLMUnavailable, llm)

    assert time.monotonic() - started < BUSY
    assert "HTTP 429" in message
    assert "due in 3600.0 s" in message


def test_a_refused_connection_is_unavailable():
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]

    message = failure(LLMUnavailable, None, url=f"http://127.0.0.1:{port}/v1")

    assert message == "no connection to the model: Connection refused"


def test_a_name_that_does_not_resolve_is_unavailable():
    message = failure(LLMUnavailable, None, url="http://nobody.invalid/v1", timeout_s=1)

    assert "no connection" in message or "timeout" in message


def test_a_reset_connection_is_tried_again(llm):
    def reset(connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    llm.raw(reset).says("hi")

    assert ask(llm).attempts == 2


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"no http at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        http(gzip.compress(b"{}" * 99)[:-9], "Content-Encoding: gzip"),
    ],
    ids=["hung up", "not http", "short", "bad chunk", "short gzip"],
)
def test_a_broken_answer_is_tried_again(llm, broken):
    llm.raw(broken).says("hi")

    assert ask(llm).attempts == 2


# --- the deadline


def drip(start: bytes, gone: threading.Event):
    """Return a sender of one byte every 20 ms, for a minute, that notes when the client has hung up."""

    def send(connection: socket.socket) -> None:
        try:
            connection.sendall(start)
            for _ in range(3000):
                connection.sendall(b"x")
                time.sleep(0.02)
        except OSError:
            gone.set()

    return send


@pytest.mark.parametrize(
    "start",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"",
        b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 5000\r\n\r\n",
    ],
    ids=["body", "header", "status line", "redirect"],
)
def test_a_drip_cannot_outlast_the_deadline_and_its_socket_is_closed(llm, start):
    gone = threading.Event()
    llm.raw(drip(start, gone))
    began = time.monotonic()

    message = failure(LLMUnavailable, llm, timeout_s=QUICK)

    assert time.monotonic() - began < QUICK + BUSY
    assert message == "no answer within 0.4 s (timeout)"
    assert gone.wait(BUSY)


def silent(connection: socket.socket) -> None:
    """Say nothing until the client hangs up."""
    connection.settimeout(60)
    connection.recv(1)


def test_a_silent_server_is_left_at_the_deadline(llm):
    llm.raw(silent)
    began = time.monotonic()

    failure(LLMUnavailable, llm, timeout_s=QUICK)

    assert QUICK <= time.monotonic() - began < QUICK + BUSY


def test_tries_and_waits_share_one_deadline(llm):
    llm.fails(503, headers={"Retry-After": "2"}).raw(silent)
    began = time.monotonic()

    failure(LLMUnavailable, llm, timeout_s=3)

    assert time.monotonic() - began < 4.5  # a try with three seconds of its own would end after five


def test_the_callers_deadline_counts_where_it_is_the_nearer(llm):
    llm.raw(silent)
    began = time.monotonic()

    failure(LLMUnavailable, llm, timeout_s=30, deadline_s=QUICK)

    assert time.monotonic() - began < QUICK + BUSY


@pytest.mark.parametrize("deadline_s", [0, -3])
def test_without_time_left_nothing_is_sent(llm, deadline_s):
    message = failure(LLMUnavailable, llm, deadline_s=deadline_s)

    assert "no time left" in message
    assert llm.requests == []


# --- answers nobody can use


@pytest.mark.parametrize(
    "data, words",
    [
        ({}, "without a choice"),
        ({"choices": []}, "without a choice"),
        ({"choices": None}, "without a choice"),
        ({"choices": ["text"]}, "without a choice"),
        ({"choices": [{"message": None}]}, "without a choice"),
        (completion(content=None), "answered with nothing"),
        (completion(content=" \n"), "answered with nothing"),
        (completion(content=[{"type": "text", "text": None}]), "answered with nothing"),
        (completion(content={"deep": 1}), "answered with nothing"),
        (completion(content=None, refusal="I will not"), "small refused: I will not"),
        (completion(content="", tool_calls=[{"id": "1"}]), "called a tool"),
        ({"choices": [{"finish_reason": "content_filter", "message": {"content": "half"}}]}, "content_filter"),
        ({"choices": [{"finish_reason": "length", "message": {"content": ""}}]}, "maxTokens were spent"),
    ],
)
def test_an_answer_without_a_text_is_unusable(llm, data, words):
    llm.fails(200, data)

    assert words in failure(LLMUnusable, llm)


@pytest.mark.parametrize(
    "body, words",
    [
        ("<!doctype html><p>Log in", "an HTML page"),
        ("", "an empty body"),
        ("ok", "without a JSON object: ok"),
        ('["list"]', "without a JSON object"),
        ('{"choices": [', "without a JSON object"),
        ("[" * 100_000, "without a JSON object"),
        ("1" * 5000, "without a JSON object"),
    ],
)
def test_a_body_that_is_no_json_object_is_unusable(llm, body, words):
    llm.fails(200, body)

    assert words in failure(LLMUnusable, llm)


def test_an_error_inside_a_200_counts_as_its_status(llm):
    llm.fails(200, {"error": {"code": 502, "message": "provider down"}}).says("hi")

    assert ask(llm).attempts == 2


def test_an_error_inside_a_200_without_a_status_is_unusable(llm):
    llm.fails(200, {"error": "the model is on holiday"})

    assert "the model is on holiday" in failure(LLMUnusable, llm)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_refused(llm, status):
    llm.fails(status, headers={"Location": f"{llm.url}/other?key={KEY}"})

    message = failure(ConfigError, llm)

    assert f"HTTP {status}" in message
    assert len(llm.requests) == 1


def test_a_body_over_the_cap_is_unusable(llm):
    def endless(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        for _ in range(9):
            connection.sendall(b" " * (1 << 20))

    llm.raw(endless)

    assert "larger than 8 MB" in failure(LLMUnusable, llm)


@pytest.mark.parametrize("status", [b"200 OK", b"302 Found\r\nLocation: /", b"500 Oops"])
def test_a_compression_bomb_is_unusable_and_never_unpacked(llm, status):
    bomb = gzip.compress(b" " * (64 << 20), compresslevel=1)
    llm.raw(http(bomb, "Content-Encoding: gzip").replace(b"200 OK", status))
    tracemalloc.start()

    message = failure(LLMUnusable, llm)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "larger than 8 MB" in message
    assert peak < 32 << 20


@pytest.mark.parametrize(
    "encoding, words", [("gzip", "compression is broken"), ("br", "nobody asked for"), ("zstd", "nobody asked for")]
)
def test_a_body_that_cannot_be_decompressed_is_unusable(llm, encoding, words):
    llm.raw(http(b"plain", f"Content-Encoding: {encoding}"))

    assert words in failure(LLMUnusable, llm)


# --- messages


def test_a_message_never_holds_the_key_a_server_echoes(llm):
    llm.fails(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})

    assert "[redacted:key]" in failure(ConfigError, llm)


@pytest.mark.parametrize("length", [150, 190, 1590])
def test_a_key_at_the_edge_of_an_excerpt_is_not_cut_in_half(llm, length):
    llm.fails(400, " " * (length - 5) + "a" * 5 + KEY)

    message = failure(LLMUnusable, llm)

    assert KEY[:12] not in message


def test_an_excerpt_is_short_and_on_one_line(llm):
    llm.fails(400, "line one\r\n\x1b[31mline\x00 two\u202e " + "word " * 1000)

    message = failure(LLMUnusable, llm)

    excerpt = message.partition("HTTP 400: ")[2]
    assert excerpt.startswith("line one line two word")
    assert len(excerpt) == 200


def test_an_endpoint_does_not_show_its_key():
    assert KEY not in repr(Endpoint("http://x", KEY))


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_a_config_error(llm, key):
    with pytest.raises(ConfigError) as caught:
        ask(llm, key=key)

    assert key not in caught.value.message
    assert llm.requests == []


@pytest.mark.parametrize(
    "url", ["", "model.example/v1", "ftp://model.example", "http://", "http://[::1", "http://x:99999", "http://.x/v1"]
)
def test_an_address_that_is_none_is_a_config_error(url):
    with pytest.raises(ConfigError):
        chat(Endpoint(url), Route("m", 10, 1), system="", user="")


def test_an_address_with_a_password_is_refused_without_showing_it():
    with pytest.raises(ConfigError) as caught:
        chat(Endpoint("http://me:mine@127.0.0.1/v1"), Route("m", 10, 1), system="", user="")

    assert "mine" not in caught.value.message


# --- fallback models


def test_the_next_model_is_asked_when_the_first_is_unavailable(llm):
    llm.fails(503).fails(503).fails(503).says("hi")

    got = ask(llm, fallback_models=("big",))

    assert [asked["body"]["model"] for asked in llm.requests] == ["small", "small", "small", "big"]
    assert (got.model, got.attempts) == ("big", 4)


@pytest.mark.parametrize("status", [402, 404])
def test_the_next_model_is_asked_when_the_first_is_missing_or_too_dear(llm, status):
    llm.fails(status).says("hi")

    assert ask(llm, fallback_models=("big",)).model == "big"


@pytest.mark.parametrize("status, kind", [(400, LLMUnusable), (401, ConfigError), (413, LLMUnusable)])
def test_no_other_model_is_asked_for_a_failure_it_would_share(llm, status, kind):
    llm.fails(status)

    failure(kind, llm, fallback_models=("big",))


def test_when_every_model_fails_the_first_ones_error_counts_and_the_others_are_named(llm):
    llm.fails(404, "no such model").fails(402)

    message = failure(ConfigError, llm, fallback_models=("big",))

    assert "HTTP 404: no such model" in message
    assert "big: no credit left, HTTP 402" in message


# --- the fake itself


def test_the_fake_fails_when_an_answer_was_not_asked_for():
    with pytest.raises(AssertionError, match=r"1 answer\(s\) were never asked for"), FakeModel() as fake:
        fake.says("unheard")


def test_the_fake_fails_when_it_is_asked_for_more_than_it_was_told():
    with pytest.raises(AssertionError, match="more than it was told"), FakeModel() as fake:
        failure(LLMUnusable, fake)


def test_the_fake_does_not_hide_the_tests_own_failure():
    with pytest.raises(ZeroDivisionError), FakeModel() as fake:
        fake.says("unheard")
        raise ZeroDivisionError


def test_the_fake_can_answer_by_a_function_as_often_as_it_is_asked(llm):
    llm.always(lambda asked: {"heard": asked["body"]["messages"][1]["content"]})

    texts = [ask(llm).text for _ in range(2)]

    assert texts == ['{"heard": "hello"}'] * 2


def test_another_process_can_ask_the_fake_and_gets_no_warning(llm):
    llm.says("hi")
    code = (
        "import sys; from koog.core.model.client import Endpoint, Route, chat\n"
        "print(chat(Endpoint(sys.argv[1]), Route('m', 10, 5.0), system='s', user='u').text)"
    )

    command = [sys.executable, "-W", "error", "-c", code, llm.url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr, done.returncode) == ("hi\n", "", 0)


def test_importing_the_client_imports_no_http_library():
    heavy = ("requests", "urllib3", "ssl", "socket")
    code = f"import sys, koog.core.model.client; print([m for m in {heavy} if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
