"""The forms of a curator's answer that are the seed's own, as operations on numbered lines.  [sinain §4.6]

{"changes": {"added": ["…"], "pruned": ["…"], "promoted": ["…"]}}   the lines by their texts
{"operations": ["Remove line 3", "Add: …"]}                         an operation in words
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.text.measures import normal
from koog.playbook import item

OF_CHANGES = {"added": "add", "pruned": "remove", "promoted": "promote"}
IN_WORDS = (
    r"(?is)\W*(add|rewrite|remove|merge|promote)(?:e?d|s)?\b[^\w#]*(?:(?:lines?|#|L)\s*#?([\d, and&-]*\d)\b"
    r"(?:\s+(?:to|into|as|with)\b(?:\s+(?:say|read)\b)?)?)?\W*(.*)"
)
QUOTES = "\"'`“”‘’ "  # around a text
LISTS = ("operations", "changes")


def operations(value: Any, lines: Sequence[str]) -> Any:
    """Return an answer with the seed's forms as operations, as it is where there are none.

    lines   as the curator saw them, from 1
    """
    at: dict[str, int] = {}  # text → number of the first line that has it
    for n, line in enumerate(lines, 1):
        if found := item.parse(line):
            at.setdefault(normal(found.text), n)
    if not isinstance(value, dict):
        return {"operations": [_said(each, at) for each in value]} if isinstance(value, list) else value
    given = next((value[name] for name in LISTS if value.get(name) is not None), None)
    if isinstance(given, dict) and any(name in given for name in OF_CHANGES):
        rows = [(op, text) for name, op in OF_CHANGES.items() for text in _texts(given.get(name))]
        return {"operations": [_on(op, text, at) for op, text in rows]}
    return {**value, "operations": [_said(each, at) for each in given]} if isinstance(given, list) else value


def _texts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _said(given: Any, at: dict[str, int]) -> Any:
    """Return an operation that was given in words.

    >>> _said("Rewrite line 3 to say 'Use pnpm 9'", {})
    {'op': 'rewrite', 'lines': '3', 'text': 'Use pnpm 9'}
    """
    match = compiled(IN_WORDS).fullmatch(given) if isinstance(given, str) else None
    if match is None:
        return given
    op, numbers, text = match[1].lower(), match[2], match[3].strip()
    return {"op": op, "lines": numbers, "text": text.strip(QUOTES) or None} if numbers else _on(op, text, at)


def _on(op: str, text: Any, at: dict[str, int]) -> Any:
    """Return an operation on the line of a text, without one where no line has it."""
    if not isinstance(text, str):
        return {**text, "op": op} if isinstance(text, dict) else text
    if op == "add":
        return {"op": op, "text": text}
    number = at.get(_bare(text))
    return {"op": op, "lines": [] if number is None else [number], "text": text}


def _bare(text: str) -> str:
    """Return a text as two that are the same have it, of a line's without its tags."""
    parsed = item.parse(text if text.startswith("- ") else f"- {text}")
    return normal(parsed.text if parsed else text)
