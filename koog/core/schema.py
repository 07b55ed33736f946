"""One JSON Schema check for everything koog reads: answers, config, registry, manifests, entries.

The verdict is jsonschema's. But importing it costs about seven times a bare
Python start, on every command, to learn that a file is fine; so a plain check of
the few keywords koog's own schemas use comes first. It may only say "valid" or
"ask jsonschema": whatever it does not know or does not like, jsonschema decides
and words.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from koog.core import shipped
from koog.core.lazy_regex import compiled

Schema = dict[str, Any]

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


@cache
def load(path: Path) -> Schema:
    """Return a schema file's content; read once a process."""
    value: Schema = json.loads(shipped.text(path))
    return value


@cache
def definition(path: Path, name: str) -> Schema:
    """Return `$defs/name` of a schema file as a schema of its own, which still resolves the file's other `$defs`."""
    whole = load(path)
    return {**whole["$defs"][name], "$defs": whole["$defs"]}


def problem(value: Any, schema: Schema) -> str | None:
    """Return what is wrong with a value, as `path: message`, or None when it fits its schema."""
    if _fits(value, schema, schema):
        return None
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    worst = best_match(Draft202012Validator(schema).iter_errors(value))
    if worst is None:
        return None
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in worst.absolute_path).lstrip(".")
    return f"{where or 'top level'}: {worst.message[:300]}"


def resolved(schema: Schema, root: Schema) -> Schema:
    """Return what a schema that only refers to a definition of its root stands for, else itself."""
    ref = schema.get("$ref", "")
    return root["$defs"][ref.removeprefix("#/$defs/")] if ref.startswith("#/$defs/") else schema


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool) and name in ("integer", "number"):
        return False  # to Python a bool is an int, to JSON it is not
    return isinstance(value, TYPES[name])


def _fits(value: Any, schema: Schema, root: Schema) -> bool:
    """Return True only when the value is surely valid."""
    for key, given in schema.items():
        if key not in PLAIN:
            check = CHECKS.get(key)
            if check is None or not check(value, given, schema, root):
                return False
    return True


def _type(value: Any, given: Any, *_: Schema) -> bool:
    return _is(value, given) if isinstance(given, str) else any(_is(value, name) for name in given)


def _enum(value: Any, given: Any, *_: Schema) -> bool:
    # scalars only: to Python [1] == [True]
    return any(type(value) is type(o) and value == o for o in given if not isinstance(o, (dict, list)))


def _properties(value: Any, given: Any, _: Schema, root: Schema) -> bool:
    if isinstance(value, dict):  # a loop: `all` would be half of what it takes to look at an answer
        for name, own in value.items():
            if name in given and not _fits(own, given[name], root):
                return False
    return True


def _additional(value: Any, given: Any, schema: Schema, root: Schema) -> bool:
    if given is True or not isinstance(value, dict):
        return True
    named = schema.get("properties", {})
    extra = [v for k, v in value.items() if k not in named]
    return not extra if given is False else all(_fits(v, given, root) for v in extra)


def _ref(value: Any, _: Any, schema: Schema, root: Schema) -> bool:
    target = resolved(schema, root)
    return target is not schema and _fits(value, target, root)


PLAIN = {"$defs", "$id", "$schema", "title", "description", "default", "examples"}  # what asks nothing of a value
NUMBER = (int, float)
CHECKS: dict[str, Callable[[Any, Any, Schema, Schema], bool]] = {
    "type": _type,
    "enum": _enum,
    "required": lambda value, given, *_: not isinstance(value, dict) or all(name in value for name in given),
    "properties": _properties,
    "additionalProperties": _additional,
    "items": lambda value, given, _, root: not isinstance(value, list) or all(_fits(v, given, root) for v in value),
    "minItems": lambda value, given, *_: not isinstance(value, list) or len(value) >= given,
    "maxItems": lambda value, given, *_: not isinstance(value, list) or len(value) <= given,
    "minLength": lambda value, given, *_: not isinstance(value, str) or len(value) >= given,
    "maxLength": lambda value, given, *_: not isinstance(value, str) or len(value) <= given,
    "minimum": lambda value, given, *_: not isinstance(value, NUMBER) or value >= given,
    "exclusiveMinimum": lambda value, given, *_: not isinstance(value, NUMBER) or value > given,
    "maximum": lambda value, given, *_: not isinstance(value, NUMBER) or value <= given,
    "pattern": lambda value, given, *_: not isinstance(value, str) or compiled(given).search(value) is not None,
    "propertyNames": lambda value, given, _, root: (
        not isinstance(value, dict) or all(_fits(k, given, root) for k in value)
    ),
    "$ref": _ref,
    "anyOf": lambda value, given, _, root: any(_fits(value, option, root) for option in given),
}
