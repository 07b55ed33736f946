"""What a damaged text is expected to give: shared by the two generators of bench.jsonrepair."""

from __future__ import annotations

import json
import re
from typing import Any

FAILS = object()  # the expected outcome of texts that hold no answer
Case = tuple[str, Any, bool]  # the text, what it means, and whether `truncated` must be said


def longest_reading(prefix: str) -> Any:
    """Return what a cut JSON text says, by trying shorter and shorter prefixes with json.loads."""
    for end in range(len(prefix), 0, -1):
        head = prefix[:end]
        ends = ["", '"']
        if end == len(prefix):
            word = re.search(r"[a-z]+$", head)
            ends += [w[len(word[0]) :] for w in ("true", "false", "null") if word and w.startswith(word[0])]
        for extra in ends:
            try:
                value = json.loads(head + extra + closers(head + extra))
                json.dumps(value, ensure_ascii=False).encode()
            except (ValueError, UnicodeEncodeError):
                continue
            return value
    return FAILS


def closers(text: str) -> str:
    open_ = []
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', text, re.DOTALL):
        if token[0] in "{[":
            open_.append("}" if token[0] == "{" else "]")
        elif token[0] in "}]" and open_:
            open_.pop()
    return "".join(reversed(open_))
