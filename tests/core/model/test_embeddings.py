"""One embedding call against a real server: what it sends, what it takes for an answer, what it costs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core import config
from koog.core.ask import Asker
from koog.core.errors import ConfigError, KoogError, LLMUnavailable, LLMUnusable, Refused
from koog.core.files.workspace import Workspace
from koog.core.model import embeddings
from tests.conftest import CLOSED
from tests.fakes.model import vector

KEY = "-".join(("sk", "or", "v1", "0123456789abcdef" * 4))
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def asker(workspace, llm, monkeypatch):
    monkeypatch.setenv("KOOG_PROVIDER_EMBEDDING_MODEL", "tiny-embed")
    return lambda **more: make(workspace, **more)


def make(workspace, **flags):
    dotted = {name.replace("__", "."): value for name, value in flags.items()}
    settings = config.load(workspace=workspace, operator_file=None, flags=dotted)
    return Asker(settings=settings, workspace=Workspace(workspace), command="search", now=NOW, zone=UTC)


def ledger(workspace):
    return [json.loads(line) for line in (workspace / "memory/meta/usage.jsonl").read_text().splitlines()]


def answer(*rows, **more):
    return {"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)], **more}


def failure(kind: type[KoogError], asker, texts=("a",), timeout_s=20.0) -> str:
    with pytest.raises(kind) as caught:
        embeddings.embed(asker, list(texts), timeout_s=timeout_s)
    assert KEY not in caught.value.message + str(caught.value.hint)
    return caught.value.message


# --- one good call


def test_the_vectors_come_back_in_the_order_of_the_texts(asker, llm):
    llm.embeds(8)

    found = embeddings.embed(asker(), ["boat", "tax form"], timeout_s=20)

    assert found == [vector("boat", 8), vector("tax form", 8)]
    (asked,) = llm.requests
    assert asked["path"] == "/v1/embeddings"
    assert asked["body"] == {"model": "tiny-embed", "input": ["boat", "tax form"], "encoding_format": "float"}


def test_embeddings_may_have_an_endpoint_of_their_own_and_take_the_same_key(asker, llm, monkeypatch):
    monkeypatch.setenv("SOME_KEY", KEY)
    llm.embeds()

    embeddings.embed(
        asker(provider__baseUrl=CLOSED, provider__embeddingBaseUrl=llm.url, provider__apiKeyEnv="SOME_KEY"),
        ["a"],
        timeout_s=20,
    )

    assert llm.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"


def test_no_private_block_no_secret_and_no_empty_text_is_sent(asker, llm):
    llm.embeds()
    texts = [
        f"the key is {KEY}",
        "before <private>my diary</private> after",
        "<private>all</private>",
        "",
        "x" * 20_000,
    ]

    embeddings.embed(asker(), texts, timeout_s=20)

    secret, private, *empty, long = llm.requests[0]["body"]["input"]
    assert KEY not in secret and secret.startswith("the key is ")
    assert private == "before  after"
    assert empty == [".", "."]
    assert len(long) == embeddings.TEXT_CHARS


def test_a_server_that_is_busy_is_asked_again(asker, llm, workspace):
    llm.fails(503, headers={"Retry-After": "0"}).fails(429, headers={"Retry-After": "0"}).embeds()

    embeddings.embed(asker(), ["a"], timeout_s=20)

    assert len(llm.requests) == 3
    assert ledger(workspace)[0]["attempts"] == 3


# --- the ledger and the budget


def test_a_call_is_in_the_ledger_with_what_it_cost(asker, llm, workspace):
    llm.fails(200, answer([1.0], usage={"prompt_tokens": 12, "total_tokens": 12, "cost": 0.5}))

    embeddings.embed(asker(), ["a"], timeout_s=20)

    (entry,) = ledger(workspace)
    assert {k: v for k, v in entry.items() if k not in ("ts", "ms")} == {
        "command": "search",
        "task": "embedding",
        "ok": True,
        "code": None,
        "model": "tiny-embed",
        "promptTokens": 12,
        "completionTokens": 0,
        "costUsd": 0.5,
        "attempts": 1,
    }


def test_a_call_without_figures_is_in_the_ledger_with_an_estimate(asker, llm, workspace):
    llm.fails(200, answer([1.0]))

    embeddings.embed(asker(), ["two words"], timeout_s=20)

    (entry,) = ledger(workspace)
    assert (entry["promptTokens"], entry["estimated"], entry["costUsd"]) == (3, True, None)


def test_a_failed_call_is_in_the_ledger_with_its_code(asker, llm, workspace):
    llm.fails(200, answer([1.0], [2.0]))

    failure(LLMUnusable, asker())

    (entry,) = ledger(workspace)
    assert (entry["ok"], entry["code"], entry["promptTokens"]) == (False, "llm_unusable", 2)


def test_a_day_whose_budget_is_spent_refuses_the_call_before_it_is_made(asker, llm):
    llm.fails(200, answer([1.0], usage={"prompt_tokens": 90, "total_tokens": 90}))
    limited = asker(budget__tokensPerDay=100)
    embeddings.embed(limited, ["a"], timeout_s=20)

    told = failure(Refused, limited, ["word " * 20])

    assert "90 of 100 tokens" in told
    assert len(llm.requests) == 1


# --- what is no answer


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"data": []}, "1 texts were sent and 0 vectors came back"),
        ({"vectors": [[1.0]]}, "no vectors came back"),
        (answer([1.0], [2.0]), "2 vectors came back"),
        ({"data": [{"index": 1, "embedding": [1.0]}]}, "not numbered"),
        ({"data": [{"index": [0], "embedding": [1.0]}]}, "not numbered"),
        ({"data": ["text"]}, "not a list of numbers"),
        (answer("AAAA"), "not a list of numbers"),
        (answer([]), "not a list of numbers"),
        (answer([None]), "not a number"),
        (answer([True]), "not a number"),
        (answer([float("nan")]), "not finite"),
        (answer([float("inf")]), "not finite"),
        (answer([10**400]), "not finite"),
        (answer([0.0] * 9000), "9000 numbers, more than"),
    ],
)
def test_an_answer_that_is_not_one_vector_a_text_is_unusable(body, told, asker, llm):
    llm.fails(200, body)

    assert told in failure(LLMUnusable, asker())


def test_vectors_of_two_lengths_are_unusable(asker, llm):
    llm.fails(200, answer([1.0], [1.0, 2.0]))

    assert "not of one length" in failure(LLMUnusable, asker(), ["a", "b"])


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (400, LLMUnusable, "refused"),
        (401, ConfigError, "API key was not accepted"),
        (402, LLMUnavailable, "no credit"),
        (404, ConfigError, "not found"),
        (413, LLMUnusable, "too large"),
    ],
)
def test_a_refusal_is_told_by_its_kind(status, kind, told, asker, llm):
    llm.fails(status)

    assert told in failure(kind, asker())


def test_a_redirect_is_not_followed(asker, llm):
    llm.fails(307, headers={"Location": f"{CLOSED}/embeddings"})

    assert "not followed" in failure(ConfigError, asker())


def test_an_answer_beyond_the_limit_is_not_read_to_its_end(asker, llm):
    llm.fails(200, '{"data": "' + "x" * (9 << 20) + '"}')

    assert "larger than 8 MB" in failure(LLMUnusable, asker())


def test_a_server_that_says_nothing_is_left_at_the_deadline(asker, llm):
    llm.raw(lambda connection: connection.recv(1))

    assert "timeout" in failure(LLMUnavailable, asker(), timeout_s=0.3)


def test_a_closed_port_is_no_answer(asker):
    assert "no connection" in failure(LLMUnavailable, asker(provider__embeddingBaseUrl=CLOSED))


# --- what is not configured


def test_without_a_model_nothing_is_asked(asker):
    assert "no embedding model" in failure(ConfigError, asker(provider__embeddingModel=None))


def test_without_its_key_nothing_is_asked(asker):
    assert "SOME_KEY is not set" in failure(ConfigError, asker(provider__apiKeyEnv="SOME_KEY"))


def test_an_address_that_is_none_is_named_by_its_setting(asker):
    assert "provider.embeddingBaseUrl" in failure(ConfigError, asker(provider__embeddingBaseUrl="http://u:p@host/v1"))


# --- any answer

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["data", "index", "embedding"]), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.just("data"), JSON), st.integers(1, 3))
def test_whatever_comes_back_is_vectors_or_unusable(data, asked):
    try:
        found = embeddings.vectors(data, asked=asked)
    except LLMUnusable:
        return
    assert len(found) == asked
    assert all(isinstance(number, float) for row in found for number in row)
