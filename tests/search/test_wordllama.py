"""The embedded model: its vectors are the means of the package's own rows, with and without numpy."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from array import array

import pytest

from koog.search.embedder import quantised
from koog.search.embedding import folder
from koog.search.subwords import Subwords
from koog.search.wordllama import BULK, FEW, MATRIX, TOKENIZER, WordLlama, pooled

PACKAGE = folder("wordllama")
pytestmark = pytest.mark.skipif(PACKAGE is None, reason="the extra `vectors` is not installed")
TEXTS = ["Maria drove to the coast", "", "naïve 日本 👍", "x = [i for i in range(3)]\n\n  return x"]


@pytest.fixture(scope="module")
def model():
    return WordLlama(PACKAGE)


def cosine(one: bytes, other: bytes) -> float:
    a, b = array("b", one), array("b", other)
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5


@pytest.mark.parametrize("text", TEXTS)
def test_a_vector_is_the_mean_of_the_rows_of_its_tokens(text, model):
    np = pytest.importorskip("numpy")
    rows = pytest.importorskip("safetensors.numpy").load_file(PACKAGE / MATRIX)["embedding.weight"]
    vocabulary = json.loads((PACKAGE / TOKENIZER).read_text("utf-8"))["model"]["vocab"]
    mean = rows[Subwords(vocabulary.get).numbers(text)].astype(np.float64).mean(axis=0)

    (vector,) = model.embed([text], kind="passage")

    assert vector == quantised(mean.tolist())


def test_many_texts_have_the_vectors_of_few(model):
    texts = [f"{TEXTS[n % len(TEXTS)]} {n}" for n in range(BULK + 1)]

    many = model.embed(texts, kind="passage")

    few = [
        vector
        for start in range(0, len(texts), 100)
        for vector in model.embed(texts[start : start + 100], kind="query")
    ]
    assert len(many) == len(few)
    assert (
        max(
            abs(a - b)
            for one, other in zip(many, few, strict=True)
            for a, b in zip(array("b", one), array("b", other), strict=True)
        )
        <= 1
    )


def test_what_means_the_same_is_nearer_than_what_does_not(model):
    near, same, far = model.embed(["my doctor", "a physician", "the football match"], kind="passage")

    assert cosine(near, same) > cosine(near, far) + 0.2


def test_a_query_and_one_changed_file_import_neither_numpy_nor_a_tokenizer():
    code = f"""
import sys
from pathlib import Path
from koog.search.wordllama import WordLlama
WordLlama(Path(sys.argv[1])).embed(["a question"] * {BULK - 1}, kind="passage")
print({{"numpy", "tokenizers", "wordllama"}} & set(sys.modules))
"""

    done = subprocess.run([sys.executable, "-c", code, str(PACKAGE)], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"


def test_few_texts_are_looked_up_where_the_model_is_told_to():
    asked = []
    model = WordLlama(PACKAGE)
    vocabulary = dict(model.tokens())
    expected = model.embed(["a plain question"], kind="query")

    model.look_up(lambda token: asked.append(token) or vocabulary.get(token))

    assert model.embed(["a plain question"] * 2, kind="query") == expected * 2
    assert len(asked) == len(set(asked)) > 0
    asked.clear()
    model.embed(["another question altogether"] * (FEW + 1), kind="passage")
    assert asked == []


def test_few_texts_are_looked_up_within_one_look():
    looks = []

    model = WordLlama(PACKAGE)
    vocabulary = dict(model.tokens())

    class Look:
        def __enter__(self):
            looks.append("begun")

        def __exit__(self, *_):
            looks.append("ended")

    model.look_up(lambda token: looks.append("asked") or vocabulary.get(token), within=Look())
    model.embed(["a plain question", "a planar kwestion"], kind="query")

    assert (looks[0], looks[-1], set(looks[1:-1])) == ("begun", "ended", {"asked"})


def test_the_tokens_come_in_order_with_their_numbers(model):
    tokens = list(model.tokens())

    assert len(tokens) == 32_000
    assert tokens == sorted(tokens)
    assert ("▁the", 278) in tokens


def test_near_words_are_words_like_the_word_nearest_first(model):
    near = dict(model.near_words())

    others = near["doctor"].split()
    assert {"physician", "medical"} & set(others) and "doctor" not in others
    assert len(others) <= 12
    assert "the" not in near and all(word == word.lower() for word in near)
    word, *rest = model.embed(["doctor", *others], kind="query")
    assert [cosine(word, other) for other in rest] == sorted((cosine(word, other) for other in rest), reverse=True)


@pytest.mark.parametrize("missing", [MATRIX, TOKENIZER])
def test_a_package_without_its_files_is_no_model(missing, tmp_path):
    copy = files(tmp_path)
    (copy / missing).unlink()

    with pytest.raises(OSError, match="No such file"):
        WordLlama(copy)


def test_a_matrix_of_another_shape_is_no_model(tmp_path):
    copy = files(tmp_path)
    with (copy / MATRIX).open("r+b") as file:
        head = file.read(96)
        file.seek(0)
        file.write(head.replace(b"32000", b"16000"))

    with pytest.raises(ValueError, match="another model"):
        WordLlama(copy)


@pytest.mark.parametrize("data", [b"", b"no numbers", b"\xff" * 40, b"\x02" + bytes(7) + b"{}", None])
def test_a_matrix_that_is_none_or_cut_off_is_no_model(data, tmp_path):
    copy = files(tmp_path)
    (copy / MATRIX).write_bytes((copy / MATRIX).read_bytes()[:-1] if data is None else data)

    with pytest.raises(ValueError, match=r"another model|empty file"):
        WordLlama(copy)


def test_the_mean_of_rows_has_their_direction():
    assert pooled([(1.0, 0.0, -2.0), (3.0, 0.0, -2.0)]) == [4.0, 0.0, -4.0]


def files(folder):
    for name in (MATRIX, TOKENIZER):
        (folder / name).parent.mkdir()
        shutil.copy(PACKAGE / name, folder / name)
    return folder
