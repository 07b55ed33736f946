"""Messy model output in, one value or one error out.  [design §4, sinain §4.2]"""

from __future__ import annotations

import json
import math
import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from koog.core.model.jsonrepair import MAX_BYTES, extract
from koog.core.model.jsonscan import MAX_CANDIDATES
from koog.core.model.jsonvalue import JSONRepairError, Repaired
from tests.conftest import examples

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
containers = st.lists(documents, max_size=4) | st.dictionaries(st.text(max_size=8), documents, max_size=4)
# Every character that means something to the reader, so that random texts come near JSON.
near_json = st.text(
    st.sampled_from("{}[]()\"'“”`:,;=\\/*#.-+0123etrufalsn <>\n _u|\ud83d") | st.characters(), max_size=60
)
snippets = st.lists(
    st.sampled_from(
        ['{"a":', '"x', '",', "[1,", "]", "}", "</think>", "<think>", "```json\n", "\\", '\\"', "...", "k: "]
    ),
    max_size=25,
).map("".join)

DAMAGED = {
    "trailing commas": ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}),
    "single quotes": ("{'a': 'it\\'s'}", {"a": "it's"}),
    "careless single quotes": ("{'a': 'it's here', 'b': 1}", {"a": "it's here", "b": 1}),
    "bare keys": ("{a: 1, b-c: 2}", {"a": 1, "b-c": 2}),
    "python literals": ('{"a": True, "b": False, "c": None}', {"a": True, "b": False, "c": None}),
    "tuples": ('{"a": (1, 2)}', {"a": [1, 2]}),
    "line comments": ('{"a": 1, // "no": {\n "b": 2}', {"a": 1, "b": 2}),
    "hash comments": ('{"a": 1, # it\'s\n "b": 2}', {"a": 1, "b": 2}),
    "block comments": ('{"a": 1 /* {"x": */, "b": 2}', {"a": 1, "b": 2}),
    "smart quotes": ("{“a”: “say “hi” now”}", {"a": "say “hi” now"}),
    "raw line break": ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
    "inner quotes": ('{"a": "say "hi", ok", "b": 1}', {"a": 'say "hi", ok', "b": 1}),
    "inner quotes around it all": ('{"a": ""hi" is not "ho""}', {"a": '"hi" is not "ho"'}),
    "inner code": ('{"a": "d = {"k": "v", "l": 2}", "b": 1}', {"a": 'd = {"k": "v", "l": 2}', "b": 1}),
    "inner quotes in a list": ('["say "hi", "ho" now", "x"]', ['say "hi", "ho" now', "x"]),
    "regex escapes": (r'{"a": "^\d+\s$"}', {"a": r"^\d+\s$"}),
    "lone backslash before the quote": (r'{"a": "C:\dir\", "b": 1}', {"a": "C:\\dir\\", "b": 1}),
    "not a number": ('{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}),
    "lone surrogate": ('{"a": "x \\ud83d y"}', {"a": "x \ufffd y"}),
    "surrogate as a character": ('{"a": "x \ud83d y"}', {"a": "x \ufffd y"}),
    "doubled encoding": (json.dumps(json.dumps({"a": 'x "y"\n'})), {"a": 'x "y"\n'}),
    "doubled and damaged": (json.dumps("{'a': 1,}"), {"a": 1}),
    "escaped without quotes": (r"{\"a\": \"b\\n\"}", {"a": "b\n"}),
    "missing commas": ('{"a": "x"\n"b": 1 "c": [1 2 "z" "y"]}', {"a": "x", "b": 1, "c": [1, 2, "z", "y"]}),
    "double commas": ('{"a": "x",, "b": [1,,2]}', {"a": "x", "b": [1, 2]}),
    "missing colon": ('{"a" 1, "b" "x"}', {"a": 1, "b": "x"}),
    "other colons": ('{"a" = 1, "b" => 2, "c"： 3}', {"a": 1, "b": 2, "c": 3}),
    "missing value": ('{"a": , "b": 1}', {"a": None, "b": 1}),
    "bare words": ('{"a": hello world, "b": yes}', {"a": "hello world", "b": "yes"}),
    "a number and a word": ('{"a": 5 apples, "b": 1}', {"a": "5 apples", "b": 1}),
    "odd numbers": ('{"a": +5, "b": .5, "c": 1_000, "d": 10,000}', {"a": 5, "b": 0.5, "c": 1000, "d": 10000}),
    "leading zero": ('{"a": 007}', {"a": "007"}),
    "concatenated strings": ('{"a": "x" + "y"}', {"a": "xy"}),
    "triple quotes": ('{"a": """say "hi"\n"""}', {"a": 'say "hi"\n'}),
    "json lines": ('{"a": 1}\n{"b": 2}', [{"a": 1}, {"b": 2}]),
    "byte order mark": ('\ufeff{"a": 1}', {"a": 1}),
    "extra closers": ('{"a": [1]]}}', {"a": [1]}),
    "extra closer inside": ('{"a": {"b": 1}}, "c": 2}', {"a": {"b": 1}, "c": 2}),
    "wrong closer": ('{"a": [1, 2}, "b": 3}', {"a": [1, 2], "b": 3}),
    "bold": ('**{**"a"**: 1}**', {"a": 1}),
    "doubled braces": ('{{"a": {{"b": 1}}, "c": 2}}', {"a": {"b": 1}, "c": 2}),
    "no opening brace": ('"a": [1], "b": 2}', {"a": [1], "b": 2}),
    "half a key": ('{"a: 1, "b": 2, c": 3}', {"a": 1, "b": 2, "c": 3}),
    "a quote twice": ('{""a": ""x", "b"": "y"", "c": "z"}', {"a": "x", "b": "y", "c": "z"}),
    "no brace before an element": ('{"a": [\n"b": 1}, {"b": 2},\n"b": 3}]}', {"a": [{"b": 1}, {"b": 2}, {"b": 3}]}),
    "entities": ("{&quot;a&quot;: &quot;x &amp;amp; y&quot;, &#34;b&#34;: [1]}", {"a": "x &amp; y", "b": [1]}),
    "entities in a list": ("[{&quot;a&quot;: 1}]", [{"a": 1}]),
    "escaped around the colon": (r'{"a\": \"x", "b\": 3, "c\": [1]}', {"a": "x", "b": 3, "c": [1]}),
    "escaped from the colon on": (r'{"a\": \"x\", "b": 3}', {"a": "x", "b": 3}),
    "escaped for markdown": (r'{"a\_b": "c\_d"}', {"a_b": "c_d"}),
    "wrong closer of an object": ('{"a": [{"b": 1], {"c": 2}], "d": []}', {"a": [{"b": 1}, {"c": 2}], "d": []}),
    "wrong closer of a root's object": ('[{"a": 1], {"b": 2}]', [{"a": 1}, {"b": 2}]),
    "wrong closer inside": ('{"a": {"b": [1, 2}, "c": 3}, "d": 4}', {"a": {"b": [1, 2], "c": 3}, "d": 4}),
    "wrong closer at the end": ('{"a": [1]]', {"a": [1]}),
    "a hash behind an inner quote": ('{"a": ["all of "#4" passed"]}', {"a": ['all of "#4" passed']}),
    "no comma before a container": ('["x"\n[1], "y"\n2, {"a": 1}]', ["x", [1], "y", 2, {"a": 1}]),
    "markdown quote": ('> {\n> "a": 1\n> }', {"a": 1}),
}

CUT = {
    "nothing": ("{", {}),
    "in a key": ('{"a": 1, "b', {"a": 1}),
    "after a key": ('{"a": 1, "b"', {"a": 1}),
    "after a colon": ('{"a": 1, "b":', {"a": 1}),
    "in a string": ('{"a": ["x", "y z', {"a": ["x", "y z"]}),
    "in an escape": ('{"a": "x\\', {"a": "x"}),
    "in a code escape": ('{"a": "x\\u00', {"a": "x"}),
    "between surrogates": ('{"a": "x\\ud83d\\ude', {"a": "x"}),
    "in a number": ('{"a": -12.', {"a": -12}),
    "in an exponent": ('{"a": 1.5e+', {"a": 1.5}),
    "at a sign": ('{"a": 1, "b": -', {"a": 1}),
    "in a literal": ("[true, fal", [True, False]),
    "doubled": (r'"{\"a\": \"b', {"a": "b"}),
    "in a fence": ('```json\n{"a": [1, 2\n```\n', {"a": [1, 2]}),
    "closer forgotten before prose": ('{"a": "x"\n\nHope this helps!', {"a": "x"}),
    "inner array closer": ('{"a": [1, 2, "b": 3}', {"a": [1, 2], "b": 3}),
    "inner object closer": ('[{"a": "x", {"b": 2}]', [{"a": "x"}, {"b": 2}]),
    "closing quote": ('{"a": "x,\n "b": 1}', {"a": "x", "b": 1}),
    "left out by the model": ("[1, 2, ...]", [1, 2]),
}


@pytest.mark.parametrize(("text", "value"), DAMAGED.values(), ids=DAMAGED)
def test_damage_that_loses_nothing_is_undone_and_said(text, value):
    found = extract(text)

    assert found.value == value
    assert found.repaired or text.startswith(("\ufeff", '{"a": "x \\ud83d', '{"a": "x \ud83d', '{"a": [1]]'))
    assert not found.truncated


SHEETS = [
    "body { color: red; margin: 0 }",
    "h1, h2 { font: bold 12px/30px Georgia, serif; }",
    ".note {\n  display: flex;\n  gap: 4px;\n}",
    '#top a:hover { content: "x"; background: url(x.png) }',
    "@media (max-width: 600px) { .a { color: red; } }",
]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_style_sheet_is_no_answer(sheet):
    assert extract(f"I used {sheet}\n\n{{a: 1}}").value == {"a": 1}
    with pytest.raises(JSONRepairError):
        extract(f"Use `{sheet}` there.")


def test_entities_in_an_answer_that_is_json_stay_as_they_are():
    assert extract('So: {"html": "<a title=\'{&quot;a&quot;: 1}\'>", "b": 1,}').value["html"].count("&quot;") == 2


@pytest.mark.parametrize("text", ["Result: {op: add, line: 3}", "my answer {op: add, line: 3}", "@bob: {op: 'x'}"])
def test_words_before_a_brace_do_not_make_a_style_sheet(text):
    assert "op" in extract(text).value


@pytest.mark.parametrize(("text", "value"), CUT.values(), ids=CUT)
def test_what_was_closed_here_is_flagged_truncated(text, value):
    assert extract(text) == Repaired(value, truncated=True, repaired=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I can't do that.",
        "see [x] and {name}, [docs](a.md)",
        '<think>draft {"a": 1}',
        '{"a"}',
        '["a", "b", and more]',
        'Here: "a": 1, "b": [2]}',
        '{"a": 1 %% [1, 2]}',
        '{"a": {"b" %%, "c": {"d": 1}}}',
        "NaN",
        "{" * 5000,
        "[" * 1001 + "]" * 1001,
        '{"a":' * 1001,
        "1" * 5000,
        '{"a": ' + "1" * 5000 + "}",
        "{} " * (MAX_CANDIDATES + 1),
        " " * (MAX_BYTES + 1),
        "é" * (MAX_BYTES // 2 + 1),
    ],
    ids=lambda text: text[:24],
)
def test_no_confident_reading_is_one_clean_error(text):
    with pytest.raises(JSONRepairError):
        extract(text)


def test_a_thousand_levels_are_still_read():
    value = extract("[" * 1000 + "]" * 1000).value

    depth = 0
    while value is not None:
        depth, value = depth + 1, value[0] if value else None
    assert depth == 1000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('<think>maybe {"a": 1}</think>{"b": 2}', {"b": 2}),
        ('maybe {"a": 1}\n</think>\n{"b": 2}', {"b": 2}),
        ('<think>it\'s { open</think> so </think>\n{"b": 2}', {"b": 2}),
        ('{"a": "say </think> here"}', {"a": "say </think> here"}),
        ('Here: {"a": "say </think> here"}', {"a": "say </think> here"}),
        ('{"a": "say </think> here", "b": [1,],}', {"a": "say </think> here", "b": [1]}),
        ('{"a": "a <think> tag"}', {"a": "a <think> tag"}),
        ('I write {"a": [1 </think> {"b": 2}', {"b": 2}),
    ],
)
def test_only_a_real_closing_tag_ends_the_reasoning(text, value):
    assert extract(text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("see [1] and [2, 3], then {'a': 1}", {"a": 1}),
        ('{"a": 1} but better {"a": 1, "b": 2}', {"a": 1, "b": 2}),
        ('{"a": 1} or {"b": 2}', {"a": 1}),
        ('like {"example": "long enough"}:\n```json\n{"a": 1}\n```', {"a": 1}),
        ("```python\nx = {'example': 'long enough'}\n```\n```json\n{\"a\": 1}\n```", {"a": 1}),
        ('{"code": "```json\\n{}\\n```"} is it', {"code": "```json\n{}\n```"}),
    ],
)
def test_without_a_schema_the_best_candidate_wins(text, value):
    assert extract(text).value == value


def test_a_damaged_answer_is_not_replaced_by_a_smaller_example():
    with pytest.raises(JSONRepairError, match="beyond repair"):
        extract('For example {"a": 1}. Answer: {"signals": ["x"], "y" %% {"z": 1}}')


def test_the_schema_picks_among_the_candidates():
    text = 'draft {"b": "the longer one"} then {"a": 1}\n{"a": 2}'

    assert extract(text, accepts=lambda v: "a" in v).value == {"a": 1}
    assert extract(text, accepts=lambda v: isinstance(v, list)).value == [{"a": 1}, {"a": 2}]
    with pytest.raises(JSONRepairError, match="accepted"):
        extract(text, accepts=lambda v: "c" in v)


def test_the_schema_may_keep_a_string_that_holds_json():
    text = json.dumps('{"a": 1}')

    assert extract(text, accepts=lambda v: isinstance(v, str)).value == '{"a": 1}'
    assert extract(text, accepts=lambda v: isinstance(v, dict)).value == {"a": 1}


@given(documents, st.booleans(), st.sampled_from([None, 2]))
@example({"a": "</think> <think> ``` { [ \\ \" ' // # /*"}, True, None)
@settings(deadline=None)
def test_every_json_document_comes_back_equal(value, ascii_only, indent):
    assume(not (isinstance(value, str) and value.lstrip()[:1] in ("{", "[")))

    found = extract(json.dumps(value, ensure_ascii=ascii_only, indent=indent))

    assert (found.value, found.truncated, found.repaired) == (value, False, False)


@given(containers, st.sampled_from([None, 2]))
@settings(deadline=None)
def test_a_document_in_prose_fences_and_reasoning_comes_back_equal(value, indent):
    text = json.dumps(value, indent=indent)

    for frame in (
        "Here it is: {} as [asked].",
        "Sure!\n```json\n{}\n```\nDone {x}.",
        "<think>{[ so</think>\n{}",
        "```{}",
    ):
        found = extract(frame.replace("{}", text, 1))
        assert (found.value, found.truncated, found.repaired) == (value, False, False)


@given(near_json | snippets | st.tuples(snippets, near_json).map("".join))
@example('\ud83d{"a": "\\ud83d')
@example('{"a": ' + "[" * 40 + "}")
@settings(deadline=None, max_examples=examples(400))
def test_any_text_gives_a_writable_value_or_the_one_error(text):
    try:
        found = extract(text)
    except JSONRepairError:
        return

    written = json.dumps(found.value, allow_nan=False, ensure_ascii=False)
    assert json.loads(written.encode()) == found.value


@pytest.mark.parametrize("word", ["n", "nu", "nul", "t", "tru", "f", "fals", "-"])
def test_a_word_that_was_cut_ends_the_odd_string_before_it(word):
    found = extract('{"k": [0, "\\u0007\\ud800\\udc00", ' + word)

    assert found.truncated
    assert found.value["k"][:2] == [0, "\x07\U00010000"]


def test_a_number_that_was_cut_in_its_exponent_begins_with_the_same_digit():
    assert begins(extract("[6.22e-1").value, [6.22e-192])


@given(containers, st.data())
@settings(deadline=None, max_examples=examples(200))
def test_a_cut_document_is_flagged_and_says_nothing_that_was_not_there(value, data):
    text = json.dumps(value)
    prefix = text[: data.draw(st.integers(1, len(text) - 1))]
    # {"a:b" may as well be the key a without its second quote and the value b without its first.
    assume(not re.search(r'"[\w$.-]+\s*[:=][^"]*"\s*\Z', prefix))

    found = extract(prefix)

    assert found.truncated
    assert begins(found.value, value)


def begins(part: object, whole: object) -> bool:
    """Tell whether a value is what a cut leaves of another: shorter at its last item only."""
    if isinstance(whole, dict) and isinstance(part, dict):
        names = list(part)
        return names == list(whole)[: len(names)] and begins_in_order([(part[n], whole[n]) for n in names])
    if isinstance(whole, list) and isinstance(part, list):
        return len(part) <= len(whole) and begins_in_order(list(zip(part, whole, strict=False)))
    if isinstance(whole, str) and isinstance(part, str):
        return whole.startswith(part)
    if isinstance(whole, bool) or whole is None:
        return part is whole
    return isinstance(part, (int, float)) and (math.isclose(part, 0) or first_digit(part) == first_digit(whole))


def first_digit(number: object) -> tuple[bool, str]:
    """Return a number's sign and first digit that counts: of 6e-192 cut to 6e-1 it is the same."""
    text = json.dumps(number)
    return text.startswith("-"), text.lstrip("-0.")[:1]


def begins_in_order(pairs: list[tuple[object, object]]) -> bool:
    return all(a == b for a, b in pairs[:-1]) and all(begins(a, b) for a, b in pairs[-1:])
