"""Reading and writing JSON files and JSON lines, by orjson.

The reply line itself is not written here: it is pure ASCII, by the standard library (core/reply.py).
"""

from __future__ import annotations

from typing import Any

import orjson


def loads(data: bytes | str) -> Any:
    """Return the value of a JSON text. Raises ValueError, with line and column, when it is not one."""
    return orjson.loads(data)


def pretty(value: Any) -> str:
    """Return the text of a JSON file: two spaces of indent, a final line end, keys in their order."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def line(value: Any) -> str:
    """Return one JSON line, without its line end."""
    return orjson.dumps(value).decode()
