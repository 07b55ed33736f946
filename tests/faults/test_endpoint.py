"""Whatever a model's server does: one line, the right code, an unchanged workspace, the key only in the request."""

from __future__ import annotations

import json
import re
import socket
import sys

import pytest

from tests.conftest import git
from tests.faults.contract import KEY, MEASURED, PLANTED, nowhere, run
from tests.faults.endpoint import Endpoint, bomb, drip, flood, http, reset, says, sending, silent
from tests.logs import LOGS, NOW, lines, note, snapshot

LEDGER = "memory/meta/usage.jsonl"
SUMMARY = "The build failed twice with ENOSPC."
GOOD = {"signals": [], "recommendedAction": {"action": "skip", "task": None, "confidence": 0.9}}
ECHO = json.dumps({"error": {"message": f"what is {KEY}?"}})
TIMEOUT_S = 5.0
SHORT_S = 1.0  # for a server that takes all the time there is
ASKING = ["signal", "feedback", "curate", "synthesize"]  # of a tick without notes

FAULTS = {
    "never answers": (silent, "llm_unavailable"),
    "one byte a second": (drip, "llm_unavailable"),
    "429": (sending(http(429, "slow down")), "llm_unavailable"),
    "429, back in an hour": (sending(http(429, "slow down", "Retry-After: 3600")), "llm_unavailable"),
    "429, back at once": (sending(http(429, "slow down", "Retry-After: 0")), "llm_unavailable"),
    "500": (sending(http(500, "oops")), "llm_unavailable"),
    "502": (sending(http(502, "<html>bad gateway</html>")), "llm_unavailable"),
    "503": (sending(http(503)), "llm_unavailable"),
    "reset in the body": (reset, "llm_unavailable"),
    "a short body": (sending(http(200, '{"choices": []', length=500)), "llm_unavailable"),
    "hangs up": (sending(b""), "llm_unavailable"),
    "no http": (sending(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "llm_unavailable"),
    "401": (sending(http(401, ECHO)), "config"),
    "402": (sending(http(402, "no credit")), "llm_unavailable"),
    "403": (sending(http(403, ECHO)), "config"),
    "404": (sending(http(404, "no such model")), "config"),
    "413": (sending(http(413, "too long")), "llm_unusable"),
    "html with 200": (sending(http(200, "<!doctype html><p>Sign in</p>", "Content-Type: text/html")), "llm_unusable"),
    "bad json": (sending(http(200, '{"choices": [}')), "llm_unusable"),
    "no choices": (sending(http(200, '{"choices": []}')), "llm_unusable"),
    "another shape": (sending(says({"signals": "none"})), "llm_unusable"),
    "the wrong schema": (sending(says('{"signals": "none"}')), "llm_unusable"),
    "prose": (sending(says("I see no signals today.")), "llm_unusable"),
    "nothing": (sending(says("")), "llm_unusable"),
    "a refusal": (sending(says(None, refusal="I cannot help with that")), "llm_unusable"),
    "the content filter": (sending(says("", finish="content_filter")), "llm_unusable"),
    "a tool call": (sending(says(None, finish="tool_calls", tool_calls=[{"id": "1"}])), "llm_unusable"),
    "an unknown encoding": (sending(http(200, "x", "Content-Encoding: br")), "llm_unusable"),
    "the key in bad json": (sending(http(200, f"key={KEY}")), "llm_unusable"),
    "the key in prose": (sending(says(f"Your key is {KEY}.")), "llm_unusable"),
    "the key in a refusal": (sending(says(None, refusal=f"I will not use {KEY}")), "llm_unusable"),
    "the key in a key's place": (sending(says(json.dumps({KEY: KEY, "findings": 1}))), "llm_unusable"),
    "the key in a redirect": (sending(http(302, "", f"Location: http://127.0.0.1:1/{KEY}")), "config"),
}
LONG = {"never answers", "one byte a second"}


@pytest.fixture
def keyed(monkeypatch, operator):
    """The key in the environment, as cron gives it."""
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    operator.configure(timeout_s=TIMEOUT_S)
    return operator


@pytest.fixture
def secretive(workspace):
    """The workspace with a daily note in which somebody wrote a token, committed by nobody."""
    note(workspace, "2026-02-27.md", f"- The deploy token is {PLANTED}\n- Decided on Drizzle\n")
    return workspace


def ask(workspace, url, monkeypatch, **how):
    monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", url)
    return run("signal", "--now", NOW, "--session-summary", SUMMARY, cwd=workspace, **how)


@pytest.mark.wide(11)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_signal_ends_with_the_faults_code_and_changes_nothing(fault, secretive, keyed, monkeypatch):
    breaks, code = FAULTS[fault]
    if fault in LONG:
        keyed.configure(timeout_s=SHORT_S)
    before, head = snapshot(secretive, without=[LEDGER]), git(secretive, "rev-parse", "HEAD")

    with Endpoint(breaks) as server:
        ended = ask(secretive, server.url, monkeypatch)

    assert ended.error == code
    assert all(f"authorization: Bearer {KEY}" in head for head, _ in server.requests)
    assert server.requests
    assert snapshot(secretive, without=[LEDGER]) == before
    assert git(secretive, "rev-parse", "HEAD") == head
    nowhere(KEY, secretive, ended=ended)
    nowhere(PLANTED, secretive, ended=ended, but=secretive / "memory/2026-02-27.md")


def test_a_refused_connection_is_unavailable(secretive, keyed, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    before = snapshot(secretive, without=[LEDGER])

    ended = ask(secretive, f"http://127.0.0.1:{port}/v1", monkeypatch)

    assert ended.error == "llm_unavailable"
    assert snapshot(secretive, without=[LEDGER]) == before
    nowhere(KEY, secretive, ended=ended)


@pytest.mark.parametrize("status", [302, 307])
def test_a_redirect_to_another_host_is_not_followed_and_the_key_does_not_get_there(
    status, secretive, keyed, monkeypatch
):
    with Endpoint(sending(says(json.dumps(GOOD)))) as other:
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        with Endpoint(sending(http(status, "", f"Location: {elsewhere}/chat/completions"))) as server:
            ended = ask(secretive, server.url, monkeypatch)

    assert ended.error == "config"
    assert len(server.requests) == 1
    assert other.requests == []


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize("much", [flood(50), sending(bomb(256))], ids=["50 MB", "256 MB in a gzip bomb"])
def test_a_body_of_any_size_is_never_held(much, secretive, keyed, monkeypatch):
    keyed.configure(timeout_s=30)
    with Endpoint(sending(http(402))) as server:
        usual = peak_mb(ask(secretive, server.url, monkeypatch, program=MEASURED))

    with Endpoint(much) as server:
        ended = ask(secretive, server.url, monkeypatch, program=MEASURED)

    assert ended.error == "llm_unusable"
    assert "larger than 8 MB" in ended.line["error"]["message"]
    assert peak_mb(ended) < usual + 32


def peak_mb(ended):
    return int(re.search(r"VmHWM:\s+(\d+) kB", ended.err)[1]) / 1024


def test_the_key_of_a_file_stays_in_that_file(secretive, operator, monkeypatch):
    operator.configure(timeout_s=TIMEOUT_S, provider={"apiKeyEnv": None, "apiKeyFile": str(operator.key_file)})

    with Endpoint(sending(http(401, ECHO))) as server:
        ended = ask(secretive, server.url, monkeypatch)

    assert ended.error == "config"
    assert f"authorization: Bearer {KEY}" in server.requests[0][0]
    nowhere(KEY, secretive, operator.home, ended=ended, but=operator.key_file)


@pytest.mark.parametrize("debug", [None, "1"])
def test_a_usable_answer_that_echoes_the_key_is_taken_without_it(debug, secretive, keyed, monkeypatch):
    if debug:
        monkeypatch.setenv("KOOG_DEBUG", debug)
    echo = {**GOOD, "signals": [{"description": f"the key {KEY} works", "priority": "high"}]}

    with Endpoint(sending(says(json.dumps(echo)))) as server:
        ended = ask(secretive, server.url, monkeypatch)

    assert ended.error is None
    assert "the key" in ended.line["signals"][0]["description"]
    nowhere(KEY, secretive, ended=ended)


def test_a_tick_whose_every_answer_echoes_the_key_keeps_it_out_of_log_playbook_and_history(
    secretive, keyed, monkeypatch
):
    echo = {
        "signals": [{"description": f"seen {KEY}", "priority": "high"}],
        "recommendedAction": {"action": "telegram_tip", "task": f"rotate {KEY}", "confidence": 0.9},
        "findings": f"found {KEY}",
        "newPatterns": [{"text": f"Decided on Drizzle {KEY}", "file": "memory/2026-02-27.md", "line": 2}],
        "contradictions": [],
        "preferences": [],
        "interpretation": f"it says {KEY}",
        "operations": [{"op": "add", "text": f"Decided on Drizzle {KEY}", "score": 0.5, "reason": KEY}],
        "skip": False,
        "suggestion": f"Rotate {KEY} before the build",
        "insight": f"Both builds knew {KEY}",
    }

    with Endpoint(sending(says(json.dumps(echo)))) as server:
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", server.url)
        ended = run("tick", "--now", NOW, "--idle", "--session-summary", SUMMARY, cwd=secretive)

    assert ended.line["degraded"] == []
    assert ended.line["signals"]
    assert not any(PLANTED in body for _, body in server.requests)
    nowhere(KEY, secretive, ended=ended)
    nowhere(PLANTED, secretive, ended=ended, but=secretive / "memory/2026-02-27.md")


TICKED = [
    "never answers",
    "429, back in an hour",
    "reset in the body",
    "401",
    "html with 200",
    "the wrong schema",
]


@pytest.mark.parametrize("fault", TICKED)
def test_a_tick_closes_its_gate_and_names_the_steps_that_failed(fault, workspace, keyed, monkeypatch):
    breaks, code = FAULTS[fault]
    if fault in LONG:
        keyed.configure(timeout_s=SHORT_S / 2)
    head = git(workspace, "rev-parse", "HEAD")
    monkeypatch.setenv("KOOG_GIT_REST_HOURS", "0")

    with Endpoint(breaks) as server:
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", server.url)
        ended = run("tick", "--now", NOW, "--idle", "--session-summary", SUMMARY, cwd=workspace)

    assert ended.code == 0
    assert ended.line["degraded"] == ASKING
    assert {row["code"] for row in ended.line["steps"] if row["status"] == "failed"} == {code}
    assert ended.line["heartbeat"] == "HEARTBEAT_OK"
    assert lines(workspace)[0]["degraded"] == ASKING[:-1]  # the log is closed before the last step
    assert git(workspace, "rev-parse", "HEAD~1") == head
    assert git(workspace, "status", "--porcelain") == ""
    assert git(workspace, "show", f"HEAD:{LOGS}/{NOW[:10]}.jsonl") + "\n" == (
        workspace / LOGS / f"{NOW[:10]}.jsonl"
    ).read_text("utf-8")
    nowhere(KEY, workspace, ended=ended)


def test_a_tick_with_the_fallback_asked_for_is_whole_although_nothing_answers(workspace, keyed, monkeypatch):
    keyed.configure(timeout_s=TIMEOUT_S, fallback="builtin")

    with Endpoint(sending(http(402))) as server:
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", server.url)
        ended = run("tick", "--now", NOW, "--idle", "--session-summary", SUMMARY, cwd=workspace)

    assert ended.line["degraded"] == []
    assert any("answered by the built-in engine" in warning for warning in ended.line["_meta"]["warnings"])
