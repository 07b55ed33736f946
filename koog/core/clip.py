"""A text cut short, and as many rows as fit: the line stays below 10,000 characters.  [style.md §3.1]"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

ROWS_CHARS = 7000  # of the rows of one reply, as ASCII JSON; the rest of the line takes what is left


def clip(text: str, chars: int) -> str:
    """Return the text cut at a word to at most so many characters, with an ellipsis where it was cut.

    >>> clip("raise the inotify limit", 12)
    'raise the…'
    """
    if len(text) <= chars:
        return text
    words = text[:chars].rsplit(None, 1) or [""]
    return words[0][: chars - 1].rstrip(" ,;:") + "…"


def fitting(rows: Iterable[dict[str, Any]], *, chars: int = ROWS_CHARS) -> list[dict[str, Any]]:
    """Return the first rows that fit, at least one."""
    out: list[dict[str, Any]] = []
    for row in rows:
        chars -= len(json.dumps(row)) + 1
        if chars < 0 and out:
            break
        out.append(row)
    return out
