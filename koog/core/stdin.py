"""Arguments that are long or are JSON; `-` in their place reads standard input."""

from __future__ import annotations

import sys
from typing import Any

from koog.core.errors import UsageError
from koog.core.files import jsonfiles

LIMIT = 8 * 1024 * 1024  # bytes; the body cap of a model answer holds for people's input too


def text_or_stdin(value: str, *, what: str) -> str:
    """Return the value itself, or all of standard input when it is `-`.

    Raises UsageError when standard input is a terminal (an agent would hang
    there), larger than 8 MB, or not UTF-8, and when the value is not UTF-8.
    """
    if value != "-":
        return utf8(value, what=what)
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            f"{what} is '-', but standard input is a terminal", hint=f"pipe the text in: … {what} - < FILE"
        )
    data = sys.stdin.buffer.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise UsageError(f"{what}: more than {LIMIT} bytes on standard input")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise UsageError(f"{what}: standard input is not UTF-8 (byte {e.start})") from None


def utf8(value: str, *, what: str) -> str:
    """Return an argument as it is. Raises UsageError when its bytes are not UTF-8: no JSON file could hold it."""
    try:
        value.encode()
    except UnicodeEncodeError as e:
        raise UsageError(f"{what} is not UTF-8 (character {e.start})") from None
    return value


def json_or_stdin(value: str, *, what: str, hint: str) -> Any:
    """Return the JSON value of an argument, or of standard input when it is `-`. Raises UsageError."""
    text = text_or_stdin(value, what=what)
    try:
        return jsonfiles.loads(text)
    except ValueError as e:
        raise UsageError(f"{what}: {e}", hint=hint) from None


def object_or_stdin(value: str, *, what: str, hint: str) -> dict[str, Any]:
    """Return the JSON object of an argument; `null` is an empty one. Raises UsageError."""
    found = json_or_stdin(value, what=what, hint=hint)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UsageError(f"{what} is not a JSON object", hint=hint)
    return found
