"""How deep a JSON text may be: what was read can be written again, inside of something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from koog.core.files import jsonfiles

NEST: dict[str, Callable[[int, Any], Any]] = {
    "lists": lambda at, inner: [inner],
    "objects": lambda at, inner: {"a": inner},
    "both, beside others": lambda at, inner: [1, {"a": [], "b": inner}] if at % 2 else {"c": {}, "b": inner},
}


@pytest.mark.parametrize("kind", NEST)
def test_a_text_is_as_deep_as_its_deepest_list_or_object(kind: str) -> None:
    levels = depth = 0
    value: Any = "x"
    while depth <= jsonfiles.LEVELS:
        data = jsonfiles.line([value, *[[]] * jsonfiles.LEVELS])  # as many brackets as it takes to look
        assert jsonfiles.loads(data)[0] == value
        value = NEST[kind](levels, value)
        levels, depth = levels + 1, 1 + _depth(value)

    with pytest.raises(ValueError, match="more than 200 levels"):
        jsonfiles.loads(jsonfiles.line([value, *[[]] * jsonfiles.LEVELS]))


def _depth(value: Any) -> int:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if below is None else 1 + max(map(_depth, below), default=0)
