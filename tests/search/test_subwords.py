"""The token numbers are those of the `tokenizers` package, which is imported here only."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.search.embedding import folder
from koog.search.subwords import BYTES_FROM, PAIRS_FROM, SPACE, SPACES_LAST, UNKNOWN, Subwords
from koog.search.wordllama import TOKENIZER
from tests.conftest import examples

PACKAGE = folder("wordllama")
pytestmark = pytest.mark.skipif(PACKAGE is None, reason="the extra `vectors` is not installed")


@pytest.fixture(scope="module")
def model():
    return json.loads((PACKAGE / TOKENIZER).read_text("utf-8"))["model"]


@pytest.fixture(scope="module")
def own(model):
    return Subwords(model["vocab"].get)


@pytest.fixture(scope="module")
def reference():
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(str(PACKAGE / TOKENIZER))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    "text",
    [
        "What did Maria say about the road trip?",
        "  two  spaces,   three, and one at the end ",
        "Straße, Übergröße, naïve café, Łódź",
        "👍🏽 and 👨‍👩‍👧 and 😀😀",
        "日本語のテキスト、中文文本 한국어",
        "def f(x: int) -> str:\n    return f'{x!r}'  # why\n\n\tif a != b: pass",
        "a\tb\r\nc\n\n\n",
        " " * 41 + "x" + " " * 17,
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "======-----_____.....!!!!!?????",
        "<s>hi</s> there <unk> and <0x41> <s",
        f"{SPACE} {SPACE}{SPACE} x{SPACE}y",
        "\x00\x01\x7f\u200b\ufeff",
        "https://example.org/a/b?c=d&e=%20#f",
        "1234567890 3.14159 2024-02-29T23:59:60Z",
    ],
)
def test_a_text_has_the_tokens_of_the_reference(text, own, reference):
    assert own.numbers(text) == reference(text)


@given(st.text(max_size=60))
@settings(max_examples=examples(150), deadline=None)
def test_any_text_has_the_tokens_of_the_reference(own, reference, text):
    assert own.numbers(text) == (reference(text) or [UNKNOWN])


@given(
    st.lists(
        st.sampled_from(["the", "ing", " ", "  ", "aa", "a", SPACE, "<s>", "er", "\n", "ß", "日", "."]), max_size=30
    )
)
@settings(max_examples=examples(150), deadline=None)
def test_texts_full_of_possible_pairs_have_the_tokens_of_the_reference(own, reference, parts):
    text = "".join(parts)

    assert own.numbers(text) == (reference(text) or [UNKNOWN])


def test_a_token_is_joined_to_itself(model):
    whole = Subwords(model["vocab"].get)

    tokens = [(token, number) for token, number in model["vocab"].items() if number >= PAIRS_FROM][::16]

    assert [whole._joined(token) for token, _ in tokens] == [[number] for _, number in tokens]


def test_one_long_word_takes_no_longer_than_its_letters(own, reference):
    word = "QUJDRGVm" * 4000

    assert own.numbers(word) == reference(word)


def test_half_a_character_is_the_byte_of_a_question_mark(own):
    assert own.numbers("a\ud800") == [*own.numbers("a"), BYTES_FROM + ord("?")]


def test_more_words_than_are_remembered_are_taken_apart_all_the_same(model, own):
    forgetful = Subwords(model["vocab"].get, most_words=2)
    text = "one two three two one four"

    assert forgetful.numbers(text) == own.numbers(text)
    assert len(forgetful._words) <= 2


# --- what the code takes for granted about the vocabulary


def test_only_a_run_of_spaces_holds_a_space_after_its_first_character(model):
    inside = {token for token in model["vocab"] if SPACE in token[1:]}

    assert {token.strip(SPACE) for token in inside} == {""}


def test_the_ranks_of_all_pairs_follow_from_the_numbers_of_the_tokens(model):
    numbers = model["vocab"]

    def order(pair):
        left, right = pair.split(" ")
        joined = numbers[left + right]
        return joined + (0 if (left + right).strip(SPACE) else SPACES_LAST), numbers[left], numbers[right]

    possible = {
        f"{token[:cut]} {token[cut:]}"
        for token, number in numbers.items()
        if number >= PAIRS_FROM
        for cut in range(1, len(token))
        if token[:cut] in numbers and token[cut:] in numbers
    }
    assert sorted(model["merges"], key=order) == model["merges"]
    assert possible == set(model["merges"])
