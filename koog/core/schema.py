"""One JSON Schema check for everything koog reads: answers, config, registry, manifests, entries.

The verdict is jsonschema's. But importing it costs about seven times a bare
Python start, on every command, to learn that a file is fine; so a plain check of
the few keywords koog's own schemas use comes first. It may only say "valid" or
"ask jsonschema": whatever it does not know or does not like, jsonschema decides
and words.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from koog.core import shipped

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
    return all(_keyword(key, given, value, schema, root) for key, given in schema.items())


def _keyword(key: str, given: Any, value: Any, schema: Schema, root: Schema) -> bool:  # noqa: PLR0912  one line a keyword reads best
    match key:
        case "$defs" | "$id" | "$schema" | "title" | "description" | "default" | "examples":
            return True
        case "type":
            return any(_is(value, name) for name in ([given] if isinstance(given, str) else given))
        case "enum":
            # scalars only: to Python [1] == [True]
            return any(type(value) is type(o) and value == o for o in given if not isinstance(o, (dict, list)))
        case "required":
            return not isinstance(value, dict) or all(name in value for name in given)
        case "properties":
            return not isinstance(value, dict) or all(_fits(v, given[k], root) for k, v in value.items() if k in given)
        case "additionalProperties":
            if not isinstance(value, dict):
                return True
            extra = [v for k, v in value.items() if k not in schema.get("properties", {})]
            return not extra if given is False else given is True or all(_fits(v, given, root) for v in extra)
        case "items":
            return not isinstance(value, list) or all(_fits(v, given, root) for v in value)
        case "minItems":
            return not isinstance(value, list) or len(value) >= given
        case "maxItems":
            return not isinstance(value, list) or len(value) <= given
        case "minLength":
            return not isinstance(value, str) or len(value) >= given
        case "maxLength":
            return not isinstance(value, str) or len(value) <= given
        case "minimum":
            return not isinstance(value, (int, float)) or value >= given
        case "exclusiveMinimum":
            return not isinstance(value, (int, float)) or value > given
        case "maximum":
            return not isinstance(value, (int, float)) or value <= given
        case "pattern":
            return not isinstance(value, str) or re.search(given, value) is not None
        case "propertyNames":
            return not isinstance(value, dict) or all(_fits(k, given, root) for k in value)
        case "$ref":
            target = resolved(schema, root)
            return target is not schema and _fits(value, target, root)
        case "anyOf":
            return any(_fits(value, option, root) for option in given)
        case _:
            return False
