"""Where in a JSON text something is wrong: the line of a fault, of a key, of a misfit with a schema.  Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from koog.core import schema
from koog.core.files import jsonfiles
from koog.core.named import NamedTuple

Place = tuple[str | int, ...]  # the keys and indexes that lead to a value

BOM = b"\xef\xbb\xbf"
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


class Fault(NamedTuple):
    """What is wrong, and in which line (from 1; None when it cannot be told)."""

    line: int | None
    message: str


def parsed(data: bytes) -> tuple[Any, Fault | None]:
    """Return (value, None) of a JSON text, or (None, fault)."""
    data = data.removeprefix(BOM)
    if bad := not_utf8(data):
        return None, bad
    try:
        return jsonfiles.loads(data), None
    except ValueError as e:
        return None, Fault(getattr(e, "lineno", None), f"malformed JSON: {getattr(e, 'msg', e)}")


def not_utf8(data: bytes) -> Fault | None:
    """Return the first byte that is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as e:
        return Fault(data.count(b"\n", 0, e.start) + 1, "not UTF-8")
    return None


def misfits(data: bytes, value: Any, shape: schema.Schema) -> list[Fault]:
    """Return where a parsed value does not fit its schema, in the order of the text; each unknown key by itself."""
    if schema.problem(value, shape) is None:
        return []
    from jsonschema import Draft202012Validator

    places = lines(data.removeprefix(BOM).decode())
    found = [
        Fault(line_of(places, place), message)
        for error in Draft202012Validator(shape).iter_errors(value)
        for place, message in _told(error)
    ]
    return sorted(found, key=lambda f: (f.line or 0, f.message))


def line_of(places: dict[Place, int], place: Place) -> int | None:
    """Return the line of a place, or of the nearest one around it."""
    while place and place not in places:
        place = place[:-1]
    return places.get(place)


def lines(text: str) -> dict[Place, int]:
    """Return the line of every key and list element of a JSON text.

    >>> lines('{"a":\\n [1,\\n 2]}')
    {(): 1, ('a',): 1, ('a', 0): 2, ('a', 1): 3}
    """
    found: dict[Place, int] = {(): 1}
    stack: list[_Frame] = []
    line, seen = 1, 0
    for token in TOKEN.finditer(text):
        line, seen = line + text.count("\n", seen, token.start()), token.start()
        mark = token[0]
        if mark in ":,}]":
            _close(stack, mark)
            continue
        if stack and stack[-1].starts(mark):
            found[tuple(frame.key for frame in stack)] = line
        if mark in "{[":
            stack.append(_Frame(mark))
    return found


class _Frame:
    """An open object or list: the key or index that is being read, and whether the next string is a key."""

    def __init__(self, opener: str) -> None:
        self.in_list = opener == "["
        self.key: str | int = 0 if self.in_list else ""
        self.at_key = not self.in_list

    def starts(self, mark: str) -> bool:
        """Return whether a token is where a member or an element starts; take its key."""
        if self.in_list:
            return True
        if self.at_key:
            self.key, self.at_key = str(json.loads(mark)), False
            return True
        return False


def _close(stack: list[_Frame], mark: str) -> None:
    if mark in "}]":
        stack.pop()
    elif mark == ",":
        frame = stack[-1]
        if isinstance(frame.key, int):
            frame.key += 1
        else:
            frame.at_key = True


def _told(error: Any) -> Iterator[tuple[Place, str]]:
    """Yield (place, message) of one of jsonschema's errors."""
    place = tuple(error.absolute_path)
    if error.validator != "additionalProperties" or error.validator_value is not False:
        yield place, f"{dotted(place) or 'top level'}: {error.message}"
        return
    known = list(error.schema.get("properties", {}))
    for key in (k for k in error.instance if k not in known):
        near = get_close_matches(key, known, 1, 0.6)
        hint = f": did you mean '{near[0]}'?" if near else ""
        yield (*place, key), f"unknown key {dotted((*place, key))}{hint}"


def dotted(place: Place) -> str:
    """Return a place as people write it.

    >>> dotted(("a", 0, "b"))
    'a[0].b'
    """
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place).lstrip(".")
