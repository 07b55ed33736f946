"""memory/meta/cursors.json, of which each slice has a part of its own and leaves the others as they are.  [design §3]

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles

NAME = "meta/cursors.json"  # in the memory folder


def parse(text: str | None, *, name: str = NAME) -> dict[str, Any]:
    """Return the whole of the file's text, {} for none. Raises WorkspaceError for one that is broken.

    name   of a file of the same kind in the memory folder
    """
    try:
        value = jsonfiles.loads(text) if text and text.strip() else {}
    except ValueError as e:
        raise WorkspaceError(f"{name}: {e}", hint=f"git checkout -- memory/{name}") from None
    return value if isinstance(value, dict) else {}


def part(value: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return an object of an object, {} where there is none.

    >>> part({"observe": {"since": "…"}}, "observe"), part({"observe": 7}, "observe")
    ({'since': '…'}, {})
    """
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def rendered(value: dict[str, Any], key: str, made: dict[str, Any]) -> str:
    """Return the file's text with a part made anew."""
    return jsonfiles.pretty({"version": 1, **value, key: made})
