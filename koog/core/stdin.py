"""`-` in place of a text: read it from standard input."""

from __future__ import annotations

import sys

from koog.core.errors import UsageError

LIMIT = 8 * 1024 * 1024  # bytes; the body cap of a model answer holds for people's input too


def text_or_stdin(value: str, *, what: str) -> str:
    """Return the value itself, or all of standard input when it is `-`.

    Raises UsageError when standard input is a terminal (an agent would hang
    there), larger than 8 MB, or not UTF-8.
    """
    if value != "-":
        return value
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
