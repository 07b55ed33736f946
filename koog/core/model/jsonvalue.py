"""One JSON value read strictly, and what every reader of a model's JSON shares.  [design §4, JSON repair]"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from koog.core.lazy_regex import compiled

MAX_DEPTH = 1000
TOKEN = compiled(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[{}\[\]]', re.DOTALL)


class JSONRepairError(ValueError):
    """No value could be made out of the text with confidence. The only error of reading one."""


@dataclass(frozen=True)
class Repaired:
    """One value and what it took.

    truncated   something was closed here that the text left open, or the model left parts out
    repaired    the value's own text was not JSON (prose, fences and reasoning around it do not count)
    """

    value: Any
    truncated: bool
    repaired: bool


class _Text(str):
    """The text as json's scanner sees it.

    JSONDecodeError counts the lines before the error, which makes many small failures
    in a long text quadratic; nobody reads that number here.
    """

    def count(self, *_: object) -> int:
        return 0

    def rfind(self, *_: object) -> int:
        return 0


class Strict:
    """Strict JSON at any offset of one text. NaN, infinities and overflow are read as null."""

    def __init__(self, text: str) -> None:
        self.text = _Text(text)
        self.nulled: list[str] = []
        self.decoder = json.JSONDecoder(parse_float=self._finite, parse_constant=self.nulled.append)

    def _finite(self, digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        self.nulled.append(digits)
        return None

    def read(self, start: int) -> tuple[Repaired, int] | None:
        """Return the value that starts here and the offset behind it, or None."""
        self.nulled.clear()
        try:
            value, end = self.decoder.raw_decode(self.text, start)
        except (ValueError, RecursionError):  # ValueError: also an integer beyond 4,300 digits
            return None
        if _depth(self.text, start, end) > MAX_DEPTH:
            raise JSONRepairError(f"nested deeper than {MAX_DEPTH} levels")
        return Repaired(value, truncated=False, repaired=bool(self.nulled)), end


def whole_characters(text: str) -> str:
    """Join surrogate pairs and put U+FFFD for lone halves, which no file and no JSON writer can take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _depth(text: str, start: int, end: int) -> int:
    """Return how deep valid JSON nests; 0 where it is too short to matter."""
    if str.count(text, "[", start, end) + str.count(text, "{", start, end) <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for token in TOKEN.finditer(text, start, end):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        deepest = max(deepest, depth)
    return deepest
