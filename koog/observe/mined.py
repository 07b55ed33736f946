"""Which lines of observations.md the miner has read, in memory/meta/cursors.json.  [design §5]

    {"mine": {"files": {"memory/observations.md": {"lines": ["<hash of the source><hash of the text>", …]}}}}

Reflect rewrites that file, so no offset holds in it: a line is known by where it was heard and what it says. What
reflect makes of lines that were all mined is entered here by reflect itself, so that it is not mined again. All other
words are new, whoever wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from koog.core.files import jsonfiles
from koog.observe.observations import Observation

HALF = 8  # hex digits of each hash: two lines of a file are alike once in many years


def mark(o: Observation) -> str:
    """Return by what the cursor knows an observation: where it was heard, and its words."""
    return _hash(o.source or "\0".join(o.label.stored)) + _hash(o.text)


def marks(cursor: Any) -> set[str]:
    """Return the marks of the lines that were mined; none of a cursor of another shape."""
    told = cursor.get("lines") if isinstance(cursor, dict) else None
    return {each for each in told if isinstance(each, str)} if isinstance(told, list) else set()


def cursor(found: Iterable[str]) -> dict[str, Any]:
    return {"lines": sorted(found)}


def carried(text: str, path: str, made: Iterable[tuple[Sequence[Observation], Observation]]) -> str:
    """Return cursors.json with what was made of mined lines as mined; as it is where it cannot be read.

    path   the observations' file
    made   the lines that there were, and the one that stands for them
    """
    try:
        value = jsonfiles.loads(text)
        known = marks(value["mine"]["files"][path])
    except (ValueError, KeyError, TypeError):
        return text
    new = set(known)
    for before, after in made:  # of what was made of lines again something may have been made
        new |= {mark(after)} if new.issuperset(map(mark, before)) else set()
    if new == known:
        return text
    value["mine"]["files"][path] = cursor(new)
    return jsonfiles.pretty(value)


def _hash(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()[:HALF]
