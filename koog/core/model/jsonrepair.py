"""Messy model output in, one JSON value out. Pure; linear in the text.  [sinain §4.2, design §4]

Stages, in this order:

1. The whole text as JSON. A string that holds a JSON container is opened (doubled encoding).
2. Reasoning: everything up to a real `</think>` is dropped. A tag inside a value is not real.
3. Candidates: each top-level `{` or `[`, left to right; strict JSON first, then the tolerant
   reader from the same opener (jsonscan.py, jsontolerant.py, jsonstrings.py). Never from an
   inner opener: a part is not the answer.
4. Choice: the first candidate, best first, that the schema accepts.

Best first means: in a fence marked as JSON (or not marked) before outside; objects and lists of
objects before other containers; longer before shorter; earlier before later. Objects with nothing
but blanks and commas between them (JSON lines) are also one list, ranked by its whole length. A
candidate that cannot be read takes part in the ranking, and without a schema it is an error when
it comes first: the answer is damaged, and something else in the text is not the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from koog.core.model.jsonvalue import JSONRepairError, Repaired, Strict, whole_characters

MAX_BYTES = 8 * 1024 * 1024
MAX_VERDICTS = 100  # candidates shown to the schema: a verdict may cost a millisecond

END_MARKS = re.compile(r"(?:\s*(?:<\|[\w ]{1,40}\|>|</s>))+\s*\Z")
LONE_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})(?!\\?\Z|\\u[0-9a-fA-F]{0,3}\Z)|.)",
    re.DOTALL,
)


def extract(text: str, *, accepts: Callable[[Any], bool] | None = None) -> Repaired:
    """Return the JSON value that a model's message holds.

    accepts   the schema's verdict on a value; without it the best candidate wins

    NaN, infinities and numbers too large become null, lone surrogates U+FFFD, so that the
    value can always be written as JSON again. Raises JSONRepairError when no value is
    there, none is accepted, the reasoning never ends, or the text is larger than 8 MB or
    nested deeper than 1,000 levels.
    """
    text = _cleaned(text)
    for whole in _whole(text):
        if accepts is None or accepts(whole.value):
            return whole
    from koog.core.model import jsonscan

    candidates = jsonscan.ranked(text)
    if not candidates:
        raise JSONRepairError("no JSON object or array in the text")
    if accepts is None:
        best = candidates[0]
        if not best.result:
            raise JSONRepairError(f"the JSON at offset {best.start} is damaged beyond repair")
        return best.result
    for candidate in candidates[:MAX_VERDICTS]:
        if candidate.result and accepts(candidate.result.value):
            return candidate.result
    raise JSONRepairError(f"none of {len(candidates)} JSON candidates is accepted")


def _cleaned(text: str) -> str:
    """Return the text without byte order mark, end-of-turn marks and half characters."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise JSONRepairError(f"larger than {MAX_BYTES} bytes")
    text = whole_characters(text).lstrip().lstrip("\ufeff").lstrip()
    if text.rstrip().endswith(">"):
        tail = END_MARKS.search(text, max(0, len(text) - 200))
        text = text[: tail.start()] if tail else text
    if "\\ud" in text.lower():
        text = LONE_ESCAPE.sub(lambda m: r"\ufffd" if m[1] else m[0], text)
    return text


def _whole(text: str) -> list[Repaired]:
    """Read the whole text as strict JSON, scalars included; a string that holds a container is opened first."""
    found = Strict(text).read(0)
    if not found or text[found[1] :].strip():
        return []
    whole, _ = found
    if isinstance(whole.value, str) and whole.value.lstrip()[:1] in ("{", "["):
        from koog.core.model import jsonscan

        inner = jsonscan.inside(_cleaned(whole.value))
        return [inner, whole] if inner else [whole]
    return [whole] if not whole.repaired or isinstance(whole.value, (dict, list)) else []
