"""A model's JSON read by its task's schema, generously and row by row.  [design §4 "Model tasks"]

    read({"newPatterns": ["Use pnpm", 17]}, shape)   →  the value that fits the schema, and why 17 is not in it

The schema drives it: what a field may be says how a value is understood as it ("6" and 6.0 as 6, "80%" as 0.8, null as
an empty list, one object as a list of one, DECISION as decision, `line_number` as `line`). A row of the answer's lists
that cannot be understood is refused with its reason and takes no other with it; a field that may be left out is left
out. What is missing takes the schema's `default`. Pure.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from koog.core import schema
from koog.core.clip import clip
from koog.core.errors import LLMUnusable
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.refused import Refusal, refusal
from koog.core.schema import Schema
from koog.core.task import AGAIN
from koog.core.text import negation

SHOWN_CHARS = 80  # of a value, in the reason for which a row or an answer was refused
NOTHING = frozenset(("", "-", "null", "none", "nil", "n/a"))
YES, NO = frozenset(("true", "yes", "y", "1")), frozenset(("false", "no", "n", "0"))
DEGREES = {"critical": 0.9, "veryhigh": 0.9, "high": 0.8, "medium": 0.5, "moderate": 0.5, "low": 0.2, "verylow": 0.1}
MOST_IN_RANGE, MOST_NUMBERS = 1000, 10_000  # numbers that "3-7" may stand for, and a list of such
DIGITS, HUGE = 9, 1e15  # what is longer or larger than that counts nothing in a document
NUMBER = r"(?<![\w.])(?:[a-z]{1,4})?(-?\d+(?:\.\d+)?)(?:\s*(%|/\s*\d+|percent\b))?"
RANGE = r"(\d+)(?:\s*[-–…]\s*[a-z]?(\d+))?"
# Under which other names a model gives what the schema names so; and with which endings of any name.
NAMES = {
    "text": ("pattern", "content", "observation", "statement", "description", "preference", "finding", "contradiction"),
    "description": ("text", "signal", "summary"),
    "reason": ("why", "rationale", "explanation", "justification"),
    "op": ("operation", "action"),
    "type": ("kind", "category"),
    "file": ("path", "source", "citation", "note"),
}
ENDINGS = ("number", "no", "nr", "id", "index", "name", "score", "level", "s")


_NO_VALUE = object()


class Read(NamedTuple):
    """What an answer says, and the rows of it that are not in there."""

    value: Any
    refused: list[Refusal]


class Misfit(Exception):
    """A value that cannot be understood as what the schema wants there. Never raised out of this module.

    why     what is wrong, said after the value
    value   as it may be shown: in as few words, and without orders; left out of the reason where there is none
    """

    def __init__(self, why: str, value: Any = _NO_VALUE) -> None:
        self.why, self.value = why, value

    def __str__(self) -> str:
        if self.value is _NO_VALUE:
            return self.why
        return f"{clip(refusal(_shown(self.value), '')['text'], SHOWN_CHARS)} {self.why}"


def read(value: Any, shape: Schema) -> Read:
    """Return an answer as its schema has it. Raises LLMUnusable when it is not such an answer at all."""
    reader = _Reader(shape)
    try:
        found = reader.whole(value)
    except (Misfit, RecursionError) as e:
        why = e if isinstance(e, Misfit) else "it is nested too deep"
        raise LLMUnusable(f"the answer does not fit its schema: {why}", hint=AGAIN) from None
    if wrong := schema.problem(found, shape):
        raise LLMUnusable(f"the answer does not fit its schema: {wrong}", hint=AGAIN)
    return Read(found, reader.refused)


class _Reader:
    """One answer's reading. refused: the rows that were left out"""

    def __init__(self, root: Schema) -> None:
        self.root = root
        self.refused: list[Refusal] = []

    def whole(self, value: Any) -> Any:
        """Return the answer itself: in a list of one, below a key of its own, or as its first list alone."""
        shape = schema.resolved(self.root, self.root)
        properties = shape.get("properties", {})
        if isinstance(value, list) and len(value) == 1 and _named(value[0], properties):
            value = value[0]
        if isinstance(value, list) and any(isinstance(each, (dict, str)) for each in value):
            first = next((k for k, v in properties.items() if "array" in _kinds(schema.resolved(v, self.root))), None)
            value = {first: value} if first else value
        if isinstance(value, dict) and not _named(value, properties):
            inner = [each for each in value.values() if isinstance(each, (dict, list))]
            if len(inner) != 1:
                raise Misfit(f"none of {', '.join(properties)} is there")
            return self.whole(inner[0])
        if not isinstance(value, dict):
            raise Misfit("is no object", value)
        return self._object(value, shape, depth=0)

    def _as(self, value: Any, node: Schema, depth: int) -> Any:
        node = schema.resolved(node, self.root)
        if "anyOf" in node:
            return self._any(value, node, depth)
        kinds = _kinds(node)
        if "null" in kinds and (value is None or (isinstance(value, str) and value.strip().lower() in NOTHING)):
            return None
        try:
            return self._one(value, node, kinds, depth)
        except Misfit:
            if "default" in node:
                return node["default"]
            if "null" in kinds:
                return None
            raise

    def _any(self, value: Any, node: Schema, depth: int) -> Any:
        why = Misfit("nothing")
        for option in sorted(
            node["anyOf"], key=lambda option: schema.problem(value, {**option, **_defs(self.root)}) or ""
        ):
            try:
                return self._as(value, option, depth)
            except Misfit as e:
                why = e
        raise why

    def _one(self, value: Any, node: Schema, kinds: list[str], depth: int) -> Any:
        if "enum" in node:
            return _choice(value, node["enum"])
        for kind in kinds:
            match kind:
                case "array":
                    return self._array(value, node, depth)
                case "object":
                    return self._object(value, node, depth)
                case "boolean":
                    return _boolean(value)
                case "integer" | "number":
                    return _number(value, node, whole=kind == "integer")
                case "string":
                    return _text(value, node)
        return value

    def _object(self, value: Any, node: Schema, depth: int) -> dict[str, Any]:
        properties, required = node.get("properties", {}), node.get("required", ())
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, str) and value.strip():
            value = {name: value for name in ("text", "description") if name in properties}
        if not isinstance(value, dict):
            raise Misfit("is no object", value)
        given, found = _named(value, properties), dict[str, Any]()
        for name, each in properties.items():
            try:
                if given.get(name) is not None:
                    found[name] = self._as(given[name], each, depth + 1)
                elif name in required or "default" in schema.resolved(each, self.root):
                    found[name] = self._missing(each)
            except Misfit as e:
                if name in required:
                    raise Misfit(f"{name}: {e}") from None
        return found

    def _missing(self, node: Schema) -> Any:
        node = schema.resolved(node, self.root)
        kinds = _kinds(node)
        if "default" in node or "null" in kinds:
            return node.get("default")
        if "array" in kinds and not node.get("minItems"):
            return []
        if "string" in kinds and not node.get("minLength") and "enum" not in node:
            return ""
        raise Misfit("is missing")

    def _array(self, value: Any, node: Schema, depth: int) -> list[Any]:
        items = schema.resolved(node.get("items", {}), self.root)
        most, found = node.get("maxItems", math.inf), list[Any]()
        is_rows = depth == 1
        for each in self._rows(value, items):
            try:
                if len(found) >= most:
                    raise Misfit(f"more than {most}")
                found.append(self._as(each, items, depth + 1))
            except Misfit as e:
                if not is_rows:
                    raise
                self.refused.append(refusal(_shown(each), f"not understood: {e}"))
        if len(found) < node.get("minItems", 0):
            raise Misfit("is empty")
        return found

    def _rows(self, value: Any, items: Schema) -> list[Any]:
        """Return what stands for a list as one."""
        if {"integer", "number"} & set(_kinds(items)):
            found = list(islice(_numbers(value), MOST_NUMBERS + 1))
            if len(found) > MOST_NUMBERS:
                raise Misfit("too many numbers")
            return found
        if isinstance(value, str):
            rows = [compiled(r"^\s*(?:[-*•]|\d+[.)])\s+").sub("", row) for row in value.split("\n")]
            return [row for row in rows if row.strip().lower() not in NOTHING]
        if isinstance(value, dict) and not _named(value, items.get("properties", {})):
            return list(value.values()) if all(isinstance(each, dict) for each in value.values()) else [value]
        return value if isinstance(value, list) else [value]


def _named(value: Any, properties: Schema) -> dict[str, Any]:
    """Return an object's values under the names that the schema has for them; those it has none for are left out."""
    if not isinstance(value, dict):
        return {}
    found = {name: each for name, each in value.items() if name in properties}
    rest = {_bare(name): each for name, each in value.items() if name not in properties}
    for name in properties:
        low = _bare(name)
        others = (low, *NAMES.get(name, ()), *(low + end for end in ENDINGS), low.removesuffix("s"))
        if name not in found and (key := next((other for other in others if other in rest), None)):
            found[name] = rest.pop(key)
    return found


def _bare(name: Any) -> str:
    """Return a name without case and marks.

    >>> _bare("new_patterns"), _bare("newPatterns")
    ('newpatterns', 'newpatterns')
    """
    return compiled(r"[\W_]+").sub("", str(name)).casefold()


def _kinds(node: Schema) -> list[str]:
    given = node.get("type", [])
    return [given] if isinstance(given, str) else list(given)


def _defs(root: Schema) -> Schema:
    return {"$defs": root.get("$defs", {})}


def _choice(value: Any, options: list[Any]) -> Any:
    """Return which of some words a value is.

    >>> _choice("DECISION", ["decision", "fact"]), _choice("user preferences", ["preference", "fact"])
    ('decision', 'preference')
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        low = _bare(value)
        said = {_bare(word).removesuffix("s") for word in re.split(r"[\W_]+", value)}
        exact = [each for each in options if isinstance(each, str) and _bare(each) in (low, low.removesuffix("s"))]
        near = [each for each in options if isinstance(each, str) and _bare(each) in said]
        meant = exact or ([] if negation.is_denied(value) else near)  # "do not remove" is no removal
        if len(meant) == 1:
            return meant[0]
    elif any(type(value) is type(each) and value == each for each in options):
        return value
    raise Misfit(f"is none of {', '.join(map(str, options))}", value)


def _boolean(value: Any) -> bool:
    low = str(value).strip().lower() if isinstance(value, (bool, str, int)) else ""
    if low in YES or low in NO:
        return low in YES
    raise Misfit("is neither true nor false", value)


def _number(value: Any, node: Schema, *, whole: bool) -> int | float:
    """Return a value as a number. On a scale, which has both its ends, it may be a share or a word of degree.

    >>> scale = {"minimum": 1, "maximum": 10}
    >>> [_number(v, scale, whole=True) for v in ("8/10", "high", 8.0, 12)], _number("L6", {"minimum": 1}, whole=True)
    ([8, 8, 8, 10], 6)
    >>> [_number(v, {"minimum": 0, "maximum": 1}, whole=False) for v in ("80%", 85, "0.8", 8, "8/10")]
    [0.8, 0.85, 0.8, 0.8, 0.8]
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    least, most = node.get("minimum"), node.get("maximum")
    found = value if isinstance(value, (int, float)) and not isinstance(value, bool) else _said(value, most)
    if found is None or not -HUGE < found < HUGE:
        raise Misfit("is no number", value)
    if least is not None and most is not None:
        found = _on_scale(found, least, most)
        found = math.floor(found + 0.5) if whole else found
    if (whole and found != int(found)) or (least is not None and found < least):
        raise Misfit("is no such number", value)
    return int(found) if whole else found


def _on_scale(found: float, least: float, most: float) -> float:
    """Return a number between the ends of a scale: of one that ends at 1, eight is eight of ten and eighty percent."""
    if most == 1 and found > 1:
        whole = 10 if found <= 10 and found == int(found) else 100
        found = found / whole if found == int(found) else 1.0
    elif most > 1 and least >= 1 and 0 < found < 1:
        found *= most
    return min(most, max(least, found))


def _said(value: Any, most: float | None) -> float | None:
    """Return the first number of a text, a share or a word of degree as that share of the most."""
    if not isinstance(value, str):
        return None
    if most is not None and (share := DEGREES.get(_bare(value))) is not None:
        return share * most
    found = compiled(NUMBER, re.IGNORECASE).search(value)
    if found is None:
        return None
    number, share_of = float(found[1]), found[2] or ""
    if most is None or not share_of:
        return number
    whole = 100.0 if not share_of.startswith("/") else float(share_of[1:])
    return number / whole * most if whole else None


def _numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers that a list, a text or one number stands for; what is none as it is.

    >>> list(_numbers("3, 5-7")), list(_numbers(["L2", 4.0]))
    ([3, 5, 6, 7], [2, 4.0])
    """
    if isinstance(value, list):
        for each in value:
            yield from _numbers(each)
        return
    ranges = compiled(RANGE).findall(value) if isinstance(value, str) else []
    for first, last in ranges:
        if max(len(first), len(last)) > DIGITS or int(last or first) - int(first) > MOST_IN_RANGE:
            raise Misfit("is too many numbers", value)
        yield from range(int(first), int(last or first) + 1)
    if not ranges:
        yield value


def _text(value: Any, node: Schema) -> str:
    """Return a text: of sentences in a list all of them, without what marks a heading where there is none wanted."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        value = " ".join(value)
    if isinstance(value, dict):
        value = _named(value, {"text": {}}).get("text")
    if not isinstance(value, str):
        raise Misfit("is no text", value)
    if "pattern" in node and not re.search(node["pattern"], value):
        value = value.strip(" \n\t#*_`\"'")
        if not re.search(node["pattern"], value):
            raise Misfit("is in no known form", value)
    if len(value.strip()) < node.get("minLength", 0):
        raise Misfit("is empty")
    return clip(value, node["maxLength"]) if len(value) > node.get("maxLength", math.inf) else value


def _shown(value: Any) -> str:
    """Return a value that was refused, for whoever reads why."""
    said = _named(value, {"text": {}}).get("text") if isinstance(value, dict) else value
    if isinstance(said, str) and said.strip():
        return said
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):  # deeper than can be written, or a number of thousands of digits
        return f"({type(value).__name__})"
