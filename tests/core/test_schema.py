"""The quick check in front of jsonschema: it may only say "valid" where jsonschema says so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from koog.core import schema
from tests.conftest import ROOT, examples

SCHEMAS = sorted(ROOT.glob("koog/*/*.schema.json"))

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 3),
        st.sampled_from([0.0, 1.0, 0.5, -1.5, float("nan"), float("inf")]),
        st.sampled_from(["", "a", "ab", "abc", "é", "a\n"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
    ),
    max_leaves=6,
)

TYPE = st.sampled_from(list(schema.TYPES))


def keywords(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPE, st.lists(TYPE, min_size=1, max_size=3, unique=True)),
            "enum": st.lists(
                st.sampled_from([None, True, False, 0, 1, 1.0, "a", "", [], [1], {"a": 1}]), min_size=1, max_size=3
            ),
            "required": st.lists(st.sampled_from(["a", "b"]), unique=True, max_size=2),
            "properties": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
            "additionalProperties": st.one_of(st.booleans(), inner),
            "items": inner,
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 2),
            "minimum": st.sampled_from([0, 0.5, 1]),
            "maximum": st.sampled_from([0, 0.5, 1]),
            "pattern": st.sampled_from(["^a", "b$", "^[a-z]+$", "."]),
            "propertyNames": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "uniqueItems": st.booleans(),
            "const": st.sampled_from([None, 0, True, "a"]),
            "$ref": st.sampled_from(["#/$defs/x", "#/$defs/y"]),
        },
    )


NODES = keywords(keywords(keywords(st.just({}))))


@settings(max_examples=examples(200), deadline=None)
@given(node=NODES, x=keywords(st.just({})), value=VALUES)
@example(node={"type": "integer"}, x={}, value=True)
@example(node={"type": "integer"}, x={}, value=1.0)
@example(node={"enum": [1]}, x={}, value=True)
@example(node={"enum": [[1]]}, x={}, value=[True])
@example(node={"enum": [[1]]}, x={}, value=[1.0])
@example(node={"$ref": "#/$defs/x", "maxItems": 0}, x={"type": "array"}, value=[1])
@example(node={"minimum": 0}, x={}, value=False)
def test_a_value_has_a_problem_exactly_where_jsonschema_sees_one(node, x, value):
    whole = {**node, "$defs": {"x": {k: v for k, v in x.items() if k != "$ref"}, "y": {"type": "string"}}}

    valid = Draft202012Validator(whole).is_valid(value)

    assert (schema.problem(value, whole) is None) is valid


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_every_schema_is_one(path):
    Draft202012Validator.check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({}, "top level: 'id' is a required property"),
        ({"id": "a", "rows": [{"n": 1}, {"n": "x"}]}, "rows[1].n: 'x' is not of type 'integer'"),
    ],
)
def test_a_problem_is_told_with_its_place(value, said):
    row = {"type": "object", "properties": {"n": {"type": "integer"}}}
    whole = {"required": ["id"], "properties": {"rows": {"items": row}}}

    assert schema.problem(value, whole) == said


def test_a_problem_with_a_long_value_is_told_in_short():
    said = schema.problem("x" * 10_000, {"type": "integer"})

    assert said is not None
    assert len(said) < 400


def test_a_definition_still_resolves_its_neighbours():
    found = schema.definition(ROOT / "koog/heartbeat/signal.schema.json", "answer")

    assert schema.problem({"signals": [], "recommendedAction": {"action": "skip", "confidence": 0}}, found) is None
    assert schema.problem({"signals": [], "recommendedAction": {"action": "skip"}}, found) is not None
