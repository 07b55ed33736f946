"""The `condense` part of memory/meta/cursors.json: of which days each week and month was made.  [design §3]

    {"condense": {"weeks": {"2026-W07": "9f2c41d0a1b2c3d4"}, "months": {"2026-02": "…"}}, …}

A week is made again when one of its days has changed since, a month when one of its weeks has. Pure but for `load`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from koog.core import cursor_parts
from koog.core.cursor_parts import NAME
from koog.core.files.tree import Tree
from koog.core.named import NamedTuple

PART, WEEKS, MONTHS = "condense", "weeks", "months"
DIGITS = 16


class Known(NamedTuple):
    """Of what each week and each month was made, by their names."""

    weeks: dict[str, str]
    months: dict[str, str]


def load(tree: Tree) -> Known:
    """Return what is known. Raises WorkspaceError for a file that cannot be read."""
    return read(tree.text(tree.in_memory(NAME)) or "")


def read(text: str) -> Known:
    part = cursor_parts.part(cursor_parts.parse(text), PART)
    return Known(_names(part.get(WEEKS)), _names(part.get(MONTHS)))


def noted(text: str, kind: str, name: str, digest: str) -> str:
    """Return the file's text with of what a week or a month was made now. kind: WEEKS or MONTHS"""
    value = cursor_parts.parse(text)
    part = cursor_parts.part(value, PART)
    names = {**_names(part.get(kind)), name: digest}
    return cursor_parts.rendered(value, PART, {**part, kind: dict(sorted(names.items()))})


def digest(parts: Iterable[str]) -> str:
    """Return by what some texts are known again."""
    found = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()[:DIGITS]


def _names(value: object) -> dict[str, str]:
    return {k: v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}
