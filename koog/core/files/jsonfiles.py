"""Reading and writing JSON files and JSON lines, by orjson.

The reply line itself is not written here: it is pure ASCII, by the standard library (core/reply.py).
"""

from __future__ import annotations

import json
from typing import Any

import orjson

LEVELS = 200  # orjson reads 1,024: what was read can be written again inside something else
WRITTEN = 254  # levels that it writes


def loads(data: bytes | str) -> Any:
    """Return the value of a JSON text. Raises ValueError, with line and column, when it is not one or too deep."""
    value = orjson.loads(data)
    openers = data.count("[") + data.count("{") if isinstance(data, str) else data.count(b"[") + data.count(b"{")
    if openers > LEVELS and isinstance(value, dict | list) and _is_deep(value):
        raise ValueError(f"more than {LEVELS} levels of lists and objects")
    return value


def lenient(data: bytes) -> Any:
    """Return the value of JSON that another program wrote, mended where it must be. Raises ValueError."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return orjson.loads(mended(data))


def mended(data: bytes) -> bytes:
    """Return JSON with "?" or U+FFFD for what is no character. Raises ValueError when it is none for other reasons.

    A program in JavaScript that cuts a text in the middle of an emoji writes half a surrogate pair, and one that is
    killed leaves bytes that are no UTF-8: the standard library reads both, and what stands beside them is whole.
    """
    try:
        value = json.loads(data.decode("utf-8", "replace"))
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    except RecursionError:
        raise ValueError("too many levels of lists and objects") from None


def pretty(value: Any) -> str:
    """Return the text of a JSON file: two spaces of indent, a final line end, keys in their order."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def line(value: Any) -> str:
    """Return one JSON line, without its line end."""
    return orjson.dumps(value).decode()


def _is_deep(value: Any) -> bool:
    """Return whether a value has more levels than that: within so many others orjson does not write it any more.

    It looks through a large file in a tenth of the time that it takes to walk it.
    """
    for _ in range(WRITTEN - LEVELS):
        value = [value]
    try:
        orjson.dumps(value)
    except TypeError:
        return True
    return False
