"""The last gate: no prompt and no reply holds the words of what was forgotten, wherever they stand.  [moltbot §8.3]

What is archived is left out where it is read. But the same words stand in what koog does not edit: a host's notes, the
talk itself, a log. So every value of a prompt, every text of a reply and every text that koog keeps for others to read
goes through here. A memory that is asked for by its id is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from koog.core import forgotten

if TYPE_CHECKING:
    from koog.core.forgotten import Forgotten
    from koog.core.run import Run

T = TypeVar("T")
# Keys of a reply that hold no words of a person's: an id, a path, a command to call are told as they are.
NAMES = frozenset("id ids path file command hint schema code ts actor archived restored deleted".split())


def over(run: Run, value: T) -> T:
    """Return what a run says without what was forgotten; as it is where nothing was, or it was asked for by its id."""
    tree = run.__dict__.get("workspace")
    if tree is None or run.is_by_id or not (gone := forgotten.of(tree)).stones:
        return value
    veiled: T = _over(value, gone)
    return veiled


def _over(value: Any, gone: Forgotten) -> Any:
    if isinstance(value, str):
        return gone.shown(value)
    if isinstance(value, dict):
        return {key: each if key in NAMES else _over(each, gone) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_over(each, gone) for each in value))
    if isinstance(value, list | tuple):
        return [_over(each, gone) for each in value]
    return value
