"""Which embedding the settings choose, and what is said where none is."""

from __future__ import annotations

import math
import sys
from array import array
from datetime import UTC, datetime

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core import config
from koog.core.ask import Asker
from koog.core.errors import ConfigError, LLMUnavailable
from koog.core.files.workspace import Workspace
from koog.search import endpoint, vectors
from koog.search.embedder import PEAK, quantised
from koog.search.embedding import choose, folder
from tests.fakes.model import vector

EXTRA = [name for name in ("sqlite_vec", "wordllama") if folder(name) is None]
needs_extra = pytest.mark.skipif(bool(EXTRA), reason="the extra `vectors` is not installed")
MODEL = {"search.embedding": "endpoint", "provider.embeddingModel": "tiny-embed"}


@pytest.fixture
def asker(workspace):
    def make(**flags):
        settings = config.load(workspace=workspace, operator_file=None, flags=flags)
        now = datetime(2026, 3, 1, tzinfo=UTC)
        return Asker(settings=settings, workspace=Workspace(workspace), command="index", now=now, zone=UTC)

    return make


def chosen(asker, **flags):
    made = asker(**flags)
    return choose(made.settings, lambda: made)


@pytest.fixture
def missing(monkeypatch):
    """Let packages be missing, as Python itself notes it."""
    return lambda *names: [monkeypatch.setitem(sys.modules, name, None) for name in names]


# --- the choice


@needs_extra
@pytest.mark.parametrize("setting", ["auto", "wordllama"])
def test_the_embedded_model_is_taken_where_it_is_installed(setting, asker):
    embedder, reason = chosen(asker, **{"search.embedding": setting})

    assert embedder.id == "wordllama-l2_supercat_256/1"
    assert reason == ""


@pytest.mark.parametrize("setting", ["auto", "wordllama"])
@pytest.mark.parametrize("name", ["sqlite_vec", "wordllama"])
def test_without_a_package_of_the_extra_there_is_none_and_the_reason_names_it(name, setting, asker, missing):
    missing(name)

    embedder, reason = chosen(asker, **{"search.embedding": setting})

    assert embedder is None
    assert name.replace("_", "-") in reason or EXTRA
    assert "pip install sqlite-vec wordllama" in reason


def test_none_is_none(asker):
    assert chosen(asker, **{"search.embedding": "none"}) == (None, "search.embedding is none")


@needs_extra
def test_a_broken_package_is_no_embedding(asker, missing, monkeypatch, tmp_path):
    broken = tmp_path / "site/wordllama"
    broken.mkdir(parents=True)
    (broken / "__init__.py").touch()
    monkeypatch.syspath_prepend(broken.parent)
    monkeypatch.delitem(sys.modules, "wordllama", raising=False)

    embedder, reason = chosen(asker)

    assert embedder is None
    assert "wordllama's files cannot be used" in reason


@needs_extra
def test_an_endpoint_is_taken_when_it_is_asked_for(asker):
    embedder, reason = chosen(asker, **MODEL)

    assert (embedder.id, reason) == ("endpoint/tiny-embed", "")


def test_an_endpoint_without_a_model_is_a_wrong_config(asker):
    with pytest.raises(ConfigError, match=r"provider\.embeddingModel is not set"):
        chosen(asker, **{"search.embedding": "endpoint"})


def test_an_endpoint_needs_a_place_for_its_vectors(asker, missing):
    missing("sqlite_vec")

    assert "sqlite-vec is not installed" in chosen(asker, **MODEL)[1]


def test_no_embedding_makes_an_asker_but_the_endpoint(asker):
    settings = asker().settings

    choose(settings, lambda: pytest.fail("an asker was made"))


# --- the endpoint


def test_texts_are_sent_in_batches_and_come_back_in_order(asker, llm):
    llm.embeds(12)
    texts = [f"text {n}" for n in range(endpoint.Endpoint.batch + 3)]

    found = endpoint.Endpoint(asker(**MODEL)).embed(texts, kind="passage")

    assert found == [quantised(vector(text, 12)) for text in texts]
    assert {len(v) for v in found} == {16}
    assert [len(asked["body"]["input"]) for asked in llm.requests] == [endpoint.Endpoint.batch, 3]


def test_a_query_does_not_wait_as_long_as_an_index(asker, llm, monkeypatch):
    monkeypatch.setattr(endpoint, "QUERY_S", 0.3)  # seconds; the test's own time
    llm.raw(lambda connection: connection.recv(1))

    with pytest.raises(LLMUnavailable, match=r"0\.3 s"):
        endpoint.Endpoint(asker(**MODEL)).embed(["a"], kind="query")


@needs_extra
def test_an_endpoint_that_fails_midway_loses_nothing_and_is_asked_for_the_rest_later(asker, llm):
    model = endpoint.Endpoint(asker(**MODEL))
    rows = [(n, f"text {n}") for n in range(1, 2 * model.batch + 2)]
    first = {"data": [{"index": n, "embedding": vector(text, 8)} for n, (_, text) in enumerate(rows[: model.batch])]}
    llm.fails(200, first).fails(402).embeds(8)
    with apsw.Connection(":memory:") as db:
        db.execute("CREATE TABLE passages (id INTEGER PRIMARY KEY)")
        vectors.load(db)
        vectors.prepare(db, model)

        told = vectors.add(db, model, rows)

        assert "no credit left" in told
        assert vectors.pending(db) == [id for id, _ in rows[model.batch :]]

        assert vectors.add(db, model, [row for row in rows if row[0] in vectors.pending(db)]) is None
        assert vectors.pending(db) == []
        (query,) = model.embed([rows[-1][1]], kind="query")
        assert vectors.scan(db, query, 1) == [rows[-1][0]]


def test_an_endpoint_has_no_tables_of_a_model(asker):
    model = endpoint.Endpoint(asker(**MODEL))

    model.look_up(lambda token: 1)

    assert (list(model.tokens()), list(model.near_words())) == ([], [])


# --- what is stored


@given(st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=40).filter(any))
def test_a_stored_vector_keeps_its_direction(values):
    stored = array("b", quantised(values))

    peak = max(map(abs, values))
    assert len(stored) % 8 == 0 and len(stored) - len(values) < 8
    assert max(map(abs, stored)) == PEAK
    for value, small in zip(values, stored, strict=False):
        assert math.isclose(value / peak * PEAK, small, abs_tol=0.5001)


def test_a_vector_of_zeros_is_stored_as_zeros():
    assert quantised([0.0] * 8) == bytes(8)
